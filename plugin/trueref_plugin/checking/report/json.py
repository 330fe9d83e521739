"""Findings as one JSON object for programs. File names that are not UTF-8 are written with escapes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Final

import msgspec

from trueref_plugin.checking.findings import CheckReport, Finding

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


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
        # The document has the name of a file that is not UTF-8. Its bytes are written as escapes, as `visible` does.
        text = json.dumps(msgspec.to_builtins(document), ensure_ascii=False)
        return _SURROGATE.sub(lambda match: f"\\\\u{ord(match[0]):04x}", text)
