"""Chunks of small pages, one rule at a time."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.plugin.made import PAGE, cut, made_page
from tests.plugin.pages import page
from tests.plugin.rules import fresh, wordpieces

from trueref_core.records import Chunk
from trueref_plugin.cutting.cut import lead_in, twin_key
from trueref_plugin.reading.parse import parse_page
from trueref_plugin.reading.parsed import Block

SENTENCE = "A sentence of the guide says in plain words how long it is, all of it. "  # 71 characters


def chunks_of(body: str) -> list[Chunk]:
    return cut(parse_page(page(body)))


def prose(sentences: int) -> Block:
    return Block("prose", (SENTENCE * sentences).strip(), 0)


def sizes(*blocks: Block) -> list[tuple[int, int]]:
    """Characters and overlap of the chunks of a page with these blocks."""
    return [(len(chunk.text), chunk.overlap) for chunk in cut(made_page([list(blocks)]))]


def test_a_short_section_is_one_chunk() -> None:
    assert [chunk.text for chunk in chunks_of("<p>One.</p><p>Two.</p>")] == ["One.\n\nTwo."]


@pytest.mark.parametrize("sentences", range(1, 60, 7))
def test_chunks_and_overlaps_keep_to_their_limits(sentences: int) -> None:
    found = sizes(prose(sentences))
    assert all(200 <= size <= 1000 for size, _ in found) or len(found) == 1
    assert [overlap > 0 for _, overlap in found] == [False, *[True] * (len(found) - 1)]
    assert all(100 <= overlap <= 200 for _, overlap in found[1:])


def test_chunks_of_long_prose_come_near_the_target() -> None:
    found = sizes(prose(80))
    assert 700 <= sum(size - overlap for size, overlap in found) / len(found) <= 850


def test_an_overlap_is_whole_sentences() -> None:
    _, second = cut(made_page([[prose(20)]]))
    assert second.text[: second.overlap] == SENTENCE * 2


def test_nothing_overlaps_over_the_start_of_a_section() -> None:
    chunks = cut(made_page([[prose(20)], [prose(20)]]))
    assert [chunk.overlap > 0 for chunk in chunks if chunk.section_id == "guide/#s1"] == [False, True]


@pytest.mark.parametrize("between", [Block("code", "x = 1", 0), Block("table", "| a |", 0, ("| a |",))])
def test_nothing_overlaps_after_code_or_a_table(between: Block) -> None:
    first, middle, last = cut(made_page([[prose(8), between, prose(8)]]))
    assert (first.overlap, middle.overlap, last.overlap) == (0, 0, 0)


def test_nothing_overlaps_after_a_unit_under_200() -> None:
    assert sizes(*(Block("prose", sign * size, 0) for sign, size in zip("abc", (199, 800, 800), strict=True))) == [
        (199, 0),
        (800, 0),
        (1000, 200),
    ]


def test_code_is_whole_whatever_its_length() -> None:
    code = "\n".join(f"line_{number} = {number}" for number in range(2000))
    chunks = chunks_of(
        f'<p>Before:</p><pre><code class="language-py">{code}</code></pre><pre>second</pre><p>After.</p>'
    )
    assert [(chunk.kind, chunk.code_language, chunk.code_index) for chunk in chunks] == [
        ("prose", "", -1),
        ("code", "py", 0),
        ("code", "", 1),
        ("prose", "", -1),
    ]
    assert chunks[1].text == code


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Install it:", "Install it:"),
        ("It is small. Install it:", "Install it:"),
        ("First.\nThen run:", "Then run:"),
        ("", ""),
        ("x" * 201, ""),
    ],
)
def test_the_line_that_introduces_code_is_the_last_sentence_before_it(text: str, line: str) -> None:
    assert lead_in(text) == line


def test_code_is_embedded_with_the_line_that_introduces_it() -> None:
    chunks = chunks_of("<p>Well. Install it:</p><pre>one</pre><pre>two</pre>")
    assert [chunk.lead_in for chunk in chunks] == ["", "Install it:", ""]
    assert chunks[1].embedded_text == "Page\nInstall it:\none"


ROWS = tuple(f"| option-{number} | what it is for, in a few words |" for number in range(60))


def test_tables_are_cut_between_rows_under_their_header() -> None:
    table = Block("table", "\n".join(ROWS), 0, ROWS, "| Option | Use |")
    chunks = cut(made_page([[table]]))
    lines = [chunk.text.split("\n") for chunk in chunks]
    assert [line[:2] for line in lines] == [["| Option | Use |", "| --- | --- |"]] * len(chunks)
    assert tuple(row for line in lines for row in line[2:]) == ROWS
    assert all(200 <= len(chunk.text) <= 1000 for chunk in chunks)


@pytest.mark.parametrize("count", range(15, 60))
def test_no_chunk_of_a_table_is_short(count: int) -> None:
    rows = ROWS[:count]
    assert min(len(chunk.text) for chunk in cut(made_page([[Block("table", "\n".join(rows), 0, rows)]]))) >= 200


def test_a_long_row_is_cut_as_prose_is() -> None:
    row = f"| long | {SENTENCE * 30}|"
    chunks = cut(made_page([[Block("table", row, 0, (row,), "| A | B |")]]))
    assert chunks[0].text.startswith("| A | B |\n| --- | --- |\n| long |")
    assert all(200 <= len(chunk.text) <= 1000 for chunk in chunks)
    assert "".join("".join(chunk.text.split()) for chunk in chunks).endswith("".join(row.split()))


def test_a_table_of_a_header_only_is_a_chunk() -> None:
    assert [chunk.text for chunk in chunks_of("<table><tr><th>A</th><th>B</th></tr></table>")] == [
        "| A | B |\n| --- | --- |"
    ]


def test_a_bar_in_a_header_does_not_make_a_column() -> None:
    (chunk,) = chunks_of("<table><tr><th><code>a|b</code></th><th>c|d</th></tr><tr><td>1</td><td>2</td></tr></table>")
    assert chunk.text.split("\n")[1] == "| --- | --- |"


def test_a_backtick_without_a_partner_hides_no_column() -> None:
    (chunk,) = chunks_of("<table><tr><th>a ` b</th><th>c</th></tr><tr><td>1</td><td>2</td></tr></table>")
    assert chunk.text.split("\n")[1] == "| --- | --- |"


def test_a_header_that_fills_a_chunk_is_given_once() -> None:
    header = f"| {SENTENCE * 9}|"
    chunks = cut(made_page([[Block("table", "| a |\n| b |", 0, ("| a |", "| b |"), header)]]))
    assert sum("A sentence" in chunk.text for chunk in chunks) == 1
    assert chunks[-1].text == "| a |\n| b |"


def test_lists_are_cut_between_items() -> None:
    units = tuple(f"- {SENTENCE}{SENTENCE}".strip() for _ in range(30))
    chunks = cut(made_page([[Block("list", "\n".join(units), 0, units)]]))
    assert len(chunks) > 3
    assert all(fresh(chunk).startswith("- ") and fresh(chunk).endswith("it.") for chunk in chunks)


@pytest.mark.parametrize("sign", ["中", "👩\u200d🚀", "🇩🇪", "e\u0301", "क्षि", "ไ", "👍🏽"])
def test_text_without_spaces_is_cut_between_its_signs(sign: str) -> None:
    chunks = cut(made_page([[Block("prose", sign * 1500, 0)]]))
    assert len(chunks) > 1
    assert all(set(chunk.text.split(sign)) == {""} and len(chunk.text) <= 1000 for chunk in chunks)
    assert "".join(map(fresh, chunks)) == sign * 1500


def test_a_letter_is_never_cut_from_its_marks() -> None:
    tower = "a" + "\u0301" * 60
    chunks = cut(made_page([[Block("prose", tower * 40, 0)]]))
    assert "".join(map(fresh, chunks)) == tower * 40
    assert all(len(chunk.text) <= 1000 and chunk.text.startswith("a") for chunk in chunks)


def test_chinese_fits_what_the_embedder_reads_and_overlaps() -> None:
    text = "安装文档插件以后运行构建命令，索引就写好了。" * 60
    chunks = cut(made_page([[Block("prose", text, 0)]]), wordpieces)
    assert max(wordpieces(chunk.embedded_text) for chunk in chunks) <= 254
    assert all(len(chunk.text) >= 200 for chunk in chunks[:-1])
    # Two thirds of the window at most are new beside an overlap: such a chunk has under 200, and the next repeats none.
    assert [chunk.overlap >= 100 for chunk in chunks] == [number % 2 == 1 for number in range(len(chunks))]


def test_a_chunk_knows_its_place() -> None:
    one, two, three = chunks_of('<h1 id="a">A</h1><p>x</p><h2 id="b">B</h2><p>y</p><h2 id="c">C</h2><p>z</p>')
    assert (two.title, two.breadcrumb, two.section_id) == ("B", ("A", "A"), "guide/#b")
    assert (two.parent_section, one.child_sections) == ("guide/#a", ("guide/#b", "guide/#c"))
    assert (one.previous, two.previous, three.next) == ("", one.id, "")
    assert (one.next, two.next) == (two.id, three.id)
    assert two.embedded_text == "A > B\ny"


def test_at_most_50_anchors_of_its_own_section() -> None:
    ids = "".join(f'<p id="p{number}">{number}</p>' for number in range(70))
    first, second = chunks_of(
        f'<h2 id="a">A</h2>{ids}<h2 id="b">B</h2><p id="q">q</p><p id="__r">r</p><p id="q">s</p>'
    )[-2:]
    assert first.valid_anchors == ("a", *(f"p{number}" for number in range(49)))
    assert second.valid_anchors == ("b", "q")


def test_ids_follow_from_the_content() -> None:
    body = f"<h2 id=x>X</h2><p>{SENTENCE * 40}</p>"
    assert chunks_of(body) == chunks_of(body)
    ids = {chunk.id for chunk in chunks_of(body)}
    assert (
        len(ids) == len(chunks_of(body)) == len(ids - {chunk.id for chunk in chunks_of(body.replace("guide", "book"))})
    )


def test_equal_texts_in_equal_places_have_equal_hashes() -> None:
    one = cut(made_page([[prose(2)]]))[0]
    other = cut(made_page([[prose(2)], [prose(2)]]))
    assert one.text_hash == other[0].text_hash != other[1].text_hash


def twin_keys(*texts: str) -> list[str]:
    return [chunk.twin_key for chunk in cut(made_page([[Block("prose", text, 0)] for text in texts]))]


LONG = "The option says where the cache is kept: `a` folder."


@pytest.mark.parametrize(
    ("text", "is_twin"),
    [
        (LONG, True),
        (LONG.upper(), True),
        (LONG.replace("`", "").replace(" ", "  "), True),
        (LONG + " Now.", False),
    ],
)
def test_twins_have_one_key(text: str, is_twin: bool) -> None:
    first, other = twin_keys(LONG, text)
    assert first
    assert (first == other) == is_twin


def test_short_texts_are_no_twins() -> None:
    assert twin_keys("Too short to tell.", "Too short to tell.") == ["", ""]


@pytest.mark.parametrize("changes", [{"version": "2"}, {"language": "fr"}, {"site": "other"}])
def test_other_versions_languages_and_sites_are_no_twins(changes: dict[str, str]) -> None:
    assert twin_key(PAGE, LONG) != twin_key(replace(PAGE, **changes), LONG)  # type: ignore[arg-type]


def test_the_page_is_in_every_chunk() -> None:
    (chunk,) = cut(made_page([[prose(1)]]))
    assert (chunk.site, chunk.page, chunk.page_kind, chunk.version, chunk.language) == (
        "docs",
        PAGE.page,
        "guide",
        "1",
        "en",
    )


SCRIPTS = {
    "zh": (
        "安装文档插件以后运行构建命令，索引就写好了。",
        "日记会用密码加密！",
        "关闭程序之后，把文件复制到另一个磁盘。",
    ),
    "ja": (
        "日記はパスフレーズで暗号化されます。",
        "プログラムを終了してから、ファイルをコピーします。",
        "環境変数を指定しますか？",
    ),
    "km": ("កំណត់ហេតុត្រូវបានអ៊ិនគ្រីប។", "ចម្លងឯកសារទៅថាសផ្សេង។"),
    "my": ("မှတ်တမ်းကို စာဝှက်ထားသည်။", "ဖိုင်ကို ကူးယူပါ။"),
    "hi": ("डायरी पासवर्ड से सुरक्षित है।", "फ़ाइल को दूसरी डिस्क पर कॉपी करें।"),
}


@given(st.sampled_from(sorted(SCRIPTS)), st.lists(st.integers(0, 5), min_size=30, max_size=120))
@settings(max_examples=40)
def test_scripts_are_cut_between_sentences(script: str, numbers: list[int]) -> None:
    sentences = [SCRIPTS[script][number % len(SCRIPTS[script])] for number in numbers]
    text = ("" if script in ("zh", "ja", "km") else " ").join(sentences)
    chunks = cut(made_page([[Block("prose", text, 0)]]), wordpieces)
    assert "".join("".join(map(fresh, chunks)).split()) == "".join(text.split())
    for chunk in chunks:
        assert len(chunk.text) <= 1000
        assert wordpieces(chunk.embedded_text) <= 254
        assert fresh(chunk).rstrip()[-1] in "。！？।။។", fresh(chunk)[-20:]


TITLES_OF_CODE = {
    "material": '<div class="language-sh highlight"><span class="filename">run.sh</span><pre><code>run</code></pre></div>',
    "docusaurus": '<div class="language-sh codeBlockContainer_x theme-code-block"><div class=codeBlockTitle_y>run.sh</div>'
    "<div class=codeBlockContent_z><pre tabindex=0><code>run</code></pre></div></div>",
}


@pytest.mark.parametrize("generator", TITLES_OF_CODE)
@pytest.mark.parametrize(
    ("before", "introduction"),
    [
        ("<p>It is whisked. Start it:</p>", "Start it: run.sh"),
        ("", "run.sh"),
        ("<pre>x</pre>", "run.sh"),
        (f"<p>{'word ' * 39}.</p>", "word " * 38 + "word ."),
        (f"<p>{'word ' * 50}.</p>", "run.sh"),
    ],
)
def test_the_title_of_code_stands_behind_the_line_that_introduces_it(
    generator: str, before: str, introduction: str
) -> None:
    *_, code = chunks_of(f"{before}{TITLES_OF_CODE[generator]}")
    assert (code.kind, code.text, code.lead_in) == ("code", "run", introduction)


def test_a_caption_of_something_else_introduces_no_code() -> None:
    *_, code = chunks_of("<figure><img alt=a src=a.png><figcaption>A whisk.</figcaption></figure><pre>run</pre>")
    assert code.lead_in == "A whisk."
