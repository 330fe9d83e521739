"""Findings as lines: `file:line:column: kind: message`, which editors and terminals make links of."""

from __future__ import annotations

import re
from typing import Final

from trueref_plugin.checking.findings import CheckReport, Finding

# Escape sequences in a file must not reach the reader's terminal.
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def write(report: CheckReport) -> str:
    """One line a finding."""
    return "\n".join(map(line, report.findings))


def line(finding: Finding) -> str:
    """A finding as a line."""
    place = finding.place
    return _CONTROLS.sub(" ", f"{place.file}:{place.line}:{place.column}: {finding.kind}: {finding.message}")


def summary(report: CheckReport) -> str:
    """How the check went, in a line."""
    found, fixed = len(report.findings), len(report.fixed)
    told = f"{report.checked:,} links checked: {found or 'none'} of them {'does' if found == 1 else 'do'} not land"
    if not found:
        told = f"{report.checked:,} links checked: all land"
    return f"{told}, {fixed} corrected." if fixed else f"{told}."
