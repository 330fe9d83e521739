"""The marks that chunks carry of their blocks: where each begins, and which chunk has it."""

from __future__ import annotations

import pytest
from tests.plugin.made import PAGE, cut
from tests.plugin.marks import marked
from tests.plugin.pages import read

from trueref_core.text.block_marks import read_marks
from trueref_plugin.cutting.cut import cut_page

SENTENCE = "A sentence of the guide says in plain words how long it is, all of it. "


@pytest.mark.parametrize(
    ("body", "blocks"),
    [
        ("<p>One.</p><p>Two.</p>", [("0 text prose", "6 text prose")]),
        ('<div class="admonition"><p class="admonition-title">Note</p><p>One.</p></div>', [("0 title admonition a1", "6 text admonition a1")]),
        ("<p>So:</p><pre>run</pre><p>Done.</p>", [("0 text prose",), ("0 text code",), ("0 text prose",)]),
        # What goes on after the code begins with white space, which the chunk leaves out.
        ("<ul><li>a<pre>run</pre>b</li><li>c</li></ul>", [("0 text list l1",), ("0 text code l1",), ("0 text list l1",)]),
        ("<ul><li>a<pre>run</pre><details>x</details>b</li></ul>",
         [("0 text list l1",), ("0 text code l1",), ("0 text admonition l1/a1", "3 text list l1")]),
        ("<p>👩‍🚀中é</p><p>One.</p>", [("0 text prose", "7 text prose")]),
        ("<h2 id=a>A</h2><p>One.</p><h2 id=b>B</h2><p>Two.</p>", [("0 text prose",), ("0 text prose",)]),
    ],
)  # fmt: skip
def test_chunks_say_where_their_blocks_begin(body: str, blocks: list[tuple[str, ...]]) -> None:
    assert [chunk.blocks for chunk in cut(read(body))] == blocks


def test_a_block_that_is_cut_has_its_mark_where_it_begins() -> None:
    first, *others, last = cut(read(f"<p>{SENTENCE * 30}</p><p>The end.</p>"))
    assert first.blocks == ("0 text prose",)
    assert [chunk.blocks for chunk in others] == [()] * len(others)
    ((mark, text),) = marked(last)
    assert text == "The end."
    assert mark.offset > last.overlap > 0


def test_offsets_count_the_overlap() -> None:
    _, second = cut(read("".join(f"<p>{SENTENCE * 9}</p>" for _ in range(2))))
    (mark,) = read_marks(second)
    assert mark.offset == second.overlap > 0


def test_a_table_that_is_cut_has_a_mark_in_every_chunk() -> None:
    rows = "".join(f"<tr><td>{number}</td><td>{SENTENCE}</td></tr>" for number in range(30))
    first, *others = cut(read(f"<table><caption>All</caption><tr><th>A</th><th>B</th></tr>{rows}</table>"))[1:]
    assert first.blocks == ("0 text table f1",)
    assert len(others) > 2
    assert {chunk.blocks for chunk in others} == {("0 text+ table f1",)}


def test_the_text_of_chunks_and_their_ids_do_not_depend_on_marks() -> None:
    plain, marked_up = (
        read("<p>Note</p><p>One.</p>"),
        read('<p class="rubric">Note</p><blockquote><p>One.</p></blockquote>'),
    )
    (before,), (after,) = cut_page(PAGE, plain), cut_page(PAGE, marked_up)
    assert before.blocks != after.blocks
    assert (before.text, before.text_hash, before.id) == (after.text, after.text_hash, after.id)
