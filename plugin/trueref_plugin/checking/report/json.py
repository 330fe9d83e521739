"""Findings as one JSON object, for programs."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from trueref_core.records import Reference
from trueref_plugin.checking.findings import CheckReport, Finding, FindingKind, SkipKind
from trueref_plugin.checking.report.encoding import encoded


class Row(msgspec.Struct, frozen=True):
    """A finding. `line` and `column` count from 1; `correction` is the destination to write, or null."""

    kind: FindingKind
    file: str
    line: int
    column: int
    link: str
    message: str
    correction: str | None
    page: str | None
    repeated: int
    reference: Reference | None


class Document(msgspec.Struct, frozen=True):
    """What a check did: findings that are left, those that were corrected, what could not be checked or read.

    `skipped` counts the links that were not checked, by the reason; `taken` says what folders were taken for.
    """

    findings: list[Row]
    fixed: list[Row]
    notes: tuple[str, ...]
    checked: int
    unread: tuple[str, ...]
    skipped: Mapping[SkipKind, int]
    taken: tuple[str, ...]


def write(report: CheckReport) -> str:
    """The report as one line of JSON."""
    left, fixed = ([_row(finding) for finding in findings] for findings in (report.findings, report.fixed))
    return encoded(Document(left, fixed, report.notes, report.checked, report.unread, report.skipped, report.taken))


def _row(finding: Finding) -> Row:
    place = finding.place
    return Row(
        finding.kind,
        place.file,
        place.line,
        place.column,
        finding.link,
        finding.message,
        finding.correction,
        finding.page,
        finding.repeated,
        finding.reference,
    )
