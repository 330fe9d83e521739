"""Measures how much an answer costs, compared with embedding its question in the same run.

    python -m scripts.measure_answers INDEX CASES [INDEX CASES ...]

Each question of a file of cases is embedded and then answered, so that the machine is the same for both. *Time* is how
long a reader waits. *Processors* is the time of all threads, on which other work of the machine has less influence. The
script also counts how often the embedding model reads a text, and how many wordpieces it reads.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from unittest.mock import patch

import onnxruntime  # pyright: ignore[reportMissingTypeStubs]
from scripts.arguments import groups_of

from trueref_core.embedding.bundled_model import BUNDLED_DIMENSIONS, BUNDLED_NAME, BundledModel
from trueref_core.embedding.embedder import Embedder
from trueref_server.evaluation.cases import read_cases
from trueref_server.records import Question
from trueref_server.service import Service
from trueref_server.settings import Settings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WARM: Final = 10
"""How many questions are asked first and not counted, so that everything is loaded."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The milliseconds that something takes, those of all processors, and the wordpieces of each text that is read."""

    time: float
    processors: float
    read: Sequence[int]


@contextmanager
def counted_runs() -> Generator[list[int]]:
    """Collects the runs of the embedder while the block runs, each as the number of wordpieces that it reads."""
    runs: list[int] = []
    session: Any = onnxruntime.InferenceSession
    run = session.run

    # Runs of the model are counted and not calls of the embedder, which does not read a text again that it has kept.
    def counted(self: object, names: object, inputs: Mapping[str, NDArray[np.int64]]) -> object:
        runs.append(inputs["input_ids"].size)
        return run(self, names, inputs)

    with patch.object(session, "run", counted):
        yield runs


async def measure(index: Path, cases: Path) -> None:
    """Prints how much the answers to some cases cost."""
    service = Service(Settings(index=index))
    await service.warm()
    # Not the model of the service, which would keep what it read of the question for the answer.
    embedder = Embedder(BUNDLED_NAME, BundledModel(), BUNDLED_DIMENSIONS, threads=1)

    async def embed(question: str) -> None:
        next(iter(embedder.embed([question])))

    async def answer(question: str) -> None:
        await service.ask_whole(Question(question))

    questions = [case.question for case in read_cases([cases])]
    for question in questions[-WARM:]:
        await embed(question)
    costs = [(await _cost(embed, question), await _cost(answer, question)) for question in questions]
    await service.close()
    _print(index, [embedding_cost for embedding_cost, _ in costs], [answer_cost for _, answer_cost in costs])


async def _cost(action: Callable[[str], Awaitable[None]], question: str) -> Cost:
    """How much an action on a question costs."""
    with counted_runs() as read:
        started, spent = time.perf_counter(), time.process_time()
        await action(question)
        return Cost((time.perf_counter() - started) * 1000, (time.process_time() - spent) * 1000, tuple(read))


def _print(index: Path, embeddings: Sequence[Cost], answers: Sequence[Cost]) -> None:
    """Prints the medians, the 95th percentile of answers, the ratio of the medians, and how much the model read."""
    print(f"{index}: {len(answers)} questions")
    for name, figure in (("time", _time), ("processors", _processors)):
        answer, embedding = statistics.median(map(figure, answers)), statistics.median(map(figure, embeddings))
        slow = statistics.quantiles(map(figure, answers), n=20)[-1]
        print(
            f"  {name:10}  answer {answer:6.1f} ms, {slow:6.1f} at p95, embedding {embedding:5.1f} ms, "
            f"{answer / embedding:5.1f} times"
        )
    texts = statistics.mean(len(cost.read) for cost in answers)
    pieces, question_pieces = (statistics.mean(sum(cost.read) for cost in costs) for costs in (answers, embeddings))
    print(f"  read        {texts:.1f} texts an answer, {pieces:.0f} wordpieces; a question has {question_pieces:.0f}")


def _time(cost: Cost) -> float:
    return cost.time


def _processors(cost: Cost) -> float:
    return cost.processors


def main() -> None:
    """Measures one index after the other."""
    for index, cases in groups_of(__doc__, "INDEX", "CASES"):
        asyncio.run(measure(index, cases))


if __name__ == "__main__":
    main()
