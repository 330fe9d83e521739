"""Writes the findings of a check, for people and for programs: one module for each format."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final, Literal, get_args

from trueref_plugin.checking.findings import CheckReport
from trueref_plugin.checking.report.text import build_lines, corrected_line, summary

__all__ = ["FORMATS", "build_lines", "corrected_line", "summary", "written"]

Format = Literal["text", "json", "sarif", "github"]
FORMATS: Final[tuple[Format, ...]] = get_args(Format)


def written(report: CheckReport, form: Format) -> str:
    """A report in a format, without a line feed at its end."""
    write: Callable[[CheckReport], str] = import_module(f"{__name__}.{form}").write
    return write(report)
