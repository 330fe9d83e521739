"""The name of an entry that looks like a word, or is one with hyphens, is an identifier, if it is the topic of nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.server.handmade import chunk

from trueref_core.records import ChunkKind
from trueref_server.corpus.corpus import Section, Statistics
from trueref_server.question.plan import make_plan
from trueref_server.records import Question

TITLES: tuple[tuple[ChunkKind, str], ...] = (
    ("definition", 'mynetworks (default: see "postconf -d")'),
    ("definition", "hasplugin(name)"),
    ("definition", "itersize: int"),
    ("definition", "Sdistsrc={toxworkdir}/dist"),
    ("definition", "autoescape: bool"),
    ("definition", "webhook"),
    ("definition", "message"),
    ("definition", "myhostname of a host"),
    ("definition", "neighbor PEER next-hop-self [force]"),
    ("definition", "neighbor PEER route-map <map-name> --no-export-map"),
    ("definition", "well-known"),
    ("prose", "How a route-map is read"),
    ("prose", "relayhosts"),
    ("prose", "Autoescape: when to use it"),
    ("prose", "Setting style=$mynetworks"),
    ("prose", "KF046 - Shelf order"),
    ("prose", "utf8 and port8080"),
    ("prose", "x509 certificates"),
)


def statistics() -> Statistics:
    chunks = [
        replace(chunk("a/", str(number), title, number), title=title, kind=kind)
        for number, (kind, title) in enumerate(TITLES)
    ]
    return Statistics.of([Section.of([one]) for one in chunks])


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("what is mynetworks", ("mynetworks",)),
        ("What does Hasplugin do?", ("Hasplugin",)),
        ("itersize default", ("itersize",)),
        ("sdistsrc", ("sdistsrc",)),
        ("is autoescape on", ()),  # a topic of the docs
        ("what is a message", ()),  # a common word
        ("what is myhostname", ()),  # one word of a title
        ("relayhosts", ()),  # the title of a section
        ("what is a webhook", ()),  # a term of a glossary
        ("what does next-hop-self do", ("next-hop-self",)),
        ("Next-Hop-Self", ("Next-Hop-Self",)),
        ("what does next-hop do", ()),  # a part of a name
        ("what is a route-map", ()),  # a topic of the docs
        ("what is map-name", ()),  # the place of a value
        ("what is an export-map", ()),  # a part of an option
        ("what is well-known", ()),  # a term of a glossary
        ("KF046", ("KF046",)),
        ("what does kf046 check?", ("kf046",)),
        ("KF047", ()),  # no page has it
        ("is utf8 read", ()),  # a name
        ("KF046.txt is missing", ("KF046.txt",)),  # a part of a name
        ("x509::Certificate", ("x509::Certificate",)),
        ("Kiln::x509::Certificate", ("Kiln::x509::Certificate",)),
        ("x509::Certificate or x509", ("x509::Certificate", "x509")),
        # An identifier that looks like one is what is asked for.
        ("mynetworks_style or mynetworks", ("mynetworks_style",)),
        ("", ()),
    ],
)
def test_the_name_of_an_entry_is_an_identifier(text: str, names: tuple[str, ...]) -> None:
    plan = make_plan(Question(text), "en", statistics())
    assert plan.identifiers == names
    assert plan.asks_for_identifier is bool(names)


def test_a_plain_title_on_a_reference_page_is_a_name() -> None:
    entry = replace(chunk("api/", "webhook", "Calls it.", 0), title="webhook", kind="definition", page_kind="api")
    plan = make_plan(Question("what does webhook do"), "en", Statistics.of([Section.of([entry])]))
    assert plan.identifiers == ("webhook",)


def test_a_single_word_may_be_in_any_language() -> None:
    assert make_plan(Question("mynetworks"), "", statistics()).identifiers == ("mynetworks",)


@pytest.mark.parametrize(("text", "language"), [("Was ist mynetworks?", "de"), ("Wo liegt mynetworks?", "")])
def test_in_another_language_a_word_is_a_word(text: str, language: str) -> None:
    assert make_plan(Question(text, language=language), language, statistics()).identifiers == ()


def test_without_statistics_a_word_is_a_word() -> None:
    assert make_plan(Question("what is mynetworks"), "en").identifiers == ()


def test_a_code_is_no_two_words() -> None:
    assert make_plan(Question("what is KF046"), "en", statistics()).terms == ("kf046",)


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("kiln -o", "-o"),
        ("Kiln glaze_path", "glaze_path"),
        ("what is -o in kiln", "what is -o"),
        ("what does -o do in kiln?", "what does -o do"),
        ("kiln: -o", "-o"),
        ("(kiln) --all", "--all"),
        ("kiln's --all", "--all"),
        # With another word it may be a part of a name.
        ("kiln fire -o", "kiln fire -o"),
        ("kiln", "kiln"),
        ("kiln kiln.toml", "kiln.toml"),
    ],
)
def test_the_name_of_what_the_docs_are_about_is_no_part_of_what_is_asked_of_an_identifier(
    question: str, query: str
) -> None:
    plan = make_plan(Question(question), "en", Statistics(subjects={"docs": frozenset({"kiln"})}))
    assert plan.query == query
    assert plan.read_as == ""


def test_the_name_of_one_of_several_sites_tells_which_is_meant() -> None:
    statistics = Statistics(subjects={"one": frozenset({"kiln"}), "two": frozenset({"wheel"})})
    assert make_plan(Question("kiln -o"), "en", statistics).query == "kiln -o"


@pytest.mark.parametrize(
    ("text", "identifiers"),
    [
        ("what does get() do", ("get",)),
        # It is found by its word, which the docs may not have as a call.
        ("what does ready() do", ()),
        ("how do I use print() in a task", ()),
        ("use .catch() to read the body", ("catch",)),
        ("reply.send() called twice", ("reply.send",)),
        ("kiln().fire()", ()),
        ("catch (the error)", ()),
        ("it fails (often)", ()),
    ],
)
def test_the_call_of_a_function_is_an_identifier(text: str, identifiers: tuple[str, ...]) -> None:
    assert make_plan(Question(text), "en").identifiers == identifiers
