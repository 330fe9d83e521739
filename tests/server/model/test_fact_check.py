"""How well marks tell what the sources do not say, on labelled sentences of a real small model."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripts.fact_check import figures, labelled
from tests.work import is_linear

from trueref_server.model.asking.numbered_sources import ModelSource
from trueref_server.model.checking.answer_checker import AnswerChecker
from trueref_server.model.checking.facts import FactChecker, facts_of
from trueref_server.model.checking.lines import AnswerLine
from trueref_server.model.checking.source_text import SourceText
from trueref_server.model.checking.statements import SourceSentences

DECISION = Path(__file__).parents[3] / "docs" / "decisions" / "model-answers.md"

FILLER = "Whoever reads further finds many other matters here. " * 8
SOURCE = ModelSource(
    1,
    "Kilns",
    "guide",
    "",
    f"The kiln fires clay pots slowly.\n\n{FILLER}\n\nA hydraulic press shapes wet tiles overnight.\n\n"
    "- Glaze dries quickly.\n- Bricks cool outside.\n- Sand keeps moisture.",
)


def reasons(sentence: str) -> list[str]:
    found = AnswerChecker([SOURCE], "What happens?").check(AnswerLine(sentence, is_code=False))[1]
    return [one.code for one in found]


def test_words_from_all_over_a_section_are_no_source() -> None:
    """Each word stands in the section, and nothing there says so."""
    assert reasons("The press shapes wet tiles overnight.") == []
    assert reasons("Hydraulic clay slowly shapes wet pots and fires overnight.") == ["no-source"]
    assert reasons("Hydraulic clay slowly shapes pots overnight beside volcanoes. [1]") == ["not-cited"]
    assert reasons("Glaze dries quickly, bricks cool outside, and sand keeps moisture.") == []


def test_a_placeholder_of_the_instructions_is_no_citation() -> None:
    assert reasons("The kiln fires clay pots slowly [n].") == ["no-number"]
    assert reasons("- [x] The kiln fires clay pots slowly.") == []
    assert reasons("The kiln fires clay pots slowly, as `pots[n]` says.") != ["no-number"]


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("Yes, the kiln fires clay pots with `--night-owl` in version 9.9. [1]", ["--night-owl", "9.9"]),
        ("The kiln is fired with --night-owl. [1]", ["--night-owl"]),
        ("There is no `--night-owl` in version 9.9. [1]", []),
        ("The sources do not mention `--night-owl`.", []),
        ("Hydraulic owls orbit distant volcanoes. [1]", ["Hydraulic owls orbit distant volcanoes. [1]"]),
    ],
)
def test_a_name_from_the_question_alone_is_marked_unless_it_is_denied(text: str, marked: list[str]) -> None:
    """Its names come back in what is not so, and nowhere else."""
    question = "Is the kiln fired with --night-owl in version 9.9, where hydraulic owls orbit distant volcanoes?"
    checker = AnswerChecker([SOURCE], question)
    findings = checker.check(AnswerLine(text, is_code=False))[1]
    assert [text[finding.start : finding.end] for finding in findings] == marked
    code, doubts = checker.check(AnswerLine("kiln --night-owl\n", is_code=True))
    assert [code[finding.start : finding.end] for finding in doubts] == ["--night-owl"]


BACKUPS = ModelSource(
    1, "Backups", "guide", "", "The kiln keeps 5 backups of its programs for three days, in 2 folders."
)


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("The kiln keeps 7 backups of its programs. [1]", ["7"]),
        ("The kiln keeps 5 backups of its programs for 3 days. [1]", []),
        ("The kiln keeps 5 backups of its programs for 8 days. [1]", ["8"]),
        ("7. The kiln keeps 5 backups of its programs. [1]", []),
        ("- 7. The kiln keeps 5 backups of its programs. [1]", []),
        ("**7.** The kiln keeps 5 backups of its programs. [1]", []),
        ("### 7. Backups", []),
        ("| 7 | The kiln keeps 5 backups |", []),
        ("Step 7: the kiln keeps 5 backups of its programs. [1]", []),
        ("As steps 6 and 7 say, the kiln keeps 5 backups of its programs. [1]", []),
        ("The kiln keeps 5 backups of its programs, in 4 steps: (6) and (7). [1]", []),
    ],
)
def test_digits_of_prose_are_checked_but_not_those_that_count_items(text: str, marked: list[str]) -> None:
    findings = AnswerChecker([BACKUPS], "How many?").check(AnswerLine(text, is_code=False))[1]
    assert [text[finding.start : finding.end] for finding in findings] == marked


@pytest.mark.parametrize("form", ["{}", "`owl{}`", "{}s", "`--owl-{}`", "1 2 3"])
def test_facts_are_looked_up_in_linear_time(form: str) -> None:
    """An answer and a section of so many facts: a look through the section for each took seconds."""

    def check(text: str) -> object:
        said = " ".join(form.format(number) for number in range(len(text) // 8))
        source = ModelSource(1, "Kilns", "guide", "", f"{said.replace('s', ' s')} owl")
        return FactChecker([source], "").check_sentence(f"{said} [1]")

    assert is_linear(check, " ", longest=32_000)


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("The document is the document, and it is the same as the document. [1]", ["empty"]),
        ("The question is too long.", ["empty"]),
        ("So the sources are a guide.", ["empty"]),
        ("The answer is a kiln.", []),
        ("The sources are the following:", []),
        ("The sources are not about tiles.", []),
        ("The sources do not say how long the clay is clay, and when the clay is fired.", []),
        ("`kiln` `kiln` `kiln` fires clay pots slowly.", []),
        ("A press of a press of a press.", []),
    ],
)
def test_a_sentence_that_says_nothing_is_marked(text: str, marked: list[str]) -> None:
    """A source may say it, as the last one does: then it is no talk of the model."""
    sources = [SOURCE, ModelSource(2, "Presses", "guide", "", "A press of a press of a press.\nRead `kiln`.")]
    findings = AnswerChecker(sources, "What happens?").check(AnswerLine(text, is_code=False))[1]
    assert [finding.code for finding in findings] == marked


@pytest.mark.parametrize(
    "text",
    [
        "The first source is the PyPI default [1].",
        "The second source is for what you add with `poetry source add` [1].",
        "| Linux | supported | supported | supported |",
    ],
)
def test_sources_of_the_docs_and_rows_of_a_table_are_no_empty_talk(text: str) -> None:
    said = "The first source is PyPI. Other sources are added with `poetry source add`. Linux is supported."
    checker = AnswerChecker([ModelSource(1, "Sources", "guide", "", said)], "Which sources are there?")
    assert "empty" not in [finding.code for finding in checker.check(AnswerLine(text, is_code=False))[1]]


@pytest.mark.parametrize("piece", ["clay ", "the question is ", "1. so, the ", " ", "- "])
def test_a_long_sentence_is_seen_to_say_nothing_in_linear_time(piece: str) -> None:
    assert is_linear(SourceSentences([SOURCE], "").is_empty, piece)


@pytest.mark.parametrize("piece", ["step 1 ", "- ", "*", "1.", "| ", "(1", "# ", " ", "1 ", "`a` ", "`1` 2 [1]"])
def test_the_facts_of_a_long_line_are_found_in_linear_time(piece: str) -> None:
    assert is_linear(lambda text: list(facts_of(text)), piece, longest=40_000)


def test_marks_on_real_sentences_keep_to_their_precision_and_recall() -> None:
    """Floors, a little below what was measured: see docs/decisions/model-answers.md."""
    found = list(labelled())
    counts = Counter(one.label for one in found)
    assert len(found) - counts["states-nothing"] >= 200
    assert set(counts) == {"supported", "unsupported", "states-nothing"}
    measured = figures(found)
    assert measured["precision"] >= 0.95
    assert measured["recall"] >= 0.62
    assert measured["false_marks"] <= 0.05


def test_the_docs_have_the_figures_of_the_command() -> None:
    found = list(labelled())
    every, second = (figures(part)["recall"] for part in (found, [one for one in found if one.is_second]))
    quoted = f"recall {every:.2f}, and for every second answer {second:.2f};".replace(" 0.", " .")
    assert quoted in DECISION.read_text(encoding="utf-8").replace("\n", " ")
    assert figures(found)["precision"] == 1


def test_sentences_are_those_of_the_answers_and_labelled_once() -> None:
    texts = Counter((one.text, one.reason) for one in labelled())
    assert all(text.strip() == text and len(text.split()) >= 4 for text, _ in texts)


@pytest.mark.parametrize(
    ("text", "fact", "is_held"),
    [
        ("Since version 2.1.4 of it.", "2.1.4", True),
        ("It is there since 2.1.4.", "2.1.4", True),
        ("It is there since 2.1.", "2.1", True),
        ("Since version 2.1.4 of it.", "1.4", False),
        ("Since version 2.1.4 of it.", "2.1", False),
        ("Since version 2.1.4 of it.", "4", False),
        ("It needs Python 3.11 or newer.", "3", True),
        ("Edit `my.config.yml` first.", "config.yml", False),
        ("Edit `config.yml.bak` first.", "config.yml", False),
        ("Edit `config.yml`. Then build.", "config.yml", True),
        ("Edit config.yml.", "config.yml", True),
        ("Edit the file ./config.yml.", "config.yml", True),
        ("Call `app.run()`.", "run", True),
        ("The file `mkdocs.yml` is read.", "mkdocs", True),
        ("See `--no-deps-at-all`.", "--no-deps", False),
        ("Each request has a 5-minute timeout.", "5", True),
        ("It takes 5-7 days.", "7", True),
        ("It takes 5s.", "5", True),
        ("Run python3 with it.", "3", True),
        ("It keeps 15 backups.", "5", False),
        ("It needs 1.5 MB.", "5", False),
        ("It needs 50 MB.", "5", False),
    ],
)
def test_a_part_of_a_longer_name_or_version_is_not_held(text: str, fact: str, is_held: bool) -> None:
    assert SourceText(text).holds(fact) == is_held


@pytest.mark.parametrize(
    ("text", "number", "is_held"),
    [
        ("At most 2 MB are sent.", "2MB", True),
        ("It waits for 5 seconds.", "5s", True),
        ("It waits for 15 seconds.", "5s", False),
        ("At most 2.5 MB are sent.", "5MB", False),
    ],
)
def test_a_number_is_held_with_its_unit_in_another_spelling(text: str, number: str, is_held: bool) -> None:
    checker = FactChecker([ModelSource(1, "Limits", "guide", "", text)], "")
    assert bool(checker.sources_with(number)) == is_held


NAME = st.from_regex(r"[a-z]{1,4}(?:\.[a-z0-9]{1,3}){1,3}", fullmatch=True)


@given(NAME, NAME, st.sampled_from([".", ". ", ", ", "`", ")", "\n", ""]))
def test_a_dotted_name_is_held_whole_and_not_within_another(name: str, other: str, end: str) -> None:
    assert SourceText(f"See {name}{end}").holds(name)
    assert not SourceText(f"See {other}.{name}{end}").holds(name)
    assert not SourceText(f"See {name}.{other}{end}").holds(name)
