"""Addresses of pages and anchors: from a file to a page, from a page to an href, from a link to page and anchor.

Pages are kept as the browser shows them, decoded. Anchors are kept exactly as in the HTML: Chromium compares ids by
code point, so case and Unicode normal form count; a fragment matches raw or percent-decoded.
"""

from __future__ import annotations

from collections.abc import Callable
from posixpath import normpath
from typing import Final
from urllib.parse import quote, unquote, urlsplit

HTML_SUFFIXES: Final = (".html", ".htm")
"""How the names of files that are pages end."""

ASSETS: Final = "assets/trueref/"
"""The folder in the site for the widget's files and for exports with a documented address, relative to the root. No
other tool writes there."""

# Characters that RFC 3986 allows in a fragment, without the unreserved ones, which `quote` keeps, and the percent sign.
FRAGMENT_SAFE = "!$&'()*+,;=:@/?"
PATH_SAFE = "!$&'()*+,;=:@/"


def page_of_file(file: str, *, html_suffix: bool = True) -> str:
    """The page under which a static host shows `file`: `a/index.html` is `a/`, `a.html` stays or becomes `a`.

    Args:
        file: Path relative to the site folder, with forward slashes.
        html_suffix: Whether the site's own addresses keep `.html` (False for Docusaurus without trailing slash).
    """
    if file == "index.html" or file.endswith("/index.html"):
        return file[: -len("index.html")]
    if not html_suffix and file.endswith(".html"):
        return file[: -len(".html")]
    return file


def href_of(page: str, anchor: str = "") -> str:
    """The site-relative, percent-encoded address of an anchor. `""` is the root page."""
    first_segment, slash, other_segments = quote(page, safe=PATH_SAFE).partition("/")
    # A colon in the first segment of a relative address would be read as the end of a scheme. Libraries that follow
    # RFC 1808 read a semicolon there as the start of parameters.
    path = first_segment.replace(":", "%3A").replace(";", "%3B") + slash + other_segments
    return f"{path}#{fragment_of(anchor)}" if anchor else path


def fragment_of(anchor: str, *, has_id: Callable[[str], object] = lambda _: False) -> str:
    """The encoded fragment that leads to an anchor.

    Args:
        anchor: The id.
        has_id: Whether the page has another anchor with this id. A browser tries a fragment as it is written before it
            decodes it. If the page also has the id `a%20b`, every character of the fragment for `a b` is encoded.
    """
    plain = quote(anchor, safe=FRAGMENT_SAFE)
    if ":~:" in plain:
        # Browsers read everything behind this mark as a directive, and not as a part of the id.
        plain = plain.replace("~", "%7E")
    if plain == anchor or not has_id(plain):
        return plain
    return full_fragment(anchor, has_id=has_id)


def full_fragment(anchor: str, *, has_id: Callable[[str], object]) -> str:
    """The fragment of an anchor with every character encoded; see `fragment_of` for the reason and for `has_id`."""
    in_full = "".join(f"%{byte:02X}" for byte in anchor.encode())
    return next((form for form in (in_full, in_full.lower()) if not has_id(form)), anchor)


def url_of(base_url: str | None, href: str) -> str | None:
    """The absolute address of an `href`, or None if no base URL is known."""
    return None if base_url is None else base_url.rstrip("/") + "/" + href


def section_id(page: str, anchor: str) -> str:
    """The key of a section within its site."""
    return f"{page}#{anchor}"


def split_link(link: str) -> tuple[str, str | None]:
    """A link without its fragment, and the fragment decoded, or None if there is none."""
    path, mark, fragment = link.partition("#")
    # A text fragment directive addresses text, not an element.
    fragment = fragment.partition(":~:")[0]
    return path, unquote(fragment, errors="replace") if mark else None


def is_external(link: str) -> bool:
    """Whether a link has a scheme or a host, and so is an absolute address."""
    try:
        parts = urlsplit(link)
    except ValueError:
        # Only the host of an address can be malformed.
        return True
    return bool(parts.scheme or parts.netloc)


def host_of(link: str) -> str | None:
    """The host in an address, in small letters; None if the address has no host or is malformed."""
    try:
        return urlsplit(link.strip()).hostname
    except ValueError:
        return None


def join_page(page: str, path: str) -> str | None:
    """The site-relative path that `path` names when it is written on `page`, decoded; None if it leaves the site.

    A path that begins with a slash counts from the root of the site.
    """
    path = unquote(path.partition("?")[0], errors="replace")
    if not path:
        return page
    folder = "" if path.startswith("/") else page.rpartition("/")[0]
    joined = normpath(f"{folder}/{path}".strip("/") or ".")
    if joined == ".." or joined.startswith("../"):
        return None
    if joined == ".":
        return ""
    last = path.rpartition("/")[2]
    return joined + "/" if last in ("", ".", "..") else joined
