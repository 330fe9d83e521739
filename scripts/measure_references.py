"""Measures how long checking the links of an answer takes while the answer is streamed.

    python -m scripts.measure_references INDEX [--model-url URL] [--questions 20]

An answer is made of 1,000 characters of the docs and three links in several syntaxes, which are right, nearly right or
invented. It comes in pieces of four characters, like that of a model. The figures are milliseconds of processor time.

With `--model-url`, the model of that endpoint also answers questions about the docs. Then the time in the gate is
compared with the time to the last token, both in wall-clock time.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final
from unittest import mock

from scripts.arguments import index_folder, parser_of
from scripts.simulate_day import read_topics

from trueref_core.generations.served_generation import read_build_texts, read_manifest, served_build
from trueref_core.manifest.lookup import Manifest
from trueref_server.model import writing
from trueref_server.records import Question
from trueref_server.references.gate import Gate
from trueref_server.references.reference_links import LinkDecisions
from trueref_server.service import Service
from trueref_server.settings import load_settings

ANSWERS: Final = 1000
LENGTH: Final = 1000
LINKS: Final = 3
PIECE: Final = 4
SYNTAXES: Final = ("[the section]({})", "<{}>", "{}", "[`option`]({})", "![figure]({})")


def main() -> None:
    """Prints the time in the gate for made answers, and with an endpoint also for those of a model."""
    parser = parser_of(__doc__)
    parser.add_argument("index", type=index_folder, help="The folder of an index of Trueref's own docs.")
    parser.add_argument("--model-url", help="An OpenAI-compatible endpoint, which is asked for the model `tiny`.")
    parser.add_argument("--questions", type=int, default=20, help="Questions that the model answers.")
    options = parser.parse_args()
    print_cost(options.index)
    if options.model_url:
        questions = [topic.questions[0] for topic in read_topics()][: options.questions]
        with timed_gates() as timed:
            asyncio.run(ask_all(options.index, options.model_url, questions))
        if not timed:
            raise SystemExit(f"The endpoint at {options.model_url} wrote nothing. Is it running, and is its path /v1?")
        print_shares(timed)


def print_cost(index: Path) -> None:
    """Prints the processor time of checking answers that are made of texts of the docs."""
    manifest = read_manifest(index)
    texts = [text for text in read_build_texts(served_build(index)).values() if len(text) > LENGTH]
    hrefs = [
        manifest.href(page.page, anchor.anchor) for page in manifest.pages() for anchor in manifest.anchors(page.page)
    ]
    random = Random(20261122)  # noqa: S311 - Nothing is kept secret with it.
    answers = [_answer(random, random.choice(texts), hrefs, manifest) for _ in range(ANSWERS)]
    _gate_milliseconds(manifest, answers[0])
    spent = [_gate_milliseconds(manifest, answer) for answer in answers]
    print(f"{ANSWERS} answers, {len(hrefs)} anchors: p50 {statistics.median(spent):.2f} ms, p95 {p95(spent):.2f} ms")


@dataclass(frozen=True, slots=True)
class TimedAnswer:
    """The milliseconds of a text of a model: those in the gate, and those from the request to the last token."""

    gate: float
    last_token: float

    @property
    def share(self) -> float:
        """The time in the gate as a share of the time to the last token."""
        return self.gate / self.last_token


@contextmanager
def timed_gates() -> Generator[list[TimedAnswer]]:
    """Measures the gates of all texts that a model writes for this process. The list is filled when the block ends."""
    timed: list[_TimedGate] = []
    answers: list[TimedAnswer] = []

    def make(links: LinkDecisions, sources: Collection[int] | None) -> _TimedGate:
        timed.append(_TimedGate(links, sources))
        return timed[-1]

    with mock.patch.object(writing, "Gate", make):
        yield answers
    # A model that wrote nothing has no last token.
    answers += [TimedAnswer(gate.spent * 1000, (gate.read_at - gate.made_at) * 1000) for gate in timed if gate.read_at]


async def ask_all(index: Path, model_url: str, questions: Sequence[str]) -> None:
    """Lets a model answer questions, one after the other."""
    options = {"model_name": "tiny", "model_seconds": 300, "model_answer_tokens": 120, "context_tokens": 300}
    service = Service(
        load_settings({}, options={"index": index, "model_url": model_url, "cache_answers": 0, **options})
    )
    for question in questions:
        await service.ask_whole(Question(question))
    await service.close()


def print_shares(timed: Sequence[TimedAnswer]) -> None:
    """Prints the time in the gate as a share of the time to the last token."""
    gate, last = [answer.gate for answer in timed], [answer.last_token for answer in timed]
    shares = [answer.share * 100 for answer in timed]
    print(
        f"{len(timed)} texts of the model: gate p50 {statistics.median(gate):.2f} ms, p95 {p95(gate):.2f} ms; last "
        f"token p50 {statistics.median(last):.0f} ms; share p50 {statistics.median(shares):.3f} %, "
        f"p95 {p95(shares):.3f} %"
    )


def p95(values: Sequence[float]) -> float:
    """The 95th percentile."""
    return sorted(values)[int(len(values) * 0.95)]


class _TimedGate(Gate):
    """A gate that measures how long its work takes. It is made just before the request is sent."""

    def __init__(self, links: LinkDecisions, sources: Collection[int] | None) -> None:
        super().__init__(links, sources)
        self.made_at = time.perf_counter()
        self.read_at = 0.0
        self.spent = 0.0

    def push(self, piece: str) -> str:
        self.read_at = time.perf_counter()
        out = super().push(piece)
        self.spent += time.perf_counter() - self.read_at
        return out

    def close(self) -> str:
        started = time.perf_counter()
        out = super().close()
        self.spent += time.perf_counter() - started
        return out


def _answer(random: Random, text: str, hrefs: list[str], manifest: Manifest) -> str:
    """Some characters of a text with links at random positions."""
    begin = random.randrange(len(text) - LENGTH + 1)
    words = text[begin : begin + LENGTH].split(" ")
    for _ in range(LINKS):
        link = _link(random, random.choice(hrefs), manifest)
        words.insert(random.randrange(len(words) + 1), random.choice(SYNTAXES).format(link))
    return " ".join(words)


def _link(random: Random, href: str, manifest: Manifest) -> str:
    """A right link, one without one of its letters, one with a segment twice, or one to another host."""
    at = random.randrange(len(href)) if href else 0
    altered = (href, href, href[:at] + href[at + 1 :], f"{href.partition('/')[0]}/{href}")
    return random.choice((*(manifest.url_of(None, form) or form for form in altered), "https://example.net/docs/"))


def _gate_milliseconds(manifest: Manifest, answer: str) -> float:
    """The processor time in which a gate checks an answer, in milliseconds."""
    gate = Gate(LinkDecisions(manifest), sources=range(1, 6))
    started = time.process_time()
    for at in range(0, len(answer), PIECE):
        gate.push(answer[at : at + PIECE])
    gate.close()
    return (time.process_time() - started) * 1000


if __name__ == "__main__":
    main()
