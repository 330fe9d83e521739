from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from tests.plugin.pages import page

from trueref_core.generations import build_lock, read_current
from trueref_plugin import preview as module
from trueref_plugin.index import IndexReport, make
from trueref_plugin.options import BuildOptions
from trueref_plugin.preview import Preview
from trueref_plugin.report import Reporter


class Desk:
    """A site under a preview, as a writer saves it."""

    def __init__(self, folder: Path) -> None:
        self.options = BuildOptions(folder / "site", folder / "index", name="docs", embedder="lexical")
        self.options.site.mkdir()
        self.told: list[IndexReport] = []
        self.warned: list[str] = []
        self.preview = Preview(lambda done, _: self.told.append(done), self.warned.append)

    def save(self, text: str) -> IndexReport | None:
        (self.options.site / "index.html").write_text(page(f'<h1 id="home">Home</h1><p>{text}</p>'))
        return self.preview.build(self.options, Reporter())

    @property
    def served(self) -> str | None:
        return read_current(self.options.index)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_the_first_save_is_served_at_once_and_later_ones_soon(desk: Desk) -> None:
    first = desk.save("One.")
    assert first is not None
    assert desk.served == first.generation.id
    assert desk.save("Two.") is None
    desk.preview.wait(30)
    assert desk.served == desk.told[0].generation.id != first.generation.id


def test_a_save_that_is_taken_back_while_it_is_made_is_never_served(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = desk.save("One.")
    assert first is not None
    is_made, go_on = threading.Event(), threading.Event()

    def slow(*args: Any) -> Any:
        made = make(*args)
        is_made.set()
        assert go_on.wait(30)
        return made

    monkeypatch.setattr(module, "make", slow)
    assert desk.save("Two.") is None
    assert is_made.wait(30)
    back = desk.save("One.")
    assert back is not None
    assert not back.changed
    go_on.set()
    desk.preview.wait(30)
    assert (desk.served, desk.told) == (first.generation.id, [])


def test_a_save_waits_for_a_build_that_holds_the_lock(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.save("One.")
    before = desk.served
    is_made = threading.Event()

    def noted(*args: Any) -> Any:
        made = make(*args)
        is_made.set()
        return made

    monkeypatch.setattr(module, "make", noted)
    # Taken before the save: on a quick machine it would have published.
    with build_lock(desk.options.index):
        assert desk.save("Two.") is None
        is_made.wait(30)
    desk.preview.wait(30)
    assert desk.served != before
    assert desk.warned == []
