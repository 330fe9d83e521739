"""Reads cases from JSON Lines: questions, with the places of their answers and what the answers have to show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from trueref_core.errors import OptionError
from trueref_server.evaluation.span_finder import words
from trueref_server.records import Exchange

MAX_PROBLEMS: Final = 20
"""At most this many bad lines are named, since a file of another kind may have thousands."""

FORM: Final = (
    'A case is {"id", "question", "gold": [{"page", "anchor"}], "answerable"} on one line; '
    "`trueref eval --template` writes a file to start from."
)

Nuggets = tuple[tuple[str, ...], ...]
"""The points that an answer has to show. Each is a tuple of spans of the site, one of which is enough."""


class CaseLine(msgspec.Struct, frozen=True):
    """A line about the case with the id."""

    id: str


AnyCaseLine = TypeVar("AnyCaseLine", bound=CaseLine)


class SectionAddress(msgspec.Struct, frozen=True):
    """A section by page and anchor. `site` matters only if an index holds several sites; "" means any."""

    page: str
    anchor: str = ""
    site: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """Page and anchor, the same for all spellings of a page: `a/`, `a/index.html` and `a.html`."""
        page = self.page.strip("/")
        for suffix in ("index.html", ".html"):
            page = page.removesuffix(suffix)
        return page.strip("/"), self.anchor


class NuggetsOfCase(CaseLine, frozen=True, kw_only=True):
    """What the answer to a case has to show.

    `nuggets` are the points to show, and `misleading` spans that mislead a reader who sees them without the nuggets.
    `form` is the author's word for the kind of passage that answers. If `excerpt` is false, no passage of the site
    answers, and what is shown is not counted.
    """

    nuggets: Nuggets = ()
    misleading: tuple[str, ...] = ()
    form: str = ""
    excerpt: bool = True


class Case(NuggetsOfCase, frozen=True):
    """A question and the places of its answer (gold), any of which counts. An unanswerable case has none.

    `page`, `version` and `language` say where the reader is, and `history` holds the earlier turns of the conversation,
    oldest first: see `Question`. `kind` is a word of the author's own. `edit` says what is still to be done
    to a case of the template.
    """

    question: str
    answerable: bool
    gold: tuple[SectionAddress, ...] = ()
    kind: str = ""
    page: str | None = None
    version: str | None = None
    language: str | None = None
    history: tuple[Exchange, ...] = ()
    edit: str = ""

    @property
    def has_nuggets(self) -> bool:
        """Whether the case counts in the figures of what answers show."""
        return self.answerable and self.excerpt and bool(self.nuggets)


def read_cases(paths: Sequence[Path]) -> list[Case]:
    """Read the cases of some files, in order. Unknown fields are ignored.

    Raises:
        OptionError: A file cannot be read, or lines are no cases: each problem is a line of the message, with its
            file, its number and what to do.
    """
    cases = read_rows(paths, Case, FORM, _problem)
    if not cases:
        raise OptionError(f"{', '.join(map(str, paths))}: no case was found. {FORM}")
    return cases


def read_rows(
    paths: Iterable[Path], kind: type[AnyCaseLine], form: str, problem_of: Callable[[AnyCaseLine], str]
) -> list[AnyCaseLine]:
    """Read the lines of some files, each about one case.

    Args:
        paths: The files.
        kind: The type of a line.
        form: The message for lines of another form.
        problem_of: Returns what is wrong with a line and what to do about it; "" for nothing.

    Raises:
        OptionError: As in `read_cases`.
    """
    rows: list[AnyCaseLine] = []
    problems: list[str] = []
    first_locations: dict[str, str] = {}
    for path in _each_once(paths):
        for number, line in read_lines(path):
            location = f"{path}:{number}"
            try:
                row = msgspec.json.decode(line, type=kind)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                problems.append(f"{location}: {error}. {form}")
                continue
            first_location = first_locations.setdefault(row.id, location)
            problem = (
                problem_of(row)
                if first_location == location
                else f"{first_location} has the same id. Give each case its own."
            )
            if problem:
                problems.append(f"{location}: {row.id or 'a case'}: {problem}")
            rows.append(row)
    if problems:
        # All problems at once, so that a file can be corrected in one go.
        more = len(problems) - MAX_PROBLEMS
        raise OptionError("\n".join(problems[:MAX_PROBLEMS] + ([f"and {more} more"] if more > 0 else [])))
    return rows


def _each_once(paths: Iterable[Path]) -> Iterator[Path]:
    """Some paths. Raises `OptionError` at one that was there before, since each of its lines would count twice."""
    seen: set[Path] = set()
    for path in paths:
        if path in seen:
            raise OptionError(f"{path} is named twice. Name it once.")
        seen.add(path)
        yield path


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that are not blank, with their numbers, counted from 1.

    Raises:
        OptionError: The file cannot be read.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise OptionError(f"Cannot read {path}: {error.strerror or error}.") from error
    # Editors on Windows may begin a file with a byte order mark, which JSON does not allow.
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").splitlines(), 1):
        if line.strip():
            yield number, line


def ready(cases: Sequence[Case]) -> tuple[list[Case], list[str]]:
    """The cases that can be asked, and notes on cases that are still as the template wrote them.

    Raises:
        OptionError: None of them has a question.
    """
    with_question = [case for case in cases if case.question]
    if not with_question:
        raise OptionError("No case has a question yet. Write one into the field `question`.")
    notes: list[str] = []
    if blank := len(cases) - len(with_question):
        notes.append(
            f"Cases without a question, which were left out: {blank}. Write one that these docs do not answer."
        )
    if unedited := sum(bool(case.edit) for case in with_question):
        notes.append(
            f"Cases that still quote a title (field `edit`): {unedited}. Readers use other words, and are harder to "
            "answer: put the questions in theirs, and take `edit` away."
        )
    return with_question, notes


def _problem(case: Case) -> str:
    """What is wrong with a case, and what to do about it; "" for nothing."""
    if not case.id.strip():
        return "The `id` is empty. Give the case a name of its own."
    if not case.question.strip() and not case.edit:
        return "The `question` is empty. Write one, or take the line away."
    if case.answerable and not case.gold:
        return "An answerable case has no `gold` place. Name one, or set `answerable` to false."
    if case.gold and not case.answerable:
        return "A case that is not answerable has a `gold` place. Take it away, or set `answerable` to true."
    if case.nuggets and not case.answerable:
        return "A case that is not answerable has `nuggets`. Take them away, or set `answerable` to true."
    return problem_with_spans(case.nuggets, case.misleading)


def problem_with_spans(nuggets: Nuggets, misleading: Sequence[str]) -> str:
    """What is wrong with the spans of a case, and what to do about it; "" for nothing."""
    if not all(nuggets):
        return "A nugget has no span. Write one, or take the empty list away."
    wordless = [span for span in (*(span for nugget in nuggets for span in nugget), *misleading) if not words(span)]
    return f"The span {wordless[0]!r} has no word. Write one that has, or take it away." if wordless else ""
