"""How tables are read."""

from __future__ import annotations

import pytest
from tests.plugin.pages import kinds, read, titles


@pytest.mark.parametrize(
    ("rows", "header", "units"),
    [
        ("<tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr>", "| A | B |", ["| 1 | 2 |"]),
        ("<thead><tr><th>A</th></tr></thead><tbody><tr><td>1</td></tr><tr><td>2</td></tr></tbody>", "| A |", ["| 1 |", "| 2 |"]),
        ("<tr><td>1</td></tr>", "", ["| 1 |"]),
        ("<tr><th>Key</th><td>Value</td></tr>", "", ["| Key | Value |"]),
        ("<tr><th>A</th></tr><tr><th>1</th></tr>", "| A |", ["| 1 |"]),
        ("<thead><tr><th>A</th></tr></thead>", "| A |", []),
        ("<tr><td>a|b</td><td><code>c|d</code></td></tr>", "", ["| a\\|b | `c|d` |"]),
        ("<tr><td>a<br>b</td><td><p>c</p><p>d</p></td></tr>", "", ["| a b | c d |"]),
        ("<tr><td><ul><li>a</li><li>b</li></ul></td></tr>", "", ["| a b |"]),
        ("<tr><td></td><td>a</td></tr>", "", ["|  | a |"]),
        ("<tr><td></td></tr><tr><td>a</td></tr>", "", ["| a |"]),
        ("<tr hidden><td>gone</td></tr><tr><td>a</td></tr>", "", ["| a |"]),
        ("<tr><th>A</th><th>B</th></tr><tr><td>7</td><td><p>Run:</p><div><pre><b>$ a</b> | b\n</pre></div></td></tr><tr><td>8</td></tr>",
         "| A | B |", ["| 7 | Run: `$ a | b` |", "| 8 |"]),
        ("<tr><th>A</th><th>B</th></tr><tr><td><pre>if a:\n  b</pre></td><td><pre>a`b</pre></td></tr>",
         "| A | B |", ["| `if a:` `b` | a`b |"]),
    ],
)  # fmt: skip
def test_a_table_is_read_row_by_row_with_its_header(rows: str, header: str, units: list[str]) -> None:
    (block,) = read(f"<table>{rows}</table>").blocks
    assert (block.kind, block.header, list(block.units), block.text) == ("table", header, units, "\n".join(units))


def test_rows_with_an_id_are_sections_under_the_header() -> None:
    parsed = read(
        '<h2 id="x">X</h2><table><tr><th>Option</th></tr><tr><td>zero</td></tr><tr id="one"><td><code>one</code></td></tr>'
        '<tr id="two"><td>two</td></tr><tr><td>three</td></tr></table><p>after</p>'
    )
    found = [(parsed.sections[block.section].anchor, block.text, block.header) for block in parsed.blocks]
    assert found == [
        ("x", "| zero |", "| Option |"),
        ("one", "| `one` |", "| Option |"),
        ("two", "| two |", "| Option |"),
        ("x", "| three |", "| Option |"),
        ("x", "after", ""),
    ]
    assert [(section.title, section.breadcrumb) for section in parsed.sections[2:]] == [
        ("one", ("Page", "X")),
        ("two", ("Page", "X")),
    ]


def test_a_row_is_named_by_its_first_cell_with_a_text() -> None:
    rows = '<tr id="x"><td></td><td>S</td><td>T</td></tr><tr id="y"><td></td></tr><tr id="z"><td><img src="a"></td><td>Z</td></tr>'
    assert titles(f"<table>{rows}</table>") == [("x", "S"), ("z", "Z")]


def test_a_row_whose_id_is_taken_starts_no_section() -> None:
    assert titles('<p id="x">a</p><table><tr id="x"><td>b</td></tr></table>') == []


def test_a_table_that_serves_the_layout_is_read_in_its_order() -> None:
    body = "<table><tr><td><h2 id=x>X</h2><p>one</p></td><td><pre>code</pre></td></tr><tr><td>two</td></tr></table>"
    assert kinds(body) == [("prose", "one"), ("code", "code"), ("prose", "two")]


@pytest.mark.parametrize(
    "rows",
    [
        "<tr><th>A</th></tr><tr><td>a</td></tr><tr><td><pre>b</pre></td></tr>",
        "<tr><th>A</th><td>a</td></tr><tr><td><pre>b</pre></td></tr>",
        "<tr><th>A</th><th>a</th></tr><tr><td><pre>b\nb\nb\nb</pre></td></tr>",
        "<tr><th>A</th><th>a</th></tr><tr><td><h4 id=x>a</h4><pre>b</pre></td></tr>",
    ],
)
def test_a_table_with_code_serves_the_layout_without_a_header_or_with_many_lines(rows: str) -> None:
    assert ("code", "b") in [(kind, text[:1]) for kind, text in kinds(f"<table>{rows}</table>")]


def test_a_table_in_a_table_is_read_once() -> None:
    body = "<table><tr><td>outer<table><tr><td>inner</td></tr></table></td></tr></table>"
    assert kinds(body) == [("prose", "outer"), ("table", "| inner |")]


def test_a_caption_stands_before_its_table() -> None:
    assert kinds("<table><caption>Sizes</caption><tr><td>1</td></tr></table>") == [
        ("prose", "Sizes"),
        ("table", "| 1 |"),
    ]
