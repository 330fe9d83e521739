"""Blocks that only lead elsewhere have the role of links."""

from __future__ import annotations

import pytest
from tests.plugin.reading.test_block_roles import rows


@pytest.mark.parametrize(
    ("content", "role"),
    [
        ("<p><a href=x>Firing</a></p>", "links"),
        ("<p><a href=x><code>kiln.fire()</code></a></p>", "links"),
        ("<p><code class='xref'>kiln.fire()</code>, <a href=y>Glazes</a></p>", "links"),  # into other docs
        ("<ul><li><p><a href=x>Firing</a></p></li><li><p><a href=y>Glazes</a></p></li></ul>", "links"),
        ("<p><a href=x>Firing</a>, for glazes.</p>", "text"),
        ("<p>Wear gloves.</p>", "text"),
    ],
)
def test_a_box_that_only_names_what_to_see_also_has_the_role_of_links(content: str, role: str) -> None:
    title = '<p class="admonition-title">See also</p>'
    found = rows(f'<p>a</p><div class="admonition seealso">{title}{content}</div><p>b</p>')
    assert {row[0] for row in found if row[2]} == ({"links"} if role == "links" else {"title", role})
    assert [row[0] for row in found if not row[2]] == ["text", "text"]


@pytest.mark.parametrize(
    ("items", "role"),
    [
        (["<a href=x>A</a>", "<a href=y>B</a>"], "links"),
        (["<a href=x>A <code>b</code></a>"], "links"),
        (["<p><a href=x>A</a></p>"], "links"),
        (["<a href=x><p>A</p></a>"], "links"),
        (["<a href=x>A</a><ul><li><a href=y>B</a></li></ul>"], "links"),
        (["<a href=x>A<span class=sr-only>(opens)</span></a>"], "links"),
        (["<a href=x>A</a>", "b"], "text"),
        (["<a href=x>A</a>: what it is"], "text"),
        (["<a href=x>A</a> –"], "text"),
        (["Guides<ul><li><a href=y>B</a></li></ul>"], "text"),
        (["<a href=x>A</a><p>b</p>"], "text"),
        (["<a href=x><code>--user</code></a>", "<a href=x><code>--root</code></a>"], "text"),
        (["<a href=x>A</a>", "<a href=y>B</a><pre>run</pre>"], "text"),
        (["<a name=x>A</a>"], "text"),
    ],
)  # fmt: skip
def test_a_list_that_is_nothing_but_links_has_the_role_of_links(items: list[str], role: str) -> None:
    found = rows("<ul>" + "".join(f"<li>{item}</li>" for item in items) + "</ul>")
    assert {row[0] for row in found} == {role}


@pytest.mark.parametrize(
    ("item", "role"),
    [
        ("<p><strong>A</strong></p><hr><p>What it is.</p><p><a href=x>A</a></p>", "links"),
        ("<p><a href=x>A</a></p><hr><p>What it is.</p>", "links"),
        (f"<p><a href=x>A</a></p><p>{'What it is. ' * 40}</p>", "text"),
        ("<p><strong>A</strong> what it is, and <a href=x>more</a>.</p>", "text"),
    ],
)  # fmt: skip
def test_a_box_of_short_cards_has_the_role_of_links(item: str, role: str) -> None:
    assert rows(f'<div class="grid cards"><ul><li>{item}</li></ul></div>')[0][:2] == (role, "list")


@pytest.mark.parametrize(
    ("body", "role"),
    [
        ("<a href=x><h4>A</h4><p>b</p></a>", "links"),
        (f"<a href=x><div>{'What it is. ' * 40}</div></a>", "text"),
        ("<a name=x><div>b</div></a>", "text"),
        ("<p><a href=x>A</a></p>", "text"),
    ],
)  # fmt: skip
def test_a_short_card_that_is_a_link_has_the_role_of_links(body: str, role: str) -> None:
    assert rows(body)[-1][0] == role
