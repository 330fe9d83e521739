"""Broken pages: every one is read or refused by name, none crashes a build, none takes longer than a page may.

TRUEREF_MUTATIONS says how many.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from tests.conftest import SEED
from tests.plugin.mutations import MUTATIONS, Mutation, mutated, originals
from tests.plugin.processor_time import children, spent

from trueref_core.generations.served_generation import read_manifest
from trueref_plugin.build.build import index_site
from trueref_plugin.progress import Reporter
from trueref_plugin.reading.guarding.child import START_SECONDS
from trueref_plugin.reading.guarding.guard import SECONDS_A_PAGE

pytestmark = pytest.mark.slow

PAGES = int(os.environ.get("TRUEREF_MUTATIONS") or 200)
A_FOLDER = 100
"""Pages that are one site."""


class Clock(Reporter):
    """Notes the processor time that each page took to read, here and in the child."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self._stage = ""
        self._then = 0.0

    def start(self, stage: str, total: int) -> None:
        self._stage, self._then = stage, spent(children())

    def advance(self) -> None:
        now = spent(children())
        if self._stage == "Reading pages":
            self.seconds.append(now - self._then)
        self._then = now


@pytest.mark.long
@pytest.mark.timeout(60 + PAGES)
def test_broken_pages_are_read_or_refused_by_name(tmp_path: Path) -> None:
    chance, whole, clock = random.Random(SEED), originals(), Clock()
    refused: list[tuple[str, str]] = []
    for start in range(0, PAGES, A_FOLDER):
        site = tmp_path / f"site{start}"
        site.mkdir()
        names = [f"p{start + number}.html" for number in range(min(A_FOLDER, PAGES - start))]
        for name in names:
            (site / name).write_bytes(mutated(chance, chance.choice(whole), whole))
        # One index: what is read of the next site is compared with the one before it.
        report = index_site(site, index=tmp_path / "index", embedder="lexical", name="broken", report=clock)
        indexed = {page.file for page in read_manifest(tmp_path / "index").pages()}
        assert indexed | {file for file, _ in report.refused} == set(names)
        assert not indexed & {file for file, _ in report.refused}
        refused += report.refused
    print(f"{PAGES} pages of {len(whole)}: {len(refused)} refused, the slowest took {max(clock.seconds):.2f} s")
    assert len(clock.seconds) == PAGES
    assert len(refused) < PAGES / 10
    assert all(
        reason.startswith(("it took the parser", "its elements are nested", "it needs too much memory"))
        for _, reason in refused
    ), refused
    # The first odd page waits for the child to start.
    slow = [seconds for seconds in clock.seconds if seconds > SECONDS_A_PAGE * 1.5]
    assert max(clock.seconds) < SECONDS_A_PAGE + START_SECONDS
    assert len(slow) <= 1 + len(refused)


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda it: it.__name__.strip("_"))
def test_a_mutation_changes_pages_and_can_be_had_again(mutation: Mutation) -> None:
    pages = originals()
    made = [[mutation(random.Random(seed), page, pages) for seed, page in enumerate(pages)] for _ in range(2)]
    assert made[0] == made[1]
    assert sum(new != old for new, old in zip(made[0], pages, strict=True)) > len(pages) / 2
