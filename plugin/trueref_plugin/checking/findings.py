"""The findings of a check as values, and every message of a check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from trueref_core.records import Reference
from trueref_core.text.printable import SHOWN_MOST, shortened

FindingKind = Literal["missing-page", "missing-anchor", "missing-file"]

KINDS: Final[dict[FindingKind, str]] = {
    "missing-page": "The link leads to a page that does not exist.",
    "missing-anchor": "The page exists, but nothing on it has the id that the link names.",
    "missing-file": "The link names a file that does not exist.",
}
"""Every kind of finding, with its explanation."""


SkipKind = Literal["other-site", "other-scheme", "outside", "template", "no-page", "no-files"]

SKIPPED: Final[dict[SkipKind, str]] = {
    "other-site": "to other sites",
    "other-scheme": "of other schemes (mailto:, tel:)",
    "outside": "out of the folder that the site is published in",
    "template": "filled in by a program",
    "no-page": "in files whose page is not known",
    "no-files": "to files, of which this copy has none",
}
"""Why a link was not checked, with the words that the summary uses for such links."""


@dataclass(frozen=True, slots=True)
class FileLocation:
    """Where a link stands. Lines and columns count from 1, columns in characters.

    `span` is the begin and end of its destination in the text of the file, None if that may not be changed.
    """

    file: str
    line: int
    column: int
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A link that does not land.

    `link` is the text at `location`. `reference` is the result of resolving it, None for a file. `correction` is the
    destination to write instead, in the form in which the link is written; None if the target is not certain.
    `suggestion` is the closest place in that form, for a person to judge, None if nothing is close. `page` is
    the page of the site where the link stands, None if that is not known. `repeated` counts the other pages with the
    same link: a link in the navigation, which all pages have, is one finding.
    """

    kind: FindingKind
    location: FileLocation
    link: str
    reason: str
    reference: Reference | None = None
    correction: str | None = None
    page: str | None = None
    repeated: int = 0
    suggestion: str | None = None

    @property
    def message(self) -> str:
        """The message of a finding: what is wrong and what to do, in one line."""
        parts = [f"`{_shown(self.link)}`: {_shown(self.reason)}"]
        if self.correction is not None:
            parts.append(f"Write `{_shown(self.correction)}`.")
        elif self.suggestion:
            parts.append(f"The closest is `{_shown(self.suggestion)}`.")
        if self.repeated:
            parts.append(f"The same link is on {self.repeated} other pages.")
        return " ".join(parts)


def _shown(text: str) -> str:
    """A text as a message shows it."""
    return shortened(text, SHOWN_MOST)


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The result of a check. `notes` are lines for a person about what could not be checked, and why.

    `fixed` are findings whose link was corrected in its file; they are not among `findings`. `checked` counts the links
    that were decided, and `skipped` those that were not, by the reason. `unread` has a line for each file that could
    not be read: its links were not checked. `taken` has a line for each folder: as a site or as sources it was checked.
    """

    findings: tuple[Finding, ...]
    fixed: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    checked: int = 0
    unread: tuple[str, ...] = ()
    skipped: Mapping[SkipKind, int] = field(default_factory=dict[SkipKind, int])
    taken: tuple[str, ...] = ()


def without_repetitions(findings: Sequence[Finding]) -> list[Finding]:
    """The findings, each location once: a file may be given twice on the command line, or be a link to another."""
    resolved = {file: Path(file).resolve() for file in {finding.location.file for finding in findings}}
    first: dict[tuple[object, ...], Finding] = {}
    for finding in findings:
        location = finding.location
        # In HTML the position may be unknown and stand for the whole page, so several links may have the same one.
        link = finding.link if location.span is None else None
        first.setdefault((resolved[location.file], location.line, location.column, location.span, link), finding)
    return list(first.values())
