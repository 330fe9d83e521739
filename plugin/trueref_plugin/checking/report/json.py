"""Findings as one JSON object for programs. File names that are not UTF-8 are written with escapes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import msgspec

from trueref_core.records import Reference
from trueref_plugin.checking.findings import CheckReport, Finding, FindingKind, SkipKind


class FindingRow(msgspec.Struct, frozen=True):
    """A finding. `line` and `column` count from 1; `correction` is the destination to write, or null.

    `suggestion` is the closest place, as the link would be written, if no correction is certain. The one of
    `reference` is an address in the site.
    """

    kind: FindingKind
    file: str
    line: int
    column: int
    link: str
    message: str
    correction: str | None
    suggestion: str | None
    page: str | None
    repeated: int
    reference: Reference | None


class CheckDocument(msgspec.Struct, frozen=True):
    """The result of a check: findings that are left, those that were corrected, and what could not be checked or read.

    The fields are those of `CheckReport`.
    """

    findings: list[FindingRow]
    fixed: list[FindingRow]
    notes: tuple[str, ...]
    checked: int
    unread: tuple[str, ...]
    skipped: Mapping[SkipKind, int]
    taken: tuple[str, ...]


def write(report: CheckReport) -> str:
    """The report as one line of JSON."""
    unfixed, fixed = ([_row(finding) for finding in findings] for findings in (report.findings, report.fixed))
    return encoded(
        CheckDocument(unfixed, fixed, report.notes, report.checked, report.unread, report.skipped, report.taken)
    )


def _row(finding: Finding) -> FindingRow:
    """A finding as a row."""
    location = finding.location
    return FindingRow(
        finding.kind,
        location.file,
        location.line,
        location.column,
        finding.link,
        finding.message,
        finding.correction,
        finding.suggestion,
        finding.page,
        finding.repeated,
        finding.reference,
    )


def encoded(document: object) -> str:
    """A document as one line of JSON."""
    try:
        return msgspec.json.encode(document).decode()
    except UnicodeEncodeError:
        # A name that is not UTF-8 is somewhere in it. That is rare enough to go through all values a second time.
        return msgspec.json.encode(_shown(msgspec.to_builtins(document))).decode()


def shown(text: str) -> str:
    """A text that can be written: bytes that are not UTF-8 become escapes, as in other messages."""
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()


def _shown(value: object) -> object:
    """A value of JSON with all its texts as `shown` gives them."""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, dict):
        return {shown(key): _shown(item) for key, item in cast("dict[str, object]", value).items()}
    return [_shown(item) for item in cast("list[object]", value)] if isinstance(value, list | tuple) else value
