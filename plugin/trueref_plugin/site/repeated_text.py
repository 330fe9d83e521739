"""Finds the text that most pages of a site begin or end with: a notice about the version, or where to get help.

Authors include such text in every page, inside the content, where no class of the theme tells it from the rest. It
answers nothing on a page, and stood at the end of cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from trueref_plugin.files.page_summary import PageRead, block_runs
from trueref_plugin.reading.parsed import ParsedPage

MIN_PAGES: Final = 10
"""The fewest pages that begin or end with the same text: on a site of a few pages that may be chance."""

MIN_SHARE: Final = 0.5
"""The least share of the pages that do."""


@dataclass(frozen=True, slots=True)
class RepeatedText:
    """The text that most pages of a site begin or end with.

    `runs` are digests of blocks, as `block_runs` makes them. The page of the file `kept_on` keeps the text, so that it
    is still found.
    """

    runs: frozenset[str] = frozenset()
    kept_on: str = ""

    def left_out(self, file: str, parsed: ParsedPage) -> ParsedPage:
        """The page of a file without this text. A page that has nothing else stays as it is."""
        if not self.runs or file == self.kept_on:
            return parsed
        opening, ending = (
            max((number for number, run in enumerate(runs, 1) if run in self.runs), default=0)
            for runs in block_runs(parsed)
        )
        remaining = parsed.blocks[opening : len(parsed.blocks) - ending]
        return replace(parsed, blocks=remaining) if remaining else parsed


def repeated_text(reads: Iterable[PageRead]) -> RepeatedText:
    """The text that most of some pages begin or end with. The first of these pages, by its path, keeps it."""
    pages = [read for read in reads if read.summary.runs and not read.summary.head.redirect]
    counts = Counter(run for read in pages for run in read.summary.runs)
    least = max(MIN_PAGES, MIN_SHARE * len(pages))
    runs = frozenset(run for run, count in counts.items() if count >= least)
    files = (read.file for read in pages if not runs.isdisjoint(read.summary.runs))
    return RepeatedText(runs, min(files, key=lambda file: (file.count("/"), file != "index.html", file), default=""))
