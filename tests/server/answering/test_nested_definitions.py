"""A definition inside another definition is an entry of its own: its text stands under its own term."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.server.answering.test_passages import Row, section
from tests.server.kiln_site import Sections, write_site

from trueref_plugin.build.build import index_site
from trueref_server.answering.sections.passages import passages
from trueref_server.records import ExcerptBlock, Question
from trueref_server.service import Service
from trueref_server.settings import Settings

FILLER = "The kiln reads it once at its start, and never again until somebody switches it off and on. "
VARIABLES = (
    "<p>The kiln reads some variables of the environment:</p><dl>"
    f"<dt>General:</dt><dd><dl><dt>KILN_HOME</dt><dd><p>The folder of the kiln. {FILLER * 3}</p></dd>"
    f"<dt>KILN_SELFTEST</dt><dd><p>The kiln tests its coils at the start. {FILLER * 3}</p>"
    f"<p>With the value disabled it leaves this test out. {FILLER * 3}</p></dd>"
    f"<dt>KILN_PROBE</dt><dd><p>The probe that measures the heat. {FILLER}</p></dd></dl>"
    "<p>All of these are in capitals.</p></dd></dl>"
)
NOTIFIER = (
    '<dl class="py class"><dt id="kiln.Notifier"><code>class kiln.Notifier(host, port, user)</code></dt><dd>'
    '<dl class="field-list"><dt>Parameters</dt><dd><ul>'
    "<li><p><strong>host</strong> – The computer to which the mail is given for delivery to all readers of it.</p></li>"
    "<li><p><strong>port</strong> – The port at which the host listens, which is 25 unless it wants encryption.</p></li>"
    "<li><p><strong>user</strong> – The name with which to log in at the host, if it asks for a name at all, and the"
    " address that stands in the mail as that of the sender, who gets all the answers of its readers.</p></li>"
    "</ul></dd></dl><p>It sends mail after each firing.</p></dd></dl>"
)
"""A class whose description comes after its parameters."""

PAGES: dict[str, Sections] = {
    "notifier/": (("notifier", "Notifier", NOTIFIER),),
    "variables/": (("variables", "Variables", "<p>What can be set.</p>"), ("environment", "Environment", VARIABLES)),
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nested")
    index_site(write_site(folder / "site", PAGES), index=folder / "index", name="kiln", embedder="lexical")
    return folder / "index"


def shown(index: Path, text: str) -> tuple[ExcerptBlock, ...]:
    async def ask() -> tuple[ExcerptBlock, ...]:
        service = Service(Settings(index=index))
        answer = await service.ask_whole(Question(text))
        await service.close()
        return answer.excerpts[0].blocks

    return asyncio.run(ask())


@pytest.mark.parametrize(
    ("question", "term", "beginning"),
    [
        ("KILN_SELFTEST disabled", "KILN_SELFTEST", "The kiln tests its coils at the start."),
        ("KILN_PROBE", "KILN_PROBE", "The probe that measures the heat."),
    ],
)
def test_an_entry_is_shown_under_its_own_term_and_alone(index: Path, question: str, term: str, beginning: str) -> None:
    first, *others = shown(index, question)
    assert first.caption == term
    assert first.text.startswith(beginning)
    assert not [block.caption for block in others if block.caption]


TERM: Row = ("definition", "General", "term", "d1.1")
HOME: Row = ("definition", "home", "term", "d1.1/d2.1")
TEST: Row = ("definition", "test", "term", "d1.1/d2.2")
LONG = "Words that say what it is for. " * 12


def captions(*rows: Row) -> list[tuple[str, str]]:
    return [(passage.entry, passage.blocks[0].caption) for passage in passages(section(*rows))]


def test_each_definition_inside_a_long_one_is_an_entry_with_its_term() -> None:
    inside: list[Row] = [
        HOME,
        ("definition", LONG, "text", "d1.1/d2.1"),
        TEST,
        *(("definition", LONG, "text", "d1.1/d2.2") for _ in range(3)),
        ("definition", "All are in capitals.", "text", "d1.1"),
    ]
    assert captions(TERM, *inside) == [
        ("d2.1", "General · home"),
        ("d2.2", "test"),
        ("d2.2", "test"),
        ("d2.2", "test"),
        ("d1.1", "General"),
    ]


def test_short_definitions_inside_another_stay_together() -> None:
    rows: list[Row] = [HOME, ("definition", "The folder.", "text", "d1.1/d2.1"), TEST]
    assert captions(TERM, *rows, ("definition", "Whether to test.", "text", "d1.1/d2.2")) == [
        ("d1.1", "General · home")
    ]


def test_a_definition_inside_a_parameter_stays_with_the_parameter() -> None:
    rows: list[Row] = [
        ("definition", "Parameters", "term", "d1.1"),
        ("list", f"- mode: {LONG}\n- port: {LONG}", "text", "d1.1/l1"),
        ("definition", "low", "term", "d1.1/l1/d2.1"),
        ("definition", LONG, "text", "d1.1/l1/d2.1"),
    ]
    made = passages(section(*rows))
    assert [passage.is_parameter for passage in made] == [True, True]
    assert made[-1].blocks[-1].caption == "low"


def test_labels_with_a_colon_are_one_entry() -> None:
    rows: list[Row] = [
        ("definition", "Description:", "term", "d1.1"),
        ("definition", "Passes the header on.", "text", "d1.1"),
        ("definition", "Default:", "term", "d1.2"),
        ("code", "header: OFF", "text", "d1.2"),
        ("definition", "timeout:", "term", "d2.1"),
        ("definition", "How long it waits.", "text", "d2.1"),
        ("definition", "`--force`:", "term", "d2.2"),
        ("definition", "Asks nothing.", "text", "d2.2"),
    ]
    labels = [("d1", "Description:"), ("d1", "Default:")]
    assert captions(*rows) == [*labels, ("d2.1", "timeout:"), ("d2.2", "--force:")]


def test_a_description_after_the_parameters_is_no_part_of_the_last_one(index: Path) -> None:
    blocks = shown(index, "What happens after each firing?")
    assert [(block.caption, block.text) for block in blocks] == [("", "It sends mail after each firing.")]
    assert "sends mail" not in "".join(block.text for block in shown(index, "Notifier user name to log in"))


def test_a_list_with_nothing_but_definitions_is_read_like_them() -> None:
    """So reStructuredText makes it of `- fired(kiln)` with an indented line below."""
    fired: list[Row] = [
        ("definition", "fired(kiln)", "term", "l1/d1.1"),
        ("definition", "Sent when a firing ends.", "text", "l1/d1.1"),
    ]
    opened: list[Row] = [
        ("definition", "opened(kiln)", "term", "l1/d2.1"),
        ("definition", "Sent when its door is opened.", "text", "l1/d2.1"),
    ]
    assert captions(*fired, *opened) == [("d1.1", "fired(kiln)"), ("d2.1", "opened(kiln)")]
    # With another item it is a list.
    assert len(captions(*fired, ("list", "- And more.", "text", "l1"), *opened)) == 1
