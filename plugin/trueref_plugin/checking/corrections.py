"""The correction of a link: the destination to write instead, in the form in which the link is written."""

from __future__ import annotations

from html import unescape
from posixpath import dirname, relpath
from typing import Final
from urllib.parse import quote, urlsplit

from trueref_core.addresses import FRAGMENT_SAFE, PATH_SAFE, href_of
from trueref_core.links.link_target import SCHEME, Target, read_target
from trueref_core.links.resolve import ResolveContext, resolve
from trueref_core.links.target_lookup import look_up_link
from trueref_core.manifest.lookup import Manifest
from trueref_core.matching.page_match import SOURCE_FILE
from trueref_core.records import Page, Reference, ReferenceStatus

CERTAIN: Final[frozenset[ReferenceStatus]] = frozenset({"corrected-page", "corrected-anchor", "redirected"})
"""Statuses with exactly one possible target. `redirected` means that the target moved between builds."""

# Characters that would end the destination or change its meaning: a bracket or a space in Markdown, a quote in an
# attribute, a bar in the cell of a table. A grave accent begins code, an ampersand an entity, a backslash an escape.
_ENDS_DESTINATION: Final = str.maketrans({character: f"%{ord(character):02X}" for character in "() <>'\"|`&\\"})

# In a query an ampersand separates parameters, and must stay.
_ENDS_QUERY: Final = {at: encoded for at, encoded in _ENDS_DESTINATION.items() if at != ord("&")}


def corrected(manifest: Manifest, link: str, reference: Reference, context: ResolveContext) -> str | None:
    """The destination to write instead of a link; None if the target is not certain, or has no address to write.

    Args:
        manifest: Decides about the link, and about its correction.
        link: The destination as written.
        reference: The result of `resolve` for the link.
        context: Where the link stands. In a source file, a link to a source file is corrected to another source file.
    """
    if reference.status not in CERTAIN or reference.page is None:
        return None
    return _destination_to(manifest, link, reference, context)


def suggested(manifest: Manifest, link: str, reference: Reference, context: ResolveContext) -> str | None:
    """The suggestion of a reference, in the form in which the link is written; None if there is no suggestion.

    In a source file it is the path of another source file (`../setup.md`) and not the address of a page. The arguments
    are those of `corrected`.
    """
    if reference.suggestion is None:
        return None
    target = read_target(manifest, link, context)
    site = target.site.name if isinstance(target, Target) and target.site else context.site
    # A suggestion is an address relative to the root of the site. The address of the root itself is "".
    suggested_reference = resolve(manifest, reference.suggestion or "./", ResolveContext(site, ""))
    if suggested_reference.page is None:
        return reference.suggestion
    return _destination_to(manifest, link, suggested_reference, context) or reference.suggestion


def _destination_to(manifest: Manifest, link: str, reference: Reference, context: ResolveContext) -> str | None:
    """A destination in the form of `link` that leads to the target of a reference; None if there is none."""
    assert reference.page is not None
    page = manifest.page(reference.page, reference.site)
    assert page is not None
    address, hash_sign, fragment = link.partition("#")
    path, question_mark, query = address.partition("?")
    new_fragment = _fragment(reference.anchor or "", fragment)
    new_path = _path(manifest, path, page, context)
    if new_path is None:
        return None
    ending = f"#{new_fragment}" if new_fragment else hash_sign if not fragment else ""
    if new_path != path:
        new_path = new_path.translate(_ENDS_DESTINATION)
    new_link = f"{new_path}{question_mark}{_query(query)}{ending.translate(_ENDS_DESTINATION)}"
    return new_link if new_link != link and _leads_to(manifest, new_link, reference, context) else None


def _leads_to(manifest: Manifest, link: str, reference: Reference, context: ResolveContext) -> bool:
    """Whether a correction leads to the target of the reference: a wrong correction would be worse than none."""
    resolved = resolve(manifest, link, context)
    is_same = (resolved.site, resolved.page, resolved.anchor) == (
        reference.site,
        reference.page,
        reference.anchor,
    )
    return is_same and look_up_link(manifest, link, context) == "place"


def _query(query: str) -> str:
    """A query as it is, except for characters that would end the destination or be read as an entity."""
    encoded = query.translate(_ENDS_QUERY)
    return encoded if unescape(encoded) == encoded else encoded.replace("&", "&amp;")


def _fragment(anchor: str, old_fragment: str) -> str:
    """An id as a fragment, encoded unless the link has characters outside of ASCII."""
    # An author who writes letters of another script without encoding wants to keep the links readable.
    return anchor.replace("%", "%25") if not old_fragment.isascii() else quote(anchor, safe=FRAGMENT_SAFE)


def _path(manifest: Manifest, path: str, page: Page, context: ResolveContext) -> str | None:
    """The path of a page, in the form in which `path` is written."""
    if look_up_link(manifest, path, context) == "place" and resolve(manifest, path, context).page == page.page:
        return path
    if SCHEME.match(path) or path.startswith("//"):
        url = manifest.url_of(page.site, href_of(page.page))
        # A link without a scheme is corrected to a link without a scheme.
        return url.partition(":")[2] if url is not None and path.startswith("//") else url
    if path.startswith("/"):
        return _from_root(manifest, path, page)
    # A link to a source file keeps this form, because MkDocs and Docusaurus check such links themselves.
    if context.source is not None and (not path or SOURCE_FILE.search(path)):
        return relpath(f"/{page.source_path}", dirname(f"/{context.source}")) if page.source_path else None
    return _relative(page.page, context.page) if context.page is not None else None


def _from_root(manifest: Manifest, path: str, page: Page) -> str | None:
    """A path that begins with a slash: from the root of the host, or of the sources if the link names a source file."""
    if SOURCE_FILE.search(path):
        return f"/{page.source_path}" if page.source_path else None
    site = manifest.site(page.site)
    base = urlsplit(site.base_url).path if site and site.base_url else "/"
    return f"{base.rstrip('/')}/{href_of(page.page)}"


def _relative(page: str, start: str) -> str:
    """The address of a page, relative to the page `start`."""
    slash = "/" if page.endswith("/") or not page else ""
    path = relpath(f"/{page}", dirname(f"/{start}"))
    return f"{'.' if path == '.' else quote(path, safe=PATH_SAFE)}{slash}"
