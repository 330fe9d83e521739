"""Questions of kinds that the development questions lack: terms, versions, of a page, and from a page of another topic.

Most were written from the docs alone, before anything was searched for. `python -m scripts.ablation` takes them too.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import TYPE_CHECKING

import msgspec
import pytest
from tests.e2e.conftest import DEVELOPMENT_SITES
from tests.e2e.following_up import CASES

from trueref_core.generations.served_generation import read_manifest
from trueref_core.links.resolve import resolve
from trueref_server.evaluation.case_runs import run_cases
from trueref_server.evaluation.cases import Case, read_cases
from trueref_server.evaluation.judgements import judge
from trueref_server.service import Service
from trueref_server.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.e2e.conftest import DevelopmentSite

AMONG = 5
"""Sections that a reader looks at."""

LEAST = {"term": 0.85, "release": 0.8, "page": 0.4, "elsewhere": 0.7}
"""Hit rate among these by full text alone."""

PLACED = ("page", "elsewhere", "nonsense")
"""Kinds that are asked from a page: of its topic, of another one, and of what no page tells."""


def cases_of(name: str) -> list[Case]:
    """Those over one site, without conversations."""
    return [case for case in read_cases([CASES / f"{name}.jsonl"]) if case.kind != "follow-up"]


async def found(index: Path, cases: list[Case]) -> list[bool]:
    """Whether each case has its section among the first."""
    service = Service(Settings(index=index))
    try:
        judged = judge(cases, await run_cases(service, cases))
    finally:
        await service.close()
    return [one.section_rank <= AMONG for one in judged]


def test_the_cases_have_questions_of_every_kind() -> None:
    cases = [case for name in DEVELOPMENT_SITES for case in cases_of(name)]
    assert {case.kind for case in cases} == {*LEAST, "nonsense"}
    assert all((case.page is not None) == (case.kind in PLACED) for case in cases)
    assert all(case.answerable == (case.kind != "nonsense") for case in cases)


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize("name", DEVELOPMENT_SITES)
def test_every_place_is_one_of_the_site(name: str, development_sites: Callable[[str], DevelopmentSite]) -> None:
    manifest = read_manifest(development_sites(name).index)
    places = {place for case in read_cases([CASES / f"{name}.jsonl"]) for place in case.gold}
    addresses = [f"{DEVELOPMENT_SITES[name]}{place.page}{f'#{place.anchor}' * bool(place.anchor)}" for place in places]
    verdicts = {address: resolve(manifest, address).status for address in addresses}
    assert {address: status for address, status in verdicts.items() if status != "exact"} == {}


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_questions_of_every_kind_find_their_section(development_sites: Callable[[str], DevelopmentSite]) -> None:
    rates: defaultdict[str, list[bool]] = defaultdict(list)
    elsewhere: list[bool] = []
    for name in DEVELOPMENT_SITES:
        index, cases = development_sites(name).index, cases_of(name)
        answerable = [case for case in cases if case.answerable]
        for case, is_found in zip(answerable, asyncio.run(found(index, answerable)), strict=True):
            rates[case.kind].append(is_found)
        nowhere = [msgspec.structs.replace(case, page=None) for case in cases if case.kind == "page"]
        elsewhere += asyncio.run(found(index, nowhere))
    rates_by_kind = {kind: sum(hits) / len(hits) for kind, hits in rates.items()}
    print(rates_by_kind)
    assert {kind: rate for kind, rate in rates_by_kind.items() if rate < LEAST[kind]} == {}
    assert sum(rates["page"]) > sum(elsewhere), (rates["page"], elsewhere)
