"""Cases: questions with the places where their answers stand, one line of JSON each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from trueref_core.errors import OptionError
from trueref_server.records import Exchange

PROBLEMS_MOST: Final = 20
"""Bad lines of a file that are named. A file of something else has thousands."""

FORM: Final = (
    'A case is {"id", "question", "gold": [{"page", "anchor"}], "answerable"} on one line; '
    "`trueref eval --template` writes some to begin with."
)


class Place(msgspec.Struct, frozen=True):
    """A section by page and anchor. `site` matters only where an index holds several; "" is any."""

    page: str
    anchor: str = ""
    site: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """The same for all spellings of a page: `a/`, `a/index.html` and `a.html`."""
        page = self.page.strip("/")
        for tail in ("index.html", ".html"):
            page = page.removesuffix(tail)
        return page.strip("/"), self.anchor


class Case(msgspec.Struct, frozen=True):
    """A question and where its answer stands; any gold place counts. An unanswerable one has none.

    `page`, `version` and `language` say where the reader is, and `history` holds the earlier turns of the conversation,
    oldest first: see `Question`. `kind` is a word of the author's own. `edit` says what is still to be done
    to a case of the template.
    """

    id: str
    question: str
    answerable: bool
    gold: tuple[Place, ...] = ()
    kind: str = ""
    page: str | None = None
    version: str | None = None
    language: str | None = None
    history: tuple[Exchange, ...] = ()
    edit: str = ""


def read_cases(paths: Sequence[Path]) -> list[Case]:
    """Read the cases of some files, in order. Fields that a case does not have are passed over.

    Raises:
        OptionError: A file cannot be read, or lines are no cases: each problem is a line of the message, with its
            file, its number and what to do.
    """
    cases: list[Case] = []
    problems: list[str] = []
    places: dict[str, str] = {}
    for path in paths:
        for number, line in read_lines(path):
            place = f"{path}:{number}"
            try:
                case = msgspec.json.decode(line, type=Case)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                problems.append(f"{place}: {error}. {FORM}")
                continue
            first = places.setdefault(case.id, place)
            problem = _problem(case) if first == place else f"{first} has the same id. Give each case its own."
            if problem:
                problems.append(f"{place}: {case.id or 'a case'}: {problem}")
            cases.append(case)
    if problems:
        more = len(problems) - PROBLEMS_MOST
        raise OptionError("\n".join(problems[:PROBLEMS_MOST] + ([f"and {more} more"] if more > 0 else [])))
    if not cases:
        raise OptionError(f"{', '.join(map(str, paths))}: there is no case in it. {FORM}")
    return cases


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that hold something, with their numbers, counted from 1.

    Raises:
        OptionError: The file cannot be read.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise OptionError(f"Cannot read {path}: {error.strerror or error}.") from error
    # Editors of Windows begin a file with this mark, and JSON does not know it.
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").splitlines(), 1):
        if line.strip():
            yield number, line


def ready(cases: Sequence[Case]) -> tuple[list[Case], list[str]]:
    """The cases that can be asked, and what to say of those that are as the template wrote them.

    Raises:
        OptionError: None of them has a question.
    """
    asked = [case for case in cases if case.question]
    if not asked:
        raise OptionError("No case has a question yet. Write one into the field `question`.")
    notes: list[str] = []
    if blank := len(cases) - len(asked):
        notes.append(
            f"Cases without a question, which were left out: {blank}. Write one that these docs do not answer."
        )
    if unedited := sum(bool(case.edit) for case in asked):
        notes.append(
            f"Cases that still quote a title (field `edit`): {unedited}. Readers use other words, and are harder to "
            "answer: put the questions in theirs, and take `edit` away."
        )
    return asked, notes


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
    return ""
