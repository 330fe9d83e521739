"""Warns of what was not recognised in a site: one line for each kind of problem, with the option that helps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase

from trueref_core.records import Page
from trueref_plugin.files.page_summary import PageSummary
from trueref_plugin.options import BuildOptions
from trueref_plugin.progress import Reporter


def report_unrecognised(
    pages: Iterable[Page], summaries: Mapping[str, PageSummary], options: BuildOptions, report: Reporter
) -> None:
    """Warns of pages whose content root was not found. Pages that are never searched do not count.

    `summaries` has the summaries of all pages by address.
    """
    searched = [page for page in pages if not page.hidden and page.kind != "redirect"]
    selector = options.content_selector
    if selector and searched and all(summaries[page.page].root != selector for page in searched):
        report.warn(f"The content selector {selector!r} is on no page; the known ones were tried instead.")
    rootless = [page.file for page in searched if summaries[page.page].whole_body]
    if rootless:
        report.warn(
            f"{_count(len(rootless))}: no content root found, the whole body was read ({rootless[0]} is the first). "
            "Name it with content_selector."
        )


def report_unmatched(pages: Iterable[Page], options: BuildOptions, report: Reporter) -> None:
    """Warns of patterns of `kinds` and `weights` that fit no address of a page or a PDF, and so have no effect."""
    patterns = dict.fromkeys([*(options.kinds or ()), *(options.weights or ())])
    addresses = [page.page for page in pages] if patterns else []
    unmatched = [pattern for pattern in patterns if not any(fnmatchcase(address, pattern) for address in addresses)]
    if unmatched:
        report.warn(
            f"No page has an address like {', '.join(map(repr, unmatched))} (kinds and weights). Addresses are "
            "relative to the site and begin without a slash, such as 'guide/*'."
        )


def _count(pages: int) -> str:
    """The number of pages with its noun."""
    return "1 page" if pages == 1 else f"{pages} pages"
