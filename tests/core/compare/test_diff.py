from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from tests.core.sites import Facts, Spec, both, heading, site_of, sites

from trueref_core.compare.changes import Change, Location
from trueref_core.compare.diff import diff
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Anchor


def changes_between(old: Manifest, new: Manifest) -> list[tuple[str, str, str | None]]:
    """The changes, in short: where it was, what became of it, where it is."""
    return [(place(change.page, change.anchor), change.change, successor(change)) for change in diff(old, new).changes]


def place(page: str, anchor: str) -> str:
    return f"{page}#{anchor}" if anchor else page


def successor(change: Change) -> str | None:
    return None if change.successor is None else place(change.successor.page, change.successor.anchor)


ANCHORS: list[tuple[str, Spec, Spec, list[tuple[str, str, str | None]]]] = [
    ("nothing", {"a/": ["Install"]}, {"a/": ["Install"]}, []),
    ("added", {"a/": ["Install"]}, {"a/": ["Install", "Use it"]}, [("a/#use-it", "added", None)]),
    ("vanished", {"a/": ["Install", "Use it"]}, {"a/": ["Install"]}, [("a/#use-it", "vanished", None)]),
    ("another id", {"a/": ["Install"]}, {"a/": ["Install #setup"]}, [("a/#install", "renamed", "a/#setup")]),
    (
        "another id by another rule, and the text reworded",
        {"a/": [heading("Install with pip", "install_with_pip")]},
        {"a/": [heading("Install with `pip`", "install-with-pip")]},
        [("a/#install_with_pip", "renamed", "a/#install-with-pip")],
    ),
    (
        "a date in brackets behind it",
        {"a/": ["0.36.3 #0363", "Fixes (old) #fixes-old", "Fixes (new) #fixes-new"]},
        {"a/": ["0.36.3 (May 4, 2024) #0363-may-4-2024", "Fixes"]},
        [
            ("a/#0363", "renamed", "a/#0363-may-4-2024"),
            ("a/#fixes-old", "vanished", None),
            ("a/#fixes-new", "vanished", None),
            ("a/#fixes", "added", None),
        ],
    ),
    (
        "text and id differ",
        {"a/": ["Install"]},
        {"a/": ["Set it up"]},
        [("a/#install", "vanished", None), ("a/#set-it-up", "added", None)],
    ),
    (
        "another heading over the same text",
        {"a/": [heading("Install", body="b1"), heading("Use", body="b2")]},
        {"a/": [heading("Set it up", body="b1"), heading("Use it", body="b3")]},
        [("a/#install", "renamed", "a/#set-it-up"), ("a/#use", "vanished", None), ("a/#use-it", "added", None)],
    ),
    (
        "another heading over a text that two have",
        {"a/": [heading("Install", body="b1")]},
        {"a/": [heading("Set it up", body="b1"), heading("Unpack", body="b1")]},
        [("a/#install", "vanished", None), ("a/#set-it-up", "added", None), ("a/#unpack", "added", None)],
    ),
    # The section is where its id is, whatever is written over it.
    ("ids swapped", {"a/": ["Install #x", "Use #y"]}, {"a/": ["Use #x", "Install #y"]}, []),
    (
        "an id that heads another text now",
        {"a/": ["Old #a", "New #b"]},
        {"a/": ["New #a"]},
        [("a/#b", "renamed", "a/#a")],
    ),
    ("an id reused for another text", {"a/": ["Old #a"]}, {"a/": ["New #a"]}, []),
    (
        "two of the same text",
        {"a/": ["Fixes #one", "Fixes #two"]},
        {"a/": ["Fixes #one", "Other", "Fixes #three"]},
        [("a/#two", "vanished", None), ("a/#other", "added", None), ("a/#three", "added", None)],
    ),
    (
        "two of the same text under different headings",
        {"a/": [heading("Fixes", "f", breadcrumb=("A", "A", "1.0")), heading("Fixes", "f_1", breadcrumb=("A", "A", "0.9"))]},
        {"a/": [heading("Fixes", "f-1", breadcrumb=("B", "A", "0.9")), heading("Fixes", "f-0", breadcrumb=("B", "A", "1.0"))]},
        [("a/#f", "renamed", "a/#f-0"), ("a/#f_1", "renamed", "a/#f-1")],
    ),
    (
        "two of the same text that keep their neighbours",
        {"a/": ["Run", "--quiet #r1", "--no-deps #r2", "Sync", "--quiet #s1", "--no-deps #s2", "End"]},
        {"a/": ["Run", "--quiet #p1", "--no-deps #p2", "Sync", "--quiet #q1", "--no-deps #q2", "End"]},
        [
            ("a/#r1", "renamed", "a/#p1"),
            ("a/#r2", "renamed", "a/#p2"),
            ("a/#s1", "renamed", "a/#q1"),
            ("a/#s2", "renamed", "a/#q2"),
        ],
    ),
    (
        "one of two neighbours of the same text has gone",
        {"a/": ["Run", "--quiet #r1", "--quiet #r2", "End"]},
        {"a/": ["Run", "--quiet #p1", "End"]},
        [("a/#r1", "vanished", None), ("a/#r2", "vanished", None), ("a/#p1", "added", None)],
    ),
    (
        "internal ids and footnotes",
        {"a/": [Anchor("docs", "a/", "__tabbed_1", "internal"), Anchor("docs", "a/", "fn:1", "footnote")]},
        {"a/": []},
        [],
    ),
    (
        "ids of the theme",
        {"a/": [Anchor("docs", "a/", "menu", "other"), Anchor("docs", "a/", "mine", "other")], "b/": [Anchor("docs", "b/", "menu", "other")]},
        {"a/": [Anchor("docs", "a/", "bar", "other")], "b/": [Anchor("docs", "b/", "bar", "other")]},
        [("a/#mine", "vanished", None)],
    ),
    (
        "an id that is internal now",
        {"a/": ["Install"]},
        {"a/": [Anchor("docs", "a/", "install", "internal")]},
        [],
    ),
    ("a later element with the same id", {"a/": ["Use #a", heading("Use 2", "a", duplicate=True)]}, {"a/": ["Use #a"]}, []),
    # to another page
    (
        "moved",
        {"a/": ["Install it", "Use"], "b/": []},
        {"a/": ["Use"], "b/": ["Install it"]},
        [("a/#install-it", "moved", "b/#install-it")],
    ),
    (
        "moved, with another id, under the same headings",
        {"a/": [heading("Dark mode", "dark", breadcrumb=("Colors",)), "Use"], "b/": []},
        {"a/": ["Use"], "b/": [heading("Dark mode", "night", breadcrumb=("Colors",))]},
        [("a/#dark", "moved", "b/#night")],
    ),
    (
        "moved to two pages",
        {"a/": ["Install it", "Use"], "b/": [], "c/": []},
        {"a/": ["Use"], "b/": ["Install it"], "c/": ["Install it"]},
        [("a/#install-it", "vanished", None), ("b/#install-it", "added", None), ("c/#install-it", "added", None)],
    ),
    (
        "another page had it all the time",
        {"a/": ["Install it", "Use"], "b/": ["Install it"]},
        {"a/": ["Use"], "b/": ["Install it"]},
        [("a/#install-it", "vanished", None)],
    ),
    (
        "one word, far away",
        {"a/b/": ["Security", "Use"], "c/d/": []},
        {"a/b/": ["Use"], "c/d/": ["Security"]},
        [("a/b/#security", "vanished", None), ("c/d/#security", "added", None)],
    ),
    (
        "one word, far away, where another section of the page went",
        {"a/b/": ["Security", "Dark mode", "Use"], "c/d/": []},
        {"a/b/": ["Use"], "c/d/": ["Security", "Dark mode"]},
        [("a/b/#security", "moved", "c/d/#security"), ("a/b/#dark-mode", "moved", "c/d/#dark-mode")],
    ),
    (
        "one word of another text on a page beside",
        {"a/": ["Security", "Use"], "b/": []},
        {"a/": ["Use"], "b/": [heading("Locks and keys", "security")]},
        [("a/#security", "vanished", None), ("b/#security", "added", None)],
    ),
    (
        "a page split in two",
        {"a/": ["A", "First half", "Second half", "Last words"]},
        {"b/": ["First half"], "c/": ["Second half"]},
        [
            ("a/", "vanished", None),
            ("a/#first-half", "moved", "b/#first-half"),
            ("a/#second-half", "moved", "c/#second-half"),
            ("b/", "added", None),
            ("c/", "added", None),
        ],
    ),
    (
        "a page that became a section of another",
        {"a/": [heading("Dark mode", level=1), "Turn it on", "Turn it off", "More of it"], "b/": []},
        {"b/": ["Dark mode", "Turn it on", "Turn it off"]},
        [
            ("a/", "moved", "b/#dark-mode"),
            ("a/#dark-mode", "moved", "b/#dark-mode"),
            ("a/#turn-it-on", "moved", "b/#turn-it-on"),
            ("a/#turn-it-off", "moved", "b/#turn-it-off"),
            ("a/#more-of-it", "vanished", None),
        ],
    ),
    (
        "two pages made one",
        {"a/": ["Turn it on", "Turn it off"], "b/": ["Make it big", "Make it small"]},
        {"c/": ["Turn it on", "Turn it off", "Make it big", "Make it small"]},
        [
            ("a/", "moved", "c/"),
            ("a/#turn-it-on", "moved", "c/#turn-it-on"),
            ("a/#turn-it-off", "moved", "c/#turn-it-off"),
            ("b/", "moved", "c/"),
            ("b/#make-it-big", "moved", "c/#make-it-big"),
            ("b/#make-it-small", "moved", "c/#make-it-small"),
        ],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "changes"), [row[1:] for row in ANCHORS], ids=[row[0] for row in ANCHORS])
def test_each_change_of_an_anchor_is_told_with_its_successor(
    old: Spec, new: Spec, changes: list[tuple[str, str, str | None]]
) -> None:
    assert changes_between(site_of(old), site_of(new)) == changes


TWO: Spec = {"": [], "a/": ["One", "Two"]}
MOVED: Spec = {"": [], "b/": ["One", "Two"]}

PAGES: list[tuple[str, Spec, Facts, Spec, Facts, list[tuple[str, str, str | None]]]] = [
    ("vanished", TWO, {}, {"": []}, {}, [("a/", "vanished", None)]),
    ("added", {"": []}, {}, TWO, {}, [("a/", "added", None)]),
    (
        "source",
        {"a/": ["Old"]},
        {"a/": {"source_path": "a.md"}},
        {"b/": ["New"]},
        {"b/": {"source_path": "a.md"}},
        [("a/", "moved", "b/"), ("a/#old", "vanished", None), ("b/#new", "added", None)],
    ),
    (
        "a source that two pages are made of",
        {"a/": ["Old"]},
        {"a/": {"source_path": "a.md"}},
        {"b/": [], "c/": []},
        {"b/": {"source_path": "a.md"}, "c/": {"source_path": "a.md"}},
        [("a/", "vanished", None), ("b/", "added", None), ("c/", "added", None)],
    ),
    ("content", TWO, {"a/": {"content_hash": "1"}}, MOVED, {"b/": {"content_hash": "1"}}, [("a/", "moved", "b/")]),
    (
        "content of two pages",
        {"a/": []},
        {"a/": {"content_hash": "1"}},
        {"b/": [], "c/": []},
        {"b/": {"content_hash": "1"}, "c/": {"content_hash": "1"}},
        [("a/", "vanished", None), ("b/", "added", None), ("c/", "added", None)],
    ),
    ("content of a page in two languages",
        {"a/": [], "fr/a/": []}, {"a/": {"content_hash": "1"}, "fr/a/": {"content_hash": "1", "language": "fr"}},
        {"b/": [], "fr/b/": []}, {"b/": {"content_hash": "1"}, "fr/b/": {"content_hash": "1", "language": "fr"}},
        [("a/", "moved", "b/"), ("fr/a/", "moved", "fr/b/")],
    ),
    ("title", TWO, {"a/": {"title": "T"}}, MOVED, {"b/": {"title": "t"}}, [("a/", "moved", "b/")]),
    (
        "title alone",
        {"a/": ["One", "Two"]},
        {"a/": {"title": "T"}},
        {"b/": ["Three", "Four"]},
        {"b/": {"title": "T"}},
        [("a/", "vanished", None), ("b/", "added", None)],
    ),
    (
        "a title that two pages have",
        {"a/": ["One", "Two"], "c/": []},
        {"a/": {"title": "T"}, "c/": {"title": "T"}},
        {"x/b/": ["One", "Two"]},
        {"x/b/": {"title": "T"}},
        [("a/", "vanished", None), ("c/", "vanished", None), ("x/b/", "added", None)],
    ),
    ("redirected", TWO, {}, MOVED, {"b/": {"aliases": ("a/",)}}, [("a/", "redirected", "b/")]),
    (
        "redirected by a stub",
        TWO,
        {},
        {**MOVED, "a/": []},
        {"b/": {"aliases": ("a/",)}, "a/": {"kind": "redirect"}},
        [("a/", "redirected", "b/")],
    ),
    ("redirected out of the site", TWO, {}, {"": [], "a/": []}, {"a/": {"kind": "redirect"}}, [("a/", "redirected", None)]),
    (
        "redirected, with an anchor renamed",
        TWO,
        {},
        {"": [], "b/": ["One", "Two #second"]},
        {"b/": {"aliases": ("a/",)}},
        [("a/", "redirected", "b/"), ("a/#two", "renamed", "b/#second")],
    ),
    (
        "a redirect that is gone",
        {"a/": [], "b/": []},
        {"a/": {"kind": "redirect"}, "b/": {"aliases": ("a/",)}},
        {"b/": []},
        {},
        [("a/", "moved", "b/")],
    ),
    (
        "a redirect to a page that moved",
        {"a/": [], "b/": []},
        {"a/": {"kind": "redirect"}, "b/": {"aliases": ("a/",), "content_hash": "1"}},
        {"c/": []},
        {"c/": {"content_hash": "1"}},
        [("a/", "moved", "c/"), ("b/", "moved", "c/")],
    ),
    (
        "a redirect to a page that is gone",
        {"a/": [], "b/": []},
        {"a/": {"kind": "redirect"}, "b/": {"aliases": ("a/",)}},
        {"c/": []},
        {},
        [("a/", "vanished", None), ("b/", "vanished", None), ("c/", "added", None)],
    ),
    ("an address taken by another page", TWO, {"a/": {"title": "T"}}, {"": [], "a/": []}, {}, [("a/#one", "vanished", None), ("a/#two", "vanished", None)]),
    ("drafts", TWO, {"a/": {"hidden_by": "draft", "hidden": True}}, {"": []}, {}, []),
    ("a page that is a draft now", TWO, {}, TWO, {"a/": {"hidden_by": "draft", "hidden": True}}, []),
    ("error pages", TWO, {"a/": {"hidden_by": "error page", "hidden": True}}, {"": []}, {}, []),
    ("hidden pages", TWO, {"a/": {"hidden_by": "noindex", "hidden": True}}, {"": []}, {}, [("a/", "vanished", None)]),
    (
        "a section that is on a hidden page only",
        {"a/": ["Dark mode", "Use"]},
        {},
        {"a/": ["Use"], "b/": ["Dark mode"]},
        {"b/": {"hidden_by": "noindex", "hidden": True}},
        [("a/#dark-mode", "vanished", None), ("b/", "added", None)],
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "old_facts", "new", "new_facts", "changes"), [row[1:] for row in PAGES], ids=[row[0] for row in PAGES]
)
def test_each_change_of_a_page_is_told_with_its_successor(
    old: Spec, old_facts: Facts, new: Spec, new_facts: Facts, changes: list[tuple[str, str, str | None]]
) -> None:
    assert changes_between(site_of(old, facts=old_facts), site_of(new, facts=new_facts)) == changes


def test_what_is_lost_has_neither_successor_nor_proof() -> None:
    found = diff(site_of({"a/": ["One", "Two"]}), site_of({"a/": ["One #uno"]}))
    renamed, lost = found.changes
    assert (renamed.successor, renamed.proof) == (Location("a/", "uno"), "its text and place are the same")
    assert found.lost == (lost,)
    assert (lost.text, lost.successor, lost.proof) == ("Two", None, "")


def test_sites_are_kept_apart() -> None:
    one, other = {"a/": ["Dark mode", "Use"]}, {"b/": ["Something else"]}
    old = both(site_of(one, name="one"), site_of(other, name="two"))
    new = both(site_of({"a/": ["Use"]}, name="one"), site_of({"b/": ["Dark mode", "Something else"]}, name="two"))
    found = [(change.site, change.page, change.anchor, change.change) for change in diff(old, new).changes]
    assert found == [("one", "a/", "dark-mode", "vanished"), ("two", "b/", "dark-mode", "added")]


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        (site_of(TWO, name="x"), site_of(TWO, name="y"), True),
        (site_of(TWO, name="x", base_url="https://x.org/"), site_of({"z/": []}, name="y", base_url="https://x.org/"), True),
        (site_of(TWO, name="x"), site_of({"z/": []}, name="y"), False),
        (site_of(TWO, name="x"), both(site_of(TWO, name="y"), site_of(TWO, name="z")), False),
    ],
)  # fmt: skip
def test_a_site_is_compared_under_another_name_where_only_one_can_be_meant(
    old: Manifest, new: Manifest, same: bool
) -> None:
    lost = [change for change in diff(old, new).lost if not change.anchor]
    assert {change.site for change in lost} <= {"y" if same else "x"}
    assert same or len(lost) == 2


@given(sites())
def test_a_manifest_has_no_difference_to_itself(manifest: Manifest) -> None:
    assert diff(manifest, manifest).changes == ()


@given(sites(), sites())
def test_successors_exist_and_what_is_lost_does_not(old: Manifest, new: Manifest) -> None:
    for change in diff(old, new).changes:
        if change.change != "added":
            # A page that leads elsewhere now has no place of its own, whatever ids its file has.
            page = new.page(change.page)
            is_stub = page is not None and page.kind == "redirect"
            assert is_stub or not (change.anchor and new.anchor(change.page, change.anchor))
        assert (change.successor is None) == (not change.proof) or change.change == "redirected"
        if change.successor is not None:
            assert new.page(change.successor.page) is not None
            if change.successor.anchor:
                assert new.anchor(change.successor.page, change.successor.anchor) is not None
    kinds = Counter((change.page, change.anchor, change.change == "added") for change in diff(old, new).changes)
    assert not kinds or max(kinds.values()) == 1


def test_a_redirect_to_a_hidden_page_is_hidden_too() -> None:
    old = site_of(
        {"a/": [], "secret/": []},
        facts={"a/": {"kind": "redirect"}, "secret/": {"aliases": ("a/",), "content_hash": "1", "hidden": True}},
    )
    changes = diff(old, site_of({"c/": []}, facts={"c/": {"content_hash": "1"}})).changes
    # The proof names the page that it led to.
    assert [(change.page, change.hidden, "secret/" in change.proof) for change in changes] == [
        ("a/", True, True),
        ("secret/", True, False),
    ]
