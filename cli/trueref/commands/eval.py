"""`trueref eval`: how well known questions find their sections, and what the reader sees of the answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
import msgspec
from click.core import ParameterSource

from trueref.options import index_option, json_option, require_serve, settings_of, with_service
from trueref.output import one_line, print_json, print_table, write_output
from trueref_core.errors import OptionError

if TYPE_CHECKING:
    from trueref_server.evaluation.bootstrap import Interval, PairedDifference
    from trueref_server.evaluation.evaluation_report import EvaluationReport, Form, Kind
    from trueref_server.evaluation.judgements import Miss, NotShown
    from trueref_server.evaluation.risk import Point

INTERVAL: Final = "95 % interval"


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
    /,
    least: tuple[str, ...],
    most: tuple[str, ...],
    strict: bool,
    template: bool,
    output: Path | None,
    seed: int,
    index: Path | None,
    as_json: bool,
    **passed_on: Any,  # noqa: ANN401 (the other options, which `_evaluate` takes by the same names)
) -> None:
    """Search for every question in the files CASES and print the figures, each with its 95 % interval.

    A case is a line of JSON: {"id", "question", "gold": [{"page", "anchor"}], "answerable"}; a result, as --results
    writes it, is {"id", "results": [{"page", "anchor"}], "confidence"}. A case, or a line of --nuggets, may say what
    its answer has to show: {"id", "nuggets": [["span", "other span that says the same"]]}. Exits with 1 if a limit
    is not kept.
    """
    require_serve()
    from trueref_server.evaluation.required_figures import broken, read_limits

    _check_use(ctx)
    if template:
        _write_template(index, output, seed)
        return
    # Checked before the cases are asked, so that a limit that names no figure fails at once.
    limits = read_limits(least, most)
    report, stale = _evaluate(index, seed, **passed_on)
    _print_report(report, as_json=as_json)
    failed = broken(limits, report.figures)
    _say(failed)
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


# Long by its parameters, each as it comes from the command line, and by imports that no other command may pay for.
def _evaluate(
    index: Path | None,
    seed: int,
    *,
    cases: Sequence[Path],
    nuggets: Sequence[Path],
    source: Path | None,
    against: Path | None,
    results: Path | None,
    misses: bool,
) -> tuple[EvaluationReport, list[str]]:
    """Ask the cases of some files, or take the results in `source`, and say what to know about the cases.

    Returns:
        The report, and a line for each place that a case names and the index does not have.
    """
    from trueref_core.generations.served_generation import read_manifest
    from trueref_server.evaluation.case_runs import run_cases
    from trueref_server.evaluation.cases import read_cases, ready
    from trueref_server.evaluation.evaluation_report import report_on
    from trueref_server.evaluation.gold import settle
    from trueref_server.evaluation.nuggets import add_nuggets
    from trueref_server.evaluation.outcomes import read_outcomes, write_outcomes

    # Before the index is opened: a mistake in a file of cases is said at once.
    with_nuggets, unknown = add_nuggets(read_cases(cases), nuggets)
    asked, notes = ready(with_nuggets)
    # Before any case is asked: a file that cannot be read is said at once.
    earlier = read_outcomes(against) if against is not None else None
    stale: list[str] = []
    # Results may be those of several sites, and no one index has all of their places.
    if source is None or index is not None:
        asked, stale = settle(read_manifest(settings_of(index=index).index), asked)
    _say([*notes, *unknown, *stale])
    if source is not None:
        outcomes = read_outcomes(source)
    else:
        outcomes = with_service(index, lambda service: run_cases(service, asked))
    # Before the report: the answers are kept even if a figure cannot be counted.
    if results is not None:
        write_outcomes(results, outcomes)
    return report_on(asked, outcomes, earlier, with_misses=misses, seed=seed), stale


def _write_template(index: Path | None, output: Path | None, seed: int) -> None:
    """Write cases to begin with to a new file, or print them.

    Raises:
        OptionError: The file is there already, or the index has no page to ask about.
    """
    from trueref_core.generations.served_generation import read_manifest
    from trueref_server.evaluation.template import template

    if output is not None and output.is_file():
        raise OptionError(f"{output} is there already, and may hold edited cases. Name another file.")
    write_output(template(read_manifest(settings_of(index=index).index), seed), output, is_text=True)


def _say(notes: Iterable[str]) -> None:
    """Tell something beside the figures."""
    for note in notes:
        click.echo(f"trueref: {one_line(note)}", err=True)


def _print_report(report: EvaluationReport, *, as_json: bool) -> None:
    """Print the figures, one a line, and what else was asked for; as JSON one object with the figures as fields."""
    # To stderr, so that the JSON on stdout can be read by a program.
    _say(report.notes)
    if as_json:
        fields = msgspec.to_builtins(report)
        figures = fields.pop("figures")
        del fields["notes"]
        print_json(figures | {name: part for name, part in fields.items() if part is not None})
        return
    print_table(_lines(report.figures, report.intervals))
    for table in (
        _kinds(report.kinds or ()),
        _forms(report.forms or ()),
        _risk(report.risk or ()),
        _differences(report.against or {}),
    ):
        # A table without rows is its head alone.
        if len(rows := list(table)) > 1:
            click.echo()
            print_table(rows)
    if report.misses is not None:
        _print_misses(report.misses)
    if report.not_shown is not None:
        _print_not_shown(report.not_shown)


def _lines(figures: Mapping[str, float], intervals: Mapping[str, Interval]) -> Iterator[Sequence[str]]:
    yield "", "value", INTERVAL
    for name, value in figures.items():
        yield name, f"{value:g}", _range(intervals[name]) if name in intervals else ""


def _kinds(kinds: Sequence[Kind]) -> Iterator[Sequence[str]]:
    names = list(dict.fromkeys(name for row in kinds for name in row.figures))
    yield "kind", "n", *names
    for row in kinds:
        yield (
            row.kind or "-",
            str(row.n),
            *(f"{row.figures[name]:g}" if name in row.figures else "" for name in names),
        )


def _forms(forms: Sequence[Form]) -> Iterator[Sequence[str]]:
    """The table of the forms of what answers."""
    yield "form", "n", "shown", INTERVAL
    for row in forms:
        yield row.form or "-", str(row.n), f"{row.shown:g}", _range(row.interval)


def _risk(points: Sequence[Point]) -> Iterator[Sequence[str]]:
    """The table of coverage against risk."""
    yield "confidence", "coverage", "risk"
    for point in points:
        yield f"{point.confidence:g}", f"{point.coverage:g}", f"{point.risk:g}"


def _differences(differences: Mapping[str, PairedDifference]) -> Iterator[Sequence[str]]:
    """The table of what differs from earlier results."""
    yield "", "before", "after", "change", INTERVAL
    for name, difference in differences.items():
        yield (
            name,
            f"{difference.before:g}",
            f"{difference.after:g}",
            f"{difference.difference:+g}",
            _range(difference.interval),
        )


def _range(interval: Interval) -> str:
    low, high = interval
    return f"{low:g} to {high:g}"


def _print_misses(misses: Sequence[Miss]) -> None:
    """List the cases that went wrong, with what was found instead."""
    click.echo(f"\nMissed: {len(misses)}")
    for miss in misses:
        click.echo(f"\n{click.style(one_line(miss.id), bold=True)}  {one_line(miss.question)}")
        for href in miss.gold:
            click.echo(f"  gold  {one_line(href) or '/'}")
        # A question without gold was answered: there is no rank to print.
        if miss.gold:
            click.echo(f"  rank  {miss.section_rank or 'none'}, of its page {miss.page_rank or 'none'}")
        else:
            click.echo("  answered, though it has no gold")
        for hit in miss.found:
            click.echo(f"  {hit.rank:>4}  {one_line(hit.href) or '/'}")


def _print_not_shown(cases: Sequence[NotShown]) -> None:
    """List the cases whose answers do not show everything."""
    click.echo(f"\nNot shown: {len(cases)}")
    for case in cases:
        form = f"  {one_line(case.form)}" if case.form else ""
        click.echo(f"\n{click.style(one_line(case.id), bold=True)}{form}  {one_line(case.question)}")
        for nugget in case.nuggets:
            click.echo(f"  lacks     {one_line(nugget)}")
        if case.in_cards:
            click.echo("            which a reader sees who opens the cards")
        for span in case.misleading:
            click.echo(f"  misleads  {one_line(span)}")
        click.echo(f"  shows     {one_line(case.card) or 'nothing'}")
