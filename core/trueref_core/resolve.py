"""What a link leads to, decided by the manifest alone.

A link is read as a browser would read it on the page where it stands. Then the steps of `STEPS` are tried in order; the
first that has an answer decides. A fragment is looked up once the page is known.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import SplitResult, unquote, urljoin, urlsplit

from trueref_core.addresses import href_of, join_page, split_link, url_of
from trueref_core.queries import without_surrogates
from trueref_core.records import Page, Reference, ReferenceStatus, Site

if TYPE_CHECKING:
    from trueref_core.manifest import Manifest

SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*):")
WEB_SCHEMES = frozenset({"http", "https"})
DEFAULT_PORTS = {"http": 80, "https": 443}
OTHER_SCHEMES = frozenset("mailto tel sms ftp ftps sftp ssh git irc ircs xmpp matrix news geo magnet urn doi".split())
PDF_VIEW = re.compile(r"[a-z]+=[\w.,%-]*(?:&[a-z]+=[\w.,%-]*)*")

CONTROLS = "".join(map(chr, range(33)))


@dataclass(frozen=True, slots=True)
class ResolveContext:
    """Where a link stands. `page` is None where that is not known: relative links are then taken from the root."""

    site: str | None = None
    page: str | None = None


class Target(NamedTuple):
    """What a link names.

    `path` is decoded and relative to the site; None where it names nothing in any of the sites. `url` is the whole
    address, None where no base URL is known. `own_path` is the path as written in a link without scheme and host.
    """

    given: str
    site: Site | None
    path: str | None
    fragment: str
    url: str | None
    own_path: str | None = None


def resolve(manifest: Manifest, link: str, context: ResolveContext) -> Reference:
    """The verdict on a link. See `Manifest.resolve`."""
    target = _read(manifest, link, context)
    if isinstance(target, Reference):
        return target
    verdicts = (step(manifest, target) for step in STEPS)
    return next((verdict for verdict in verdicts if verdict), None) or _nothing(target)


def _read(manifest: Manifest, link: str, context: ResolveContext) -> Target | Reference:
    written = _as_browsers_read(link)
    scheme = SCHEME.match(written)
    if scheme and scheme[1].lower() not in WEB_SCHEMES:
        return _other_scheme(link, written, scheme[1].lower())
    if scheme or written.startswith("//"):
        return _absolute(manifest, link, written if scheme else f"https:{written}", context.site)
    return _relative(manifest, link, written, context)


def _as_browsers_read(link: str) -> str:
    """A link as the URL standard reads it: no tabs or line breaks, no blanks around it, slashes for backslashes."""
    cleaned = re.sub(r"[\t\r\n]", "", without_surrogates(link)).strip(CONTROLS)
    path, *rest = re.split(r"([?#])", cleaned, maxsplit=1)
    return path.replace("\\", "/") + "".join(rest)


def _other_scheme(link: str, written: str, scheme: str) -> Reference:
    if scheme in OTHER_SCHEMES:
        return Reference(link, href=None, url=written, status="external", reason=f"A `{scheme}:` address, not a page.")
    return _unlinked(link, f"A `{scheme}:` address is never linked.")


def _absolute(manifest: Manifest, link: str, url: str, own_site: str | None) -> Target | Reference:
    parts = _split(url)
    if parts is None or not parts.hostname:
        return _unlinked(link, "This is not a well-formed address.")
    inside = [(site, path) for site in manifest.sites if (path := _path_in(site, parts)) is not None]
    if not inside:
        return Target(link, None, None, _fragment(url), url)
    # The shortest path has the longest base: a version in a subfolder. Of two sites there, the reader's own is first.
    site, path = min(inside, key=lambda item: (len(item[1]), item[0].name != own_site))
    return Target(link, site, path, _fragment(url), url)


def _relative(manifest: Manifest, link: str, written: str, context: ResolveContext) -> Target | Reference:
    site = _site_of(manifest, context)
    if site is None:
        names = ", ".join(f"`{known.name}`" for known in manifest.sites) or "none"
        return _unlinked(link, f"A relative link needs the site on which it stands (sites: {names}).")
    path = split_link(written)[0]
    if context.page is None and not path:
        return _unlinked(link, "A fragment alone needs the page on which it stands.")
    page = without_surrogates(context.page or "")
    if site.base_url is None:
        return Target(link, site, join_page(page, path), _fragment(written), None, path)
    target = _absolute(manifest, link, _joined(site.base_url, page, written), site.name)
    return target._replace(own_path=path, site=target.site or site) if isinstance(target, Target) else target


def _joined(base_url: str, page: str, written: str) -> str:
    try:
        return urljoin(url_of(base_url, href_of(page)) or "", written)
    except ValueError:
        return ""


def _site_of(manifest: Manifest, context: ResolveContext) -> Site | None:
    if named := manifest.site(context.site):
        return named
    holding = [] if context.page is None else [s for s in manifest.sites if manifest.page(context.page, s.name)]
    return holding[0] if len(holding) == 1 else manifest.site()


def _path_in(site: Site, parts: SplitResult) -> str | None:
    """The path of an address within a site, decoded; None if it lies outside.

    http and https are the same site. A user name makes it another one: browsers hide it.
    """
    base = _split(site.base_url or "")
    path, folder = join_page("", parts.path), join_page("", base.path if base else "")
    if base is None or path is None or folder is None or "@" in parts.netloc:
        return None
    if parts.hostname != base.hostname or _port(parts) != _port(base):
        return None
    folder = f"{folder.rstrip('/')}/".lstrip("/")
    return path[len(folder) :] if f"{path}/".startswith(folder) else None


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _port(parts)
    except ValueError:
        return None
    return parts


def _port(parts: SplitResult) -> int | None:
    return None if parts.port == DEFAULT_PORTS.get(parts.scheme) else parts.port


def _fragment(link: str) -> str:
    # A text fragment directive addresses text, not an element.
    return link.partition("#")[2].partition(":~:")[0]


def _page(manifest: Manifest, target: Target) -> Reference | None:
    if target.site is None or target.path is None:
        return None
    page = manifest.page(target.path, target.site.name)
    if page is None or (page.kind == "redirect" and manifest.page_by_alias(target.path, page.site)):
        return None
    return _linked(manifest, target, page, "exact", "")


def _other_address(manifest: Manifest, target: Target) -> Reference | None:
    if target.site is None or target.path is None:
        return None
    site, path = target.site.name, target.path
    # Every static host answers both with the page of the folder.
    folder = path.removesuffix("index.html") if f"/{path}".endswith("/index.html") else f"{path}/"
    page = manifest.page_by_alias(path, site) or manifest.page(folder, site) or manifest.page_by_alias(folder, site)
    return _linked(manifest, target, page, "redirected", f"`{path}` leads to `{page.page or '/'}`.") if page else None


def _from_root(manifest: Manifest, target: Target) -> Reference | None:
    """The path as if it stood at the root of the site, which is how answers and READMEs often write it."""
    path = join_page("", target.own_path) if target.own_path else None
    if path is None or path == target.path:
        return None
    again = target._replace(path=path)
    found = _page(manifest, again) or _other_address(manifest, again)
    if found is None or found.page is None:
        return None
    reason = f"The path is right from the root of the site, not from where the link stands. {found.reason}"
    return replace(
        found, status="corrected-page" if found.anchor or not target.fragment else found.status, reason=reason
    )


def _outside(_manifest: Manifest, target: Target) -> Reference | None:
    if target.path is not None or target.url is None:
        return None
    return Reference(
        target.given, href=None, url=target.url, status="external", reason="The address is outside these docs."
    )


STEPS: tuple[Callable[[Manifest, Target], Reference | None], ...] = (_page, _other_address, _from_root, _outside)


def _nothing(target: Target) -> Reference:
    if target.site is None or target.path is None:
        return _unlinked(target.given, "The link leaves the site, whose base URL is not known.")
    return _unlinked(target.given, f"There is no page `{target.path or '/'}` in {target.site.name}.")


def _linked(manifest: Manifest, target: Target, page: Page, status: ReferenceStatus, reason: str) -> Reference:
    anchor = _anchor(manifest, page, target.fragment)
    if anchor is None:
        status, anchor = "page-only", ""
        found = f"The page exists, but has no anchor `{unquote(target.fragment, errors='replace')}`."
    else:
        found = f"The page has the anchor `{anchor}`." if anchor else "The page exists."
    href = href_of(page.page, anchor)
    return Reference(
        given=target.given,
        href=href,
        url=manifest.url_of(page.site, href),
        status=status,
        reason=f"{reason} {found}".strip(),
        site=page.site,
        page=page.page,
        anchor=anchor or None,
    )


def _anchor(manifest: Manifest, page: Page, fragment: str) -> str | None:
    """The anchor that a fragment names: `""` for the page itself, None where there is none."""
    # A browser tries the fragment as it is written before it decodes it.
    for name in (fragment, unquote(fragment, errors="replace")):
        if name and manifest.anchor(page.page, name, page.site):
            return name
    if page.kind == "pdf" and PDF_VIEW.fullmatch(fragment):
        return fragment
    return "" if fragment.lower() in {"", "top"} else None


def _unlinked(link: str, reason: str) -> Reference:
    return Reference(link, href=None, url=None, status="unlinked", reason=reason)
