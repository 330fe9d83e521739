"""Finds the pages that a build can keep from the served generation, because nothing of them has changed.

A page is kept if its record, its ids and its edges are the same as before. Digests of files would not tell the edges:
the file of `guide/` stays the same when `setup/` is renamed, but its link to `setup/` breaks. Therefore the state of a
page lists the pages that its links lead to and the addresses that they missed, and `_moved_links` makes the edges of
those pages again whose targets have changed.
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
from trueref_core.records import Anchor, Document, Generation, Link, Page
from trueref_core.storage.page_parts import PageKey, Parts
from trueref_plugin.build.build_plan import BuildPlan
from trueref_plugin.build.other_sites import unreadable
from trueref_plugin.site.page_edges import page_links
from trueref_plugin.site.site_reader import SiteContent

CHANGED_MOST: Final = 0.25
"""If more than this share of the pages changed, writing everything again costs less than changing it. A new theme does
that, or a new heading on every page."""

_written_on_the_page = attrgetter(*(field.name for field in fields(Page) if field.name != "centrality"))
"""All fields of a page's record but its centrality. That follows from the links of all pages: if it counted, one new
link would make every page a changed one."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """The served generation, with everything that a build takes over from it."""

    generation: Generation
    manifest: Manifest
    states: Mapping[PageKey, PageState]
    documents: Mapping[tuple[str, str], Document]
    """By site and source file."""
    files: Mapping[str, Parts]
    """The parts with the values of each page, by kind."""

    def kept(self, pages: Set[PageKey], sites: Set[str]) -> KeptPages:
        """Some pages, and all pages of some sites, to be taken over by a new generation."""
        of_sites = {key for key in self.states if key[0] in sites}
        return KeptPages(self.generation.id, self.states, pages | of_sites, self.files)

    def rows_of(self, sites: Set[str]) -> SiteRows:
        """What some sites have in the lists of all sites."""
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
    """What changed since the served generation, and so what a build has to make.

    Attributes:
        unchanged: The state of each page that stays as it is, by `page`; empty if everything is made again.
        links: The edges that begin on each of the other pages.
        earlier: The generation that kept pages are taken from, those of other sites among them; None if there is none.
        other_sites: The names of the other sites of the index, all pages of which are kept.
    """

    unchanged: Mapping[str, PageState]
    links: Mapping[str, tuple[Link, ...]]
    earlier: Earlier | None
    other_sites: Set[str]


def compare_pages(plan: BuildPlan, *, vectors: bool) -> Changes:
    """Compares a site as read with the served generation, page by page.

    Args:
        plan: The site as read, and the served generation.
        vectors: Whether the generation to be made has vectors: one without has other recipes.

    Raises:
        IndexDamaged: The index holds other sites, and their part of it cannot be read.
    """
    earlier = read_earlier(plan.options.index, plan.served, plan.earlier)
    # For a single site this would be a build from nothing. Here the other sites would be lost: their files are not
    # here to be read again.
    if plan.neighbours and earlier is None:
        raise unreadable(plan.neighbours)
    other_sites = {site.name for site in plan.neighbours}
    content = plan.site
    if earlier is None:
        return _all_new(content, None, other_sites)
    # Pages that were made with other options or versions are all made again. And another selector, name or version
    # shows in the records of all pages, so none of them could be kept.
    is_same_recipe = earlier.generation.recipes.get(content.site.name) == plan.recipe(vectors=vectors)
    if plan.options.full or not is_same_recipe or not _is_same_site(content, earlier):
        return _all_new(content, earlier, other_sites)
    unchanged = _same_pages(content, earlier)
    if len(unchanged) < len(content.pages) * (1 - CHANGED_MOST):
        return _all_new(content, earlier, other_sites)
    manifest = _manifest(content, earlier, unchanged)
    links = _new_links(content, manifest, unchanged)
    # The edges of kept pages whose targets changed are made again. Nearly all come out the same, and then the page is
    # still kept: a page with a new title touches all pages that link to it, and changes none of them.
    for page, edges in _moved_links(content, manifest, earlier, unchanged):
        if links_digest(edges) != unchanged[page].links:
            links[page] = edges
            del unchanged[page]
    return Changes(unchanged, links, earlier, other_sites)


def read_earlier(index: Path, generation: Generation | None, manifest: Manifest | None) -> Earlier | None:
    """The served generation with everything that a build takes over from it; None if there is none that can be read.

    `generation` was served when the build began, and is verified.
    """
    # Manifest and generation were read one after the other: another build may have published in between.
    if generation is None or manifest is None or manifest.generation_id != generation.id:
        return None
    try:
        # By its id, not as "the served one": a preview cuts outside of the lock, and another build may publish.
        documents = {(document.site, document.file_path): document for document in read_ledger(index, generation.id)}
        files = read_parts(build_folder(index, generation.id))
        return Earlier(generation, manifest, read_states(index, generation.id), documents, files)
    except IndexFault:
        return None


def _is_same_site(content: SiteContent, earlier: Earlier) -> bool:
    """Whether the record of the site is the same, apart from its digest, which covers the pages."""
    now = replace(content.site, digest="")
    return any(replace(site, digest="") == now for site in earlier.generation.sites)


def _same_pages(content: SiteContent, earlier: Earlier) -> dict[str, PageState]:
    """The pages whose record and ids are unchanged, with their states."""
    unchanged: dict[str, PageState] = {}
    earlier_pages = {page.page: page for page in earlier.manifest.pages(content.site.name)}
    for page in content.pages:
        earlier_page, state = earlier_pages.get(page.page), earlier.states.get((page.site, page.page))
        is_same = earlier_page is not None and _written_on_the_page(earlier_page) == _written_on_the_page(page)
        if state is not None and is_same and state.anchors == content.reads[page.page].summary.anchors:
            unchanged[page.page] = state
    return unchanged


def _manifest(content: SiteContent, earlier: Earlier | None, unchanged: Mapping[str, PageState]) -> Manifest:
    """Pages and anchors of the site as they are now. Other sites are left out: no edge of this one depends on them."""
    anchors = [anchor for page in content.pages if page.page not in unchanged for anchor in content.anchors(page.page)]
    if earlier is None:
        return Manifest("", (content.site,), content.pages, anchors)
    # Anchors of kept pages are not read from disk for this: the manifest takes them over still encoded.
    keys = [(content.site.name, page) for page in unchanged]
    return earlier.manifest.changed("", (content.site,), content.pages, anchors, keys)


def _all_new(content: SiteContent, earlier: Earlier | None, other_sites: Set[str]) -> Changes:
    """The changes if all pages of this site are made again. Only other sites are kept from the served generation."""
    manifest = _manifest(content, None, {})
    # Without other sites nothing has to be kept, and writing all files is quicker than changing the earlier ones.
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


def _moved_links(
    content: SiteContent, manifest: Manifest, earlier: Earlier, unchanged: Mapping[str, PageState]
) -> list[tuple[str, tuple[Link, ...]]]:
    """The edges, made again, of each unchanged page with a link to a page that changed, was added or was removed."""
    earlier_pages = {page.page: page for page in earlier.manifest.pages(content.site.name)}
    pages = {page.page: page for page in content.pages}
    # The record of a kept page is the same, so edges to it stay right. Only edges to the other pages can change.
    changed = (earlier_pages.keys() | pages.keys()) - unchanged.keys()
    touched = {
        page for page in changed if _fields_in_edges(earlier_pages.get(page)) != _fields_in_edges(pages.get(page))
    }
    touched |= _pages_that_lost_an_address(content, earlier, touched)
    for page in pages.keys() - unchanged.keys():
        state = earlier.states.get((content.site.name, page))
        if state is None or state.anchors != content.reads[page].summary.anchors:
            # An edge depends on the anchors of its target, and not on the text under them: a paragraph that was
            # reworded touches no other page.
            earlier_anchors = _without_bodies(earlier.manifest.anchors(page, content.site.name))
            if earlier_anchors != _without_bodies(content.anchors(page)):
                touched.add(page)
    if not touched:
        return []
    # The state of a page has a link without a target under the address in the link, which may be an alias. So aliases
    # of the earlier pages count, whose links may break now, and those of the new pages, whose links may begin to work.
    forms = touched | {
        form for page in touched for state in (earlier_pages, pages) if page in state for form in state[page].aliases
    }
    linking = (page for page, state in unchanged.items() if _leads_to(state, touched, forms))
    return [(page, _links_of(content, manifest, pages[page])) for page in linking]


def _without_bodies(anchors: Iterable[Anchor]) -> list[Anchor]:
    """Anchors without the digests of the texts under them."""
    return [replace(anchor, body="") for anchor in anchors]


def _fields_in_edges(page: Page | None) -> tuple[object, ...] | None:
    """The fields that edges to a page depend on, besides its anchors. An edge to the next page has its title."""
    # The kind counts because a page that becomes a redirect is an alias of another page from then on.
    return (page.title, page.aliases, page.alias_anchors, page.kind) if page is not None else None


def _leads_to(state: PageState, touched: Set[str], forms: Set[str]) -> bool:
    """Whether an edge of a page leads to a page that changed, or missed an address that such a page has."""
    if not touched.isdisjoint(state.leads) or not touched.isdisjoint(state.follows):
        return True
    return any(path in forms or folder_of(path) in forms for path in state.misses)


def _pages_that_lost_an_address(content: SiteContent, earlier: Earlier, touched: Iterable[str]) -> set[str]:
    """The pages that lost an address to a changed page: `foo/` was also served at `foo`, until `foo.html` was added."""
    pages = {page.page: page for page in content.pages}
    forms = {form for page in touched if page in pages for form in (page, *pages[page].aliases)}
    earlier_manifest = earlier.manifest
    # They are looked up in the earlier manifest: their own files did not change, so that no other rule finds them.
    holders = [
        look(form, content.site.name)
        for form in forms
        for look in (earlier_manifest.page, earlier_manifest.page_by_alias)
    ]
    return {page.page for page in holders if page is not None}
