"""`urls.txt`: the absolute address of every page and every cited anchor, one in each line, for link checkers."""

from __future__ import annotations

from typing import Final

from trueref_core.addresses import full_fragment
from trueref_core.errors import OptionError
from trueref_core.export.published_site import PublishedSite, ShownPage

NO_BASE_URL: Final = (
    "The site {name!r} has no base URL, so its pages have no absolute addresses. Set `site_url` in mkdocs.yml, or "
    "build with `trueref index SITE --base-url URL`."
)

_CLOSING: Final = "!?.,:;*"
"""Characters that programs leave out at the end of an address in plain text, as the end of a sentence."""


def url_list(site: PublishedSite) -> bytes:
    """The lines of the file, in the order of the pages and of the anchors on them.

    Raises:
        OptionError: The site has no base URL.
    """
    if site.site.base_url is None:
        raise OptionError(NO_BASE_URL.format(name=site.site.name))
    lines = [_line(site.url(href), anchor, shown) for shown in site.pages for anchor, href in shown.hrefs.items()]
    return "".join(f"{line}\n" for line in lines).encode()


def _line(url: str, anchor: str, shown: ShownPage) -> str:
    """The line for an anchor's address."""
    line = plain_text_url(url)
    page, _, fragment = line.partition("#")
    if line == url or fragment not in shown.ids:
        return line
    # A browser would take the encoded form for another id: `why.` must not become `why%2E` if the page has such an id.
    return f"{page}#{full_fragment(anchor, has_id=shown.ids.__contains__)}"


def plain_text_url(url: str) -> str:
    """An address in a form that programs find whole in plain text.

    Quotes, brackets and punctuation at the end are encoded, because lychee finds addresses with linkify, which leaves
    out what looks like punctuation around an address.
    """
    url = url.replace("'", "%27").replace("(", "%28").replace(")", "%29")
    linkified = url.rstrip(_CLOSING + "/")
    end = url[len(linkified) :]
    return linkified + "".join(sign if sign == "/" else f"%{ord(sign):02X}" for sign in end)
