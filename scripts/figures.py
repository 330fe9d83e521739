"""What the docs measure, measured again: runs the measuring scripts, each figure beside the page that quotes it.

    python -m scripts.figures [NAME=VALUE ...]      (make figures [NAME=VALUE ...])

Without names the docs of this project are measured, in `site/` and `.trueref/`, with questions that quote their titles:
such figures show that a measurement works. INDEX, CASES, SITE and PROJECT name another site. What needs more says in a
line what to give. LONG=1 takes what lasts longer than some minutes too, and ONLY=WORD what has the word in its page or
its command. Run it on an idle machine.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Final, NamedTuple

from scripts.arguments import parser_of

ROOT: Final = Path(__file__).resolve().parent.parent

INPUTS: Final = {
    "INDEX": "the folder of an index",
    "CASES": "questions to that index, a file of cases for `trueref eval`, with nuggets where these are counted",
    "SITE": "the folder of a built site",
    "PROJECT": "a folder with mkdocs.yml that has trueref among its plugins",
    "OUT": "a folder to write into",
    "BASE_URL": "the address of SITE",
    "TRUTH": "a file with the broken links of SITE, a line each",
    "SITES": "INDEX CASES CASES of three sites or more in quotes, as `training/fetch_sites.py` makes them",
    "PAIRS": "uv=INDEX or mkdocs-material=INDEX, an index of that site",
    "SEARCHED": "a site whose build wrote `assets/trueref/search/`",
    "SEARCHED_SITES": "SEARCHED CASES CASES of two sites or more in quotes",
    "URL": "the address of a language model",
    "NAME": "the name of that model",
    "TORCH": "a Python that has torch and what else training/README.md names",
    "EXAMPLES": "the folder that `training/collect_examples.py` writes",
    "WEIGHTS": "the published weights of the embedder",
    "FITTED": "a site of EXAMPLES that a reader was not trained on, to fit to",
}
"""What measurements are given, by name."""

OWN: Final = {"INDEX": ".trueref", "SITE": "site", "PROJECT": ".", "SEARCHED": "site"}


class Row(NamedTuple):
    """A figure or a table of the docs: the pages that quote it, what is measured, and the command that prints it."""

    pages: tuple[str, ...]
    what: str
    command: str
    is_long: bool = False

    @property
    def inputs(self) -> list[str]:
        """The names of what the command is given."""
        return [name for _, name, _, _ in Formatter().parse(self.command) if name]


def row(pages: str, what: str, command: str, *, is_long: bool = False) -> Row:
    """A row of the table. Pages stand in one string; those of the docs are named without their folder."""
    paths = tuple(page if "README" in page else f"docs/{page}" for page in pages.split())
    return Row(paths, what, command, is_long)


CHOICE, MODEL = "decisions/choice.md", "decisions/model-answers.md"
MEASUREMENTS: Final = (
    row(
        "benchmarks.md#search-quality README.md index.md comparison.md decisions/evaluation.md",
        "what is found and shown",
        "trueref eval {CASES} --index {INDEX}",
    ),
    row(
        "benchmarks.md#correcting-links decisions/corrections.md",
        "links that were spoiled",
        "python -m scripts.link_benchmark {INDEX} --count 1000",
    ),
    row(
        "benchmarks.md#checking-links decisions/check-site.md comparison.md",
        "other checkers",
        "python -m scripts.compare_checkers {SITE} {BASE_URL} --truth {TRUTH} --project {PROJECT}",
    ),
    row(
        "benchmarks.md#other-sites decisions/non-pages.md",
        "other sites, beside Chromium",
        "make --no-print-directory other-sites",
        is_long=True,
    ),
    row(
        "benchmarks.md#what-a-build-costs decisions/chunks.md",
        "embedding and the rest of a build",
        "python -m scripts.measure embed {SITE}",
        is_long=True,
    ),
    row("benchmarks.md#what-a-build-costs", "the plugin", "python -m scripts.measure build {PROJECT}", is_long=True),
    row(
        "benchmarks.md#what-a-build-costs decisions/build-time.md decisions/page-weights.md quick-start.md",
        "a first build",
        "/usr/bin/time -v {PYTHON} -m trueref index {SITE} --index {OUT}/index --embedder bundled",
        is_long=True,
    ),
    row(
        "benchmarks.md#the-first-hour",
        "newcomers",
        "python -m scripts.first_hour {OUT} serve sphinx docusaurus",
        is_long=True,
    ),
    row(
        "benchmarks.md#what-a-change-costs decisions/incremental-builds.md",
        "one changed page",
        "python -m scripts.measure change {SITE}",
        is_long=True,
    ),
    row(
        "benchmarks.md#what-a-search-costs",
        "milliseconds of a search",
        "python -m scripts.measure search {INDEX} {CASES}",
    ),
    row(
        "benchmarks.md#scale decisions/scale.md deploy.md",
        "indexes of up to a million chunks",
        "python -m scripts.measure scale {INDEX} {CASES} 1000 10000 100000 1000000",
        is_long=True,
    ),
    row(
        "benchmarks.md#memory-over-many-questions",
        "memory while questions are asked",
        "python -m scripts.soak {INDEX} --questions 20000",
        is_long=True,
    ),
    row(
        "static.md decisions/static-search.md",
        "bytes of a first question",
        "node scripts/static_search.mjs {SEARCHED} {CASES}",
    ),
    row("decisions/answer-cache.md", "first byte of kept answers", "python -m scripts.measure_cache {INDEX}"),
    row(
        "decisions/static-search.md",
        "the curve of confidence without a server",
        "python -m scripts.fit_static_confidence {SEARCHED_SITES}",
    ),
    row(CHOICE, "what an answer costs", "python -m scripts.measure_answers {INDEX} {CASES}"),
    row(CHOICE, "weights of the choice", "python -m scripts.fit_answers {SITES}"),
    row("decisions/confidence.md", "the curve of confidence", "python -m scripts.fit_confidence {SITES}"),
    row("decisions/ranking.md", "signals left out", "python -m scripts.ablation {INDEX} {CASES}", is_long=True),
    row("decisions/reading-questions.md", "new topics", "python -m scripts.topics {PAIRS}"),
    row("decisions/reading-questions.md", "dearest questions", "python -m scripts.worst_questions {INDEX} {CASES}"),
    row("decisions/gate.md", "milliseconds of the gate", "python -m scripts.measure_references {INDEX}"),
    row(
        "decisions/gate.md", "the gate beside a model", "python -m scripts.measure_references {INDEX} --model-url {URL}"
    ),
    row(MODEL, "marked sentences of recorded answers", "python -m scripts.fact_check"),
    row(MODEL, "negations in other languages", "python -m scripts.negation_words"),
    row(
        f"{MODEL} models.md",
        "nuggets of a model",
        "python -m tests.llm.measure_nuggets {INDEX} {CASES} {CASES} --url {URL} --name {NAME}",
    ),
    row(
        "decisions/shipped-model.md decisions/light-commands.md",
        "loading the model",
        "python -m scripts.measure_loading --runs 7",
    ),
    row(
        "decisions/shipped-model.md training/README.md",
        "training",
        "{TORCH} training/train_embedder.py {EXAMPLES} {WEIGHTS} {OUT} --steps 534",
        is_long=True,
    ),
    row(
        "decisions/reader.md",
        "trained readers of passages",
        "{TORCH} training/try_reader.py {EXAMPLES} {OUT} black --fitted-to {FITTED}",
    ),
    row(
        "decisions/insight.md",
        "a day of simulated readers",
        "python -m scripts.simulate_day {INDEX} {OUT}/day.db",
        is_long=True,
    ),
    row("decisions/folders.md decisions/build-layers.md", "modules and lines", "python -m scripts.code_layout"),
    row(
        "decisions/widget-layer.md decisions/cards.md decisions/error-messages.md decisions/pdf-viewer.md",
        "bytes of the widget",
        "npm --prefix widget --silent run size",
    ),
    row(
        "decisions/sessions.md",
        "a signature",
        "python -m timeit -s 'from trueref_server.model.sessions import Sessions; made = Sessions(\"\", 3600)' "
        '\'made.is_valid(made.issue("192.0.2.0"), "192.0.2.0")\'',
    ),
    row(
        "decisions/error-messages.md",
        "a look for a build",
        "python -m timeit -s 'from pathlib import Path; from trueref_core.generations.updating import is_updating' "
        "'is_updating(Path())'",
    ),
    row(
        "decisions/light-commands.md decisions/click.md",
        "importing LanceDB",
        "python -c 'from time import process_time as now; start = now(); import lancedb; print(now() - start)'",
    ),
    row(
        "decisions/light-commands.md",
        "importing LanceDB as a command does",
        "python -c 'from time import process_time as now; from trueref_core.tables import table_writer as tables; "
        "start = now(); tables.import_lancedb_lightly(); print(now() - start)'",
    ),
    row("tests/README.md", "how many tests each marker has", "python -m scripts.count_tests"),
)


def main() -> int:
    """Measure all that can be measured with what is given. The exit code is 1 if a command failed."""
    parser = parser_of(__doc__)
    parser.add_argument("inputs", nargs="*", metavar="NAME=VALUE")
    given: dict[str, str] = {}
    for argument in parser.parse_args().inputs:
        name, sign, value = argument.partition("=")
        if not sign or name not in (*INPUTS, "LONG", "ONLY"):
            parser.error(f"{argument} is none of: {', '.join(f'{name}=' for name in (*INPUTS, 'LONG', 'ONLY'))}")
        given[name] = value
    chosen = [row for row in MEASUREMENTS if given.get("ONLY", "") in f"{row.pages} {row.command}"]
    if not chosen:
        parser.error(f"no measurement has {given['ONLY']} in its page or its command")
    with tempfile.TemporaryDirectory() as folder:
        values = {"PYTHON": sys.executable, "OUT": folder, **({} if OWN.keys() & given.keys() else OWN), **given}
        if "INDEX" in values and "CASES" not in given and any("CASES" in row.inputs for row in chosen):
            values["CASES"] = f"{folder}/cases.jsonl"
            print("The questions quote titles of the index: figures of them say nothing beside those of the pages.")
            made = subprocess.run(
                argv("trueref eval --template --index {INDEX} -o {CASES}", values), cwd=ROOT, check=False
            )
            if made.returncode:
                return 1
        results = {row: measure(row, values, may_last="LONG" in given) for row in chosen}
    return report(results)


def report(results: Mapping[Row, bool | None]) -> int:
    """Say at the end how many rows were measured, and which commands failed. Gives 1 if any did."""
    failed = [row for row, is_measured in results.items() if is_measured is False]
    counts = [sum(is_measured is wanted for is_measured in results.values()) for wanted in (True, None)]
    print(f"\n{counts[0]} measured, {counts[1]} not measured, {len(failed)} failed")
    for row in failed:
        print(f"  failed: {row.pages[0]}: {row.what}")
    return int(bool(failed))


def measure(row: Row, values: Mapping[str, str], *, may_last: bool) -> bool | None:
    """Print the figures of a row, each line behind its page, or what the row lacks.

    Returns:
        Whether the command gave figures; None if it was not run.
    """
    print(f"\n{', '.join(row.pages)}: {row.what}", flush=True)
    lacking = [f"{name}= ({INPUTS[name]})" for name in dict.fromkeys(row.inputs) if name not in values]
    lacking += ["LONG=1 (it lasts longer than some minutes)"] if row.is_long and not may_last else []
    if lacking:
        print(f"  not measured: give {', '.join(lacking)}\n  {row.command}")
        return None
    command = argv(row.command, values)
    print(f"  $ {shlex.join(command)}", flush=True)
    try:
        for line in run(command):
            print(f"  {row.pages[0]} | {line}", flush=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"  {row.pages[0]} | failed: {error}")
        return False
    return True


def run(command: list[str]) -> Iterator[str]:
    """The lines of what a command prints, errors and `time` included, as they come."""
    environment = os.environ | {"PYTHONUNBUFFERED": "1", "COLUMNS": "120"}
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        assert process.stdout is not None
        yield from (line.rstrip() for line in process.stdout if line.strip())
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)


def argv(command: str, values: Mapping[str, str]) -> list[str]:
    """A command of the table with what it is given, as its arguments. Names that end with SITES may be several."""
    words = [part for word in shlex.split(command) for part in filled(word, values)]
    heads = {"python": [sys.executable], "trueref": [sys.executable, "-m", "trueref"]}
    return [*heads.get(words[0], words[:1]), *words[1:]]


def filled(word: str, values: Mapping[str, str]) -> list[str]:
    """A word of a command with what it names."""
    value = word.format_map(values)
    return shlex.split(value) if word.endswith("SITES}") else [value]


if __name__ == "__main__":
    sys.exit(main())
