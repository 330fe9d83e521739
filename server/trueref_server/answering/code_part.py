"""The part of a long block of code that a question is about: whole lines, with `…` where others are left out.

Code is a tree by its indentation: a function with its body, a call with its arguments, a key with what is under it.
Shown is the smallest branch that holds the lines that the question meets, under the lines that lead down to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

LINES_MOST: Final = 15
"""Lines up to which code is shown whole, and that are shown of longer code, blank ones and `…` not counted."""

LINES_LEAST: Final = 5
"""Lines that are shown of longer code in any case: under this many, the next lines are begun that do not fit whole."""

LEFT_OUT: Final = "…"
"""A line that stands for those that are left out."""

_CLOSING: Final = ("}", ")", "]", "</", "end", "fi", "done", "esac", "%}")
"""How a line begins that ends what a line of the same indentation has begun."""

BRANCHES_MOST: Final = 3
"""Lines of the question that a branch is shown for: of more, each would be shown without what belongs to it."""


@dataclass(frozen=True, slots=True)
class _Tree:
    """The lines of a block of code, each with its indentation; a blank line has that of the line before it."""

    lines: Sequence[str]
    depths: Sequence[int]

    @classmethod
    def of(cls, lines: Sequence[str]) -> _Tree:
        depths: list[int] = []
        for line in lines:
            before = depths[-1] if depths else 0
            depths.append(len(line) - len(line.lstrip()) if line.strip() else before)
        return cls(lines, depths)

    def above(self, number: int) -> list[int]:
        """The lines that lead down to a line, from the innermost."""
        above: list[int] = []
        depth = self.depths[number]
        for before in range(number - 1, -1, -1):
            if self.depths[before] < depth and self.lines[before].strip():
                above.append(before)
                depth = self.depths[before]
        return above

    def branch(self, number: int) -> range:
        """A line with all that stands under it, and the line that closes it."""
        after = number + 1
        while after < len(self.lines) and self.depths[after] > self.depths[number]:
            after += 1
        # A closing bracket has the indentation of the line that it ends, and would look like the next branch.
        if after < len(self.lines) and after > number + 1 and self.lines[after].lstrip().startswith(_CLOSING):
            after += 1
        return range(number, after)

    def run(self, number: int) -> range:
        """The lines around a line up to the next blank ones: a function with its decorators and its body, say."""
        first = after = number
        while first and self.lines[first - 1].strip():
            first -= 1
        while after < len(self.lines) and self.lines[after].strip():
            after += 1
        return range(first, after)


def part_of(code: str, scores: Sequence[float]) -> str:
    """The code as it is shown: whole, or its part around the lines that score most.

    Args:
        code: A block of code.
        scores: How much each of its lines has of the question, 0 for nothing.
    """
    lines = code.split("\n")
    filled = [number for number, line in enumerate(lines) if line.strip()]
    if len(filled) <= LINES_MOST:
        return code
    tree = _Tree.of(lines)
    shown_lines: set[int] = set()
    met = sorted((number for number in filled if scores[number]), key=lambda at: (-scores[at], at))
    # Code that has nothing of the question is shown from its beginning.
    for number in met[:BRANCHES_MOST] or filled[:1]:
        parts = ({line for line in part if lines[line].strip()} for part in _candidates(tree, number))
        shown_lines |= next((part for part in parts if len(shown_lines | part) <= LINES_MOST), shown_lines)
    _fill(tree, shown_lines)
    return "\n".join(_with_gaps(lines, shown_lines))


def _candidates(tree: _Tree, number: int) -> Iterator[set[int]]:
    """The numbers of the lines that may be shown for a line, in the order in which they are tried.

    First come all lines under its parent, then its run, its branch, and the line alone. Each set has the lines that
    lead down to the line too, the innermost of them if there are too many.
    """
    above = tree.above(number)[: LINES_MOST - 1]
    if above:
        yield {*above, *tree.branch(above[0])}
    yield {*above, *tree.run(number)}
    yield {*above, *tree.branch(number)}
    yield {*above, number}


def _fill(tree: _Tree, shown_lines: set[int]) -> None:
    """Adds lines between and beside those that are shown, while there is room; a line before them goes first."""
    while len(shown_lines) < LINES_MOST:
        first, last = min(shown_lines), max(shown_lines)
        near = [n for n in (first - 1, last + 1) if 0 <= n < len(tree.lines) and tree.lines[n].strip()]
        gaps = [n for n in range(first, last) if n not in shown_lines and tree.lines[n].strip()]
        if len(gaps) <= LINES_MOST - len(shown_lines) and gaps:
            shown_lines.update(gaps)
        elif near:
            shown_lines.add(near[0])
        elif run := _next_run(tree, shown_lines):
            shown_lines.update(run)
        else:
            break


def _next_run(tree: _Tree, shown_lines: set[int]) -> Sequence[int]:
    """The lines to add behind a blank line: those up to the next blank one, before what is shown or else after it.

    They are whole, since half a function explains nothing. Where hardly anything is shown, a beginning is more than
    nothing: of a configuration whose second line is followed by a blank one, two lines were shown.
    """
    room = LINES_MOST - len(shown_lines)
    filled = [number for number, line in enumerate(tree.lines) if line.strip()]
    before = next((tree.run(number) for number in reversed(filled) if number < min(shown_lines)), range(0))
    after = next((tree.run(number) for number in filled if number > max(shown_lines)), range(0))
    for run in (before, after):
        if 0 < len(run) <= room:
            return run
    return after[:room] if len(shown_lines) < LINES_LEAST else ()


def _with_gaps(lines: Sequence[str], shown_lines: set[int]) -> list[str]:
    """The lines that are kept, with `…` at the indentation of what is left out between them."""
    shown: list[str] = []
    blank: list[str] = []
    is_open = False
    for number, line in enumerate(lines):
        if not line.strip():
            blank.append(line)
        elif number in shown_lines:
            # Blank lines stay between lines that are shown.
            shown += [*(() if is_open or not shown else blank), line]
            is_open, blank = False, []
        elif not is_open:
            shown.append(line[: len(line) - len(line.lstrip())] + LEFT_OUT)
            is_open, blank = True, []
    return shown
