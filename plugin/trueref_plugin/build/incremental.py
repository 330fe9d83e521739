"""Finds the pages that a build can keep from the served generation, because nothing of them has changed.

A page is kept if its record, its ids and its edges are the same as before. The digest of its file cannot show whether
its edges are the same: the file of `guide/` does not change when `setup/` is renamed, but its link to `setup/` breaks.
Therefore the state of a page lists the pages that its links lead to, and the addresses of its links that lead to no
page. If one of these targets changed, `_edges_to_changed_pages` makes the edges of the page again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, fields, replace
from operator import attrgetter
from pathlib import Path
from typing import Final

from trueref_core.errors import IndexFault
from trueref_core.generations.content import KeptPages
from trueref_core.generations.page_digests import PageState, links_digest
from trueref_core.generations.served_generation import build_folder, read_ledger, read_parts, read_states
from trueref_core.links.target_lookup import folder_of
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Anchor, Document, Generation, Link, Page, PageKey
from trueref_core.storage.page_parts import Parts
from trueref_plugin.build.build_plan import BuildPlan
from trueref_plugin.build.other_sites import unreadable_sites
from trueref_plugin.site.page_edges import page_links
from trueref_plugin.site.site_reader import SiteContent

MAX_CHANGED: Final = 0.25
"""If more than this share of the pages changed, writing all files again costs less than changing the earlier files. For
example, a new theme changes all pages."""

_fields_without_centrality = attrgetter(*(field.name for field in fields(Page) if field.name != "centrality"))
"""All fields of a page's record except its centrality, which is computed from the links of all pages: if it counted,
one new link would change every page."""


@dataclass(frozen=True, slots=True)
class EarlierGeneration:
    """The served generation, with everything that a build takes over from it."""

    generation: Generation
    manifest: Manifest
    states: Mapping[PageKey, PageState]
    documents: Mapping[tuple[str, str], Document]
    """By site and source file."""
    files: Mapping[str, Parts]
    """By kind of value: the files with this value of each page."""

    def kept(self, pages: Set[PageKey], sites: Set[str]) -> KeptPages:
        """Some pages, and all pages of some sites, for a new generation that takes them over."""
        keys_of_sites = {key for key in self.states if key[0] in sites}
        return KeptPages(self.generation.id, self.states, pages | keys_of_sites, self.files)

    def rows_of(self, sites: Set[str]) -> SiteRows:
        """The pages, the ledger and the recipes of some sites."""
        return SiteRows(
            tuple(page for page in self.manifest.pages() if page.site in sites),
            tuple(document for document in self.documents.values() if document.site in sites),
            {site: recipe for site, recipe in self.generation.recipes.items() if site in sites},
        )


@dataclass(frozen=True, slots=True)
class SiteRows:
    """The pages, the ledger and the recipes of some sites."""

    pages: tuple[Page, ...] = ()
    documents: tuple[Document, ...] = ()
    recipes: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed since the served generation, and therefore what a build has to make.

    Attributes:
        unchanged: By page: the state of each page that is kept. Empty if all pages are made again.
        links: By page: the edges that begin on each changed page.
        earlier: The generation that kept pages are taken from, also those of other sites; None if no page is kept.
        other_sites: The names of the other sites of the index, whose pages are all kept.
    """

    unchanged: Mapping[str, PageState]
    links: Mapping[str, tuple[Link, ...]]
    earlier: EarlierGeneration | None
    other_sites: Set[str]


def compare_pages(plan: BuildPlan, *, vectors: bool) -> Changes:
    """Compares a site as read with the served generation, page by page.

    Args:
        plan: The site as read, and the served generation.
        vectors: Whether the new generation will have vectors, since that is part of its recipes.

    Raises:
        IndexDamaged: The index holds other sites, and their content cannot be read.
    """
    earlier = read_earlier(plan.options.index, plan.served, plan.earlier)
    # Without an earlier generation, a single site is built from nothing. But the other sites would be lost: this build
    # does not have their files, so it cannot read them again.
    if plan.neighbours and earlier is None:
        raise unreadable_sites(plan.neighbours)
    other_sites = {site.name for site in plan.neighbours}
    content = plan.site
    if earlier is None:
        return _all_new(content, None, other_sites)
    # The recipe covers the options and versions that shape the pages, and the record of the site has the name and the
    # version that are in the record of each page. If one of these changed, all pages changed.
    is_same_recipe = earlier.generation.recipes.get(content.site.name) == plan.recipe(vectors=vectors)
    if plan.options.full or not is_same_recipe or not _is_same_site(content, earlier):
        return _all_new(content, earlier, other_sites)
    unchanged = _same_pages(content, earlier)
    if len(unchanged) < len(content.pages) * (1 - MAX_CHANGED):
        return _all_new(content, earlier, other_sites)
    manifest = _manifest(content, earlier, unchanged)
    links = _new_links(content, manifest, unchanged)
    # If the target of a link changed, the edges of the page that links to it are made again. Nearly all are the same as
    # before, and then the page is still kept: links to a page with a new title usually stay as they are.
    for page, edges in _edges_to_changed_pages(content, manifest, earlier, unchanged):
        if links_digest(edges) != unchanged[page].links:
            links[page] = edges
            del unchanged[page]
    return Changes(unchanged, links, earlier, other_sites)


def read_earlier(index: Path, generation: Generation | None, manifest: Manifest | None) -> EarlierGeneration | None:
    """The served generation with everything that a build takes over from it; None if there is none that can be read.

    `generation` is the verified generation that was served when the build began, and `manifest` was read before it.
    """
    # Manifest and generation were read one after the other: another build may have published in between.
    if generation is None or manifest is None or manifest.generation_id != generation.id:
        return None
    try:
        # The files are found by the id of the generation and not as "the served one", because a preview cuts its pages
        # without holding the lock, and another build may publish meanwhile.
        documents = {(document.site, document.file_path): document for document in read_ledger(index, generation.id)}
        files = read_parts(build_folder(index, generation.id))
        return EarlierGeneration(generation, manifest, read_states(index, generation.id), documents, files)
    except IndexFault:
        return None


def _is_same_site(content: SiteContent, earlier: EarlierGeneration) -> bool:
    """Whether the record of the site is the same, apart from its digest, which covers the pages."""
    current_record = replace(content.site, digest="")
    return any(replace(site, digest="") == current_record for site in earlier.generation.sites)


def _same_pages(content: SiteContent, earlier: EarlierGeneration) -> dict[str, PageState]:
    """The pages whose record and ids are unchanged, with their states."""
    unchanged: dict[str, PageState] = {}
    earlier_pages = {page.page: page for page in earlier.manifest.pages(content.site.name)}
    for page in content.pages:
        earlier_page, state = earlier_pages.get(page.page), earlier.states.get((page.site, page.page))
        fields_now = _fields_without_centrality(page)
        is_same = earlier_page is not None and _fields_without_centrality(earlier_page) == fields_now
        if state is not None and is_same and state.anchors == content.reads[page.page].summary.anchors:
            unchanged[page.page] = state
    return unchanged


def _manifest(content: SiteContent, earlier: EarlierGeneration | None, unchanged: Mapping[str, PageState]) -> Manifest:
    """Pages and anchors of the site as they are now. Other sites are left out: no edge of this site depends on them."""
    anchors = [anchor for page in content.pages if page.page not in unchanged for anchor in content.anchors(page.page)]
    if earlier is None:
        return Manifest("", (content.located_site,), content.pages, anchors)
    # The anchors of kept pages are not decoded for this: the manifest takes them over in their encoded form.
    keys = [(content.site.name, page) for page in unchanged]
    return earlier.manifest.changed("", (content.located_site,), content.pages, anchors, keys)


def _all_new(content: SiteContent, earlier: EarlierGeneration | None, other_sites: Set[str]) -> Changes:
    """The changes if all pages of this site are made again. Only pages of other sites are kept."""
    manifest = _manifest(content, None, {})
    # Without other sites nothing is kept, since writing all files again is faster than changing the earlier ones.
    return Changes({}, _new_links(content, manifest, {}), earlier if other_sites else None, other_sites)


def _new_links(
    content: SiteContent, manifest: Manifest, unchanged: Mapping[str, object]
) -> dict[str, tuple[Link, ...]]:
    """The edges of the pages that are not among `unchanged`."""
    return {page.page: _links_of(content, manifest, page) for page in content.pages if page.page not in unchanged}


def _links_of(content: SiteContent, manifest: Manifest, page: Page) -> tuple[Link, ...]:
    """The edges that begin on a page. A redirect has none."""
    if page.kind == "redirect":
        return ()
    return page_links(manifest, page.site, page.page, content.parsed(page.page), content.options.site)


def _edges_to_changed_pages(
    content: SiteContent, manifest: Manifest, earlier: EarlierGeneration, unchanged: Mapping[str, PageState]
) -> list[tuple[str, tuple[Link, ...]]]:
    """The new edges of each unchanged page with a link to a page that was changed, added or removed."""
    earlier_pages = {page.page: page for page in earlier.manifest.pages(content.site.name)}
    pages = {page.page: page for page in content.pages}
    targets = _targets_with_other_edges(content, earlier, earlier_pages, pages, unchanged)
    if not targets:
        return []
    # The state of a page lists a link without a target by the address in the link, which may be an alias. So the
    # aliases count too: those that the pages had before, since links to them may break now, and those that they have
    # now, since links to them may begin to work.
    records = (by_page[page] for page in targets for by_page in (earlier_pages, pages) if page in by_page)
    addresses = targets | {alias for record in records for alias in record.aliases}
    linking_pages = (page for page, state in unchanged.items() if _leads_to(state, targets, addresses))
    return [(page, _links_of(content, manifest, pages[page])) for page in linking_pages]


def _targets_with_other_edges(
    content: SiteContent,
    earlier: EarlierGeneration,
    earlier_pages: Mapping[str, Page],
    pages: Mapping[str, Page],
    unchanged: Mapping[str, object],
) -> set[str]:
    """The pages to which an edge may be another one now: it depends on the record and the anchors of its target."""
    # The record of an unchanged page is the same, so edges to it stay correct. Only edges to other pages can change.
    changed = (earlier_pages.keys() | pages.keys()) - unchanged.keys()
    targets = {
        page for page in changed if _fields_in_edges(earlier_pages.get(page)) != _fields_in_edges(pages.get(page))
    }
    targets |= _pages_that_lost_an_address(content, earlier, targets)
    for page in pages.keys() - unchanged.keys():
        state = earlier.states.get((content.site.name, page))
        if state is None or state.anchors != content.reads[page].summary.anchors:
            # An edge depends on the anchors of its target, but not on the text under them: a new wording of a
            # paragraph changes no edge.
            earlier_anchors = _without_bodies(earlier.manifest.anchors(page, content.site.name))
            if earlier_anchors != _without_bodies(content.anchors(page)):
                targets.add(page)
    return targets


def _without_bodies(anchors: Iterable[Anchor]) -> list[Anchor]:
    """Anchors without the digests of the texts under them."""
    return [replace(anchor, body="") for anchor in anchors]


def _fields_in_edges(page: Page | None) -> tuple[object, ...] | None:
    """The fields of a page that edges to it depend on, besides its anchors.

    The title is one of them, because the edge from a page to the next page has the title of that page.
    """
    # The kind counts because a page that becomes a redirect is an alias of another page from then on.
    return (page.title, page.aliases, page.alias_anchors, page.kind) if page is not None else None


def _leads_to(state: PageState, targets: Set[str], addresses: Set[str]) -> bool:
    """Whether a link of a page leads to a changed page, or led nowhere and names an address of a changed page."""
    if not targets.isdisjoint(state.linked_pages) or not targets.isdisjoint(state.next_pages):
        return True
    return any(path in addresses or folder_of(path) in addresses for path in state.missing_paths)


def _pages_that_lost_an_address(content: SiteContent, earlier: EarlierGeneration, changed: Iterable[str]) -> set[str]:
    """The pages that lost an address to a changed page: `foo/` was also served at `foo`, until `foo.html` was added.

    These pages are unchanged themselves, so that comparing their files does not find them.
    """
    pages = {page.page: page for page in content.pages}
    addresses = {address for page in changed if page in pages for address in (page, *pages[page].aliases)}
    earlier_manifest = earlier.manifest
    earlier_owners = [
        look_up(address, content.site.name)
        for address in addresses
        for look_up in (earlier_manifest.page, earlier_manifest.page_by_alias)
    ]
    return {page.page for page in earlier_owners if page is not None}
