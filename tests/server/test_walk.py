"""The walk of a question, as the README of the server tells it, compared with the trace of a real one."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from pathlib import Path
from types import FrameType
from typing import Any

import httpx
import pytest
from scripts.walk_trace import noting_calls
from tests.conftest import ROOT
from tests.server.handmade import publish_demo

from trueref_server.serving.app import create_app
from trueref_server.settings import Settings

ENDPOINT = "trueref_server.http.endpoints"
TABLE = "trueref_core.tables.chunk_search"
MAX_HANDS = 15
"""Modules that a question may be handed through before it reaches the table."""

PIPELINE, ROUNDS = "trueref_server.pipeline", "trueref_server.search.search"
STAGES = {
    (ROUNDS, "plan_question"): "answer_question",
    (ROUNDS, "search_sections"): "answer_question",
    ("trueref_server.search.hybrid_search", "search"): "_search_in_rounds",
    ("trueref_server.ranking.rank", "score_sections"): "",
    ("trueref_server.search.gaps", "assess"): "",
    (PIPELINE, "excerpt_sections"): "answer_question",
    (PIPELINE, "checked_answer"): "answer_question",
}
"""The functions of the stages in their order, with the function that calls them; "" for those that run in a thread."""


class Trace:
    """Which modules call which while a question is answered, through tasks and threads too."""

    def __init__(self) -> None:
        self.modules: dict[str, None] = {}
        """In the order of their first call."""
        self.to_table: tuple[str, ...] = ()
        """Those that were waiting for one another when the table was first searched, the outermost first."""
        self.stages: dict[tuple[str, str], str] = {}
        """The stages in the order of their first call, each with the function of the pipeline that calls it."""
        self.stage_calls: list[str] = []
        """All calls of stages, in their order."""
        # By frame, the callers and then itself as well. A frame is kept alive, or another one could take its place.
        self._chains: dict[FrameType, tuple[tuple[str, ...], tuple[str, ...]]] = {}
        # A task or a thread begins without a caller, but with a copy of the context of the one that began it.
        self._running: ContextVar[tuple[str, ...]] = ContextVar("running", default=())

    def note(self, frame: FrameType, event: str, _argument: Any) -> None:
        """What `sys.setprofile` calls."""
        name = frame.f_globals.get("__name__", "")
        if event not in ("call", "return") or not name.startswith("trueref_"):
            return
        if event == "return":
            self._running.set(self._chains[frame][0] if frame in self._chains else ())
            return
        # What a dataclass of the vocabulary runs when it is made is no step.
        if not frame.f_code.co_name.startswith("__"):
            self.modules.setdefault(name)
        if (name, frame.f_code.co_name) in STAGES:
            # A coroutine that goes on is called again, in the same frame.
            if frame not in self._chains:
                self.stage_calls.append(frame.f_code.co_name)
            caller = frame.f_back
            is_pipeline = caller is not None and caller.f_globals["__name__"] in (PIPELINE, ROUNDS)
            self.stages.setdefault(
                (name, frame.f_code.co_name), caller.f_code.co_name if caller and is_pipeline else ""
            )
        chain = self._chains.setdefault(frame, self._chain_of(frame, name))[1]
        self._running.set(chain)
        if name == TABLE and not self.to_table:
            self.to_table = chain

    def _chain_of(self, frame: FrameType, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        caller = frame.f_back
        while caller is not None and caller not in self._chains:
            caller = caller.f_back
        callers = self._chains[caller][1] if caller is not None else self._running.get()
        return callers, callers if callers[-1:] == (name,) else (*callers, name)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    index = tmp_path_factory.mktemp("walk") / "index"
    publish_demo(index)
    return index


@pytest.fixture(scope="module")
def trace(index: Path) -> Trace:
    return asyncio.run(_traced(index, "How do I set the palette?"))


async def _traced(index: Path, question: str) -> Trace:
    trace = Trace()
    transport = httpx.ASGITransport(create_app(Settings(index=index)))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        # Opens the index, which reads the table before anything is searched.
        await client.get("/_trueref/readyz")
        # Only threads that begin now are watched.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor())
        with noting_calls(trace.note):
            response = await client.post("/_trueref/ask", json={"question": question})
    assert response.status_code == 200
    return trace


@pytest.mark.slow
def test_the_readme_names_the_modules_that_hand_a_question_to_the_table(trace: Trace) -> None:
    from_endpoint = trace.to_table[trace.to_table.index(ENDPOINT) :]
    named = re.findall(r"`([\w/]+)\.py`(?= →|\. A test)", _readme().replace("\n", " "))
    assert [*from_endpoint] == [_module_of(path) for path in named]
    assert len(from_endpoint) <= MAX_HANDS


@pytest.mark.slow
def test_a_question_passes_the_steps_of_the_readme_in_their_order(trace: Trace) -> None:
    steps = [line.partition(": ")[0] for line in _readme().splitlines() if re.match(r"\d+\. ", line)]
    named = [_module_of(path) for step in steps for path in re.findall(r"`([\w/]+)\.py`", step)]
    passed = [*trace.modules]
    # A model is asked only where one is set.
    assert set(named) - set(passed) == {"trueref_server.model.answerer"}
    assert [name for name in named if name in passed] == sorted(set(named) & set(passed), key=passed.index)


@pytest.mark.slow
def test_the_stages_of_a_question_follow_each_other_in_one_function(trace: Trace) -> None:
    assert [*trace.stages.items()] == [*STAGES.items()]


@pytest.mark.slow
def test_no_stage_calls_one_before_it_when_a_question_asks_two_things(index: Path) -> None:
    trace = asyncio.run(_traced(index, "How do I set the palette? How do I install the package?"))
    excerpt = trace.stage_calls.index("excerpt_sections")
    assert trace.stage_calls[:excerpt].count("search_sections") == 3, "the whole question, and each thing that it asks"
    assert [name for name in trace.stage_calls[excerpt:] if name != "excerpt_sections"] == ["checked_answer"]


def _readme() -> str:
    return (ROOT / "server" / "README.md").read_text(encoding="utf-8")


def _module_of(path: str) -> str:
    """`search/search`, as the README of the server names a module, by its dotted name."""
    name = path.replace("/", ".")
    return name if name.startswith("trueref_core") else f"trueref_server.{name}"
