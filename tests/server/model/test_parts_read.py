"""What a model reads of a question that asks or compares several things."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.plugin.pages import page
from tests.server.model.test_answerer import GOOD, answering, ask, saying

from trueref_plugin.build.build import index_site

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    "question",
    [
        "What is the difference between batch size and retention?",
        "What is the batch size? And what is retention?",
    ],
)
async def test_a_model_reads_what_is_shown_of_each_part(tmp_path: Path, question: str) -> None:
    """Six sections have the words of the question more often than the two that tell about its parts."""
    sections = {
        "batch-size": page("<h1>Batch size</h1><p>The batch size says how many records are sent together.</p>"),
        "retention": page("<h1>Retention</h1><p>Retention says for how many days records are kept.</p>"),
    } | {
        f"advice-{number}": page(
            f"<h1>The difference of advice {number}</h1><p>What is the difference, what is the batch size, what is the"
            f" retention? Batch size and retention differ in size, batch and difference: in case {number}.</p>"
        )
        for number in range(6)
    }
    for name, text in sections.items():
        (tmp_path / "site" / name).mkdir(parents=True)
        (tmp_path / "site" / name / "index.html").write_text(text, encoding="utf-8")
    index_site(tmp_path / "site", index=tmp_path / "index", embedder="lexical")
    async with answering(tmp_path / "index", saying(GOOD)) as (client, model):
        await ask(client, question)
    read = model.asked[0]["messages"][1]["content"]
    assert "how many records are sent together" in read
    assert "how many days records are kept" in read
