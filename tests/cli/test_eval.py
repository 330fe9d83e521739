from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.running import run
from tests.server.handmade import publish_demo

CASES = [
    {
        "id": "dark",
        "question": "dark mode",
        "gold": [{"page": "setup/colors", "anchor": "dark-mode"}],
        "answerable": True,
    },
    {
        "id": "size",
        "question": "which palette toggle is switched on",
        "gold": [{"page": "install/", "anchor": "größe"}],
        "answerable": True,
    },
    {"id": "not", "question": "quantum chromodynamics", "gold": [], "answerable": False},
]


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    return written(tmp_path / "cases.jsonl", CASES)


def written(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def rows(text: str) -> dict[str, list[str]]:
    """The lines of a table by their first word."""
    return {line.split()[0]: line.split()[1:] for line in text.splitlines() if line.strip()}


def test_figures_are_printed_with_their_intervals_in_80_columns(index: Path, cases: Path) -> None:
    done = run("eval", cases, "--index", index)
    assert (done.returncode, done.stderr) == (0, "")
    assert rows(done.stdout)["section@1"] == ["0.5", "0", "to", "1"]
    assert rows(done.stdout)["n"] == ["2"]
    assert rows(done.stdout)["abstain_auroc"][0] == "1"
    assert all(len(line) <= 80 for line in done.stdout.splitlines())


def test_figures_as_json_and_results_of_each_case_are_written(index: Path, cases: Path, tmp_path: Path) -> None:
    done = run("eval", cases, "--index", index, "--json", "--results", tmp_path / "results")
    figures = json.loads(done.stdout)
    assert (figures["section@1"], figures["wrong"]) == (0.5, 0)
    assert figures["intervals"]["section@1"] == [0, 1]
    assert not {"misses", "against", "kinds"} & set(figures)
    result = read(tmp_path / "results")[0]
    assert result["results"][0] == {"page": "setup/colors/", "anchor": "dark-mode", "site": "demo"}
    assert result["verdict"] == "answer"
    assert {"id", "confidence", "milliseconds"} <= set(result)


def test_cases_with_kinds_have_figures_of_each_kind(index: Path, tmp_path: Path) -> None:
    kinds = ["how-to", "option", "not here"]
    cases = written(tmp_path / "cases", [case | {"kind": kind} for case, kind in zip(CASES, kinds, strict=True)])
    done = run("eval", cases, "--index", index)
    table = done.stdout.split("\n\n")[1].splitlines()
    assert [line.split() for line in table] == [
        ["kind", "n", "section@1", "section@5", "wrong"],
        ["how-to", "1", "1", "1"],
        ["not", "here", "1", "0"],
        ["option", "1", "0", "0"],
    ]
    assert table[2].index(" 0") > table[1].rindex(" 1")
    by_kind = json.loads(run("eval", cases, "--index", index, "--json").stdout)["kinds"]
    assert by_kind[1] == {"kind": "not here", "n": 1, "figures": {"wrong": 0}}


def test_results_are_counted_again_without_an_index(index: Path, cases: Path, tmp_path: Path) -> None:
    first = run("eval", cases, "--index", index, "--json", "--results", tmp_path / "results").stdout
    again = run("eval", cases, "--from", tmp_path / "results", "--json", cwd=tmp_path)
    assert (again.returncode, again.stdout, again.stderr) == (0, first, "")


def test_two_case_files_count_as_one(index: Path, tmp_path: Path) -> None:
    one, two = written(tmp_path / "one", CASES[:1]), written(tmp_path / "two", CASES[1:])
    assert json.loads(run("eval", one, two, "--index", index, "--json").stdout)["n"] == 2


def test_a_run_is_compared_with_an_earlier_one(index: Path, cases: Path, tmp_path: Path) -> None:
    results = tmp_path / "results"
    run("eval", cases, "--index", index, "--results", results)
    same = json.loads(run("eval", cases, "--from", results, "--against", results, "--json").stdout)["against"]
    assert same["section@5"] == {"before": 0.5, "after": 0.5, "difference": 0, "interval": [0, 0]}
    written(tmp_path / "other", [{"id": "size", "results": [{"page": "install", "anchor": "größe"}]}])
    done = run("eval", cases, "--index", index, "--against", tmp_path / "other")
    assert rows(done.stdout.partition("\n\n")[2])["section@1"] == ["0.5", "0.5", "+0", "-1", "to", "1"]
    assert done.stderr == "trueref: The results compared with lack 2 of 3 cases, which count as not found.\n"


def test_misses_are_told_with_what_was_found_instead(index: Path, cases: Path) -> None:
    done = run("eval", cases, "--index", index, "--misses")
    lines = done.stdout.partition("\n\n")[2].splitlines()
    assert lines[:3] == ["Missed: 1", "", "size  which palette toggle is switched on"]
    assert lines[3] == "  gold  install/#gr%C3%B6%C3%9Fe"
    assert lines[4] == "  rank  none, of its page none"
    assert lines[5] == "     1  setup/colors/#dark-mode"
    miss = json.loads(run("eval", cases, "--index", index, "--misses", "--json").stdout)["misses"][0]
    assert (miss["id"], miss["section_rank"]) == ("size", None)
    assert miss["found"][0] == {"rank": 1, "href": "setup/colors/#dark-mode"}


def test_figures_outside_of_their_limits_exit_with_1(index: Path, cases: Path) -> None:
    kept = run("eval", cases, "--index", index, "--min", "section@1=0.5", "--max", "wrong=0", "--max", "p95_ms=60000")
    assert (kept.returncode, kept.stderr) == (0, "")
    done = run(
        "eval", cases, "--index", index, "--min", "section@1=0.6", "--min", "mrr@10=0.5", "--max", "wrong_section=0.2"
    )
    assert done.returncode == 1
    assert done.stderr == "trueref: section@1 is 0.5, under 0.6.\ntrueref: wrong_section is 0.5, over 0.2.\n"
    assert "section@1" in done.stdout


def test_a_limit_on_no_figure_is_told_before_anything_runs(cases: Path, tmp_path: Path) -> None:
    done = run("eval", cases, "--min", "recall=0.8", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "There are: page@1, section@1, " in done.stderr


def test_a_figure_without_cases_is_told(index: Path, tmp_path: Path) -> None:
    done = run("eval", written(tmp_path / "cases", CASES[:1]), "--index", index, "--max", "wrong=0.5")
    assert done.returncode == 2
    assert "wrong was not counted" in done.stderr


def test_a_gold_place_that_is_gone_is_warned_of_and_fails_a_strict_run(index: Path, tmp_path: Path) -> None:
    gold = [{"page": "setup/colors/", "anchor": "darkmode"}, {"page": "setup/colors/", "anchor": "dark-mode"}]
    cases = written(tmp_path / "cases", [CASES[0] | {"gold": gold}])
    done = run("eval", cases, "--index", index)
    assert done.returncode == 0
    assert done.stderr.startswith("trueref: dark: gold setup/colors/#darkmode: It is not in this index. ")
    assert rows(done.stdout)["section@1"][0] == "1"
    assert run("eval", cases, "--index", index, "--strict").returncode == 1
    assert run("eval", written(tmp_path / "cases", CASES), "--index", index, "--strict").returncode == 0


def test_bad_lines_of_cases_are_named_by_file_and_number(index: Path, tmp_path: Path) -> None:
    done = run("eval", written(tmp_path / "cases.jsonl", [{}, CASES[0] | {"gold": []}]), "--index", index)
    assert (done.returncode, done.stdout) == (2, "")
    first, second = done.stderr.splitlines()
    assert "cases.jsonl:1: Object missing required field `id`. A case is {" in first
    assert "cases.jsonl:2: dark: An answerable case has no `gold` place." in second


def test_the_template_once_edited_gives_figures_and_is_never_overwritten(index: Path, tmp_path: Path) -> None:
    """As docs/evaluation.md tells it."""
    file = tmp_path / "cases.jsonl"
    assert run("eval", "--template", "-o", file, "--index", index).returncode == 0
    assert run("eval", "--template", "--index", index).stdout == file.read_text(encoding="utf-8")
    unedited = run("eval", file, "--index", index)
    assert unedited.returncode == 0
    assert [line.partition(":")[2].partition(": ")[0].strip() for line in unedited.stderr.splitlines()] == [
        "Cases without a question, which were left out",
        "Cases that still quote a title (field `edit`)",
    ]
    edited = [case | {"question": case["question"] or "quantum chromodynamics", "edit": ""} for case in read(file)]
    done = run("eval", written(file, edited), "--index", index, "--json")
    assert done.stderr == ""
    assert json.loads(done.stdout)["n_unanswerable"] == 5
    again = run("eval", "--template", "-o", file, "--index", index)
    assert (again.returncode, read(file)) == (2, edited)
    assert "may hold edited cases" in again.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "`trueref eval --template -o cases.jsonl` writes some"),
        (["--template", "cases"], "--template reads no cases"),
        (["--template", "--min", "wrong=1"], "goes with -o, --seed and --index only"),
        (["cases", "-o", "file"], "Results are written with --results"),
        (["cases", "--from", "a", "--results", "b"], "Give one of them"),
        (["cases", "--seed", "-1"], "--seed"),
    ],
)
def test_cases_that_cannot_be_read_are_told_in_one_line(args: list[str], message: str, tmp_path: Path) -> None:
    done = run("eval", *args, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_results_of_several_sites_are_compared_as_one(tmp_path: Path) -> None:
    """Each site is asked by its own index; the results are joined, and no index is needed any more."""
    files: list[Path] = []
    for name in ("one", "two"):
        publish_demo(tmp_path / name)
        files.append(written(tmp_path / f"{name}.jsonl", [case | {"id": f"{name}-{case['id']}"} for case in CASES]))
        run("eval", files[-1], "--index", tmp_path / name, "--results", tmp_path / f"{name}.results")
    joined = written(
        tmp_path / "joined", [line for name in ("one", "two") for line in read(tmp_path / f"{name}.results")]
    )
    result = json.loads(run("eval", *files, "--from", joined, "--against", joined, "--json", cwd=tmp_path).stdout)
    assert (result["n"], result["n_unanswerable"]) == (4, 2)


@pytest.mark.parametrize("read_by", ["cases", "nuggets", "against", "link"])
def test_results_never_replace_a_file_that_is_read(index: Path, cases: Path, tmp_path: Path, read_by: str) -> None:
    nuggets = written(tmp_path / "nuggets", [{"id": "dark", "nuggets": [["palette toggle"]]}])
    earlier = written(tmp_path / "earlier", [{"id": "dark", "results": []}])
    (tmp_path / "link").symlink_to(cases)
    results = {"cases": cases, "nuggets": nuggets, "against": earlier, "link": tmp_path / "link"}[read_by]
    before = results.read_bytes()
    done = run("eval", cases, "--nuggets", nuggets, "--against", earlier, "--index", index, "--results", results)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"trueref: {results} is read, and the results would replace it. Name another file for them.\n"
    assert results.read_bytes() == before


@pytest.mark.parametrize(
    ("path", "reason"),
    [("none/results", "No such file or directory"), (".", "Is a directory"), ("cases.jsonl/x", "Not a directory")],
)
def test_results_that_cannot_be_written_are_told_before_anything_runs(
    cases: Path, path: str, reason: str, tmp_path: Path
) -> None:
    # There is no index here either, which would be told later.
    done = run("eval", cases, "--results", path, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"trueref: Cannot write {path}: {reason}.\n")


@pytest.mark.parametrize("option", ["--from", "--against"])
def test_cases_in_place_of_results_are_told(option: str, index: Path, cases: Path) -> None:
    done = run("eval", cases, option, cases, "--index", index)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"trueref: {cases} has cases and no results. Name a file that `trueref eval --results` wrote.\n"
    )


def test_a_file_of_cases_counts_once(index: Path, cases: Path) -> None:
    done = run("eval", cases, cases, "--index", index)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"trueref: {cases} is named twice. Name it once.\n")
