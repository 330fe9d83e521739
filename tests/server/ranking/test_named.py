"""Sections that a question names by their path, or by the message of the rule that they are about."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.server.handmade import chunk
from tests.server.ranking.test_rank import LONG, asking

from trueref_core.records import ChunkKind
from trueref_server.corpus.corpus import Section
from trueref_server.ranking import signals
from trueref_server.ranking.signals import Candidate
from trueref_server.ranking.title_words import title_words_of


def at(page: str, title: str) -> Candidate:
    return Candidate(Section.of([replace(chunk("a/", "x", LONG, 1), title=title, breadcrumb=(page,))]))


@pytest.mark.parametrize(
    ("question", "page", "title", "value"),
    [
        ("SuperFences options", "SuperFences", "Options", 1),
        ("no-handler correct code", "no-handler", "Correct Code", 1),
        ("What are the options of Tabbed?", "Tabbed", "Options", 1),
        ("SuperFences options", "SuperFences", "Custom options", 0),
        ("SuperFences options", "Highlight", "Options", 0),
        ("Tabbed options", "Tabbed", "Overview", 0),
        ("tabbed", "Tabbed", "Options", 0),
        ("C++ options", "C++", "Options", 1),
        ("C++ options", "C", "Options", 0),
        # The title of the section is a part of that of its page.
        ("pytest fixtures", "pytest fixtures", "Fixtures", 0),
        ("what changed in 9.5.0", "9.5.0", "Changed", 0),
    ],
)
def test_a_section_is_named_by_its_page_and_its_title(question: str, page: str, title: str, value: int) -> None:
    one = at(page, title)
    assert signals.named(asking(question, one), one) == value


def test_a_section_that_is_named_by_its_page_has_the_identifier_of_the_page() -> None:
    own, other = at("SuperFences", "Options"), at("Highlight", "Options")
    asked = asking("SuperFences options", own, other)
    assert [signals.asked_identifier(asked, one) for one in (own, other)] == [1.0, 0.0]


@pytest.mark.parametrize(
    ("question", "title", "value"),
    [
        ("no-changed-when: Commands should not change things if nothing needs doing", "no-changed-when", 1),
        ("latest[git]: Result of the command may vary", "latest", 1),
        ("C0114: Missing module docstring", "C0114", 1),
        ("`no-unused-vars`: 'x' is assigned a value but never used", "`no-unused-vars`", 1),
        ("no-changed-when: Commands should not change things", "no-handler", 0),
        ("no-changed-when: Commands should not change things", "no-changed-when and others", 0),
        ("Note: commands should not change things", "Note", 0),  # a word
        ("std::string", "std", 0),
    ],
)
def test_the_message_of_a_rule_names_the_section_about_it(question: str, title: str, value: int) -> None:
    one = at("Rules", title)
    assert signals.named(asking(question, one), one) == value


@pytest.mark.parametrize(
    ("question", "page", "title", "value"),
    [
        ("Kiln.fire", "class Kiln", "fire", 1),
        ("what does Kiln.fire do", "class acme.Kiln", "fire(clay, hours = 8)", 1),
        ("Kiln::fire()", "Struct Kiln", "fn fire(&self)", 1),
        ("Kiln#fire", "class Acme::Kiln", "fire(clay) → pot", 1),
        ("what is Acme::Kiln#hot?", "class Acme::Kiln", "hot?()", 1),
        ("Kiln#fire", "class Oven", "fire", 0),
        ("Kiln#fire", "class Kiln", "cool", 0),
        ("Kiln#fire", "class Kiln", "How to fire", 0),
        ("Kiln.fire", "class kiln", "fire", 0),
        ("Kiln.fire with two shelves", "class Kiln", "fire", 0),
    ],
)
def test_a_name_with_its_owner_names_the_section_on_the_page_of_the_owner(
    question: str, page: str, title: str, value: int
) -> None:
    one = at(page, title)
    assert signals.named(asking(question, one), one) == value


@pytest.mark.parametrize(
    ("question", "title", "value"),
    [
        ("trim -e", "trim", 1),
        ("what does trim -e do", "trim", 1),
        ("trim -x", "trim", 0),  # the text does not have it
        ("trim -e", "trim and cut", 0),
        ("trim --end", "trim", 0),
        ("-e", "trim", 0),
    ],
)
def test_a_command_with_an_option_of_one_letter_names_the_section_of_the_command(
    question: str, title: str, value: int
) -> None:
    text = f"It cuts lines at an end. -e cuts at each end. {LONG}"
    one = Candidate(Section.of([replace(chunk("a/", "x", text, 0), title=title)]))
    assert signals.named(asking(question, one), one) == value


@pytest.mark.parametrize(
    ("question", "page", "value"),
    [
        ("kiln fire -e", "kiln-fire(1) Manual Page", 1),
        ("what does kiln fire -e do", "kiln fire - fires clay", 1),
        ("kiln -e", "kiln – a control utility", 1),
        ("kiln -x", "kiln – a control utility", 0),  # explained nowhere
        ("kiln -n", "kiln – a control utility", 0),  # only mentioned
        ("kiln fire -e", "kiln-fire-tree(1) Manual Page", 0),
        ("kiln fire -e", "Firing clay in kilns", 0),
    ],
)
def test_a_command_with_an_option_of_one_letter_names_the_section_on_the_page_of_the_command(
    question: str, page: str, value: int
) -> None:
    text = f"- `-e`, `--end`: Ends it when it is hot enough.\n- `-f`: Goes on as with -n. {LONG}"
    one = Candidate(Section.of([replace(chunk("a/", "x", text, 0), title="Options", breadcrumb=(page,))]))
    assert signals.named(asking(question, one), one) == value


def test_a_section_of_the_home_page_is_not_named_by_the_name_of_the_docs() -> None:
    """It may only point to the page that is asked for."""
    home = Candidate(Section.of([replace(chunk("", "x", LONG, 0), title="Configuration", breadcrumb=("Acme",))]))
    page = Candidate(Section.of([replace(chunk("configuration/", "", LONG, 0), title="Configuration")]))
    asked = asking("acme configuration", home, page)
    assert "acme" in asked.statistics.subject
    assert signals.named(asked, home) == 0


@pytest.mark.parametrize(
    ("question", "page", "title", "value"),
    [
        ("acme fire", "fire", "fire", 1),
        ("What is a glaze?", "Glazes in Acme", "Glazes in Acme", 1),
        ("acme tile colours", "Tiles", "Tile colours", 1),
        # Sections called so are about many things.
        ("acme usage", "Tiles", "Usage", 0),
        ("acme", "Acme", "Acme", 1),
        ("acme tiles", "Glazes", "Glazes", 0),
        ("acme --tiles option", "Options", "--tiles <number>", 1),
    ],
)
def test_the_name_of_what_the_docs_are_about_tells_no_topic(question: str, page: str, title: str, value: int) -> None:
    home = Candidate(Section.of([replace(chunk("", "", LONG, 0), title="Acme", breadcrumb=())]))
    one = at(page, title)
    assert signals.named(asking(question, home, one), one) == value


@pytest.mark.parametrize(
    ("question", "title", "value"),
    [
        ("What is a kiln?", "With a kiln", 0),
        ("What is the kiln?", "The kiln", 1),
        ("with a kiln", "With a kiln", 1),
        ("What is the WITH clause?", "WITH clause", 1),
        ("What is a for loop?", "For loops", 1),
    ],
)
def test_a_title_with_a_preposition_does_not_name_the_thing_behind_it(question: str, title: str, value: int) -> None:
    one = at("Firing", title)
    assert signals.named(asking(question, one), one) == value


@pytest.mark.parametrize(
    ("question", "title", "value"),
    [
        ("acme.fire()", "fire", 1),
        ("what does acme.fire() do", "fire(heat)", 1),
        ("kiln.fire()", "fire", 0),
        ("acme.fire() fails at night", "fire", 0),
        (".fire()", ".fire(heat)", 1),
        ("fire()", "fire", 1),
    ],
)
def test_a_member_of_what_the_docs_are_about_is_named_with_it(question: str, title: str, value: int) -> None:
    home = Candidate(Section.of([replace(chunk("", "", LONG, 0), title="Acme", breadcrumb=())]))
    one = at("Methods", title)
    assert signals.named(asking(question, home, one), one) == value


@pytest.mark.parametrize(
    ("question", "page", "title", "value"),
    [
        ("what does tar do", "tar(1)", "Description", 1),
        ("what does tar do", "tar(1) Manual Page", "Description", 1),
        ("what does tar do", "tar - an archiver", "Description", 1),
        ("what does tar do", "tar \u2014 an archiver", "Overview", 1),
        ("what does tar do", "tar: an archiver", "Description", 1),
        ("what does tar do", "tar @2.1.0", "Description", 1),
        ("what does tar do", "tar v2.1", "Description", 1),
        # The first section of a page is not what the page is about.
        ("What is a glaze?", "Glazes", "Prerequisites", 0),
        ("what does tar do", "tar-split(1)", "Description", 0),
        # The owner of a member is what the title above it names last.
        ("Client.connect", "Client", "connect(host)", 1),
        ("Client.connect", "class pkg.Client(url)", "connect(host)", 1),
        ("Client.connect", "Class: Client", "connect", 1),
        ("Client.connect", "Server and Client compared", "connect(host)", 0),
        # A variable has the name of its class in small letters, and some docs write a member behind a dot.
        ("client.connect", "Client", "connect", 1),
        ("client.connect", "Client", ".connect(host, [port])", 1),
        ("what does client.connect() do", "Client", "`.connect(host)`", 1),
        ("client.connect", "Server", ".connect(host)", 0),
        ("config.toml", "Why config files", "toml", 0),
    ],
)
def test_a_section_is_named_by_what_its_page_is_called(question: str, page: str, title: str, value: int) -> None:
    one = at(page, title)
    assert signals.named(asking(question, one), one) == value


@pytest.mark.parametrize(
    ("question", "title", "value"),
    [
        ("max depth", "maxDepth", 1),
        ("what is the max depth?", "maxDepth: int = 3", 1),
        ("max depth option in acme", "`MAX_DEPTH`", 1),
        ("ignore trailing slash", "ignoreTrailingSlash(flag)", 1),
        ("max depth of a tree", "maxDepth", 0),  # something else is asked too
        ("depth max", "maxDepth", 0),
        ("max tree depth", "maxDepth", 0),
        ("max depth", "onMaxDepth", 0),
        ("max depth", "What maxDepth means", 0),
        ("depth", "depth", 1),
    ],
)
def test_the_words_of_a_name_name_the_section_that_has_it_as_its_title(question: str, title: str, value: int) -> None:
    aliases = ("maxDepth", "onMaxDepth", "MAX_DEPTH", "ignoreTrailingSlash")
    home = replace(chunk("", "home", LONG, 0), title="Acme", breadcrumb=("Acme",))
    one = Candidate(Section.of([replace(chunk("a/", "x", LONG, 1), title=title, breadcrumb=(title,), aliases=aliases)]))
    asked = asking(question, one, Candidate(Section.of([home])))
    assert signals.named(asked, one) == value
    if len(question.split()) > 1:
        assert asked.title.is_nothing_but(one.section.chunks[0]) is bool(value)


@pytest.mark.parametrize(
    ("question", "title", "value"),
    [
        ("test your server", "Test your server", 1),
        ("Test your server?", "2.1 Test your server", 1),
        ("core concepts", "Core concepts", 1),  # words that tell no topic
        ("how to test your server", "Test your server", 0),
        ("your server test", "Test your server", 0),
        ("test your server", "Test your servers", 0),
        ("server", "3 Server", 0),  # one word is the title of sections about many things
    ],
)
def test_a_whole_title_names_its_section(question: str, title: str, value: int) -> None:
    one = at("Guide", title)
    asked = asking(question, one)
    assert asked.title.is_nothing_but(one.section.chunks[0]) is bool(value)
    assert signals.named(asked, one) >= value


@pytest.mark.parametrize(
    ("question", "title", "value"),
    [
        ("glaze recipes", "3.2. Glaze recipes", 1),
        ("glaze recipes", "11.12.2 Glaze recipes", 1),
        ("glaze recipes", "A.2 Glaze recipes", 1),
        ("glaze recipes", "Chapter 4: Glaze recipes", 1),
        ("glaze recipes", "Appendix B. Glaze recipes", 1),
        ("what is new for glazes", "3.2 New glazes", 0),  # the number of a version
        ("glaze recipes", "802.11 Glaze recipes", 0),  # another number
        ("glaze recipes", "18.04 Glaze recipes", 0),
        ("hz glazes", "2.4 Hz glazes", 0),  # a quantity
        ("glaze highlights", "2.1 Glaze highlights", 0),
        ("11.12.2 Glaze recipes", "11.12.2 Glaze recipes", 1),  # as it stands
        ("3.1. Fixtures and hooks", "3.1. Fixtures and hooks", 1),
        ("cone kilns", "3 cone kilns", 0),
    ],
)
def test_the_number_of_a_section_in_a_manual_is_no_word_of_its_title(question: str, title: str, value: int) -> None:
    one = at("Manual", title)
    assert signals.named(asking(question, one), one) == value


@pytest.mark.parametrize(
    ("question", "title", "kind", "value"),
    [
        ("import limit", "import limit [number | off] [action warn | block]", "definition", 1),
        ("show kiln", "show kiln <name>", "definition", 1),
        ("show kiln", "show kiln shelf <name>", "definition", 0),
        # The title of a section is no entry with arguments.
        ("show kiln", "show kiln [beta]", "prose", 0),
        ("force-reload", "The force-reload command", "prose", 1),
        ("retry statement", "The retry statement", "prose", 1),
        ("retry", "The history of the retry command and others", "prose", 0),
    ],
)
def test_an_entry_is_named_without_its_arguments_and_the_kind_of_its_name(
    question: str, title: str, kind: ChunkKind, value: int
) -> None:
    first = replace(chunk("a/", "x", LONG, 1), title=title, breadcrumb=("Commands",), kind=kind)
    one = Candidate(Section.of([first]))
    assert signals.named(asking(question, one), one) == value


def test_the_kind_of_a_name_is_left_out_below_the_page_of_the_command() -> None:
    one = at("kiln-ctl", "The force-reload command")
    assert signals.named(asking("kiln-ctl force-reload", one), one) == 1


def test_articles_and_question_words_of_a_language_are_no_words_of_a_title() -> None:
    assert title_words_of("Was ist eine Brennkurve?", "de-AT") == title_words_of("Die Brennkurve", "de-AT")
    assert title_words_of("Die Brennkurve", "en") != title_words_of("Brennkurve", "en")


ENTRIES = f"It is a list.\n\n- `-i`: fire the clay at once\n\n{LONG}"


@pytest.mark.parametrize(
    ("question", "page", "value"),
    [
        ("kiln -i", "kiln(1)", 1.0),
        ("what does kiln -i mean", "kiln(1)", 1.0),
        ("what is the -i flag of kiln?", "kiln(1)", 1.0),
        ("kiln_load -i", "KILN_LOAD", 1.0),
        ("kiln -x", "kiln(1)", 0.0),
        ("kiln -i", "oven(1)", 0.0),
        ("oven kiln -i", "kiln(1)", 0.0),
    ],
)
def test_an_option_of_one_letter_is_explained_on_the_page_of_its_command(
    question: str, page: str, value: float
) -> None:
    first = replace(chunk("a/", "x", ENTRIES, 1), title="Options", breadcrumb=(page,))
    one = Candidate(Section.of([first]))
    assert signals.explained_option(asking(question, one), one) == value
    assert signals.named(asking(question, one), one) == value


@pytest.mark.parametrize("letter", ["i", "a", "e"])  # two of them are words
def test_the_description_of_a_command_is_not_named_by_an_option_of_it(letter: str) -> None:
    one = at("kiln(1)", "Description")
    assert signals.named(asking("what does kiln do", one), one) == 1.0
    assert signals.named(asking(f"what does kiln -{letter} do", one), one) == 0.0


def test_a_page_is_named_by_the_name_behind_its_kind_and_a_colon() -> None:
    one, other = at("Class: Kiln", "Class: Kiln"), at("Class: Oven", "Class: Oven")
    assert [signals.named(asking("what is a Kiln", one, other), page) for page in (one, other)] == [1, 0]
