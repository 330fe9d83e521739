"""An index that was copied: what were hard links are files of their own then, and builds go on from there."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.core.samples import opens
from tests.plugin.build.test_incremental import Site

from trueref_core.generations.served_generation import read_current, served_build
from trueref_core.records import Page
from trueref_plugin.build import generation_content
from trueref_plugin.cutting.cut import cut_page


def linked(index: Path) -> int:
    """How many files of the served generation are those of another one, too."""
    return sum(path.stat().st_nlink > 1 for path in served_build(index).rglob("*") if path.is_file())


def with_cp(index: Path, copy: Path) -> None:
    subprocess.run(["cp", "-r", str(index), str(copy)], check=True)


def with_rsync(index: Path, copy: Path) -> None:
    if shutil.which("rsync") is None:
        pytest.skip("rsync is not installed")
    subprocess.run(["rsync", "-a", f"{index}/", f"{copy}/"], check=True)


def with_zip(index: Path, copy: Path) -> None:
    shutil.unpack_archive(shutil.make_archive(str(copy), "zip", index), copy)


COPIES: dict[str, Callable[[Path, Path], None]] = {"cp -r": with_cp, "rsync -a": with_rsync, "zip": with_zip}


@pytest.mark.parametrize("way", COPIES)
def test_a_copy_is_served_and_built_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    site = Site(tmp_path)
    site.build()
    site.write("p04", site.body(4, "New words."))
    site.build()
    served, original = read_current(site.index), site.index
    assert linked(original)
    copy = tmp_path / "copy"
    COPIES[way](original, copy)
    assert opens(copy) == served
    assert linked(copy) == 0
    site.index = copy
    assert site.rows(copy) == site.rows(original)
    assert not site.build().changed
    site.write("p05", site.body(5, "Newer words."))
    cut: list[str] = []

    def counting(page: Page, *rest: Any) -> Any:
        cut.append(page.page)
        return cut_page(page, *rest)

    monkeypatch.setattr(generation_content, "cut_page", counting)
    assert site.build().changed
    assert cut == ["p05.html"]
    site.check_same_as_whole()
    assert opens(original) == served
