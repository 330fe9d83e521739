"""The tables of members that Doxygen writes above their descriptions."""

from __future__ import annotations

from tests.plugin.pages import placed, read, texts
from tests.plugin.reading.test_block_roles import rows

MEMBERS = (
    '<h1 id="ring">Ring</h1><p>A ring. <a href="#details">More...</a></p><table class="memberdecls"><tr class="heading">'
    '<td colspan="2"><h2 class="groupheader"><a name="func-members"></a>Functions</h2></td></tr>'
    '<tr class="memitem:g1"><td class="memItemLeft">int&#160;</td><td class="memItemRight"><a class="el" href="#g1">push</a> '
    '(int value)</td></tr><tr class="memdesc:g1"><td class="mdescLeft">&#160;</td><td class="mdescRight">Adds a value. '
    '<a href="#g1">More...</a><br /></td></tr><tr class="separator:g1"><td class="memSeparator" colspan="2">&#160;</td></tr>'
    '<tr class="memitem:g2"><td class="memTemplParams" colspan="2"><a id="g2"></a>template&lt;typename T&gt; </td></tr>'
    '<tr class="memitem:g2"><td class="memTemplItemLeft">T&#160;</td><td class="memTemplItemRight"><b>pop</b> ()</td></tr>'
    '<tr class="memdesc:g2"><td class="mdescLeft">&#160;</td><td class="mdescRight">Takes a value. <br /></td></tr>'
    '<tr class="memitem:"><td class="memItemLeft">&#160;</td><td class="memItemRight"><a class="el" href="m.html">Macros</a></td>'
    "</tr></table><p>After.</p>"
)


def test_a_declaration_is_a_term_or_a_section_with_what_the_member_is_for() -> None:
    assert rows(MEMBERS) == [
        ("text", "prose", "", "A ring."),
        ("term", "definition", "d1.1", "int push (int value)"),
        ("text", "definition", "d1.1", "Adds a value."),
        ("text", "code", "d2.1", "template<typename T> T pop ()"),
        ("text", "definition", "d2.1", "Takes a value."),
        ("term", "definition", "d3.1", "Macros"),
        ("text", "prose", "", "After."),
    ]
    assert [anchor for anchor, _ in placed(MEMBERS)] == [
        "ring",
        "func-members",
        "func-members",
        "g2",
        "g2",
        *["func-members"] * 2,
    ]
    assert [section.title for section in read(MEMBERS).sections if section.anchor == "g2"] == ["pop ()"]
    assert {link.target for link in read(MEMBERS).links} == {"#g1", "m.html"}


def test_other_links_that_say_more_are_kept() -> None:
    assert texts('<p>See <a href="more.html">More...</a></p><p><a href="#details">The details</a></p>') == [
        "See More...",
        "The details",
    ]


def test_code_in_a_sentence_of_docutils_is_code() -> None:
    assert texts('<p>Set <span class="docutils literal">dir</span> in <span class="pre">it</span>.</p>') == [
        "Set `dir` in it."
    ]
