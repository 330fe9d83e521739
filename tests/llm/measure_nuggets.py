"""Measures what answers show that a model writes with sources, beside the passages that answer without it.

    TRUEREF_LLM_PYTHON=.make/llm/bin/python .venv/bin/python -m tests.llm.measure_nuggets INDEX CASES NUGGETS
        --file MODEL.gguf [--threads 4] [--questions 40]
    .venv/bin/python -m tests.llm.measure_nuggets INDEX CASES NUGGETS --url http://127.0.0.1:8080/v1 --name NAME

CASES and NUGGETS are files of `trueref eval`. The first questions that have nuggets are asked. With a file, llama.cpp
serves it in the environment that `make test-llm` makes; any GGUF of an instruct model will do, and the one of `make
test-llm` is too small to answer. A reader sees the passages where the text of the model does not pass its checks.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scripts.arguments import existing, index_folder, parser_of
from tests.llm.small_model import small_model

from trueref_server.evaluation.case_runs import card_texts, open_text
from trueref_server.evaluation.cases import Case, read_cases
from trueref_server.evaluation.nuggets import ShownNuggets, add_nuggets, see
from trueref_server.evaluation.outcomes import Outcome
from trueref_server.records import Answer, Question
from trueref_server.service import Service
from trueref_server.settings import load_settings

NO_MODEL: Final = (
    "no model is given. Name the file of one with --file MODEL.gguf, or an endpoint with --url and --name: no package has"
    " one that is large enough to answer, so that nothing can be measured without."
)
NO_PYTHON: Final = "--file needs xllamacpp: run `make test-llm`, and set TRUEREF_LLM_PYTHON=.make/llm/bin/python."
MODEL_SECONDS: Final = 600


@dataclass(frozen=True, slots=True)
class Shown:
    """What a reader sees of a case, who wrote it (a reason where the model's text was not shown), and in how long."""

    seen: ShownNuggets
    writer: str
    seconds: float


def main() -> None:
    """Ask, and print both figures."""
    options = _options()
    cases, _ = add_nuggets(read_cases([options.cases]), [options.nuggets])
    asked = [case for case in cases if case.nuggets][: options.questions]
    passages = asyncio.run(ask_all(options.index, asked, {}))
    serving = (
        small_model("--file", str(options.file.resolve()), "--threads", str(options.threads))
        if options.file
        else nullcontext(options.url)
    )
    with serving as url:
        model = {"model_url": url, "model_name": options.name, "model_seconds": MODEL_SECONDS}
        if key := os.environ.get("TRUEREF_MODEL_KEY"):
            model["model_key"] = key
        written = asyncio.run(ask_all(options.index, asked, model))
    print(f"{len(asked)} questions of {options.cases.name}, {sum(len(case.nuggets) for case in asked)} nuggets")
    print(figures("passages", passages))
    print(figures("model, or passages where its text does not pass", written))
    by_model = [at for at, shown in enumerate(written) if shown.writer == "model"]
    print(figures("  where its text is shown", [written[at] for at in by_model]))
    print(figures("  passages of the same questions", [passages[at] for at in by_model]))
    print(f"written by: {', '.join(f'{name} {n}' for name, n in Counter(one.writer for one in written).most_common())}")


def figures(name: str, shown: Sequence[Shown]) -> str:
    """A line of figures: questions that show everything, nuggets shown, those that mislead, and the median seconds."""
    if not shown:
        return f"{name}: no question"
    full, misleading = (sum(getattr(one.seen, each) for one in shown) for each in ("is_full", "misleads"))
    recall = statistics.mean(one.seen.recall for one in shown)
    seconds = statistics.median(one.seconds for one in shown)
    return (
        f"{name}: {full} of {len(shown)} show everything, {recall:.3f} of the nuggets, {misleading} mislead,"
        f" median {seconds:.1f} s"
    )


async def ask_all(index: Path, cases: Sequence[Case], options: dict[str, object]) -> list[Shown]:
    """Ask an index every case, one after the other, as a reader would."""
    # All questions come from one network: a budget would put passages in the place of the model's answers.
    unlimited = {"cache_answers": 0, "model_day_tokens": 0, "model_network_tokens": 0}
    service = Service(load_settings({}, options={"index": index, **unlimited, **options}))
    await service.warm()
    shown = [await _ask(service, case) for case in cases]
    await service.close()
    return shown


async def _ask(service: Service, case: Case) -> Shown:
    """Ask one case."""
    started = time.perf_counter()
    answer = await service.ask_whole(Question(case.question, case.history, case.page, case.version, case.language))
    outcome = Outcome(case.id, shown=_text(answer), cards=card_texts(answer))
    return Shown(see(case, outcome), answer.fallback or answer.mode, time.perf_counter() - started)


def _text(answer: Answer) -> str:
    """What a reader reads: the text of the model, or the open cards."""
    return answer.text if answer.mode == "model" else open_text(answer)


def _options() -> argparse.Namespace:
    """What it is called with; a mistake ends it with one line."""
    parser = parser_of(__doc__)
    parser.add_argument("index", type=index_folder)
    parser.add_argument("cases", type=existing)
    parser.add_argument("nuggets", type=existing)
    parser.add_argument("--file", type=existing, help="a model in llama.cpp's format, GGUF")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="that read and write with --file")
    parser.add_argument("--url", help="an OpenAI-compatible endpoint in place of a file")
    parser.add_argument("--name", default="given", help="the model that the endpoint is to use")
    parser.add_argument("--questions", type=int, default=40)
    options = parser.parse_args()
    if not (options.file or options.url):
        parser.error(NO_MODEL)
    if options.file and not os.environ.get("TRUEREF_LLM_PYTHON"):
        parser.error(NO_PYTHON)
    return options


if __name__ == "__main__":
    main()
