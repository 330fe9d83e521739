"""The part of a long block of code that a question is about: whole lines, with `…` where others are left out.

Code is a tree by its indentation: a function with its body, a call with its arguments, a key with what is under it.
The part consists of whole branches: those with words of the question, and above them the lines that they are nested in.
If a branch is too long, its first smaller branches are shown, so that none of these is cut in the middle.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

MAX_LINES: Final = 15
"""Code of up to this many lines is shown whole, and of longer code at most this many lines. Blank lines and `…` do not
count."""

MAX_WITH_COMMENTS: Final = 25
"""Code of up to this many lines is shown whole if no more than `MAX_LINES` of them say more than a comment: a
configuration of 17 lines ended before its only setting."""

MIN_LINES: Final = 5
"""If fewer lines of longer code would be shown, the beginning of the next run of lines is shown too, although the whole
run does not fit."""

LEFT_OUT: Final = "…"
"""The text of a line that takes the place of lines that are left out."""

_CLOSING: Final = re.compile(r"[})\]]|</|(?:end|fi|done|esac)\b(?!\s*[:=])|\{?%\}|\{%-? *end")
"""The beginning of a line that ends what an earlier line of the same indentation has begun."""

_GOING_ON: Final = re.compile(
    r"(?:\} ?)?(?:else|elif|elsif|elseif|except|finally|catch|rescue|ensure)\b(?!\s*=)|\{%-? *(?:else|elif)\b"
)
"""The beginning of a line that continues what an earlier line of the same indentation has begun."""

_ABOVE: Final = re.compile(r"@\w|#(?!!)|//|--\s|;|<!--|\.\. ")
"""The beginning of a line that belongs to the line below it: a decorator, or a comment."""

_COMMENT: Final = re.compile(r"#(?!!|\[|\w)|//|--\s|;|<!--|\.\. |/\*|\*(?:\s|/|$)")
"""The beginning of a line that is only a comment."""

MAX_BRANCHES: Final = 3
"""At most this many lines with words of the question get a branch: with more, each would be shown without its
context."""


@dataclass(frozen=True, slots=True)
class _Tree:
    """The lines of a block of code as a tree by indentation; blank lines belong to the line before them.

    For each line, `ends` is the number after the last line nested in it, `parents` the line that it is nested in, and
    `siblings` the previous line with the same parent and indentation.
    """

    lines: Sequence[str]
    ends: Sequence[int]
    parents: Sequence[int | None]
    siblings: Sequence[int | None]

    @classmethod
    def of(cls, lines: Sequence[str]) -> _Tree:
        """The tree of some lines."""
        depths = [len(line) - len(line.lstrip()) for line in lines]
        ends = [len(lines)] * len(lines)
        parents: list[int | None] = [None] * len(lines)
        siblings = parents.copy()
        # The lines that the current line is nested in. They are kept, so that long code is read only once.
        open_lines: list[int] = []
        for number in filter(lambda number: lines[number].strip(), range(len(lines))):
            while open_lines and depths[open_lines[-1]] >= depths[number]:
                previous = open_lines.pop()
                ends[previous] = number
                siblings[number] = previous if depths[previous] == depths[number] else None
            parents[number] = open_lines[-1] if open_lines else None
            open_lines.append(number)
        return cls(lines, ends, parents, siblings)

    def ancestors(self, number: int) -> list[int]:
        """The lines that a line is nested in, the innermost first."""
        ancestors: list[int] = []
        parent = self.parents[number]
        while parent is not None:
            ancestors.append(parent)
            parent = self.parents[parent]
        return ancestors

    def branch(self, number: int) -> range:
        """A line with the lines nested in it, its continuations such as `else`, and the line that closes it."""
        line, stop = number, self.ends[number]
        while self._continues_below(line) and stop < len(self.lines) and self.parents[stop] == self.parents[number]:
            line, stop = stop, self.ends[stop]
        while self._goes_on(stop, number):
            stop = self.ends[stop]
        if stop > number + 1 and self._follows(stop, number, _CLOSING):
            stop += 1
        return range(number, stop)

    def unit(self, number: int) -> range:
        """The branch of a line, from the line that it continues or closes, with the comments and decorators above."""
        start = end_of_head = self.head(number)[-1]
        while self._is_continuation(start) and (before := self.siblings[start]) is not None:
            start = before
        after = max(self.branch(start).stop, self.branch(end_of_head).stop)
        while (above := self.siblings[start]) is not None and above == start - 1:
            if not (_ABOVE.match(self._text(above)) or self._continues_below(above)):
                break
            start = above
        return range(start, after)

    def head(self, number: int) -> range:
        """A line; a comment or a decorator with the line that it belongs to."""
        end = number
        while _ABOVE.match(self._text(end)) and end + 1 < len(self.lines) and self.siblings[end + 1] == end:
            end += 1
        return range(number, end + 1)

    def with_ancestors(self, numbers: Collection[int]) -> set[int]:
        """Lines with the lines that lead to them, and the lines that close the branches of all these."""
        # A blank line is nested in none, and no line closes it.
        filled_lines = (number for number in numbers if self.lines[number].strip())
        opening_lines = self._with_beginnings(
            {line for number in filled_lines for line in (number, *self.ancestors(number))}
        )
        branches = map(self.branch, opening_lines)
        closing_lines = {each[-1] for each in branches if len(each) > 1 and _CLOSING.match(self._text(each[-1]))}
        return opening_lines | self._with_beginnings(closing_lines)

    def _with_beginnings(self, numbers: Collection[int]) -> set[int]:
        """Lines with the lines that began what they continue or close."""
        with_beginnings = set(numbers)
        for number in numbers:
            start = number
            while self._is_continuation(start) and (before := self.siblings[start]) is not None:
                start = before
                # Of many branches such as `elif`, those between the first one and the line are not needed.
                if not _GOING_ON.match(self._text(start)):
                    with_beginnings.add(start)
        return with_beginnings

    def run(self, number: int) -> range:
        """The lines around a line up to the next blank ones: a function with its decorators and its body, say."""
        start = stop = number
        while start and self.lines[start - 1].strip():
            start -= 1
        while stop < len(self.lines) and self.lines[stop].strip():
            stop += 1
        return range(start, stop)

    def whole_run(self, number: int) -> Collection[int]:
        """The run of a line with the branches of all its lines."""
        run = self.run(number)
        # A run that is too long is not shown, so that its branches are not needed.
        return {line for each in run for line in self.unit(each)} if len(run) <= MAX_LINES else run

    def _text(self, number: int) -> str:
        """A line without its indentation."""
        return self.lines[number].lstrip()

    def _is_continuation(self, number: int) -> bool:
        """Whether a line continues what a line before it has begun, or closes it."""
        return any(pattern.match(self._text(number)) for pattern in (_GOING_ON, _CLOSING))

    def _continues_below(self, number: int) -> bool:
        """Whether a line continues in the next one: a command with a backslash, or the selectors of a CSS rule."""
        # A comma continues only lines that are nested in no other: inside of brackets it ends an item.
        text = self.lines[number]
        return text.endswith("\\") or (text.endswith(",") and self.parents[number] is None)

    def _goes_on(self, number: int, before: int) -> bool:
        """Whether the branch of `before` goes on with a line such as `else`, or `) {` above the body of a function."""
        begins_more = number + 1 < len(self.lines) and self.parents[number + 1] == number
        closes_and_begins = begins_more and number > before + 1 and self._follows(number, before, _CLOSING)
        return closes_and_begins or self._follows(number, before, _GOING_ON)

    def _follows(self, number: int, before: int, pattern: re.Pattern[str]) -> bool:
        """Whether a line has the same parent as `before`, and begins as `pattern` says."""
        if number >= len(self.lines) or self.parents[number] != self.parents[before]:
            return False
        return pattern.match(self._text(number)) is not None


def part_of(code: str, scores: Sequence[float]) -> str:
    """The code as it is shown: whole, or its parts around the lines that score most.

    Args:
        code: The text of a block of code.
        scores: How much each of its lines has of the question, 0 for nothing.
    """
    lines = code.split("\n")
    filled_lines = [number for number, line in enumerate(lines) if line.strip()]
    telling_count = sum(_COMMENT.match(lines[number].lstrip()) is None for number in filled_lines)
    if telling_count <= MAX_LINES and len(filled_lines) <= MAX_WITH_COMMENTS:
        return code
    tree = _Tree.of(lines)
    shown_lines: set[int] = set()
    scoring_lines = sorted((number for number in filled_lines if scores[number]), key=lambda at: (-scores[at], at))
    # Code that has nothing of the question is shown from its beginning.
    centers = scoring_lines[:MAX_BRANCHES] or filled_lines[:1]
    for number in centers:
        shown_lines = _with_first_that_fits(tree, shown_lines, _candidates(tree, number)) or shown_lines
    # A line that is nested too deep for all its ancestors to be shown is shown with the innermost of them.
    shown_lines = shown_lines or {centers[0], *tree.ancestors(centers[0])[: MAX_LINES - 1]}
    centers = [number for number in centers if number in shown_lines]
    while grown := _with_first_that_fits(tree, shown_lines, _additions(tree, shown_lines, centers)):
        shown_lines = grown
    return "\n".join(_with_gaps(lines, shown_lines))


def _with_first_that_fits(tree: _Tree, shown_lines: set[int], parts: Iterator[Collection[int]]) -> set[int] | None:
    """The lines that are shown with the first of some parts for which there is room; None if there is none."""
    for part in parts:
        if sum(bool(tree.lines[number].strip()) for number in part) > MAX_LINES:
            continue
        grown = {number for number in tree.with_ancestors({*shown_lines, *part}) if tree.lines[number].strip()}
        if len(grown) <= MAX_LINES and grown != shown_lines:
            return grown
    return None


def _candidates(tree: _Tree, number: int) -> Iterator[Collection[int]]:
    """The numbers of the lines that may be shown for a line, in the order in which they are tried.

    First come all lines under its parent, then its run, its branch, and the line alone.
    """
    above = tree.ancestors(number)
    if above:
        yield tree.branch(above[0])
    yield tree.whole_run(number)
    yield tree.unit(number)
    yield tree.head(number)


def _gaps(tree: _Tree, shown_lines: Collection[int]) -> list[list[int]]:
    """The lines that are left out between those that are shown, in runs."""
    gaps: list[list[int]] = [[]]
    for number in range(min(shown_lines), max(shown_lines)):
        if number in shown_lines:
            gaps.append([])
        elif tree.lines[number].strip():
            gaps[-1].append(number)
    return [gap for gap in gaps if gap]


def _additions(tree: _Tree, shown_lines: set[int], centers: Collection[int]) -> Iterator[Collection[int]]:
    """Groups of lines that may be shown as well, the most useful first.

    They are the lines left out between those shown, the branches before and after the shown lines around each of the
    `centers`, and the runs beside them.
    """
    yield from sorted(_gaps(tree, shown_lines), key=len)
    for number in centers:
        start = end = number
        while start - 1 in shown_lines:
            start -= 1
        while end + 1 in shown_lines:
            end += 1
        previous = tree.siblings[start]
        if previous is not None and tree.lines[start - 1].strip():
            yield tree.unit(previous)
        if end + 1 < len(tree.lines) and tree.lines[end + 1].strip():
            yield tree.unit(end + 1)
    yield from _runs_beside(tree, shown_lines)
    # A single long branch has nothing beside it: of a document in JSON only its braces were shown.
    if len(shown_lines) < MIN_LINES:
        for gap in _gaps(tree, shown_lines)[:1]:
            yield from (gap[:most] for most in range(MAX_LINES - len(shown_lines), 0, -1))


def _runs_beside(tree: _Tree, shown_lines: Collection[int]) -> Iterator[Collection[int]]:
    """The lines before and after those that are shown, up to the next blank lines."""
    filled = [number for number, line in enumerate(tree.lines) if line.strip()]
    before = next((number for number in reversed(filled) if number < min(shown_lines)), None)
    after = next((number for number in filled if number > max(shown_lines)), None)
    # Whole, since half a function explains nothing.
    for number in (before, after):
        if number is not None:
            yield tree.whole_run(number)
    # If hardly anything would be shown, the beginning of the next run is shown too. Without this, only two lines were
    # shown of a configuration whose second line is followed by a blank one.
    if len(shown_lines) < MIN_LINES and after is not None:
        run = list(tree.run(after))
        yield from (run[:most] for most in range(MAX_LINES - len(shown_lines), 0, -1))


def _with_gaps(lines: Sequence[str], shown_lines: set[int]) -> list[str]:
    """The lines that are shown, with `…` at the indentation of what is left out between them."""
    lines_with_gaps: list[str] = []
    blank_lines: list[str] = []
    is_in_gap = False
    for number, line in enumerate(lines):
        if not line.strip():
            blank_lines.append(line)
        elif number in shown_lines:
            # Blank lines stay between lines that are shown.
            lines_with_gaps += [*(() if is_in_gap or not lines_with_gaps else blank_lines), line]
            is_in_gap, blank_lines = False, []
        elif not is_in_gap:
            lines_with_gaps.append(line[: len(line) - len(line.lstrip())] + LEFT_OUT)
            is_in_gap, blank_lines = True, []
    return lines_with_gaps
