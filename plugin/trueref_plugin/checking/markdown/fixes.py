"""Writes corrections into Markdown files. Only the destinations change: every other byte stays as it is."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from trueref_core.errors import OptionError
from trueref_plugin.checking.findings import Finding
from trueref_plugin.checking.markdown.markdown_links import read_source


def fix(findings: Sequence[Finding]) -> tuple[list[Finding], list[Finding]]:
    """Writes every correction whose link has a position in a Markdown file.

    Returns:
        The findings that were fixed, and those that were not.

    Raises:
        OptionError: A file cannot be written.
    """
    by_file: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.correction is not None and finding.location.span is not None:
            by_file.setdefault(finding.location.file, []).append(finding)
    fixed = [finding for file, group in by_file.items() for finding in _fix_file(Path(file), group)]
    fixed_locations = {finding.location for finding in fixed}
    return fixed, [finding for finding in findings if finding.location not in fixed_locations]


def corrected_text(text: str, findings: Iterable[Finding]) -> str:
    """A text with the destinations of its findings replaced."""
    parts: list[str] = []
    copied_to = 0
    # In one pass from front to back, so that no correction changes the position of another one.
    for finding in sorted(findings, key=lambda finding: finding.location.span or (0, 0)):
        assert finding.location.span is not None
        start, end = finding.location.span
        assert start >= copied_to, f"two corrections of one place: {finding.location}"
        parts += (text[copied_to:start], finding.correction or "")
        copied_to = end
    return "".join((*parts, text[copied_to:]))


def _fix_file(path: Path, findings: list[Finding]) -> list[Finding]:
    """Writes the corrections of one file, and returns those that were written."""
    try:
        text = read_source(path)
        # The writer may have saved the file after it was checked. A link that is not at its position is not changed.
        findings_in_place = [finding for finding in findings if _is_in_place(text, finding)]
        _replace(path, corrected_text(text, findings_in_place).encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise OptionError(f"{path} cannot be corrected ({error.strerror or error}).") from error
    return findings_in_place


def _is_in_place(text: str, finding: Finding) -> bool:
    """Whether the link is still at its position."""
    start, end = finding.location.span or (0, 0)
    return text[start:end].replace("\r\n", "\n").replace("\r", "\n") == finding.link


def _replace(path: Path, data: bytes) -> None:
    """Replaces a file of the user completely or not at all. Keeps symbolic links and permissions."""
    target = path.resolve()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        Path(name).chmod(target.stat().st_mode & 0o7777)
        Path(name).replace(target)
    except OSError:
        with suppress(OSError):
            Path(name).unlink()
        raise
