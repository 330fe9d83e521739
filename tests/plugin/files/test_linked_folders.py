"""Which other addresses the pages of a site have, because one of its folders is a symbolic link to another one."""

from __future__ import annotations

from pathlib import Path

from tests.plugin.checking.sites import link, page, verdicts, write_files

from trueref_core.records import Page
from trueref_plugin.checking.check import check
from trueref_plugin.files.linked_folders import LinkedFolders
from trueref_plugin.site.site_reader import manifest_of_site


def linked_site(folder: Path, body: str = "") -> Path:
    """A site of the version 2 and of the link `stable` to it. No list names them, as Sphinx writes none."""
    write_files(folder, {"index.html": page(body), "2/index.html": page("Two"), "2/b.html": page('<h2 id="b">B</h2>')})
    (folder / "stable").symlink_to("2")
    return folder


def test_the_pages_of_a_folder_have_the_addresses_of_each_link_to_it(tmp_path: Path) -> None:
    linked = LinkedFolders(linked_site(tmp_path))
    assert linked.other_addresses(("2/b.html", "2/b")) == ("stable/b.html", "stable/b")
    assert linked.other_addresses(("2/", "2")) == ("stable/", "stable")
    assert linked.other_addresses(("1/", "20/")) == ()


def test_links_in_a_circle_and_out_of_the_site_end(tmp_path: Path) -> None:
    site = linked_site(tmp_path / "site")
    (site / "en").symlink_to(".")
    (site / "2" / "loop").symlink_to("loop")
    (tmp_path / "other").mkdir()
    (site / "outside").symlink_to("../other")
    assert LinkedFolders(site).other_addresses(("2/b.html",)) == ("en/2/b.html", "stable/b.html")


def test_a_page_behind_a_linked_folder_is_indexed_once(tmp_path: Path) -> None:
    pages: list[Page] = list(manifest_of_site(linked_site(tmp_path)).pages())
    assert [(item.page, "stable/b.html" in item.aliases) for item in pages] == [
        ("", False),
        ("2/", False),
        ("2/b.html", True),
    ]


def test_links_to_a_linked_folder_are_checked_at_the_page_behind_it(tmp_path: Path) -> None:
    """Only the file was looked up, so that any id counted as one of the page."""
    targets = ("stable/", "stable/b.html#b", "stable/b.html#nope", "stable/gone.html")
    site = linked_site(tmp_path, "".join(map(link, targets)))
    assert verdicts(check([site])) == [("missing-anchor", "stable/b.html#nope"), ("missing-page", "stable/gone.html")]
