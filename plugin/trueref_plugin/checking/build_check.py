"""The check at the end of a build: what its host tells the person who runs it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from trueref_plugin.checking.check import check
from trueref_plugin.checking.report.text import line, summary
from trueref_plugin.options import BuildOptions

LINES_MOST: Final = 20
"""More would hide the first of them in the log of a build."""


def check_build(options: BuildOptions, config: Path | None, site: str | None = None) -> list[str]:
    """Checks the site that was just built and indexed; gives the lines to tell, none where all links land.

    Args:
        options: Of the build.
        config: The mkdocs.yml, by which the lines of the Markdown are found.
        site: Name of the site in the index; None where it may not be there yet.
    """
    report = check([options.site], index=options.index, config=config, base_url=options.base_url, site=site)
    if not report.findings:
        return []
    lines = [line(finding) for finding in report.findings[:LINES_MOST]]
    if len(report.findings) > LINES_MOST:
        lines.append(f"and {len(report.findings) - LINES_MOST} more. `trueref check` lists them all.")
    return [summary(report), *lines]
