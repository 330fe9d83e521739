"""Weights of pages, from the options of a build to the order of what is found."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.plugin.pages import page
from tests.plugin.pdfs import write_pdf

from trueref_core.generations.served_generation import read_manifest
from trueref_plugin.build.build import IndexReport, index_site
from trueref_server.records import Hit, Question
from trueref_server.service import Service
from trueref_server.settings import load_settings

LEVER = '<h1 id="lever">The lever</h1><p>{} It is pulled with the left hand, and slowly.</p>'
BELL = '<h1 id="bell">The bell</h1><p>It rings when the kiln is hot.</p>'
QUESTION = "How is the lever pulled?"


class Project:
    """A site with the same in a guide and in notes, and its index."""

    def __init__(self, folder: Path) -> None:
        self.site, self.index = folder / "site", folder / "index"
        for name, html in {
            "index": BELL,
            "guide/lever": LEVER.format("Everybody who comes to the works has seen the lever of the oldest kiln."),
            "notes/lever": LEVER.format("Of iron until the flood, since then of oak: the third one since we began."),
        }.items():
            (self.site / name).parent.mkdir(parents=True, exist_ok=True)
            (self.site / f"{name}.html").write_text(page(html))

    def build(self, weights: Mapping[str, float] | None = None, embedder: str = "lexical") -> IndexReport:
        return index_site(self.site, index=self.index, name="kiln", weights=weights, embedder=embedder)

    def weights(self) -> dict[str, float]:
        return {page.page: page.weight for page in read_manifest(self.index).pages() if page.weight}

    def hits(self, **settings: object) -> tuple[Hit, ...]:
        """What a server finds first, most to the point first."""

        async def look_up() -> tuple[Hit, ...]:
            service = Service(load_settings({}, options={"index": self.index, **settings}))
            try:
                return (await service.explain(Question(QUESTION))).hits
            finally:
                await service.close()

        return asyncio.run(look_up())

    def found(self, **settings: object) -> list[str]:
        return [hit.page for hit in self.hits(**settings)][:2]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_a_page_is_given_the_sum_of_the_weights_whose_patterns_fit(project: Project) -> None:
    project.build({"*/lever.html": 0.1, "notes/*": -0.3, "": 0.5, "none/*": 1})
    assert project.weights() == {"": 0.5, "guide/lever.html": 0.1, "notes/lever.html": -0.2}


def test_pdfs_are_weighed_like_pages(project: Project) -> None:
    write_pdf(project.site / "notes" / "lever.pdf", ["The lever of the kiln is made of oak."])
    project.build({"notes/*": -0.3})
    assert project.weights() == {"notes/lever.html": -0.3, "notes/lever.pdf": -0.3}


def test_the_version_of_a_page_is_part_of_its_address(project: Project) -> None:
    shutil.copytree(project.site / "notes", project.site / "2.1" / "notes")
    project.build({"notes/*": -0.3})
    assert project.weights() == {"notes/lever.html": -0.3}


def test_a_weight_moves_a_page_up_or_down(project: Project) -> None:
    project.build()
    first, second = project.found()
    assert {first, second} == {"guide/lever.html", "notes/lever.html"}
    before = {hit.page: hit for hit in project.hits()}
    assert all("owner" not in hit.signals for hit in before.values())

    project.build({first: -0.2})
    assert project.found()[0] == second
    after = {hit.page: hit for hit in project.hits()}
    assert after[first].signals["owner"] == -0.2
    assert after[first].score == pytest.approx(before[first].score - 0.2, abs=0.02)

    project.build({second: 0.2})
    assert project.found() == [second, first]


def test_the_weights_of_server_and_build_count_together(project: Project) -> None:
    project.build()
    first, second = project.found()
    project.build({first: -0.2})
    assert project.found(weights={first: 0.2}) == [first, second]
    assert project.found(weights={first: 0.1}) == [second, first]
    project.build({first: -0.8})
    hits = {hit.page: hit for hit in project.hits(weights={"*/lever.html": -0.7})}
    assert hits[first].signals["owner"] == -1.0
    assert hits[second].signals["owner"] == -0.7


def test_a_build_that_changes_nothing_keeps_the_weights(project: Project) -> None:
    first = project.build({"notes/*": -0.3})
    assert (first.changed, project.build({"notes/*": -0.3}).changed) == (True, False)
    (project.site / "index.html").write_text(page(BELL.replace("hot", "cold")))
    assert project.build({"notes/*": -0.3}).changed
    assert project.weights() == {"notes/lever.html": -0.3}


def test_other_weights_are_another_generation_and_embed_nothing(project: Project) -> None:
    plain = project.build(embedder="bundled")
    assert plain.embedded == 3
    weighed = project.build({"notes/*": -0.3}, embedder="bundled")
    other = project.build({"notes/*": 0.3}, embedder="bundled")
    assert len({plain.generation.id, weighed.generation.id, other.generation.id}) == 3
    assert (weighed.embedded, weighed.reused, other.embedded, other.reused) == (0, 3, 0, 3)
    assert project.build(embedder="bundled").generation.id == plain.generation.id
    assert project.weights() == {}
