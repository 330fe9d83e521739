"""A thousand odd questions, through every entrance: an answer or a plain refusal, in bounded time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import SEED
from tests.server.connecting import PREFIX, connect
from tests.server.kiln_site import GUIDE, kiln_index, write_site
from tests.server.odd_queries import odd_queries
from tests.server.shapes import misshapen
from tests.work import counted_lines

from trueref_plugin.build.build import index_site
from trueref_server.records import Answer, Exchange, Question
from trueref_server.service import Service
from trueref_server.settings import Settings

if TYPE_CHECKING:
    import httpx

COUNT = 1_000

ORDINARY = ("How hot is the kiln?", "What is a glaze?", "Which clay do I need?", "How do I fire?", "Where is the vent?")

MAX_ORDINARY = 15
"""How many ordinary questions an odd one may cost, in lines of our own code. The dearest of four seeds cost nine.

What LanceDB does for a question has no lines of ours: `test_question_cost.py` counts its searches and their words."""

COUNTED = 5
"""One odd question in so many is counted. An answer whose lines are counted takes three times as long as another."""

QUERIES = odd_queries(COUNT, SEED)


@pytest.fixture(scope="module")
def kiln(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return kiln_index(tmp_path_factory, "bundled", GUIDE)


def odd_question(number: int) -> Question:
    """An odd question from an odd page, in an odd conversation."""
    page, version, language = (QUERIES[(number + step) % COUNT] for step in (1, 2, 3))
    earlier = Exchange(QUERIES[(number + 4) % COUNT], QUERIES[(number + 5) % COUNT])
    return Question(QUERIES[number], (earlier,), page, version, language)


class Limit:
    """What an odd question may cost, counted by ordinary ones that are asked in the same way."""

    def __init__(self, lines: Callable[[], int], most: float = float("inf")) -> None:
        self._lines, self._most = lines, most

    @classmethod
    async def of(cls, lines: Callable[[], int] | None, ask: Callable[[str], Awaitable[Any]]) -> Limit:
        """The limit for questions that are asked in this way; none where no lines are counted."""
        if lines is None:
            return cls(lambda: 0)
        # What the first question makes is there for all others. It is none of them, whose answers would be kept.
        await ask("How long does the kiln cool?")
        costs: list[int] = []
        for text in ORDINARY:
            before = lines()
            await ask(text)
            costs.append(lines() - before)
        assert min(costs) > 1_000
        return cls(lines, MAX_ORDINARY * max(costs))

    async def within(self, asked: str, answer: Awaitable[Any]) -> Any:
        """The answer to what is asked, which no other may run beside."""
        before = self._lines()
        value = await answer
        lines = self._lines() - before
        assert lines < self._most, f"{lines:,} lines: {asked!r}"
        return value


def test_the_questions_are_as_odd_as_they_are_meant_to_be() -> None:
    assert len(QUERIES) == COUNT
    assert max(map(len, QUERIES)) == 2_000
    text = "\n".join(QUERIES)
    for piece in ("<|endoftext|>", "OR 1=1 --", "\x00", "\ud800", "窯の", "كيف", "🙂", "the of and"):
        assert piece in text


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_every_odd_question_is_answered(kiln: Path) -> None:
    verdicts: list[str] = []

    def check(answer: Answer) -> None:
        assert 0 <= answer.confidence <= 1
        assert misshapen(msgspec.to_builtins(answer)) == []
        verdicts.append(answer.verdict)

    async def ask_and_count(lines: Callable[[], int]) -> None:
        service = Service(Settings(index=kiln))
        await service.warm()
        limit = await Limit.of(lines, lambda text: service.ask_whole(Question(text)))
        for number in range(0, COUNT, COUNTED):
            question = odd_question(number)
            check(await limit.within(question.text, service.ask_whole(question)))
        await service.close()

    async def ask_two_at_a_time() -> None:
        service = Service(Settings(index=kiln))
        await service.warm()
        numbers = [number for number in range(COUNT) if number % COUNTED]
        for pair in zip(numbers[::2], numbers[1::2], strict=True):
            for answer in await asyncio.gather(*(service.ask_whole(odd_question(number)) for number in pair)):
                check(answer)
        await service.close()

    with counted_lines() as lines:
        asyncio.run(ask_and_count(lines))
    asyncio.run(ask_two_at_a_time())
    assert len(verdicts) == COUNT
    # Nothing is made up for noise.
    assert "not-found" in verdicts


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_odd_questions_are_searched_with_and_without_vectors(kiln: Path, tmp_path: Path) -> None:
    index_site(write_site(tmp_path / "site", GUIDE), index=tmp_path / "index", name="kiln", embedder="lexical")

    async def search(path: Path, numbers: Iterable[int], lines: Callable[[], int] | None = None) -> None:
        service = Service(Settings(index=path))
        await service.warm()
        limit = await Limit.of(lines, lambda text: service.search(Question(text), limit=50))
        for number in numbers:
            question = odd_question(number)
            results = await limit.within(question.text, service.search(question, limit=50))
            assert len({result.href for result in results}) == len(results)
        await service.close()

    with counted_lines() as lines:
        asyncio.run(search(kiln, range(0, COUNT, 2 * COUNTED), lines))
        asyncio.run(search(tmp_path / "index", range(0, COUNT, COUNTED), lines))
    asyncio.run(search(kiln, range(1, COUNT, 2 * COUNTED)))
    asyncio.run(search(tmp_path / "index", (number for number in range(COUNT) if number % COUNTED)))


def escaped(text: str) -> str:
    """A text for an address, with bytes that are no UTF-8 where it has lone surrogates."""
    return quote(text.encode("utf-8", "surrogatepass"), safe="")


def has_surrogates(text: str) -> bool:
    return any(0xD800 <= ord(character) < 0xE000 for character in text)


async def post(client: httpx.AsyncClient, limit: Limit, number: int) -> None:
    question = odd_question(number)
    fields = {
        "question": question.text,
        "page": (question.page or "")[:2_048],
        "version": (question.version or "")[:64],
        "language": (question.language or "")[:64],
        "history": [{"question": turn.question, "answer": turn.answer} for turn in question.history],
    }
    # In ASCII, so that lone surrogates are sent as such.
    body = json.dumps(fields).encode()
    headers = {"Content-Type": "application/json"}
    response = await limit.within(question.text, client.post(f"{PREFIX}/ask", content=body, headers=headers))
    is_odd = has_surrogates(json.dumps(fields, ensure_ascii=False))
    expected = 400 if is_odd else 422 if not question.text.strip() else 200
    assert response.status_code == expected, (question.text, response.text)


async def get(client: httpx.AsyncClient, limit: Limit, number: int) -> None:
    question = odd_question(number)
    fields = {"q": question.text, "page": question.page, "version": question.version, "language": question.language}
    limits = {"q": 500, "page": 300, "version": 20, "language": 20}
    sent = "&".join(f"{name}={escaped((text or '')[: limits[name]])}" for name, text in fields.items())
    response = await limit.within(question.text, client.get(f"{PREFIX}/search?{sent}"))
    expected = 422 if not question.text[:500].strip() else 200
    assert response.status_code == expected, (question.text, response.text)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("send", "start"), [(post, 0), (get, 2)])
def test_odd_requests_are_answered_or_refused(
    kiln: Path, send: Callable[[httpx.AsyncClient, Limit, int], Coroutine[None, None, None]], start: int
) -> None:
    async def ask(numbers: Iterable[int], lines: Callable[[], int] | None = None) -> None:
        async with connect(kiln) as client:
            limit = await Limit.of(lines, lambda text: client.post(f"{PREFIX}/ask", json={"question": text}))
            for number in numbers:
                await send(client, limit, number)

    with counted_lines() as lines:
        asyncio.run(ask(range(start, COUNT, 4 * COUNTED), lines))
    asyncio.run(ask(number for number in range(start, COUNT, 4) if (number - start) % (4 * COUNTED)))


class Asking:
    """A service in a loop of its own: hypothesis calls no coroutines."""

    def __init__(self, path: Path) -> None:
        self._runner = asyncio.Runner()
        self.service = Service(Settings(index=path))

    def run(self, question: Question) -> None:
        """Search and ask."""
        found = self._runner.run(self.service.explain(question))
        assert 0 <= found.draft.confidence <= 1
        self._runner.run(self.service.ask_whole(question))

    def close(self) -> None:
        """Let go of the index."""
        self._runner.run(self.service.close())
        self._runner.close()


@pytest.fixture(scope="module")
def asking(index: Path) -> Any:
    made = Asking(index)
    yield made
    made.close()


ANY = st.text(max_size=60) | st.text("a'\"\\-%;()=:*~^ \n\0`", max_size=40) | st.sampled_from(QUERIES)


@pytest.mark.slow
@given(ANY, ANY, ANY, ANY)
def test_any_question_from_any_page_is_answered_without_an_error(
    asking: Asking, text: str, page: str, version: str, language: str
) -> None:
    asking.run(Question(text, (), page, version, language))
    asking.run(Question(f"dark mode {text}", (Exchange(page, version),), language=language))
