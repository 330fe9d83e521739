"""The findings of a check as values, and the message of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal

from trueref_core.records import Reference
from trueref_core.text.printable import MAX_SHOWN, shortened

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
"""Every reason why a link is not checked, with the words for such links in the summary."""


@dataclass(frozen=True, slots=True)
class FileLocation:
    """Where a link stands. Lines and columns count from 1, columns in characters.

    `span` is the start and the end of its destination in the text of the file; None if it must not be changed.
    """

    file: str
    line: int
    column: int
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A link that does not land.

    Attributes:
        kind: What is missing.
        location: Where the link stands.
        link: The text at `location`.
        reason: Why the link does not land, as a sentence.
        reference: The result of resolving the link; None for a link to a file.
        correction: The destination to write instead, in the form in which the link is written; None if the target is
            not certain.
        page: The page of the site on which the link stands; None if it is not known.
        repeated: How many other pages have the same link. A link in the navigation, which all pages have, is one
            finding.
        suggestion: The closest target, in the form in which the link is written, for a person to judge; None if no
            target is close.
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
    return shortened(text, MAX_SHOWN)


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The result of a check.

    Attributes:
        findings: The links that do not land, except those in `fixed`.
        fixed: The findings whose link was corrected in its file.
        notes: Lines for a person about what could not be checked, and why.
        checked: How many links were checked.
        unread: A line for each file or folder that could not be read, and whose links were not checked.
        skipped: By reason: how many links were not checked.
        taken: A line for each folder that says whether it was checked as a built site or as sources.
    """

    findings: tuple[Finding, ...]
    fixed: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    checked: int = 0
    unread: tuple[str, ...] = ()
    skipped: Mapping[SkipKind, int] = field(default_factory=dict[SkipKind, int])
    taken: tuple[str, ...] = ()


def without_repetitions(findings: Sequence[Finding]) -> list[Finding]:
    """The findings, each location once: a file may be named twice by a user, or be a symbolic link to another file."""
    resolved = {file: Path(file).resolve() for file in {finding.location.file for finding in findings}}
    first_at: dict[tuple[object, ...], Finding] = {}
    for finding in findings:
        location = finding.location
        # In HTML the position may be unknown and stand for the whole page, so several links may have the same one.
        link = finding.link if location.span is None else None
        first_at.setdefault((resolved[location.file], location.line, location.column, location.span, link), finding)
    return list(first_at.values())


def one_for_all_pages(on_pages: Sequence[Finding | None]) -> Iterator[Finding]:
    """One finding about a link of a source file from which several pages are made; none if it lands on all of them.

    A correction is left out if the link lands on another page, where the correction would break it, and if another page
    needs another one. A page for which there is none has no say: the link is broken there with any correction.

    Args:
        on_pages: The finding about the link on each of the pages, None for a page on which it lands.
    """
    findings = [finding for finding in on_pages if finding is not None]
    if not findings:
        return
    corrected = [finding for finding in findings if finding.correction is not None]
    finding = (corrected or findings)[0]
    lands_nowhere = len(findings) == len(on_pages)
    if not lands_nowhere:
        finding = replace(finding, reason=f"On the page `{finding.page or '/'}`: {finding.reason}")
    is_same = len({each.correction for each in corrected}) <= 1
    yield finding if is_same and lands_nowhere else replace(finding, correction=None)
