"""Documentation sites to train on: where the rows say they come from, and how docs that come as source are built."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest

TRAINING = Path(__file__).parents[2] / "training"
sys.path.insert(0, str(TRAINING))

from fetch_sites import SITES, build  # noqa: E402

ROWS: dict[str, dict[str, str]] = tomllib.loads(SITES.read_text("utf-8"))
PAGE = """# Ovens

!!! note
    Ovens get hot.

## Reference

::: bakery.ovens.Oven
    options:
      members:
      - bake

An oven bakes what is put into it.
"""


@pytest.mark.parametrize("name", ROWS)
def test_a_row_names_a_package_of_debian_or_one_release_and_how_its_docs_are_built(name: str) -> None:
    row = ROWS[name]
    if "package" in row:
        assert set(row) == {"package", "folder", "base_url"}
        return
    assert (
        {"sdist", "docs", "builder", "base_url"}
        <= set(row)
        <= {"sdist", "docs", "builder", "base_url", "conf", "exclude"}
    )
    assert re.fullmatch(r"[a-z-]+==[\d.]+", row["sdist"])
    assert row["builder"] in {"sphinx", "mkdocs", "none"}


def test_docs_are_built_without_the_plugins_that_they_were_written_for(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "index.md").write_text(PAGE, "utf-8")
    row = {"docs": "docs", "builder": "mkdocs", "base_url": "https://bakery.example/"}
    built = build("bakery", row, tmp_path, tmp_path / "html", Path(sys.executable))
    page = (built / "index.html").read_text("utf-8")
    assert '<div class="admonition note">' in page
    assert "An oven bakes what is put into it." in page
    assert "bakery.ovens" not in page
    assert "members:" not in page


def test_docs_that_come_built_are_left_where_they_are(tmp_path: Path) -> None:
    row = {"docs": "docs", "builder": "none", "base_url": "https://bakery.example/"}
    assert build("bakery", row, tmp_path, tmp_path / "html", Path(sys.executable)) == tmp_path / "docs"
