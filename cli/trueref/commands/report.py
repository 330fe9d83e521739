"""`trueref report`: what readers asked, which questions the docs do not answer, and how readers rated the answers."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
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

MAX_LISTED: Final = 10
"""How many groups and sections are printed. The HTML page and the JSON have more."""


@click.command("report")
@click.option("--store", metavar="URL", help="The database of the server. Default: TRUEREF_STORE, or trueref.toml.")
@click.option("--days", type=click.IntRange(1, 3650), default=30, show_default=True, help="How many days it covers.")
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

    # Made once, so that the HTML page, the cases and the printed report agree.
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
    """The report on the last days, and the tally from which it was made.

    Raises:
        ExtraMissing: The extra that the database needs is not installed.
        OptionError: No database is named, there is none at that address, or it cannot be read.
    """
    from trueref_server.insight.report_builder import build_report, count_entries
    from trueref_server.insight.tally import DAY
    from trueref_server.store.opening import open_database

    settings = settings_of(store=store, index=index)
    if not settings.store:
        raise OptionError("No database is named. Give --store, or set TRUEREF_STORE, as for `trueref serve`.")
    file = Path(settings.store.removeprefix("sqlite:///")).expanduser()
    # For a mistyped path, SQLite would create an empty file.
    if settings.store.startswith("sqlite:///") and not file.is_file():
        raise OptionError(f"There is no database at {file}. A server makes it when it starts with this store.")
    if settings.store.startswith("sqlite:///"):
        _require_store(file)
    database = open_database(settings.store, "`trueref report`")
    # Imported after `open_database`, which reports a missing extra: this module imports SQLAlchemy.
    from trueref_server.store.database import StoreError

    until = int(time.time() * 1000)
    since = until - days * DAY
    try:
        tally = count_entries(database, since, until)
    except StoreError as error:
        raise OptionError(f"The database cannot be read: {error}") from error
    finally:
        database.close()
    embedder, manifest = _read_index(settings.index, has_texts=bool(tally.unanswered))
    return build_report(tally, since, until, embedder, manifest), tally


def _require_store(file: Path) -> None:
    """Raise `OptionError` for a database of another program, which would give a report without any question."""
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.Error:
        # Reading the entries tells what is wrong with the file.
        return
    if tables and not any(name.startswith("trueref_") for name in tables):
        raise OptionError(f"The database at {file} has no tables of a Trueref server. Name the one of its store.")


def _read_index(folder: Path, *, has_texts: bool) -> tuple[Embedder | None, Manifest | None]:
    """The embedder and the manifest of the index; both None, with a line on stderr, if the index cannot be read.

    The embedder is also None if there are no texts to compare (`has_texts`), or the index has no vectors.
    """
    from trueref_core.embedding.embedder import load_embedder
    from trueref_core.generations.served_generation import read_generation, read_manifest

    try:
        generation = read_generation(folder)
        manifest = read_manifest(folder, generation.id)
        # Without texts there is nothing to embed, and the model is not loaded.
        has_vectors = has_texts and generation.vectors
        return load_embedder(generation.embedder, for_questions=True) if has_vectors else None, manifest
    # Without an index, the report still has its counts, and questions are grouped by their words.
    except TruerefError as error:
        click.echo(f"Questions are compared by their words, and no file is named: {error}", err=True)
        return None, None


def _print_report(report: InsightReport) -> None:
    """Print the report for people, the ten most frequent of each list."""
    _print_totals(report)
    # Unanswered questions whose texts are not kept are counted too, so that the owner knows of them.
    unanswered_without_text = report.unanswered_without_text
    if report.unanswered or unanswered_without_text:
        click.secho("\nWhat the docs do not answer", bold=True)
    # The title of a group is its first question, so the list of its questions begins with the second.
    for group in report.unanswered[:MAX_LISTED]:
        click.echo(f"{group.times:>5}  {one_line(group.title)}")
        for similar in group.questions[1:4]:
            click.echo(f"       {one_line(similar.question)}")
        if group.nearest:
            click.echo(f"       nearest: {'; '.join(map(_section_name, group.nearest))}")
    if unanswered_without_text:
        click.echo(f"{unanswered_without_text:>5}  without a text: set question_days to keep the texts of questions")
    if report.sections:
        click.secho("\nWhere answers lead", bold=True)
    for section in report.sections[:MAX_LISTED]:
        click.echo(f"{section.answers:>5}  {_section_name(section.section)}")
    if report.badly_rated:
        click.secho("\nSections with bad ratings", bold=True)
    for section in report.badly_rated[:MAX_LISTED]:
        ratings = section.unhelpful + section.helpful
        click.echo(f"{section.unhelpful:>5}  of {ratings} not helped: {_section_name(section.section)}")
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


def _section_name(section: SectionRef) -> str:
    """The title of a section, with its source file or page in brackets."""
    file_or_page = section.source_path or section.page
    return one_line(f"{section.section or 'Home'} ({file_or_page})" if file_or_page else section.section)
