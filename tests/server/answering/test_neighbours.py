"""A section that depends on the one beside it is read with it, on an index that a build made."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.plugin.pages import page
from tests.server.model.test_answerer import answering, ask, saying

from trueref_core.generations.served_generation import open_index
from trueref_plugin.build.build import index_site
from trueref_server.answering.neighbours import neighbours_of
from trueref_server.answering.sections.passages import passages
from trueref_server.records import Hit

pytestmark = pytest.mark.anyio

SECTIONS = {
    "wheels": "A wheel is entered with `kiln add --wheel` before its first bowl.",
    "ovens": "The same way, an oven is registered with its own name, so that two potters never fire it at once.",
    "glazes": "Glazes are mixed by weight, from the table of the studio.",
    "alarms": "Register an alarm for each room. The following settings are there:",
    "volume": "The volume of the alarm goes from 1 to 11.",
    "lights": "Lights are switched on by the door, as shown above for the alarm.",
    "doors": "This door is locked at night, since clay is worth a lot.",
    "potters": "An oven is fired by the potter whose name stands in the book of the oven.",
    "bricks": "The bricks of an oven are fired twice before the oven is registered.",
    "doorways": "No oven is fired while the name of a second potter is registered for it.",
    "smoke": "Smoke of an oven leaves by the roof. An oven that smokes is not fired.",
    "books": "The book of an oven has the names of all potters who fired it.",
}
OVEN = "How is an oven registered, so that two potters never fire it at once?"
PLACES = re.compile(r'<source number="(\d+)" place="[^"]*› (\w+)" kind="guide"(?: stands="([^"]*)")?>')


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of a single page, whose sections depend on one another."""
    folder = tmp_path_factory.mktemp("studio")
    (folder / "site" / "work").mkdir(parents=True)
    sections = "".join(f'<h2 id="{name}">{name.title()}</h2><p>{text}</p>' for name, text in SECTIONS.items())
    body = f'<h1 id="studio">Studio</h1><p>What stands in it.</p>{sections}'
    (folder / "site" / "work" / "index.html").write_text(page(body, "<title>Studio</title>"))
    index_site(folder / "site", index=folder / "index", name="studio", embedder="lexical")
    return folder / "index"


async def beside(index: Path, *found: str) -> list[tuple[str, str]]:
    """The neighbours of some sections: each anchor with where it stands."""
    opened = await open_index(index)
    sections = await opened.sections({("studio", f"work/#{anchor}"): "" for anchor in found}, most=60)
    hits = [Hit("studio", "work/", each[0].anchor, 1.0, each) for each in sections.values()]
    neighbours = await neighbours_of(opened, hits)
    assert all(passages(neighbour.hit.in_page_order) for neighbour in neighbours)
    sides = [
        f"{'before' if neighbour.is_before else 'behind'} {neighbour.dependent_section[2]}" for neighbour in neighbours
    ]
    return [(neighbour.hit.anchor, side) for neighbour, side in zip(neighbours, sides, strict=True)]


@pytest.mark.parametrize(
    ("found", "neighbours"),
    [
        (("ovens",), [("wheels", "before ovens")]),
        (("alarms",), [("volume", "behind alarms")]),
        (("lights",), [("volume", "before lights")]),
        (("glazes",), []),
        # `This` at the beginning of a section is what its title names.
        (("doors",), []),
        (("wheels",), []),
        # What was found itself is read anyway.
        (("ovens", "wheels"), []),
        # One that two depend on is read once.
        (("alarms", "lights"), [("volume", "behind alarms")]),
    ],
)
async def test_what_a_section_leans_on_stands_beside_it(
    studio: Path, found: tuple[str, ...], neighbours: list[tuple[str, str]]
) -> None:
    assert await beside(studio, *found) == neighbours


async def test_a_model_reads_it_under_a_number_of_its_own(studio: Path) -> None:
    said = "An oven is registered with its own name. [1] A wheel is entered with `kiln add --wheel`. [{n}]"

    def script(messages: list[dict[str, str]]) -> list[str]:
        (number,) = (n for n, name, _ in PLACES.findall(messages[-1]["content"]) if name == "Wheels")
        return [said.format(n=number)]

    async with answering(studio, script) as (client, model):
        first = await ask(client, OVEN)
        await ask(client, OVEN.upper())
    prompt, again = (asked["messages"][1]["content"] for asked in model.asked)
    assert prompt.replace(OVEN, "") == again.replace(OVEN.upper(), ""), "a prompt is the same each time"
    places = {name: (int(n), stands) for n, name, stands in PLACES.findall(prompt)}
    assert (places["Ovens"][0], places["Wheels"][1]) == (1, "before 1")
    assert (first["mode"], first["marks"]) == ("model", [])
    assert {source["href"] for source in first["sources"]} == {"work/#ovens", "work/#wheels"}
    assert first["citations"] == [1, places["Wheels"][0]]


async def test_the_answer_by_passages_lists_no_neighbours(studio: Path) -> None:
    async with answering(studio, saying("No.")) as (client, model):
        answer = await ask(client, OVEN)
    assert answer["fallback"] == "uncited"
    assert "› Wheels" in model.asked[0]["messages"][1]["content"]
    assert "work/#wheels" not in {source["href"] for source in (*answer["sources"], *answer["more"])}
