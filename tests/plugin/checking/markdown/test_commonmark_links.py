"""Links of Markdown without a configuration: which there are, and where they stand."""

from __future__ import annotations

import pytest

from trueref_plugin.checking.markdown.commonmark_links import CommonMarkReader
from trueref_plugin.checking.markdown.markdown_links import SourceLinks
from trueref_plugin.reading.guarding.guard import GuardedReader


def read(text: str) -> SourceLinks:
    with GuardedReader() as guarded:
        return CommonMarkReader(guarded).read_text(text)


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("See [x](a.md) and ![y](b.png).", [("a.md", 1, 9), ("b.png", 1, 24)]),
        ("---\ntitle: T\n---\n\n[x][1]\n\n[1]: a.md#b", [("a.md#b", 7, 6)]),
        ("| A |\n| - |\n| [x](a.md) |", [("a.md", 3, 7)]),
        ('A <a href="a.html">x</a>, <img src="b.png">.', [("a.html", 1, 12), ("b.png", 1, 37)]),
        ("At https://example.org/a/, or <https://example.org/b/>.", [
            ("https://example.org/a/", 1, 4), ("https://example.org/b/", 1, 32),
        ]),
        ("`[x](a.md)`\n\n    [x](b.md)\n\n```\n[x](c.md)\n```\n\n<!-- [x](d.md) -->", []),
        ('`<a href="a.html">` and \\<a href="b.html">', []),
    ],
)  # fmt: skip
def test_a_link_is_found_at_its_place(text: str, links: list[tuple[str, int, int]]) -> None:
    assert [(link.link, link.line, link.column) for link in read(text).links] == links


def test_headings_have_the_ids_that_hosts_of_repositories_give_them() -> None:
    ids = read("# Brew & serve\n\n## Brew\n\nBrew\n----\n\n<a id='by-hand'></a>\n").ids
    assert ids == {"brew--serve", "brew", "brew-1", "by-hand"}
