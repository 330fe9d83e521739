"""Reads and writes outcomes: what `trueref eval` or another system found and showed for each case."""

from __future__ import annotations

import errno
import os
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
        OptionError: The file cannot be read, or a line is no outcome, or a case, or the second outcome of a case.
    """
    outcomes: dict[str, Outcome] = {}
    for number, line in read_lines(path):
        try:
            outcome = msgspec.json.decode(line, type=Outcome)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise OptionError(
                f'{path}:{number}: {error}. A result is {{"id", "results": [{{"page", "anchor"}}], "confidence"}}.'
            ) from error
        if _is_case(line):
            raise OptionError(f"{path} has cases and no results. Name a file that `trueref eval --results` wrote.")
        if outcome.id in outcomes:
            raise OptionError(f"{path}:{number}: There are two results for {outcome.id}. Keep the one that counts.")
        outcomes[outcome.id] = outcome
    return list(outcomes.values())


def check_writable(path: Path, read_files: Iterable[Path]) -> None:
    """Make sure that outcomes can be written to a path, before the work whose outcomes they are.

    Raises:
        OptionError: The file cannot be written, or is one of those that are read.
    """
    if path.is_file() and any(file.exists() and path.samefile(file) for file in read_files):
        raise OptionError(f"{path} is read, and the results would replace it. Name another file for them.")
    problem = 0
    if path.is_dir():
        problem = errno.EISDIR
    elif not path.parent.is_dir():
        problem = errno.ENOTDIR if path.parent.exists() else errno.ENOENT
    elif not os.access(path if path.exists() else path.parent, os.W_OK):
        problem = errno.EACCES
    if problem:
        raise OptionError(f"Cannot write {path}: {os.strerror(problem)}.")


def write_outcomes(path: Path, outcomes: Iterable[Outcome]) -> None:
    """Write outcomes as JSON Lines.

    Raises:
        OptionError: The file cannot be written.
    """
    try:
        path.write_bytes(b"".join(msgspec.json.encode(outcome) + b"\n" for outcome in outcomes))
    except OSError as error:
        raise OptionError(f"Cannot write {path}: {error.strerror or error}.") from error


def _is_case(line: bytes) -> bool:
    """Whether a line of JSON is a case, which has a question and no results."""
    fields = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    return {"question", "answerable"} <= fields.keys() and "results" not in fields
