"""`trueref report`: what readers asked, what the docs do not answer, and what readers say of the answers."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from trueref.options import index_option, json_option, require_serve, settings_of
from trueref.output import one_line, print_json, print_table, write_output
from trueref_core.errors import OptionError, TruerefError

if TYPE_CHECKING:
    from trueref_core.embedding.embedder import Embedder
    from trueref_core.manifest.lookup import Manifest
    from trueref_server.insight.report import InsightReport, SectionRef
    from trueref_server.insight.tally import Tally

LISTED: Final = 10
"""Groups and sections that are printed; the page and the JSON have more."""


@click.command("report")
@click.option("--store", metavar="URL", help="The database of the server. Default: TRUEREF_STORE, or trueref.toml.")
@click.option("--days", type=click.IntRange(1, 3650), default=30, show_default=True, help="How far back it looks.")
@index_option
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE", help="Also write it as a page with pictures.")
@click.option(
    "--cases", type=click.Path(path_type=Path), metavar="FILE", help="Also write questions as cases for `trueref eval`."
)
@json_option
def command(
    store: str | None, days: int, index: Path | None, html: Path | None, cases: Path | None, as_json: bool
) -> None:
    """Report on what a server kept: see the setting `store`.

    Questions that the docs do not answer are grouped by meaning, with the embedder of the index, if their texts are
    kept (`question_days`). The JSON has the same and more, for a program that works on the docs: its `tasks` say what
    to write or to revise, with the questions, the sections and the files.
    """
    require_serve()
    from trueref_server.insight.exported_cases import cases_of
    from trueref_server.insight.page import report_page

    # Once for all forms: the page and the cases come from the same entries as what is printed.
    report, tally = _make_report(store, days, index)
    if html is not None:
        write_output(report_page(report).encode(), html, is_text=True)
    if cases is not None:
        write_output(cases_of(report, tally), cases, is_text=True)
    if as_json:
        print_json(report)
    else:
        _print_report(report)


def _make_report(store: str | None, days: int, index: Path | None) -> tuple[InsightReport, Tally]:
    """The report of the last days, and what it was made of.

    Raises:
        ExtraMissing: What the database needs is not installed.
        OptionError: No database is named, there is none at that address, or it cannot be read.
    """
    from trueref_server.insight.report_builder import build_report, count_entries
    from trueref_server.insight.tally import DAY
    from trueref_server.store.opening import open_database

    settings = settings_of(store=store, index=index)
    if not settings.store:
        raise OptionError("No database is named. Give --store, or set TRUEREF_STORE, as for `trueref serve`.")
    file = Path(settings.store.removeprefix("sqlite:///")).expanduser()
    # SQLite would make an empty file for a path that was mistyped.
    if settings.store.startswith("sqlite:///") and not file.is_file():
        raise OptionError(f"There is no database at {file}. A server makes it when it starts with this store.")
    database = open_database(settings.store, "`trueref report`")
    # After `open_database`, which says which extra is missing: this module imports SQLAlchemy.
    from trueref_server.store.database import StoreError

    until = int(time.time() * 1000)
    since = until - days * DAY
    try:
        tally = count_entries(database, since, until)
    except StoreError as error:
        raise OptionError(f"The database cannot be read: {error}") from error
    finally:
        database.close()
    embedder, manifest = _index_of(settings.index, has_texts=bool(tally.unanswered))
    return build_report(tally, since, until, embedder, manifest), tally


def _index_of(folder: Path, *, has_texts: bool) -> tuple[Embedder | None, Manifest | None]:
    """The embedder of the index and its manifest; without an index neither, with a line that says what is missing."""
    from trueref_core.embedding.embedder import load_embedder
    from trueref_core.generations.served_generation import read_generation, read_manifest

    try:
        generation = read_generation(folder)
        manifest = read_manifest(folder, generation.id)
        # Without texts there is nothing to embed, and the model is not loaded.
        has_vectors = has_texts and generation.vectors
        return load_embedder(generation.embedder, for_questions=True) if has_vectors else None, manifest
    # Without an index the report still has its counts, and groups questions by their words.
    except TruerefError as error:
        click.echo(f"Questions are compared by their words, and no file is named: {error}", err=True)
        return None, None


def _print_report(report: InsightReport) -> None:
    """Print the report for people, the ten most frequent of each list."""
    _print_totals(report)
    # Counted even if no text is kept, so that an owner sees that there is something to look at.
    hidden = report.unanswered_without_text
    if report.unanswered or hidden:
        click.secho("\nWhat the docs do not answer", bold=True)
    # The title of a group is its first question, which is not printed twice.
    for group in report.unanswered[:LISTED]:
        click.echo(f"{group.times:>5}  {one_line(group.title)}")
        for other in group.questions[1:4]:
            click.echo(f"       {one_line(other.question)}")
        if group.nearest:
            click.echo(f"       nearest: {'; '.join(map(_place, group.nearest))}")
    if hidden:
        click.echo(f"{hidden:>5}  without a text: set question_days to keep the texts of questions")
    if report.sections:
        click.secho("\nWhere answers lead", bold=True)
    for section in report.sections[:LISTED]:
        click.echo(f"{section.answers:>5}  {_place(section.section)}")
    if report.badly_rated:
        click.secho("\nSections with bad ratings", bold=True)
    for section in report.badly_rated[:LISTED]:
        click.echo(
            f"{section.unhelpful:>5}  of {section.unhelpful + section.helpful} not helped: {_place(section.section)}"
        )
        for reason in section.reasons[:3]:
            click.echo(f"       {one_line(reason)}")


def _print_totals(report: InsightReport) -> None:
    """Print the counts of the whole period."""
    from trueref_server.insight.page import percent

    totals = report.totals
    verdicts = ", ".join(f"{verdict} {number}" for verdict, number in totals.by_verdict.items())
    rated = totals.helpful + totals.unhelpful
    rows = [
        ("period", f"{report.since} to {report.until}"),
        ("answers", f"{totals.answers:,}" + (f" ({verdicts})" if verdicts else "")),
        ("failures", f"{totals.failures:,} ({percent(totals.failure_rate)})"),
        ("from the cache", f"{totals.cached:,} ({percent(totals.cache_rate)})"),
        (
            "references",
            f"{totals.checked:,} checked, {totals.corrected:,} corrected, {totals.removed:,} removed "
            f"({percent(totals.accuracy)} right)",
        ),
        ("ratings", f"{totals.helpful:,} helpful of {rated:,}"),
    ]
    if totals.median_milliseconds is not None and totals.slow_milliseconds is not None:
        rows.append(("time", f"median {totals.median_milliseconds:,.0f} ms, 95 % {totals.slow_milliseconds:,.0f} ms"))
    print_table(rows)


def _place(section: SectionRef) -> str:
    """A section by its title, with its file or page."""
    where = section.source_path or section.page
    return one_line(f"{section.section or 'Home'} ({where})" if where else section.section)
