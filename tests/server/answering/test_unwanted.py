"""An answer that does what the question does not want is shown as close, and not as the answer."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.server.kiln_site import Sections, write_site

from trueref_plugin.build.build import index_site
from trueref_server.records import Question
from trueref_server.service import Service
from trueref_server.settings import Settings

PAGES: dict[str, Sections] = {
    "settings/": (
        ("settings", "Settings", "<p>What can be set of the kiln, and where it is set.</p>"),
        ("overwrite", "overwrite", "<p>Overwrite programs that already exist in the kiln, without asking for it.</p>"),
        ("cleanup", "cleanup", "<p>Never delete the log of a firing that the house may still want to read.</p>"),
        ("glazes", "glazes", "<p>Load glazes from the shelf, or pass <code>--no-glaze</code> for a plain firing.</p>"),
        ("heat", "heat", "<p>How hot the kiln gets in the first hour of a firing, in degrees of Celsius.</p>"),
    ),
    "colors/": (("colors", "Colors", "<p>Each glaze has a color, which the palette of the shop lists.</p>"),),
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unwanted")
    index_site(write_site(folder / "site", PAGES), index=folder / "index", name="kiln", embedder="lexical")
    return folder / "index"


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("overwrite programs that already exist in the kiln", "answer"),
        ("don't overwrite programs that already exist in the kiln", "closest"),
        ("don't delete the log of a firing", "answer"),
        ("don't load glazes from the shelf", "answer"),
    ],
)
def test_what_does_the_unwanted_is_no_answer(index: Path, question: str, verdict: str) -> None:
    async def ask() -> str:
        service = Service(Settings(index=index))
        answer = await service.ask_whole(Question(question))
        await service.close()
        return answer.verdict

    assert asyncio.run(ask()) == verdict
