from __future__ import annotations

from pathlib import Path

import pytest
from tests.plugin.pages import page

from trueref_core.generations.served_generation import read_generation, read_graph, read_links
from trueref_core.records import Link
from trueref_plugin.build.build import index_site

OLD = page("", '<meta http-equiv="refresh" content="0; url=target.html#there">')
TARGET = page('<h1 id="target">Target</h1><p>Text.</p><h2 id="there">There</h2><p>More.</p>')


def links_of(folder: Path, body: str, head: str = "", base_url: str | None = None) -> list[Link]:
    """The edges that begin on a page beside a target, a redirect to it, and a picture."""
    site = folder / "site"
    site.mkdir()
    files = {"from.html": page(f'<h1 id="from">From</h1>{body}', head), "target.html": TARGET, "old.html": OLD}
    for name, html in files.items():
        (site / name).write_text(html)
    (site / "data.json").write_text("{}")
    (site / "LICENSE").write_text("Free.")
    index_site(site, index=folder / "index", embedder="lexical", base_url=base_url)
    return [link for link in read_links(folder / "index") if link.from_page == "from.html"]


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("target.html", ("target.html", "", "internal", "ok")),
        ("target.html#there", ("target.html", "there", "internal", "ok")),
        ("/target.html#top", ("target.html", "", "internal", "ok")),
        ("#from", ("from.html", "from", "internal", "ok")),
        # The redirect names a place, and a link may name another.
        ("old.html", ("target.html", "there", "internal", "redirect")),
        ("old", ("target.html", "there", "internal", "redirect")),
        ("old.html#target", ("target.html", "target", "internal", "redirect")),
        ("old.html#there", ("target.html", "there", "internal", "redirect")),
        ("target.html#gone", ("target.html", "gone", "internal", "missing-anchor")),
        ("target.html#%C3%A4", ("target.html", "ä", "internal", "missing-anchor")),
        ("Target.html", ("Target.html", "", "internal", "missing-page")),
        ("none.html#x", ("none.html", "x", "internal", "missing-page")),
        ("https://elsewhere.example/x#y", ("https://elsewhere.example/x#y", "", "external", "ok")),
        ("https://docs.example/target.html", ("target.html", "", "internal", "ok")),
        ("data.json", None),
        ("LICENSE", None),
        ("no/such/picture.png", None),
        ("mailto:x@example.org", None),
        ("javascript:alert(1)", None),
        # A browser goes no higher than the root of the host.
        ("../outside.html", ("outside.html", "", "internal", "missing-page")),
        ("https://docs.example.org/elsewhere", ("https://docs.example.org/elsewhere", "", "external", "ok")),
    ],
)
def test_a_link_in_a_text_is_an_edge_to_where_it_leads(
    tmp_path: Path, href: str, expected: tuple[str, str, str, str] | None
) -> None:
    found = links_of(tmp_path, f'<p>See <a href="{href}">the text</a>.</p>', base_url="https://docs.example/")
    edges = [link for link in found if link.kind in ("internal", "external")]
    if expected is None:
        assert edges == []
        return
    (edge,) = edges
    assert (edge.to_page, edge.to_anchor, edge.kind, edge.status) == expected
    assert (edge.from_anchor, edge.text) == ("from", "the text")


def test_the_outline_of_a_page_and_its_next_page_are_edges(tmp_path: Path) -> None:
    body = '<h2 id="a">A</h2><p>x</p><h3 id="b">B</h3><p>x</p><h2 id="c">C</h2><p>x</p>'
    found = links_of(tmp_path, body, '<link rel="next" href="target.html">')
    edges = {(link.kind, link.from_anchor, link.to_page, link.to_anchor) for link in found}
    own = "from.html"
    assert edges == {
        ("child", "", own, "from"),
        ("child", "from", own, "a"),
        ("child", "a", own, "b"),
        ("child", "from", own, "c"),
        ("next", "", own, "from"),
        ("next", "from", own, "a"),
        ("next", "a", own, "b"),
        ("next", "b", own, "c"),
        ("next", "", "target.html", ""),
    }
    steps = read_graph(tmp_path / "index").path((own, "b"), ("target.html", "there"))
    assert steps is not None
    assert [step.move for step in steps] == ["start", "up", "up", "up", "on", "down", "down"]


def test_links_of_the_navigation_are_no_edges(tmp_path: Path) -> None:
    found = links_of(tmp_path, '</main><nav><a href="target.html">x</a></nav><main>')
    assert {link.kind for link in found} == {"child", "next"}


def test_the_path_of_a_site_is_known_from_the_files_that_its_pages_load(tmp_path: Path) -> None:
    """VitePress with `base` begins all links with it, and names no host."""
    links = ("/docs/target.html#there", "/docs/gone.html", "/blog/", "/target.html")
    body = "".join(f'<p><a href="{href}">{href}</a></p>' for href in links)
    found = links_of(tmp_path, body, '<script src="/docs/data.json"></script>')
    edges = {(link.to_page, link.to_anchor, link.status) for link in found if link.kind in ("internal", "external")}
    assert edges == {("target.html", "there", "ok"), ("gone.html", "", "missing-page")}
    assert read_generation(tmp_path / "index").sites[0].base_url is None
