"""Pages that have bars of the site above a box with the content: Fossil and others."""

from __future__ import annotations

import pytest
from tests.plugin.reading.test_older_pages import page_of

from trueref_plugin.reading.parse import parse_page

BOX = (
    '<div class="header"><div class="title"><h1>Acme</h1>{0}</div><a href="/login">Login</a></div>'
    '<div class="mainmenu"><a href="/">Home</a></div><div class="content">{1}</div><div class="footer">Made today</div>'
)


@pytest.mark.parametrize(
    ("body", "head", "title", "root"),
    [
        (BOX.format("Firing", "<h2>One</h2><p>a</p>"), "Acme: Firing", "Firing", "div.content"),
        (BOX.format(" Firing ", "<p>a</p>"), "Acme - Firing", "Firing", "div.content"),
        (BOX.format("Firing", "<p>a</p><h1>In short</h1><p>b</p>"), "Acme: Firing", "Firing", "div.content"),
        (BOX.format("Firing", "<ul><li>a</ul>"), "Acme: Firing", "Firing", "div.content"),
        # The first heading is the title of the page, and not the name of the site.
        (BOX.format("", "<p>a</p>"), "Acme: Firing", "Acme", "body"),
        (BOX.format("Firing", "<p>a</p>"), "Acme", "Acme", "body"),
        # Text outside, or several such boxes: no box is all of the content.
        (f"{BOX.format('Firing', '<p>a</p>')}<p>b</p>", "Acme: Firing", "Firing", "body"),
        (f"{BOX.format('Firing', '<p>a</p>')}<h2>Cooling</h2>", "Acme: Firing", "Firing", "body"),
        (BOX.format("Firing", '<div class="content"><p>a</p></div>'), "Acme: Firing", "Firing", "body"),
        ('<div class="menu">Home</div><div class="content"><h1>Firing</h1><p>a</p></div>', "Firing", "Firing",
         "div.content"),
    ],
)  # fmt: skip
def test_the_title_of_a_page_may_stand_behind_the_name_of_the_site(body: str, head: str, title: str, root: str) -> None:
    parsed = parse_page(page_of(body, head))
    assert (parsed.title, parsed.root) == (title, root)
    if root == "div.content":
        assert "Login" not in [block.text for block in parsed.blocks]


FOOT = "This page was generated in about 0.004s by Fossil 2.21 [3c53b6364e] 2023-02-26 19:24:24"


def test_a_box_with_the_class_content_is_the_content_only_if_it_has_all_text() -> None:
    links = '<div class="content"><ul><li><a href="x">x</a></ul></div>'
    around = (
        "<div>Kiln is a tool. It fires pots.</div>{}<blockquote>Said someone</blockquote>"
        "<details><summary>More</summary>Important text</details>"
    )
    parsed = parse_page(page_of(around.format(links), "Kiln"))
    assert parsed.root == "body"
    shown = " ".join(block.text for block in parsed.blocks)
    for text in ("Kiln is a tool. It fires pots.", "Said someone", "More", "Important text"):
        assert text in shown


@pytest.mark.parametrize(
    ("outside", "root"),
    [
        ("{} ", "body"),
        ("<section><ul><li>{}</ul></section>", "body"),
        ("<a name=x>{}</a>", "body"),
        ('<div><a href="x">{}</a></div>', "div.content"),
        ("<div hidden>{}</div>", "div.content"),
        ("<script>{}</script><style>{}</style>", "div.content"),
    ],
)
def test_the_words_outside_of_the_content_are_counted_but_for_links(outside: str, root: str) -> None:
    body = BOX.format("Firing", "<p>a</p>").replace("Made today", FOOT)
    assert parse_page(page_of(body, "Acme: Firing")).root == "div.content"
    text = "a kiln is an oven for pots"
    assert parse_page(page_of(body + outside.replace("{}", text), "Acme: Firing")).root == root


@pytest.mark.parametrize(
    ("body", "head", "title"),
    [
        ("<main><div><h1>Setup</h1><span class=version>Kiln 2.0</span></div><p>a</p></main>", "Setup | Kiln 2.0", "Setup"),
        ("<main><div><h1>Setup</h1>Kiln 2.0</div><p>a</p></main>", "Setup | Kiln 2.0", "Setup"),
        ("<div><h1>Setup</h1>Kiln 2.0</div><p>a</p>", "Setup | Kiln 2.0", "Setup"),
        ("<hgroup><h1>Kiln</h1><p>Fires pots</p></hgroup><p>a</p>", "Kiln - Fires pots", "Kiln"),
        ('<div><h1>Setup</h1><a href="/">Kiln</a></div><p>a</p>', "Setup - Kiln", "Setup"),
        (BOX.format("<span>2.0</span>", "<p>a</p>"), "Acme: 2.0", "Acme"),
    ],
)  # fmt: skip
def test_a_slogan_a_version_or_a_link_behind_the_title_is_not_the_title(body: str, head: str, title: str) -> None:
    assert parse_page(page_of(body, head)).title == title
