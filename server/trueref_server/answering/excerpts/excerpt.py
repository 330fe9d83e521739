"""Makes the excerpt of a section: a passage with what belongs to it, not longer than a screen of the panel."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from trueref_server.answering.excerpts.beginnings import may_begin, refers_to_example
from trueref_server.answering.excerpts.code_excerpt import MAX_LINES
from trueref_server.answering.excerpts.marking import BASES, Similarities, marked
from trueref_server.answering.excerpts.relevance import Relevance
from trueref_server.answering.excerpts.screen import (
    fit_to_screen,
    shortened,
    without_dangling,
    without_rest_of_cut_items,
)
from trueref_server.answering.excerpts.tab_panels import SectionPanels, asked_panels, is_in_hidden_panel
from trueref_server.answering.sections.announcements import COLONS
from trueref_server.answering.sections.histories import is_change_note, is_history
from trueref_server.answering.sections.passage import Passage
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

LITTLE: Final = 0.3
"""An excerpt that takes at most this share of the room that it has says hardly anything."""

NOTE_SHARE: Final = 0.5
"""A footnote with this share of the question's words is shown after the passage that answers: it is about the same."""

MIN_REPEATED: Final = 40
"""The fewest characters of a text that is left out where an earlier one repeats it: a shorter one may be a value."""

_ABOUT_BASES: Final = re.compile(
    r"\b(?:base|bases|parents?|ancestors?|hierarchy|(?:sub|super)-?class\w{0,5}|inherit\w{0,6}|deriv\w{0,5}|extends?)\b",
    re.IGNORECASE,
)
"""Words of a question that asks what a class is derived from."""

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
    *,
    is_entry_asked: bool = False,
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
        is_entry_asked: Whether the section is an entry, and nothing else is asked for.
    """
    room = _room_to_understand(passages, answer_number, relevance, room)
    passages = _with_end_of_answer(passages, answer_number, relevance, room)
    shown_passages = _shown_passages(passages, answer_number, relevance, room)
    numbered_blocks = [
        (number, block) for number, blocks in _with_term_once(passages, shown_passages) for block in blocks
    ]
    whole_blocks = [block for _, block in numbered_blocks]
    # One file at most: an excerpt is a screen of text and a file.
    file_position = _file_to_copy(whole_blocks)
    blocks = [
        block if position == file_position else shortened(block, relevance, room if number == answer_number else None)
        for position, (number, block) in enumerate(numbered_blocks)
    ]
    blocks = list(without_rest_of_cut_items(whole_blocks, blocks, relevance))
    fitting_blocks = fit_to_screen(_without_repetitions(blocks), relevance, room)
    shown_blocks = _without_bases(without_dangling(fitting_blocks), relevance)
    return marked(shown_blocks, relevance, similarities, is_entry_asked=is_entry_asked)


def _without_bases(blocks: list[ExcerptBlock], relevance: Relevance) -> list[ExcerptBlock]:
    """The blocks without a first line such as `Bases: object`, if others follow and it is not asked for.

    Sphinx puts it before what a class is for, where it is the first that a reader sees.
    """
    is_beside = len(blocks) > 1 and BASES.match(blocks[0].text) and not _ABOUT_BASES.search(relevance.asked)
    return blocks[1:] if is_beside and not blocks[0].caption else blocks


def _room_to_understand(passages: Sequence[Passage], answer_number: int, relevance: Relevance, room: int) -> int:
    """The most words of an excerpt, raised to a screen at most where an excerpt with less room would not be understood.

    It begins where its passage is understood, and if that says hardly anything, the next passage is shown as well: the
    first line of a docstring only says what a class is.
    """
    if room >= MAX_WORDS:
        return room
    panels = asked_panels(passages, relevance.asked)
    numbers = window(passages, answer_number, panels)
    before = sum(passages[number].words for number in numbers if number < answer_number)
    room = min(MAX_WORDS, max(room, before + min(passages[answer_number].words, room))) if before else room
    numbers = window(passages, answer_number, panels, MAX_CODE_LINES, room)
    words = sum(passages[number].words for number in numbers)
    following = window(passages, answer_number, panels, MAX_CODE_LINES)[len(numbers) :]
    return max(room, words + passages[following[0]].words) if following and words < LITTLE * room else room


def _with_end_of_answer(
    passages: Sequence[Passage], answer_number: int, relevance: Relevance, room: int
) -> Sequence[Passage]:
    """The passages, with the end of the one that answers if that is what a screen shows of it.

    So what stands behind the last item of a long list, such as its code, is shown if there is room for it.
    """
    answer = passages[answer_number]
    if len(answer.blocks) != 1 or answer.words <= room:
        return passages
    shown = shortened(answer.blocks[0], relevance, room)
    if not answer.blocks[0].text.endswith(shown.text):
        return passages
    # What stands before the passage is not what stands before its end.
    end = replace(answer, blocks=(shown,), begins=True)
    return [*passages[:answer_number], end, *passages[answer_number + 1 :]]


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
    """The blocks of each passage. Every part of a definition has its term; here only the first of them keeps it."""
    shown_term = ("", "")
    for number in numbers:
        blocks: list[ExcerptBlock] = []
        for block in (*passages[number].lead, *passages[number].blocks):
            term = (passages[number].entry, block.caption or shown_term[1])
            blocks.append(replace(block, caption="") if all(term) and term == shown_term else block)
            shown_term = term
        yield number, tuple(blocks)


def _shown_passages(passages: Sequence[Passage], answer_number: int, relevance: Relevance, room: int) -> list[int]:
    """The numbers of the passages that are shown, in order; a footnote comes after the passage that refers to it."""
    panels = asked_panels(passages, relevance.asked)
    referring = passages[answer_number].referring
    if referring is None:
        if whole_section := _whole_section(passages, answer_number, panels, room):
            return whole_section
        fitting_numbers = window(passages, answer_number, panels, MAX_CODE_LINES, room)
        numbers = _with_before(passages, answer_number, fitting_numbers, panels, room)
        numbers = _with_example(passages, answer_number, numbers, panels, room)
        note = _relevant_note(passages, answer_number, relevance)
        has_room = note is not None and _fits(passages, [*numbers, note], MAX_CODE_LINES, room)
        return [*numbers, note] if note is not None and has_room else numbers
    numbers = [*_with_before(passages, referring, [referring], panels, room), answer_number]
    return numbers if _fits(passages, numbers, MAX_CODE_LINES, room) else [referring, answer_number]


def _whole_section(passages: Sequence[Passage], answer_number: int, panels: SectionPanels, room: int) -> list[int]:
    """The numbers of all passages of a section with titles of its own, if a screen has room for them; else none.

    Titles such as `Arguments` and `Example` divide what is one thing: under the first there would be no example. What
    stands before or after a gap in what is known of the section is left out.
    """
    gaps = [number for number, passage in enumerate(passages) if passage.begins and not passage.is_titled]
    start = max((gap for gap in gaps if gap <= answer_number), default=0)
    end = min((gap for gap in gaps if gap > answer_number), default=len(passages))
    numbers = [
        number
        for number in range(start, end)
        if not is_in_hidden_panel(passages, number, answer_number, panels)
        and (number == answer_number or not _is_history(passages[number]))
    ]
    has_titles = any(passages[number].is_titled for number in numbers)
    has_entries = any(passages[number].entry for number in numbers)
    before = sum(passages[number].words for number in numbers if number < answer_number)
    is_shown = answer_number in numbers and has_titles and not has_entries and before <= MAX_BEFORE
    return numbers if is_shown and _fits(passages, numbers, MAX_CODE_LINES, room) else []


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
        if may_begin(passages, numbers[0]) or _is_other_parameter(passages[number], passages[answer_number]):
            break
        if not is_in_hidden_panel(passages, number, answer_number, panels):
            if not _fits(passages, [number, *numbers], lines, room):
                break
            numbers.insert(0, number)
    for number in range(answer_number + 1, len(passages)):
        # The reader asked for one option of a list: the next option answers another question, and so does a parameter
        # after the description of its function. An admonition between options is about the one before it.
        is_one_entry = passages[answer_number].entry and not _announces_entries(passages[answer_number])
        is_note = passages[answer_number].kind == "admonition"
        must_share_entry = is_one_entry or is_note or passages[number].is_parameter
        if (
            passages[number].begins
            or _is_history(passages[number])
            or (must_share_entry and passages[number].entry != passages[answer_number].entry)
        ):
            break
        if not is_in_hidden_panel(passages, number, answer_number, panels):
            if not _fits(passages, [*numbers, number], lines, room):
                break
            numbers.append(number)
    return numbers


def _is_other_parameter(passage: Passage, answer: Passage) -> bool:
    """Whether a passage is a parameter, and not the one that answers: the description after it does not need it."""
    return passage.is_parameter and passage.entry != answer.entry


def _is_history(passage: Passage) -> bool:
    """Whether a passage is the history of an entry: who asks for something else does not read on there."""
    return any(is_history(block.text) for block in passage.blocks)


def _announces_entries(passage: Passage) -> bool:
    """Whether a passage has the line that announces a list of definitions before the first of them."""
    first, *others = passage.blocks
    return bool(others and others[0].caption) and not first.caption and first.text.endswith(COLONS)


def _with_before(
    passages: Sequence[Passage], answer_number: int, chosen: Sequence[int], panels: SectionPanels, room: int
) -> list[int]:
    """The numbers of the passages that are shown, with those before them for which the screen still has room.

    So a short section is shown whole, and its last paragraph comes with the one that says what it is about. A note, or
    a line on what has changed, belongs to the text above it: no excerpt begins with one that does not answer.
    """
    # Not done in `window`: passages of one section would compete with nearly the same text, and on the sites of uv and
    # mypy three questions lost their answer (`docs/decisions/answer-errors.md`).
    best = extended = list(chosen)
    for number in range(chosen[0] - 1, -1, -1):
        # An option before the passage is as little asked for as one after it.
        answer = passages[answer_number]
        is_other_entry = answer.entry and passages[number].entry != answer.entry
        if passages[number + 1].begins or is_other_entry or _is_other_parameter(passages[number], answer):
            break
        if is_in_hidden_panel(passages, number, answer_number, panels):
            continue
        extended = [number, *extended]
        words = sum(passages[each].words for each in extended if each < chosen[0])
        if words > MAX_BEFORE or not _fits(passages, extended, MAX_CODE_LINES, room):
            break
        is_note = passages[number].kind == "admonition" or is_change_note(passages[number].blocks[0].text)
        if (
            not (is_note and number > 0)
            and may_begin(passages, number)
            and (answer.entry or not _is_later_entry(passages, number))
        ):
            best = extended
    return best


def _is_later_entry(passages: Sequence[Passage], number: int) -> bool:
    """Whether a passage is an entry of a list of definitions after the first one.

    The text after such a list is about all of them: the last one alone would seem to be what the text is about.
    """
    lists = [passage.entry.partition(".")[0] for passage in passages[max(0, number - 1) : number + 1]]
    return len(lists) == 2 and bool(lists[1]) and lists[0] == lists[1]


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


def _without_repetitions(blocks: Sequence[ExcerptBlock]) -> list[ExcerptBlock]:
    """The blocks without those that repeat a long text of an earlier one.

    Code stays: an example and its result may be equal. So does what has a term of its own, or is announced by the line
    before it: many options have the same default.
    """
    seen_texts: set[str] = set()
    unrepeated: list[ExcerptBlock] = []
    for block in blocks:
        is_announced = bool(unrepeated) and unrepeated[-1].text.endswith(COLONS)
        may_repeat = block.kind == "code" or bool(block.caption) or is_announced or len(block.text) < MIN_REPEATED
        if may_repeat or block.text not in seen_texts:
            unrepeated.append(block)
        seen_texts.add(block.text)
    return unrepeated
