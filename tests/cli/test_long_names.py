"""What is longer than anyone reads is cut where a person reads it, and whole for a program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.running import run

MOST = 1000
NAME = "i" * 3000
HEADING = "Glazing " + "glaze " * 800
PAGE = f"""<!doctype html><html lang=en><title>{"Kilns " * 600}</title><main><h1 id=top>{"Kiln " * 600}</h1>
<p>Firing is hot.</p><h2 id=linked>{HEADING}</h2><p>Set <code>cone_number</code>.</p>
<h2 id={NAME}>{HEADING}</h2><p>Set <code>ramp_rate</code> to glaze.</p></main>"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("long")
    (folder / "site").mkdir()
    (folder / "site" / "index.html").write_text(PAGE, encoding="utf-8")
    built = run("index", "site", "--embedder", "lexical", "--exports", "llms,manifest", cwd=folder)
    assert built.returncode == 0, built.stderr
    return folder


@pytest.mark.parametrize("option", ["cone_number", "ramp_rate"])
def test_captions_and_sources_of_an_answer_shorten_a_long_heading(option: str, folder: Path) -> None:
    answer = json.loads(run("ask", f"What is {option} for?", "--json", cwd=folder).stdout)
    shown = [answer["text"], *(block["caption"] for card in answer["excerpts"] for block in card["blocks"])]
    shown += [source["section"] for source in answer["sources"]]
    # The heading with the long id has no address, so its text is shown with what stands above it.
    assert any(option in block["text"] for block in answer["excerpts"][0]["blocks"])
    assert max(map(len, shown)) < MOST + 100


@pytest.mark.parametrize(
    "args",
    [
        ("search", "ramp_rate glaze"),
        ("search", "ramp_rate glaze", "--explain"),
        ("resolve", f"#{NAME}", f"#{NAME}x", f"none/{NAME}/", f"https://example.org/{NAME}"),
        ("check", "site"),
        ("info",),
    ],
)
def test_no_line_that_is_printed_is_as_long_as_the_longest_name(args: tuple[str, ...], folder: Path) -> None:
    printed = run(*args, cwd=folder)
    # A link, with what was meant or the reason.
    assert max(len(line) for line in (printed.stdout + printed.stderr).splitlines()) < 3 * MOST


def test_lines_of_llms_txt_shorten_a_long_name(folder: Path) -> None:
    for name in ("llms.txt", "llms-full.txt"):
        lines = (folder / "site" / name).read_text(encoding="utf-8").splitlines()
        assert max(map(len, lines)) < MOST + 100, name


def test_json_and_manifest_have_a_long_link_whole(folder: Path) -> None:
    resolved = run("resolve", f"none/{NAME}/", "--json", cwd=folder)
    assert json.loads(resolved.stdout)["given"] == f"none/{NAME}/"
    manifest = json.loads((folder / "site" / "assets" / "trueref" / "manifest.json").read_text(encoding="utf-8"))
    assert NAME in {anchor["anchor"] for page in manifest["pages"] for anchor in page["anchors"]}
