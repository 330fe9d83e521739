"""The default answerer: spans of the documentation, verbatim, with their sources. It needs no model and no key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from trueref_core.records import Chunk
from trueref_server.answering.passages import Passage, passages
from trueref_server.answering.select import select, telling_sentence
from trueref_server.answering.text import escape, write_all
from trueref_server.documents import section_label
from trueref_server.records import Draft, Evidence, Excerpt, ExcerptBlock, Hit, ReferenceCounts, Source
from trueref_server.retrieval.confidence import verdict_of
from trueref_server.retrieval.rank import own_score
from trueref_server.retrieval.results import page_title
from trueref_server.retrieval.words import stem, stems, telling_words

if TYPE_CHECKING:
    from trueref_core.manifest import Manifest

FURTHER: Final = 4
FURTHER_LESS: Final = 0.15
"""How much less than the best a further section may score to be shown: scores are between 0 and 1."""
QUOTE_MOST: Final = 300
MISSING_MOST: Final = 5

READ_AS: Final = "Read as: {}"
CLOSEST_LINE: Final = "These docs have no direct answer. The closest sections:"
NOT_FOUND_LINE: Final = "This does not seem to be in these docs."
NOT_ASKED_LINE: Final = "Ask with a few words of what you are looking for."


def answer_extractively(evidence: Evidence, manifest: Manifest, note: str = "") -> Draft:
    """An answer made of spans of the evidence, each with its `[n]`.

    Args:
        evidence: What it may rest on.
        manifest: Mints the links of the sources.
        note: What the reader has to know of where it is from; it begins the text.
    """
    shown = _shown(evidence)
    sections = [passages(chunks) for _, chunks in shown]
    sources = tuple(
        _source(evidence, manifest, n, hit, section)
        for n, ((hit, _), section) in enumerate(zip(shown, sections, strict=True), 1)
    )
    verdict = verdict_of(evidence.confidence)
    cards = () if verdict == "not-found" else tuple(_excerpt(evidence, n, section) for n, section in enumerate(sections[:3], 1))
    more = sources[len(cards) :][:3]
    sources = sources[: len(cards)]
    if verdict == "answer":
        text = _answer(evidence, sections)
    elif verdict == "closest":
        text = "\n\n".join([CLOSEST_LINE, _list_of(evidence, sections, 1)])
    else:
        text = _not_found(evidence)
    cited = tuple(source.n for source in sources[:1]) if verdict != "not-found" else ()
    checked = ReferenceCounts(checked=len(sources))
    if verdict == "not-found":
        note = ""
    read_as = evidence.plan.read_as
    text = "\n\n".join(filter(None, (READ_AS.format(escape(read_as)) if read_as else "", note, text)))
    return Draft(text, cards, sources, more, cited, verdict, evidence.confidence, checked, "extractive", note, read_as)


def _excerpt(evidence: Evidence, n: int, section: Sequence[Passage]) -> Excerpt:
    blocks = [
        ExcerptBlock("prose" if p.kind == "prose" else p.kind, (p.header + "\n" if p.header else "") + (" " if p.kind == "prose" else "\n").join(p.parts), "", p.code_language)
        for p in select(evidence.plan, section)
    ]
    telling = telling_sentence(evidence.plan, section)
    at = next((i for i, b in enumerate(blocks) if telling and telling in b.text), None)
    if at is not None:
        start = blocks[at].text.index(telling)
        b = blocks[at]
        blocks[at] = ExcerptBlock(b.kind, b.text, b.caption, b.code_language, (start, start + len(telling)))
    return Excerpt(n, telling, tuple(blocks))


def _shown(evidence: Evidence) -> list[tuple[Hit, tuple[Chunk, ...]]]:
    pairs = [(hit, chunks) for hit, chunks in zip(evidence.hits, evidence.sections, strict=False) if chunks]
    if not pairs:
        return []
    least = pairs[0][0].score - FURTHER_LESS
    return [pairs[0], *[pair for pair in pairs[1:] if own_score(pair[0]) >= least][:FURTHER]]


def _answer(evidence: Evidence, sections: Sequence[Sequence[Passage]]) -> str:
    main = write_all(select(evidence.plan, sections[0]), 1)
    return "\n\n".join(filter(None, (main, _list_of(evidence, sections[1:], 2))))


def _list_of(evidence: Evidence, sections: Sequence[Sequence[Passage]], start: int) -> str:
    lines = ((n, _one_line(telling_sentence(evidence.plan, section))) for n, section in enumerate(sections, start))
    return "\n".join(f"- {line} [{n}]" for n, line in lines if line)


def _one_line(text: str) -> str:
    """A sentence on one line, with what the widget would take for a mark escaped."""
    return escape(" ".join(text.split()))


def _not_found(evidence: Evidence) -> str:
    if not (evidence.plan.words or evidence.plan.identifiers or evidence.plan.releases):
        return NOT_ASKED_LINE
    language = evidence.plan.language
    held = frozenset[str]().union(
        *(stems(chunk.embedded_text, language) for chunks in evidence.sections for chunk in chunks)
    )
    asked = dict.fromkeys(telling_words(evidence.plan.query))
    missing = [word for word in asked if stem(word, language) not in held][:MISSING_MOST]
    if not missing:
        return NOT_FOUND_LINE
    return f"{NOT_FOUND_LINE} The nearest sections do not mention: {', '.join(missing)}."


def _source(evidence: Evidence, manifest: Manifest, n: int, hit: Hit, section: Sequence[Passage]) -> Source:
    href = manifest.href(hit.page, hit.anchor, hit.site)
    chunk = hit.chunk
    quote = telling_sentence(evidence.plan, section)
    return Source(
        n=n,
        title=page_title(manifest, hit),
        section=section_label(manifest, hit),
        breadcrumb=tuple(dict.fromkeys(chunk.breadcrumb)),
        kind=chunk.page_kind,
        page=hit.page,
        anchor=hit.anchor,
        href=href,
        url=manifest.url_of(hit.site, href),
        quote=quote if len(quote) <= QUOTE_MOST else "",
        page_number=chunk.page_number or None,
    )
