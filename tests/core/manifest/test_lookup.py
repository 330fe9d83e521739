from __future__ import annotations

import random
from dataclasses import fields, replace
from pathlib import Path

import pytest
from tests.core.samples import ANCHORS, PAGES, SITE
from tests.work import lines_run

from trueref_core.errors import IndexDamaged, IndexIncompatible
from trueref_core.manifest.codec import AnchorRow
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Anchor, Page


@pytest.fixture
def manifest() -> Manifest:
    return Manifest("g1", [SITE], PAGES, ANCHORS)


def test_pages_and_anchors_are_found_by_their_addresses(manifest: Manifest) -> None:
    assert manifest.page("setup/") == PAGES[1]
    assert manifest.page("setup/", "docs") == PAGES[1]
    assert manifest.page("setup/", "other") is None
    assert manifest.page("setup") is None
    assert [anchor.anchor for anchor in manifest.anchors("setup/")] == ["install", "Ärger über", "install", "a%20b"]
    assert manifest.anchors("unknown/") == ()
    assert len(list(manifest.pages())) == len(PAGES)
    assert list(manifest.pages("other")) == []


def test_the_first_of_equal_ids_counts(manifest: Manifest) -> None:
    assert manifest.anchor("setup/", "install") == ANCHORS[0]
    assert manifest.anchor("setup/", "INSTALL") is None


def test_an_empty_anchor_beside_a_heading_of_the_same_id_does_not_count() -> None:
    heading = replace(ANCHORS[0], position=1)
    empty = replace(heading, kind="other", text="", level=0, duplicate=True, position=0)
    assert Manifest("g1", [SITE], PAGES, [empty, heading]).anchor("setup/", "install") == heading


def test_addresses_are_encoded_and_absolute_where_the_base_is_known(manifest: Manifest) -> None:
    assert manifest.href("setup/", "Ärger über") == "setup/#%C3%84rger%20%C3%BCber"
    assert manifest.url_of("docs", "setup/#install") == "https://example.org/docs/setup/#install"
    assert Manifest("g", [replace(SITE, base_url=None)], PAGES, ()).url_of("docs", "setup/") is None


def test_a_manifest_is_read_as_it_was_written(manifest: Manifest, tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    path.write_bytes(manifest.encode())
    back = Manifest.load(path)
    assert [*Manifest.load(str(path)).pages()] == [*back.pages()]
    assert (back.generation_id, back.sites, list(back.pages())) == ("g1", manifest.sites, list(manifest.pages()))
    assert all(back.anchors(page.page) == manifest.anchors(page.page) for page in PAGES)


def test_bytes_do_not_depend_on_order(manifest: Manifest) -> None:
    pages, anchors = list(PAGES), list(ANCHORS)
    random.Random(3).shuffle(pages)
    random.Random(4).shuffle(anchors)
    assert Manifest("g1", [SITE], pages, anchors).encode() == manifest.encode()


def test_the_file_has_every_field_of_an_anchor() -> None:
    by_place = {"site", "page", "position"}
    assert {field.name for field in fields(Anchor)} == by_place | set(AnchorRow.__struct_fields__)


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"\xff\xfe", b'{"schema": 2}', b'{"schema": 2, "generation": 3}'])
def test_a_file_that_is_no_manifest_is_refused(data: bytes) -> None:
    with pytest.raises(IndexDamaged, match="Build it again"):
        Manifest.decode(data)


def test_another_schema_is_refused_before_its_fields_are_read() -> None:
    with pytest.raises(IndexIncompatible, match="schema 99, this version reads 2"):
        Manifest.decode(b'{"schema": 99, "pages": "elsewhere"}')


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(IndexDamaged, match="No such file"):
        Manifest.load(tmp_path / "manifest.json")


def test_the_work_of_loading_a_manifest_grows_with_the_number_of_pages() -> None:
    few, many = lines_to_load(50), lines_to_load(200)
    assert many < 4.5 * few, (few, many)


def lines_to_load(count: int) -> int:
    pages = [Page("docs", f"p{number}/", f"p{number}/index.html", "Title") for number in range(count)]
    anchors = [
        Anchor("docs", page.page, f"id-{at}", "heading", 2, f"Heading {at}", ("Title", "Part"), "part", at)
        for page in pages
        for at in range(20)
    ]
    data = Manifest("g", [SITE], pages, anchors).encode()
    decoded: list[Manifest] = []
    lines = lines_run(lambda: decoded.append(Manifest.decode(data)))
    assert decoded[0].anchor("p7/", "id-3") == anchors[7 * 20 + 3]
    return lines
