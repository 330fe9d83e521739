"""Which part of an excerpt is marked: the one that means what is asked, and not the one that repeats the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trueref_core.records import ChunkKind
from trueref_core.text.key_combinations import key_combinations
from trueref_server.answering.excerpts.marking import Similarities, marked
from trueref_server.answering.excerpts.relevance import Relevance
from trueref_server.corpus.corpus import Statistics
from trueref_server.corpus.words import content_words, stem
from trueref_server.question.plan import make_plan
from trueref_server.ranking.asked_identifier import AskedIdentifier
from trueref_server.ranking.part_similarity import part_similarities
from trueref_server.ranking.weighted_question import WeightedQuestion
from trueref_server.records import ExcerptBlock, Question


def asking(question: str, language: str = "en") -> Relevance:
    terms = {stem(word, language): 1.0 for word in content_words(question, language)}
    return Relevance(terms, (), language, question)


def by_meaning(question: Relevance) -> Similarities:
    return lambda parts: part_similarities(question.asked, question.language, parts)


def marked_text(blocks: list[ExcerptBlock], question: Relevance, similarities: Similarities | None) -> str:
    after = marked(blocks, question, similarities)
    found = [block.text[slice(*block.highlight)] for block in after if block.highlight]
    assert len(found) < 2, "one part decides"
    return found[0] if found else ""


@pytest.mark.parametrize(
    ("question", "repeats", "answers"),
    [
        (
            "How do I stop the messages on the screen?",
            "The screen shows the date.",
            "Set `quiet` to silence all output.",
        ),
        (
            "upload fails with an error for big images",
            "Errors are listed on another page.",
            "Raise `client_max_body_size` if large files are refused.",
        ),
        (
            "where do I put my pictures?",
            "Put the kiln outside.",
            "Images belong in the folder `assets`.",
        ),
    ],
)
def test_the_sentence_that_answers_is_marked_and_not_the_one_with_the_words_of_the_question(
    question: str, repeats: str, answers: str
) -> None:
    blocks = [ExcerptBlock("prose", f"{repeats} {answers}")]
    asked = asking(question)
    assert marked_text(blocks, asked, None) == repeats
    assert marked_text(blocks, asked, by_meaning(asked)) == answers


@pytest.mark.parametrize(
    ("kind", "text", "question", "expected"),
    [
        ("code", "server:\n  host: 0.0.0.0\n  port: 8080\n", "which port does it use?", "port: 8080"),
        ("list", "- It has three shelves.\n- The temperature is 1000 degrees.", "How hot does it get?", "The temperature is 1000 degrees."),
        (
            "table",
            "| Option | Meaning |\n| --- | --- |\n| `color` | The shade of the glaze. |\n| `quiet` | Print nothing. |",
            "make it say less",
            "| `quiet` | Print nothing. |",
        ),
    ],
)  # fmt: skip
def test_a_line_an_item_and_a_row_are_marked_by_what_they_mean(
    kind: ChunkKind, text: str, question: str, expected: str
) -> None:
    blocks, asked = [ExcerptBlock(kind, text)], asking(question)
    assert marked_text(blocks, asked, by_meaning(asked)) == expected


def test_a_part_far_down_is_compared_too() -> None:
    """The embedder would read 256 wordpieces only."""
    filler = "\n".join(f"- The bowl number {number} stands on the shelf beside the window." for number in range(60))
    blocks = [ExcerptBlock("list", f"{filler}\n- The server listens on port 8000.")]
    question = asking("server port")
    assert marked_text(blocks, question, by_meaning(question)) == "The server listens on port 8000."


def test_words_decide_in_a_language_that_the_embedder_does_not_know() -> None:
    blocks = [ExcerptBlock("prose", "Die Schale steht im Regal am Fenster. Der Server hört auf Port 8000.")]
    question = asking("Welcher Port?", "de")
    assert marked_text(blocks, question, by_meaning(question)) == marked_text(blocks, question, None)


def test_nothing_is_marked_where_no_part_can_be() -> None:
    blocks = [ExcerptBlock("prose", "Set the following:")]
    question = asking("What do I set?")
    assert marked(blocks, question, by_meaning(question)) == tuple(blocks)


@given(
    texts=st.lists(st.text(st.sampled_from("ab .\n-|`1:é日"), max_size=400), min_size=1, max_size=4),
    kind=st.sampled_from(["prose", "list", "table", "code", "admonition"]),
)
def test_a_mark_lies_in_its_block_and_nothing_else_changes(texts: list[str], kind: ChunkKind) -> None:
    blocks = [ExcerptBlock(kind, text) for text in texts]
    question = asking("Is a or b the best of them?")
    after = marked(blocks, question, by_meaning(question))
    assert [block.text for block in after] == texts
    for block in after:
        assert block.highlight is None or 0 <= block.highlight[0] < block.highlight[1] <= len(block.text)


def test_the_row_with_the_keys_that_are_asked_for_is_marked() -> None:
    rows = "| Keys | Meaning |\n| --- | --- |\n| `Ctrl`+`Z` | The kiln runs on and stops. |\n| `Ctrl`+`C` | Ends it. |"
    question = replace(asking("what runs and stops when I press ctrl-c"), keys=key_combinations("ctrl-c"))
    blocks = [ExcerptBlock("table", rows)]
    for similarities in (None, by_meaning(question)):
        assert marked_text(blocks, question, similarities) == "| `Ctrl`+`C` | Ends it. |"
    assert question.share(rows) > question.share(rows.replace("`C`", "`D`"))


@pytest.mark.parametrize(
    "beside",
    [
        "See the palette in the guide.",
        "Bases: `acme.PaletteOfColors`",
        "https://example.org/guide/#the-palette-of-colors",
        "<https://example.org/palette-of-colors-in-the-guide>",
    ],
)
def test_where_something_stands_and_what_it_is_derived_from_is_not_marked(beside: str) -> None:
    answers = "A palette is a set of colors."
    blocks = [ExcerptBlock("prose", beside), ExcerptBlock("prose", answers)]
    assert marked_text(blocks, asking("the palette of colors in the guide"), None) == answers


def test_a_sentence_with_an_address_is_marked() -> None:
    blocks = [ExcerptBlock("prose", "It has none. The palette of colors is at https://example.org/palette as a file.")]
    assert marked_text(blocks, asking("palette of colors"), None).startswith("The palette")


def test_what_an_entry_is_is_marked_and_not_a_parameter_that_repeats_its_name() -> None:
    blocks = [
        ExcerptBlock("definition", "Bases: `object`"),
        ExcerptBlock("definition", "Wraps work that can be stopped."),
        ExcerptBlock("list", "- shield - whether a cancel scope is safe from another cancel scope", "Parameters:"),
        ExcerptBlock("definition", "Error - if there is no cancel scope", "Raises:"),
    ]
    question = asking("what is a cancel scope")
    assert marked_text(blocks, question, None).startswith("shield")
    (shown,) = (block for block in marked(blocks, question, is_entry_asked=True) if block.highlight)
    assert shown.text == "Wraps work that can be stopped."
    # A note may repeat the name too.
    noted = [blocks[1], ExcerptBlock("admonition", "A cancel scope is none of these.", "Note")]
    assert marked(noted, question, is_entry_asked=True)[0].highlight
    # A section that begins with a term is no entry itself.
    terms = [
        ExcerptBlock("definition", "Stops a cancel scope.", "cancel"),
        ExcerptBlock("definition", "It takes none."),
    ]
    assert marked(terms, question, is_entry_asked=True)[0].highlight
    # A later sentence may say what it is, unless the first reads as in a dictionary.
    hot = "In more detail: the clay is fired there for hours."
    asked = replace(asking("what is a kiln"), unknown_word="kiln")
    for first, expected in [
        ("The current one.", "A kiln is a furnace for clay."),
        ("A box of bricks.", "A box of bricks."),
    ]:
        entry = [ExcerptBlock("definition", f"{first} {hot} A kiln is a furnace for clay.")]
        assert marked_as_entry(entry, asked) == expected
    # A short sentence says all, but not a word.
    assert marked_as_entry([ExcerptBlock("definition", f"The current one. {hot}")], asked) == "The current one."
    assert marked_as_entry([ExcerptBlock("definition", f"Hot. {hot}")], asked) == hot
    # An entry with nothing but fields has the mark there.
    assert any(block.highlight for block in marked(blocks[2:], question, is_entry_asked=True))


def marked_as_entry(blocks: Sequence[ExcerptBlock], question: Relevance) -> str:
    return next(
        block.text[slice(*block.highlight)]
        for block in marked(blocks, question, is_entry_asked=True)
        if block.highlight
    )


@pytest.mark.parametrize(
    ("signature", "is_left_out"),
    [
        ("load_glaze(\n    name: str,\n    *,\n    search: Sequence[str] | None = None,\n", True),
        ("load_glaze(*, name: Glaze, **kwargs: Any) -> None", True),
        ("load_glaze() -> Glaze", True),
        ("load_glaze(self, name) -> Glaze", True),
        ("load_glaze: Glaze = Glaze()", True),
        ("load_glaze: bool", True),
        ('load_glaze("celadon", search=["glazes"])', False),
        ("load_glaze(name: @glaze)", False),
        ("load_glaze: true", False),
    ],
)
def test_a_signature_is_not_marked_where_the_text_below_it_says_what_it_is(signature: str, is_left_out: bool) -> None:
    blocks = [ExcerptBlock("code", signature), ExcerptBlock("prose", "Read all colours from a package of the shop.")]
    assert marked_text(blocks, asking("load glaze colours"), None).startswith("load_glaze") != is_left_out
    # In another language it is none.
    settings = [ExcerptBlock("code", signature, code_language="yaml"), blocks[1]]
    assert marked_text(settings, asking("load glaze colours"), None).startswith("load_glaze")
    # Nothing else can be marked.
    assert marked_text(blocks[:1], asking("load glaze colours"), None)


TIMEOUTS = "- maxTimeout `number` - The most that a `timeout` may be. Default: 9\n- timeout `number` - After how long. Default: 4"
CODES = (
    "| Error | Code | Description |\n| --- | --- | --- |\n| `Timeout` | `E_TIMEOUT` | The socket closed after a time. |\n"
    "| `Socket` | `E_SOCKET` | There is an error. |"
)


@pytest.mark.parametrize(
    ("kind", "text", "name", "question", "expected"),
    [
        ("list", TIMEOUTS, "timeout", "timeout default", "timeout `number` - After how long. Default: 4"),
        (
            "table",
            CODES,
            "E_SOCKET",
            "E_SOCKET closed what does it mean",
            "| `Socket` | `E_SOCKET` | There is an error. |",
        ),
    ],
)
def test_the_item_or_row_of_the_name_that_is_asked_for_is_marked(
    kind: ChunkKind, text: str, name: str, question: str, expected: str
) -> None:
    blocks = [ExcerptBlock(kind, text)]
    asked = replace(asking(question), identifiers=(name.lower(),), names=(AskedIdentifier(name),))
    assert marked_text(blocks, asked, None) == expected
    assert marked_text(blocks, asked, by_meaning(asked)) == expected


def test_of_sentences_below_a_name_those_without_it_may_be_marked() -> None:
    text = "Whether to enable the kiln of the pottery. Notice that despite the value of `KILN_ON` it is cold."
    blocks = [ExcerptBlock("prose", text), ExcerptBlock("code", "KILN_ON = True")]
    asked = replace(asking("what does KILN_ON do"), identifiers=("kiln_on",), names=(AskedIdentifier("KILN_ON"),))

    def by_order(parts: Sequence[str]) -> list[float]:
        return [1 - 0.05 * at for at, _ in enumerate(parts)]

    assert marked_text(blocks, asked, by_order) == "Whether to enable the kiln of the pottery."


def test_the_answer_below_a_heading_that_is_the_question_is_marked() -> None:
    first = ExcerptBlock("prose", "Heat is used to glaze the bowls and to make them shine.")
    blocks = [first, ExcerptBlock("prose", "A coat of glass that is burnt.", "What is a glaze?")]
    asked = asking("what is a glaze")
    assert marked_text(blocks, asked, None) == "A coat of glass that is burnt."
    assert marked_text(blocks, asking("glaze"), None) == first.text


def test_the_sentence_that_says_what_a_thing_is_is_marked() -> None:
    blocks = [ExcerptBlock("prose", "Every kiln has a door. A kiln is a furnace for clay. The kiln is what a kiln is.")]
    asked = replace(asking("what is a kiln"), unknown_word="kiln")
    assert marked_text(blocks, asked, None) == "A kiln is a furnace for clay."


def test_below_its_title_the_first_sentence_may_say_what_a_thing_is_without_a_verb() -> None:
    blocks = [ExcerptBlock("prose", "A furnace in which clay is fired. The kiln has three kinds of settings.")]
    asked = replace(asking("what is a kiln"), unknown_word="kiln")
    assert marked_text(blocks, asked, None) == "The kiln has three kinds of settings."
    assert marked_text(blocks, replace(asked, is_title_asked=True), None) == "A furnace in which clay is fired."
    blocks = [ExcerptBlock("prose", "This part is about heat. The kiln has three kinds of settings.")]
    assert marked_text(blocks, replace(asked, is_title_asked=True), None) == "The kiln has three kinds of settings."


def test_an_item_about_one_of_the_compared_things_is_marked() -> None:
    states = (
        "- regular kiln, which is the state of most kilns\n- drained kiln, which gets no new pots\n- off, for repairs"
    )
    asked = asking("difference between drained and off kilns")
    blocks = [ExcerptBlock("list", states)]

    def similar(parts: Sequence[str]) -> list[float]:
        return [0.9 if part.startswith("regular") else 0.5 for part in parts]

    assert marked_text(blocks, asked, similar).startswith("regular kiln")
    compared = replace(asked, compared=("drained", "off kilns"))
    assert marked_text(blocks, compared, similar).startswith("drained kiln")


def test_what_is_asked_for_and_compared_is_taken_from_the_plan() -> None:
    def relevance(text: str) -> Relevance:
        return Relevance.of(WeightedQuestion(make_plan(Question(text), "en"), Statistics(sections=10)))

    assert relevance("difference between drained and off kilns").names_compared("The drained kiln is hot.")
    assert not relevance("difference between drained and off kilns").names_compared("The regular kiln is hot.")
    assert relevance("what is a kiln").is_defined_in("A kiln is a furnace.")
    assert not relevance("how hot is a kiln").is_defined_in("A kiln is a furnace.")
