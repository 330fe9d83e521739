from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.running import run
from tests.plugin.checking.sites import zoo
from tests.preloaded import programs

from trueref.cli import COMMANDS


def test_info_says_which_pages_are_not_searched(tmp_path: Path) -> None:
    site = zoo(tmp_path / "site")
    assert run("index", site, "--index", tmp_path / "index", "--embedder", "lexical", cwd=tmp_path).returncode == 0
    assert " 8 pages (1 of them not searched: error page), " in run("info", "--index", tmp_path / "index").stdout


def test_the_version_is_told_on_standard_output() -> None:
    done = run("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("trueref ")


def test_help_names_every_command() -> None:
    help_text = run("--help").stdout
    assert all(f"\n  {command} " in help_text for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    done = run(command, "--help")
    assert done.returncode == 0
    assert "Usage: trueref" in done.stdout


@pytest.mark.parametrize(
    "args",
    [
        ["none"],
        ["ask"],
        ["ask", " "],
        ["ask", "x" * 2001],
        ["search", "a", "--limit", "0"],
        ["serve", "--port", "x"],
        ["serve", "--port", "70000"],
        ["serve", "--prefix", "x"],
        ["serve", "--site", "none"],
        ["index", "none"],
        ["eval", "none"],
        ["info", "--index", "none"],
        ["search", "a", "--index", "none"],
    ],
)
def test_a_wrong_use_is_told_without_a_traceback(args: list[str], tmp_path: Path) -> None:
    done = run(*args, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    assert done.stderr.strip()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--base", "/docs/"], "--base is where --site is served. Give --site too"),
        (["--site", ".", "--base", "https://x/docs/"], "--base https://x/docs/ is no path."),
        (["--site", ".", "--base", "/docs/?a"], "--base /docs/?a is no path."),
    ],
)
def test_a_base_that_nothing_can_be_served_at_is_refused(
    args: list[str], message: str, index: Path, tmp_path: Path
) -> None:
    done = run("serve", *args, "--index", index, "--port", "0", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"Error: {message}" in done.stderr


def test_no_index_is_one_line_that_says_what_to_do(tmp_path: Path) -> None:
    done = run("ask", "dark mode", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "trueref: No index at .trueref. Build one with `mkdocs build`, or `trueref index SITE`.\n"


def test_a_file_in_place_of_an_index_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{}", encoding="utf-8")
    done = run("resolve", "a/#b", "--index", "manifest.json", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("trueref: manifest.json is a file, and an index is a folder. Build one with")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (" ", "The question is empty. Ask with at least one word."),
        ("apple " * 17_000, "The question has 101999 characters, more than 2000. Ask in fewer words."),
    ],
)
def test_questions_that_are_none_give_one_line(question: str, message: str, index: Path) -> None:
    assert run("ask", question, "--index", index).stderr == f"trueref: {message}\n"
    assert run("search", question, "--index", index).stderr == f"trueref: {message}\n"


def test_an_option_goes_before_the_environment_and_that_before_the_folder(index: Path, tmp_path: Path) -> None:
    (tmp_path / ".trueref").symlink_to(index)
    assert run("info", cwd=tmp_path).returncode == 0
    assert run("info", cwd=tmp_path, env={"TRUEREF_INDEX": "none"}).returncode == 2
    (tmp_path / "trueref.toml").write_text('index = "elsewhere"\n')
    assert "elsewhere" in run("info", cwd=tmp_path).stderr
    assert run("info", "--index", index, cwd=tmp_path).returncode == 0


def test_an_answer_is_printed_with_its_addresses_in_80_columns(index: Path) -> None:
    done = run("ask", "How do I switch on dark mode?", "--index", index)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Dark mode is switched on with the palette toggle." in done.stdout
    assert "https://docs.example.org/demo/setup/colors/#dark-mode" in done.stdout
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    assert "\x1b" not in done.stdout


def test_ask_prints_the_folded_cards_where_all_are_wanted(index: Path) -> None:
    asked = ("ask", "How do I switch on dark mode or custom colors?", "--index", index)
    open_card, everything = run(*asked).stdout, run(*asked, "--all").stdout
    cards = json.loads(run(*asked, "--json").stdout)["excerpts"]
    assert len(cards) > 1
    for card in cards:
        assert card["caption"].split()[0] in everything
    assert len(everything) > len(open_card)


def test_an_answer_as_json_has_verdict_and_sources(index: Path) -> None:
    answer = json.loads(run("ask", "How do I switch on dark mode?", "--index", index, "--json").stdout)
    assert answer["verdict"] == "answer"
    assert answer["sources"][0]["anchor"] == "dark-mode"


def test_an_explained_answer_tells_terms_confidence_and_hits(index: Path) -> None:
    printed = run("ask", "dark mode", "--index", index, "--explain").stdout
    assert "terms: " in printed
    assert "confidence: " in printed
    explained = json.loads(run("ask", "dark mode", "--index", index, "--explain", "--json").stdout)
    assert explained["explain"]["hits"][0]["anchor"] == "dark-mode"
    assert explained["answer"]["verdict"] == "answer"


def test_a_question_that_the_docs_do_not_answer_exits_with_1(index: Path) -> None:
    done = run("ask", "quantum chromodynamics", "--index", index)
    assert done.returncode == 1
    assert done.stdout.strip()


def test_a_search_prints_addresses_and_gives_json(index: Path) -> None:
    done = run("search", "dark mode", "--index", index, "--limit", "2")
    assert (done.returncode, done.stderr) == (0, "")
    assert "https://docs.example.org/demo/setup/colors/#dark-mode" in done.stdout
    results = json.loads(run("search", "dark mode", "--index", index, "--json").stdout)["results"]
    assert results[0]["href"] == "setup/colors/#dark-mode"


def test_an_explained_search_tells_its_signals(index: Path) -> None:
    assert "text" in run("search", "dark mode", "--index", index, "--explain").stdout


def test_a_search_that_finds_nothing_exits_with_1(index: Path) -> None:
    done = run("search", "chromodynamics", "--index", index)
    assert (done.returncode, done.stdout) == (1, "")


def test_resolve_gives_one_verdict_a_link_in_order(index: Path) -> None:
    done = run("resolve", "install/", "setup/colors/#none", "nowhere/", "--json", "--index", index)
    assert [json.loads(line)["status"] for line in done.stdout.splitlines()] == ["exact", "page-only", "unlinked"]
    assert done.returncode == 1


def test_resolve_reads_links_line_by_line_from_standard_input(index: Path) -> None:
    done = run("resolve", "--index", index, stdin="install/\n\nsetup/colors/#dark-mode\n")
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["exact", "exact"]


def test_resolve_reads_a_link_as_if_it_stood_on_the_page_that_is_named(index: Path) -> None:
    done = run("resolve", "#dark-mode", "--page", "setup/colors/", "--index", index, "--json")
    assert json.loads(done.stdout)["href"] == "setup/colors/#dark-mode"


def test_a_path_is_told_step_by_step(index: Path) -> None:
    printed = run("path", "setup/colors/", "install/#with-docker", "--index", index).stdout
    base = "https://docs.example.org/demo/"
    assert printed.splitlines() == [
        f"from     {base}setup/colors/",
        f"down to  {base}setup/colors/#dark-mode",
        f'link to  {base}install/#with-pip by "the pip page"',
        f"up to    {base}install/",
        f"down to  {base}install/#with-docker",
    ]
    steps = json.loads(run("path", "setup/colors/", "install/#with-docker", "--index", index, "--json").stdout)
    assert [step["move"] for step in steps] == ["start", "down", "link", "up", "down"]
    assert (steps[2]["href"], steps[2]["text"]) == ("install/#with-pip", "the pip page")


def test_where_no_link_leads_a_path_exits_with_1(index: Path) -> None:
    done = run("path", "install/", "setup/colors/", "--index", index)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "No link in the texts leads there.\n"


def test_a_path_from_a_page_that_is_not_there_exits_with_2(index: Path) -> None:
    done = run("path", "nowhere/", "install/", "--index", index)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "trueref: nowhere/ leads to no page of this index: There is no page `nowhere/` in demo.\n"


def test_a_path_to_an_anchor_that_is_not_there_says_where_it_leads(index: Path) -> None:
    """The path to the page was given without a word."""
    done = run("path", "install/", "install/#nowhere", "--index", index)
    assert (done.returncode, done.stdout.startswith("from ")) == (0, True)
    assert done.stderr == (
        "trueref: install/#nowhere is read as install/: The page exists, but has no anchor `nowhere`.\n"
    )


def test_an_empty_address_is_the_root_page_for_a_path(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("<title>Tea</title><main><h1 id=tea>Tea</h1><a href=cups.html>Cups</a></main>")
    (site / "cups.html").write_text("<title>Cups</title><main><h1 id=cups>Cups</h1></main>")
    assert run("index", "site", "--embedder", "lexical", cwd=tmp_path).returncode == 0
    steps = json.loads(run("path", "", "cups.html", "--json", cwd=tmp_path).stdout)
    assert [step["href"] for step in steps] == ["", "#tea", "cups.html"]


def test_an_empty_address_on_a_site_without_a_root_page_is_refused(index: Path) -> None:
    done = run("path", "", "install/", "--index", index)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "trueref: The root page leads to no page of this index: There is no page `/` in demo.\n"


def test_pages_in_a_language_that_the_embedder_does_not_know_are_warned_of(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text('<html lang="ja"><meta charset="utf-8"><title>T</title><main><p>日記。</p></main>')
    for _ in range(2):
        built = run("index", "site", cwd=tmp_path)
        assert built.stderr.count("The embedder bundled/MiniLM-L6-docs knows en, and 1 of 1 pages are in ja: ") == 1
    assert "answered by words alone" in run("info", cwd=tmp_path).stderr
    assert "knows en" not in run("index", "site", "--embedder", "lexical", cwd=tmp_path).stderr
    assert run("info", cwd=tmp_path).stderr == ""


def test_info_tells_embedder_sites_and_counts(index: Path) -> None:
    printed = run("info", "--index", index).stdout
    assert "none: full text only" in printed
    assert "https://docs.example.org/demo/" in printed
    assert json.loads(run("info", "--index", index, "--json").stdout)["counts"]["chunks"] == 7


@pytest.mark.slow
def test_a_site_that_was_indexed_is_asked_and_a_damaged_index_is_made_again(tmp_path: Path) -> None:
    page = "<html><head><title>Zebras</title></head><body><main><h1 id='zebras'>Zebras</h1><p>A zebra has stripes, and each has its own pattern of them.</p></main></body></html>"
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text(page)
    built = run("index", "site", "--embedder", "lexical", cwd=tmp_path)
    assert (built.returncode, built.stdout) == (0, "")
    assert "Index published" in built.stderr
    assert "Index unchanged" in run("index", "site", "--embedder", "lexical", cwd=tmp_path).stderr
    assert "stripes" in run("ask", "Which zebra has stripes?", cwd=tmp_path).stdout
    sums = next((tmp_path / ".trueref").glob("builds/*/SHA256SUMS"))
    table = next(sums.parent.glob("tables/chunks.lance/data/*.lance"))
    table.write_bytes(table.read_bytes()[:-1] + b"x")
    refused = run("ask", "Which zebra has stripes?", cwd=tmp_path)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert f"{table.relative_to(tmp_path)} has changed since it was written" in refused.stderr
    assert "Index published" in run("index", "site", "--embedder", "lexical", cwd=tmp_path).stderr
    assert run("ask", "Which zebra has stripes?", cwd=tmp_path).returncode == 0


def test_weights_of_pages_change_the_order_of_results(tmp_path: Path) -> None:
    text = "<html><body><main><h1>Zebras</h1><p>A zebra of the {} has stripes, and {}.</p></main></body></html>"
    for name, rest in {"south": "each its own pattern of them", "north": "they keep the flies away in summer"}.items():
        (tmp_path / "site" / name).mkdir(parents=True)
        (tmp_path / "site" / name / "index.html").write_text(text.format(name, rest))

    def index(*options: str) -> str:
        done = run("index", "site", "--embedder", "lexical", *options, cwd=tmp_path)
        assert done.stdout == ""
        return done.stderr

    def explained() -> list[tuple[str, float]]:
        result = json.loads(run("search", "stripes of a zebra", "--explain", "--json", cwd=tmp_path).stdout)
        return [(hit["page"], hit["signals"].get("owner", 0.0)) for hit in result["explain"]["hits"]]

    for first, last in (("north/", "south/"), ("south/", "north/")):
        assert "Index published" in index("--weight", last, "-0.3", "--weight", "*h/", "0.1")
        assert explained() == [(first, 0.1), (last, -0.2)]
    assert "Index unchanged" in index("--weight", last, "-0.3", "--weight", "*h/", "0.1")
    twice = "trueref: --weight is given twice for '*'. Give it once for each pattern.\n"
    assert index("--weight", "*", "0.1", "--weight", "*", "0.3") == twice
    assert index("--weight", "*", "nan") == "trueref: The weight nan of the pages '*' is not a number from -1 to 1.\n"


def test_the_root_of_a_site_without_a_base_url_has_an_address_to_read(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    text = "<h1>Zebras</h1><p>A zebra has stripes, and each has its own pattern of them.</p>"
    (tmp_path / "site" / "index.html").write_text(f"<html><body><main>{text}</main></body></html>")
    assert run("index", "site", "--embedder", "lexical", cwd=tmp_path).returncode == 0
    assert "] Zebras\n    ./\n" in run("ask", "Which zebra has stripes?", cwd=tmp_path).stdout
    assert " 1. Zebras\n    ./\n" in run("search", "stripes", cwd=tmp_path).stdout


def on_terminal(*args: str | Path, env: dict[str, str]) -> str:
    """What a command prints to a terminal."""
    leader, follower = pty.openpty()
    clean = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    with os.fdopen(follower, "wb") as log:
        program = programs().start("trueref", [*map(str, args)], env=clean | {"TERM": "xterm"} | env, log=log)
    output = b""
    while True:
        try:
            part = os.read(leader, 4096)
        except OSError:
            break
        if not part:
            break
        output += part
    os.close(leader)
    program.wait()
    return output.decode()


def test_colour_is_for_terminals_and_can_be_refused(index: Path) -> None:
    assert "\x1b[1m" in on_terminal("search", "dark mode", "--index", index, env={})
    assert "\x1b" not in on_terminal("search", "dark mode", "--index", index, env={"NO_COLOR": "1"})


def test_a_reader_that_closes_the_pipe_ends_the_command_without_a_message(index: Path) -> None:
    command = [sys.executable, "-m", "trueref", "resolve", "--index", str(index)]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.close()
    _, errors = process.communicate("install/\n" * 20_000) if process.stdin else ("", "")
    assert errors == ""


def test_a_path_to_a_paragraph_goes_through_its_section(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    body = '<h1 id="top">T</h1><h2 id="one">One</h2><p id="para">Text.</p><h2 id="two">Two</h2><p>More.</p>'
    (tmp_path / "site/index.html").write_text(f"<!doctype html><title>T</title><main>{body}</main>")
    assert run("index", tmp_path / "site", "--index", tmp_path / "i", "--embedder", "lexical").returncode == 0
    steps = json.loads(run("path", "index.html#two", "index.html#para", "--index", tmp_path / "i", "--json").stdout)
    assert [(step["move"], step["anchor"]) for step in steps] == [
        ("start", "two"),
        ("up", "top"),
        ("down", "one"),
        ("down", "para"),
    ]
