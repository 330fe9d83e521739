"""Findings as lines: `file:line:column: kind: message`, which editors and terminals turn into links."""

from __future__ import annotations

from typing import Final

from trueref_core.text.printable import MAX_SHOWN, shortened, visible
from trueref_plugin.checking.findings import SKIPPED, CheckReport, Finding

MAX_LINES: Final = 20
"""How many findings the log of a build shows: with more of them, the first would scroll out of sight."""


def write(report: CheckReport) -> str:
    """One line for each finding."""
    return "\n".join(map(line, report.findings))


def line(finding: Finding) -> str:
    """A finding as a line."""
    location = finding.location
    # Escape sequences in a file must not reach the reader's terminal.
    return visible(f"{location.file}:{location.line}:{location.column}: {finding.kind}: {finding.message}")


def corrected_line(finding: Finding) -> str:
    """A finding whose link was corrected in its file, as a line with the old and the new link."""
    location = finding.location
    change = f"`{shortened(finding.link, MAX_SHOWN)}` is now `{shortened(finding.correction or '', MAX_SHOWN)}`."
    return visible(f"{location.file}:{location.line}:{location.column}: corrected: {change}")


def summary(report: CheckReport) -> str:
    """The result of a check in one line: how many links were checked, broken, corrected and skipped."""
    unfixed, fixed = len(report.findings), len(report.fixed)
    text = f"{report.checked:,} links checked: {unfixed or 'none'} of them {'does' if unfixed == 1 else 'do'} not land"
    if not unfixed:
        text = f"{report.checked:,} links checked: all land" if report.checked else "No link was checked"
    text = f"{text}, {fixed} corrected." if fixed else f"{text}."
    skipped = ", ".join(f"{report.skipped[kind]:,} {why}" for kind, why in SKIPPED.items() if report.skipped.get(kind))
    return f"{text} Not checked: {skipped}." if skipped else text


def build_lines(report: CheckReport) -> list[str]:
    """The lines for the log of a build: a summary and the first findings, or nothing if all links land."""
    if not report.findings:
        return []
    lines = [line(finding) for finding in report.findings[:MAX_LINES]]
    if len(report.findings) > MAX_LINES:
        lines.append(f"and {len(report.findings) - MAX_LINES} more. `trueref check` lists them all.")
    return [summary(report), *lines]
