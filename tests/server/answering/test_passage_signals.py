"""What tells of a passage whether it answers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.server.answering.test_passages import Row, section
from tests.server.handmade import chunk

from trueref_server.answering.candidates import PassageCandidate, SectionPassages
from trueref_server.answering.passage_signals import (
    BELOW_TITLE,
    IN_FRONT,
    aside,
    asked_identifier,
    deprecated,
    does_without,
    explained_identifier,
    named,
    says_in_sentence_what_thing_is,
    says_what_word_means,
    shared,
)
from trueref_server.answering.sections.passage import Passage
from trueref_server.answering.sections.passages import passages
from trueref_server.corpus.corpus import Statistics
from trueref_server.question.plan import make_plan
from trueref_server.ranking.weighted_question import WeightedQuestion
from trueref_server.records import ExcerptBlock, Hit, Question


def asked(text: str) -> WeightedQuestion:
    return WeightedQuestion(make_plan(Question(text), "en"), Statistics(sections=10))


def in_section(title: str, *blocks: ExcerptBlock, entry: str = "") -> PassageCandidate:
    """The first passage of a section, with the blocks."""
    own = replace(chunk("a/", "s1", "Any text.", 1), title=title)
    hit = Hit("demo", "a/", "s1", 1.0, (own,), near={own.id: 0.5})
    passage = Passage("paragraph", blocks, own.id, entry=entry)
    return PassageCandidate(SectionPassages(hit, [passage]), 0, 0.0, passage.text, passage.text)


def prose(text: str) -> ExcerptBlock:
    return ExcerptBlock("prose", text)


EXPLAINED: dict[str, PassageCandidate] = {
    "a paragraph": in_section("Modes", prose("`--import-mode` says how modules are found.")),
    "a paragraph with an article": in_section("Modes", prose("The `--import-mode` option says how.")),
    "a later item": in_section("Modes", ExcerptBlock("list", "- `-v`\n- `--import-mode`: how modules are found")),
    "a row": in_section(
        "Modes", ExcerptBlock("table", "| Name | What |\n| --- | --- |\n| `--import-mode` | how modules are found |")
    ),
    "a definition": in_section(
        "Modes", ExcerptBlock("definition", "How modules are found.", "--import-mode=MODE"), entry="--import-mode=MODE"
    ),
    "what is added": in_section("Modes", prose("`--import-mode` says what is added to the path.")),
    "an item with its short form": in_section(
        "Modes", ExcerptBlock("list", "- `-i`, `--import-mode`: how modules are found")
    ),
    "an option": in_section("Modes", prose("The option `--import-mode` says how modules are found.")),
    "an item in an item": in_section(
        "Modes", ExcerptBlock("list", "- Modes\n  - `--import-mode`: how modules are found")
    ),
    "what was removed": in_section("Modes", prose("`--import-mode` deletes files whose source was removed.")),
    "Chinese": in_section("Modes", prose("`--import-mode`：设置站点的规范网址。")),
    "a title": in_section("--import-mode", prose("How modules are found.")),
}

NOT_EXPLAINED: dict[str, PassageCandidate] = {
    "a sentence that mentions it": in_section("Modes", prose("Modules are found as `--import-mode` says.")),
    "the beginning of a longer name": in_section("Modes", prose("`--import-mode-x` says how modules are found.")),
    "a name alone": in_section("Modes", ExcerptBlock("list", "- `-v`\n- `--import-mode`\n- `-q`")),
    "another name for it": in_section("Modes", prose("`--import-mode` is equivalent to `--mode`.")),
    "a note that it is new": in_section("Modes", prose("The `--import-mode` option was added in 6.0.")),
    "the name of a file": in_section("Modes", ExcerptBlock("code", "mode: append", "--import-mode")),
    "another name, with a noun": in_section("Modes", prose("The `--import-mode` option is equivalent to `--mode`.")),
    "a part of a path": in_section("--import-mode.txt", prose("Any text is here.")),
    "its short form": in_section("Modes", ExcerptBlock("list", "- `--import-mode`: short for `--mode`")),
    "code": in_section("Modes", ExcerptBlock("code", "--import-mode append to the end")),
}


@pytest.mark.parametrize("question", ["--import-mode", "What does --import-mode do?", "--import-mode default"])
@pytest.mark.parametrize("candidate", EXPLAINED.values(), ids=EXPLAINED)
def test_an_identifier_is_explained_where_a_title_or_a_line_begins_with_it(
    question: str, candidate: PassageCandidate
) -> None:
    assert explained_identifier(asked(question), candidate) == 1.0


@pytest.mark.parametrize("candidate", NOT_EXPLAINED.values(), ids=NOT_EXPLAINED)
def test_an_identifier_that_is_only_mentioned_is_not_explained(candidate: PassageCandidate) -> None:
    assert explained_identifier(asked("--import-mode"), candidate) == 0.0


def test_the_entry_of_a_class_explains_its_name() -> None:
    for title in ("exception acme.errors.TooHotError(heat: int)", "class TooHotError", "acme.TooHotError(heat)"):
        assert explained_identifier(asked("TooHotError"), in_section(title, prose("Any text is here."))) == 1.0
    assert explained_identifier(asked(".fire()"), in_section(".fire(heat)", prose("Any text is here."))) == 1.0
    of_another = in_section("class acme.TooHotErrorHandler(heat)", prose("Any text is here."))
    assert explained_identifier(asked("TooHotError"), of_another) == 0.0


def test_who_asks_how_to_use_an_identifier_wants_no_entry() -> None:
    candidate = EXPLAINED["a definition"]
    assert explained_identifier(asked("How do I use --import-mode?"), candidate) == 0.0
    assert explained_identifier(asked("--import-mode or --rootdir"), candidate) == 0.5
    assert (
        explained_identifier(asked("Where is the folder of modules that --import-mode finds first?"), candidate) == 0.0
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("This is deprecated.", 1.0),
        ("Deprecated: use the other.", 1.0),
        ("The legacy way.", 1.0),
        ("Pages as in `legacy/*` count less.", 0.0),
        ("Pass `--legacy-names` or set on_deprecated.", 0.0),
        ("See `docs/obsolete.md`, and `legacy.enable`.", 0.0),
        ("It may no longer be there.", 0.0),
        ("See `docs/legacy`.", 0.0),
    ],
)
def test_a_name_with_a_word_that_gives_up_gives_nothing_up(text: str, value: float) -> None:
    assert deprecated(asked("Which pages?"), in_section("Pages", prose(text))) == value


def test_the_entry_of_a_built_page_explains_its_term() -> None:
    term: Row = ("definition", "--import-mode=MODE", "term", "d1.1")
    (entry,) = passages(section(term, ("definition", "How modules are found.", "text", "d1.1")))
    own = in_section("Modes", *entry.blocks, entry=entry.entry)
    assert explained_identifier(asked("--import-mode"), own) == 1.0


@pytest.mark.parametrize(
    ("query", "text", "value"),
    [
        ("retry policy", "A mapping that says how often a message is sent.", 1.0),
        ("what is the retry policy", "A mapping that says how often a message is sent.", 0.0),  # more than keywords
        ("policy", "A mapping that says how often a message is sent.", 0.0),  # the title of sections about many things
        ("adding policies", "A mapping that says how often a message is sent.", 0.0),
        ("retry policy", "Retry policy", 0.0),  # a mere name
    ],
)
def test_keywords_name_a_section_that_says_something(query: str, text: str, value: float) -> None:
    candidate = in_section("Retry policy", prose(text))
    hit = replace(candidate.section.hit, signal_values={"named": 1.0})
    candidate = replace(candidate, section=replace(candidate.section, hit=hit))
    assert named(asked(query), candidate) == value


@pytest.mark.parametrize(("path", "value"), [((), 1.0), (("Policy",), 1.0), (("Retries", "Policy"), 0.0)])
def test_one_word_names_a_page(path: tuple[str, ...], value: float) -> None:
    candidate = in_section("Policy", prose("A mapping that says how often a message is sent."))
    page = replace(candidate.section.hit.chunk, breadcrumb=path)
    hit = replace(candidate.section.hit, chunks=(page,), signal_values={"named": 1.0})
    assert named(asked("policy"), replace(candidate, section=replace(candidate.section, hit=hit))) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("将site_url设置为站点地址", 1.0),  # other scripts need no space around it
        ("site_url을 설정", 1.0),
        ("Set site_url.", 1.0),
        ("Set my.site_url now.", 1.0),
        ("Set site_url.port, or a site_url-x, or my_site_url.", 0.0),  # longer names
    ],
)
def test_an_identifier_is_found_whole(text: str, value: float) -> None:
    assert asked_identifier(asked("site_url"), in_section("Any", prose(text))) == value


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("what does steal mean in the list", IN_FRONT),
        ("what does idle mean", 0.0),
        ("what does --steal mean", 0.0),  # identifiers have signals of their own
        ("how do I hide steal", 0.0),
    ],
)
def test_an_item_says_what_a_word_means(question: str, value: float) -> None:
    items = in_section(
        "Times", ExcerptBlock("list", "- `user`: the time of programs\n- `steal`: the time of other guests")
    )
    assert says_what_word_means(asked(question), items) == value
    term = in_section("Times", ExcerptBlock("definition", "The time of other guests.", "Steal"))
    assert says_what_word_means(asked(question), term) == value


@pytest.mark.parametrize(
    ("title", "text", "value"),
    [
        ("Names", "Many words are used here. A kiln is a furnace for clay and glass.", 1.0),
        ("Kilns", "The heart of every pottery, where clay becomes a pot.", BELOW_TITLE),
        ("Kilns", "A furnace for clay and for glass.", 1.0),
        ("Kilns", "A machine which is hot, for clay and for glass.", 1.0),
        ("Kilns", "A clay pot is set on the shelf before the door is closed.", BELOW_TITLE),
        ("Pots", "A furnace for clay and for glass.", 0.0),
        ("Adding a kiln", "The heart of every pottery, where clay becomes a pot.", 0.0),
        ("Kilns", "Hot.", 0.0),
    ],
)
def test_a_sentence_says_what_a_thing_is_and_a_title_may(title: str, text: str, value: float) -> None:
    assert says_what_word_means(asked("What is a kiln?"), in_section(title, prose(text))) == value


@pytest.mark.parametrize(
    ("title", "anchor", "value"),
    [
        ("Kiln", "term-kiln", 1.0),
        ("kiln", "pots.Pot.kiln", 0.0),
        ("kiln", "confval-kiln", 0.0),
        ("KILN", "pots-fire--kiln", 0.0),
        ("fire(kiln)", "fire", 0.0),
    ],
)
def test_the_entry_of_a_term_says_what_it_is_and_that_of_an_attribute_or_function_does_not(
    title: str, anchor: str, value: float
) -> None:
    entry = in_section(title, prose("The furnace in which a pot is fired."), prose("Kiln is a name."))
    own = replace(entry.section.hit.chunks[0], kind="definition", anchor=anchor)
    entry = replace(entry, section=replace(entry.section, hit=replace(entry.section.hit, chunks=(own,))))
    alone = Passage("paragraph", entry.passage.blocks[:1], own.id)
    described = replace(entry, section=replace(entry.section, passages=[alone]))
    assert says_what_word_means(asked("What is a kiln?"), described) == value
    # It does so by its place, and not in a sentence.
    assert not says_in_sentence_what_thing_is(asked("What is a kiln?"), described)


@pytest.mark.parametrize(
    ("title", "text", "is_said"),
    [
        ("Names", "A kiln is a furnace for clay and glass.", True),
        ("Kilns", "A furnace for clay and for glass.", True),
        ("Kilns", "The heart of every pottery, where clay becomes a pot.", False),
        ("The Any kiln", "A furnace for clay and for glass.", False),
    ],
)
def test_a_sentence_says_what_a_thing_is(title: str, text: str, is_said: bool) -> None:
    assert says_in_sentence_what_thing_is(asked("What is a kiln?"), in_section(title, prose(text))) == is_said


@pytest.mark.parametrize(
    ("title", "question", "value"),
    [
        ("Changelog", "skip the notices of a stream", 1.0),
        ("Version history", "skip the notices of a stream", 1.0),
        ("Changelog", "what changed in 2.0", 0.0),
        ("Note", "skip the notices of a stream", 0.0),
    ],
)
def test_a_box_that_says_what_has_changed_stands_aside(title: str, question: str, value: float) -> None:
    box = ExcerptBlock("admonition", "Notices were first skipped in 1.1, with an option of their own.", caption=title)
    assert aside(asked(question), in_section("Notices", box)) == value


CHANGES = "| Version | Changes |\n| --- | --- |\n| v4.2.0 | Notices are skipped. |"


@pytest.mark.parametrize(
    ("block", "value"),
    [
        (ExcerptBlock("definition", "How many lines are kept.", caption="history"), 0.0),
        (ExcerptBlock("definition", "Writes what has changed.", caption="changelog"), 0.0),
        (ExcerptBlock("prose", "How many lines are kept.", caption="history"), 0.0),
        (ExcerptBlock("code", "kiln fire\nkiln open", caption="history"), 0.0),
        (ExcerptBlock("table", CHANGES), 0.0),
        (ExcerptBlock("table", CHANGES, caption="Notices"), 0.0),
        (ExcerptBlock("admonition", CHANGES), 1.0),
        (ExcerptBlock("table", CHANGES, caption="History"), 1.0),  # of a long box
    ],
)
def test_what_is_merely_called_history_is_no_change_log(block: ExcerptBlock, value: float) -> None:
    assert aside(asked("skip the notices of a stream"), in_section("Notices", block)) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("A pot can be fired without its lid.", 1.0),
        ("The option `--no-lid` fires a pot.", 1.0),
        ("A pot that has no lid is fired as well.", 1.0),
        ("Skip the lid with `--open`.", 1.0),
        ("A pot is fired with its lid, and not alone.", 0.0),
        ("You don't need to look at the lid.", 0.0),
        ("It is not hot. The lid is.", 0.0),
        ("Ignore the lid.", 1.0),
        ("Packers may accidentally omit the lid.", 0.0),
    ],
)
def test_a_passage_says_how_to_do_without_a_thing(text: str, value: float) -> None:
    assert does_without(asked("fire a pot without its lid"), in_section("Firing", prose(text))) == value
    assert does_without(asked("fire a pot with its lid"), in_section("Firing", prose(text))) == 0.0


@pytest.mark.parametrize(
    ("question", "text", "value"),
    [
        ("fire a pot without its accessories", "Pass `--no-acc`.", 1.0),
        ("fire a pot without its accessories", "Pass `--no-cc`.", 0.0),
        ("open the kiln without glazing", "The kiln is opened without glazing a pot.", 1.0),
        ("open the kiln without glazing", "Do not use glaze A.", 0.0),
        ("open the kiln without glazing", "Pass `--no-glaze`.", 1.0),
    ],
)
def test_an_option_may_shorten_what_is_left_out_and_what_is_not_done_follows_at_once(
    question: str, text: str, value: float
) -> None:
    assert does_without(asked(question), in_section("Firing", prose(text))) == value


def test_below_its_title_a_text_need_not_repeat_what_a_thing_is_called() -> None:
    assert shared(asked("What is a kiln?"), in_section("Kiln", prose("The furnace of a pottery."))) == 1.0
    assert shared(asked("What is a kiln?"), in_section("Pots", prose("The furnace of a pottery."))) == 0.0
    assert shared(asked("How hot is a kiln?"), in_section("Kiln", prose("The furnace of a pottery."))) == 0.0
