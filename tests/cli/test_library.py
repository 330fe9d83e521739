"""`import trueref`: what a program of its user's may call."""

from __future__ import annotations

from pathlib import Path

from tests.core.odd_site import manifest

import trueref


def test_a_published_manifest_resolves_links(tmp_path: Path) -> None:
    file = tmp_path / "manifest.json"
    file.write_bytes(manifest().encode())
    published = trueref.Manifest.load(file)
    assert isinstance(published, trueref.Manifest)
    assert published.resolve("setup/#setup").status == "exact"
    assert published.resolve("#setup", "setup/").href == "setup/#setup"
    assert published.resolve("nowhere/").status == "unlinked"
