"""Where the sections end that begin in an item of a list, or in a part of a definition."""

from __future__ import annotations

import pytest
from tests.plugin.pages import placed, read

STEP = '<h3 id="one">First step</h3><p>Turn it on.</p>'


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"<ol><li>{STEP}</li></ol><p>After it.</p>", [("one", "1. Turn it on."), ("h", "After it.")]),
        (f"<ol><li>{STEP}</li><li>Wait.</li></ol>", [("one", "1. Turn it on."), ("h", "2. Wait.")]),
        (f"<ul><li>Do this:{STEP}</li><li>Wait.</li></ul>", [("h", "- Do this:"), ("one", "  Turn it on."), ("h", "- Wait.")]),
        (f"<ul><li><ul><li>{STEP}</li></ul>Wait.</li></ul>", [("one", "  - Turn it on."), ("h", "- Wait.")]),
        # A heading in it that no link leads to ends no section either.
        ("<ul><li><h2>First</h2>a</li></ul><p>b</p>", [("", "First"), ("", "- a"), ("h", "b")]),
        ("<ul><li><h2 data-search-exclude>First</h2>a</li></ul><p>b</p>", [("h", "b")]),
        # In such a list the text stands behind it.
        ('<ul><li><h3 id="one">First step</h3></li></ul><p>Turn it on.</p>', [("one", "Turn it on.")]),
        (f'<ol><li><div class="markdown-heading">{STEP[:31]}<a class="anchor" href="#one">#</a></div></li></ol><p>a</p>', [("one", "a")]),
        (f'<ol><li><a id="a"></a>{STEP[:31]}<img src="a.png"></li></ol><p>a</p>', [("one", "a")]),
        # Older pages indent by a list without items.
        (f"<ul>{STEP}</ul><p>After it.</p>", [("one", "Turn it on."), ("one", "After it.")]),
    ],
)  # fmt: skip
def test_a_section_that_begins_in_an_item_ends_with_it(body: str, expected: list[tuple[str, str]]) -> None:
    assert placed(f'<h2 id="h">Steps</h2>{body}') == expected


def test_headings_of_items_are_below_the_heading_of_the_list() -> None:
    parsed = read(f'<h2 id="h">Steps</h2><ol><li>{STEP}</li></ol><h3 id="b">Behind</h3><p>a</p>')
    assert [section.breadcrumb[1:] for section in parsed.sections[1:]] == [(), ("Steps",), ("Steps",)]
    deeper = read(f'<h2 id="h">Steps</h2><ol><li>{STEP}</li></ol><h4 id="b">Behind</h4><p>a</p>')
    assert deeper.sections[-1].breadcrumb[1:] == ("Steps",)


def test_a_page_that_is_one_list_keeps_its_sections() -> None:
    items = "".join(f'<li><h2 id="v{number}">1.{number}</h2><p>Text {number}.</p></li>' for number in range(2))
    assert placed(f"<h1 id=r>Releases</h1><ul>{items}</ul>") == [("v0", "- Text 0."), ("v1", "- Text 1.")]


def test_a_heading_in_a_description_ends_with_it() -> None:
    parsed = read('<h2 id="h">Terms</h2><dl><dt>a</dt><dd><h3 id="b">Behind</h3>c</dd></dl><h4 id="d">D</h4>')
    assert parsed.sections[-1].breadcrumb[1:] == ("Terms",)


PARAMETER = '<h3 id="load(path)" class="doc doc-heading doc-heading-parameter"><b><code>path</code></b></h3>'
OBJECT = (
    '<div class="doc doc-object doc-function"><h2 id="load" class="doc doc-heading">load</h2><div class="doc doc-contents">'
    '<p><span class="doc-section-title">Parameters:</span></p>{}<p><span class="doc-section-title">Returns:</span></p>'
    "<ul><li><code>Widget</code></li></ul></div></div>"
)


@pytest.mark.parametrize(
    ("parameters", "read_as"),
    [
        (f"<ul><li>{PARAMETER} (<code>str</code>) – <div><p>Where to look.</p></div></li></ul>", "- (`str`) –"),
        (f"<table><tr><td>{PARAMETER}</td><td><code>str</code></td></tr></table>", "`str`"),
    ],
)
def test_what_follows_the_parameters_of_a_docstring_belongs_to_the_object(parameters: str, read_as: str) -> None:
    lines = [(anchor, text.partition("\n")[0]) for anchor, text in placed(OBJECT.format(parameters))]
    assert lines == [("load", "Parameters:"), ("load(path)", read_as), ("load", "Returns:"), ("load", "- `Widget`")]
