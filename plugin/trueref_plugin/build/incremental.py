"""What a build keeps of the served generation: the pages that are as they were, and whose links still lead there.

A page is kept where its record, its ids and its edges are what they were. The edges are why this is more than a
comparison of digests: `guide/` is the same file when `setup/` is renamed, and its link there breaks. So the state of a
page lists where its links lead and what they missed, and `_moved_links` makes the edges again that may lead elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, fields, replace
from operator import attrgetter
from pathlib import Path
from typing import Final

from trueref_core.errors import IndexFault
from trueref_core.generations.publication import (
    PageState,
    build_folder,
    leads_of,
    links_digest,
    read_ledger,
    read_parts,
    read_states,
)
from trueref_core.links.target_lookup import folder_of
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Anchor, Document, Generation, Link, Page
from trueref_core.storage.page_parts import PageKey, Parts
from trueref_plugin.build.build_plan import BuildPlan
from trueref_plugin.build.other_sites import unreadable
from trueref_plugin.site.page_edges import page_links
from trueref_plugin.site.site_reader import SiteContent

CHANGED_MOST: Final = 0.25
"""Share of pages from which on writing everything anew costs less than changing it: a new theme, say, or a new heading
on every page."""

_written_on_the_page = attrgetter(*(field.name for field in fields(Page) if field.name != "centrality"))
"""All of a page's record but its centrality, which follows from the links of others: else one new link would make all
pages new."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """A generation that was served, as a build goes on from it."""

    index: Path
    generation: Generation
    manifest: Manifest
    states: Mapping[PageKey, PageState]
    documents: Mapping[tuple[str, str], Document]
    """By site and source file."""
    files: Mapping[str, Parts]
    """What is kept of each page, by kind."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What a build has to make.

    Attributes:
        kept: The state of each page that stays as it is, by `page`; empty where everything is made anew.
        links: The edges that begin on each of the other pages.
        centrality: Of all pages, where the edges of the site did not change; None where it has to be computed.
        earlier: What the kept pages are kept of, those of other sites among them; None where there are none.
        beside: The names of the other sites of the index, all pages of which are kept.
    """

    kept: Mapping[str, PageState]
    links: Mapping[str, tuple[Link, ...]]
    centrality: Mapping[str, float] | None
    earlier: Earlier | None
    beside: Set[str]


def compare_pages(plan: BuildPlan, *, vectors: bool) -> Changes:
    """Compares a site as read with the served generation, page by page.

    Args:
        plan: What was read, and what is served.
        vectors: Whether the generation to be made has vectors: one without has other recipes.

    Raises:
        IndexDamaged: The index holds other sites, and what it holds of them cannot be read.
    """
    earlier = read_earlier(plan.options.index, plan.served, plan.earlier)
    if plan.neighbours and earlier is None:
        raise unreadable(plan.neighbours)
    beside = {site.name for site in plan.neighbours}
    # No generation has the recipe "": everything is made again.
    return find_changes(plan.site, earlier, "" if plan.options.full else plan.recipe(vectors=vectors), beside)


def read_earlier(index: Path, generation: Generation | None, manifest: Manifest | None) -> Earlier | None:
    """A generation with all that a build goes on from; None where there is none that can be read.

    Args:
        index: The index.
        generation: The one that was served when the build began, verified.
        manifest: Its manifest.
    """
    if generation is None or manifest is None or manifest.generation_id != generation.id:
        return None
    try:
        # By its id and not as "what is served": a preview cuts outside of the lock, and another build may publish.
        documents = {(document.site, document.file_path): document for document in read_ledger(index, generation.id)}
        files = read_parts(build_folder(index, generation.id))
        return Earlier(index, generation, manifest, read_states(index, generation.id), documents, files)
    except IndexFault:
        return None


def find_changes(content: SiteContent, earlier: Earlier | None, recipe: str, beside: Set[str] = frozenset()) -> Changes:
    """Compares a site as read with the served generation.

    Args:
        content: The site.
        earlier: The generation, or None.
        recipe: By what options and versions pages are made now. What another recipe made is made again.
        beside: Names of the other sites of the generation that stay.
    """
    if earlier is None:
        return _all_new(content, None, beside)
    is_same = earlier.generation.recipes.get(content.site.name) == recipe and _is_same_site(content, earlier)
    # Another selector, name or version is in the records of all pages: none could be kept.
    if not is_same:
        return _all_new(content, earlier, beside)
    kept = _same_pages(content, earlier)
    if len(kept) < len(content.pages) * (1 - CHANGED_MOST):
        return _all_new(content, earlier, beside)
    manifest = _manifest(content, earlier, kept)
    links = _new_links(content, manifest, kept)
    # Of kept pages whose targets changed the edges are made again. Nearly all come out as they were, and such a page is
    # still kept: a page that gets a new title touches everything that links to it, and changes none of it.
    for page, edges in _moved_links(content, manifest, earlier, kept):
        if links_digest(edges) != kept[page].links:
            links[page] = edges
            del kept[page]
    return Changes(kept, links, _same_centrality(content, earlier, links), earlier, beside)


def _is_same_site(content: SiteContent, earlier: Earlier) -> bool:
    """Whether the record of the site is as it was. Its digest covers the pages and may differ."""
    now = replace(content.site, digest="")
    return any(replace(site, digest="") == now for site in earlier.generation.sites)


def _same_pages(content: SiteContent, earlier: Earlier) -> dict[str, PageState]:
    """The pages whose record and ids are what they were, with their states."""
    kept: dict[str, PageState] = {}
    known = {page.page: page for page in earlier.manifest.pages(content.site.name)}
    for page in content.pages:
        before, state = known.get(page.page), earlier.states.get((page.site, page.page))
        is_same = before is not None and _written_on_the_page(before) == _written_on_the_page(page)
        if state is not None and is_same and state.anchors == content.reads[page.page].summary.anchors:
            kept[page.page] = state
    return kept


def _manifest(content: SiteContent, earlier: Earlier | None, kept: Mapping[str, PageState]) -> Manifest:
    """Pages and anchors of the site as they are now. Its edges do not follow from what other sites there are."""
    anchors = [anchor for page in content.pages if page.page not in kept for anchor in content.anchors(page.page)]
    if earlier is None:
        return Manifest("", (content.site,), content.pages, anchors)
    keys = [(content.site.name, page) for page in kept]
    return earlier.manifest.changed("", (content.site,), content.pages, anchors, keys)


def _all_new(content: SiteContent, earlier: Earlier | None, beside: Set[str]) -> Changes:
    """Everything is made again. Only other sites are kept of what is served."""
    manifest = _manifest(content, None, {})
    # Other sites have to be kept of something. Without any it is quicker to write everything than to change it.
    return Changes({}, _new_links(content, manifest, {}), None, earlier if beside else None, beside)


def _new_links(content: SiteContent, manifest: Manifest, known: Mapping[str, object]) -> dict[str, tuple[Link, ...]]:
    """The edges of the pages that are not among `known`."""
    return {page.page: _links_of(content, manifest, page) for page in content.pages if page.page not in known}


def _links_of(content: SiteContent, manifest: Manifest, page: Page) -> tuple[Link, ...]:
    """The edges that begin on a page. One that only leads elsewhere has none."""
    if page.kind == "redirect":
        return ()
    return page_links(manifest, page.site, page.page, content.parsed(page.page), content.options.site)


def _moved_links(
    content: SiteContent, manifest: Manifest, earlier: Earlier, kept: Mapping[str, PageState]
) -> list[tuple[str, tuple[Link, ...]]]:
    """The edges of kept pages of which one may lead elsewhere now: to a place that changed, or that was missing."""
    known = {page.page: page for page in earlier.manifest.pages(content.site.name)}
    pages = {page.page: page for page in content.pages}
    # A kept page has the record it had, so only the others can have changed for those that link to them.
    changed = (known.keys() | pages.keys()) - kept.keys()
    touched = {page for page in changed if _what_edges_say(known.get(page)) != _what_edges_say(pages.get(page))}
    touched |= _dispossessed(content, earlier, touched)
    for page in pages.keys() - kept.keys():
        state = earlier.states.get((content.site.name, page))
        if state is None or state.anchors != content.reads[page].summary.anchors:
            # Edges say nothing of what stands under a heading: a paragraph that was reworded touches no other page.
            before = _without_bodies(earlier.manifest.anchors(page, content.site.name))
            if before != _without_bodies(content.anchors(page)):
                touched.add(page)
    if not touched:
        return []
    # A link may name a page by an alias, under which it is written down where it missed: before and after the change.
    forms = touched | {
        form for page in touched for state in (known, pages) if page in state for form in state[page].aliases
    }
    leading = (page for page, state in kept.items() if _leads_to(state, touched, forms))
    return [(page, _links_of(content, manifest, pages[page])) for page in leading]


def _without_bodies(anchors: Iterable[Anchor]) -> list[Anchor]:
    """Anchors without the digests of the texts under them."""
    return [replace(anchor, body="") for anchor in anchors]


def _what_edges_say(page: Page | None) -> tuple[object, ...] | None:
    """What edges to a page depend on, besides its anchors. The title is what an edge to the next page says."""
    return (page.title, page.aliases, page.alias_anchors, page.kind) if page is not None else None


def _leads_to(state: PageState, touched: Set[str], forms: Set[str]) -> bool:
    """Whether an edge of a page leads to pages that changed, or would by one of the addresses that these have."""
    if not touched.isdisjoint(state.leads) or not touched.isdisjoint(state.follows):
        return True
    return any(path in forms or folder_of(path) in forms for path in state.misses)


def _dispossessed(content: SiteContent, earlier: Earlier, touched: Iterable[str]) -> set[str]:
    """The pages that had an address which a changed page has now: `foo/` answered to `foo` until `foo.html` came."""
    pages = {page.page: page for page in content.pages}
    forms = {form for page in touched if page in pages for form in (page, *pages[page].aliases)}
    known = earlier.manifest
    holders = [look(form, content.site.name) for form in forms for look in (known.page, known.page_by_alias)]
    return {page.page for page in holders if page is not None}


def _same_centrality(
    content: SiteContent, earlier: Earlier, links: Mapping[str, tuple[Link, ...]]
) -> dict[str, float] | None:
    """The centrality of all pages as it was, if no page came or went, and each leads where it led."""
    before = {page.page: page for page in earlier.manifest.pages(content.site.name)}
    now = {page.page: page for page in content.pages}
    if before.keys() != now.keys():
        return None
    for page, edges in links.items():
        state = earlier.states.get((content.site.name, page))
        if state is None or state.leads != leads_of(edges):
            return None
        if (before[page].kind == "redirect") != (now[page].kind == "redirect"):
            return None
    return {page: known.centrality for page, known in before.items()}
