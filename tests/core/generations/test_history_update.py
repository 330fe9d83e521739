from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.samples import ANCHORS, content, files_of, opens, text_only
from tests.core.sites import Facts, Spec, both, site_of, sites

from trueref_core.generations import history_update
from trueref_core.generations.content import IndexContent
from trueref_core.generations.history_update import update_history
from trueref_core.generations.publication import publish
from trueref_core.generations.served_generation import open_index, read_manifest, served_build
from trueref_core.links.resolve import resolve
from trueref_core.manifest import history as history_module
from trueref_core.manifest.history import HISTORY_FILE, Entry, History, decode, encode, read_history
from trueref_core.manifest.lookup import Manifest

Known = dict[str, str | None]


def after(*builds: Manifest) -> History:
    """The history after some builds."""
    history, old = History(), builds[0]
    for new in builds[1:]:
        history, old = update_history(history, old, new), new
    return history


def known(history: History) -> Known:
    """Where everything is that was lost."""
    return {place(entry.page, entry.anchor): successor(entry) for entry in history.entries}


def place(page: str, anchor: str) -> str:
    return f"{page}#{anchor}" if anchor else page


def successor(entry: Entry) -> str | None:
    return None if entry.to_page is None else place(entry.to_page, entry.to_anchor)


CASES: list[tuple[str, list[Spec], Known]] = [
    ("nothing", [{"a/": ["One"]}, {"a/": ["One", "Two"]}], {}),
    ("vanished", [{"a/": ["One"]}, {"a/": []}], {"a/#one": None}),
    ("renamed", [{"a/": ["One"]}, {"a/": ["One #uno"]}], {"a/#one": "a/#uno"}),
    ("renamed and back", [{"a/": ["One"]}, {"a/": ["One #uno"]}, {"a/": ["One"]}], {"a/#uno": "a/#one"}),
    ("vanished and back", [{"a/": ["One"]}, {"a/": []}, {"a/": ["One"]}], {}),
    (
        "renamed twice",
        [{"a/": ["One"]}, {"a/": ["One #uno"]}, {"a/": ["One #eins"]}],
        {"a/#one": "a/#eins", "a/#uno": "a/#eins"},
    ),
    (
        "renamed, then gone",
        [{"a/": ["One"]}, {"a/": ["One #uno"]}, {"a/": []}],
        {"a/#one": None, "a/#uno": None},
    ),
    (
        "moved, then renamed",
        [{"a/": ["Dark mode", "Use"], "b/": []}, {"a/": ["Use"], "b/": ["Dark mode"]}, {"a/": ["Use"], "b/": ["Dark mode #night"]}],
        {"a/#dark-mode": "b/#night", "b/#dark-mode": "b/#night"},
    ),
    ("the id is taken by another", [{"a/": ["One"]}, {"a/": ["Two #one"]}], {}),
    (
        "the id is gone, then taken by another",
        [{"a/": ["One"]}, {"a/": ["One #uno"]}, {"a/": ["One #uno", "Two #one"]}],
        {},
    ),
    ("page gone and back", [{"a/": ["One"]}, {}, {"a/": ["One"]}], {}),
    ("page gone", [{"a/": ["One"], "b/": []}, {"b/": []}, {"b/": ["Two"]}], {"a/": None}),
]  # fmt: skip


@pytest.mark.parametrize(("specs", "expected"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_the_history_knows_where_each_address_of_earlier_builds_went(specs: list[Spec], expected: Known) -> None:
    assert known(after(*map(site_of, specs))) == expected


def moving(address: str, *headings: str, **more: object) -> Manifest:
    """A page that is the same at whatever address."""
    return site_of({address: headings}, facts={address: {"source_path": "a.md", **more}})


def test_a_page_that_moved_twice_is_followed_from_both_addresses() -> None:
    history = after(moving("a/", "One"), moving("b/", "One"), moving("c/", "One"))
    assert known(history) == {"a/": "c/", "b/": "c/"}
    assert [entry.proof for entry in history.entries] == [
        "in several steps, and at last its source file is still `a.md`",
        "its source file is still `a.md`",
    ]


def test_the_proof_of_many_moves_is_no_longer_than_that_of_two() -> None:
    history = after(*(moving(f"{letter}/") for letter in "abcdef"))
    assert len({len(entry.proof) for entry in history.entries}) == 2


def test_an_anchor_renamed_between_two_moves_of_its_page_is_followed() -> None:
    builds = [moving("a/", "One"), moving("b/", "One"), moving("b/", "One #uno"), moving("c/", "One #uno")]
    history = after(*builds)
    assert known(history) == {"a/": "c/", "b/": "c/", "a/#one": "c/#uno", "b/#one": "c/#uno"}
    reference = resolve(with_history(builds[-1], history), "a/#one")
    assert (reference.status, reference.href) == ("redirected", "c/#uno")


def test_a_move_is_followed_through_an_address_that_is_redirected_later() -> None:
    last = moving("c/", "One", aliases=("b/",))
    history = after(moving("a/", "One"), moving("b/", "One"), last)
    # `b/` is an address of the page by itself, and `a/` is followed through it.
    assert known(history) == {"a/": "c/"}


def test_a_redirect_that_is_taken_back_leaves_the_history_only_what_is_proved() -> None:
    builds = [moving("a/", "One"), moving("b/", "One", aliases=("a/",)), moving("b/", "One")]
    assert known(after(*builds)) == {}
    stub = site_of({"a/": [], "b/": ["One"]}, facts={"a/": {"kind": "redirect"}, "b/": {"aliases": ("a/",)}})
    assert known(after(stub, moving("b/", "One"))) == {"a/": "b/"}


@pytest.mark.parametrize("kind", ["guide", "redirect"])
def test_an_anchor_that_a_redirect_of_the_site_leads_to_needs_no_history(kind: str) -> None:
    whole, moved = site_of({"a/": ["One"], "b/": []}), site_of({"b/": ["One"]})
    redirected = site_of({"b/": ["One"], "c/": ["One"]}, facts={"c/": {"aliases": ("a/",), "kind": kind}})
    assert known(after(whole, moved)) == {"a/": None, "a/#one": "b/#one"}
    history = after(whole, moved, redirected)
    assert known(history) == {}
    assert resolve(with_history(redirected, history), "./a/#one").href == "c/#one"
    # As a build has it: the redirect is a page of its own, whose address the page behind it has as well.
    facts: Facts = {"a/": {"kind": "redirect"}, "c/": {"aliases": ("a/",)}}
    with_stub = site_of({"a/": [], "b/": ["One"], "c/": ["One"]}, facts=facts)
    history = after(whole, moved, with_stub)
    assert known(history) == {}
    assert resolve(with_history(with_stub, history), "./a/#one").href == "c/#one"


def test_a_page_that_became_a_section_is_gone_when_the_section_is() -> None:
    whole: Spec = {"a/": ["Dark mode", "Turn it on"], "b/": []}
    builds = [site_of(spec) for spec in (whole, {"b/": ["Dark mode", "Turn it on"]}, {"b/": []})]
    gone = {"a/#dark-mode": None, "a/#turn-it-on": None, "b/#dark-mode": None, "b/#turn-it-on": None}
    assert known(after(*builds)) == {"a/": "b/", **gone}


def test_sites_are_kept_apart_and_take_their_history_with_them() -> None:
    one, two = site_of({"a/": ["One", "Two"]}, name="one"), site_of({"a/": ["One", "Two"]}, name="two")
    history = after(both(one, two), both(site_of({"a/": ["One #uno", "Two"]}, name="one"), two))
    assert [(entry.site, entry.anchor) for entry in history.entries] == [("one", "one")]
    assert update_history(history, None, two).entries == ()


def test_a_site_of_another_name_keeps_its_history() -> None:
    builds = [site_of({"a/": ["One"]}), site_of({"a/": ["One #uno"]}), site_of({"a/": ["One #uno"]}, name="new")]
    assert [(entry.site, entry.anchor) for entry in after(*builds).entries] == [("new", "one")]


def test_without_the_old_manifest_only_what_is_known_is_looked_after() -> None:
    history = after(site_of({"a/": ["One", "Two"]}), site_of({"a/": ["One #uno", "Two #due"]}))
    assert known(update_history(history, None, site_of({"a/": ["One #uno", "Three"]}))) == {
        "a/#one": "a/#uno",
        "a/#two": None,
    }


def test_the_oldest_entries_are_dropped_beyond_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_update, "MAX_ENTRIES", 3)
    builds = [site_of({"a/": [f"Section {number}" for number in range(start, 9)]}) for start in range(6)]
    assert known(after(*builds)) == {"a/#section-2": None, "a/#section-3": None, "a/#section-4": None}


def test_the_limit_of_entries_is_the_documented_one(root: Path) -> None:
    assert f"{history_module.MAX_ENTRIES:,} entries" in (root / "docs/reference/index-layout.md").read_text(
        encoding="utf-8"
    )


@given(st.lists(sites(), min_size=2, max_size=4))
def test_after_every_build_each_entry_is_gone_from_the_site_and_leads_to_a_place_in_it(builds: list[Manifest]) -> None:
    history = History()
    for old, new in pairwise(builds):
        again = update_history(history, old, new)
        assert update_history(again, new, new).entries == again.entries
        assert update_history(again, old, new).entries == again.entries
        assert update_history(again, None, new).entries == again.entries
        assert encode(update_history(history, old, new)) == encode(again)
        history = again
        assert len({(entry.site, entry.page, entry.anchor) for entry in history.entries}) == len(history.entries)
        for entry in history.entries:
            assert new.anchor(entry.page, entry.anchor) is None if entry.anchor else new.page(entry.page) is None
            if entry.to_page is not None:
                assert new.page(entry.to_page) is not None
                assert not entry.to_anchor or new.anchor(entry.to_page, entry.to_anchor) is not None
                verdict = resolve(with_history(new, history), f"./{new.href(entry.page, entry.anchor)}")
                assert (verdict.status, verdict.href) == ("redirected", new.href(entry.to_page, entry.to_anchor))


def with_history(manifest: Manifest, history: History) -> Manifest:
    """A manifest with what earlier builds had."""
    copy = Manifest.decode(manifest.encode())
    copy.history = history
    return copy


# In an index


def renamed(old: str, new: str, note: str = "") -> IndexContent:
    """The sample site with another id for one of its anchors."""
    anchors = tuple(replace(item, anchor=new) if item.anchor == old else item for item in ANCHORS)
    return replace(content(note), anchors=anchors)


def test_a_published_rename_redirects_old_links_until_the_id_returns(index: Path) -> None:
    assert not (index / HISTORY_FILE).exists()
    publish(index, renamed("primary", "main-colour"))
    reference = resolve(read_manifest(index), "setup/colors/#primary")
    assert (reference.status, reference.href) == ("redirected", "setup/colors/#main-colour")
    assert reference.reason == "`primary` was renamed to `main-colour` on this page: its text and place are the same."
    assert "history" not in (served_build(index) / "manifest.json").read_text()
    # A server has it too.
    assert asyncio.run(served_status(index, "setup/colors/#primary")) == "redirected"
    publish(index, content())
    reference = resolve(read_manifest(index), "setup/colors/#primary")
    assert (reference.status, reference.href) == ("exact", "setup/colors/#primary")
    assert resolve(read_manifest(index), "setup/colors/#main-colour").href == "setup/colors/#primary"
    opens(index)


async def served_status(index: Path, link: str) -> str:
    opened = await open_index(index)
    await opened.close()
    return resolve(opened.manifest, link).status


def test_what_changes_nothing_writes_no_history(tmp_path: Path) -> None:
    publish(tmp_path, text_only())
    publish(tmp_path, content())
    publish(tmp_path, content("x"))
    assert not (tmp_path / HISTORY_FILE).exists()


def test_the_same_builds_give_the_same_bytes(tmp_path: Path) -> None:
    for name in "ab":
        for build in (content(), renamed("primary", "main"), renamed("install", "start")):
            publish(tmp_path / name, build)
    assert (tmp_path / "a" / HISTORY_FILE).read_bytes() == (tmp_path / "b" / HISTORY_FILE).read_bytes()


def test_a_build_goes_on_with_a_damaged_history(index: Path, caplog: pytest.LogCaptureFixture) -> None:
    publish(index, renamed("primary", "main"))
    path = index / HISTORY_FILE
    path.write_bytes(path.read_bytes()[:-20])
    with caplog.at_level(logging.WARNING, "trueref"):
        # Without the history it is not known to have been renamed; its heading is still called so.
        assert resolve(read_manifest(index), "setup/colors/#primary").status == "corrected-anchor"
        publish(index, renamed("install", "start"))
    assert len(caplog.messages) == 2
    assert known(read_history(index)) == {
        "setup/#install": "setup/#start",
        "setup/colors/#main": "setup/colors/#primary",
    }


def test_a_build_goes_on_after_a_damaged_generation(index: Path) -> None:
    (served_build(index) / "manifest.json").write_bytes(b"{}")
    publish(index, renamed("primary", "main"))
    assert not (index / HISTORY_FILE).exists()
    opens(index)


def test_a_history_ahead_of_the_served_generation_hides_no_anchor(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = files_of(index)
    served = (index / "current.json").read_bytes()
    publish(index, renamed("primary", "main"))
    # As a kill between the two files leaves it: the history is ahead of what is served.
    (index / "current.json").write_bytes(served)
    assert files_of(index).keys() > before.keys()
    manifest = read_manifest(index)
    assert resolve(manifest, "setup/colors/#primary").status == "exact"
    publish(index, renamed("primary", "main"))
    assert known(read_history(index)) == {"setup/colors/#primary": "setup/colors/#main"}
    assert decode((index / HISTORY_FILE).read_bytes()).entries[0].to_anchor == "main"
