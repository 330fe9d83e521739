"""Which panel of tabs is shown: the one that the question names and does not exclude, or else the first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from trueref_server.answering.excerpts.excerpt import excerpt, window
from trueref_server.answering.excerpts.relevance import Relevance
from trueref_server.answering.excerpts.tab_panels import asked_panels, is_excluded
from trueref_server.answering.sections.passage import Panel, Passage
from trueref_server.records import ExcerptBlock


def panels(*labels: str, tabs: str = "t1", text: str = "Done for") -> list[Passage]:
    """A set of tabs, each panel with a paragraph."""
    return [
        Passage("paragraph", (ExcerptBlock("prose", f"{text} {label}.", label),), panels=(Panel(tabs, str(at), label),))
        for at, label in enumerate(labels, 1)
    ]


LINE = Passage("paragraph", (ExcerptBlock("prose", "The library is looked up:"),))


def shown(question: str, *section: Passage, at: int = 0) -> list[str]:
    asked = Relevance({}, (), "en", question)
    return [block.text for block in excerpt(section, at, asked)]


@pytest.mark.parametrize(
    ("question", "labels", "named"),
    [
        ("Cairo fails on windows", ["macOS", "Windows"], "Windows"),
        ("Cairo fails", ["macOS", "Windows"], ""),
        ("on macOS or Windows?", ["macOS", "Windows"], ""),
        # Digits and signs tell labels apart.
        ("run it with Python 3", ["Python 2", "Python 3"], "Python 3"),
        ("is there C++ support?", ["C", "C++"], "C++"),
        ("plot it in R", ["Python", "R"], "R"),
        ("plot it in C", ["Python", "R"], ""),
        # A word that is one label's alone names it, one that several have names none.
        ("in a PowerShell of Windows", ["Linux", "Windows (PowerShell)"], "Windows (PowerShell)"),
        ("with the installer", ["The installer for Mac", "The installer for Linux"], ""),
        ("set the level in uv.toml.", ["pyproject.toml", "uv.toml"], "uv.toml"),
        ("with Deno", ["Node.js", "Deno"], "Deno"),
        ("with node", ["Node.js", "Deno"], ""),
        # What is excluded is not asked for.
        ("install it without Docker", ["Binary", "Docker"], ""),
        ("I am not on Windows", ["Linux", "Windows"], ""),
        ("I don't use the Docker image", ["Binary", "Docker"], ""),
        ("with npm instead of pip", ["pip", "npm"], "npm"),
    ],
)
def test_a_panel_is_named_by_its_label(question: str, labels: list[str], named: str) -> None:
    numbers = asked_panels(panels(*labels), question).named
    assert [labels[int(number) - 1] for number in numbers.values()] == ([named] if named else [])


def test_the_panel_that_the_question_names_is_shown_after_a_passage() -> None:
    section = [LINE, *panels("macOS", "Windows")]
    assert shown("It fails on Windows.", *section) == ["The library is looked up:", "Done for Windows."]
    assert shown("It fails.", *section) == ["The library is looked up:", "Done for macOS."]


def test_the_panel_that_the_question_names_is_shown_before_a_passage() -> None:
    section = [LINE, *panels("macOS", "Windows"), Passage("paragraph", (ExcerptBlock("prose", "Start it again."),))]
    assert shown("It fails on Windows.", *section, at=3) == [
        "The library is looked up:",
        "Done for Windows.",
        "Start it again.",
    ]


def test_a_passage_in_a_panel_is_shown_with_its_own() -> None:
    section = [LINE, *panels("macOS", "Windows")]
    assert window(section, 1, asked_panels(section, "on Windows")) == [1]


def test_the_same_settings_in_a_file_that_the_question_names_stand_alone() -> None:
    def file(name: str, number: str, text: str) -> Passage:
        block = ExcerptBlock("code", text, name)
        return Passage("code", (block,), panels=(Panel("t1", number, name),))

    section = [LINE, file("pyproject.toml", "1", "[tool.uv]\nlevel = 1"), file("uv.toml", "2", "level = 1")]
    assert shown("Where is the level in uv.toml?", *section)[1:] == ["level = 1"]
    assert shown("Where is the level?", *section)[1:] == ["[tool.uv]\nlevel = 1"]


def test_one_panel_is_shown_of_tabs_in_a_panel() -> None:
    def inside(*passages: Passage) -> list[Passage]:
        return [
            replace(passage, panels=(Panel("t1", "2", "Shell"), Panel("t2", str(at), passage.panels[0].label)))
            for at, passage in enumerate(passages, 1)
        ]

    section = [LINE, *panels("Window"), *inside(*panels("sh", "cmd", "fish"))]
    assert shown("How is it looked up in cmd?", *section, at=3)[-1] == "Done for cmd."
    assert shown("How is it looked up?", *section, at=2)[-1] == "Done for sh."
    # After a passage outside of all tabs, the outer panel decides first.
    assert shown("How is it looked up?", *section)[-1] == "Done for Window."
    assert shown("How is it looked up in the Shell?", *section)[-1] == "Done for sh."
    assert shown("How is it looked up in a Shell such as cmd?", *section)[-1] == "Done for cmd."


def test_a_file_beside_panels_that_are_no_files_is_one_of_the_variants() -> None:
    section = [LINE, *panels("kiln.toml", "Command line", "Environment")]
    assert shown("How is it looked up?", *section)[1:] == ["Done for kiln.toml."]
    assert shown("Which variable of the environment?", *section)[1:] == ["Done for Environment."]
    assert shown("How is it looked up?", *section, at=2)[-1] == "Done for Command line."


def test_each_file_is_shown_whichever_passage_of_a_file_answers() -> None:
    def file(name: str, number: str, text: str) -> list[Passage]:
        prose, code = ExcerptBlock("prose", f"Write {name}", name), ExcerptBlock("code", text)
        return [Passage("code", (block,), panels=(Panel("t1", number, name),)) for block in (prose, code)]

    section = [LINE, *file("kiln.yml", "1", "heat: 3"), *file("docs/heat.md", "2", "# Heat")]
    texts = ["The library is looked up:", "Write kiln.yml", "heat: 3", "Write docs/heat.md", "# Heat"]
    assert [shown("How is it looked up?", *section, at=at) for at in range(5)] == [texts] * 5


def test_the_panel_of_the_same_label_is_shown_of_a_second_set_of_tabs() -> None:
    second = Passage("paragraph", (ExcerptBlock("prose", "Look at it first:"),))
    section = [LINE, *panels("macOS", "Windows"), second, *panels("Linux", "Windows", tabs="t2", text="Seen on")]
    assert shown("How is it looked up?", *section, at=2) == [
        "The library is looked up:",
        "Done for Windows.",
        "Look at it first:",
        "Seen on Windows.",
    ]
    # What the question names goes before, and a set without such a panel begins with its first one.
    assert shown("How is it looked up on Linux?", *section, at=2)[-1] == "Seen on Linux."
    assert shown("How is it looked up?", *section, at=1)[-1] == "Seen on Linux."


def test_two_sets_of_tabs_are_told_apart() -> None:
    section = [LINE, *panels("macOS", "Windows"), *panels("pip", "uv", tabs="t2")]
    asked = asked_panels(section, "with uv")
    assert asked.named == {"t2": "2"}
    assert section[3] == panels("pip", tabs="t2")[0]


@pytest.mark.parametrize(
    ("question", "excluded"),
    [
        ("Where are readings kept without PostgreSQL?", True),
        ("not on postgresql, please", True),
        ("without a database", False),
        ("with PostgreSQL", False),
        ("", False),
    ],
)
def test_a_panel_is_excluded_by_its_label(question: str, *, excluded: bool) -> None:
    assert is_excluded("PostgreSQL (server)", question) is excluded
    assert not is_excluded("", question)
