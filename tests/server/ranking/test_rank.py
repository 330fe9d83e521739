from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.server.handmade import chunk

from trueref_core.records import Chunk
from trueref_server.corpus.corpus import PageBoosts, Section, Statistics
from trueref_server.question.plan import make_plan
from trueref_server.ranking import signals
from trueref_server.ranking.rank import (
    RELATIONS,
    SAME_PAGE,
    SAME_PAGE_BY_WORDS,
    WEIGHTS,
    WEIGHTS_BY_WORDS,
    best_first,
    hits_of,
    relate_sections,
    score_sections,
    signal_value,
)
from trueref_server.ranking.signals import Candidate
from trueref_server.ranking.weighted_question import WeightedQuestion
from trueref_server.records import Hit, Plan, Question

LONG = "Text about nothing in particular that is long enough to count in full. " * 9


def candidate(page: str, anchor: str, text: str = LONG, **changes: Any) -> Candidate:
    return replace(Candidate(Section.of([chunk(page, anchor, text, 0)])), **changes)


def titled(title: str, text: str) -> Candidate:
    return candidate("cache/", title.lower().replace(" ", "-"), f"{text} {LONG}")


def asking(question: str, *candidates: Candidate) -> WeightedQuestion:
    statistics = Statistics.of([one.section for one in candidates])
    return WeightedQuestion(make_plan(Question(question), "en", statistics), statistics)


def places(hits: list[Hit]) -> list[str]:
    return [f"{hit.page}#{hit.anchor}" for hit in hits]


def test_what_both_searches_favour_comes_first() -> None:
    near = candidate("a/", "x", cosines=[0.6])
    worded = candidate("c/", "z", text_score=1.0)
    both = candidate("b/", "y", cosines=[0.55], text_score=0.9)
    hits = hits_of(score_sections(asking("anything", near, worded, both), [near, worded, both]), 10)
    assert places(hits) == ["b/#y", "a/#x", "c/#z"]
    assert signal_value(hits[0], signals.vector) == pytest.approx(0.55)
    assert hits[0].score == pytest.approx(sum(hits[0].signals.values()))


def test_the_parts_of_a_question_count_as_much_as_the_whole() -> None:
    whole = candidate("a/", "x", cosines=[0.5, 0.2, 0.2])
    parts = candidate("b/", "y", cosines=[0.4, 0.5, 0.5])
    assert places(hits_of(score_sections(asking("q", whole, parts), [whole, parts]), 10)) == ["b/#y", "a/#x"]


def test_sections_that_say_the_same_are_one_hit() -> None:
    first = Candidate(Section.of([replace(chunk("a/", "x", LONG, 0), twin_key="k")]), cosines=[0.6])
    copy = replace(chunk("b/", "y", LONG, 0), twin_key="k")
    twin = Candidate(Section.of([copy]), cosines=[0.5])
    (hit,) = hits_of(score_sections(asking("q", first, twin), [twin, first]), 10)
    assert places([hit]) == ["a/#x"]
    assert hit.twins == (("demo", "b/", "y"),)


def test_sections_of_one_title_and_nearly_the_same_words_are_one_hit() -> None:
    first = Candidate(Section.of([chunk("cli/", "run--quiet", LONG + "run", 0)]), cosines=[0.6])
    other = replace(chunk("cli/", "sync--quiet", LONG + "sync", 1), title=first.section.chunks[0].title)
    apart = chunk("cli/", "lock--quiet", LONG + "lock", 1)
    candidates = [first, Candidate(Section.of([other])), Candidate(Section.of([apart]))]
    assert places(hits_of(score_sections(asking("q", *candidates), candidates), 10)) == [
        "cli/#run--quiet",
        "cli/#lock--quiet",
    ]


@pytest.mark.parametrize(("cosines", "step"), [([0.5], SAME_PAGE), ([], SAME_PAGE_BY_WORDS)])
def test_each_section_of_a_page_takes_from_the_next(cosines: list[float], step: float) -> None:
    found = [candidate("a/", str(number), f"{LONG} {number}", cosines=cosines) for number in range(6)]
    hits = hits_of(score_sections(asking("q", *found), found), 10)
    steps = [hits[0].score - hit.score for hit in hits]
    assert steps == pytest.approx([0, step, 2 * step, 3 * step, 3 * step, 3 * step], abs=1e-3)


def test_words_count_for_more_in_a_section_that_is_compared_by_words_alone() -> None:
    text = f"The proxy exports each temperature. {LONG}"
    pair = [candidate("a/", "x", text, cosines=[0.5]), candidate("b/", "y", text.replace("each", "any"))]
    question = asking("Which proxy exports a temperature?", *pair, candidate("c/", "z"))
    by_page = {hit.page: hit for hit in hits_of(score_sections(question, pair), 10)}
    for page, weights in (("a/", WEIGHTS), ("b/", WEIGHTS_BY_WORDS)):
        for signal in (signals.body, signals.phrase, signals.together):
            added, value = by_page[page].signals[signal.__name__], signal_value(by_page[page], signal)
            assert added == pytest.approx(weights[signal] * value), signal.__name__
    assert by_page["a/"].signals["body"] < by_page["b/"].signals["body"]


def test_the_verb_of_how_do_i_counts_less_than_what_it_is_about() -> None:
    # Of the docs of uv: `Dynamic metadata` has `change`, and came before the section that is called like the question.
    about = titled("Cache directory", "uv determines the cache directory in this order: ...")
    other = titled("Dynamic metadata", "The cache key of a directory: it will change whenever the directory changes.")
    more = [titled(f"Topic {at}", f"{'It may change. ' * (at % 3 == 0)}{at}") for at in range(9)]
    for verb in ("How do I change", "I want to change", "is there a way to change"):
        question = asking(f"{verb} the cache directory?", about, other, *more)
        assert places(hits_of(score_sections(question, [other, about, *more]), 10))[0] == "cache/#cache-directory", verb
    # Alone it is all that is asked for, and elsewhere it says what is asked for.
    for text in ("How do I change?", "Which change broke the cache directory?"):
        question = asking(text, about, other, *more)
        assert question.terms("en")["chang"] == question.weight("chang"), text


def test_links_of_good_sections_speak_for_where_they_lead() -> None:
    best, other, third = candidate("a/", "x", cosines=[0.6]), candidate("b/", "y", cosines=[0.4]), candidate("c/", "z")
    question = asking("q", best, other, third)
    links = {("demo", "a/", "x"): {("demo", "b/", "y"), ("demo", "a/", "x")}}
    related = relate_sections(question, score_sections(question, [best, other, third]), links)
    hits = {hit.page: hit for hit in hits_of(related, 10)}
    assert signal_value(hits["b/"], signals.linked) == 1.0
    assert signal_value(hits["a/"], signals.linked) == signal_value(hits["c/"], signals.linked) == 0.0


def test_other_good_sections_speak_for_a_page() -> None:
    pair = [candidate("a/", "x", LONG, cosines=[0.5]), candidate("a/", "y", LONG + "more", cosines=[0.5])]
    alone = candidate("b/", "z", cosines=[0.5])
    question = asking("q", *pair, alone)
    related = relate_sections(question, score_sections(question, [*pair, alone]), {})
    hits = {hit.page: hit for hit in reversed(hits_of(related, 10))}
    assert signal_value(hits["a/"], signals.page) > 0.2
    assert signal_value(hits["b/"], signals.page) == 0.0


def test_owners_weigh_pages_by_their_addresses() -> None:
    old, new = candidate("legacy/a/", "x", cosines=[0.5]), candidate("b/", "y", cosines=[0.45])
    asked = asking("q", old, new)
    assert places(hits_of(score_sections(asked, [old, new]), 10))[0] == "legacy/a/#x"
    hits = hits_of(score_sections(asked, [old, new], PageBoosts({"legacy/*": -0.1})), 10)
    assert places(hits)[0] == "b/#y"
    assert hits[1].signals["owner"] == -0.1


def test_a_section_ranks_before_the_page_that_repeats_it() -> None:
    same = chunk("", "", LONG, 0)
    own, repeated = (
        Candidate(
            Section.of([replace(same, page=page, anchor=anchor, section_id=f"{page}#{anchor}", twin_key="k")]),
            text_score=text_score,
        )
        for page, anchor, text_score in (("fs/", "read", 0.5), ("all.html", "fs-read", 0.6))
    )
    asked = asking("anything", own, repeated)
    assert places(hits_of(score_sections(asked, [own, repeated]), 10)) == ["all.html#fs-read"]
    hits = hits_of(score_sections(asked, [own, repeated], PageBoosts(compilations={("demo", "all.html")})), 10)
    assert places(hits) == ["fs/#read"]
    assert "compilation" not in hits[0].signals


def test_what_the_build_gave_a_page_counts_for_that_page_of_that_site() -> None:
    pages = {("demo", "legacy/a/"): -0.1, ("other", "b/"): -1.0}
    owner = PageBoosts({"*/": 0.04, "b/": 1.0}, pages)
    assert [owner.weight(page) for page in [("demo", "legacy/a/"), ("demo", "b/"), ("other", "b/")]] == [
        -0.06,
        1.0,
        0.04,
    ]
    old, new = candidate("legacy/a/", "x", cosines=[0.5]), candidate("b/", "y", cosines=[0.45])
    asked = asking("q", old, new)
    scored = [score_sections(asked, [section], PageBoosts({}, pages)) for section in (old, new)]
    assert places(hits_of(best_first([*scored[0], *scored[1]]), 10)) == ["b/#y", "legacy/a/#x"]


def test_no_more_hits_are_given_than_asked_for_and_none_of_nothing() -> None:
    found = [candidate("a/", "x"), candidate("b/", "y", LONG + "more")]
    assert len(hits_of(score_sections(asking("q", *found), found), 1)) == 1
    question = WeightedQuestion(Plan(Question("q"), "q", ("q",)), Statistics())
    assert hits_of(relate_sections(question, score_sections(question, []), {}), 10) == []


def test_every_signal_is_named_once_and_between_nothing_and_one() -> None:
    names = [signal.__name__ for signal in (*WEIGHTS, *RELATIONS)]
    assert len(set(names)) == len(names)
    text = "Set `palette.toggle` to *python* code. " * 200
    one = candidate("a/", "palette-toggle", text, cosines=[0.9, -0.2], text_score=1.0)
    asked = asking('What is "palette.toggle"? The palette in python, please. Error: palette.toggle', one)
    assert all(0 <= signal(asked, one) <= 1 for signal in (*WEIGHTS, *RELATIONS))


def kind(section_kind: str) -> Candidate:
    made: Chunk = replace(chunk("a/", "x", LONG, 0), page_kind=section_kind)  # type: ignore[arg-type]
    return Candidate(Section.of([made]))


@pytest.mark.parametrize(
    ("question", "page_kind", "reference", "aside"),
    [
        ("How do I hide the sidebar?", "guide", 0, 0),
        ("How do I hide the sidebar?", "reference", 1, 0),
        ("How do I hide the sidebar?", "changelog", 0, 1),
        ("What does --no-deps do?", "api", 0, 0),
        ("Which release notes mention the sidebar?", "changelog", 0, 0),
        ("Which release notes mention the sidebar?", "landing", 0, 1),
    ],
)
def test_kinds_of_pages_yield_unless_they_are_asked_for(
    question: str, page_kind: str, reference: int, aside: int
) -> None:
    one = kind(page_kind)
    asked = asking(question, one)
    assert (signals.reference(asked, one), signals.aside(asked, one)) == (reference, aside)


@pytest.mark.parametrize(
    ("question", "page", "breadcrumb", "value"),
    [
        ("how do I make it faster", "guide/contributors/workflow/", (), 1),
        ("how do I make it faster", "CONTRIBUTING.html", (), 1),
        ("how do I make it faster", "project/", ("Contribute to Kiln", "Tests"), 1),
        ("how do I make it faster", "guide/", ("Contributed modules",), 0),
        ("how do I make it faster", "guide/", ("Plugins", "Document contributors"), 0),
        ("how do I make it faster", "guide/", ("Contribution points",), 0),
        ("how do I run the tests", "contributing/", (), 0),
        ("how do I build it from source", "contributing/", (), 0),
        ("how do I make it faster", "guide/", ("Speed",), 0),
        ("how do I run the tests for a pull request", "contributing/", (), 0),
        ("where do I report bugs", "contributing/", (), 0),
    ],
)
def test_pages_for_contributors_yield_unless_it_is_asked_how_to_take_part(
    question: str, page: str, breadcrumb: tuple[str, ...], value: float
) -> None:
    one = Candidate(Section.of([replace(chunk(page, "x", LONG, 0), breadcrumb=breadcrumb)]))
    asked = asking(question, one)
    assert signals.contributing(asked, one) == value
    assert (score_sections(asked, [one])[0].signals.get("contributing", 0) < 0) == bool(value)


@pytest.mark.parametrize(
    ("question", "title", "value"),
    [
        ("--no-deps", "no-deps", 1),
        ("What does UV_CACHE_DIR do?", "UV_CACHE_DIR", 1),
        ("What does UV_CACHE_DIR do?", "uv cache dir", 0),
        ("Why does --no-deps leave out what the lock file of my project names?", "--no-deps", 0),
        ("How do I hide the sidebar?", "no-deps", 0),
        ("How do I set UV_CACHE_DIR?", "UV_CACHE_DIR", 1),
        ("UV_CACHE_DIR default value", "UV_CACHE_DIR", 1),
        ("--import-mode", "Import modes", 0),
        # A name with what some sites write behind it.
        ("inet_interfaces default", "inet_interfaces (default: all)", 1),
        ("what does make_app() do", "make_app(config)", 1),
        ("make_app", "make_app()", 1),
        ("item_size", "item_size: int", 1),
        ("item_size", "item_size = None", 1),
        ("item_size", "item_sizes = None", 0),
        ("std::string", "std::vector", 0),
        ("YouTube video downloader", "YouTube", 0),
        ("GitHub Actions", "GitHub Actions", 1),
        ("GitHub Actions", "GitHub", 0),
        ("CI/CD", "CI/CD", 1),
        ("Making requests", "Making requests", 1),
        ("add-ons", "Add-ons", 1),
        ("python", "Python 3", 0),
        ("Python 3", "Python 3", 1),
        ("social cards", "Setting up social cards", 1),
        ("adding plugins", "Plugins", 1),
        ("configuration", "Configuration", 1),
        ("what is a fixture", "Fixtures", 1),
        ("fixtures", "Fixtures and hooks", 0),
    ],
)
def test_a_section_titled_by_what_is_asked_for_is_named_by_it(question: str, title: str, value: int) -> None:
    one = Candidate(Section.of([replace(chunk("a/", "x", LONG, 0), title=title)]))
    assert signals.named(asking(question, one), one) == value


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("--import-mode", 1.0),
        ("What does --import-mode do?", 1.0),
        # Little more than an identifier is asked for, and `--import` is none of the section's.
        ("--import", 0.0),
        ("--import-mode or --rootdir", 0.5),
        ("How are modules of my own package imported with --import-mode in the tests folder?", 0.0),
    ],
)
def test_a_section_has_an_identifier_that_is_asked_for_as_a_whole_word(question: str, value: float) -> None:
    section = candidate("cli/", "x", "Set `--Import-Mode` to append.")
    assert signals.asked_identifier(asking(question, section), section) == value


@pytest.mark.parametrize(
    ("question", "text", "value"),
    [
        ("--next", "- `-n`, `--next`: Go to the next page of the list.", 1.0),
        ("what does --next do", "| --next | Go to the next page of the list. |", 1.0),
        ("--next or --last", "--next goes to the next page of the list.", 0.5),
        ("--next", "Syntax: `turn [--next] [--last]`", 0.0),
        ("--next", "The next page is next to this page.", 0.0),
        ("-n", "- `-n`, `--next`: Go to the next page of the list.", 0.0),  # each command has another
        ("go_next", "- `go_next`: Go to the next page of the list.", 0.0),  # no option
        ("How do I use --next in a script that turns all pages of a book?", "--next goes to the next page.", 0.0),
    ],
)
def test_an_option_is_explained_where_a_line_begins_with_it(question: str, text: str, value: float) -> None:
    section = candidate("cli/", "x", text)
    assert signals.explained_option(asking(question, section), section) == value


def test_an_option_is_explained_by_its_term_and_not_by_code() -> None:
    first, second = (chunk("cli/", "x", text, at) for at, text in enumerate(("Turns.", "--next\n\nGo on.")))
    marked = replace(second, blocks=("0 term definition d1.1", "8 text definition d1.1"))
    asked = asking("--next", candidate("cli/", "x", "Turns."))
    sections = [
        Section.of([first, each]) for each in (marked, replace(second, kind="code", text="--next goes on and on"))
    ]
    assert [signals.explained_option(asked, Candidate(section)) for section in sections] == [1.0, 0.0]


def test_what_is_asked_for_by_its_whole_title_comes_first() -> None:
    entry = replace(chunk("glossary/", "nuc", "A small hive.", 0), title="nuc", kind="definition")
    term = Candidate(Section.of([entry]))
    glossary = Candidate(Section.of([replace(chunk("glossary/", "", f"{LONG} A nuc is one.", 0), title="Glossary")]))
    asked = asking("What is a nuc?", term, glossary)
    assert [hit.anchor for hit in hits_of(score_sections(asked, [glossary, term]), 10)] == ["nuc", ""]


@pytest.mark.parametrize(
    ("question", "title", "value"),
    [
        ("what changed in 9.5.0", "9.5.0 December 7, 2023", 1),
        ("what changed in v9.5.0", "Version 9.5.0", 1),
        ("what changed in 9.5.0", "[v9.5.0] - 2023-12-07", 1),
        ("what changed in 9.5.0", "9.5.0-beta.1", 0),
        ("what changed in 9.5.0-beta.1", "v9.5.0-beta.1", 1),
        ("what changed in 9.5", "9.5.0", 0.5),
        ("what changed in 9.5", "9.51.0", 0),
        ("what changed in 9.5.0", "V9.5.0", 1),
        ("what changed in 9.5.0", "From 9.4.1 to 9.5.0", 1),
        ("what changed in 5.0", "9.5.0", 0),
        ("Does 9.5.0 break the search?", "9.5.0", 0),
    ],
)
def test_a_section_titled_by_the_version_asked_for_has_the_signal_of_releases(
    question: str, title: str, value: float
) -> None:
    one = Candidate(Section.of([replace(chunk("changes/", "x", LONG, 0), title=title, page_kind="changelog")]))
    assert signals.release(asking(question, one), one) == value


def test_changes_of_a_version_are_before_a_section_that_is_called_changes() -> None:
    notes = Candidate(Section.of([replace(chunk("changes/", "2.1", LONG, 0), title="2.1", page_kind="changelog")]))
    making = Candidate(Section.of([replace(chunk("guide/", "", f"Making changes. {LONG}", 0), title="Changes")]))
    asked = asking("What changed in 2.1?", notes, making)
    assert [hit.anchor for hit in hits_of(score_sections(asked, [making, notes]), 10)] == ["2.1", ""]


def test_what_is_asked_next_is_most_often_beside_what_was_found() -> None:
    same, other = candidate("a/", "x"), candidate("b/", "y")
    asked = asking("And smaller?", same, other)
    after = replace(asked, plan=replace(asked.plan, topic=("demo", "b/")))
    assert places(hits_of(score_sections(asked, [other, same]), 10)) == ["a/#x", "b/#y"]
    assert places(hits_of(score_sections(after, [same, other]), 10)) == ["b/#y", "a/#x"]
