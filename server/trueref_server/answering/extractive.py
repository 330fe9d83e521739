"""The default answerer: passages of the documentation, verbatim, with their sources. It needs no model and no key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Final

from trueref_core.text.sentences import split_sentences
from trueref_core.text.table_rows import longest_cell, split_row, split_table
from trueref_server.answering.announcements import COLONS
from trueref_server.answering.answer_markdown import escape, write
from trueref_server.answering.choice import Choice, ReadSection, choose, nearest
from trueref_server.answering.excerpt import excerpt
from trueref_server.answering.numbering import Numbering
from trueref_server.answering.passages import passages
from trueref_server.answering.relevance import Relevance
from trueref_server.answering.text_fragments import ITEM
from trueref_server.corpus.words import as_written, is_long, stem, telling_words
from trueref_server.index.published_files import section_label
from trueref_server.ranking.confidence import confidence, verdict_of
from trueref_server.records import (
    Draft,
    Excerpt,
    ExcerptBlock,
    Hit,
    Plan,
    ReferenceCounts,
    SectionAt,
    Source,
    Verdict,
)
from trueref_server.search.results import page_title
from trueref_server.wording import sentences

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest
    from trueref_server.ranking.late_interaction import LateInteraction
    from trueref_server.ranking.signals import WeightedQuestion

SECTIONS_READ: Final = 5
"""Sections whose text is read. An answer shows three cards; the others are there since a section may have no passage
that can be shown."""

CARDS_MOST: Final = 3
"""One card is open, and two more may be opened."""

MORE_MOST: Final = 3
"""Further sections that are named below the cards."""

OPENING_LEAST: Final = 40
"""A card is left out if an earlier card shows its beginning, and if that has so many characters or more. A shorter
beginning may be a name or a step."""

QUOTE_MOST: Final = 300
"""Characters of the longest sentence that a source is quoted with. A longer sentence is not quoted at all."""

MISSING_MOST: Final = 5
MISSING_LENGTH: Final = 40
"""Characters of a word that is named as missing: a longer one is a pasted key or noise, and pushes the nearest sections
off the screen."""


@dataclass(frozen=True, slots=True)
class ReadQuestion:
    """A question, or a part of one, with the passages chosen for it.

    `cards` are the best passage of each section, best first. `confidence` says how likely the first one answers, and
    `verdict` what is said of it.
    """

    question: WeightedQuestion
    cards: Sequence[Choice]
    confidence: float
    verdict: Verdict

    @classmethod
    def of(cls, question: WeightedQuestion, hits: Sequence[Hit], late: LateInteraction | None) -> ReadQuestion:
        """The passages chosen from what was found."""
        # Nothing is read from the index: a hit has the chunks of its section.
        sections = [ReadSection(hit, passages(hit.in_page_order)) for hit in hits[:SECTIONS_READ]]
        choices = choose(question, sections, late)
        if not choices:
            return cls(question, choices, 0.0, "not-found")
        shown = choices[0].candidate
        # Confidence is about the passage that is shown, so it is computed after the choice: a section may be right and
        # its passage wrong.
        likelihood = confidence(question, hits, shown.met, nearest(question, shown))
        return cls(question, choices, likelihood, verdict_of(likelihood, is_read=shown.met is not None))


@dataclass(frozen=True, eq=False)
class Card:
    """A passage that is shown, and what it answers; `repeated` are texts of it that an earlier card shows."""

    read: ReadQuestion
    choice: Choice
    repeated: frozenset[str] = frozenset()

    @property
    def hit(self) -> Hit:
        """The section that the passage is of."""
        return self.choice.candidate.section.hit

    @cached_property
    def blocks(self) -> tuple[ExcerptBlock, ...]:
        """The passage as it is shown."""
        candidate = self.choice.candidate
        shown = excerpt(candidate.section.passages, candidate.at, Relevance.of(self.read.question))
        return tuple(block for block in shown if block.text not in self.repeated)


# This function is long because of its documentation and of the fields of a draft.
def answer_extractively(
    question: WeightedQuestion,
    hits: Sequence[Hit],
    manifest: Manifest,
    late: LateInteraction | None = None,
    note: str = "",
    parts: Sequence[tuple[WeightedQuestion, Sequence[Hit]]] = (),
    numbering: Numbering | None = None,
) -> Draft:
    """An answer made of passages of what was found, each in a card of its own.

    Args:
        question: The question with the weights of its words.
        hits: What was found, best first.
        manifest: Mints the links of the sources.
        late: Reads passages word by word; None if the embedder cannot.
        note: What the reader has to know of where it is from; it begins the text.
        parts: What the question asks besides one another, each with what was found for it alone: see `Plan.asks`.
        numbering: Numbers the sources; None numbers them from 1.
    """
    opened, cards, least = _deal_cards(
        [ReadQuestion.of(*part, late) for part in parts], lambda: ReadQuestion.of(question, hits, late)
    )
    shown = [card.hit for card in cards]
    numbering = numbering or Numbering()
    sources = tuple(numbered_source(numbering, manifest, card.hit, _quote(card.blocks)) for card in cards)
    excerpts = tuple(
        Excerpt(source.n, _telling_line(card.blocks), card.blocks) for source, card in zip(sources, cards, strict=True)
    )
    # A section with a card is not named once more among the links below.
    keys = {hit.address for hit in shown}
    further = [hit for hit in hits if hit.address not in keys][:MORE_MOST]
    titles = [section_label(manifest, hit) or page_title(manifest, hit) for hit in shown[: len(opened)]]
    # A note says that what is shown is from another version or language. If nothing is shown there is none.
    note = note if excerpts else ""
    read_as = _shown_reading(question.plan, is_found=bool(excerpts))
    return Draft(
        text="\n\n".join(_lines(question, excerpts, titles, least.verdict, read_as, note)),
        excerpts=excerpts,
        sources=sources,
        more=tuple(numbered_source(numbering, manifest, hit) for hit in further),
        citations=tuple(card.n for card in excerpts[: len(opened)]),
        verdict=least.verdict,
        confidence=least.confidence,
        references=ReferenceCounts(checked=len(shown) + len(further)),
        mode="extractive",
        note=note,
        read_as=read_as,
        marks=(),
        fallback="",
    )


def _deal_cards(
    parts: Sequence[ReadQuestion], read_whole: Callable[[], ReadQuestion]
) -> tuple[list[Card], list[Card], ReadQuestion]:
    """The open cards; all cards, the open ones first, then the best of other sections; the part that is least sure.

    An answer of several parts is as sure as the part that is least sure.

    Args:
        parts: What the question asks besides one another.
        read_whole: Reads for the question as a whole. It is not called if the parts fill all cards.
    """
    opened = cards = _of_each_part(parts)
    if len(opened) < CARDS_MOST:
        whole = read_whole()
        opened = opened or _of_whole(whole, parts)
        if not opened:
            return [], [], whole
        cards = _of_own_sections([*opened, *(Card(whole, choice) for choice in whole.cards)])
    shown = [*islice(_unrepeated(cards, opened), CARDS_MOST)]
    opened = [card for card in opened if card in shown]
    return opened, shown, min((card.read for card in opened), key=lambda read: read.confidence)


def _of_each_part(parts: Sequence[ReadQuestion]) -> list[Card]:
    """A card for each part, if every part has something near and not all in one section; else none."""
    cards = _of_near_parts(parts)
    return cards if len(cards) > 1 and all(read.cards and read.verdict != "not-found" for read in parts) else []


def _of_near_parts(parts: Sequence[ReadQuestion]) -> list[Card]:
    """The best card of each part that has something near, each section once."""
    return _of_own_sections(Card(read, read.cards[0]) for read in parts if read.cards and read.verdict != "not-found")


def _of_whole(whole: ReadQuestion, parts: Sequence[ReadQuestion]) -> list[Card]:
    """The card of the question as a whole.

    If nothing is near to the whole question, these are the cards of those parts that have something near. Their verdict
    is `closest`, since they answer only a part.
    """
    if whole.verdict == "not-found":
        return [replace(card, read=replace(card.read, verdict="closest")) for card in _of_near_parts(parts)]
    return [Card(whole, choice) for choice in whole.cards[:1]]


def _of_own_sections(cards: Iterable[Card]) -> list[Card]:
    """The cards without those whose section an earlier one has."""
    by_section: dict[SectionAt, Card] = {}
    for card in cards:
        by_section.setdefault(card.hit.address, card)
    return [*by_section.values()]


def _unrepeated(cards: Iterable[Card], opened: Sequence[Card]) -> Iterator[Card]:
    """The cards. Folded cards come without what an earlier card shows: pages often repeat an option, or a note.

    Open cards stay whole, since each of them answers a part of the question.
    """
    shown_texts: list[str] = []
    for card in cards:
        fresh = card if card in opened else _fresh(card, shown_texts)
        if fresh is not None:
            shown_texts += [block.text for block in fresh.blocks]
            yield fresh


def _fresh(card: Card, shown_texts: Sequence[str]) -> Card | None:
    """A card without the blocks that are shown already; None if it begins with one, or says nothing without it."""
    opening = _opening(card.blocks)
    if len(opening) >= OPENING_LEAST and any(opening in text for text in shown_texts):
        return None
    shown_lines = {line for text in shown_texts for line in _long_lines(text)}
    shown_before = [
        block for block in card.blocks if block.kind != "code" and not shown_lines.isdisjoint(_long_lines(block.text))
    ]
    if not shown_before:
        return card
    announced = [after for before, after in pairwise(card.blocks) if before.text.endswith(COLONS)]
    # A block can be left out only if an earlier card shows the whole of it, and nothing in this card announces it.
    # A highlighted block stays: it is why the card is there.
    if any(block.text not in shown_texts or block.highlight or block in announced for block in shown_before):
        return None
    return replace(card, repeated=frozenset(block.text for block in shown_before))


def _long_lines(text: str) -> set[str]:
    """The lines of a text that are long enough for a reader to notice a repetition, without the marks of items."""
    lines = (ITEM.sub("", line.strip()) for line in split_table(text)[1])
    return {line for line in lines if len(line) >= OPENING_LEAST}


def _opening(blocks: Sequence[ExcerptBlock]) -> str:
    """The first sentence, line or row that is shown; all of the code if the first block is code."""
    first = blocks[0]
    if first.kind == "code":
        return first.text
    lines = split_table(first.text)[1]
    line = lines[0] if lines else ""
    return next((line[start:end] for start, end in split_sentences(line)), line)


def _telling_line(blocks: Sequence[ExcerptBlock]) -> str:
    """The part that decides, or else the first line: on one line, a row as its cells, without a colon at the end.

    Neither a line of code nor the header of a table tells a reader what the card says: the first sentence that is shown
    takes the place of the one, and the first row that of the other, if there are any.
    """
    marked = next((block for block in blocks if block.highlight is not None), None)
    opening = "" if blocks[0].kind == "code" else " ".join(_opening(blocks).split())
    if marked is not None and marked.kind == "code" and opening:
        marked, line = blocks[0], opening
    elif marked is not None and marked.highlight is not None:
        line = " ".join(marked.text[slice(*marked.highlight)].split())
    else:
        marked = next((block for block in blocks if block.kind != "code"), blocks[0])
        lines = split_table(marked.text)[1] or marked.text.split("\n")
        line = next(filter(None, (each.strip() for each in lines)), "")
    if marked.kind == "table":
        line = " – ".join(filter(None, split_row(line)))
    return line.rstrip(":：")


def _quote(blocks: Sequence[ExcerptBlock]) -> str:
    """The sentence that decides, or the longest cell of the row: what a reader may search for on the page."""
    marked = next((block for block in blocks if block.highlight and block.kind != "code"), None)
    quote = marked.text[slice(*marked.highlight)] if marked and marked.highlight else ""
    if marked and marked.kind == "table":
        quote = longest_cell(quote)
    # Whole or not at all: `attribution` finds the quote again by its characters, and makes its text fragment of them.
    return quote if len(quote) <= QUOTE_MOST else ""


def _lines(
    question: WeightedQuestion,
    excerpts: Sequence[Excerpt],
    titles: Sequence[str],
    verdict: Verdict,
    read_as: str,
    note: str,
) -> Iterator[str]:
    """The paragraphs of the text; `titles` are those of the cards that are open."""
    wording = sentences(question.plan.language)
    # That there is nothing is said before how the question was read: nobody looks for it further down.
    if not excerpts:
        yield _not_found(question, wording)
    if read_as:
        yield wording["read_as"].format(text=escape(read_as))
    if note:
        yield note
    if not excerpts:
        return
    if verdict == "closest":
        yield wording["closest"]
    for title, card in zip(titles, excerpts, strict=False):
        if len(titles) > 1:
            # What stands behind the last number of a card would read as part of the next one.
            yield f"**{escape(title)}** [{card.n}]"
        yield write(card.blocks, card.n)


def _not_found(question: WeightedQuestion, wording: Mapping[str, str]) -> str:
    """That these docs have no answer, with the words that no page has; or that nothing was asked."""
    plan = question.plan
    if not (plan.words or plan.identifiers or plan.releases):
        return wording["not_asked"]
    missing = _missing(question)[:MISSING_MOST]
    named = wording["missing_words"].format(words=", ".join(missing)) if missing else ""
    return " ".join(filter(None, (wording["not_found"], named)))


def _missing(question: WeightedQuestion) -> list[str]:
    """The telling words of the question that no page has, as they were typed: none of the conversation before it."""
    language, section_counts = question.plan.language, question.statistics.section_counts
    # A refusal names nothing of the conversation: the reader did not type it now.
    own_terms = question.terms(language).keys() - question.carried(language)
    missing: dict[str, str] = {}
    for typed in as_written(question.plan.question.text):
        for word in telling_words(typed, language):
            is_named = is_long(word) and len(typed) <= MISSING_LENGTH
            if is_named and stem(word, language) in own_terms and not section_counts.get(stem(word, language)):
                missing.setdefault(word, typed)
    return list(missing.values())


def _shown_reading(plan: Plan, *, is_found: bool) -> str:
    """How a question was read, for its reader; of a refusal only what was typed and repaired."""
    if is_found or not (plan.carried or plan.topic):
        return plan.read_as
    return plan.parts[0] if plan.repaired else ""


def numbered_source(numbering: Numbering, manifest: Manifest, hit: Hit, quote: str = "") -> Source:
    """A section as a source under its number in this conversation, with addresses that the manifest mints."""
    href = manifest.href(hit.page, hit.anchor, hit.site)
    chunk = hit.chunk
    return Source(
        n=numbering.of(hit.address, href),
        title=page_title(manifest, hit),
        section=section_label(manifest, hit),
        breadcrumb=tuple(dict.fromkeys(chunk.breadcrumb)),
        kind=chunk.page_kind,
        page=hit.page,
        anchor=hit.anchor,
        href=href,
        url=manifest.url_of(hit.site, href),
        quote=quote,
        page_number=chunk.page_number or None,
    )
