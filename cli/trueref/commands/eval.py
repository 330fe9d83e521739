"""`trueref eval`: how well known questions find their sections, and what the reader sees of the answers."""

from __future__ import annotations

from pathlib import Path

import click
from click.core import ParameterSource

from trueref.options import index_option, json_option, require_serve


@click.command("eval")
@click.argument("cases", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--nuggets",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="What the answers have to show, by the id of the case. Repeatable.",
)
@click.option("--results", type=click.Path(path_type=Path), help="Also write the results of every case to this file.")
@click.option("--misses", is_flag=True, help="Also list the cases that went wrong, with what was found instead.")
@click.option("--min", "least", multiple=True, metavar="NAME=VALUE", help="Exit with 1 under this value. Repeatable.")
@click.option("--max", "most", multiple=True, metavar="NAME=VALUE", help="Exit with 1 over this value. Repeatable.")
@click.option("--strict", is_flag=True, help="Exit with 1 if the index does not have a place that a case names.")
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path),
    metavar="RESULTS",
    help="Read results from a file instead of searching.",
)
@click.option(
    "--against", type=click.Path(path_type=Path), metavar="RESULTS", help="Compare with the results in this file."
)
@click.option("--template", is_flag=True, help="Write cases to begin with, made of titles from all over the site.")
@click.option(
    "--output", "-o", type=click.Path(path_type=Path), metavar="FILE", help="Where --template writes. Default: stdout."
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the random numbers.")
@index_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    cases: tuple[Path, ...],
    nuggets: tuple[Path, ...],
    results: Path | None,
    misses: bool,
    least: tuple[str, ...],
    most: tuple[str, ...],
    strict: bool,
    source: Path | None,
    against: Path | None,
    template: bool,
    output: Path | None,
    seed: int,
    index: Path | None,
    as_json: bool,
) -> None:
    """Search for every question in the files CASES and print the figures, each with its 95 % interval.

    A case is a line of JSON: {"id", "question", "gold": [{"page", "anchor"}], "answerable"}; a result, as --results
    writes it, is {"id", "results": [{"page", "anchor"}], "confidence"}. A case, or a line of --nuggets, may say what
    its answer has to show: {"id", "nuggets": [["span", "other span that says the same"]]}. Exits with 1 if a limit
    is not kept.
    """
    require_serve()
    from trueref.evaluating import evaluate, print_report, say, write_template
    from trueref_server.evaluation.required_figures import broken, read_limits

    _check_use(ctx)
    if template:
        write_template(index, output, seed)
        return
    # Checked before the cases are asked, so that a limit that names no figure fails at once.
    limits = read_limits(least, most)
    report, stale = evaluate(cases, nuggets, index, source, against, results, with_misses=misses, seed=seed)
    print_report(report, as_json=as_json)
    failed = broken(limits, report.figures)
    say(failed)
    # Places that are gone end a run only if that is asked for: a site changes under its cases.
    ctx.exit(1 if failed or (strict and stale) else 0)


def _check_use(ctx: click.Context) -> None:
    """Refuse options that do not go together, before anything is searched."""
    # Click knows where a value comes from: an option that has its default value was not given.
    used_options = {name for name in ctx.params if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE}
    if "template" in used_options:
        if used_options - {"template", "output", "seed", "index"}:
            raise click.UsageError("--template reads no cases, and goes with -o, --seed and --index only.")
    elif "cases" not in used_options:
        raise click.UsageError("Missing argument 'CASES...'. `trueref eval --template -o cases.jsonl` writes some.")
    elif "output" in used_options:
        raise click.UsageError("-o is where --template writes. Results are written with --results.")
    elif {"results", "source"} <= used_options:
        raise click.UsageError("--results writes what is searched, and with --from nothing is. Give one of them.")
