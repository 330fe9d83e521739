"""Reading and cutting a page takes work in proportion to its size, however it is made."""

from __future__ import annotations

import random
import time

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode
from tests.plugin.made import cut
from tests.plugin.pages import page
from tests.work import GROWTH, TIMES_LONGER, is_linear, lines_run

from trueref_plugin.reading.guarding.nesting import MAX_DEPTH
from trueref_plugin.reading.guarding.prescan import why_odd
from trueref_plugin.reading.page_links import read_links
from trueref_plugin.reading.parse import parse_page

MAX_GROWTH = 5.5
"""How many times as many lines run for a page that is four times as long. What is quadratic runs up to 16 times as many."""

MAX_ORDINARY_PAGES = 10.0
"""How many lines run for a page, in pages of as many characters that hold short paragraphs. The most counted is 6.2."""

LONG_PAGE = 80_000
"""Characters of the pages that are timed. In shorter ones what lexbor does is too fast to be seen."""

PIECES = [
    "<p>x",
    "<p>x</p>",
    "<li>a",
    "<ul><li>a</ul>",
    "<ol><li><pre>a</pre></ol>",
    "<h2>a</h2>",
    "<h2 id=@>a</h2>",
    "<h2 id=@>a</h2>b",
    "<pre>a</pre>",
    "<pre>a</pre>b",
    "<dt>a<dd>b",
    "<dt id=@>a<dd>b",
    "<dl><dt id=@>a</dl>b",
    "<a href=x>*</a>",
    "<a id=@></a><h2>b</h2>",
    "<div role=tablist><a role=tab>a</a></div>",
    "<div role=tablist><a role=tab>a</a></div><div role=tabpanel>a</div>",
    "<div class=tabbed-set><div class=tabbed-labels><label>a</label></div><div class=tabbed-content>b</div></div>",
    "<table><tr><td>a</table>",
    "<table><tr id=@><td>a</table>",
    "<table rules=none><tr><td width=11%><td>a<td><td>b</table>",
    "<p style=margin-left:11%><b>a</b><p style=margin-left:22%>b",
    "<p style=margin-left:11%><b>a</b><p style=margin-left:22%><b>b</b>",
    "<p style=margin-left:11%><b>a</b><p style=margin-left:22%>b<p style=margin-left:22%><b>c</b><p style=margin-left:33%>d",
    "<p style=margin-left:11%><b>a</b><p style=margin-left:22%>b<p hidden style=margin-left:22%>c",
    "<table rules=none><tr><td width=11%><td>1.<td><td>b<pre>c</pre></table>",
    "<ul><li><a href=#@>a</a></ul><p id=@><b>a</b><br>b <a href=#@>c</a>",
    "<details><summary>a</summary>b</details>",
    "<section id=@><h2>a</h2></section>",
    "<div id=@><h2>a</h2></div>",
    "<div id=@><div>b</div><h2>a</h2></div>",
    "<p><a id=@><b>a</b></a><br>b",
    "<dl class=a><dt id=@>a<dd></dl><p>b",
    "<dl><dt><a href=#a>b</a></dl>",
    "<section><h2>a</h2></section>",
    "<div class=footnote><p id=@>a</p></div>",
    "a<sup><a class=footnote-ref href=#@>1</a></sup>",
    "<div class=highlight><span class=filename>a</span><pre>a</pre></div>",
    "<span><div>a</div></span>",
    "x<br>",
    "<a class=header-anchor href=#a>x</a>",
    "<button>x</button>",
    "<div class=header><a rel=next>a</a></div>",
    "<div class=note><table><tr><td>a</table></div>",
    "<div class=admonitionblock><table><tr><td class=icon>a</table></div>",
    "<footer>a</footer>",
    "<div id=footer>a</div>",
    "<details><summary>Contents</summary>a",
    "<article>a</article>",
    "<article><h1>a</h1></article>",
    "<div class=fragment><div class=line>a</div></div>",
    "<pre class='sourceCode sh'>a</pre>",
    "<dt>a<span class=classifier>b</span><dd>c</dd>",
    "<section id=@><a class=anchor></a><h2>a</h2></section>",
    "<ol><li>a?<p>b<li>c?<p>d</ol>",
    "<ol><li>a?<p>b<li><p id=@>c?</p>d</ol>",
    "<table><tr><td colspan=2>a<tr><td>b<td>c</table>",
    "<table class=boxed><tr><td><p class=RBackgroundLabel>a</p><a name=@>b</a></table>",
    "<table><tr class=memitem:a><td>b<td>c<tr class=memdesc:a><td>d</table>",
    "<ul><li><p><a id=@></a><b>a</b><p>b</ul>",
    "<ul id=@><li><b>a</b> b</ul><pre>c</pre>",
    "<p>a</p><blockquote><div>b</div></blockquote>",
    "<section id=@><h1>a</h1></section>",
    "<ul><li><h2 id=@>a</h2>b</ul>",
    "<pre>\x1b[0;0</pre>",
    "\x1b]0\x1b[0 ",
    "<x>a</x>",
    "<x><p>a</p></x>",
    "<pre>All of the words in this line\nare read as they are.</pre>",
]
"""`@` is another name each time."""
TITLE = "a long title " * 80
AROUND = {
    "nothing": ("", ""),
    "a box": ("<div>", "</div>"),
    "boxes": ("<div>" * 40, "</div>" * 40),
    "tables": ("<table><tr><td>" * 20, "</table>" * 20),
    "tabs": ("<div class=tabbed-set><div class=tabbed-labels><label>a</label></div><div class=tabbed-content><div>" * 12, "</div></div></div>" * 12),
    "lists": ("<ul><li><div>" * 20, "</div></ul>" * 20),
    "lines": ("<span>" * 20, "<div></div>" + "</span>" * 20),
    "a heading": ("<h1 id=h>", "</h1>"),
    "a long heading": (f"<h1 id=h>{TITLE}</h1>", ""),
    "code": ("<div class=highlight>", "<i class=linenos></i></div>"),
    "terms": (f"<dl><dt id=@>{TITLE}<dd>" * 20, "</dl>" * 20),
    "a long id": ("<h1 id=" + "a" * 5_000 + ">a</h1>", ""),
}  # fmt: skip


def made(piece: str, around: str, size: int) -> str:
    """A page of about so many characters of a piece."""
    before, after = AROUND[around]
    text = before + piece * (size // len(piece)) + after
    parts = text.split("@")
    named = "".join(f"{part}n{number}" for number, part in enumerate(parts[:-1]))
    return page(named + parts[-1])


def lines_to_read(html: str) -> int:
    """The lines of our own code that run while a page is looked at, read and cut."""
    return lines_run(lambda: read_whole(html))


def read_whole(html: str) -> None:
    """All that is done with a page: looks at it, reads it, cuts it, and reads its links."""
    why_odd(html)
    cut(parse_page(html))
    read_links(html)


@pytest.mark.parametrize("piece", PIECES)
def test_the_lines_run_for_a_page_grow_with_its_length(piece: str) -> None:
    for around in ("a box", "tables"):
        short, long = (lines_to_read(made(piece, around, size)) for size in (1_500, 6_000))
        assert long < MAX_GROWTH * short, f"in {around}: {short:,}, then {long:,}"


@pytest.mark.parametrize("tag", ["h2", "pre"])
def test_text_under_many_boxes_is_read_as_fast_as_under_one(tag: str) -> None:
    def made_of(depth: int) -> str:
        return page(f"<{tag}>{'<div>' * depth}{'x<i>y</i>' * 400}{'</div>' * depth}</{tag}>")

    read_whole(made_of(1))  # What is made only once is no part of a page.
    shallow, deep = (lines_to_read(made_of(depth)) for depth in (1, 60))
    assert deep < 2 * shallow, f"{shallow:,}, then {deep:,}"


def test_badges_within_a_badge_behind_long_text_are_read_once() -> None:
    def read(badges: str) -> None:
        parse_page(page(f"<p>{'word ' * (len(badges) // 5)}<b class=badge>{badges}</b> word"))

    assert is_linear(read, "<b class=badge>1</b>", longest=800_000)


@pytest.mark.long
@pytest.mark.parametrize("around", AROUND)
def test_a_page_read_in_process_costs_as_much_as_a_few_ordinary_ones(around: str) -> None:
    plain = made("<p>a</p>", "nothing", 4_000)
    read_whole(plain)  # What is made only once is no part of a page.
    ordinary = lines_to_read(plain) / len(plain)
    most = 0.0
    for piece in PIECES[::3]:
        html = made(piece, around, 4_000)
        if why_odd(html) is not None:
            continue
        short, long = lines_to_read(made(piece, around, 1_000)), lines_to_read(html)
        assert long < MAX_GROWTH * short, f"{piece} in {around}: {short:,}, then {long:,}"
        cost = long / len(html) / ordinary
        most = max(most, cost)
        assert cost < MAX_ORDINARY_PAGES, f"{piece} in {around}: {cost:.1f} ordinary pages"
    print(f"in {around}: {most:.1f} ordinary pages at most")


def times_as_long(piece: str, around: str) -> float:
    """How many times as much processor time a page takes as one with a sixteenth of its pieces."""

    def seconds(size: int) -> float:
        html = made(piece, around, size)
        started = time.process_time()
        read_whole(html)
        return time.process_time() - started

    shorter = seconds(LONG_PAGE // TIMES_LONGER)
    return seconds(LONG_PAGE) / shorter


# Regular expressions look at a page, and lexbor parses it, selects elements and gives their texts. Each is one call of C:
# no lines can be counted there, so the times of two pages are compared, generously.
@pytest.mark.long
@pytest.mark.parametrize("around", AROUND)
def test_no_call_of_the_parser_takes_longer_than_in_proportion_to_the_page(around: str) -> None:
    # Other pieces in each, and all of them together: a long page takes a third of a second.
    for piece in PIECES[list(AROUND).index(around) % 7 :: 7]:
        if why_odd(made(piece, around, LONG_PAGE)) is None:
            # What else the machine does is seldom there three times.
            assert any(times_as_long(piece, around) < GROWTH for _ in range(3)), f"{piece} in {around}"


NAMES = (
    "a b i code nobr font span x-y p div ul ol li dl dt dd h1 h2 table tr td th tbody caption colgroup col form button "
    "select option optgroup object marquee template svg math foreignobject desc title mi style script textarea xmp "
    "iframe noscript pre section search dialog details summary br hr img input ruby rt rb rp body html frameset g path "
    "annotation-xml label article main menu hgroup center dir listing address figcaption figure noembed noframes "
    "plaintext tfoot embed keygen image"
).split()
SIGNS = ("x", "<!--", "-->", "<![CDATA[", "]]>", "<?", '"', "'", "<", "</ ", ">", "<!-->", "<!--->", "--!>", "\0")
ATTRIBUTES = (" ", " a=1", ' a="</div>"', "/", " a=b='", '="', '="x">')
SEED = 13


def chance_page(chance: random.Random) -> str:
    """Some tags and signs, many times over."""
    names = chance.sample(NAMES, chance.randint(1, 6))
    parts: list[str] = []
    opened: list[str] = []
    for _ in range(chance.randint(1, 14)):
        kind = chance.random()
        if kind < 0.45:
            opened.append(chance.choice(names))
            parts.append(f"<{opened[-1]}{chance.choice(ATTRIBUTES) if chance.random() < 0.3 else ''}>")
        elif kind < 0.6 and opened:
            parts.append(f"</{opened.pop()}>")
        else:
            parts.append(f"</{chance.choice(names)}>" if kind < 0.85 else chance.choice(SIGNS))
    before = "".join(f"<{chance.choice(names)}>" for _ in range(chance.randint(0, 3)))
    return before + "".join(parts) * 200


def nodes_and_depth(html: str) -> tuple[int, int]:
    root = LexborHTMLParser(html).root
    assert root is not None
    nodes, deepest = 0, 0
    left: list[tuple[LexborNode, int]] = [(root, 0)]
    while left:
        node, depth = left.pop()
        nodes, deepest = nodes + 1, max(deepest, depth)
        child = node.first_child
        while child is not None:
            left.append((child, depth + 1))
            child = child.next
    return nodes, deepest


def test_what_is_parsed_in_process_is_neither_deep_nor_copied() -> None:
    """Whatever passes: the parser makes no more of it than a node a tag and a text, and nests it no deeper than told."""
    chance = random.Random(SEED)
    passed = 0
    for _ in range(1_000):
        html = chance_page(chance)
        if why_odd(html) is None:
            nodes, depth = nodes_and_depth(html)
            passed += 1
            assert depth <= MAX_DEPTH + 20, f"{depth} deep with seed {SEED}: {html[:200]}"
            assert nodes <= 4 * html.count("<") + 50, f"{nodes} nodes with seed {SEED}: {html[:200]}"
    print(f"seed {SEED}: {passed} of 1,000 pages passed")
    assert passed > 200
