"""Pairs without writing: what of a site's links and headings becomes a pair."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tests.core.samples import chunk

from trueref_core.records import Chunk, Link

TRAINING = Path(__file__).parents[2] / "training"
sys.path.insert(0, str(TRAINING))

from collect_pairs import Pair, draw, heading_pairs, link_pairs, sentence_of, wrong_of  # noqa: E402
from examples import LEFT_OUT  # noqa: E402

OVEN = "The oven has to be hot before the cake goes in, so switch it on while you stir the batter for ten minutes."
CAKE = "Stir eggs and sugar. Bake the batter as long as the table of temperatures says. Let it cool."


def _chunk(page: str, anchor: str, title: str, text: str) -> Chunk:
    place = f"{page}#{anchor}"
    return chunk(
        0, id=place, page=page, anchor=anchor, section_id=place, title=title, breadcrumb=("Baking",), text=text
    )


CHUNKS = [_chunk("cake.html", "batter", "Batter", CAKE), _chunk("oven.html", "heat", "Heating the oven", OVEN)]
SECTIONS = {(chunk.page, chunk.anchor): [chunk] for chunk in CHUNKS}
LINK = Link("docs", "cake.html", "batter", "oven.html", "heat", "internal", "table of temperatures", "ok")


def test_a_link_pairs_its_sentence_alone_with_the_section_it_leads_to() -> None:
    sentence = "Bake the batter as long as the table of temperatures says."
    assert link_pairs([LINK, LINK], SECTIONS) == [Pair("link", sentence, f"Baking > Heating the oven\n{OVEN}")]


def test_an_entry_of_a_change_log_is_a_kind_of_its_own() -> None:
    changed = {("cake.html", "batter"): [replace(CHUNKS[0], page_kind="changelog")], ("oven.html", "heat"): CHUNKS[1:]}
    assert [pair.kind for pair in link_pairs([LINK], changed)] == ["changelog"]


@pytest.mark.parametrize(
    "link",
    [
        replace(LINK, kind="next"),
        replace(LINK, to_page="nowhere.html"),
        replace(LINK, to_page="cake.html", to_anchor="batter"),
        replace(LINK, text=" "),
        replace(LINK, text="Stir"),
    ],
    ids=["no link of running text", "to no section", "to its own section", "without words", "in a short sentence"],
)
def test_other_links_give_no_pair(link: Link) -> None:
    assert link_pairs([link], SECTIONS) == []


def test_the_words_of_a_link_are_whole_words() -> None:
    text = (
        "Scrapings of the bowl are best eaten at once by whoever stirred. The scrap is for the bird that sits outside."
    )
    assert sentence_of(text, "scrap") == "The scrap is for the bird that sits outside."


def test_a_heading_is_paired_with_what_stands_under_it_without_its_path() -> None:
    assert heading_pairs(CHUNKS) == [
        Pair("heading", "Baking > Batter", CAKE),
        Pair("heading", "Baking > Heating the oven", OVEN),
    ]


@pytest.mark.parametrize("title", ["Why does my cake sink?", "How to keep a cake from sinking"])
def test_a_heading_that_asks_is_a_question_without_its_path(title: str) -> None:
    assert heading_pairs([replace(CHUNKS[0], title=title)]) == [Pair("faq", title, CAKE)]


def test_code_short_texts_and_signatures_are_under_no_heading() -> None:
    code, short = replace(CHUNKS[0], kind="code"), replace(CHUNKS[0], text="Stir.")
    assert heading_pairs([code, short, replace(CHUNKS[0], page_kind="api")]) == []


def test_what_does_not_belong_to_a_heading_is_near_and_stands_without_its_path() -> None:
    below = replace(CHUNKS[0], id="below", title="Sugar", breadcrumb=("Baking", "Batter"), text="Brown sugar is moist.")
    assert wrong_of(Pair("heading", "Baking > Batter", CAKE), [below, *CHUNKS], most=3) == (OVEN,)


def test_what_does_not_belong_to_a_link_has_neither_its_sentence_nor_the_path_of_the_section_it_leads_to() -> None:
    sentence = "Bake the batter as long as the table of temperatures says."
    pair = Pair("link", sentence, f"Baking > Heating the oven\n{OVEN}")
    rest = replace(CHUNKS[1], id="rest", text="An oven that is too hot burns the crust.")
    icing = replace(CHUNKS[0], id="icing", title="Icing", text="Stir sugar and lemon.")
    assert wrong_of(pair, [*CHUNKS, rest, icing, icing], most=3) == ("Baking > Icing\nStir sugar and lemon.",)


def test_no_more_is_taken_than_is_asked_for() -> None:
    others = [replace(CHUNKS[1], id=str(at), text=f"Oven {at}.") for at in range(5)]
    assert wrong_of(Pair("heading", "Baking > Batter", CAKE), others, most=2) == ("Oven 0.", "Oven 1.")


def test_the_draw_is_bounded_by_kind_and_the_same_each_time() -> None:
    pairs = [Pair("heading", f"heading {at}", CAKE) for at in range(50)] + [Pair("link", "a sentence", OVEN)] * 3
    drawn = draw(pairs, most=10, seed=1)
    assert [pair.kind for pair in drawn] == ["link"] + ["heading"] * 10
    assert drawn == draw(pairs, most=10, seed=1)
    assert drawn != draw(pairs, most=10, seed=2)


@pytest.mark.parametrize("name", sorted(LEFT_OUT))
def test_a_site_that_only_measures_is_refused(name: str, tmp_path: Path) -> None:
    command = [sys.executable, str(TRAINING / "collect_pairs.py"), str(tmp_path), str(tmp_path / "out"), name]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert f"only ever measured on: {name}" in done.stderr
