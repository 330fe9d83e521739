from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.plugin.pages import page

from trueref_core.embedding.embedder import Embedder, load_embedder
from trueref_core.errors import EmbedderError, OptionError
from trueref_core.generations.content import IndexContent
from trueref_core.generations.publication import build_lock, publish
from trueref_core.generations.served_generation import read_current, read_generation
from trueref_plugin.build import preview
from trueref_plugin.build.build import IndexReport, build, cut, index_site
from trueref_plugin.build.preview import Preview
from trueref_plugin.build.site_removal import drop_site
from trueref_plugin.options import BuildOptions
from trueref_plugin.progress import Reporter


class Desk:
    """A site under a preview, as a writer saves it."""

    def __init__(self, folder: Path) -> None:
        self.options = BuildOptions(folder / "site", folder / "index", name="docs", embedder="lexical")
        self.options.site.mkdir()
        self.reports: list[IndexReport] = []
        self.noted: list[str] = []
        self.warned: list[str] = []
        self.preview = Preview(lambda done, _: self.reports.append(done), self.noted.append, self.warned.append)

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
    desk.preview.wait()
    assert desk.served == desk.reports[0].generation.id != first.generation.id


def test_a_save_that_changes_nothing_is_reported_as_a_build_reports_it(desk: Desk) -> None:
    """With the warning that the embedder was not trained on the language of the pages."""
    desk.options = replace(desk.options, language="de", embedder="bundled")
    desk.save("Eins.")
    desk.preview.wait()
    again = desk.save("Eins.")
    assert again is not None
    assert not again.changed
    assert again == build(desk.options, Reporter())
    assert "de" in again.unfit


def test_a_save_that_is_taken_back_while_it_is_made_is_never_served(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = desk.save("One.")
    assert first is not None
    is_made, go_on = threading.Event(), threading.Event()

    def slow(*args: Any) -> Any:
        made = cut(*args)
        is_made.set()
        go_on.wait()
        return made

    monkeypatch.setattr(preview, "cut", slow)
    assert desk.save("Two.") is None
    is_made.wait()
    back = desk.save("One.")
    assert back is not None
    assert not back.changed
    go_on.set()
    desk.preview.wait()
    assert (desk.served, desk.reports) == (first.generation.id, [])


def test_a_save_waits_for_a_build_that_holds_the_lock(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.save("One.")
    before = desk.served
    is_made = threading.Event()

    def noted(*args: Any) -> Any:
        made = cut(*args)
        is_made.set()
        return made

    monkeypatch.setattr(preview, "cut", noted)
    # Taken before the save: on a quick machine it would have published.
    with build_lock(desk.options.index):
        assert desk.save("Two.") is None
        is_made.wait()
    desk.preview.wait()
    assert desk.served != before
    assert desk.warned == []


def beside(desk: Desk, name: str = "other") -> IndexReport:
    """Another site comes into the index."""
    folder = desk.options.site.parent / name
    folder.mkdir(exist_ok=True)
    (folder / "index.html").write_text(page(f"<h1 id='x'>{name}</h1><p>Text of {name}.</p>"))
    return index_site(folder, index=desk.options.index, name=name, embedder=desk.options.embedder)


def names(desk: Desk) -> list[str]:
    return [site.name for site in read_generation(desk.options.index).sites]


def test_the_vectors_of_other_sites_are_not_taken_away(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Full text goes first where the site is alone. Beside another one, vectors do."""
    monkeypatch.setattr(preview, "FEW_TEXTS", 0)
    published: list[bool] = []

    def noted(index: Path, content: IndexContent, **options: Any) -> Any:
        published.append(content.vectors is not None)
        return publish(index, content, **options)

    monkeypatch.setattr(preview, "publish", noted)
    desk.options = replace(desk.options, embedder="bundled")
    before = beside(desk).generation
    assert desk.save("One.") is None
    assert desk.served == before.id
    desk.preview.wait()
    desk.save("Two.")
    desk.preview.wait()
    served = read_generation(desk.options.index)
    assert ([site.name for site in served.sites], served.vectors) == (["docs", "other"], True)
    assert published == [True, True]
    before_answers = "Embedding 1 texts in the background. Until that is done, the build before answers."
    assert desk.noted == [before_answers] * 2
    drop_site(desk.options.index, "other")
    desk.save("Three.")
    desk.preview.wait()
    # Alone again: its text goes first.
    assert published == [True, True, False, True]
    assert (names(desk), desk.warned) == (["docs"], [])


@pytest.mark.parametrize("embedder", ["lexical", "bundled"])
@pytest.mark.parametrize(
    ("meanwhile", "after"),
    [
        (lambda desk: beside(desk, "third"), ["docs", "other", "third"]),
        (lambda desk: drop_site(desk.options.index, "other"), ["docs"]),
        (lambda desk: drop_site(desk.options.index, "docs"), ["docs", "other"]),
    ],
)
def test_sites_that_come_or_go_while_a_preview_embeds_stay_so(
    desk: Desk,
    monkeypatch: pytest.MonkeyPatch,
    embedder: str,
    meanwhile: Callable[[Desk], object],
    after: list[str],
) -> None:
    """Between the reading of a site and its publishing other sites come and go."""
    desk.options = replace(desk.options, embedder=embedder)
    beside(desk)
    desk.save("One.")
    desk.preview.wait()
    is_made, go_on = threading.Event(), threading.Event()

    def slow(*args: Any) -> Any:
        made = cut(*args)
        is_made.set()
        go_on.wait()
        return made

    monkeypatch.setattr(preview, "cut", slow)
    assert desk.save("Two.") is None
    is_made.wait()
    meanwhile(desk)
    go_on.set()
    desk.preview.wait()
    assert (names(desk), desk.warned) == (after, [])
    # The same as if it had been made in one go.
    served = desk.served
    assert desk.save("Two.") is not None
    assert desk.served == served


def test_embedding_many_texts_in_the_background_is_said_once(desk: Desk) -> None:
    desk.options = replace(desk.options, embedder="bundled")
    assert desk.save("".join(f"</p><h2 id='s{n}'>Part {n}</h2><p>Text {n}." for n in range(42))) is not None
    desk.preview.wait()
    assert desk.noted == ["Embedding 42 texts in the background. Until that is done, text is found by its words."]
    desk.save("Two.")
    desk.preview.wait()
    assert len(desk.noted) == 1
    assert desk.warned == []


def test_vectors_that_are_still_to_come_are_waited_for(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A preview published the text and could make no vectors: another site has nothing to go with."""

    def failing(name: str) -> Embedder | None:
        raise EmbedderError(f"{name} is not to be had.")

    monkeypatch.setattr(preview, "load_embedder", failing)
    desk.options = replace(desk.options, embedder="bundled")
    desk.save("Text.")
    desk.preview.wait()
    assert desk.warned == ["bundled is not to be had. The last published build still answers questions."]
    with pytest.raises(OptionError) as caught:
        beside(desk)
    assert str(caught.value) == (
        "The index holds the site 'docs' without vectors, because a preview has not made them yet. "
        "Build the site 'docs' first."
    )


def test_the_embedder_is_there_before_the_first_save(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a site that is indexed already nothing is embedded, and the first save should not wait for the model either."""
    desk.options = replace(desk.options, embedder="bundled")
    (desk.options.site / "index.html").write_text(page('<h1 id="home">Home</h1><p>One.</p>'))
    index_site(desk.options.site, index=desk.options.index, name="docs")
    loaded: list[str] = []

    def counted(name: str) -> Embedder | None:
        loaded.append(name)
        return load_embedder(name)

    monkeypatch.setattr(preview, "load_embedder", counted)
    assert desk.save("One.") is not None
    desk.preview.wait()
    assert loaded == ["bundled"]
    assert desk.save("Two.") is None
    desk.preview.wait()
    assert loaded == ["bundled"]
    assert read_generation(desk.options.index).vectors
    assert desk.served == desk.reports[-1].generation.id
