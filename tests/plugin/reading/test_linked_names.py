"""Lines that begin with a bold link to their own place: the names of options and commands, as haproxy-dconv writes them."""

from __future__ import annotations

import pytest
from tests.plugin.pages import kinds, placed, read, titles
from tests.work import is_linear


def entry(name: str, place: str, rest: str = "") -> str:
    """A name as haproxy-dconv writes it. Its short anchor may stand elsewhere too, so that the link needs another."""
    anchors = f'<a class="anchor" name="{name}"></a><a class="anchor" name="{place}"></a>'
    link = f'<a href="#{place.replace(" ", "%20")}">{name}</a>'
    return f'{anchors}<div class="keyword"><b><a class="anchor" name="{name}"></a>{link}</b>{rest}</div>'


BODY = (
    '<h2 id="limits">Limits</h2><p>All limits.</p>'
    f"{entry('size', '3.1-size', ' <span>&lt;bytes&gt;</span>')}<p>The size.</p>"
    '<h2 id="proxies">Proxies</h2>'
    f"{entry('size', '4.2-size')}<p>Another size.</p>"
    f"{entry('keep open', '4.2-keep open')}\n{entry('no keep open', '4.2-no keep open')}<p>Kept open, or not.</p>"
    "<h3 id=more>More</h3><p>After.</p>"
)


def test_such_a_name_begins_a_section_which_the_next_name_or_heading_ends() -> None:
    assert placed(BODY) == [
        ("limits", "All limits."),
        ("3.1-size", "The size."),
        ("4.2-size", "Another size."),
        ("4.2-keep open", "no keep open"),
        ("4.2-keep open", "Kept open, or not."),
        ("more", "After."),
    ]
    assert titles(BODY)[1] == ("3.1-size", "size <bytes>")
    assert read(BODY).sections[2].breadcrumb == ("Page", "Limits")


def test_all_anchors_of_a_name_lead_to_its_section() -> None:
    found = read(BODY)
    sections = {anchor.anchor: found.sections[anchor.section].anchor for anchor in found.anchors}
    assert sections["no keep open"] == sections["4.2-no keep open"] == "4.2-keep open"
    assert sections["3.1-size"] == "limits"


@pytest.mark.parametrize(
    "line",
    [
        "<div><b><a href='#elsewhere'>size</a></b> is set there.</div>",
        "<div><b>Size</b> <a name=a></a><a href='#a'>here</a></div>",
        "<div>See <a name=a></a><b><a href='#a'>size</a></b>.</div>",
        "<a name=a></a><div><b><a href='#a'>size</a></b><p>More of it.</p></div>",
        "<a name=a></a><div><b><a href='#'>size</a></b></div>",
        "<a name=a></a><div><b><a href='#a'></a></b> size</div>",
        "<div id=a><b><a href='#a'>--size</a></b> This option sets the size. It takes a number.</div>",
        "<div id=a><b><a href='#a'>What is it?</a></b><br>The size of a kiln</div>",
    ],
)
def test_other_lines_begin_no_section(line: str) -> None:
    assert titles(line) == []


def test_a_name_whose_anchor_stands_twice_is_a_term() -> None:
    twice = f"{entry('size', '1-size')}<p>One.</p>{entry('size', '1-size')}<p>Two.</p>"
    assert kinds(twice) == [("prose", "One."), ("definition", "size"), ("prose", "Two.")]


@pytest.mark.parametrize(
    "piece", ["<a name=a></a>", "<div><b><a href='#a'></a></b></div>", "<div><b><a href='#a'>a</a></b></div>"]
)
def test_names_are_read_in_linear_time(piece: str) -> None:
    assert is_linear(kinds, piece, "<div><b><a href='#a'>a</a></b></div>", longest=20_000)
