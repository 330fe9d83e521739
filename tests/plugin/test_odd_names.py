"""Files and ids with names that URLs, file systems and normal forms treat in ways of their own, in a folder on disk."""

from __future__ import annotations

import os
import random
from html import escape
from pathlib import Path

import pytest
from tests.conftest import SEED
from tests.core.links.test_address_round_trips import PIECES
from tests.plugin.pages import page

from trueref_core.generations.served_generation import read_manifest
from trueref_core.links.resolve import resolve
from trueref_plugin.build.build import index_site

COUNT = 150


def names(chance: random.Random) -> list[str]:
    """Names of files without their suffix. Hidden folders are no part of a site."""
    found = {"index", "a b", "100%", "%41", "A", "a", "e\u0301", "é", "a?b#c", "a:b", "a\\b", " a "}
    while len(found) < COUNT:
        parts = [
            "".join(chance.choices(PIECES, k=chance.randint(1, 4))).replace("/", "-")
            for _ in range(chance.choice((1, 1, 2)))
        ]
        if not any(part.startswith(".") or part.endswith(".html") for part in parts):
            found.add("/".join(parts))
    return sorted(found)


def test_every_name_on_disk_is_a_place_that_its_link_leads_to(tmp_path: Path) -> None:
    chance, site = random.Random(SEED), tmp_path / "site"
    written: dict[str, set[str]] = {}
    for name in names(chance):
        path = site / f"{name}.html"
        # HTML makes line feeds of carriage returns.
        ids = {"".join(chance.choices(PIECES, k=chance.randint(1, 3))).replace("\r", "") or "x" for _ in range(3)}
        body = "".join(f'<h2 id="{escape(anchor)}">Part</h2><p>Text {number}.</p>' for number, anchor in enumerate(ids))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(page(body), encoding="utf-8", newline="")
        except OSError:  # A name that this file system does not take.
            continue
        written[f"{name}.html"] = ids
    report = index_site(site, index=tmp_path / "index", embedder="lexical", base_url="https://example.org/a%20b/")
    assert report.refused == ()
    manifest = read_manifest(tmp_path / "index")
    assert {it.file for it in manifest.pages()} == set(written)
    assert len(written) > COUNT / 2
    for it in manifest.pages():
        assert {anchor.anchor for anchor in manifest.anchors(it.page)} == written[it.file]
        for anchor in ("", *written[it.file]):
            href = manifest.href(it.page, anchor)
            for link in (href, manifest.url_of("docs", href) or ""):
                reference = resolve(manifest, link, "")
                assert (reference.status, reference.page, reference.anchor or "") == ("exact", it.page, anchor), link


def test_a_name_that_is_not_utf_8_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "a.html").write_text(page("<p>Text.</p>"))
    try:
        (tmp_path / "site" / os.fsdecode(b"caf\xe9.html")).write_text(page("<p>Text.</p>"))
    except OSError:
        pytest.skip("this file system takes no such name")
    report = index_site(tmp_path / "site", index=tmp_path / "index", embedder="lexical")
    assert report.refused == (("caf\\xe9.html", "its name is not UTF-8, so that no address leads to it"),)
    assert [it.file for it in read_manifest(tmp_path / "index").pages()] == ["a.html"]
