"""What of a page is text: what leaves, what stays, and how the words come out."""

from __future__ import annotations

import re

import pytest
from tests.plugin.pages import kinds, page, read, texts

from trueref_plugin.reading.markup.clean import ADMONITION_CLASSES, DROPPED_CLASSES, DROPPED_TAGS, PERMALINKS
from trueref_plugin.reading.parse import parse_page


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>one\n   two</p>", ["one two"]),
        ("<p>one<br>two</p>", ["one\ntwo"]),
        ("<p>one<br>\n<br>two</p>", ["one\ntwo"]),
        ("<p>a <b>bo</b>ld <i>word</i>.</p>", ["a bold word."]),
        ("<p>one<wbr>two</p>", ["onetwo"]),
        ("<p>x<sup>2</sup></p>", ["x2"]),
        ("<p>5 &lt; 6 &amp;&nbsp;7 &notanentity;</p>", ["5 < 6 & 7 ¬anentity;"]),
        ("<p>z\u200bero w\u00adidth \ufeff\u2060here</p>", ["zero width here"]),
        ("<p>A \x1b[31mred\x1b[0m line\x1b[1</p>", ["A red line[1"]),
        ("<p>👩\u200d🚀 and क्\u200dष</p>", ["👩\u200d🚀 and क्\u200dष"]),
        ("<p>a<!-- comment -->b</p>", ["ab"]),
        ("one<div>two</div>three", ["one", "two", "three"]),
        ("<p>one</p>two<p>three</p>", ["one", "two", "three"]),
        ("<div><div><p>deep</p></div></div>", ["deep"]),
        ("<p> \n </p><div></div>", []),
        ("<blockquote><p>one</p><p>two</p></blockquote>", ["one", "two"]),
        ("<figure><img src=x.png alt=picture><figcaption>Caption</figcaption></figure>", ["Caption"]),
        ("<custom-card>one</custom-card>", ["one"]),
        ("<custom-tag>one</custom-tag><custom-tag>two</custom-tag>", ["one two"]),
        ("<p>Name <filename> of the file, as <flash.*>.</p><p>b</p>", ["Name of the file, as .", "b"]),
        ("<ul><li>List<String> of names</li><li>b</li></ul>", ["- List of names\n- b"]),
        ("a <name>b</name> c <name><p>d</p></name>", ["a b c", "d"]),
        ("<pre>Vec<u8>::new()\nx</pre>", ["Vec::new()\nx"]),
        ("<a href=x><h3>Card</h3><p>text</p></a>", ["Card", "text"]),
        ("<p><math><mi>x</mi><annotation encoding='application/x-tex'>x^2</annotation></math></p>", ["x^2"]),
        ("<p><math><mi>x</mi><mo>+</mo><mi>y</mi></math></p>", ["x+y"]),
    ],
)
def test_the_text_of_a_page_is_read_as_it_is_shown(body: str, expected: list[str]) -> None:
    assert texts(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>Run <code>pip install</code>.</p>", "Run `pip install`."),
        ("<p>Run <code>  pip \n install </code>.</p>", "Run `pip install`."),
        ("<p>A <code>a`b</code> bare</p>", "A a`b bare"),
        ("<p><code>a</code><code>b</code></p>", "`a` `b`"),
        ("<p><code>a</code>.<code>b</code></p>", "`a`.`b`"),
        ("<p>x <code></code>y</p>", "x y"),
        ("<p>Press <kbd>Ctrl</kbd>+<kbd>K</kbd></p>", "Press `Ctrl`+`K`"),
        ("<p><tt>old</tt> <samp>out</samp></p>", "`old` `out`"),
        ("<p><code><b>bold</b> code</code></p>", "`bold code`"),
        ("<p><b><code>a</code></b></p>", "`a`"),
    ],
)
def test_inline_code_is_in_backticks(body: str, expected: str) -> None:
    assert texts(body) == [expected]


@pytest.mark.parametrize(
    "gone",
    [
        *(f"<{tag}>gone</{tag}>" for tag in sorted(DROPPED_TAGS - {"meta", "link", "input"})),
        *(f'<div class="{name}">gone</div>' for name in sorted(DROPPED_CLASSES)),
        *(f'<a class="{name}" href="#a">gone</a>' for name in sorted(PERMALINKS)),
        "<nav>gone</nav>",
        '<div role="navigation">gone</div>',
        '<div role="search">gone</div>',
        '<a href="#x">¶</a>',
        '<a href="#x">#</a>',
        '<a href="#x"> 🔗 </a>',
        '<a href="#x" class="hash-link">\u200b</a>',
        '<span class="lang">gone</span>',
        "<p hidden>gone</p>",
        '<p hidden="hidden">gone</p>',
        '<p aria-hidden="true">gone</p>',
        '<p style="display: none">gone</p>',
        '<p style="color: red; DISPLAY:NONE;">gone</p>',
        "<div data-search-exclude>gone</div>",
        '<a data-footnote-ref="" href="#fn-1">gone</a>',
        "<!-- gone -->",
    ],
)
def test_elements_that_are_no_content_are_left_out(gone: str) -> None:
    assert texts(f"<div>before {gone} after</div>") in (["before after"], ["before", "after"])


@pytest.mark.parametrize("name", ["badge", "mdx-badge mdx-badge--right", "badge_aBc1"])
def test_a_badge_leaves_unless_it_stands_between_words(name: str) -> None:
    badge = f'<span class="{name}">9.1</span>'
    assert texts(f"<p>New: {badge} It bakes.</p><p>{badge} after</p><p>before {badge}</p>") == [
        "New: It bakes.",
        "after",
        "before",
    ]
    assert texts(f"<p>Prior to {badge} the oven was cold.</p>") == ["Prior to 9.1 the oven was cold."]
    assert texts(f"<p>Prior to {badge}, it was cold (as of {badge}) or came with {badge}.</p>") == [
        "Prior to 9.1, it was cold (as of 9.1) or came with 9.1."
    ]
    assert texts(f"<p>heat {badge}: how hot it gets</p>") == ["heat : how hot it gets"]
    nested = (
        f'<span class="{name}"><span class="badge__icon"><svg></svg></span><span class="badge__text">9.1</span></span>'
    )
    assert texts(f"<p>Prior to {nested} the oven was cold.</p>") == ["Prior to 9.1 the oven was cold."]


@pytest.mark.parametrize(
    "kept",
    [
        '<div role="tabpanel" hidden>kept</div>',
        '<div hidden="until-found">kept</div>',
        '<p aria-hidden="false">kept</p>',
        '<details><div style="display:none">kept</div></details>',
        '<span class="badger">kept</span>',
        '<span class="lang other">kept</span>',
        '<a href="#x">kept</a>',
        '<a href="elsewhere">#</a>kept',
        '<p style="display:block">kept</p>',
        "<center>kept</center>",
        "<fieldset>kept</fieldset>",
        "<del>kept</del>",
    ],
)
def test_elements_that_a_reader_sees_are_read(kept: str) -> None:
    assert "kept" in " ".join(texts(kept))


@pytest.mark.parametrize(
    "inside",
    [
        '<a class="headerlink" href="#x" title="Permanent link">¶</a>',
        '<a class="header-anchor" href="#x" aria-label="Permalink">\u200b</a>',
        '<a href="#x">§</a>',
        '<span class="badge badge--new">New</span>',
        "<button>Copy</button>",
        '<span class="sr-only">Section titled</span>',
        "<svg><title>Icon</title></svg>",
        "\u200b",
    ],
)
def test_a_title_is_the_words_of_its_heading(inside: str) -> None:
    assert read(f'<h2 id="x">The title{inside}</h2>').sections[1].title == "The title"


@pytest.mark.parametrize("name", sorted(ADMONITION_CLASSES))
def test_admonitions_are_text_of_their_section(name: str) -> None:
    body = f'<h2 id="x">X</h2><div class="{name} note"><p>Note</p><p>Mind the gap.</p><pre>run</pre></div>'
    assert kinds(body) == [("admonition", "Note"), ("admonition", "Mind the gap."), ("code", "run")]


def test_details_are_read_as_admonitions() -> None:
    body = "<details><summary>More</summary><p>Inside.</p><ul><li>one</li></ul></details><p>After.</p>"
    assert kinds(body) == [("admonition", "More"), ("admonition", "Inside."), ("list", "- one"), ("prose", "After.")]


def test_the_ids_of_what_leaves_are_kept() -> None:
    parsed = read('<h2 id="x">X</h2><div class="md-tags"><b id="tag">t</b></div><p>a</p>')
    assert [(anchor.anchor, anchor.section) for anchor in parsed.anchors] == [("x", 0), ("tag", 1)]


def test_a_template_is_no_part_of_the_page() -> None:
    parsed = read('<template><h2 id="x">X</h2></template><p>a</p>')
    assert (parsed.anchors, [block.text for block in parsed.blocks]) == ((), ["a"])


@pytest.mark.parametrize(
    "html", ["", " ", "\0", "<!doctype html>", "<html>", "<main></main>", "</p></div>", "<p", "\ufeff"]
)
def test_a_page_without_text_has_no_blocks_and_one_section(html: str) -> None:
    parsed = parse_page(html)
    assert (parsed.blocks, parsed.links, len(parsed.sections)) == ((), (), 1)


def test_a_fragment_without_html_and_body_is_read() -> None:
    parsed = parse_page('<h1 id="x">X</h1><p>a')
    assert [block.text for block in parsed.blocks] == ["a"]
    assert parsed.root == "body"


def test_chrome_around_the_content_is_not_read() -> None:
    html = page("<p>content</p>").replace("<main>", "<header>top</header><nav>menu</nav><main>")
    assert [block.text for block in parse_page(html.replace("</main>", "</main><footer>end</footer>")).blocks] == [
        "content"
    ]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # Material: a list of posts, a list of pages by tag.
        ('<p>News.</p><article class="md-post md-post--excerpt"><h2 id="a">A</h2><p>Begins.</p></article>', ["News."]),
        (
            '<p>By tag.</p><h2 id="tag:css"><span class="md-tag">css</span></h2><ul><li>Colors</li></ul>'
            '<h2 id="tags">Tags</h2><p>Text.</p>',
            ["By tag.", "Text."],
        ),
        ('<h2 id="tag:x">Not a tag</h2><p>Text.</p>', ["Text."]),
        # Sphinx: the pages below.
        (
            '<p>One.</p><div class="toctree-wrapper compound"><ul><li>Install</li></ul></div><p>Two.</p>',
            ["One.", "Two."],
        ),
    ],
)
def test_lists_of_other_pages_are_no_text(body: str, expected: list[str]) -> None:
    assert texts(body) == expected
    assert set(re.findall(r'id="([^"]+)"', body)) == {anchor.anchor for anchor in parse_page(page(body)).anchors}


@pytest.mark.parametrize(
    ("html", "guessed"),
    [
        ("<p>Text.", False),
        ("<body><nav>Menu</nav><p>Text.", True),
        ("<body><div><footer>Foot</footer></div><p>Text.", True),
        ("<body><div role=banner>Head</div><p>Text.", True),
        ("<body><nav>Menu</nav><main><p>Text.</main>", False),
        ("<body><nav>Menu</nav><article><p>Text.</article>", False),
    ],
)
def test_all_of_a_body_is_read_where_nothing_tells_the_content(html: str, guessed: bool) -> None:
    assert parse_page(html).whole_body is guessed
