from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from tests.server.handmade import chunk, marks

from trueref_core.records import Chunk
from trueref_server.answering.context import SHORTENED, context_of
from trueref_server.answering.neighbours import Neighbour
from trueref_server.records import Hit

WORDS = "The palette has a toggle that switches between a light and a dark scheme. "


def found_in(*sections: tuple[Chunk, ...]) -> list[Hit]:
    return [Hit("demo", chunks[0].page, chunks[0].anchor, 1.0, chunks) for chunks in sections]


def section(number: int, sentences: int = 20) -> tuple[Chunk, ...]:
    return (replace(chunk("a/", f"s{number}", WORDS * sentences, number), tokens=15 * sentences),)


def test_sections_are_whole_as_long_as_the_budget_lasts() -> None:
    sections = context_of(found_in(*(section(number) for number in range(5))), 10_000)
    assert [each.is_whole for each in sections] == [True] * 5
    assert sections[0].text == (WORDS * 20).strip()
    assert sections[0].tokens == 300


def test_a_preview_is_what_stands_around_the_chunk_that_was_found() -> None:
    chunks = tuple(replace(chunk("a/", "s", f"Part {at} of it.", at), id=f"c{at}", tokens=100) for at in range(40))
    hit = Hit("demo", "a/", "s", 1.0, (chunks[30], *chunks[:30], *chunks[31:]))
    (preview,) = context_of([hit], 550)
    assert preview.text.split("\n\n") == [f"Part {at} of it." for at in range(28, 33)]
    assert (preview.tokens, preview.is_whole) == (500, False)


def test_a_preview_of_a_text_without_spaces_says_something() -> None:
    found = context_of(found_in((replace(chunk("a/", "s", "很" * 2_000, 0), tokens=2_000),)), 1_000)
    assert found[0].text.startswith("很" * 500)


def test_what_does_not_fit_whole_leaves_room_for_what_does() -> None:
    long = tuple(replace(chunk("a/", "s", WORDS * 10, at), id=f"c{at}", tokens=150) for at in range(6))
    sections = context_of(found_in(long, section(1), section(2)), 900)
    assert [each.is_whole for each in sections] == [False, True, True]
    assert [each.tokens for each in sections] == [300, 300, 300]
    widened = context_of(found_in(long, section(1)), 900)
    assert [each.tokens for each in widened] == [600, 300]


def test_chunks_are_stitched_and_code_is_whole() -> None:
    first = replace(chunk("a/", "s", WORDS, 0), id="one")
    second = replace(chunk("a/", "s", WORDS[-20:] + "More of it.", 1), id="two", previous="one", overlap=20, blocks=())
    code = replace(
        chunk("a/", "s", "\n".join(["x = 1"] * 100), 2),
        kind="code",
        code_language="python",
        previous="two",
        blocks=marks("", "code"),
    )
    (whole,) = context_of(found_in((first, second, code)), 10_000)
    assert whole.text == f"{WORDS}More of it.\n\n```python\n" + "x = 1\n" * 100 + "```"
    (preview,) = context_of(found_in((replace(first, tokens=5000), second, code)), 4000)
    assert not preview.is_whole
    assert "x = 1" not in preview.text


def test_a_section_of_long_code_has_no_preview() -> None:
    code = replace(chunk("a/", "s", "x = 1\n" * 500, 0), kind="code", tokens=2000, blocks=marks("", "code"))
    assert context_of(found_in((code,)), 1000) == ()


def test_long_code_that_was_found_best_is_read_whole_beside_other_sections() -> None:
    code = replace(chunk("a/", "s", "x = 1\n" * 100, 0), kind="code", tokens=500, blocks=marks("", "code"))
    sections = context_of(found_in((code,), *(section(number, 40) for number in range(1, 5))), 1500)
    assert sections[0].anchor == "s"
    assert sections[0].is_whole
    assert sum(each.tokens for each in sections) <= 1500


def test_nothing_found_is_nothing_to_read() -> None:
    assert context_of(found_in(), 1000) == ()


def neighbour(number: int, sentences: int = 20) -> Neighbour:
    chunks = section(number, sentences)
    hit = Hit("demo", "a/", chunks[0].anchor, 0.0, chunks)
    return Neighbour(hit, ("demo", "a/", "s0"), is_before=True)


def test_neighbours_come_behind_what_was_found_and_before_previews_are_widened() -> None:
    long = tuple(replace(chunk("a/", "s", WORDS * 10, at), id=f"c{at}", tokens=150) for at in range(6))
    first, second, beside = context_of(found_in(long, section(1)), 900, [neighbour(2)])
    assert [first.tokens, second.tokens, beside.tokens] == [300, 300, 300]
    assert (beside.anchor, beside.before, beside.behind) == ("s2", ("demo", "a/", "s0"), None)
    assert [each.anchor for each in context_of(found_in(long, section(1)), 600, [neighbour(2)])] == ["s", "s1"]
    assert context_of(found_in(section(0)), 10_000, [neighbour(2, 80)])[1].tokens == SHORTENED


@given(
    st.lists(st.integers(min_value=1, max_value=80), max_size=8),
    st.lists(st.integers(min_value=1, max_value=80), max_size=3),
    st.integers(min_value=0, max_value=3000),
)
def test_no_budget_is_ever_exceeded(lengths: list[int], beside: list[int], budget: int) -> None:
    sections = found_in(*(section(number, length) for number, length in enumerate(lengths)))
    neighbours = [neighbour(number, length) for number, length in enumerate(beside, start=len(lengths))]
    assert sum(one.tokens for one in context_of(sections, budget, neighbours)) <= budget
