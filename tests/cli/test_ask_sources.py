"""How `trueref ask` lists the sources of an answer: under the names of their kinds, and of many the first ones."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.running import run
from tests.server.given_answers import given_answer
from tests.server.handmade import content
from tests.server.scripted_model import scripted_model

from trueref.output import print_answer
from trueref_core.generations.publication import publish
from trueref_core.records import PageKind
from trueref_server.records import Source

QUESTION = "How do I switch on dark mode?"
TEXT = "Dark mode is switched on with the palette toggle. [1][2]"


def source(n: int, kind: PageKind, name: str = "") -> Source:
    return Source(n, f"Page {n}", f"Section {n}", (), kind, f"p{n}/", "a", f"p{n}/#a", None, "", kind_name=name)


def lines_of(capsys: pytest.CaptureFixture[str], sources: tuple[Source, ...], *, every: bool = False) -> list[str]:
    print_answer(replace(given_answer(), sources=sources), with_all_cards=every)
    lines = capsys.readouterr().out.splitlines()
    return [line for line in lines[2:] if not line.startswith("    ")]


def test_sources_stand_under_the_names_of_their_kinds(capsys: pytest.CaptureFixture[str]) -> None:
    sources = (source(1, "guide", "Guides"), source(2, "api", "API"), source(3, "guide", "Guides"))
    assert lines_of(capsys, sources) == ["Guides:", "[1] Section 1", "[3] Section 3", "API:", "[2] Section 2"]


def test_a_kind_without_a_name_has_no_heading(capsys: pytest.CaptureFixture[str]) -> None:
    assert lines_of(capsys, (source(1, "redirect"),)) == ["[1] Section 1"]


def test_five_sources_are_printed_unless_all_are_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    sources = tuple(source(n, "guide", "Guides") for n in range(1, 8))
    first = lines_of(capsys, sources)
    assert first[:-1] == ["Guides:", *(f"[{n}] Section {n}" for n in range(1, 6))]
    assert first[-1] == "2 more sources: --all prints them."
    assert lines_of(capsys, sources, every=True) == ["Guides:", *(f"[{n}] Section {n}" for n in range(1, 8))]
    assert lines_of(capsys, sources[:6])[-1] == "1 more source: --all prints it."


def test_text_after_code_about_markdown_is_wrapped(capsys: pytest.CaptureFixture[str]) -> None:
    """The code ends at a fence as long as the one that begins it, whatever is inside."""
    text = f"````md\n```\nx = {'1, ' * 40}\n````\n\n{'words ' * 40}\\[1] [2]"
    print_answer(replace(given_answer(), text=text, sources=(), more=()))
    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == ["````md", "```", f"x = {'1, ' * 40}", "````"]
    assert max(map(len, lines[4:])) <= 80
    assert lines[-1].endswith("words [1] [2]")


@pytest.fixture(scope="module")
def index_of_two_kinds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index made by hand, where another page, of the API, says the same of dark mode."""
    path = tmp_path_factory.mktemp("kinds") / "index"
    made = content({"api/": {"palette": "Dark mode is switched on with the palette toggle of the class."}})
    pages = tuple(replace(page, kind="api") if page.page == "api/" else page for page in made.pages)
    chunks = tuple(replace(chunk, page_kind="api") if chunk.page == "api/" else chunk for chunk in made.chunks)
    publish(path, replace(made, pages=pages, chunks=chunks))
    return path


def test_several_sources_of_one_sentence_are_listed_by_kind(index_of_two_kinds: Path) -> None:
    """On the running program, with an endpoint that cites two sections in one sentence."""
    with scripted_model(lambda _: [TEXT]) as model:
        env = {"TRUEREF_MODEL_URL": model.url, "TRUEREF_MODEL_NAME": "tiny"}
        asked = ("ask", QUESTION, "--index", index_of_two_kinds)
        done, as_json = run(*asked, env=env), json.loads(run(*asked, "--json", env=env).stdout)
    assert (as_json["mode"], as_json["citations"]) == ("model", [1, 2])
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == TEXT
    headings = [line for line in lines if line in {"Guides:", "API:"}]
    assert sorted(headings) == ["API:", "Guides:"]
    for heading, number in zip(headings, (1, 2), strict=True):
        assert lines[lines.index(heading) + 1].startswith(f"[{number}] ")
