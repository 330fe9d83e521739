"""Says what of a site was not recognised, a line for each kind, with the option that helps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from trueref_core.records import Page
from trueref_plugin.options import BuildOptions
from trueref_plugin.report import Reporter
from trueref_plugin.summary import PageSummary


def report_unrecognised(
    pages: Iterable[Page], summaries: Mapping[str, PageSummary], options: BuildOptions, report: Reporter
) -> None:
    """Warns of pages whose content was not found. Pages that are never searched do not count.

    Args:
        pages: All pages.
        summaries: What they hold, by `page`.
        options: What the build was told.
        report: Told what was not recognised.
    """
    searched = [page for page in pages if not page.hidden and page.kind != "redirect"]
    selector = options.content_selector
    if selector and searched and all(summaries[page.page].root != selector for page in searched):
        report.warn(f"The content selector {selector!r} is on no page; the known ones were tried instead.")
    whole = [page.file for page in searched if summaries[page.page].whole_body]
    if whole:
        report.warn(
            f"{_count(len(whole))}: no content root found, the whole body was read ({whole[0]} is the first). "
            "Name it with content_selector."
        )


def _count(pages: int) -> str:
    return "1 page" if pages == 1 else f"{pages} pages"
