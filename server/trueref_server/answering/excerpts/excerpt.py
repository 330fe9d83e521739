"""Makes the excerpt of a section: a passage with what belongs to it, not longer than a screen of the panel."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from trueref_core.text.sentences import split_sentences
from trueref_core.text.table_rows import split_table
from trueref_server.answering.excerpts.beginnings import may_begin, refers_to_example
from trueref_server.answering.excerpts.code_excerpt import MAX_LINES, part_of
from trueref_server.answering.excerpts.marking import ITEM_MARK, Similarities, marked
from trueref_server.answering.excerpts.relevance import Relevance
from trueref_server.answering.excerpts.tab_panels import SectionPanels, asked_panels, is_in_hidden_panel
from trueref_server.answering.sections.announcements import COLONS
from trueref_server.answering.sections.passages import Passage
from trueref_server.answering.sections.section_blocks import items_of
from trueref_server.records import ExcerptBlock

MAX_WORDS: Final = 180
"""The most words of an excerpt, not counting code: a screen of the panel on a laptop."""

MAX_CODE_LINES: Final = 25
"""The most lines of all blocks of code of an excerpt together, if there are several: for example, code that fails and
code that works. Passages compete with fewer lines: see `window`."""

MAX_EXAMPLE_LINES: Final = 45
"""The most lines of all blocks of code, before each is shortened, if the text after the first block refers to it."""

MAX_FILE_LINES: Final = 40
"""Code that its author says to copy is shown whole up to this many lines: nobody can use a file whose beginning is left
out. Other code is cut, since six of 60 judged answers had 30 to 40 lines of code around two lines that mattered."""

MAX_BEFORE: Final = 90
"""The most words that are shown before the passage that answers, if that passage could begin the excerpt itself: half a
screen, so that the answer is still on the first screen."""

NOTE_SHARE: Final = 0.5
"""A footnote with this share of the question's words is shown after the passage that answers: it is about the same."""

MAX_ROWS: Final = 6
"""The most rows that are shown of a table that is too long: the best row and its neighbours."""

_TO_COPY: Final = re.compile(
    r"(?:(?<!not )(?<!n't )(?<!n’t )(?<!never )(?<!copy and )\b(?:copy|paste)\b(?:[^.:]|\.(?! )){0,60}"
    r"\b(?:following|contents?|this|these)\b|\bwith (?:the following|these|this) (?:contents?|lines|code)\b|"
    r"\bthe following contents?\b|"
    r"(?:^|[.,;] |\band |\bthen |\bor )(?:create|add|save|put|place|write|name)\b(?:[^.:]|\.(?! )){0,100}"
    r"(?:`[\w./~-]{1,80}\.[a-z]{1,6}`|\ba file\b))(?:[^.:]|\.(?! )){0,100}:\s*\Z",
    re.IGNORECASE,
)
"""The end of a line that introduces a file to be copied as it is: `copy and paste the following contents:`, or `create
a file named ...:`. It says both what to do and with what, since `a copy of the list:` introduces no file."""


def excerpt(
    passages: Sequence[Passage],
    answer_number: int,
    relevance: Relevance,
    similarities: Similarities | None = None,
    room: int = MAX_WORDS,
) -> tuple[ExcerptBlock, ...]:
    """The blocks of a section that are shown for one of its passages, in the order of the page.

    The excerpt begins early enough for the passage to be understood, and ends where its thought ends, if that fits on a
    screen. If the screen still has room, the passages before it are shown as well. The sentence, item, row or line that
    decides is marked: see `marking`.

    Args:
        passages: The passages of the section.
        answer_number: The number of the passage that answers.
        relevance: Scores a text against the question.
        similarities: Compares parts of the excerpt with the question; None if words decide what is marked.
        room: The most words.
    """
    room = _room_to_begin(passages, answer_number, relevance, room)
    shown_passages = _shown_passages(passages, answer_number, relevance, room)
    numbered_blocks = [
        (number, block) for number, blocks in _with_term_once(passages, shown_passages) for block in blocks
    ]
    # One file at most: an excerpt is a screen of text and a file.
    file_position = _file_to_copy([block for _, block in numbered_blocks])
    blocks = [
        block if position == file_position else _shown(block, relevance, room if number == answer_number else None)
        for position, (number, block) in enumerate(numbered_blocks)
    ]
    fitting_blocks = _on_screen(_without_repetitions(blocks), relevance, room)
    return marked(_without_dangling(fitting_blocks), relevance, similarities)


def _room_to_begin(passages: Sequence[Passage], answer_number: int, relevance: Relevance, room: int) -> int:
    """The most words of an excerpt, raised so that it begins where its passage is understood, to a screen at most."""
    if room >= MAX_WORDS:
        return room
    numbers = window(passages, answer_number, asked_panels(passages, relevance.asked))
    before = sum(passages[number].words for number in numbers if number < answer_number)
    return min(MAX_WORDS, max(room, before + min(passages[answer_number].words, room))) if before else room


def _file_to_copy(blocks: Sequence[ExcerptBlock]) -> int | None:
    """The position of the first code that is to be copied whole, as the text right before it says; None if none is."""
    for position, (block_before, block) in enumerate(pairwise(blocks), 1):
        lines = sum(bool(line.strip()) for line in block.text.split("\n"))
        if (
            block.kind == "code"
            and lines <= MAX_FILE_LINES
            and block_before.kind != "code"
            and _TO_COPY.search(block_before.text[-300:])
        ):
            return position
    return None


def _with_term_once(
    passages: Sequence[Passage], numbers: Sequence[int]
) -> Iterator[tuple[int, tuple[ExcerptBlock, ...]]]:
    """The blocks of each passage. Every passage of a definition has its term; here only the first of them keeps it."""
    shown_entry = ("", "")
    for number in numbers:
        first, *others = (*passages[number].lead, *passages[number].blocks)
        entry = (passages[number].entry, first.caption)
        yield number, (replace(first, caption="") if all(entry) and entry == shown_entry else first, *others)
        shown_entry = entry if first.caption else (passages[number].entry, shown_entry[1])


def _shown_passages(passages: Sequence[Passage], answer_number: int, relevance: Relevance, room: int) -> list[int]:
    """The numbers of the passages that are shown, in order; a footnote comes after the passage that refers to it."""
    panels = asked_panels(passages, relevance.asked)
    referring = passages[answer_number].referring
    if referring is None:
        fitting_numbers = window(passages, answer_number, panels, MAX_CODE_LINES, room)
        numbers = _with_before(passages, answer_number, fitting_numbers, panels, room)
        numbers = _with_example(passages, answer_number, numbers, panels, room)
        note = _relevant_note(passages, answer_number, relevance)
        has_room = note is not None and _fits(passages, [*numbers, note], MAX_CODE_LINES, room)
        return [*numbers, note] if note is not None and has_room else numbers
    numbers = [*_with_before(passages, referring, [referring], panels, room), answer_number]
    return numbers if _fits(passages, numbers, MAX_CODE_LINES, room) else [referring, answer_number]


def _relevant_note(passages: Sequence[Passage], answer_number: int, relevance: Relevance) -> int | None:
    """The number of the first footnote of a passage that is about the question as well; None if there is none.

    Such a note explains what the passage says briefly: the passage says `not on NFS`, and the note what is lost there.
    """
    note_numbers = (number for number, passage in enumerate(passages) if passage.referring == answer_number)
    return next((number for number in note_numbers if relevance.share(passages[number].text) >= NOTE_SHARE), None)


def window(
    passages: Sequence[Passage],
    answer_number: int,
    panels: SectionPanels,
    lines: int = MAX_LINES,
    room: int = MAX_WORDS,
) -> list[int]:
    """The numbers of the passages that are shown for a passage of a section, in order.

    Args:
        passages: The passages of the section.
        answer_number: The number of the passage that answers.
        panels: Tell which panel is shown of tabs that the passage is not in.
        lines: The most lines of code, if there are several blocks. Passages compete with fewer lines than are shown:
            the text after a passage tells less about it.
        room: The most words.
    """
    numbers = [answer_number]
    # First backwards: 23 of 52 judged answers began in the middle of a thought (`It ...`, `The same way, ...`), and no
    # text after the passage makes up for that (`docs/decisions/extractive-answers.md`).
    for number in range(answer_number - 1, -1, -1):
        if may_begin(passages, numbers[0]):
            break
        if not is_in_hidden_panel(passages, number, answer_number, panels):
            if not _fits(passages, [number, *numbers], lines, room):
                break
            numbers.insert(0, number)
    for number in range(answer_number + 1, len(passages)):
        # The reader asked for one option of a list: the next option answers another question, and so does a parameter
        # after the description of its function.
        must_share_entry = passages[answer_number].entry or passages[number].is_parameter
        if passages[number].begins or (must_share_entry and passages[number].entry != passages[answer_number].entry):
            break
        if not is_in_hidden_panel(passages, number, answer_number, panels):
            if not _fits(passages, [*numbers, number], lines, room):
                break
            numbers.append(number)
    return numbers


def _with_before(
    passages: Sequence[Passage], answer_number: int, chosen: Sequence[int], panels: SectionPanels, room: int
) -> list[int]:
    """The numbers of the passages that are shown, with those before them for which the screen still has room.

    So a short section is shown whole, and its last paragraph comes with the one that says what it is about.
    """
    # Not done in `window`: passages of one section would compete with nearly the same text, and on the sites of uv and
    # mypy three questions lost their answer (`docs/decisions/answer-errors.md`).
    best = extended = list(chosen)
    for number in range(chosen[0] - 1, -1, -1):
        # An option before the passage is as little asked for as one after it.
        if passages[number + 1].begins or (
            passages[answer_number].entry and passages[number].entry != passages[answer_number].entry
        ):
            break
        if is_in_hidden_panel(passages, number, answer_number, panels):
            continue
        extended = [number, *extended]
        words = sum(passages[each].words for each in extended if each < chosen[0])
        if words > MAX_BEFORE or not _fits(passages, extended, MAX_CODE_LINES, room):
            break
        if may_begin(passages, number):
            best = extended
    return best


def _with_example(
    passages: Sequence[Passage], answer_number: int, chosen: Sequence[int], panels: SectionPanels, room: int
) -> list[int]:
    """The numbers of the passages that are shown, with the example before them that the first of them refers to.

    Without it nobody understands `So in the above example ...`, and often it is the answer. If there is no room for
    all, what stands after the passage that answers is left out.
    """
    if not refers_to_example(passages[chosen[0]]):
        return list(chosen)
    example = _example_before(passages, answer_number, chosen[0], panels)
    if example is None:
        return list(chosen)
    for stop in range(len(chosen), chosen.index(answer_number), -1):
        if _fits(passages, [example, *chosen[:stop]], MAX_EXAMPLE_LINES, room):
            return [example, *chosen[:stop]]
    return list(chosen)


def _example_before(passages: Sequence[Passage], answer_number: int, number: int, panels: SectionPanels) -> int | None:
    """The number of the example right before a passage, under the same heading; None if there is none to begin with.

    Admonitions in between are about something else, and hidden panels of tabs are not shown.
    """
    for before in range(number - 1, -1, -1):
        if passages[before + 1].begins:
            return None
        if passages[before].kind != "admonition" and not is_in_hidden_panel(passages, before, answer_number, panels):
            return before if passages[before].kind == "code" and may_begin(passages, before) else None
    return None


def _fits(passages: Sequence[Passage], chosen: Sequence[int], most_lines: int, room: int) -> bool:
    """Whether passages fit into `room` words, and into `most_lines` lines of code if there are several blocks of it.

    A guide often shows its steps in blocks of one to three lines each: if only one block fitted, it would end at the
    first.
    """
    codes = [block.text for number in chosen for block in passages[number].blocks if block.kind == "code"]
    lines = sum(text.count("\n") + 1 for text in codes)
    words = sum(passages[number].words for number in chosen) + sum(len(text.split()) for text in codes[1:])
    return words <= room and (len(codes) <= 1 or lines <= most_lines)


def _shown(block: ExcerptBlock, relevance: Relevance, most: int | None) -> ExcerptBlock:
    """A block at the length at which it is shown: cut between lines of code, rows, items or sentences."""
    if block.kind == "code":
        return replace(block, text=part_of(block.text, list(map(relevance, block.text.split("\n")))))
    # Only the passage that answers is cut: `window` added only passages that fit a screen whole.
    if most is None or len(block.text.split()) <= most:
        return block
    if block.kind == "table":
        return replace(block, text=rows_around(block.text, relevance))
    if block.kind == "list":
        units, separator = items_of(block.text), "\n"
    else:
        units, separator = [block.text[start:end] for start, end in split_sentences(block.text)], " "
    fitting_units = _units_that_fit([len(unit.split()) for unit in units], relevance.best(units), most)
    return replace(block, text=separator.join(units[fitting_units]))


def _without_repetitions(blocks: Sequence[ExcerptBlock]) -> list[ExcerptBlock]:
    """The blocks without those that repeat an earlier one. Code stays: an example and its result may be equal."""
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
        *others, last_block = blocks
        remaining_text = _without_last_part(last_block)
        blocks = [*others, replace(last_block, text=remaining_text)] if remaining_text else others
    return blocks


def _without_last_part(block: ExcerptBlock) -> str:
    """The text of a block without its last item or sentence."""
    if block.kind == "list":
        return "\n".join(items_of(block.text)[:-1])
    spans = split_sentences(block.text)[:-1]
    return block.text[: spans[-1][1]] if spans else ""


def rows_around(text: str, relevance: Relevance, most: int = MAX_ROWS) -> str:
    """A table with the row that has most of the question and its neighbours, under its header.

    Args:
        text: The table, a line for each row.
        relevance: Scores a row against the question.
        most: Rows that are kept.
    """
    header, rows = split_table(text)
    best = max(0, relevance.best(rows))
    start = max(0, min(best - min(1, most - 1), len(rows) - most))
    return "\n".join([*header, *rows[start : start + most]])


def _on_screen(blocks: list[ExcerptBlock], relevance: Relevance, room: int) -> list[ExcerptBlock]:
    """As many blocks as fit into `room` words: a passage of long steps may have more.

    Tables lose rows first. A line that announces the next block keeps it: without it the line would say nothing.
    """
    blocks = _with_fewer_rows(blocks, relevance, room)
    sizes = _screen_words(blocks)
    if sum(sizes) <= room:
        return blocks
    fitting_blocks = _units_that_fit(sizes, relevance.best([block.text for block in blocks]), room)
    stop: int = fitting_blocks.stop
    while stop < len(blocks) and blocks[stop - 1].kind != "code" and blocks[stop - 1].text.endswith(COLONS):
        stop += 1
    lead = _lead(blocks[: fitting_blocks.start])
    shown = blocks[fitting_blocks.start : stop]
    if lead and sum(_screen_words([*lead, *shown])) <= room:
        return [*lead, *shown]
    return [_without_torn_item(shown[0], relevance), *shown[1:]] if fitting_blocks.start else shown


def _without_torn_item(block: ExcerptBlock, relevance: Relevance) -> ExcerptBlock:
    """A list without the end of an item that began before code, if the part that answers is in a later item.

    In a list of questions, the end of one answer would seem to belong to the question below it.
    """
    items = items_of(block.text) if block.kind == "list" else []
    is_torn = bool(items) and ITEM_MARK.match(items[0]) is None
    return replace(block, text="\n".join(items[1:])) if is_torn and relevance.best(items) > 0 else block


def _lead(before: Sequence[ExcerptBlock]) -> list[ExcerptBlock]:
    """The block that introduces the first block that is shown; of a list only its last item."""
    if not before or before[-1].kind == "code" or not before[-1].text.endswith(COLONS):
        return []
    last_block = before[-1]
    return [replace(last_block, text=items_of(last_block.text)[-1]) if last_block.kind == "list" else last_block]


def _screen_words(blocks: Sequence[ExcerptBlock]) -> list[int]:
    """The words that each block takes on the screen; the first block of code has room of its own."""
    first_code = next((number for number, block in enumerate(blocks) if block.kind == "code"), None)
    return [0 if number == first_code else len(block.text.split()) for number, block in enumerate(blocks)]


def _with_fewer_rows(blocks: list[ExcerptBlock], relevance: Relevance, room: int) -> list[ExcerptBlock]:
    """The blocks; if they have too many words, with as many rows of their tables as fit, at least one of each."""
    narrowed = blocks
    for most in range(MAX_ROWS, 0, -1):
        if sum(_screen_words(narrowed)) <= room:
            break
        narrowed = [
            replace(block, text=rows_around(block.text, relevance, most)) if block.kind == "table" else block
            for block in blocks
        ]
    return narrowed


def _units_that_fit(sizes: Sequence[int], best: int, most: int) -> slice:
    """The units that fit into `most` words, from the first on; from the best one if those before it leave no room."""
    best = max(0, best)
    start = 0 if sum(sizes[: best + 1]) <= most else best
    after = best + 1
    while after < len(sizes) and sum(sizes[start : after + 1]) <= most:
        after += 1
    return slice(start, after)
