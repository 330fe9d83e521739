"""Two versions of one documentation in one index, the older one published in a folder of the newer one's address."""

from __future__ import annotations

from pathlib import Path

import pytest

from trueref_core.generations.served_generation import read_manifest
from trueref_core.links.link_target import ResolveContext
from trueref_core.links.resolve import resolve
from trueref_plugin.build.build import index_site
from trueref_plugin.checking.check import check

ADDRESS = "https://kettle.example/"


def page(title: str, *links: str) -> str:
    targets = "".join(f'<a href="{link}">x</a>' for link in links)
    return f'<html lang="en"><title>{title}</title><body><main><h1 id="top-of-it">{title}</h1><h2 id="{title.lower()}">T</h2><p>Text.</p>{targets}'


@pytest.fixture
def index(tmp_path: Path) -> Path:
    files = {
        "new/index.html": page("Home", "v1/setup/#setup", "/v1/", "v1/none/", "setup/#setup"),
        "new/setup/index.html": page("Setup"),
        "v1/index.html": page("Home"),
        "v1/setup/index.html": page("Setup", "../../setup/#setup", "/setup/#nowhere", "../#home"),
    }
    for name, html in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(html)
    for name, version, address in (("new", "2", ADDRESS), ("v1", "1", f"{ADDRESS}v1/")):
        index_site(
            tmp_path / name,
            index=tmp_path / "index",
            name=name,
            version=version,
            base_url=address,
            embedder="lexical",
        )
    return tmp_path / "index"


@pytest.mark.parametrize(
    ("link", "on", "site", "status"),
    [
        (f"{ADDRESS}setup/#setup", None, "new", "exact"),
        (f"{ADDRESS}v1/setup/#setup", None, "v1", "exact"),
        ("/v1/setup/", "new", "v1", "exact"),
        ("v1/setup/#setup", "new", "v1", "exact"),
        ("v1", "new", "v1", "exact"),
        ("setup/", "v1", "v1", "exact"),
        ("../setup/", "v1", "new", "exact"),
        # Not the page of the same name in the other version.
        ("v1/none/", "new", None, "unlinked"),
    ],
)
def test_a_link_belongs_to_the_innermost_site_of_its_address(
    index: Path, link: str, on: str | None, site: str | None, status: str
) -> None:
    reference = resolve(read_manifest(index), link, ResolveContext(on, "" if on else None))
    assert (reference.site, reference.status) == (site, status)


def test_links_between_nested_sites_are_checked_in_each_other(index: Path) -> None:
    folder = index.parent
    new = check([folder / "new"], index=index, site="new")
    assert [(found.kind, found.link) for found in new.findings] == [("missing-page", "v1/none/")]
    old = check([folder / "v1"], index=index, site="v1")
    assert [(found.kind, found.link) for found in old.findings] == [("missing-anchor", "/setup/#nowhere")]
    assert new.notes == old.notes == ()
