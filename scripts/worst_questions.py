"""Measures how much more the worst questions cost than ordinary ones, in CPU time of one run and in searches.

    python -m scripts.worst_questions INDEX CASES [SEED]

The ordinary questions are those of a file of cases. The worst questions are made from words of the index, and are as
long as the server allows.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final
from unittest.mock import patch

from scripts.arguments import existing, index_folder, parser_of

from trueref_core.generations.open_generation import OpenIndex
from trueref_core.generations.served_generation import open_index
from trueref_server.corpus.corpus import Corpus
from trueref_server.evaluation.cases import read_cases
from trueref_server.records import Exchange, Question
from trueref_server.service import Service
from trueref_server.settings import Settings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from trueref_core.tables.chunk_search import ScoredChunk
    from trueref_core.tables.filters import Filters

MAX_CHARACTERS: Final = Settings().max_question
ROUNDS: Final = 3
"""How many times each question is asked. The least time counts, since other work can only make it longer."""

ASKED_AT_ONCE: Final = (2, 3, 6)
"""How many questions are put together into one question."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a question: CPU seconds of the process, the share of the event loop's thread, and searches."""

    seconds: float
    on_loop: float
    searches: int


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of ordinary questions, and those of the worst questions by what these are made of."""

    ordinary: Sequence[Cost]
    worst: Mapping[str, Cost]

    @property
    def median(self) -> float:
        """The median of the CPU seconds of ordinary questions."""
        return statistics.median(cost.seconds for cost in self.ordinary)

    def times(self, name: str) -> float:
        """The CPU time of one of the worst questions as a multiple of that of an ordinary one."""
        return self.worst[name].seconds / self.median


def worst_questions(words: Sequence[str], names: Sequence[str], rng: random.Random) -> dict[str, Question]:
    """Questions of `MAX_CHARACTERS` characters and conversations, by what they are made of.

    Args:
        words: The words of the site.
        names: The identifiers of the site.
        rng: Chooses among words and identifiers.
    """

    def word() -> str:
        return rng.choice(words)

    makers: dict[str, Callable[[], str]] = {
        "identifiers of the site": lambda: rng.choice(names),
        "dotted words of the site": lambda: f"{word()}.{word()}",
        "identifiers of nobody": lambda: f"a{rng.randrange(999)}_b{rng.randrange(999)}",
        "options": lambda: f"--{word()}",
        "quotations": lambda: f"`{word()}`",
        "quoted options": lambda: f"`--{word()} {word()}`",
        "words": word,
        "strange words": lambda: f"{word()}x",
        "errors": lambda: f"Error: {word()} {word()} not found.",
        "sentences": lambda: f"How do I {word()} {word()}?",
        "characters": lambda: chr(rng.randrange(0x4E00, 0x9FFF)),
    }
    questions = {name: Question(_filled(make, MAX_CHARACTERS)) for name, make in makers.items()}
    for name in ("identifiers of the site", "dotted words of the site", "options", "words"):
        for count in ASKED_AT_ONCE:
            for size in (60, 110, MAX_CHARACTERS // count):
                text = "? ".join("How do I " + _filled(makers[name], size - 12) for _ in range(count))
                questions[f"{count} questions of {size} characters, {name}"] = Question(f"{text}?"[:MAX_CHARACTERS])
        earlier = tuple(Exchange(f"and {_filled(makers[name], MAX_CHARACTERS - 4)}") for _ in range(10))
        questions[f"and why, after {name}"] = Question("and why is it so?", earlier)
        questions[f"and {name}, after as much"] = Question(f"and {questions[name].text}"[:MAX_CHARACTERS], earlier)
    return questions


def _filled(make: Callable[[], str], length: int) -> str:
    """A text of `length` characters, made of pieces that `make` returns."""
    pieces: list[str] = []
    while sum(map(len, pieces)) + len(pieces) < length:
        pieces.append(make())
    return " ".join(pieces)[:length]


@contextmanager
def counted_searches() -> Iterator[list[str]]:
    """Collects the searches of all indexes while the block runs: their texts, and "" for searches by vector."""
    queries: list[str] = []
    by_text, by_vector = OpenIndex.search_text, OpenIndex.search_vector

    async def search_text(
        self: OpenIndex, query: str, *, limit: int, filters: Filters | None = None
    ) -> list[ScoredChunk]:
        queries.append(query)
        return await by_text(self, query, limit=limit, filters=filters)

    async def search_vector(
        self: OpenIndex, vector: NDArray[np.float32], *, limit: int, filters: Filters | None = None
    ) -> list[ScoredChunk]:
        queries.append("")
        return await by_vector(self, vector, limit=limit, filters=filters)

    with patch.object(OpenIndex, "search_text", search_text), patch.object(OpenIndex, "search_vector", search_vector):
        yield queries


async def cost_of(service: Service, question: Question) -> Cost:
    """The cost of a question: the least of several answers."""
    costs: list[Cost] = []
    for _ in range(ROUNDS):
        with counted_searches() as searches:
            process_start, loop_start = time.process_time(), time.thread_time()
            await service.ask_whole(question)
            seconds = time.process_time() - process_start
            costs.append(Cost(seconds, (time.thread_time() - loop_start) / seconds, len(searches)))
    return min(costs, key=lambda cost: cost.seconds)


async def words_and_names(index: Path) -> tuple[list[str], list[str]]:
    """The words of the sites of an index, and their identifiers, both sorted."""
    opened = await open_index(index)
    statistics_of_site = (await Corpus.of(opened)).statistics
    await opened.close()
    names = sorted({name for spellings in statistics_of_site.names.values() for name in spellings})
    return sorted(statistics_of_site.words), names


async def costs_of(index: Path, ordinary: Iterable[Question], seed: int) -> Costs:
    """The costs of ordinary questions and of the worst ones for an index."""
    worst = worst_questions(*await words_and_names(index), random.Random(seed))  # noqa: S311
    service = Service(Settings(index=index, cache_answers=0))
    await service.warm()
    try:
        # Ordinary questions are asked between the others, so that other work of the machine affects both alike.
        questions, ordinary_costs, worst_costs = list(ordinary), list[Cost](), dict[str, Cost]()
        for number, (name, question) in enumerate(worst.items()):
            positions = range(number, len(questions), len(worst))
            ordinary_costs += [await cost_of(service, questions[position]) for position in positions]
            worst_costs[name] = await cost_of(service, question)
        return Costs(ordinary_costs, worst_costs)
    finally:
        await service.close()


def main() -> None:
    """Prints the cost of each of the worst questions, the most expensive last."""
    parser = parser_of(__doc__)
    parser.add_argument("index", type=index_folder)
    parser.add_argument("cases", type=existing)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    options = parser.parse_args()
    cases = [case for case in read_cases([options.cases]) if case.question and not case.history]
    ordinary = [Question(case.question[:MAX_CHARACTERS], page=case.page) for case in cases[:: max(1, len(cases) // 40)]]
    costs = asyncio.run(costs_of(options.index, ordinary, options.seed))
    print(f"seed {options.seed}")
    print(f"an ordinary question takes {costs.median:.3f} s of CPU, the median of {len(costs.ordinary)}")
    for name in sorted(costs.worst, key=costs.times):
        cost = costs.worst[name]
        figures = f"{costs.times(name):5.1f} times, {cost.on_loop:4.0%} on the loop, {cost.searches:3} searches"
        print(f"{figures}  {name}")


if __name__ == "__main__":
    main()
