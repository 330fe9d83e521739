"""What manuals show only to a pointer or after a click, and pictures that stand for words."""

from __future__ import annotations

import pytest
from tests.plugin.pages import kinds, read, texts, titles
from tests.plugin.reading.test_block_roles import rows

from trueref_plugin.reading.parse import parse_page

MENU_OF_BOOTSTRAP_2 = (
    '<span class="dropdown"><a class="dropdown-toggle" data-toggle="dropdown" href="#">crt<span class="caret"></span></a>'
    '<ul class="dropdown-menu"><li class="dropdown-header">This keyword is available in :</li><li><a href="#b">Bind</a></li>'
    '<li class="divider"></li></ul></span>'
)
MENU_OF_BOOTSTRAP_5 = (
    '<span class="dropdown"><a class="dropdown-toggle" data-bs-toggle="dropdown" href="#">crt</a>'
    '<div class="dropdown-menu"><a class="dropdown-item" href="#b">Bind</a></div></span>'
)


@pytest.mark.parametrize("menu", [MENU_OF_BOOTSTRAP_2, MENU_OF_BOOTSTRAP_5])
def test_a_menu_that_a_link_opens_does_not_end_a_sentence(menu: str) -> None:
    assert kinds(f'<div>See "{menu}" first.</div>') == [("prose", 'See "crt" first.')]
    assert kinds(f'<ul><li>See "{menu}" first.</li></ul>') == [("list", '- See "crt" first.')]
    assert kinds(f"<pre>bind :443\n  {menu} a.pem\n</pre>") == [("code", "bind :443\n  crt a.pem")]


def test_blocks_beside_a_menu_are_blocks() -> None:
    assert texts(f"<div>Before. <span>{MENU_OF_BOOTSTRAP_2}<ul><li>a</li></ul></span></div>") == [
        "Before.",
        "crt",
        "- a",
    ]
    assert texts('<div>Before. <span class="dropdown"><ul><li>a</li></ul></span></div>') == ["Before.", "- a"]


def test_the_places_that_refer_to_an_object_of_mkdocstrings_are_left_out() -> None:
    backlinks = (
        '<div class="doc doc-backlinks"><b class="doc doc-backlink-type">Referenced by:</b><ul class="doc doc-backlink-list">'
        '<li class="doc doc-backlink"><span class="doc doc-backlink-crumb last"><a href="g#x">Guide</a></span></li></ul></div>'
    )
    assert texts(f'<div class="doc doc-contents"><p>Loads it.</p>{backlinks}</div>') == ["Loads it."]


@pytest.mark.parametrize(
    "diagram", ['<pre class="mermaid"><code>graph LR\n  A</code></pre>', '<div class="mermaid">graph LR\n  A</div>']
)
def test_the_source_of_a_diagram_that_a_script_draws_is_left_out(diagram: str) -> None:
    assert texts(f"<p>a</p>{diagram}<ul><li>b{diagram}</li></ul>") == ["a", "- b"]
    assert texts(f'<h2 id="x">X</h2>{diagram}') == ["X"]


@pytest.mark.parametrize(
    "code",
    [
        '<div class="language-mermaid highlight"><pre><code>graph LR</code></pre></div>',
        '<pre><code class="language-mermaid">graph LR</code></pre>',
        '<pre><code class="mermaid">graph LR</code></pre>',
    ],
)
def test_the_source_of_a_diagram_that_readers_see_is_code(code: str) -> None:
    assert kinds(code) == [("code", "graph LR")]


NIM = (
    '<h1><a class="toc-backref" id="12" href="#12">Procs</a></h1><dl class="item"><div id="accept,Socket"><dt><pre>'
    '<span class="Keyword">proc</span> <a href="#accept%2CSocket"><span class="Identifier">accept</span></a>'
    '<span class="Other">(</span><span class="Identifier">s</span><span class="Other">)</span> '
    '<span class="Other">{.</span><span class="Other pragmadots">...</span><span class="pragmawrap">'
    '<span class="Identifier">raises</span><span class="Other">:</span> <span class="Other">[]</span></span>'
    '<span class="Other">.}</span></pre></dt><dd>Accepts it. <a href="https://x.org/net.nim#L1" class="link-seesrc" '
    'target="_blank">Source</a>&nbsp;&nbsp;<a href="https://x.org/edit/net.nim#L1" class="link-seesrc" '
    'target="_blank">Edit</a></dd></div></dl>'
)


def test_an_object_of_nim_has_no_links_to_its_source_and_no_folded_pragmas() -> None:
    shown = [text for _, text in kinds(NIM)]
    assert shown[-1] == "Accepts it."
    assert "{.....}" in "".join([*shown, *(title for _, title in titles(NIM))])
    assert "raises" not in "".join([*shown, *(title for _, title in titles(NIM))])


def test_a_note_of_prolog_that_only_a_pointer_shows_is_left_out() -> None:
    note = '<sup class="fn">194<span class="fn-text">Up to version 9, it <b>failed</b>.</span></sup>'
    assert texts(f"<p>It raises an error.{note} The stack stays.</p>") == ["It raises an error. The stack stays."]
    assert texts('<p>x<sup class="fn">2</sup></p>') == ["x2"]


def test_a_predicate_of_prolog_begins_with_its_name() -> None:
    body = (
        '<dl class="latex"><dt class="pubdef"><span class="pred-tag">[det]</span><a id="atom_to_chars/2"><strong>'
        "atom_to_chars</strong>(<var>+Atom, -Codes</var>)</a></dt><dd class=defbody>Convert it.</dd></dl>"
    )
    assert titles(body) == [("atom_to_chars/2", "atom_to_chars(+Atom, -Codes)")]
    assert texts(body) == ["Convert it."]


def test_the_title_of_doxygen_is_without_the_groups_of_its_page() -> None:
    html = (
        '<html><head><title>GLFW: Error codes</title></head><body><div class="header"><div class="headertitle">'
        '<div class="title">Error codes<div class="ingroups"><a class="el" href="group__init.html">Initialization</a>'
        '</div></div></div></div><div class="contents"><p>Text.</p></div></body></html>'
    )
    assert parse_page(html).title == "Error codes"


TABLE = "<table><tr><th>keyword</th><th>defaults</th><th>frontend</th></tr><tr><td>acl</td><td>{}</td><td>&nbsp;</td></tr></table>"


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ('<img src="check.png" alt="X" title="yes">', "yes"),
        ('<a href="#a"><img src="check.png" alt="yes | no"></a>', "yes \\| no"),
        ('<img src="a.png" alt="one"> <img src="space.png" alt=""> <img src="b.png" alt="two">', "one two"),
        ('<img src="check.png" alt="X" title="yes"> since 2.0', "since 2.0"),
        ('<img src="check.png" alt="yes" aria-hidden="true">', ""),
        ('<img src="check.png">', ""),
        ('<img src="check.png" alt="✅" title=":white_check_mark:">', "✅"),
        ('<img src="check.png" title=":white_check_mark:">', ":white_check_mark:"),
    ],
)
def test_a_cell_without_text_says_what_its_pictures_show(cell: str, text: str) -> None:
    (block,) = read(TABLE.format(cell)).blocks
    assert block.text == f"| acl | {text} |  |"


def test_a_row_of_nothing_but_pictures_is_not_read() -> None:
    pictures = '<tr><td><img src="a.png" alt="The moon"></td><td><img src="b.png" alt="The sun"></td></tr>'
    assert texts(f"<table>{pictures}<tr><td>Moon</td><td>Sun</td></tr></table>") == ["| Moon | Sun |"]


def test_the_bar_of_gtk_doc_is_furniture() -> None:
    cell = '<td><a accesskey="n" href="b.html"><img src="right.png" width="16" border="0" alt="Next"></a></td>'
    bar = f'<table class="navigation" id="top" width="100%"><tr><td class="shortcuts"><a href="#">Top</a></td>{cell}</tr></table>'
    assert [(role, text) for role, _, _, text in rows(bar)] == [("furniture", "| Top | Next |")]
    table = '<table class="navigation"><tr><td>Sextant</td><td><a href="b.html">Measures angles.</a></td></tr></table>'
    assert [role for role, *_ in rows(table)] == ["text"]
