"""What the worst questions cost beside ordinary ones: the ratio of CPU time, in one run, and the searches of each.

    python -m scripts.worst_questions INDEX CASES [SEED]

The ordinary questions are those of a file of cases; the worst
ones are made from the words of the index, up to the longest that the server takes.
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

    from trueref_core.tables.chunk_search import Scored
    from trueref_core.tables.filters import Filters

LONGEST: Final = Settings().max_question
ROUNDS: Final = 3
"""Times that each is asked; the cheapest counts, since nothing else makes a question cheaper."""

ASKED_AT_ONCE: Final = (2, 3, 6)
"""Questions in one, each with an opening of its own."""


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU seconds of the whole process, the share of them that the event loop's thread took, and the searches."""

    seconds: float
    on_loop: float
    searches: int


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of ordinary questions, and those of the worst ones by what they are made of."""

    ordinary: Sequence[Cost]
    worst: Mapping[str, Cost]

    @property
    def median(self) -> float:
        """CPU seconds of an ordinary question."""
        return statistics.median(cost.seconds for cost in self.ordinary)

    def times(self, name: str) -> float:
        """How many times as much as an ordinary question one of the worst costs."""
        return self.worst[name].seconds / self.median


def worst_questions(words: Sequence[str], names: Sequence[str], chance: random.Random) -> dict[str, Question]:
    """Questions of `LONGEST` characters and conversations, by what they are made of.

    Args:
        words: Of the site.
        names: Identifiers of the site.
        chance: Chooses among them.
    """

    def word() -> str:
        return chance.choice(words)

    makers: dict[str, Callable[[], str]] = {
        "identifiers of the site": lambda: chance.choice(names),
        "dotted words of the site": lambda: f"{word()}.{word()}",
        "identifiers of nobody": lambda: f"a{chance.randrange(999)}_b{chance.randrange(999)}",
        "options": lambda: f"--{word()}",
        "quotations": lambda: f"`{word()}`",
        "quoted options": lambda: f"`--{word()} {word()}`",
        "words": word,
        "strange words": lambda: f"{word()}x",
        "errors": lambda: f"Error: {word()} {word()} not found.",
        "sentences": lambda: f"How do I {word()} {word()}?",
        "characters": lambda: chr(chance.randrange(0x4E00, 0x9FFF)),
    }
    made = {name: Question(_filled(make, LONGEST)) for name, make in makers.items()}
    for name in ("identifiers of the site", "dotted words of the site", "options", "words"):
        for count in ASKED_AT_ONCE:
            for size in (60, 110, LONGEST // count):
                asked = "? ".join("How do I " + _filled(makers[name], size - 12) for _ in range(count))
                made[f"{count} questions of {size} characters, {name}"] = Question(f"{asked}?"[:LONGEST])
        earlier = tuple(Exchange(f"and {_filled(makers[name], LONGEST - 4)}") for _ in range(10))
        made[f"and why, after {name}"] = Question("and why is it so?", earlier)
        made[f"and {name}, after as much"] = Question(f"and {made[name].text}"[:LONGEST], earlier)
    return made


def _filled(make: Callable[[], str], most: int) -> str:
    pieces: list[str] = []
    while sum(map(len, pieces)) + len(pieces) < most:
        pieces.append(make())
    return " ".join(pieces)[:most]


@contextmanager
def counted_searches() -> Iterator[list[str]]:
    """The searches that any index runs meanwhile, each as its text, "" for those by vector."""
    found: list[str] = []
    by_text, by_vector = OpenIndex.search_text, OpenIndex.search_vector

    async def search_text(self: OpenIndex, query: str, *, limit: int, filters: Filters | None = None) -> list[Scored]:
        found.append(query)
        return await by_text(self, query, limit=limit, filters=filters)

    async def search_vector(
        self: OpenIndex, vector: NDArray[np.float32], *, limit: int, filters: Filters | None = None
    ) -> list[Scored]:
        found.append("")
        return await by_vector(self, vector, limit=limit, filters=filters)

    with patch.object(OpenIndex, "search_text", search_text), patch.object(OpenIndex, "search_vector", search_vector):
        yield found


async def cost_of(service: Service, question: Question) -> Cost:
    """The least of several answers."""
    costs: list[Cost] = []
    for _ in range(ROUNDS):
        with counted_searches() as searches:
            process, loop = time.process_time(), time.thread_time()
            await service.ask_whole(question)
            seconds = time.process_time() - process
            costs.append(Cost(seconds, (time.thread_time() - loop) / seconds, len(searches)))
    return min(costs, key=lambda cost: cost.seconds)


async def costs_of(index: Path, ordinary: Iterable[Question], seed: int) -> Costs:
    """What ordinary questions and the worst ones cost over one index."""
    opened = await open_index(index)
    counted = (await Corpus.of(opened)).statistics
    await opened.close()
    names = sorted({name for found in counted.names.values() for name in found})
    worst = worst_questions(sorted(counted.words), names, random.Random(seed))  # noqa: S311
    service = Service(Settings(index=index, cache_answers=0))
    await service.warm()
    try:
        # Ordinary questions among the others: what else the machine does then counts for both.
        asked, usual, found = list(ordinary), list[Cost](), dict[str, Cost]()
        for number, (name, question) in enumerate(worst.items()):
            usual += [await cost_of(service, asked[place]) for place in range(number, len(asked), len(worst))]
            found[name] = await cost_of(service, question)
        return Costs(usual, found)
    finally:
        await service.close()


def main() -> None:
    """Print what each costs, the dearest last."""
    parser = parser_of(__doc__)
    parser.add_argument("index", type=index_folder)
    parser.add_argument("cases", type=existing)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    options = parser.parse_args()
    cases = [case for case in read_cases([options.cases]) if case.question and not case.history]
    ordinary = [Question(case.question[:LONGEST], page=case.page) for case in cases[:: max(1, len(cases) // 40)]]
    costs = asyncio.run(costs_of(options.index, ordinary, options.seed))
    print(f"seed {options.seed}")
    print(f"an ordinary question takes {costs.median:.3f} s of CPU, the median of {len(costs.ordinary)}")
    for name in sorted(costs.worst, key=costs.times):
        cost = costs.worst[name]
        figures = f"{costs.times(name):5.1f} times, {cost.on_loop:4.0%} on the loop, {cost.searches:3} searches"
        print(f"{figures}  {name}")


if __name__ == "__main__":
    main()
