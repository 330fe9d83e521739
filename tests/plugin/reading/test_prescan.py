"""Which pages are parsed in this process, and that telling takes linear time."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from tests.conftest import SEED
from tests.plugin.pages import page, read
from tests.plugin.reading.test_linear import chance_page
from tests.work import is_linear

from trueref_core.text.sentences import split_sentences
from trueref_plugin.cutting.cut import lead_in
from trueref_plugin.cutting.text_run import make_run, overlap_start
from trueref_plugin.reading.guarding import prescan
from trueref_plugin.reading.guarding.decode import decode_page
from trueref_plugin.reading.guarding.nesting import MAX_DEPTH, Nesting
from trueref_plugin.reading.guarding.ordinary_runs import pass_over
from trueref_plugin.reading.guarding.prescan import MAX_ATTRIBUTES, MAX_BYTES, why_odd
from trueref_plugin.reading.head import refresh_target
from trueref_plugin.reading.markup.clean import clean_code, clean_text
from trueref_plugin.reading.parsed import Block


@pytest.mark.parametrize(
    "html",
    [
        "",
        page("<h2 id=x>X</h2><p>a</p>"),
        page('<svg><path d="' + "M 1 2 3 " * 5000 + '"/></svg>'),
        page("<p>a" * 5000),
        page("<ul>" + "<li>a" * 5000 + "</ul>"),
        page("<br>" * 5000),
        page("<div>" * (MAX_DEPTH - 10) + "</div>" * (MAX_DEPTH - 10)),
        page("<div>a</div>" * 5000),
        page("</div>" * 5000),
        page("<DIV>a</div>" * 5000),
        page('<p title="<div>">a</p>' * 5000),
        page("<p " + " ".join(f"a{number}" for number in range(200)) + ">a"),
        page("<p>1 < 2 and 2 > 1</p>" * 2000),
        page('<a title="a > b">a</a>' * 100),
        page("x" * 1_000_000),
        # What closes itself, or is closed by what follows: each rule many times over.
        *(
            page(piece * 5_000)
            for piece in (
                "<ul><li>a<li>b</ul>",
                "<ul><li><p>a<li><p>b</ul>",
                "<dl><dt>a<dd><p>b<dt>c</dl>",
                "<table><tr><td>a<td><p>b<tr><th>c</table>",
                "<table><caption>a<colgroup><col><thead><tr><th>a<tbody><tr><td>b</table>",
                "<select><optgroup><option>a<option>b</select>",
                "<div><p>a</div>",
                "<p>a<h2>b</h2>",
                "<p>a<hr>",
                "<ul><div>a</ul>",
                "<a>b<a>c</a>",
                '<svg><path d="M1"/><title>a</title><g><path></path></g></svg>',
                "<math><mi>a</mi></math>",
                "<script>if (a < b) '<div>'</script>",
                "<!-- <div> -->",
                "<!--><br>",
                "<textarea><div></textarea>",
                '<img src="' + "a" * 300 + '">',
            )
        ),
    ],
)
def test_ordinary_pages_are_parsed_in_this_process(html: str) -> None:
    assert why_odd(html) is None


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        ("x" * (MAX_BYTES + 1), "it has 4,000,001 characters"),
        ("<div>" * 151, "its elements are nested more than 150 deep"),
        ("<b>" * 100_000, "its inline elements are nested more than 24 deep"),
        ("<x-a><p></p>" * 100, "its inline elements are nested more than 24 deep"),
        ("<x><p></p>" * 100, "its inline elements are nested more than 24 deep"),
        ("<p " + "a " * 50_000 + ">", f"a tag has more than {MAX_ATTRIBUTES} attributes"),
        ("<p " + "a='1' b=\"2\" " * 500 + ">", f"a tag has more than {MAX_ATTRIBUTES} attributes"),
        ("<p " + "attribute-with-a-name\n" * 300, f"a tag has more than {MAX_ATTRIBUTES} attributes"),
        ("<p " + 'a="<" ' * 2000 + ">", f"a tag has more than {MAX_ATTRIBUTES} attributes"),
        ("<p " + "a='>' " * 2000 + ">", f"a tag has more than {MAX_ATTRIBUTES} attributes"),
        ("<p " + f"a='{'x' * 70}>' " * 300 + ">", f"a tag has more than {MAX_ATTRIBUTES} attributes"),
        ("<p " + 'a="1"' * 300 + ">", f"a tag has more than {MAX_ATTRIBUTES} attributes"),
        ("<p " + "a/" * 300 + ">", f"a tag has more than {MAX_ATTRIBUTES} attributes"),
        ("<div></b>" * 200, "its elements are nested more than 150 deep"),
        ("<DIV></b>" * 200, "its elements are nested more than 150 deep"),
        ('<div a="</div>">' * 200, "its elements are nested more than 150 deep"),
        # What is no tag in the places where it stands closes nothing.
        *(
            (piece * 100_000, "its elements are nested more than 150 deep")
            for piece in (
                "<div><!--</div>-->",
                "<div><!--></div-->",
                "<div><script></div></script>",
                "<div><textarea></div></textarea>",
                "<div><title></div ></title>",
                '<div a=b="><div a=b=">',
                "<div></ </div>",
                "<div><!</div>",
                "<div><?</div>",
                "<svg><g a=b/>",
                "<svg><input>",
                "<K><div></linkK>",
            )
        ),
        ('<div ="><div =">' * 200, "its elements are nested more than 150 deep"),
        # Out of order, so that the parser mends it: it ignores the end tag, or copies what was open.
        *(
            (piece, "its tags are not closed in order")
            for piece in (
                "<div><table></div></table>",
                "<b><p></b></p>",
                "<div><b></div>",
                "<p><b>a<p>",
                "<p><b><div>",
                "<li><b>a<li>",
                "<table><td><b>a<td>",
                "<span><p></span>",
                "<a><code><a>",
                "<h2><b>a</h3>",
                "<div><select></div>",
                "<svg><p>",
                "<svg><div>",
                "<select><xmp>",
                "<frameset>",
            )
        ),
        ("<svg><![CDATA[</svg>]]>", "it has a CDATA section"),
        ("<script><!--<script></script><div>", "it has a script within a script"),
        ("<body a=1>" * 9, "it has more than 8 tags of html, head and body"),
        (f"<div class='{'a ' * 10_001}'>", "a tag has more than 20,000 characters of attributes"),
    ],
)
def test_odd_pages_are_told_with_a_reason(html: str, reason: str) -> None:
    assert why_odd(html) == reason


@pytest.mark.parametrize(
    ("html", "left"),
    [
        ('a <span class="k">b</span> <a href=x><code>c</code></a><br/><!-- d --><p>', "<p>"),
        ("<p>a <em>b</em></p><p>c</p><div>", "<div>"),
        ('<svg viewBox="0 0 1 1"><path d="M1 2"/></svg><div>', "<div>"),
        # What is written in another way, or changes what is open, is looked at tag by tag.
        ("<span>a</b></span>", "<span>a</b></span>"),
        ("<a>b<a>c</a></a>", "<a>b<a>c</a></a>"),
        ("<span a='1'b='2'>c</span>", "<span a='1'b='2'>c</span>"),
        ("<span " + "a " * 17 + ">b</span>", "<span " + "a " * 17 + ">b</span>"),
        (f"<span a='{'x' * 1_001}'>b</span>", f"<span a='{'x' * 1_001}'>b</span>"),
        ("<svg><p>a</p></svg>", "<svg><p>a</p></svg>"),
        ("<SPAN>a</SPAN>", "<SPAN>a</SPAN>"),
        ("<em>a", "<em>a"),
    ],
)
def test_harmless_tags_are_passed_over_by_the_prescan(html: str, left: str) -> None:
    assert html[pass_over(html, 0, Nesting()) :] == left


@pytest.mark.parametrize(
    "before", ["<table><tr>", "<ul>", "<ol><li>", "<p>", "<a>", "<svg>", "<b>" * 24, "<div>" * 148, "<select>"]
)
def test_passing_over_harmless_tags_changes_no_verdict(before: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With every tag looked at, the same pages are odd, for the same reason."""
    chance = random.Random(SEED)
    pages = [before + chance_page(chance)[:2_000] for _ in range(150)]
    pages += [before + around + piece for around in ("", "</p>", "<div>") for piece in PASSED_OVER]
    found = [why_odd(html) for html in pages]
    monkeypatch.setattr(prescan, "pass_over", lambda _html, position, _nesting: position)
    assert found == [why_odd(html) for html in pages]


PASSED_OVER = (
    "<td>a</td>",
    "<td><p>a</p></td>",
    "<li>a <a href=x>b</a></li>",
    "<p>a</p>",
    "<a href=x>a</a>",
    "<span><a>b</a></span>",
    "<code><span>a</span></code>",
    "<svg><path d=M1/></svg>",
    "<svg><path d=M1 /></svg>",
    "<img src=a/>",
    "<label><em>a</em></label>",
)


PIECES = [
    "<",
    ">",
    "<a",
    "<a ",
    "<a b=",
    '"<',
    "<a b='",
    "</",
    " ",
    "=",
    "a=<",
    '=  "',
    "<div>",
    "<!--",
    "a",
    "&#",
    "x='y' ",
    "<a:",
    "\n",
    "<b>a</b>",
    "<a><em>",
    "<p><span>a</span>",
    "<li><a>b</a>",
    "<svg><path/>",
]


@pytest.mark.parametrize("piece", PIECES)
def test_the_prescan_takes_linear_time(piece: str) -> None:
    assert is_linear(why_odd, piece, longest=400_000)
    assert is_linear(lambda text: why_odd("<a " + text), piece, longest=400_000)


@pytest.mark.parametrize("piece", [*PIECES, "<meta ", "<meta charset", "<meta charset =", "charset=", "\0"])
def test_a_page_is_decoded_in_linear_time(piece: str) -> None:
    assert is_linear(lambda text: decode_page(text.encode()), piece, longest=400_000)
    assert is_linear(lambda text: decode_page(b"<meta " + text.encode()), piece, longest=400_000)


def overlap_of(text: str) -> int:
    return overlap_start(text, 0, len(text), len(text), lambda _: False)


def code_of(names: str) -> object:
    return read(f'<pre class="{names}">a</pre>')


@pytest.mark.long
@pytest.mark.parametrize(
    "piece", ["a", "a ", ". ", "中", "e\u0301", "👩\u200d", "\u0301", "🇩", "`", "-", "\n", "\u200d"]
)
@pytest.mark.parametrize(
    "work",
    [overlap_of, lambda text: make_run([Block("prose", text, 0)], None, 254), split_sentences, lead_in, clean_text, clean_code, refresh_target],
    ids=["overlap", "run", "sentences", "lead-in", "text", "code", "refresh"],
)  # fmt: skip
def test_texts_are_cut_in_linear_time(work: Callable[[str], object], piece: str) -> None:
    assert is_linear(work, piece, longest=80_000)


@pytest.mark.parametrize("piece", ["language-", "language-a ", " lang", "highlight-source-", "-", " ", "a"])
def test_the_language_of_code_is_found_in_linear_time(piece: str) -> None:
    assert is_linear(code_of, piece, longest=400_000)


@pytest.mark.long
@pytest.mark.parametrize(
    "piece",
    [
        "<p>a",
        "<p>a</p>",
        "<b>a</b> ",
        "<li>a",
        "<h2>a</h2>",
        '<h2 id="a">a</h2>',
        "<pre>a</pre>",
        "<dt>a<dd>b",
        "<code>a</code>",
        "<br>",
        "&amp;",
    ],
)
def test_an_ordinary_page_is_read_in_linear_time(piece: str) -> None:
    assert is_linear(read, piece, longest=80_000)
