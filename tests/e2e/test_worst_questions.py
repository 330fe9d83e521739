"""What the worst questions cost beside those of readers, over the development sites."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from scripts.worst_questions import costs_of
from tests.conftest import SEED
from tests.e2e.conftest import DEVELOPMENT_SITES

from trueref_server.evaluation.cases import read_cases
from trueref_server.records import Question

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.e2e.conftest import DevelopmentSite

pytestmark = [pytest.mark.long]

TIMES_MOST = 4
"""Times the CPU time of the median question of readers. By full text alone it was 3.0 to 3.7 in five runs of
`python -m scripts.worst_questions` over both sites, with other seeds, on two processors with eight to fourteen programs at work;
before identifiers, parts and words were capped it was 21."""


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", DEVELOPMENT_SITES)
def test_no_question_costs_many_times_the_median(
    name: str, development_sites: Callable[[str], DevelopmentSite], shared: Path
) -> None:
    readers = [Question(case.question) for case in read_cases([shared / f"{name}.jsonl"])]
    costs = asyncio.run(costs_of(development_sites(name).index, readers, SEED))
    dearest = max(costs.worst, key=costs.times)
    print(f"{dearest}: {costs.times(dearest):.1f} times {costs.median:.3f} s, {costs.worst[dearest]}")
    assert costs.times(dearest) <= TIMES_MOST, dearest
