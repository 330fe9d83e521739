"""The mark of an open card: by meaning with the bundled embedder, and by words without vectors."""

from __future__ import annotations

import pytest
from tests.server.kiln_site import GUIDE, kiln_index

from trueref_server.records import Question
from trueref_server.service import Service
from trueref_server.settings import Settings

ANSWER = "Set the field quiet to silence all output."
NOISE = {
    **GUIDE,
    "guide/noise/": (
        ("noise", "Noise", "<p>About noise.</p>"),
        ("screen", "Screen", f"<p>The screen shows the date and the time. {ANSWER}</p>"),
    ),
}


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("embedder", "marked"), [("bundled", ANSWER), ("lexical", "The screen shows the date and the time.")]
)
async def test_meaning_decides_with_the_bundled_embedder_and_words_without_vectors(
    tmp_path_factory: pytest.TempPathFactory, embedder: str, marked: str
) -> None:
    service = Service(Settings(index=kiln_index(tmp_path_factory, embedder, NOISE)))
    answer = await service.ask_whole(Question("How do I stop the messages on the screen?"))
    await service.close()
    (text,) = [block.text[slice(*block.highlight)] for block in answer.excerpts[0].blocks if block.highlight]
    assert text == marked
