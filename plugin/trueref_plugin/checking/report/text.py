"""Findings as lines: `file:line:column: kind: message`, which editors and terminals make links of."""

from __future__ import annotations

from trueref_core.text.printable import visible
from trueref_plugin.checking.findings import SKIPPED, CheckReport, Finding


def write(report: CheckReport) -> str:
    """One line a finding."""
    return "\n".join(map(line, report.findings))


def line(finding: Finding) -> str:
    """A finding as a line."""
    place = finding.place
    # Escape sequences in a file must not reach the reader's terminal.
    return visible(f"{place.file}:{place.line}:{place.column}: {finding.kind}: {finding.message}")


def summary(report: CheckReport) -> str:
    """How the check went, in a line."""
    found, fixed = len(report.findings), len(report.fixed)
    told = f"{report.checked:,} links checked: {found or 'none'} of them {'does' if found == 1 else 'do'} not land"
    if not found:
        told = f"{report.checked:,} links checked: all land" if report.checked else "No link was checked"
    told = f"{told}, {fixed} corrected." if fixed else f"{told}."
    skipped = ", ".join(f"{report.skipped[kind]:,} {why}" for kind, why in SKIPPED.items() if report.skipped.get(kind))
    return f"{told} Not checked: {skipped}." if skipped else told
