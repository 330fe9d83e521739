"""Objects of pdoc, cells of notebooks, and sets of tabs: markup of generators that the tests do not build."""

from __future__ import annotations

import pytest
from tests.plugin.pages import kinds, read, texts
from tests.plugin.reading.test_block_roles import rows

PDOC = (
    '<section class="module-info"><h1 id="acme">Acme</h1><label class="view-source-button">View Source</label>'
    '<div class="pdoc-code codehilite"><pre>import x</pre></div><div class="docstring"><p>About it.</p></div></section>'
    '<section id="Ring"><input id="ring-view-source" type="checkbox">'
    '<div class="attr class"><span class="def">class</span> <span class="name">Ring</span>:'
    '<label class="view-source-button" for="ring-view-source"><span>View Source</span></label></div>'
    '<a class="headerlink" href="#Ring"></a><div class="pdoc-code codehilite"><pre>class Ring: ...</pre></div>'
    '<div class="docstring"><p>A ring.</p><h6 id="example">Example:</h6><p>Turn it.</p></div>'
    '<div id="Ring.size" class="classattr"><div class="attr variable"><span class="name">size</span>'
    '<span class="annotation">: <a href="#Base">int</a></span></div><a class="headerlink" href="#Ring.size"></a>'
    '<div class="docstring"><p>How large it is.</p></div></div><h5>Inherited Members</h5></section><p>After.</p>'
)


def test_the_objects_of_pdoc_are_sections() -> None:
    sections = read(PDOC).sections
    assert [(section.anchor, section.breadcrumb) for section in sections[1:]] == [
        ("acme", ("Acme",)),
        ("Ring", ("Acme",)),
        ("example", ("Acme", "Ring")),
        ("Ring.size", ("Acme", "Ring")),
    ]
    assert [link.target for link in read(PDOC).links] == ["#Base"]
    shown = [(sections[block.section].anchor, block.text) for block in read(PDOC).blocks if block.role != "furniture"]
    assert shown == [
        ("acme", "About it."),
        ("Ring", "class Ring:"),
        ("Ring", "A ring."),
        ("example", "Turn it."),
        ("Ring.size", "size: int"),
        ("Ring.size", "How large it is."),
        ("Ring", "Inherited Members"),
        ("acme", "After."),
    ]


@pytest.mark.parametrize("inner", ["Photo by Ann", ""])
def test_an_element_without_a_name_is_no_object(inner: str) -> None:
    body = f'<h2 id="b">B</h2><div id="photo"><div class="attr">{inner}</div><p>Text.</p><h3 id="c">C</h3></div>'
    assert [section.anchor for section in read(body).sections] == ["", "b", "c"]
    assert ("code", inner) not in kinds(body)


@pytest.mark.parametrize(
    "number",
    [
        '<div class="jp-InputPrompt jp-InputArea-prompt">In [1]:</div>',
        '<div class="prompt input_prompt">In [1]:</div>',
        '<div class="nbinput"><div class="prompt highlight-none"><div class="highlight"><pre>[1]:</pre></div></div></div>',
    ],
)
def test_the_number_of_a_cell_is_left_out(number: str) -> None:
    assert texts(f'{number}<div class="input_area highlight-python"><pre>run()</pre></div>') == ["run()"]


def test_the_titles_of_a_hidden_cell_are_left_out() -> None:
    body = (
        '<details class="admonition hide"><summary><p class="collapsed admonition-title">Show code cell source</p>'
        '<p class="expanded admonition-title">Hide code cell source</p></summary><pre>run()</pre></details>'
    )
    assert texts(body) == ["run()"]


def test_a_cell_of_mkdocs_jupyter_is_read_once() -> None:
    body = '<div class="highlight-ipynb hl-python"><pre>run()</pre></div><div class="clipboard-copy-txt">run()</div>'
    (block,) = read(body).blocks
    assert (block.text, block.code_language) == ("run()", "python")


def test_a_title_that_can_be_unfolded_stays_outside_of_a_cell() -> None:
    body = '<div class="admonition note"><p class="admonition-title collapsed">Mind</p><p>The gap.</p></div>'
    assert texts(body) == ["Mind", "The gap."]


def test_the_title_of_an_alert_of_docsy_is_a_title() -> None:
    body = '<div class="alert alert-primary"><div class="h4 alert-heading" role="heading">Note</div>Mind.</div>'
    assert rows(body) == [("title", "admonition", "a1", "Note"), ("text", "admonition", "a1", "Mind.")]


def test_the_back_of_a_card_is_not_hidden() -> None:
    assert texts('<p style="backface-visibility: hidden">Shown.</p>') == ["Shown."]


def test_a_set_of_tabs_in_the_first_panel_leaves_the_outer_labels() -> None:
    inner = '<div><div role="tablist"><a role="tab">pip</a><a role="tab">conda</a></div>'
    inner += '<div><div role="tabpanel">P</div><div role="tabpanel">C</div></div></div>'
    body = (
        '<div><div role="tablist"><a role="tab" aria-controls="l">Linux</a><a role="tab" aria-controls="w">Windows</a></div>'
        f'<div role="tabpanel" id="l"><p>L</p>{inner}</div><div role="tabpanel" id="w"><p>W</p></div></div>'
    )
    assert [(path, text) for role, _, path, text in rows(body) if role == "label"] == [
        ("t1.1", "Linux"),
        ("t1.1/t2.1", "pip"),
        ("t1.1/t2.2", "conda"),
        ("t1.2", "Windows"),
    ]


def test_two_sets_of_tabs_without_an_element_around_each_have_their_labels() -> None:
    tabs = '<div role="tablist"><button role="tab">{}</button><button role="tab">{}</button></div>'
    panels = '<div><div role="tabpanel"><p>{}</p></div><div role="tabpanel" hidden><p>{}</p></div></div>'
    body = (
        tabs.format("A", "B")
        + panels.format("a", "b")
        + "<p>Between.</p>"
        + tabs.format("C", "D")
        + panels.format("c", "d")
    )
    assert [(role, path, text) for role, _, path, text in rows(body)] == [
        ("label", "t1.1", "A"),
        ("text", "t1.1", "a"),
        ("label", "t1.2", "B"),
        ("text", "t1.2", "b"),
        ("text", "", "Between."),
        ("label", "t2.1", "C"),
        ("text", "t2.1", "c"),
        ("label", "t2.2", "D"),
        ("text", "t2.2", "d"),
    ]


GROUPED = (
    "<table>{}<tr><th>Name</th><th>Use</th></tr><tr><td colspan=2>Files</td></tr><tr><td>a</td><td>one</td></tr>"
    "<tr><td>b</td><td>two</td></tr><tr><th colspan=2>Folders</th></tr><tr><td>c</td><td>three</td></tr>"
    "<tr><td colspan=2>{}</td></tr></table>"
)


@pytest.mark.parametrize("end", ["All of them are kept.", "See below"])
def test_a_row_over_all_columns_is_the_title_of_the_rows_below_it(end: str) -> None:
    blocks = read(GROUPED.format("", end)).blocks
    assert [(block.role, block.path, block.header, block.text) for block in blocks] == [
        ("caption", "f1", "", "Files"),
        ("text", "f1", "| Name | Use |", "| a | one |\n| b | two |"),
        ("caption", "f1", "", "Folders"),
        ("text", "f1", "| Name | Use |", "| c | three |"),
        ("text", "f1", "", end),
    ]


def test_a_first_row_over_all_columns_is_not_the_header() -> None:
    body = "<table><caption>T</caption><tr><th colspan=2>All</th></tr><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>"
    assert [(block.role, block.header, block.text) for block in read(body).blocks] == [
        ("caption", "", "T"),
        ("caption", "", "All"),
        ("text", "| A | B |", "| 1 | 2 |"),
    ]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("<tr><td colspan=2></td></tr>", ["| a | b |\n| c | d |"]),
        ('<tr id="x"><td colspan=2>Files</td></tr>', ["| a | b |", "| Files |", "| c | d |"]),
        ("<tr><td>Files</td></tr>", ["| a | b |\n| Files |\n| c | d |"]),
        ("<tr><td colspan=2>One whole sentence.</td></tr>", ["| a | b |", "One whole sentence.", "| c | d |"]),
    ],
)
def test_other_rows_with_a_single_cell_are_no_titles(row: str, expected: list[str]) -> None:
    body = f"<table><tr><td>a</td><td>b</td></tr>{row}<tr><td>c</td><td>d</td></tr></table>"
    assert texts(body) == expected
    assert {role for role, *_ in rows(body)} == {"text"}


def test_a_column_that_only_indents_the_rows_below_their_title_is_left_out() -> None:
    row = "<tr><td></td><td>{}</td><td>{}</td></tr>"
    body = f"<table><tr><td colspan=3>Options</td></tr>{row.format('-a', 'all')}{row.format('-b', '')}</table>"
    assert texts(body) == ["Options", "| -a | all |\n| -b |  |"]
    assert texts(body.replace("colspan=3", "")) == ["| Options |\n|  | -a | all |\n|  | -b |  |"]


@pytest.mark.parametrize(
    ("cells", "role"),
    [
        (["<a href=a.html>1 A</a>", "&nbsp;<a href=b.html>2 B</a>"], "links"),
        (["<a href=a.html>1 A</a>", "About B"], "text"),
        (["<a href=a.html><code>a</code></a>", "<a href=b.html><code>b</code></a>"], "text"),
        (["<a href=a.html>A</a></td><td><a href=b.html>B</a>"], "text"),
    ],
)
def test_a_column_of_nothing_but_links_is_a_list_of_pages(cells: list[str], role: str) -> None:
    body = "".join(f"<tr><td>{cell}</td></tr>" for cell in cells)
    assert [found for found, *_ in rows(f"<table>{body}</table>")] == [role]


RDOC = (
    '<main><h1 id="class-Kiln" class="class">class Kiln</h1><section class="description"><p>A kiln.</p></section>'
    '<section class="method-section"><header><h3>Attributes</h3></header>'
    '<div id="attribute-i-heat" class="method-detail"><div class="method-heading"><span class="method-name">heat</span>'
    '<span class="attribute-access-type">[RW]</span></div><div class="method-description"><p>How hot.</p></div></div>'
    '</section><section id="methods" class="method-section"><header><h3>Public Instance Methods</h3></header>'
    '<div id="method-i-fire" class="method-detail "><div class="method-heading"><span class="method-name">fire</span>'
    '<span class="method-args">(clay, hours = 8)</span><span class="method-click-advice">click to toggle source</span>'
    '</div><div class="method-description"><p>Fires clay.</p><h4 id="method-i-fire-label-Glaze">Glaze</h4><p>Melts.</p>'
    '<div class="method-source-code" id="fire-source"><pre>def fire(clay, hours = 8)</pre></div></div>'
    '<div class="aliases">Also aliased as: <a href="#method-i-burn">burn</a></div></div>'
    '<div id="method-i-cool" class="method-detail"><div class="method-header">'
    '<div class="method-heading"><a href="#method-i-cool"><span class="method-callseq">cool(hours) → kiln</span></a></div>'
    '<div class="method-heading"><a href="#method-i-cool"><span class="method-callseq">cool → kiln</span></a></div></div>'
    '<div class="method-controls"><details><summary>Source</summary></details></div>'
    '<div class="method-description"><p>Waits.</p></div></div><p>After.</p></section></main>'
)


def test_the_methods_and_attributes_of_rdoc_are_sections() -> None:
    parsed = read(RDOC)
    assert [(section.anchor, section.title, section.breadcrumb[2:]) for section in parsed.sections[1:]] == [
        ("class-Kiln", "class Kiln", ()),
        ("attribute-i-heat", "heat", ()),
        ("methods", "Public Instance Methods", ()),
        ("method-i-fire", "fire(clay, hours = 8)", ("Public Instance Methods",)),
        ("method-i-fire-label-Glaze", "Glaze", ("Public Instance Methods", "fire(clay, hours = 8)")),
        ("method-i-cool", "cool(hours) → kiln", ("Public Instance Methods",)),
    ]
    shown = [
        (parsed.sections[block.section].anchor, block.text) for block in parsed.blocks if block.role != "furniture"
    ]
    assert shown == [
        ("class-Kiln", "A kiln."),
        ("class-Kiln", "Attributes"),
        ("attribute-i-heat", "How hot."),
        ("method-i-fire", "Fires clay."),
        ("method-i-fire-label-Glaze", "Melts."),
        ("method-i-fire", "Also aliased as: burn"),
        ("method-i-cool", "cool(hours) → kiln\ncool → kiln"),
        ("method-i-cool", "Waits."),
        ("methods", "After."),
    ]


def test_a_box_of_rdoc_that_no_link_leads_to_is_text() -> None:
    box = '<div class="method-detail"><div class="method-heading">fire</div><p>Fires clay.</p></div>'
    assert texts(box) == ["fire", "Fires clay."]


@pytest.mark.parametrize("name", ["method-controls", "method-click-advice"])
def test_the_classes_of_the_buttons_of_rdoc_may_mean_text_elsewhere(name: str) -> None:
    assert texts(f'<div class="{name}"><p>How the method controls the kiln.</p></div>') == [
        "How the method controls the kiln."
    ]
