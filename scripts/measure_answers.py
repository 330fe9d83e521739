"""What an answer costs, in embeddings of its question: counted, and timed beside them in one run.

    python -m scripts.measure_answers INDEX CASES [INDEX CASES ...]

Each question of a file of cases is embedded and then answered, so that both meet the same machine. *Time* is what a
reader waits; *processors* is the time of all threads, which other work on the machine changes less. What is counted is
how often the model reads a text, and how many wordpieces it reads.
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

from trueref_core.embedding.embedder import load_embedder
from trueref_server.evaluation.cases import read_cases
from trueref_server.records import Question
from trueref_server.service import Service
from trueref_server.settings import Settings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WARM: Final = 10
"""Questions that are asked first and not counted."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds until something is done, those of all processors, and the wordpieces of each text that is read."""

    time: float
    processors: float
    read: Sequence[int]


@contextmanager
def counted_runs() -> Generator[list[int]]:
    """The runs of the embedder meanwhile, each as the number of wordpieces that it reads."""
    runs: list[int] = []
    session: Any = onnxruntime.InferenceSession
    run = session.run

    # The runs, and not the calls of the embedder: a text that is kept is not read again.
    def counted(self: object, names: object, inputs: Mapping[str, NDArray[np.int64]]) -> object:
        runs.append(inputs["input_ids"].size)
        return run(self, names, inputs)

    with patch.object(session, "run", counted):
        yield runs


async def measure(index: Path, cases: Path) -> None:
    """Prints what the answers to some cases cost."""
    service = Service(Settings(index=index))
    await service.warm()
    # One of its own: what the embedder of the service has read of a question is kept for the answer.
    embedder = load_embedder("bundled")
    assert embedder is not None

    async def embed(question: str) -> None:
        next(iter(embedder.embed([question])))

    async def answer(question: str) -> None:
        await service.ask_whole(Question(question))

    questions = [case.question for case in read_cases([cases])]
    for question in questions[-WARM:]:
        await embed(question)
    bare = [(await _cost(embed, question), await _cost(answer, question)) for question in questions]
    await service.close()
    _print(index, [of for of, _ in bare], [of for _, of in bare])


async def _cost(do: Callable[[str], Awaitable[None]], question: str) -> Cost:
    """What it costs to do something with a question."""
    with counted_runs() as read:
        started, spent = time.perf_counter(), time.process_time()
        await do(question)
        return Cost((time.perf_counter() - started) * 1000, (time.process_time() - spent) * 1000, tuple(read))


def _print(index: Path, bare: Sequence[Cost], answers: Sequence[Cost]) -> None:
    """Prints the medians of one index, the 95th percentile of answers, the ratio of the medians, and what was read."""
    print(f"{index}: {len(answers)} questions")
    for name, of in (("time", _time), ("processors", _processors)):
        answer, embedding = statistics.median(map(of, answers)), statistics.median(map(of, bare))
        slow = statistics.quantiles(map(of, answers), n=20)[-1]
        print(
            f"  {name:10}  answer {answer:6.1f} ms, {slow:6.1f} at p95, embedding {embedding:5.1f} ms, "
            f"{answer / embedding:5.1f} times"
        )
    texts = statistics.mean(len(cost.read) for cost in answers)
    pieces, own = (statistics.mean(sum(cost.read) for cost in costs) for costs in (answers, bare))
    print(f"  read        {texts:.1f} texts an answer, {pieces:.0f} wordpieces; a question has {own:.0f}")


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
