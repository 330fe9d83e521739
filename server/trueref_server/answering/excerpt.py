"""Makes the excerpt of a section: a passage with what belongs to it, at most as long as a screen of the panel."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from trueref_core.text.sentences import split_sentences
from trueref_core.text.table_rows import split_table
from trueref_server.answering.announcements import COLONS
from trueref_server.answering.code_part import LEFT_OUT, LINES_MOST, part_of
from trueref_server.answering.passages import Passage
from trueref_server.answering.relevance import Relevance
from trueref_server.answering.section_blocks import items_of
from trueref_server.answering.tab_panels import Panels, asked_panels, is_sibling
from trueref_server.records import ExcerptBlock

WORDS_MOST: Final = 180
"""Words of an excerpt, code not counted: a screen of the panel on a laptop."""

CODE_LINES_MOST: Final = 25
"""Lines of all blocks of code of an excerpt, if there are several: an example of what fails, say, and one of the
remedy. Passages compete with fewer, see `window`."""

FILE_LINES_MOST: Final = 40
"""Lines up to which code is shown whole that its author says to copy: nobody can use a file whose beginning is left
out. Six of 60 judged answers had 30 to 40 lines of code around two that mattered, so that other code is cut."""

BEFORE_MOST: Final = 90
"""Words that are shown before the passage that answers, if it could begin the excerpt itself: half a screen, so that
the answer is still on the first one."""

NOTE_SHARE: Final = 0.5
"""The share of the question from which a footnote is shown behind the passage that answers: it speaks of the same."""

ROWS_MOST: Final = 6
"""Rows of a longer table that are shown: the best one and its neighbours."""

SENTENCE_LEAST: Final = 20
"""Characters under which a sentence tells nothing by itself."""

_IN_THE_AIR: Final = re.compile(
    r"(?:this|that|these|those|it|its|they|them|their|he|she|such|"
    r"the (?:same|former|latter|above|following|previous|resulting|other)|"
    r"examples?:|note that|here|now,|besides|to do so|in the above|"
    r"however|therefore|thus|hence|otherwise|instead|also|then|but|and|or|so|similarly|likewise|alternatively|"
    r"additionally|furthermore|moreover|finally|consequently|conversely|again|still|"
    r"in (?:this|that|these|those|such|both|either|contrast|addition|other words|the same way|each)|"
    r"(?:for|as|by|with|to|from|at|on|of|after|before|unlike|like|because of|due to) (?:this|that|these|those|it|them)|"
    r"(?:for|as) (?:a )?(?:example|instance|result|such|mentioned|above|before)|"
    r"you (?:can|may|could|might|will|should|must|would) (?:also|then|now|still|instead|even|alternatively)|"
    r"we (?:can|may|could|will) (?:also|then|now|still|instead)|"
    r"if (?:so|not|this|that|it|they|these|those)|when (?:this|that|it|they)|once (?:this|that|it|done|you have done)|"
    r"(?:another|a second|a third|one more|the second|the third|the other|the last|next|second|third|lastly)|"
    r"(?:both|either|neither|each) (?:of (?:these|them|which)|approach|method|way|option)s?|"
    r"(?:the |a |an )?`[^`\n]{1,60}` (?:[a-z]{1,20} )?(?:is|are|can|may|will) also)\b(?![.-]\w)",
    re.IGNORECASE,
)
"""How a paragraph begins that goes on from the paragraph before it."""

_TO_COPY: Final = re.compile(
    r"(?:(?<!not )(?<!n't )(?<!n’t )(?<!never )(?<!copy and )\b(?:copy|paste)\b(?:[^.:]|\.(?! )){0,60}"
    r"\b(?:following|contents?|this|these)\b|\bwith (?:the following|these|this) (?:contents?|lines|code)\b|"
    r"\bthe following contents?\b|"
    r"(?:^|[.,;] |\band |\bthen |\bor )(?:create|add|save|put|place|write|name)\b(?:[^.:]|\.(?! )){0,100}"
    r"(?:`[\w./~-]{1,80}\.[a-z]{1,6}`|\ba file\b))(?:[^.:]|\.(?! )){0,100}:\s*\Z",
    re.IGNORECASE,
)
"""How a line ends that introduces a file to be taken as it is: `copy and paste the following contents:`, or `create a
file named ...:`. It names what is done and with what, since `a copy of the list:` introduces none."""

_ITEM_MARK: Final = re.compile(r"^(?:-|\d{1,5}\.) ")


def excerpt(passages: Sequence[Passage], at: int, relevance: Relevance) -> tuple[ExcerptBlock, ...]:
    """The blocks that are shown of a section for one of its passages, in the order of the page.

    The excerpt begins early enough for the passage to be understood, and ends where its thought ends, if that fits on a
    screen. If room is left, what stands before it is shown as well. The sentence, the item, the row or the line that
    decides is marked.

    Args:
        passages: Those of the section.
        at: The number of the passage that answers.
        relevance: Scores a text against the question.
    """
    chosen = [
        (number, block)
        for number, blocks in _named_once(passages, _chosen(passages, at, relevance))
        for block in blocks
    ]
    # One at most: an excerpt is a screen and a file.
    file = _file_to_copy([block for _, block in chosen])
    blocks = [
        block if position == file else _shown(block, relevance, WORDS_MOST if number == at else None)
        for position, (number, block) in enumerate(chosen)
    ]
    return _marked(_without_dangling(_on_screen(_once(blocks), relevance)), relevance)


def _file_to_copy(blocks: Sequence[ExcerptBlock]) -> int | None:
    """The position of the first code that is to be copied whole, as the text right before it says; None if none is."""
    for position, (lead, block) in enumerate(pairwise(blocks), 1):
        lines = sum(bool(line.strip()) for line in block.text.split("\n"))
        if (
            block.kind == "code"
            and lines <= FILE_LINES_MOST
            and lead.kind != "code"
            and _TO_COPY.search(lead.text[-300:])
        ):
            return position
    return None


def _named_once(passages: Sequence[Passage], chosen: Sequence[int]) -> Iterator[tuple[int, tuple[ExcerptBlock, ...]]]:
    """The blocks of passages. Of those of one definition the first one has its term: each could be shown alone."""
    named = ("", "")
    for number in chosen:
        first, *others = (*passages[number].lead, *passages[number].blocks)
        entry = (passages[number].entry, first.caption)
        yield number, (replace(first, caption="") if all(entry) and entry == named else first, *others)
        named = entry if first.caption else (passages[number].entry, named[1])


def _chosen(passages: Sequence[Passage], at: int, relevance: Relevance) -> list[int]:
    """The passages that are shown for one, in order; a footnote stands behind the one that refers to it."""
    panels = asked_panels(passages, relevance.asked)
    referring = passages[at].referring
    if referring is None:
        chosen = _with_before(passages, at, window(passages, at, panels, CODE_LINES_MOST), panels)
        note = _note_that_goes_on(passages, at, relevance)
        return [*chosen, note] if note is not None and _fits(passages, [*chosen, note], CODE_LINES_MOST) else chosen
    chosen = [*_with_before(passages, referring, [referring], panels), at]
    return chosen if _fits(passages, chosen, CODE_LINES_MOST) else [referring, at]


def _note_that_goes_on(passages: Sequence[Passage], at: int, relevance: Relevance) -> int | None:
    """The number of the first footnote of a passage that speaks of what was asked as well; None if none does.

    Such a note has the reason of what the passage says in a word: `not on NFS`, and in the note what is lost there.
    """
    of_passage = (number for number, passage in enumerate(passages) if passage.referring == at)
    return next((number for number in of_passage if relevance.share(passages[number].text) >= NOTE_SHARE), None)


def window(passages: Sequence[Passage], at: int, panels: Panels, lines: int = LINES_MOST) -> list[int]:
    """The numbers of the passages that are shown for a passage of a section, in order.

    Args:
        passages: Those of the section.
        at: The number of the passage that answers.
        panels: Those that are shown of tabs in which the passage does not stand; of others the first one is.
        lines: Lines of code at most, if there are several blocks. Passages compete with fewer than are shown: what
            follows them tells less of them.
    """
    chosen = [at]
    # Back first: 23 of 52 judged answers began in the air (`It ...`, `The same way, ...`), which no room after the
    # passage makes up for (`docs/decisions/extractive-answers.md`).
    for number in range(at - 1, -1, -1):
        if stands(passages, chosen[0]):
            break
        if not is_sibling(passages, number, at, panels):
            if not _fits(passages, [number, *chosen], lines):
                break
            chosen.insert(0, number)
    for number in range(at + 1, len(passages)):
        # Of a list of options the reader asked for one: the next one answers another question, and so does each
        # parameter behind what a function does.
        of_entry = passages[at].entry or passages[number].is_parameter
        if passages[number].begins or (of_entry and passages[number].entry != passages[at].entry):
            break
        if not is_sibling(passages, number, at, panels):
            if not _fits(passages, [*chosen, number], lines):
                break
            chosen.append(number)
    return chosen


def _with_before(passages: Sequence[Passage], at: int, chosen: Sequence[int], panels: Panels) -> list[int]:
    """The passages that are shown, with those before them that the rest of the screen has room for.

    A short section is shown whole, and its last paragraph does not stand without the one that says what it is about.
    """
    # Not in `window`: passages of one section would compete with nearly the same text, and uv and mypy lost three
    # questions (`docs/decisions/answer-errors.md`).
    best = grown = list(chosen)
    for number in range(chosen[0] - 1, -1, -1):
        # An option that stands before is as little asked for as one behind.
        if passages[number + 1].begins or (passages[at].entry and passages[number].entry != passages[at].entry):
            break
        if is_sibling(passages, number, at, panels):
            continue
        grown = [number, *grown]
        words = sum(passages[each].words for each in grown if each < chosen[0])
        if words > BEFORE_MOST or not _fits(passages, grown, CODE_LINES_MOST):
            break
        if stands(passages, number):
            best = grown
    return best


def stands(passages: Sequence[Passage], at: int) -> bool:
    """Whether what is shown may begin with a passage: the title of its section stands above the first one."""
    return at == 0 or passages[at].begins or not begins_in_the_air(passages[at])


def begins_in_the_air(passage: Passage) -> bool:
    """Whether a passage leans on what stands before it."""
    block = passage.blocks[0]
    return block.kind != "code" and not block.caption and _IN_THE_AIR.match(block.text) is not None


def _fits(passages: Sequence[Passage], chosen: Sequence[int], most: int) -> bool:
    """Whether passages fit a screen: their words, and at most so many lines of code if there are several blocks.

    A guide often shows its steps in blocks of one to three lines each: one block alone would cut it off at the first.
    """
    codes = [block.text for number in chosen for block in passages[number].blocks if block.kind == "code"]
    lines = sum(text.count("\n") + 1 for text in codes)
    words = sum(passages[number].words for number in chosen) + sum(len(text.split()) for text in codes[1:])
    return words <= WORDS_MOST and (len(codes) <= 1 or lines <= most)


def _shown(block: ExcerptBlock, relevance: Relevance, most: int | None) -> ExcerptBlock:
    """A block at the length at which it is shown: cut between lines of code, rows, items or sentences."""
    if block.kind == "code":
        return replace(block, text=part_of(block.text, list(map(relevance, block.text.split("\n")))))
    # Only the passage that was chosen is cut; `window` took in only what fits a screen whole.
    if most is None or len(block.text.split()) <= most:
        return block
    if block.kind == "table":
        return replace(block, text=rows_around(block.text, relevance))
    if block.kind == "list":
        units, joint = items_of(block.text), "\n"
    else:
        units, joint = [block.text[start:end] for start, end in split_sentences(block.text)], " "
    shown = _run([len(unit.split()) for unit in units], relevance.best(units), most)
    return replace(block, text=joint.join(units[shown]))


def _once(blocks: Sequence[ExcerptBlock]) -> list[ExcerptBlock]:
    """The blocks without those that repeat an earlier block: an example and what comes of it, say."""
    seen_texts: set[str] = set()
    unrepeated: list[ExcerptBlock] = []
    for block in blocks:
        if block.kind == "code" or block.text not in seen_texts:
            unrepeated.append(block)
        seen_texts.add(block.text)
    return unrepeated


def _without_dangling(blocks: list[ExcerptBlock]) -> list[ExcerptBlock]:
    """The blocks without a last line that announces something for which there is no room."""
    while len(blocks) > 1 and blocks[-1].kind != "code" and blocks[-1].text.endswith(COLONS):
        *others, last = blocks
        whole = _less_its_last(last)
        blocks = [*others, replace(last, text=whole)] if whole else others
    return blocks


def _less_its_last(block: ExcerptBlock) -> str:
    """The text of a block without its last item or sentence."""
    if block.kind == "list":
        return "\n".join(items_of(block.text)[:-1])
    spans = split_sentences(block.text)[:-1]
    return block.text[: spans[-1][1]] if spans else ""


def rows_around(text: str, relevance: Relevance, most: int = ROWS_MOST) -> str:
    """A table with the row that has most of the question and its neighbours, under its header.

    Args:
        text: The table, a line for each row.
        relevance: Of a row to what is asked.
        most: Rows that are kept.
    """
    header, rows = split_table(text)
    best = max(0, relevance.best(rows))
    start = max(0, min(best - min(1, most - 1), len(rows) - most))
    return "\n".join([*header, *rows[start : start + most]])


def _on_screen(blocks: list[ExcerptBlock], relevance: Relevance) -> list[ExcerptBlock]:
    """As many blocks as a screen has room for: long steps are one passage, with all that stands in them.

    Tables lose rows first. A line that announces the next block keeps it: without it the line would say nothing.
    """
    blocks = _with_fewer_rows(blocks, relevance)
    sizes = _screen_words(blocks)
    if sum(sizes) <= WORDS_MOST:
        return blocks
    shown = _run(sizes, relevance.best([block.text for block in blocks]), WORDS_MOST)
    ends: int = shown.stop
    while ends < len(blocks) and blocks[ends - 1].kind != "code" and blocks[ends - 1].text.endswith(COLONS):
        ends += 1
    lead = _lead(blocks[: shown.start])
    fits = sum(_screen_words([*lead, *blocks[shown.start : ends]])) <= WORDS_MOST
    return [*(lead if fits else []), *blocks[shown.start : ends]]


def _lead(before: Sequence[ExcerptBlock]) -> list[ExcerptBlock]:
    """The block that introduces the first one that is shown; if that block is a list, its last item."""
    if not before or before[-1].kind == "code" or not before[-1].text.endswith(COLONS):
        return []
    last = before[-1]
    return [replace(last, text=items_of(last.text)[-1]) if last.kind == "list" else last]


def _screen_words(blocks: Sequence[ExcerptBlock]) -> list[int]:
    """The words that each block takes on the screen; the first block of code has room of its own."""
    first_code = next((number for number, block in enumerate(blocks) if block.kind == "code"), None)
    return [0 if number == first_code else len(block.text.split()) for number, block in enumerate(blocks)]


def _with_fewer_rows(blocks: list[ExcerptBlock], relevance: Relevance) -> list[ExcerptBlock]:
    """The blocks; if a screen has no room for them, with as many rows of their tables as fit, at least one of each."""
    narrowed = blocks
    for most in range(ROWS_MOST, 0, -1):
        if sum(_screen_words(narrowed)) <= WORDS_MOST:
            break
        narrowed = [
            replace(block, text=rows_around(block.text, relevance, most)) if block.kind == "table" else block
            for block in blocks
        ]
    return narrowed


def _run(sizes: Sequence[int], best: int, most: int) -> slice:
    """As many units as fit: from the first, or from the best if that would not be reached."""
    best = max(0, best)
    start = 0 if sum(sizes[: best + 1]) <= most else best
    after = best + 1
    while after < len(sizes) and sum(sizes[start : after + 1]) <= most:
        after += 1
    return slice(start, after)


def _marked(blocks: Sequence[ExcerptBlock], relevance: Relevance) -> tuple[ExcerptBlock, ...]:
    """The blocks with a mark on the part that has most of the question."""
    spans = [(number, span) for number, block in enumerate(blocks) for span in _parts(block)]
    best = relevance.best([blocks[number].text[start:end] for number, (start, end) in spans])
    if best < 0:
        return tuple(blocks)
    number, span = spans[best]
    return tuple(replace(block, highlight=span) if at == number else block for at, block in enumerate(blocks))


def _parts(block: ExcerptBlock) -> Iterator[tuple[int, int]]:
    """The sentences, items, rows or lines of a block, one of which may decide, as first and last character."""
    if block.kind in ("code", "list", "table"):
        header = sum(len(line) + 1 for line in split_table(block.text)[0]) if block.kind == "table" else 0
        at = header
        for line in block.text[header:].split("\n"):
            inner = line.strip()
            if block.kind == "list":
                inner = _ITEM_MARK.sub("", inner, count=1)
            if inner and inner != LEFT_OUT:
                start = at + line.rindex(inner)
                yield start, start + len(inner)
            at += len(line) + 1
    else:
        for start, end in split_sentences(block.text):
            # A sentence with a colon only announces what decides.
            if end - start >= SENTENCE_LEAST and not block.text[start:end].endswith(":"):
                yield start, end
