"""The target that a link names, read as a browser reads it on the page where the link stands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple
from urllib.parse import SplitResult, urljoin, urlsplit

from trueref_core.addresses import href_of, join_page, split_link, url_of
from trueref_core.manifest.lookup import Manifest
from trueref_core.matching.page_match import SOURCE_FILE, is_version
from trueref_core.records import Reference, Site
from trueref_core.text.printable import without_surrogates

SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*):")
WEB_SCHEMES = frozenset({"http", "https"})
DEFAULT_PORTS = {"http": 80, "https": 443}
NON_WEB_SCHEMES = frozenset("mailto tel sms ftp ftps sftp ssh git irc ircs xmpp matrix news geo magnet urn doi".split())

# Links that the URL standard leaves as they are written. Most links of a site are of this form, and reading them
# without the full rules is five times as fast.
PLAIN_LINK = re.compile(r"[A-Za-z0-9_~.-][A-Za-z0-9_~/.-]*(?:#[A-Za-z0-9_~.:=+-]*)?")

OUT_OF_SOURCES: Final = "This leads out of the folder of the sources, and nothing there is a part of the site."
"""The reason in the verdict on a link in a source file; `is_out_of_sources` recognises it."""

CONTROLS = "".join(map(chr, range(33)))
"""Control characters and the space, which the URL standard removes from both ends of a link."""


@dataclass(frozen=True, slots=True)
class ResolveContext:
    """Where a link stands.

    `site` is the name of the site; None if it is not known. `page` is the address of the page; if it is None, relative
    links count from the root. `source` is the source file in which the link is written, in the form of
    `Page.source_path`; a relative link in it may name another source file (`../sync.md#cache`). With a known source,
    `page` may be left out.
    """

    site: str | None = None
    page: str | None = None
    source: str | None = None


class Target(NamedTuple):
    """The target of a link.

    `given` is the link as written. `path` is decoded and relative to the site; None if the target is in none of the
    sites. `fragment` is still encoded. `url` is the absolute address, None if no base URL is known or the address is
    not needed. `own_path` is the path as written in a link without scheme and host. `page` is the page where the link
    stands. `source_path` is the source file that a relative link in another source file names.
    """

    given: str
    site: Site | None
    path: str | None
    fragment: str
    url: str | None
    own_path: str | None = None
    page: str | None = None
    source_path: str | None = None


def read_target(manifest: Manifest, link: str, context: ResolveContext) -> Target | Reference:
    """The target of a link on the page where it stands, or a verdict if the link decides it without any page."""
    if context.source is not None:
        return _read_in_source(manifest, link, context, context.source)
    if plain := _plain_target(manifest, link, context):
        return plain
    written = _as_browsers_read(link)
    scheme = SCHEME.match(written)
    if scheme and scheme[1].lower() not in WEB_SCHEMES:
        return _other_scheme(link, written, scheme[1].lower())
    if scheme or written.startswith("//"):
        target = _absolute(manifest, link, written if scheme else f"https:{written}", context.site)
    else:
        target = _relative(manifest, link, written, context)
    if isinstance(target, Target) and target.site and context.site in (None, target.site.name):
        return target._replace(page=context.page)
    return target


def _read_in_source(manifest: Manifest, link: str, context: ResolveContext, source: str) -> Target | Reference:
    """The target of a link in a source file: that of the same link on the page, with the source file that it names."""
    page = manifest.page_by_source(source, context.site)
    on_page = ResolveContext(context.site, context.page if page is None else page.page)
    target = read_target(manifest, link, on_page)
    if isinstance(target, Reference) or not target.own_path:
        return target
    target_source = join_page(without_surrogates(source), target.own_path)
    if target_source is None and _is_wrong_outside_sources(target, on_page.page):
        return unlinked(link, OUT_OF_SOURCES)
    return target._replace(source_path=target_source)


def is_out_of_sources(target: Target | Reference) -> bool:
    """Whether a link in a source file leads out of the folder of the sources."""
    return isinstance(target, Reference) and target.reason == OUT_OF_SOURCES


def _is_wrong_outside_sources(target: Target, page: str | None) -> bool:
    """Whether a link that leads out of the folder of the sources is a mistake of its author.

    A link to a source file out there always is a mistake. Any other link is right if it stays in the site when it is
    read relative to the address of the page that is made from the file: authors also write such links.
    """
    path = target.own_path or ""
    if path.startswith("/"):
        return False
    if SOURCE_FILE.search(path):
        return True
    # Browsers stop at the root of the host. There, a folder beside this site may be another site.
    is_beside = target.path is None and path.endswith("/")
    return join_page(without_surrogates(page or ""), path) is None and not is_beside


def _plain_target(manifest: Manifest, link: str, context: ResolveContext) -> Target | None:
    """The target of a plain link into the only site, which joining paths is enough to read; None for other links."""
    if len(manifest.sites) != 1:
        return None
    site = manifest.sites[0]
    base = f"{site.base_url.rstrip('/')}/" if site.base_url else None
    is_absolute = base is not None and link.startswith(base)
    relative = link[len(base) :] if base is not None and is_absolute else link
    if not PLAIN_LINK.fullmatch(relative):
        return None
    path, _, fragment = relative.partition("#")
    joined = join_page("" if is_absolute else without_surrogates(context.page or ""), path)
    if joined is None:
        return None
    return Target(
        given=link,
        site=site,
        path=joined,
        fragment=_fragment(f"#{fragment}"),
        url=None,
        own_path=None if is_absolute else path,
        page=context.page,
    )


def _as_browsers_read(link: str) -> str:
    """A link as the URL standard reads it: no tabs and line breaks, no spaces around it, slashes for backslashes."""
    cleaned = re.sub(r"[\t\r\n]", "", without_surrogates(link)).strip(CONTROLS)
    path, *query_and_fragment = re.split(r"([?#])", cleaned, maxsplit=1)
    return path.replace("\\", "/") + "".join(query_and_fragment)


def _other_scheme(link: str, written: str, scheme: str) -> Reference:
    """The verdict on an address with a scheme other than http and https.

    Only known schemes may be linked, since an unknown one may run code, as `javascript:` does.
    """
    if scheme in NON_WEB_SCHEMES:
        return Reference(link, href=None, url=written, status="external", reason=f"A `{scheme}:` address, not a page.")
    return unlinked(link, f"A `{scheme}:` address is never linked.")


def _absolute(manifest: Manifest, link: str, url: str, own_site: str | None) -> Target | Reference:
    """The target of an absolute address: a path in the site with the longest base URL, or an address outside of all."""
    parts = _split(url)
    if parts is None or not parts.hostname:
        return unlinked(link, "This is not a well-formed address.")
    inside = [(site, path) for site in manifest.sites if (path := _path_in(site, parts)) is not None]
    if not inside:
        return Target(link, None, None, _fragment(url), url)
    # The site with the longest base URL gives the shortest path, so a version in a subfolder wins over the site around
    # it. If two sites have the same base URL, the site of the link wins.
    site, path = min(inside, key=lambda item: (len(item[1]), item[0].name != own_site))
    return Target(link, site, path, _fragment(url), url)


def _relative(manifest: Manifest, link: str, written: str, context: ResolveContext) -> Target | Reference:
    """The target of a link without scheme and host, or a verdict if its site is not known.

    A link without a path, such as a fragment alone, also needs the page where it stands.
    """
    site = _site_of(manifest, context)
    if site is None:
        names = ", ".join(f"`{record.name}`" for record in manifest.sites) or "none"
        return unlinked(link, f"A relative link needs the site on which it stands (sites: {names}).")
    path = split_link(written)[0]
    if context.page is None and not path:
        if written.startswith("#"):
            return unlinked(link, "A fragment alone needs the page on which it stands.")
        return unlinked(link, "A link without a path needs the page on which it stands.")
    page = without_surrogates(context.page or "")
    if site.base_url is None:
        return Target(link, site, join_page(page, path), _fragment(written), None, path)
    target = _absolute(manifest, link, _joined(site.base_url, page, written), site.name)
    return target._replace(own_path=path, site=target.site or site) if isinstance(target, Target) else target


def _joined(base_url: str, page: str, written: str) -> str:
    """The absolute address of a relative link; "" if it is not well-formed."""
    try:
        return urljoin(url_of(base_url, href_of(page)) or "", written)
    except ValueError:
        return ""


def _site_of(manifest: Manifest, context: ResolveContext) -> Site | None:
    """The site in which a relative link stands; None if it is not known.

    This is the site that the context names, else the only site that has the page of the link, else the only site.
    """
    if named_site := manifest.site(context.site):
        return named_site
    sites_with_page = (
        [] if context.page is None else [site for site in manifest.sites if manifest.page(context.page, site.name)]
    )
    return sites_with_page[0] if len(sites_with_page) == 1 else manifest.site()


def _path_in(site: Site, parts: SplitResult) -> str | None:
    """The decoded path of an address relative to a site; None if the address lies outside of the site."""
    base = _split(site.base_url or "")
    path, folder = join_page("", parts.path), join_page("", base.path if base else "")
    if base is None or path is None or folder is None or not _have_same_host(parts, base):
        return None
    folder = f"{folder.rstrip('/')}/".lstrip("/")
    return path[len(folder) :] if f"{path}/".startswith(folder) else None


def path_in_version(site: Site, url: str) -> str | None:
    """The decoded path of an address that differs from those of a site only in its version; None for any other.

    `https://docs.example.org/en/1.2/setup/` is `setup/` for a site at `https://docs.example.org/en/latest/`.
    """
    base, parts = _split(site.base_url or ""), _split(url)
    if base is None or parts is None or not _have_same_host(parts, base):
        return None
    base_folders = base.path.strip("/").split("/")
    folders_of_url = parts.path.lstrip("/").split("/", len(base_folders))
    folders = list(zip(base_folders, folders_of_url, strict=False))
    if len(folders_of_url) <= len(base_folders) or not any(is_version(folder) for folder in base_folders):
        return None
    if not all(folder == other or (is_version(folder) and is_version(other)) for folder, other in folders):
        return None
    return join_page("", folders_of_url[-1])


def _have_same_host(parts: SplitResult, base: SplitResult) -> bool:
    """Whether an address is on the host and port of a site; http and https do not differ here.

    An address with a user name is never on it: browsers hide the user name, so it may deceive a reader.
    """
    return "@" not in parts.netloc and parts.hostname == base.hostname and _port(parts) == _port(base)


def _split(url: str) -> SplitResult | None:
    """The parts of an address; None if it is malformed."""
    try:
        parts = urlsplit(url)
        # `urlsplit` itself accepts a wrong port: only reading the port raises.
        _port(parts)
    except ValueError:
        return None
    return parts


def _port(parts: SplitResult) -> int | None:
    """The port, None for the default port of the scheme. Raises `ValueError` for a wrong port."""
    return None if parts.port == DEFAULT_PORTS.get(parts.scheme) else parts.port


def _fragment(link: str) -> str:
    """The fragment of a link, still encoded."""
    # A text fragment directive addresses text, not an element.
    return link.partition("#")[2].partition(":~:")[0]


def unlinked(link: str, reason: str) -> Reference:
    """The verdict on a link that leads nowhere."""
    return Reference(link, href=None, url=None, status="unlinked", reason=reason)
