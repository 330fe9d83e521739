"""Which passage answers: those of the best sections compete, and some things speak against one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scripts.measure_answers import counted_runs
from tests.server.competing import asked, first, found
from tests.sharing import bundled_embedder

from trueref_server.answering.candidates import PassageCandidate, SectionPassages
from trueref_server.answering.choice import COMPETING, MAX_COMPARED, candidates_of, choose
from trueref_server.answering.passage_comparison import PassageComparison
from trueref_server.answering.sections.passage import Panel, Passage
from trueref_server.corpus.corpus import Statistics
from trueref_server.ranking.late_interaction import LateInteraction
from trueref_server.ranking.weighted_question import WeightedQuestion
from trueref_server.records import ExcerptBlock

if TYPE_CHECKING:
    from numpy.typing import NDArray


def test_the_passage_with_the_words_of_the_question_is_taken() -> None:
    # So long that a screen has room for one of them.
    filler = " And so on." * 50
    texts = (f"{text}{filler}" for text in ("Colors.", "The palette toggle switches dark mode.", "Fonts."))
    section = found(1, *texts)
    assert first("How do I switch on dark mode with a toggle?", section)[1].startswith("The palette")


@pytest.mark.parametrize("near", [0.5, 0.0])
def test_a_section_that_has_nothing_but_parameters_still_answers(near: float) -> None:
    """Two functions of one name: the question names nothing besides them, and each section has a list of parameters."""
    sections = [found(number, "host: Where.", "port: Which.", score=near) for number in (1, 2)]
    parameters = [
        replace(
            section,
            hit=replace(section.hit, chunks=(replace(section.hit.chunk, title="connect"),)),
            passages=[replace(passage, is_parameter=True) for passage in section.passages],
        )
        for section in sections
    ]
    assert len(choose(asked("What does the connect function do?"), parameters)) == 2


def test_a_question_that_consists_of_the_title_gets_the_beginning_of_the_section() -> None:
    filler = " And so on." * 50
    texts = ("A resource is set up before a test.", "A fixture is a fixture: fixtures request fixtures.")
    section = found(1, *(f"{text}{filler}" for text in texts))
    titled = replace(section, hit=replace(section.hit, chunks=(replace(section.hit.chunk, title="Fixtures"),)))
    assert first("What is a fixture?", titled)[1].startswith("A resource")
    longer = replace(
        section, hit=replace(section.hit, chunks=(replace(section.hit.chunk, title="Fixtures and hooks"),))
    )
    assert first("What is a fixture?", longer)[1].startswith("A fixture")
    assert first("Do fixtures request fixtures?", titled)[1].startswith("A fixture")
    # A question that names the section by its page as well.
    of_page = replace(
        section,
        hit=replace(section.hit, chunks=(replace(section.hit.chunk, title="Options", breadcrumb=("Fixtures",)),)),
    )
    assert first("Fixtures options", of_page)[1].startswith("A resource")
    # A file behind a preposition is where it is written.
    assert first("Which fixtures can I use in conftest.py?", titled)[1].startswith("A resource")
    assert first("Do fixtures request conftest.py?", titled)[1].startswith("A fixture")
    # What says what a function does may come after its fields.
    after_fields = replace(titled, passages=[replace(titled.passages[0], entry="d1.1"), *titled.passages[1:]])
    assert first("What is a fixture?", after_fields)[1].startswith("A fixture")


def test_an_option_gets_the_beginning_of_its_entry_by_any_of_its_names() -> None:
    filler = " And so on." * 50
    section = found(1, f"Writes a copy of the log.{filler}", f"With `--output` and no name, `--output` asks.{filler}")
    chunks = (replace(section.hit.chunk, title="-o FILE, --output FILE"),)
    entry = replace(section, hit=replace(section.hit, chunks=chunks, signal_values={"named": 1.0}))
    assert first("what does --output do", entry)[1].startswith("Writes")
    assert first("what does --output do without a name", entry)[1].startswith("With")


def test_the_name_of_what_the_docs_are_about_is_no_part_of_a_title() -> None:
    filler = " And so on." * 50
    section = found(1, f"A resource is set up before a test.{filler}", f"A fixture in kiln fixes fixtures.{filler}")
    titled = replace(section, hit=replace(section.hit, chunks=(replace(section.hit.chunk, title="Fixtures in kiln"),)))
    about_kiln = replace(
        asked("What is a fixture?"), statistics=Statistics(subjects={"demo": frozenset({"kiln"})}, sections=2)
    )
    assert choose(about_kiln, [titled])[0].candidate.text.startswith("A resource")
    assert choose(asked("What is a fixture?"), [titled])[0].candidate.text.startswith("A fixture")


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("What is a function?", "Functions"),  # nothing but a word for an object
        ("What is a class method?", "Class methods"),
        ("Python 3", "Python 3"),
        ("fixtures", "3. Fixtures"),
        ("PageNotFound", "PageNotFound"),
        ("What is LooseGlaze?", "Loose glazes"),  # the words of a name in code
        ("KF046", "KF046 - Shelf order"),  # the code of a rule before its name
        ("What is KF046?", "KF046: shelf order"),
        ("What does readCsv do?", "readCsv(path)"),
        ("What is pkg connect?", "static async pkg.connect"),
        ("What is pop?", "list.pop"),
    ],
)
def test_a_title_of_unusual_words_is_the_question_too(question: str, title: str) -> None:
    word = question.rstrip("?").split()[-1]
    section = found(1, "Open a terminal and go to your own folder first.", f"{word} {word}. {'And so on. ' * 90}")
    titled = replace(section, hit=replace(section.hit, chunks=(replace(section.hit.chunk, title=title),)))
    assert first(question, titled)[1].startswith("Open a terminal")


@pytest.mark.parametrize("title", ["connect()", "function connect(host, port)", "pkg.Client.connect(host)"])
def test_the_last_part_of_a_dotted_name_is_the_name(title: str) -> None:
    section = found(
        1, "Opens the line to a server and waits for it.", f"To connect, connect again. {'And so on. ' * 90}"
    )
    named = replace(section, hit=replace(section.hit, chunks=(replace(section.hit.chunk, title=title),)))
    assert first("what does connect do?", named)[1].startswith("Opens")


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("What is pip?", "Install the package with pip."),
        ("What is toml?", "pyproject.toml"),
        ("install", "Where to install next..."),
        ("js", "Deploying to Node.js"),
        ("What is LooseGlaze?", "Loose"),
        ("What is KF046?", "KF046 shelves"),
        ("What is looseglaze?", "Loose glaze"),  # one word for the reader, who wrote no capital in it
        ("what is django", "Django 2.0"),
        ("what is a class", "(Optional) Configure the class"),
        ("Do fixtures request fixtures?", "Fixtures"),
    ],
)
def test_a_title_with_other_words_is_not_the_question(question: str, title: str) -> None:
    word = question.rstrip("?").split()[-1]
    section = found(1, "Open a terminal and go to your own folder first.", f"{word} {word}. {'And so on. ' * 90}")
    titled = replace(section, hit=replace(section.hit, chunks=(replace(section.hit.chunk, title=title),)))
    assert first(question, titled)[1].startswith(word)


@pytest.mark.parametrize(
    "opening", ["See the page about test data for all of it.", "Deprecated: do no longer use this."]
)
def test_a_beginning_that_points_elsewhere_or_is_given_up_is_passed_over(opening: str) -> None:
    section = found(1, opening + " And so on." * 90, f"A fixture is set up before a test. {'And so on. ' * 90}")
    pointing = replace(
        section, passages=[replace(section.passages[0], blocks=(ExcerptBlock("prose", opening),)), section.passages[1]]
    )
    titled = replace(pointing, hit=replace(section.hit, chunks=(replace(section.hit.chunk, title="Fixtures"),)))
    assert first("What is a fixture?", titled)[1].startswith("A fixture")


def test_keywords_get_the_section_of_this_title() -> None:
    other = found(1, "How a message is sent again is said by a policy of the message.")
    titled = found(2, "A mapping that says how often a policy sends a message again.", score=0.95)
    assert first("retry policy", other, titled)[0] == "s1"
    titled = replace(titled, hit=replace(titled.hit, signal_values={"named": 1.0}))
    assert first("retry policy", other, titled)[0] == "s2"


def test_a_type_alone_is_no_beginning() -> None:
    texts = ("boolean", "Shows the place of an error in its line.", f"The columns: columns. {'And so on. ' * 90}")
    section = found(1, *texts)
    titled = replace(section, hit=replace(section.hit, chunks=(replace(section.hit.chunk, title="columns"),)))
    # What is shown of an entry of a list ends with the entry.
    entry = replace(section.passages[0], entry="d1.1")
    typed = replace(titled, passages=[entry, *section.passages[1:]])
    assert first("what are columns?", typed)[1].startswith("Shows")


def test_a_passage_of_a_section_behind_may_answer_better() -> None:
    weak, strong = found(1, "Colors make a site."), found(2, "The palette toggle switches dark mode.", score=0.98)
    assert first("switch dark mode by a toggle", weak, strong)[0] == "s2"


def test_without_vectors_the_order_of_the_sections_stays() -> None:
    weak, strong = found(1, "Colors make a site.", score=-1.0), found(2, "The toggle switches dark mode.", score=-0.98)
    assert first("switch dark mode by a toggle", weak, strong)[0] == "s1"


def test_one_choice_a_section_and_sections_behind_follow_in_their_order() -> None:
    sections = [found(number, f"Text {number}.", score=1 - number / 10) for number in range(6)]
    chosen = choose(asked("text"), sections)
    assert [choice.candidate.section.hit.anchor for choice in chosen[COMPETING:]] == ["s3", "s4", "s5"]
    assert len({choice.candidate.section.hit.anchor for choice in chosen}) == 6


def test_a_passage_far_behind_is_not_read() -> None:
    texts = ("The toggle switches dark mode.", "The palette switches dark mode by a toggle.", "Fonts are in the theme.")
    best, next_to_it, far = (found(number, text) for number, text in enumerate(texts))
    question = asked("switch dark mode by a toggle")
    comparison = PassageComparison(LateInteraction(bundled_embedder()), {})
    with counted_runs() as read:
        choose(question, [best, next_to_it, far], comparison)
    # The question and two passages, each under its headings.
    assert len(read) == 3


def test_change_logs_lose_unless_changes_are_asked_for() -> None:
    log = found(1, "The palette toggle was added.", page_kind="changelog")
    guide = found(2, "The palette has a toggle.")
    assert first("palette toggle", log, guide)[0] == "s2"
    assert first("Which release added the palette toggle? See the changelog", log, guide)[0] == "s1"


@pytest.mark.parametrize("titles", [("Updates", "0.4.1 (2011-05-22)"), ("Updates", "0.4.1 (2011-05-22)", "Fixed")])
def test_notes_of_a_dated_release_lose_on_any_page(titles: tuple[str, ...]) -> None:
    log, guide = found(1, "The palette toggle was added."), found(2, "The palette has a toggle.")
    own = replace(log.hit.chunk, title=titles[-1], breadcrumb=titles[:-1])
    dated = replace(log, hit=replace(log.hit, chunks=(own,)))
    assert first("palette toggle", log, guide)[0] == "s1"
    assert first("palette toggle", dated, guide)[0] == "s2"
    assert first("Which release added the palette toggle?", dated, guide)[0] == "s1"


@pytest.mark.parametrize(("items", "is_found"), [(100, True), (12, False)])
def test_what_points_back_competes_where_it_is_longer_than_a_screen_anyway(items: int, is_found: bool) -> None:
    # With little room, the passage before it is not shown either, and what it points to is missing.
    options = "These also have options. " + "It has one more option. " * items + "The palette toggle is one."
    section = found(1, "Colors are names. " * 50, options)
    assert first("palette toggle", section)[1].startswith("These") is is_found


def test_ways_that_are_given_up_lose() -> None:
    old, new = "The palette is set by `color`, which is deprecated.", "The palette is set by `scheme` in the theme."
    assert first("How is the palette set?", found(1, old), found(2, new))[0] == "s2"


def test_what_only_points_elsewhere_loses_to_what_says_it() -> None:
    question = "Why is there a deadlock in the palette?"
    points = found(1, "Answer: See Why is there a deadlock in the palette?. Thanks to a reader.")
    says = found(2, "Two colors of the palette wait for one another. See the log for which.", score=0.9)
    assert first(question, points, says)[0] == "s2"
    # A sentence that begins with the word and goes on to say something is none.
    long = found(1, f"See why there is a deadlock in the palette: {'one color waits for the other, ' * 6}.")
    assert first(question, long, says)[0] == "s1"


IMAGE, ICON = (
    "Set the logo to an image in the folder.",
    "Set the logo to an icon of the theme, such as a book or a library.",
)


def test_what_a_section_about_something_deprecated_says_loses() -> None:
    def old(first: str, title: str = "Colors") -> SectionPassages:
        section = found(1, f"{first} since 14.{' It was kept.' * 60}", "The palette is set by `color`.")
        chunks = (replace(section.hit.chunk, title=title),)
        return replace(section, hit=replace(section.hit, chunks=chunks))

    new = found(2, "The palette is set by `scheme` in the theme.", score=0.9)
    for section, chosen in (
        (old("Warning: Kept"), "s1"),
        (old("Warning: Deprecated"), "s2"),
        (old("This name is deprecated"), "s2"),
        (old("Warning: Kept", "Deprecated names"), "s2"),
    ):
        assert first("How is the palette set?", section, new)[0] == chosen


class MadeReader(LateInteraction):
    """Says how similar passages are to any question, by their first words, and keeps what it was asked."""

    def __init__(self, **similarity: float) -> None:
        super().__init__(bundled_embedder())
        self.similarity = similarity
        self.read: list[str] = []

    def max_sim(self, question: WeightedQuestion, texts: Sequence[str | NDArray[np.uint8]]) -> list[float] | None:
        first_words = [text.split("\n")[-1].split()[0] for text in texts if isinstance(text, str)]
        self.read += first_words
        return [self.similarity[word] for word in first_words]


def compared(similarity: Mapping[str, float]) -> PassageComparison:
    """Compares as an index with the wordpieces of all passages does, and says how similar they are by their words."""

    class OfIndex(PassageComparison):
        def comparable(self, candidate: PassageCandidate) -> NDArray[np.uint8]:
            return np.frombuffer(candidate.text.split()[0].encode(), np.uint8)

    class Similar(LateInteraction):
        def max_sim(self, question: WeightedQuestion, texts: Sequence[str | NDArray[np.uint8]]) -> list[float]:
            return [similarity.get(bytes(text).decode(), 0.0) for text in texts if not isinstance(text, str)]

    return OfIndex(Similar(bundled_embedder()), {})


def test_as_many_passages_are_compared_as_the_index_has_at_once() -> None:
    section = found(1, *(f"Kiln{number} takes a logo.{' And so on.' * 50}" for number in range(MAX_COMPARED + 2)))
    question = asked("How do I add a logo?")
    for wanted, is_chosen in ((MAX_COMPARED - 1, True), (MAX_COMPARED, False)):
        (choice,) = choose(question, [section], compared({f"Kiln{wanted}": 0.9}))
        assert (choice.candidate.number == wanted) is is_chosen


def test_the_first_card_is_of_the_first_sections_and_the_others_of_all() -> None:
    sections = [found(number, f"Kiln{number} takes a logo.", score=1 - number / 100) for number in range(5)]
    similarity = {"Kiln4": 0.9, "Kiln2": 0.8, "Kiln3": 0.7, "Kiln0": 0.2, "Kiln1": 0.1}
    chosen = choose(asked("How do I add a logo?"), sections, compared(similarity))
    assert [choice.candidate.section.hit.anchor for choice in chosen] == ["s2", "s4", "s3", "s0", "s1"]
    # What cannot be compared follows in the order of the sections that compete.
    plain = choose(asked("How do I add a logo?"), sections)
    assert [choice.candidate.section.hit.anchor for choice in plain] == ["s0", "s1", "s2", "s3", "s4"]


@pytest.mark.parametrize(("javascript", "shown"), [(0.7, "TypeScript"), (0.72, "TypeScript"), (0.8, "JavaScript")])
def test_the_first_of_two_alike_tabs_is_read_before_another_and_compared_with_it(javascript: float, shown: str) -> None:
    # All are as good before they are read, so that by their order the first panel would be no passage that is read.
    labels = {"JavaScript": "2", "Bundle": "", "Folder": "", "TypeScript": "1"}
    section = found(1, *(f"{label} takes a logo.{' And so on.' * 50}" for label in labels))
    passages = [
        replace(passage, panels=(Panel("t1", number, label),) if number else ())
        for passage, (label, number) in zip(section.passages, labels.items(), strict=True)
    ]
    reader = MadeReader(JavaScript=javascript, TypeScript=0.7, Bundle=0.3, Folder=0.3)
    (chosen,) = choose(
        asked("How do I add a logo?"), [replace(section, passages=passages)], PassageComparison(reader, {})
    )
    assert chosen.candidate.text.startswith(shown)
    # It is as similar as it was read, and no more are read than without tabs.
    assert chosen.candidate.max_sim == reader.similarity[shown]
    assert reader.read == ["TypeScript", "JavaScript", "Bundle"]


@pytest.mark.parametrize(
    ("question", "labels", "shown"),
    [
        ("How do I add a logo?", ("PNG", "Icon"), IMAGE),
        ("How do I take a book as a logo?", ("PNG", "Icon"), ICON),  # it says more
        ("How do I add a logo from Bundle?", ("PNG", "Bundle"), ICON),  # it is named
        ("How do I add a logo without a PNG?", ("PNG", "Icon"), ICON),  # the first is excluded
    ],
)
def test_the_first_of_variants_in_tabs_is_taken_if_no_other_says_more(
    question: str, labels: tuple[str, str], shown: str
) -> None:
    section = found(1, IMAGE, ICON)
    in_tabs = [
        replace(passage, panels=(Panel("t1", str(number), label),))
        for number, (passage, label) in enumerate(zip(section.passages, labels, strict=True), 1)
    ]
    assert first(question, replace(section, passages=in_tabs))[1] == shown


@pytest.mark.parametrize(("labels", "shown"), [(("PNG", "Icon"), IMAGE), (("site.yml", "icons/logo.md"), ICON)])
def test_the_first_of_files_in_tabs_is_not_taken_for_being_first(labels: tuple[str, str], shown: str) -> None:
    # So long that a screen has room for one of them.
    section = found(1, *(f"{text} {'And so on. ' * 90}" for text in (IMAGE, ICON)))
    in_tabs = [
        replace(passage, panels=(Panel("t1", str(number), label),))
        for number, (passage, label) in enumerate(zip(section.passages, labels, strict=True), 1)
    ]
    assert first("How do I add a logo?", replace(section, passages=in_tabs))[1].startswith(shown)


@pytest.mark.parametrize(
    ("question", "shown"), [("How do I add a logo?", IMAGE), ("How do I add a logo from Bundle?", ICON)]
)
def test_the_first_of_variants_in_tabs_in_a_panel_is_taken_unless_another_is_named(question: str, shown: str) -> None:
    section = found(1, IMAGE, ICON)
    panels = (Panel("t2", "1", "PNG"), Panel("t2", "2", "Bundle"))
    in_tabs = [
        replace(passage, panels=(Panel("t1", "1", "Logo"), panel))
        for passage, panel in zip(section.passages, panels, strict=True)
    ]
    assert first(question, replace(section, passages=in_tabs))[1] == shown


def test_sections_without_passages_are_passed_over() -> None:
    empty = replace(found(1, "x"), passages=[])
    assert choose(asked("text"), [empty]) == []
    assert first("text", empty, found(2, "Text."))[0] == "s2"


def test_what_leans_on_more_than_a_screen_holds_is_not_taken() -> None:
    section = found(1, "Colors. " * 150, "It is switched by the palette toggle. " * 20, "Fonts.")
    assert [candidate.number for candidate in candidates_of(asked("palette"), section, section)] == [0, 2]


def test_a_long_table_competes_by_the_row_that_is_asked_for() -> None:
    head = "| Option | Meaning |\n| --- | --- |"
    rows = [f"| `o{n}` | does thing number {n} |" for n in range(60)]
    table = Passage("table", (ExcerptBlock("table", "\n".join([head, *rows])),))
    section = replace(found(1, "x"), passages=[table])
    (candidate,) = candidates_of(asked("What does o41 do?"), section, section)
    assert candidate.text == candidate.shown == f"{head}\n{rows[41]}"
