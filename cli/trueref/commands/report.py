"""`trueref report`: what readers asked, what the docs do not answer, and what readers say of the answers."""

from __future__ import annotations

from pathlib import Path

import click

from trueref.options import index_option, json_option, require_serve


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
    from trueref.output import print_json, write_output
    from trueref.reporting import make_report, print_report
    from trueref_server.insight.exported_cases import cases_of
    from trueref_server.insight.page import report_page

    # Once for all forms: the page and the cases come from the same entries as what is printed.
    report, tally = make_report(store, days, index)
    if html is not None:
        write_output(report_page(report).encode(), html, is_text=True)
    if cases is not None:
        write_output(cases_of(report, tally), cases, is_text=True)
    if as_json:
        print_json(report)
    else:
        print_report(report)
