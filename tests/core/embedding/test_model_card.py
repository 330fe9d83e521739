"""The card beside the bundled embedder is of the files that it lies beside."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from trueref_core.embedding.bundled_model import BUNDLED_DIMENSIONS, BUNDLED_FILES, BUNDLED_FOLDER, MAX_WORDPIECES

CARD = (BUNDLED_FOLDER / "README.md").read_text("utf-8")


@pytest.mark.parametrize("file", BUNDLED_FILES)
def test_the_card_names_the_digest_of_each_file(file: str) -> None:
    (row,) = [line for line in CARD.splitlines() if line.startswith(f"| {file} ")]
    assert BUNDLED_FILES[file] in row


def test_the_card_names_the_size_of_the_model() -> None:
    packed = (BUNDLED_FOLDER / "model.onnx.gz").read_bytes()
    sizes = [f"{len(data) / 1e6:.1f} MB" for data in (gzip.decompress(packed), packed)]
    assert f"{sizes[0]}, packed {sizes[1]}" in CARD
    assert f"{BUNDLED_DIMENSIONS} dimensions, {MAX_WORDPIECES} wordpieces" in CARD


@pytest.mark.parametrize("part", ["licence", "Data", "Figures", "bad at"])
def test_the_card_has_all_parts(part: str) -> None:
    assert part in CARD


def test_the_sites_that_measure_are_not_among_those_of_the_data() -> None:
    data = CARD.split("**Data.**")[1].split("**Figures**")[0]
    assert "aiohttp" in data
    assert not [site for site in ("black", "celery", "git,", "mypy", "scrapy", "uv,") if site in data]


def test_the_decision_leads_to_the_card() -> None:
    decision = Path(__file__).parents[3] / "docs" / "decisions" / "shipped-model.md"
    assert f"trueref_core/models/{BUNDLED_FOLDER.name}/README.md" in decision.read_text("utf-8")
