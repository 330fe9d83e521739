"""`trueref eval`: measures how well questions find their sections, and how much of each answer a reader sees."""

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
    from trueref_server.evaluation.evaluation_report import EvaluationReport, FormFigures, KindFigures
    from trueref_server.evaluation.judgements import Miss, NotShown
    from trueref_server.evaluation.risk_coverage import RiskPoint

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
@click.option(
    "--min", "minimums", multiple=True, metavar="NAME=VALUE", help="Exit with 1 under this value. Repeatable."
)
@click.option("--max", "maximums", multiple=True, metavar="NAME=VALUE", help="Exit with 1 over this value. Repeatable.")
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
@click.option("--template", is_flag=True, help="Write cases to start from, made from titles of the whole site.")
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
    minimums: tuple[str, ...],
    maximums: tuple[str, ...],
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
    # Read before the cases are run, so that a limit with a wrong name fails at once.
    limits = read_limits(minimums, maximums)
    report, missing_places = _evaluate(index, seed, **passed_on)
    _print_report(report, as_json=as_json)
    broken_limits = broken(limits, report.figures)
    _print_notes(broken_limits)
    # Missing places fail a run only with `--strict`, since sites change after their cases were written.
    ctx.exit(1 if broken_limits or (strict and missing_places) else 0)


def _check_use(ctx: click.Context) -> None:
    """Raise `UsageError` for options that do not go together, before anything is searched."""
    # Only options that were given on the command line count, even if their value is the default.
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


# This function is long because of its parameters, and of imports that must not slow down other commands.
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
    """Run the cases of some files, or read their results from `source`, and print notes about the cases.

    Returns:
        The report, and a line for each place that a case names and the index does not have.
    """
    from trueref_core.generations.served_generation import read_manifest
    from trueref_server.evaluation.case_runs import run_cases
    from trueref_server.evaluation.cases import read_cases, ready
    from trueref_server.evaluation.evaluation_report import report_on
    from trueref_server.evaluation.gold import settle
    from trueref_server.evaluation.nuggets import add_nuggets
    from trueref_server.evaluation.outcomes import check_writable, read_outcomes, write_outcomes

    if results is not None:
        check_writable(results, [*cases, *nuggets, *([against] if against is not None else [])])
    # Before the index is opened, so that a mistake in a file of cases is reported at once.
    with_nuggets, nugget_notes = add_nuggets(read_cases(cases), nuggets)
    runnable_cases, case_notes = ready(with_nuggets)
    # Before any case is run, so that a file that cannot be read is reported at once.
    earlier_outcomes = read_outcomes(against) if against is not None else None
    missing_places: list[str] = []
    # Results from a file may be of several sites, and no single index has all of their places.
    if source is None or index is not None:
        runnable_cases, missing_places = settle(read_manifest(settings_of(index=index).index), runnable_cases)
    _print_notes([*case_notes, *nugget_notes, *missing_places])
    if source is not None:
        outcomes = read_outcomes(source)
    else:
        outcomes = with_service(index, lambda service: run_cases(service, runnable_cases))
    # Before the report is made, so that the results are kept even if a figure cannot be computed.
    if results is not None:
        write_outcomes(results, outcomes)
    return report_on(runnable_cases, outcomes, earlier_outcomes, with_misses=misses, seed=seed), missing_places


def _write_template(index: Path | None, output: Path | None, seed: int) -> None:
    """Write a first set of cases to a new file, or print it.

    Raises:
        OptionError: The file exists already, or the index has no page to ask about.
    """
    from trueref_core.generations.served_generation import read_manifest
    from trueref_server.evaluation.template import template

    if output is not None and output.is_file():
        raise OptionError(f"{output} is there already, and may hold edited cases. Name another file.")
    write_output(template(read_manifest(settings_of(index=index).index), seed), output, is_text=True)


def _print_notes(notes: Iterable[str]) -> None:
    """Print notes to stderr, one in each line."""
    for note in notes:
        click.echo(f"trueref: {one_line(note)}", err=True)


def _print_report(report: EvaluationReport, *, as_json: bool) -> None:
    """Print the figures, one in each line, and the other parts of the report that were requested.

    As JSON, the report is one object with the figures as fields.
    """
    # To stderr, so that the JSON on stdout can be read by a program.
    _print_notes(report.notes)
    if as_json:
        fields = msgspec.to_builtins(report)
        figures = fields.pop("figures")
        del fields["notes"]
        print_json(figures | {name: part for name, part in fields.items() if part is not None})
        return
    print_table(_figure_rows(report.figures, report.intervals))
    for table in (
        _kind_rows(report.kinds or ()),
        _form_rows(report.forms or ()),
        _risk_rows(report.risk or ()),
        _difference_rows(report.against or {}),
    ):
        # A table without rows has only its head.
        if len(rows := list(table)) > 1:
            click.echo()
            print_table(rows)
    if report.misses is not None:
        _print_misses(report.misses)
    if report.not_shown is not None:
        _print_not_shown(report.not_shown)


def _figure_rows(figures: Mapping[str, float], intervals: Mapping[str, Interval]) -> Iterator[Sequence[str]]:
    """The rows of a table of figures, its header first."""
    yield "", "value", INTERVAL
    for name, value in figures.items():
        yield name, f"{value:g}", _interval_text(intervals[name]) if name in intervals else ""


def _kind_rows(kinds: Sequence[KindFigures]) -> Iterator[Sequence[str]]:
    """The rows of the table of figures by kind of case."""
    names = list(dict.fromkeys(name for row in kinds for name in row.figures))
    yield "kind", "n", *names
    for row in kinds:
        yield (
            row.kind or "-",
            str(row.n),
            *(f"{row.figures[name]:g}" if name in row.figures else "" for name in names),
        )


def _form_rows(forms: Sequence[FormFigures]) -> Iterator[Sequence[str]]:
    """The rows of the table by the form of the passage that answers."""
    yield "form", "n", "shown", INTERVAL
    for row in forms:
        yield row.form or "-", str(row.n), f"{row.shown:g}", _interval_text(row.interval)


def _risk_rows(points: Sequence[RiskPoint]) -> Iterator[Sequence[str]]:
    """The rows of the table of coverage and risk."""
    yield "confidence", "coverage", "risk"
    for point in points:
        yield f"{point.confidence:g}", f"{point.coverage:g}", f"{point.risk:g}"


def _difference_rows(differences: Mapping[str, PairedDifference]) -> Iterator[Sequence[str]]:
    """The rows of the table of differences from earlier results."""
    yield "", "before", "after", "change", INTERVAL
    for name, difference in differences.items():
        yield (
            name,
            f"{difference.before:g}",
            f"{difference.after:g}",
            f"{difference.difference:+g}",
            _interval_text(difference.interval),
        )


def _interval_text(interval: Interval) -> str:
    """The two ends of an interval as text."""
    low, high = interval
    return f"{low:g} to {high:g}"


def _print_misses(misses: Sequence[Miss]) -> None:
    """Print the cases that went wrong, with the sections that were found instead."""
    click.echo(f"\nMissed: {len(misses)}")
    for miss in misses:
        click.echo(f"\n{click.style(one_line(miss.id), bold=True)}  {one_line(miss.question)}")
        for href in miss.gold:
            click.echo(f"  gold  {one_line(href) or '/'}")
        # A case without gold is listed because it was answered: it has no rank.
        if miss.gold:
            click.echo(f"  rank  {miss.section_rank or 'none'}, of its page {miss.page_rank or 'none'}")
        else:
            click.echo("  answered, though it has no gold")
        for hit in miss.found:
            click.echo(f"  {hit.rank:>4}  {one_line(hit.href) or '/'}")


def _print_not_shown(cases: Sequence[NotShown]) -> None:
    """Print the cases whose answers lack a nugget or show something misleading."""
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
