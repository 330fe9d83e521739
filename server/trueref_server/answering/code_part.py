"""The part of a long block of code that a question is about: whole lines, with `…` where others are left out.

Code is a tree by its indentation: a function with its body, a call with its arguments, a key with what is under it.
Shown is the smallest branch that holds the lines that the question meets, under the lines that lead down to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

LINES_MOST: Final = 15
"""Lines up to which code is shown whole, and that are shown of longer code, the lines `…` not counted."""

LEFT_OUT: Final = "…"
"""A line in place of those that are left out."""

_CLOSING: Final = ("}", ")", "]", "</", "end", "fi", "done", "esac", "%}")
"""How a line begins that ends what a line of the same indentation has begun."""


@dataclass(frozen=True, slots=True)
class _Tree:
    """The lines of a block of code. `parents` are the numbers of the lines they stand under, -1 for none."""

    lines: Sequence[str]
    parents: Sequence[int]

    @classmethod
    def of(cls, lines: Sequence[str]) -> _Tree:
        parents: list[int] = []
        open_lines: list[tuple[int, int]] = []
        for number, line in enumerate(lines):
            depth = len(line) - len(line.lstrip()) if line.strip() else (open_lines[-1][0] if open_lines else 0)
            while open_lines and open_lines[-1][0] >= depth:
                open_lines.pop()
            parents.append(open_lines[-1][1] if open_lines else -1)
            if line.strip():
                open_lines.append((depth, number))
        return cls(lines, parents)

    def above(self, number: int) -> list[int]:
        """The lines that lead down to a line, from the outermost."""
        found: list[int] = []
        while (number := self.parents[number]) >= 0:
            found.append(number)
        return found[::-1]

    def branch(self, number: int) -> range:
        """A line with all that stands under it, and the line that closes it."""
        after = number + 1
        while after < len(self.lines) and (not self.lines[after].strip() or number in self.above(after)):
            after += 1
        if after < len(self.lines) and self._closes(number, after):
            after += 1
        while after > number + 1 and not self.lines[after - 1].strip():
            after -= 1
        return range(number, after)

    def _closes(self, number: int, after: int) -> bool:
        return self.parents[after] == self.parents[number] and self.lines[after].lstrip().startswith(_CLOSING)


def part_of(code: str, scores: Sequence[float]) -> str:
    """The code as it is shown: whole, or its part around the lines that score most.

    Args:
        code: A block of code.
        scores: How much each of its lines has of the question, 0 for nothing.
    """
    lines = code.split("\n")
    if len(lines) <= LINES_MOST:
        return code
    tree = _Tree.of(lines)
    kept: set[int] = set()
    met = sorted((number for number in range(len(lines)) if scores[number]), key=lambda at: (-scores[at], at))
    for number in met[:LINES_MOST] or [0]:
        for wanted in _wanted(tree, number):
            if len(kept | wanted) <= LINES_MOST:
                kept |= wanted
    _fill(tree, kept)
    return "\n".join(_with_gaps(lines, kept))


def _wanted(tree: _Tree, number: int) -> list[set[int]]:
    """What is shown for a line, the least first: the line under those that lead to it, its branch, its parent's."""
    above = set(tree.above(number)[-LINES_MOST:])
    found = [above | {number}, above | set(tree.branch(number))]
    if tree.parents[number] >= 0:
        found.append(above | set(tree.branch(tree.parents[number])))
    return found


def _fill(tree: _Tree, kept: set[int]) -> None:
    """Takes in what stands beside what is kept, while there is room: first what is before it, a comment say."""
    while len(kept) < LINES_MOST:
        first, last = min(kept), max(kept)
        near = [n for n in (first - 1, last + 1) if 0 <= n < len(tree.lines) and tree.lines[n].strip()]
        gaps = [n for n in range(first, last) if n not in kept]
        if len(gaps) <= LINES_MOST - len(kept) and gaps:
            kept.update(gaps)
        elif near:
            kept.add(near[0])
        else:
            break


def _with_gaps(lines: Sequence[str], kept: set[int]) -> list[str]:
    shown: list[str] = []
    is_open = False
    for number, line in enumerate(lines):
        if number in kept:
            shown.append(line)
            is_open = False
        elif line.strip() and not is_open:
            shown.append(line[: len(line) - len(line.lstrip())] + LEFT_OUT)
            is_open = True
    return shown
