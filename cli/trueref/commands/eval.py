"""`trueref eval`: how well known questions find their sections."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from trueref.options import index_option, json_option, with_service

if TYPE_CHECKING:
    from trueref_server.evaluate import Outcome
    from trueref_server.service import Service


@click.command("eval")
@click.argument("cases", type=click.Path(path_type=Path))
@click.option("--results", type=click.Path(path_type=Path), help="Also write the results of every case to this file.")
@index_option
@json_option
def command(cases: Path, results: Path | None, index: Path | None, as_json: bool) -> None:
    """Search for every question in the file CASES and print the rates.

    A case is one line of JSON: {"id", "question", "gold": [{"page", "anchor"}], "answerable"}.
    """
    from trueref.output import print_json, print_table
    from trueref_server.evaluate import rate, read_cases, run_cases, write_outcomes

    known = read_cases(cases)

    async def search(service: Service) -> list[Outcome]:
        return await run_cases(service, known)

    outcomes = with_service(index, search)
    if results is not None:
        write_outcomes(results, outcomes)
    figures = rate(known, outcomes)
    if as_json:
        print_json(figures)
    else:
        print_table((name, f"{value:g}") for name, value in figures.items())
