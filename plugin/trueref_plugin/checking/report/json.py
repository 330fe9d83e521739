"""Findings as one JSON object for programs. File names that are not UTF-8 are written with escapes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import cast

import msgspec

from trueref_plugin.checking.findings import CheckReport, Finding


def write(report: CheckReport) -> str:
    """The report as one line of JSON. Its fields are those of `CheckReport`."""
    rows = {"findings": list(map(_row, report.findings)), "fixed": list(map(_row, report.fixed))}
    return encoded({**{field.name: getattr(report, field.name) for field in fields(report)}, **rows})


def _row(finding: Finding) -> Mapping[str, object]:
    """A finding with its position and its message. The suggestion in `reference` is an address in the site."""
    return {
        "kind": finding.kind,
        "file": finding.location.file,
        "line": finding.location.line,
        "column": finding.location.column,
        "link": finding.link,
        "message": finding.message,
        "correction": finding.correction,
        "suggestion": finding.suggestion,
        "page": finding.page,
        "repeated": finding.repeated,
        "reference": finding.reference,
    }


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
