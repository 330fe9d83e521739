"""Hits as the search route and the command line list them, with addresses from the manifest."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from trueref_core.records import Chunk
from trueref_core.text.sentences import split_sentences
from trueref_server.corpus.words import shortened_to_words
from trueref_server.index.published_files import section_label
from trueref_server.records import Hit, Priority, Related, Relation, SearchResult, SectionAt

if TYPE_CHECKING:
    from trueref_core.generations.open_generation import OpenIndex
    from trueref_core.manifest.lookup import Manifest

MAX_SNIPPET: Final = 240
"""The most characters of a snippet or a summary."""

MIN_SUMMARY: Final = 25
"""The fewest characters of a first sentence that is taken as the summary."""

HIGH_WITHIN: Final = 0.04
MEDIUM_WITHIN: Final = 0.1
"""How far the score of a result may be below the best one for its priority to be high, or medium. Scores are mostly
from 0 to 1."""

MAX_RELATED: Final = 3
"""The most sections of each relation that a result lists."""


def search_results(
    index: OpenIndex, hits: Sequence[Hit], links: Mapping[SectionAt, Collection[SectionAt]]
) -> list[SearchResult]:
    """One result for each hit, in order.

    Args:
        index: The open generation.
        hits: Best first.
        links: By section, the sections that links in its text lead to.
    """
    return [_result(index, hit, hits[0].score, links) for hit in hits]


def _result(index: OpenIndex, hit: Hit, best: float, links: Mapping[SectionAt, Collection[SectionAt]]) -> SearchResult:
    """A hit as `search` lists it; `best` is the score of the first hit."""
    manifest = index.manifest
    chunk = hit.chunk
    href = manifest.href(hit.page, hit.anchor, hit.site)
    return SearchResult(
        site=hit.site,
        page=hit.page,
        anchor=hit.anchor,
        href=href,
        url=manifest.url_of(hit.site, href),
        title=page_title(manifest, hit),
        section=section_label(manifest, hit),
        breadcrumb=tuple(dict.fromkeys(chunk.breadcrumb)),
        kind=chunk.kind,
        snippet=snippet(chunk),
        score=round(hit.score, 6),
        summary=_summary(manifest, hit),
        priority=_priority(best - hit.score),
        retrieval_type=hit.retrieval_type,
        retrieval_query=hit.retrieval_query,
        related=tuple(_related(index, hit, links)),
    )


def _priority(difference: float) -> Priority:
    """The priority of a result, by the difference of its score to that of the first result."""
    if difference <= HIGH_WITHIN:
        return "high"
    return "medium" if difference <= MEDIUM_WITHIN else "low"


def _summary(manifest: Manifest, hit: Hit) -> str:
    """The first sentence of a section, or the description of its page if the section does not begin with prose."""
    first = hit.in_page_order[0]
    if first.kind == "prose":
        text = first.text[first.overlap :]
        start, end = next(iter(split_sentences(text)), (0, 0))
        if MIN_SUMMARY <= end - start <= MAX_SNIPPET:
            return " ".join(text[start:end].split())
    page = manifest.page(hit.page, hit.site)
    return page.description if page is not None else ""


def _related(index: OpenIndex, hit: Hit, links: Mapping[SectionAt, Collection[SectionAt]]) -> Iterator[Related]:
    """The sections related to a hit: those above, below and after it, linked ones and twins, if they may be cited."""
    following = index.section_of(hit.in_page_order[-1].next)
    related: dict[Relation, list[tuple[str, str]]] = {
        "parent": [_page_and_anchor(hit.chunk.parent_section)] if hit.chunk.parent_section else [],
        "child": [_page_and_anchor(child) for child in hit.chunk.child_sections],
        "next": [_page_and_anchor(following[1])] if following is not None else [],
        "linked": sorted((page, anchor) for _, page, anchor in links.get(hit.address, ())),
        # Twins of other sites are left out: `related` names a page and an anchor, and these would be looked up in this
        # site.
        "twin": [(page, anchor) for site, page, anchor in hit.twins if site == hit.site],
    }
    listed = {(hit.page, hit.anchor)}
    for relation, sections in related.items():
        for page, anchor in sections[:MAX_RELATED]:
            title = _title(index.manifest, page, anchor, hit.site)
            # No title means hidden, a draft or unknown, and none of these may be named. A section that is both under a
            # hit and linked from it is listed once, by the relation that comes first above.
            if title and (page, anchor) not in listed:
                listed.add((page, anchor))
                yield Related(relation, page, anchor, index.manifest.href(page, anchor, hit.site), title)


def _page_and_anchor(section: str) -> tuple[str, str]:
    """The page and the anchor of a section id."""
    page, _, anchor = section.partition("#")
    return page, anchor


def _title(manifest: Manifest, page: str, anchor: str, site: str) -> str:
    """The title of a section; "" if its page is hidden, a draft or unknown."""
    page_record = manifest.page(page, site)
    if page_record is None or page_record.hidden or page_record.draft:
        return ""
    if not anchor:
        return page_record.title
    anchor_record = manifest.anchor(page, anchor, site)
    return anchor_record.text if anchor_record is not None else ""


def page_title(manifest: Manifest, hit: Hit) -> str:
    """The title of the page that a hit is on."""
    page = manifest.page(hit.page, hit.site)
    return page.title if page is not None else hit.chunk.title


def snippet(chunk: Chunk) -> str:
    """The beginning of a chunk's own text, whole sentences if one fits, else whole words."""
    text = chunk.text[chunk.overlap :].strip()
    if len(text) <= MAX_SNIPPET:
        return text
    ends = [end for _, end in split_sentences(text) if end <= MAX_SNIPPET]
    if ends:
        return text[: ends[-1]]
    return shortened_to_words(text, MAX_SNIPPET)
