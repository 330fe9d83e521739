"""Reads and writes outcomes: what `trueref eval` or another system found and showed for each case."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from trueref_core.errors import OptionError
from trueref_server.evaluation.cases import SectionAddress, read_lines
from trueref_server.records import Verdict


class Outcome(msgspec.Struct, frozen=True):
    """The outcome of a case: the sections found, best first, and how sure the system is that they answer.

    Confidences are only compared with each other, so any scale will do. `milliseconds` is the time of the search.
    `shown` is the text that the reader sees at once, with code between fences of Markdown, and `cards` are the texts of
    all cards, the open ones included; empty if there is only `shown`. A field that a system does not give is None.
    """

    id: str
    results: tuple[SectionAddress, ...] = ()
    confidence: float | None = None
    verdict: Verdict | None = None
    milliseconds: float | None = None
    shown: str | None = None
    cards: tuple[str, ...] = ()


def read_outcomes(path: Path) -> list[Outcome]:
    """Read outcomes from JSON Lines, in the order of the file.

    Raises:
        OptionError: The file cannot be read, or a line is no outcome or the second one of a case.
    """
    outcomes: dict[str, Outcome] = {}
    for number, line in read_lines(path):
        try:
            outcome = msgspec.json.decode(line, type=Outcome)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise OptionError(
                f'{path}:{number}: {error}. A result is {{"id", "results": [{{"page", "anchor"}}], "confidence"}}.'
            ) from error
        if outcome.id in outcomes:
            raise OptionError(f"{path}:{number}: There are two results for {outcome.id}. Keep the one that counts.")
        outcomes[outcome.id] = outcome
    return list(outcomes.values())


def write_outcomes(path: Path, outcomes: Iterable[Outcome]) -> None:
    """Write outcomes as JSON Lines.

    Raises:
        OptionError: The file cannot be written.
    """
    try:
        path.write_bytes(b"".join(msgspec.json.encode(outcome) + b"\n" for outcome in outcomes))
    except OSError as error:
        raise OptionError(f"Cannot write {path}: {error.strerror or error}.") from error
