"""Pages as Markdown: what a CommonMark reader makes of it is what the page showed."""

from __future__ import annotations

import tarfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from tests.plugin.made import made_page, sections
from tests.plugin.pages import page, read
from tests.work import is_linear

from trueref_plugin.markdown.markdown_page import page_markdown, table
from trueref_plugin.markdown.markdown_text import inline, paragraph
from trueref_plugin.reading.parse import parse_page
from trueref_plugin.reading.parsed import Block, ParsedPage

if TYPE_CHECKING:
    from markdown_it.token import Token

READER = MarkdownIt("commonmark").enable("table")

BODY = """
<h1 id="colors">Colors</h1><p>Pick <code>primary</code> or *none*.</p>
<h2 id="set">Set C #</h2>
<div class="highlight language-yaml"><pre><code>theme: x
```
</code></pre></div>
<ol start="9"><li>nine<ul><li>inner<pre>code</pre></li></ul></li><li>ten<ul><li>deep</li></ul></li></ol>
<div class="admonition note"><p class="admonition-title">Note</p><p>Two<br>lines.</p></div>
<table><tr><th>Name</th><th>Default</th></tr><tr id="r1"><td>a|b</td><td><code>x | y</code></td></tr>
<tr id="r2"><td>c</td><td>d</td></tr></table>
<h3>No id</h3><p>Text below it.</p>
<dl><dt id="t">--term</dt><dd>What it is.</dd></dl>
<h2 id="empty">Empty</h2>
"""
EXPECTED = r"""# Colors

Pick `primary` or \*none\*.

## Set C \#

````yaml
theme: x
```
````

9. nine
   - inner

```
code
```

10. ten
    - deep

> Note

> Two
> lines.

| Name | Default |
| --- | --- |
| a\|b | `x \| y` |
| c | d |

**No id**

Text below it.

**--term**

What it is.

## Empty
"""


def tokens_of(text: str) -> list[Token]:
    """All tokens, those inside of others too."""
    return [inner for token in READER.parse(text) for inner in (token, *(token.children or ()))]


def shown(text: str) -> str:
    """What a reader of this Markdown sees of a paragraph, code in backticks."""
    parts = {"softbreak": "\n", "hardbreak": "<br>"}
    return "".join(
        parts.get(token.type) or (f"`{token.content}`" if token.type == "code_inline" else token.content)
        for token in tokens_of(text)
        if token.type != "inline"
    )


def test_a_page_is_written_as_markdown_block_by_block() -> None:
    assert page_markdown(read(BODY)) == EXPECTED


def test_a_heading_that_is_left_out_of_the_search_is_left_out() -> None:
    body = '<h1 id="a">A</h1><p>Kept.</p><h2 id="s" data-search-exclude>Secret</h2><h3 id="t">Hidden</h3><p>Hidden.</p>'
    assert page_markdown(read(body)) == "# A\n\nKept.\n"


def test_a_page_without_anything_is_empty() -> None:
    assert page_markdown(parse_page(page("", head=""))) == ""


def code_of(parsed: ParsedPage) -> list[tuple[str, str]]:
    return [(block.code_language, block.text) for block in parsed.blocks if block.kind == "code"]


def assert_whole(parsed: ParsedPage) -> None:
    """Every block of code is one, and nothing else is: no link, no HTML, no picture."""
    tokens = tokens_of(page_markdown(parsed))
    fences = [(token.info, token.content.removesuffix("\n")) for token in tokens if token.type == "fence"]
    assert fences == code_of(parsed)
    kinds = {token.type for token in tokens}
    assert not kinds & {"code_block", "html_block", "html_inline", "link_open", "image", "hr", "em_open"}


@given(sections)
def test_no_block_of_any_page_ends_early_in_its_markdown(content: list[list[Block]]) -> None:
    assert_whole(made_page(content))


marks = st.text(alphabet="`~*_-+#>=|\\[]():!<&;a1. \t", max_size=24).map(lambda text: " ".join(text.split()))
lines = st.lists(marks.filter(bool), min_size=1, max_size=4).map("\n".join)
code = st.text(alphabet="`~ \na|", max_size=24).filter(lambda text: text.strip() == text and text != "")
odd_blocks = st.one_of(
    st.builds(lambda text: Block("prose", text, 0), lines),
    st.builds(lambda text: Block("prose", text, 0, starts=True), lines),
    st.builds(lambda text: Block("admonition", text, 0), lines),
    st.builds(lambda text: Block("definition", text, 0), lines),
    st.builds(lambda text, name: Block("code", text, 0, code_language=name), code, st.sampled_from(["", "py", "c++", "a`b"])),
    st.lists(marks.filter(bool), min_size=1, max_size=4).map(
        lambda items: Block("list", "\n".join(items), 0, tuple(f"{'  ' * (at % 3)}- {item}" for at, item in enumerate(items)))
    ),
    st.lists(st.lists(marks, min_size=1, max_size=3), min_size=1, max_size=3).map(
        lambda rows: Block(
            "table", "", 0, tuple("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)
        )
    ),
)  # fmt: skip


@given(st.lists(odd_blocks, min_size=1, max_size=5))
def test_no_mark_of_a_text_is_taken_for_one(content: list[Block]) -> None:
    parsed = made_page([content], title="a `b` # ")
    tokens = tokens_of(page_markdown(parsed))
    fences = [token.content.removesuffix("\n") for token in tokens if token.type == "fence"]
    assert fences == [block.text for block in content if block.kind == "code"]
    kinds = {token.type for token in tokens}
    assert not kinds & {"code_block", "html_block", "html_inline", "link_open", "image", "hr", "em_open"}
    assert sum(token.type == "heading_open" for token in tokens) == 1


@given(lines)
def test_a_paragraph_rendered_from_markdown_shows_its_text(text: str) -> None:
    # What a page shows as code has no backtick inside: see `reading/inline.py`.
    if "``" in text:
        assert "code_block" not in {token.type for token in tokens_of(paragraph(text))}
        return
    assert shown(paragraph(text)) == text


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("plain text, foo_bar and 2 * 3 < 4 [x]", "plain text, foo_bar and 2 * 3 < 4 [x]"),
        ("`*code*` and *text*", r"`*code*` and \*text\*"),
        ("__init__", r"\_\_init\_\_"),
        ("a <b> &amp; </b> & <!-- x", r"a \<b> \&amp; \</b> & \<!-- x"),
        ("[a](b) [c]: d", r"[a\](b) [c\]: d"),
        (r"C:\new \* end" + "\\", r"C:\new \\\* end" + "\\\\"),
        ("one ` tick", r"one \` tick"),
        ("``` py", r"\`\`\` py"),
    ],
)
def test_marks_in_texts_are_escaped(text: str, markdown: str) -> None:
    assert inline(text) == markdown


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("# no heading", r"\# no heading"),
        ("#tag", "#tag"),
        ("- no item", r"\- no item"),
        ("-x", "-x"),
        ("12. no item", r"12\. no item"),
        ("1.2 is a version", "1.2 is a version"),
        ("> no quote", r"\> no quote"),
        ("a\n===", "a\n\\==="),
        ("a | b\n--- | ---", "a | b\n\\--- | ---"),
        ("~~~", r"\~~~"),
    ],
)
def test_what_would_begin_a_block_is_escaped(text: str, markdown: str) -> None:
    assert paragraph(text) == markdown


def test_a_table_without_a_header_has_an_empty_one() -> None:
    assert table("", ["| a | b |", "| c |"]) == "|  |  |\n| --- | --- |\n| a | b |\n| c |  |"


@pytest.mark.parametrize("sign", ["`", "``` ", "*", "\\", "<", "[a](", "1. ", "&a;", "`a` `` "])
def test_marks_take_linear_time(sign: str) -> None:
    def write(text: str) -> str:
        blocks = [
            Block("prose", text, 0),
            Block("table", "", 0, (f"| {text} |",)),
            Block("list", "", 0, (f"- {text}",)),
        ]
        return page_markdown(made_page([blocks]))

    assert is_linear(write, sign, longest=50_000)


@pytest.mark.shared
@pytest.mark.parametrize("name", ["mkdocs-material", "uv"])
def test_of_real_pages_no_text_is_lost_as_markdown(shared: Path, name: str) -> None:
    with tarfile.open(shared / f"{name}.site.tar.xz") as archive:
        files = [member for member in archive.getmembers() if member.name.endswith(".html")]
        assert len(files) > 100
        for file in files:
            stream = archive.extractfile(file)
            assert stream is not None
            assert_whole(parse_page(stream.read().decode()))
