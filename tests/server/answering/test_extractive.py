from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from tests.server.handmade import chunk, marks, publish_demo
from tests.server.shapes import misshapen

from trueref_core.generations.served_generation import open_index, read_manifest
from trueref_core.text.block_marks import BlockMark, write_mark
from trueref_server.answering.extractive import answer_extractively
from trueref_server.answering.sections.section_blocks import is_furniture
from trueref_server.corpus.corpus import Corpus, Statistics
from trueref_server.question.plan import make_plan
from trueref_server.question.scope import Scopes
from trueref_server.ranking.weighted_question import WeightedQuestion
from trueref_server.records import Draft, Hit, Question
from trueref_server.search.search import SearchIndex, search_plan
from trueref_server.service import Service
from trueref_server.settings import Settings
from trueref_server.wording import sentences

SAID = sentences("en")


def ask(tmp_path: Path, question: Question | str, **extra: dict[str, str]) -> Draft:
    async def answer() -> Draft:
        index = await open_index(tmp_path)
        corpus = await Corpus.of(index)
        asked = Question(question) if isinstance(question, str) else question
        ready = SearchIndex(index, corpus, Scopes(index.manifest), None)
        found = await search_plan(ready, make_plan(asked, "en", corpus.statistics))
        await index.close()
        return answer_extractively(found.question, found.hits, index.manifest)[0]

    publish_demo(tmp_path, extra)
    return asyncio.run(answer())


def test_an_answer_is_verbatim_and_cites_its_sources(tmp_path: Path) -> None:
    draft = ask(tmp_path, "How do I switch on dark mode?")
    assert draft.verdict == "answer"
    assert draft.text.startswith("Dark mode is switched on with the palette toggle.")
    assert draft.sources[0].href == "setup/colors/#dark-mode"
    assert draft.sources[0].url == "https://docs.example.org/demo/setup/colors/#dark-mode"
    assert draft.citations == tuple(source.n for source in draft.sources)
    assert all(f"[{n}]" in draft.text for n in draft.citations)
    assert draft.sources[0].quote in "Dark mode is switched on with the palette toggle."


def test_an_anchor_in_another_script_is_encoded_in_its_href(tmp_path: Path) -> None:
    draft = ask(tmp_path, "size of the image in megabytes")
    assert draft.sources[0].href == "install/#gr%C3%B6%C3%9Fe"


def test_what_is_not_in_the_docs_is_said_with_the_missing_words(tmp_path: Path) -> None:
    draft = ask(tmp_path, "permits of the coast guard for helicopters that land in Norway at night")
    assert draft.verdict == "not-found"
    assert draft.text.startswith(SAID["not_found"])
    assert "helicopters" in draft.text
    assert draft.citations == ()


def test_a_word_that_would_fill_the_screen_is_not_named_as_missing(tmp_path: Path) -> None:
    draft = ask(tmp_path, f"helicopters {'x' * 1900}")
    assert draft.text == f"{SAID['not_found']} {SAID['missing_words'].format(words='helicopters')}"
    assert ask(tmp_path / "alone", "x" * 1900).text == SAID["not_found"]


def test_half_an_answer_is_called_the_closest(tmp_path: Path) -> None:
    draft = ask(tmp_path, "dark mode helicopter toggle permits")
    assert draft.verdict == "closest"
    assert draft.text.startswith(SAID["closest"])
    assert "[1]" in draft.text


def test_a_script_without_spaces_is_found_and_answered(tmp_path: Path) -> None:
    page = {"": "安装只需要一条命令。", "代理": "配置代理服务器时,请设置环境变量。"}
    draft = ask(tmp_path, "如何配置代理服务器?", **{"zh/": page})
    assert (draft.verdict, draft.sources[0].page) == ("answer", "zh/")
    assert draft.text.startswith("配置代理服务器时")


def test_a_question_of_nothing_finds_nothing(tmp_path: Path) -> None:
    draft = ask(tmp_path, "?!")
    assert (draft.verdict, draft.sources, draft.text) == ("not-found", (), SAID["not_asked"])


def test_up_to_five_sources_the_best_first_and_none_that_says_the_same_again(tmp_path: Path) -> None:
    kettle = "The kettle is descaled with {}, and takes a night of rest before it is used again by the cook."
    cleaners = ("vinegar", "lemon", "citric acid", "a cleaner of the shop", "a tablet", "wine", "a prayer")
    page = {f"way-{number}": kettle.format(cleaner) for number, cleaner in enumerate(cleaners)}
    draft = ask(
        tmp_path,
        "How is the kettle descaled before it is used again by the cook, with citric acid?",
        **{"descale/": page},
    )
    assert [source.n for source in (*draft.sources, *draft.more)] == [1, 2, 3, 4, 5, 6]
    assert [card.n for card in draft.excerpts] == [1, 2, 3]
    assert draft.sources[0].anchor == "way-2"
    assert len({source.anchor for source in (*draft.sources, *draft.more)}) == 6
    assert draft.citations == (1,)


def test_a_section_of_furniture_alone_is_not_listed(tmp_path: Path) -> None:
    bar = replace(
        chunk("descale/", "", "Next: Kettles, Up: Kitchen", 0), blocks=(write_mark(BlockMark(0, "furniture", "prose")),)
    )
    text = chunk("descale/", "kettle", "The kettle is descaled.", 1)
    assert is_furniture([bar])
    assert not is_furniture([bar, text])
    assert not is_furniture([text])
    publish_demo(tmp_path, {"descale/": {"": bar.text, "kettle": text.text}})
    question = WeightedQuestion(make_plan(Question("How is the kettle descaled?"), "en"), Statistics(sections=10))
    hits = [Hit("demo", "descale/", each.anchor, 1.0, (each,)) for each in (text, bar)]
    draft, _ = answer_extractively(question, hits, read_manifest(tmp_path))
    assert [source.anchor for source in (*draft.sources, *draft.more)] == ["kettle"]


def test_a_card_that_begins_with_what_an_earlier_one_shows_gives_way_to_the_next_section(tmp_path: Path) -> None:
    same = "The kettle is descaled with citric acid before it is used again by the cook."
    page = {"first": f"{same} It takes a night.", "second": f"It is cold. {same}", "third": f"{same} Repeat it."}
    page |= {"fourth": "Citric acid also descales the kettle of the guests.", "fifth": "The cook owns a kettle."}
    draft = ask(tmp_path, "How is the kettle descaled with citric acid by the cook?", **{"descale/": page})
    texts = ["\n".join(block.text for block in card.blocks) for card in draft.excerpts]
    assert len(texts) == 3
    assert sum(text.startswith(same) for text in texts) == 1
    assert len({source.anchor for source in (*draft.sources, *draft.more)}) == len([*draft.sources, *draft.more])


def test_the_answers_to_two_questions_may_begin_alike(tmp_path: Path) -> None:
    same = "Before you begin, switch the device off and unplug its cable from the wall."
    page = {
        "roast": f"{same} Roast the kettle beans for an hour.",
        "descale": f"{same} Descale the machine with vinegar.",
    }
    question = "How do I roast the kettle beans? How do I descale the machine with vinegar?"
    publish_demo(tmp_path, {"machine/": page})
    service = Service(Settings(index=tmp_path))
    draft = asyncio.run(service.ask_whole(Question(question)))
    assert "beans for an hour" in draft.text
    assert "machine with vinegar" in draft.text
    assert draft.citations == (1, 2)


def test_the_caption_of_a_list_is_an_item_without_its_mark(tmp_path: Path) -> None:
    """The heading has the words of the question, and no item has: the first item is the caption."""
    items = replace(chunk("setup/colors/", "dark-mode", "- Red\n- Green", 1), kind="list", blocks=marks("", "list"))
    publish_demo(tmp_path)
    question = WeightedQuestion(make_plan(Question("dark mode"), "en"), Statistics(sections=10))
    hit = Hit("demo", "setup/colors/", "dark-mode", 1.0, (items,))
    draft, _ = answer_extractively(question, [hit], read_manifest(tmp_path))
    assert draft.excerpts[0].caption == "Red"


@pytest.mark.parametrize("asked", ["palette toggle", "meaning"], ids=["in a row", "in the header"])
def test_the_caption_of_a_table_is_a_row_with_the_bars_of_its_code(asked: str, tmp_path: Path) -> None:
    """A bar inside code is part of a cell, and the backslash before a bar of the text is not shown."""
    rows = "| Pipe | Meaning |\n| --- | --- |\n| `sort | uniq` | counts \\| sorts the palette toggle |"
    table = replace(chunk("setup/colors/", "dark-mode", rows, 1), kind="table", blocks=marks(rows, "table"))
    publish_demo(tmp_path)
    question = WeightedQuestion(make_plan(Question(asked), "en"), Statistics(sections=10))
    hit = Hit("demo", "setup/colors/", "dark-mode", 1.0, (table,))
    draft, _ = answer_extractively(question, [hit], read_manifest(tmp_path))
    assert draft.excerpts[0].caption == "`sort | uniq` – counts | sorts the palette toggle"
    assert draft.sources[0].quote == ("counts | sorts the palette toggle" if asked == "palette toggle" else "")


@pytest.mark.parametrize(
    ("lead_in", "caption"),
    [
        ("Readers see the palette in the dark. Add these lines:", "Readers see the palette in the dark."),
        ("", "palette_toggle: true"),
        ("See Colors.", "palette_toggle: true"),
    ],
    ids=["after a paragraph", "alone", "after a line that points elsewhere"],
)
def test_a_line_of_code_that_decides_stands_for_its_card_only_where_no_sentence_does(
    lead_in: str, caption: str, tmp_path: Path
) -> None:
    code = "theme: dark\npalette_toggle: true"
    text = "\n\n".join(filter(None, (lead_in, code)))
    begins = [write_mark(BlockMark(text.index(code), "text", "code"))]
    if lead_in:
        begins.insert(0, write_mark(BlockMark(0, "text", "prose")))
    section = (replace(chunk("setup/colors/", "dark-mode", text, 1), blocks=tuple(begins)),)
    publish_demo(tmp_path)
    question = WeightedQuestion(make_plan(Question("palette_toggle"), "en"), Statistics(sections=10))
    hit = Hit("demo", "setup/colors/", "dark-mode", 1.0, section)
    draft, _ = answer_extractively(question, [hit], read_manifest(tmp_path))
    assert draft.excerpts[0].caption == caption


def test_the_check_of_shapes_sees_what_is_wrong() -> None:
    def faults(*texts: str, kind: str = "prose") -> list[str]:
        blocks = [{"kind": kind, "text": text} for text in texts]
        return misshapen({"excerpts": [{"n": 1, "blocks": blocks}]})

    line = "This line is so long that nobody would say it twice."
    assert faults("Text.") == faults(line, "It is set:", "a: 1") == []
    assert (
        len(faults(""))
        == len(faults("Text.", "See:"))
        == len(faults("Alone:"))
        == len(faults("Source code in `a.py`"))
        == 1
    )
    assert faults(line, line) == [f"card 1 says twice: {line!r}"]
    assert (
        len(faults("It can also be set there."))
        == len(faults("Install it.", "Click on the tile to set the color of it:", line))
        == 1
    )


def test_the_check_of_shapes_sees_a_label_and_what_two_cards_say() -> None:
    def faults(*cards: list[tuple[str, str]]) -> list[str]:
        made = [
            {"n": n, "blocks": [{"kind": kind, "text": text} for kind, text in card]} for n, card in enumerate(cards)
        ]
        return misshapen({"excerpts": made})

    line = "This line is so long that nobody would say it twice."
    assert faults([("prose", "pip"), ("code", "pip install it")]) == ["card 0 shows the label of a tab: 'pip'"]
    assert faults([("prose", "Use pip:"), ("code", "pip install it")]) == []
    assert faults([("prose", f"A. {line}")], [("prose", line)]) == [f"card 1 begins as an earlier one says: {line!r}"]
    assert faults([("prose", line)], [("prose", f"Otherwise. {line}")]) == []
    assert faults([("prose", line)], [("prose", "Other."), ("list", f"- {line}")]) == [
        f"card 1 says what an earlier one says: {line!r}"
    ]


def test_the_check_of_shapes_sees_a_term_that_is_said_twice() -> None:
    term = "a term that is so long that it is a whole sentence"
    blocks = [{"kind": "definition", "text": text, "caption": term} for text in ("One.", "Two.")]
    assert misshapen({"excerpts": [{"n": 1, "blocks": blocks}]}) == [f"card 1 says its term twice: {term!r}"]


def card_of(text: str, anchor: str, score: float) -> Hit:
    """A section of paragraphs as a search finds it."""
    own = replace(chunk("setup/colors/", anchor, text, 1), blocks=marks(text))
    return Hit("demo", "setup/colors/", anchor, score, (own,))


def test_a_folded_card_leaves_out_what_an_earlier_one_shows(tmp_path: Path) -> None:
    publish_demo(tmp_path)
    note = "Restart the server behind it, or the palette stays as it was before."
    found = [
        card_of(f"The palette toggle switches the colors of the site.\n\n{note}", "dark-mode", 1.0),
        card_of(f"Custom colors of the palette are set in a style sheet.\n\n{note}", "custom-colors", 0.9),
    ]
    question = WeightedQuestion(make_plan(Question("palette colors"), "en"), Statistics(sections=10))
    draft, _ = answer_extractively(question, found, read_manifest(tmp_path))
    shown = [[block.text for block in card.blocks] for card in draft.excerpts]
    assert shown == [
        ["The palette toggle switches the colors of the site.", note],
        ["Custom colors of the palette are set in a style sheet."],
    ]


def test_a_folded_card_that_shows_nothing_but_its_title_gives_way_to_the_next_section(tmp_path: Path) -> None:
    publish_demo(tmp_path)
    found = [
        card_of("The palette toggle switches the colors of the site.", "dark-mode", 1.0),
        card_of("custom_palette", "custom-colors", 0.9),
        card_of("Colors of the palette may be mixed.", "colors", 0.8),
    ]
    named = replace(found[1].chunk, title="`custom_palette`")
    found[1] = replace(found[1], chunks=(named,))
    question = WeightedQuestion(make_plan(Question("palette colors"), "en"), Statistics(sections=10))
    draft, _ = answer_extractively(question, found, read_manifest(tmp_path))
    assert [source.anchor for source in draft.sources] == ["dark-mode", "colors"]
    assert [source.anchor for source in draft.more] == ["custom-colors"]
