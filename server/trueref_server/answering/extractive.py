"""The default answerer: passages of the documentation, verbatim, with their sources. It needs no model and no key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Final

from trueref_core.text.table_rows import split_table
from trueref_server.answering.answer_markdown import escape, write
from trueref_server.answering.answered_parts import AnsweredPart, about_compared, telling_difference
from trueref_server.answering.candidates import ScoredPassage
from trueref_server.answering.captions import caption_of, opening, quote_of
from trueref_server.answering.excerpts.excerpt import MAX_WORDS, excerpt
from trueref_server.answering.excerpts.relevance import Relevance
from trueref_server.answering.numbering import Numbering
from trueref_server.answering.sections.announcements import COLONS
from trueref_server.answering.sections.section_blocks import is_furniture
from trueref_server.answering.text_fragments import ITEM
from trueref_server.corpus.words import absence_matters, as_written_in_spaces, content_words, stem
from trueref_server.index.published_files import section_label
from trueref_server.ranking.defined import is_titled_by_thing
from trueref_server.ranking.part_similarity import part_similarities
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
    from trueref_server.answering.passage_comparison import PassageComparison
    from trueref_server.ranking.weighted_question import WeightedQuestion

MAX_CARDS: Final = 3
"""The most cards of an answer. One card is open, or one for each part of the question. Readers can open the others."""

MAX_MORE: Final = 3
"""The most further sections that are listed below the cards."""

MIN_OPENING: Final = 40
"""A card is left out if an earlier card shows its beginning, and if the beginning has at least this many characters. A
shorter beginning may be a name or a step."""

MAX_MISSING: Final = 5
MISSING_LENGTH: Final = 40
"""The most words that are named as missing, and the most characters of each: a longer word is a pasted key or noise,
and pushes the nearest sections off the screen."""


@dataclass(frozen=True, eq=False)
class Card:
    """A passage that is shown, and the question that it answers.

    `room` is the most words that are shown, and `repeated` has texts that an earlier card shows.
    """

    part: AnsweredPart
    choice: ScoredPassage
    is_open: bool = False
    room: int = MAX_WORDS
    repeated: frozenset[str] = frozenset()

    @property
    def hit(self) -> Hit:
        """The section of the passage."""
        return self.choice.candidate.section.hit

    @cached_property
    def blocks(self) -> tuple[ExcerptBlock, ...]:
        """The passage as it is shown."""
        candidate = self.choice.candidate
        # On folded cards words decide: there meaning finds the part that decides no more often.
        similarities = self._similarities if self.is_open else None
        word = self.part.question.plan.unknown_word
        is_title = bool(word) and candidate.number == 0 and is_titled_by_thing(word, self.hit.in_page_order[0])
        relevance = replace(Relevance.of(self.part.question), is_title_asked=is_title)
        shown = excerpt(
            candidate.section.passages,
            candidate.number,
            relevance,
            similarities,
            self.room,
            is_entry_asked=self.part.asks_for_entry(self.choice),
        )
        return tuple(block for block in shown if block.text not in self.repeated)

    def _similarities(self, parts: Sequence[str]) -> list[float] | None:
        """How similar parts of the excerpt are to the question; None if they cannot be compared."""
        plan = self.part.question.plan
        return part_similarities(plan.query, plan.language, parts) if self.part.compares_meaning else None


# This function is long because of its documentation and of the fields of a draft.
def answer_extractively(
    question: WeightedQuestion,
    hits: Sequence[Hit],
    manifest: Manifest,
    comparison: PassageComparison | None = None,
    note: str = "",
    parts: Sequence[tuple[WeightedQuestion, Sequence[Hit]]] = (),
    numbering: Numbering | None = None,
) -> tuple[Draft, Numbering]:
    """An answer made of passages of the hits, each in a card of its own, and the numbers of its sources.

    Args:
        question: The question with the weights of its words.
        hits: The sections that were found, best first.
        manifest: Mints the links of the sources.
        comparison: Compares passages word by word; None if the embedder cannot.
        note: A line for the reader if the answer is from another version or language; the text begins with it.
        parts: The several things that the question asks, each with the hits for it alone: see `Plan.asks`.
        numbering: The numbers that the conversation has given; None for a first question.
    """
    opened, cards, least_sure = _choose_cards(*_parts_and_whole(question, hits, comparison, parts))
    shown_hits = [card.hit for card in cards]
    # A section with a card is not named once more among the links below. The top of a page may have the same title, and
    # nothing but links to other pages.
    shown_sections = {hit.address for hit in shown_hits}
    others = (hit for hit in hits if hit.address not in shown_sections and not is_furniture(hit.chunks))
    further_hits = [*islice(others, MAX_MORE)]
    numbering = (numbering or Numbering()).including(addresses_of([*shown_hits, *further_hits], manifest))
    sources = tuple(source_of(card.hit, manifest, numbering, quote_of(card.blocks)) for card in cards)
    excerpts = tuple(
        Excerpt(source.n, caption_of(card.blocks), card.blocks) for source, card in zip(sources, cards, strict=True)
    )
    titles = [section_label(manifest, hit) or page_title(manifest, hit) for hit in shown_hits[: len(opened)]]
    # The note says that the cards are from another version or language: without cards there is no note.
    note = note if excerpts else ""
    read_as = _shown_reading(question.plan, is_found=bool(excerpts))
    draft = Draft(
        text="\n\n".join(_paragraphs(question, excerpts, titles, least_sure.verdict, read_as, note)),
        excerpts=excerpts,
        sources=sources,
        more=tuple(source_of(hit, manifest, numbering) for hit in further_hits),
        citations=tuple(card.n for card in excerpts[: len(opened)]),
        verdict=least_sure.verdict,
        confidence=least_sure.confidence,
        references=ReferenceCounts(checked=len(shown_hits) + len(further_hits)),
        mode="extractive",
        note=note,
        read_as=read_as,
        marks=(),
        fallback="",
    )
    return draft, numbering


def _parts_and_whole(
    question: WeightedQuestion,
    hits: Sequence[Hit],
    comparison: PassageComparison | None,
    parts: Sequence[tuple[WeightedQuestion, Sequence[Hit]]],
) -> tuple[list[AnsweredPart], Callable[[], AnsweredPart]]:
    """The answered parts of a question, and what chooses passages for the whole of it: see `_choose_cards`."""
    if not question.plan.compared or question.plan.asks:
        return [AnsweredPart.of(*part, comparison) for part in parts], lambda: AnsweredPart.of(
            question, hits, comparison
        )
    whole = AnsweredPart.of(question, hits, comparison)
    told = telling_difference(whole, hits)
    return ([], lambda: told) if told is not None else (about_compared(parts, comparison), lambda: whole)


def _choose_cards(
    parts: Sequence[AnsweredPart], answer_whole: Callable[[], AnsweredPart]
) -> tuple[list[Card], list[Card], AnsweredPart]:
    """Choose the open cards, all cards with the open ones first, and the part with the least confidence.

    The confidence of an answer of several parts is that of the part with the least confidence.

    Args:
        parts: The several things that the question asks.
        answer_whole: Chooses passages for the whole question. It is not called if the parts fill all cards.
    """
    opened = cards = _cards_of_all_parts(parts)
    if len(opened) < MAX_CARDS:
        whole = answer_whole()
        opened = opened or _card_of_whole(whole, parts)
        if not opened:
            return [], [], whole
        cards = _one_for_each_section([*opened, *(Card(whole, choice) for choice in whole.cards)])
    shown = [*islice(_without_repetitions(cards, opened), MAX_CARDS)]
    opened = [card for card in opened if card in shown]
    return opened, shown, min((card.part for card in opened), key=lambda part: part.confidence)


def _cards_of_all_parts(parts: Sequence[AnsweredPart]) -> list[Card]:
    """A card for each part, if every part has a near section and these are at least two; else none."""
    cards = _cards_of_near_parts(parts)
    return cards if len(cards) > 1 and all(part.cards and part.verdict != "not-found" for part in parts) else []


def _cards_of_near_parts(parts: Sequence[AnsweredPart]) -> list[Card]:
    """The best card of each part that has a near section, each section once. The cards share the room of one."""
    cards = _one_for_each_section(
        Card(part, part.cards[0], is_open=True) for part in parts if part.cards and part.verdict != "not-found"
    )
    # Whoever asks two things would otherwise have the second answer below the screen.
    return [replace(card, room=MAX_WORDS // len(cards)) for card in cards]


def _card_of_whole(whole: AnsweredPart, parts: Sequence[AnsweredPart]) -> list[Card]:
    """The card of the question as a whole.

    If no section is near to the whole question, these are the cards of the parts that have a near section. Their
    verdict is `closest`, since they answer only a part.
    """
    if whole.verdict == "not-found":
        return [replace(card, part=replace(card.part, verdict="closest")) for card in _cards_of_near_parts(parts)]
    return [Card(whole, choice, is_open=True) for choice in whole.cards[:1]]


def _one_for_each_section(cards: Iterable[Card]) -> list[Card]:
    """The cards without those whose section an earlier card has."""
    by_section: dict[SectionAt, Card] = {}
    for card in cards:
        by_section.setdefault(card.hit.address, card)
    return [*by_section.values()]


def _without_repetitions(cards: Iterable[Card], opened: Sequence[Card]) -> Iterator[Card]:
    """The cards, folded ones without what an earlier card shows: pages often repeat an option, or a note.

    Open cards stay whole, since each of them answers a part of the question. Folded ones that show nothing but the
    title of their section are left out: nobody has described such an attribute.
    """
    shown_texts: list[str] = []
    for card in cards:
        is_open = card in opened
        if not is_open and all(_plain(block.text) == _plain(card.hit.chunk.title) for block in card.blocks):
            continue
        remaining_card = card if is_open else _without_shown_blocks(card, shown_texts)
        if remaining_card is not None:
            shown_texts += [block.text for block in remaining_card.blocks]
            yield remaining_card


def _plain(text: str) -> str:
    """A text without backticks, which only some pages have around a name in a title."""
    return text.replace("`", "")


def _without_shown_blocks(card: Card, shown_texts: Sequence[str]) -> Card | None:
    """A card without the blocks that an earlier card shows.

    The result is None if the card begins with what an earlier card shows, or if such a block cannot be left out.
    """
    beginning = opening(card.blocks)
    if len(beginning) >= MIN_OPENING and any(beginning in text for text in shown_texts):
        return None
    shown_lines = {line for text in shown_texts for line in _long_lines(text)}
    shown_before = [
        block for block in card.blocks if block.kind != "code" and not shown_lines.isdisjoint(_long_lines(block.text))
    ]
    if not shown_before:
        return card
    announced_blocks = [after for before, after in pairwise(card.blocks) if before.text.endswith(COLONS)]
    # A block can be left out only if an earlier card shows the whole of it, and nothing in this card announces it.
    # A highlighted block stays: it is why the card is there.
    if any(block.text not in shown_texts or block.highlight or block in announced_blocks for block in shown_before):
        return None
    return replace(card, repeated=frozenset(block.text for block in shown_before))


def _long_lines(text: str) -> set[str]:
    """The lines of a text, without marks of lists, that are long enough for a reader to notice a repetition."""
    lines = (ITEM.sub("", line.strip()) for line in split_table(text)[1])
    return {line for line in lines if len(line) >= MIN_OPENING}


def _paragraphs(
    question: WeightedQuestion,
    excerpts: Sequence[Excerpt],
    titles: Sequence[str],
    verdict: Verdict,
    read_as: str,
    note: str,
) -> Iterator[str]:
    """The paragraphs of the answer's text; `titles` are those of the open cards."""
    wording = sentences(question.plan.language)
    # The sentence that nothing was found comes first, before the line that says how the question was read: nobody would
    # look for it further down.
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
            # Titles have the number too: text after the last number of a card would read as part of the next card.
            yield f"**{escape(title)}** [{card.n}]"
        yield write(card.blocks, card.n)


def _not_found(question: WeightedQuestion, wording: Mapping[str, str]) -> str:
    """The sentence that these docs have no answer, with the words that no page has; or that nothing was asked."""
    plan = question.plan
    if not (plan.words or plan.identifiers or plan.releases or plan.usual_topic):
        return wording["not_asked"]
    missing = _missing(question)[:MAX_MISSING]
    named = wording["missing_words"].format(words=", ".join(missing)) if missing else ""
    return " ".join(filter(None, (wording["not_found"], named)))


def _missing(question: WeightedQuestion) -> list[str]:
    """The content words of the question that no page has, as they were typed, without words of the conversation."""
    language, section_counts = question.plan.language, question.statistics.section_counts
    # A refusal names nothing of the conversation: the reader did not type it now.
    own_terms = question.terms(language).keys() - question.carried(language)
    missing: dict[str, str] = {}
    # Of a script without spaces no word is named, since it is not known where one ends.
    for typed in as_written_in_spaces(question.plan.question.text):
        for word in content_words(typed, language):
            may_be_named = absence_matters(word) and len(typed) <= MISSING_LENGTH
            if may_be_named and stem(word, language) in own_terms and not section_counts.get(stem(word, language)):
                missing.setdefault(word, typed)
    return list(missing.values())


def _shown_reading(plan: Plan, *, is_found: bool) -> str:
    """How a question was read, for its reader; if nothing was found, only the question with its repairs."""
    if is_found or not (plan.carried or plan.topic):
        return plan.read_as
    return plan.parts[0] if plan.repaired else ""


def addresses_of(hits: Iterable[Hit], manifest: Manifest) -> Iterator[tuple[SectionAt, str]]:
    """The section of each hit with the address that the manifest mints for it, as `Numbering` takes them."""
    return ((hit.address, manifest.href(hit.page, hit.anchor, hit.site)) for hit in hits)


def source_of(hit: Hit, manifest: Manifest, numbering: Numbering, quote: str = "") -> Source:
    """A section as a source under its number in this conversation, with addresses that the manifest mints."""
    href = manifest.href(hit.page, hit.anchor, hit.site)
    chunk = hit.chunk
    return Source(
        n=numbering.numbers[hit.address],
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
        language=chunk.language,
    )
