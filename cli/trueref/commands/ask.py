"""`trueref ask`: an answer with its sources."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from trueref.options import question_of, question_options, require_serve, with_service

if TYPE_CHECKING:
    from trueref_server.records import Answer
    from trueref_server.service import Explanation, Service


@click.command("ask")
@click.argument("question")
@click.option(
    "--all", "with_all_cards", is_flag=True, help="Also print the passages of other sections, and every source."
)
@question_options
@click.pass_context
def command(
    ctx: click.Context,
    question: str,
    with_all_cards: bool,
    index: Path | None,
    page: str | None,
    version: str | None,
    language: str | None,
    as_json: bool,
    explain: bool,
) -> None:
    """Answer QUESTION from the documentation.

    Exits with 1 if the documentation has no answer.
    """
    # Before the imports below, which would fail with a traceback without the extra.
    require_serve()
    from trueref.output import print_answer, print_explanation, print_json

    reader_question = question_of(question, page, version, language)

    async def ask(service: Service) -> tuple[Answer, Explanation | None]:
        # For `--explain` the service searches once more, since an answer has no signals in it.
        return await service.ask_whole(reader_question), await service.explain(reader_question) if explain else None

    answer, explanation = with_service(index, ask)
    if as_json:
        print_json(answer if explanation is None else {"answer": answer, "explain": explanation})
    else:
        print_answer(answer, with_all_cards=with_all_cards)
        if explanation is not None:
            print_explanation(explanation)
    ctx.exit(1 if answer.verdict == "not-found" else 0)
