"""Entries of Scribble, the generator of the Racket manuals: boxes without headings, each with a description behind it."""

from __future__ import annotations

from tests.plugin.pages import placed, read, texts
from tests.plugin.reading.test_block_roles import rows

LABEL = '<div class="RBackgroundLabel SIEHidden"><div class="RBackgroundLabelInner"><p>{}</p></div></div>'
PROCEDURE = (
    '<p><div class="SIntrapara"><blockquote class="SVInsetFlow"><table class="boxed RBoxed"><tr><td><blockquote class="SubFlow">'
    f'{LABEL.format("procedure")}<p class="RForeground">(<a name="(def._turn)"></a><span title="Provided from: ring">'
    '<span class="RktSym"><a href="#%28def._turn%29" class="RktValDef RktValLink">turn</a></span></span>'
    '<span class="hspace">&nbsp;</span>n) &rarr; void?</p></blockquote></td></tr><tr><td>&nbsp;&nbsp;n : integer?</td></tr></table>'
    "</blockquote></div><div class=SIntrapara> Turns the ring.</div></p>"
)
SYNTAX = (
    f'<table class="boxed RBoxed"><tr><td><blockquote class="SubFlow">{LABEL.format("syntax")}<table class="RktBlk RForeground">'
    '<tr><td>(<a name="(form._ring)"></a><a href="#(form._ring)" class="RktStxDef RktStxLink">ring</a> id</td></tr>'
    "<tr><td>&nbsp;&nbsp;option ...)</td></tr></table></blockquote></td></tr><tr><td>&nbsp;</td></tr><tr><td>"
    '<table class="specgrammar"><tr><td>option</td><td>=</td><td><table class="RktBlk"><tr><td></td></tr></table></td></tr>'
    "<tr><td>&nbsp;</td><td>|</td><td>#:size</td></tr></table></td></tr></table><p>Makes a ring.</p>"
)
BODY = f'<h4 id="rings">Rings</h4><p>About them.</p>{PROCEDURE}{SYNTAX}<h4 id="more">More</h4><p>After.</p>'


def test_an_entry_is_a_section_up_to_the_next_entry_or_heading() -> None:
    assert placed(BODY) == [
        ("rings", "About them."),
        ("(def._turn)", "(turn n) → void?\nn : integer?"),
        ("(def._turn)", "Turns the ring."),
        ("(form._ring)", "(ring id\n\u00a0\u00a0option ...)\noption =\n| #:size"),
        ("(form._ring)", "Makes a ring."),
        ("more", "After."),
    ]
    sections = read(BODY).sections
    assert [(section.title, section.breadcrumb) for section in sections[2:4]] == [
        ("turn", ("Page", "Rings")),
        ("ring", ("Page", "Rings")),
    ]
    kinds = {anchor.anchor: anchor.kind for anchor in read(BODY).anchors}
    assert kinds["(def._turn)"] == kinds["(form._ring)"] == "object"


def test_an_entry_without_a_name_belongs_to_the_section_around_it() -> None:
    box = f'<table class="boxed"><tr><td>{LABEL.format("value")}x : integer?</td></tr></table>'
    assert placed(f"<h2 id=a>A</h2>{box}<p>b</p>") == [("a", "x : integer?"), ("a", "b")]


def test_a_box_without_a_label_is_a_table() -> None:
    assert [kind for _, kind, *_ in rows('<table class="boxed"><tr><td>a</td><td>b</td></tr></table>')] == ["table"]


def test_the_pieces_of_an_expression_in_a_sentence_are_one_piece_of_code() -> None:
    expression = (
        '<span class="RktPn">(</span><span class="RktSym"><a href="strings.html#turn" class="RktValLink">turn</a></span>'
        '<span class="hspace">&nbsp;</span><span class="RktVal">#t</span><span class="RktPn">)</span>'
    )
    body = f'<p>Use {expression} or <span class="RktVar">n</span>. <span class="hspace">&nbsp;</span>Next.</p>'
    assert texts(body) == ["Use `(turn #t)` or `n`. Next."]
    assert [(link.target, link.text) for link in read(body).links] == [("strings.html#turn", "turn")]
    assert texts('<p>A <span class="RktVal">`(a ,b)</span><span class="RktVal">c</span></p>') == ["A `(a ,b)`c`"]
