"""The same rules over every page of two real sites."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest
from tests.plugin.made import cut
from tests.plugin.rules import broken_rules, wordpieces

from trueref_plugin.files.site_files import find_files
from trueref_plugin.reading.parse import parse_page


@pytest.mark.long
@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize(("name", "least"), [("uv", 90), ("mkdocs-material", 90)])
def test_every_page_keeps_to_the_rules(shared: Path, tmp_path: Path, name: str, least: int) -> None:
    with tarfile.open(shared / f"{name}.site.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    site = tmp_path / "site"
    broken: dict[str, list[str]] = {}
    for file in find_files(site).pages:
        parsed = parse_page((site / file).read_text(encoding="utf-8"))
        chunks = cut(parsed, wordpieces)
        assert chunks == cut(parsed, wordpieces)
        broken[file] = broken_rules(parsed, chunks)
    assert len(broken) > least
    assert {file: lines for file, lines in broken.items() if lines} == {}
