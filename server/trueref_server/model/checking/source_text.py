"""A text in which names and numbers are looked up as whole names and numbers: `1.2` is not found in `11.2`.

The text has an index of its runs of letters and digits. A line of an answer may have thousands of numbers, and a
section thousands of places with such digits: to search the text for each took seconds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

RUN: Final = re.compile(r"[^\W\d_]+|\d+")
"""A run of letters, or of digits. If a text has a fact, each run of the fact is a whole run of the text too: what may
stand right beside a fact, such as the unit of a number, is of the other class."""

WITH_UNIT = re.compile(r"(\d+(?:[.,]\d+)*)([A-Za-z]{1,3})", re.ASCII)
"""A number with its unit, as `5s` or `2MB`."""

UNIT = re.compile(r"-|[A-Za-z]{1,3}(?![\w])", re.ASCII)
"""What may stand right behind a number that a text has: `5-minute`, `5s`, `2MB`."""

RANGE = re.compile(r"-\d", re.ASCII)
"""What stands before the last number of a range, in reverse: the nearest character first."""

WORD_CHARACTER = re.compile(r"[\w-]")


class SourceText:
    """A text in which names and numbers can be looked up."""

    def __init__(self, text: str) -> None:
        self._as_written = _RunIndex(text)

    def holds(self, fact: str) -> bool:
        """Whether the text has a fact, not as a part of a longer name or number. Case counts if the fact has capitals.

        A name without a dot may be a part of a dotted one: `app.run` has `run`, and `my.config.yml` no `config.yml`. A
        whole number may begin a version: docs of Python 3.11 are docs of Python 3. It may also have a unit behind it or
        a name before it, as in `5-minute`, `2MB` and `python3`.
        """
        index = self._folded if fact.islower() else self._as_written
        return any(_is_whole_at(index.text, fact, at) for at in index.positions_of(fact))

    def holds_with_unit(self, fact: str) -> bool:
        """Whether the text has a number with its unit in another spelling: `2 MB` for `2MB`, `5 seconds` for `5s`."""
        parts = WITH_UNIT.fullmatch(fact)
        if parts is None:
            return False
        number, unit = parts.groups()
        spelled = re.compile(rf"(?<![\w.,]){re.escape(number)}[ -]?{re.escape(unit)}", re.IGNORECASE)
        return any(spelled.match(self._as_written.text, at) for at in self._as_written.positions_of(number))

    @cached_property
    def _folded(self) -> _RunIndex:
        """The text in lower case. Its positions may differ, since a letter may become two."""
        return _RunIndex(self._as_written.text.lower())


class _RunIndex:
    """A text with the positions of its runs of letters and digits."""

    def __init__(self, text: str) -> None:
        self.text = text

    def positions_of(self, fact: str) -> Iterator[int]:
        """Where a fact stands in the text, perhaps as a part of something longer."""
        runs = [(run.start(), self._starts.get(run[0], ())) for run in RUN.finditer(fact)]
        if not runs:
            # A fact without letters and digits, such as `--`.
            yield from (match.start() for match in re.finditer(re.escape(fact), self.text))
            return
        # Looked up by its rarest run: a text may be full of a digit that stands in few places beside the rest of the
        # fact.
        offset, starts = min(runs, key=lambda run: len(run[1]))
        yield from (
            start - offset for start in starts if start >= offset and self.text.startswith(fact, start - offset)
        )

    @cached_property
    def _starts(self) -> dict[str, Sequence[int]]:
        """Where each run of letters or digits begins."""
        starts: dict[str, list[int]] = {}
        for run in RUN.finditer(self.text):
            starts.setdefault(run[0], []).append(run.start())
        return {**starts}


def _is_whole_at(text: str, fact: str, at: int) -> bool:
    """Whether the fact at a place of a text is whole, and no part of a longer name or number."""
    end = at + len(fact)
    is_dotted, is_number = "." in fact, fact.isascii() and fact.isdigit()
    # Characters beside the fact, the nearest one first.
    before, after = text[max(0, at - 2) : at][::-1], text[end : end + 2]
    if is_number:
        before = "" if before[:1].isalpha() or RANGE.match(before) else before
        after = "" if UNIT.match(text, end) else after
    return not (_goes_on(fact[0], before, is_dotted or fact[0].isdigit()) or _goes_on(fact[-1], after, is_dotted))


def _goes_on(edge_character: str, beyond: str, over_dot: bool) -> bool:
    """Whether a name or a number goes on beyond its edge.

    Args:
        edge_character: The first or last character of the fact.
        beyond: The two characters next to it, the nearest one first; fewer at the end of the text.
        over_dot: Whether a dot before another word character continues it; the full stop of a sentence never does.
    """
    if not (beyond and WORD_CHARACTER.match(edge_character)):
        return False
    following = beyond[1:] if beyond[0] == "." and over_dot else beyond[0]
    return WORD_CHARACTER.match(following) is not None
