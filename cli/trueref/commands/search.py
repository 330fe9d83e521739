"""`trueref search`: lists the sections that fit a query."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from trueref.options import question_of, question_options, require_serve, with_service

if TYPE_CHECKING:
    from trueref_server.records import SearchResult
    from trueref_server.service import Explanation, Service


@click.command("search")
@click.argument("query")
@click.option("--limit", type=click.IntRange(1, 50), default=10, show_default=True, help="Most results.")
@question_options
@click.pass_context
def command(
    ctx: click.Context,
    query: str,
    limit: int,
    index: Path | None,
    page: str | None,
    version: str | None,
    language: str | None,
    as_json: bool,
    explain: bool,
) -> None:
    """List the sections that fit QUERY, best first.

    Exits with 1 if there is none.
    """
    require_serve()
    from trueref.output import print_explanation, print_json, print_results

    reader_question = question_of(query, page, version, language)

    async def search(service: Service) -> tuple[list[SearchResult], Explanation | None]:
        # Only for `--explain`, since `look_up` also makes the answer, which a search does not need.
        explanation = await service.explain(reader_question, limit=limit) if explain else None
        return await service.search(reader_question, limit=limit), explanation

    results, explanation = with_service(index, search)
    if as_json:
        print_json({"results": results} if explanation is None else {"results": results, "explain": explanation})
    else:
        print_results(results)
        if explanation is not None:
            print_explanation(explanation)
    ctx.exit(0 if results else 1)
