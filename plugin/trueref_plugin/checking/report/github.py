"""Findings as workflow commands of GitHub Actions, which shows them beside the changed lines.

Source: "Workflow commands for GitHub Actions" in the documentation of GitHub. The escapes are those of `@actions/core`.
"""

from __future__ import annotations

from typing import Final

from trueref_core.text.printable import visible
from trueref_plugin.checking.findings import CheckReport, Finding

_DATA: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY: Final = _DATA | str.maketrans({":": "%3A", ",": "%2C"})


def write(report: CheckReport) -> str:
    """One command for each finding."""
    return "\n".join(map(_command, report.findings))


def _command(finding: Finding) -> str:
    """A finding as an `error` command."""
    location = finding.location
    properties = {
        "file": location.file,
        "line": location.line,
        "col": location.column,
        "title": f"trueref: {finding.kind}",
    }
    listed = ",".join(f"{name}={_escaped(str(value), _PROPERTY)}" for name, value in properties.items())
    return f"::error {listed}::{_escaped(finding.message, _DATA)}"


def _escaped(text: str, escapes: dict[int, str]) -> str:
    """A text without the characters that end a command or a property."""
    return visible(text, allowed="\r\n").translate(escapes)
