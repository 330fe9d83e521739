"""`trueref diff` as maintainers use it: on real builds, before and after pages were renamed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from tests.cli.running import run
from tests.core.sites import Spec, site_of
from tests.work import is_linear

from trueref_core.compare.diff import diff
from trueref_core.compare.redirects import redirects
from trueref_core.generations.served_generation import read_manifest
from trueref_core.links.resolve import resolve
from trueref_core.manifest.lookup import Manifest

OLD: Spec = {"": [], "a/": ["Dark mode", "Bye now"], "b/": []}
NEW: Spec = {"": [], "a/": ["Dark mode #night"], "c/": []}


def manifest_file(folder: Path, name: str, spec: Spec, **more: object) -> Path:
    path = folder / f"{name}.json"
    path.write_bytes(site_of(spec, **more).encode())  # type: ignore[arg-type]
    return path


def test_the_changes_of_two_manifests_are_told_to_people(tmp_path: Path) -> None:
    done = run("diff", manifest_file(tmp_path, "old", OLD), manifest_file(tmp_path, "new", NEW))
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == (
        "a/\n"
        "  #dark-mode -> #night  renamed: its text and place are the same\n"
        "  #bye-now  vanished\n"
        "b/  vanished\n"
        "c/  added\n"
        "2 vanished, 1 renamed, 1 added.\n"
    )


def test_two_builds_without_a_difference_are_told_as_such(tmp_path: Path) -> None:
    old = manifest_file(tmp_path, "old", OLD)
    done = run("diff", old, old)
    assert (done.returncode, done.stdout) == (0, "No page and no anchor differs.\n")


def test_a_renamed_anchor_exits_with_0(tmp_path: Path) -> None:
    files = [manifest_file(tmp_path, name, {"a/": [text]}) for name, text in (("old", "One"), ("new", "One #uno"))]
    assert run("diff", *files).returncode == 0


def test_the_changes_as_json_have_successors(tmp_path: Path) -> None:
    done = run("diff", manifest_file(tmp_path, "old", OLD), manifest_file(tmp_path, "new", NEW), "--json")
    result = json.loads(done.stdout)
    assert (done.returncode, result["lost"]) == (1, 2)
    assert result["changes"][0] == {
        "site": "docs",
        "page": "a/",
        "anchor": "dark-mode",
        "change": "renamed",
        "text": "Dark mode",
        "successor": {"page": "a/", "anchor": "night", "href": "a/#night"},
        "proof": "its text and place are the same",
        "hidden": False,
    }
    assert [change["successor"] for change in result["changes"][1:]] == [None, None, None]


@pytest.mark.parametrize("suffix", ["html", "htm", "HTM"])
def test_built_sites_are_compared_whatever_the_suffix_of_their_pages(suffix: str, tmp_path: Path) -> None:
    for name, pages in (("old", ("tea", "coffee")), ("new", ("tea",))):
        (tmp_path / name).mkdir()
        for page in pages:
            (tmp_path / name / f"{page}.{suffix}").write_text(f"<main><h1>{page}</h1><p>All about {page}.</p></main>")
    done = run("diff", tmp_path / "old", tmp_path / "new")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.endswith("1 vanished.\n")


def test_control_characters_of_a_page_do_not_reach_the_terminal(tmp_path: Path) -> None:
    old = manifest_file(tmp_path, "old", {"a/": ["One #x\x1b[31m"]})
    assert "\x1b" not in run("diff", old, manifest_file(tmp_path, "new", {"a/": []})).stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (
            ["https://docs.example/manifest.json", "empty"],
            "Addresses are not read. Download the manifest and name its file.",
        ),
        (["none", "none"], "none is no index, no manifest file and no built site. Give one of these."),
        (["empty", "empty"], "empty is no index, no manifest file and no built site. Give one of these."),
        (["bad.json", "bad.json"], "bad.json is not a manifest"),
        (["bad.json", "bad.json", "--json", "--redirects"], "give one of them"),
    ],
)
def test_what_cannot_be_compared_is_told_without_a_traceback(args: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad.json").write_text("{")
    done = run("diff", *args, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("address", "facts", "source"),
    [
        ("a/", {}, "a.md"),
        ("", {}, "index.md"),
        ("folder/", {}, "folder/index.md"),
        ("folder/in/", {}, "folder/in.md"),
        ("a.html", {}, "a.md"),
        ("a b/", {}, '"a b.md"'),
        ("x/", {"source_path": "y/README.md"}, "y/README.md"),
    ],
)
def test_a_redirect_names_the_source_of_the_page(
    address: str, facts: Mapping[str, object], source: str, tmp_path: Path
) -> None:
    manifest_facts = {address: {"content_hash": "1", **facts}}
    files = [
        manifest_file(tmp_path, "old", {address: [], "folder/in/": []} | {address: []}, facts=manifest_facts),
        manifest_file(tmp_path, "new", {"moved/": [], "folder/in/": []} if address != "folder/in/" else {"moved/": []}, facts={"moved/": {"content_hash": "1"}}),
    ]  # fmt: skip
    done = run("diff", *files, "--redirects")
    assert done.stdout == f"redirect_maps:\n  {source}: moved.md\n"
    assert yaml.safe_load(done.stdout) == {
        "redirect_maps": {json.loads(source) if source[0] == '"' else source: "moved.md"}
    }


@pytest.mark.parametrize(
    ("generator", "pages", "lines"),
    [
        (
            "Sphinx 9.0.4 and Furo 2025.12.19",
            {"guide/old.html": "help/new.html", "top.html": "guide/it's.html", "guide/x.html": "index.html"},
            ['"guide/old": "../help/new.html",', '"guide/x": "../index.html",', '"top": "guide/it\'s.html",'],
        ),
        ("Sphinx", {"guide/old/": "help/new/", "a/": ""}, ['"a": "../",', '"guide/old": "../../help/new/",']),
        ("Docusaurus v3", {"a b": "c/d"}, ["/demo/a%20b /demo/c/d 301"]),
        ("mkdocs-1.6.1, mkdocs-material-9", {"a/": "c/"}, ["a.md: c.md"]),
    ],
)
def test_redirects_have_the_form_of_the_generator(
    generator: str, pages: Mapping[str, str], lines: list[str], tmp_path: Path
) -> None:
    files: list[Path] = []
    for name, addresses in (("old", [*pages]), ("new", [*pages.values()])):
        facts = {address: {"content_hash": str(at), "title": f"T{at}"} for at, address in enumerate(addresses)}
        site = site_of({address: [] for address in addresses}, facts=facts)
        records = [replace(record, generator=generator, base_url="https://x.org/demo/") for record in site.sites]
        files.append(tmp_path / f"{name}.json")
        files[-1].write_bytes(Manifest(site.generation_id, records, site.pages(), []).encode())
    done = run("diff", *files, "--redirects")
    assert done.returncode == 0, done.stderr
    assert [line.strip() for line in done.stdout.splitlines() if line[-1] not in "{}:"] == lines


@pytest.mark.parametrize("unit", ["a", "-", ".#", "a#", "/"])
def test_the_redirect_of_a_long_address_is_written_in_linear_time(unit: str) -> None:
    new = site_of({"b/": []}, facts={"b/": {"content_hash": "1"}})

    def redirected(name: str) -> object:
        old = site_of({f"{name}/": []}, facts={f"{name}/": {"content_hash": "1"}})
        return redirects(diff(old, new), old, new)

    assert is_linear(redirected, unit, longest=200_000)


def test_without_a_loss_there_is_no_redirect(tmp_path: Path) -> None:
    old = manifest_file(tmp_path, "old", OLD)
    assert run("diff", old, old, "--redirects").stdout == "redirect_maps: {}\n"


# Real builds

FIRST = {
    "index.md": "# Home\n\nSee [colors](setup/change-colors.md).\n",
    "setup/change-colors.md": "# Colors\n\n## Dark mode\n\nIt is dark.\n\n## Custom colors\n\nAny will do.\n",
    "fonts.md": "# Fonts of choice\n\nLetters.\n\n## Serif fonts\n\nWith feet.\n\n## Mono fonts\n\nFor code.\n",
    "setup/index.md": "# Setup\n\nBegin here.\n",
}
SECOND = {
    "index.md": "# Home\n\nSee [palette](setup/palette.md).\n",
    "setup/palette.md": "# Colors\n\n## Dark mode { #night }\n\nIt is dark.\n\n## Custom colors\n\nAny will do.\n",
    "setup/index.md": "# Setup\n\nBegin here.\n\n## Fonts of choice\n\nLetters.\n\n### Serif fonts\n\nWith feet.\n\n"
    "### Mono fonts\n\nFor code.\n",
}


def build(folder: Path, pages: Mapping[str, str], plugins: object = ()) -> Path:
    """A real MkDocs build of some pages; gives the folder of the site."""
    for name, text in pages.items():
        path = folder / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    config = {"site_name": "T", "plugins": plugins or [], "markdown_extensions": ["attr_list"]}
    (folder / "mkdocs.yml").write_text(json.dumps(config))
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "site"


def index(site: Path, folder: Path) -> None:
    done = run("index", site, "--index", folder, "--embedder", "lexical")
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The site before and after its pages were renamed."""
    folder = tmp_path_factory.mktemp("sites")
    return build(folder / "first", FIRST), build(folder / "second", SECOND)


def test_the_second_build_leads_links_of_the_first_on(sites: tuple[Path, Path], tmp_path: Path) -> None:
    for site in sites:
        index(site, tmp_path / "index")
    links = {
        "setup/change-colors/": ("redirected", "setup/palette/"),
        "setup/change-colors/#dark-mode": ("redirected", "setup/palette/#night"),
        "setup/change-colors/#custom-colors": ("redirected", "setup/palette/#custom-colors"),
        "setup/change-colors.md#dark-mode": ("redirected", "setup/palette/#night"),
        "fonts/": ("redirected", "setup/#fonts-of-choice"),
        "fonts/#mono-fonts": ("redirected", "setup/#mono-fonts"),
        "setup/": ("exact", "setup/"),
    }
    done = run("resolve", *links, "--index", tmp_path / "index", "--json")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert {item["given"]: (item["status"], item["href"]) for item in found} == links
    assert "is `setup/palette/` now: its title and most of its anchors are the same" in found[0]["reason"]


@pytest.mark.long
@pytest.mark.parametrize("form", ["index", "site", "manifest"])
def test_indexes_sites_and_manifests_are_compared_alike(form: str, sites: tuple[Path, Path], tmp_path: Path) -> None:
    given: list[Path] = []
    for number, site in enumerate(sites):
        folder = tmp_path / str(number)
        if form != "site":
            index(site, folder)
        if form == "manifest":
            (tmp_path / f"{number}.json").write_bytes(read_manifest(folder).encode())
        given.append({"index": folder, "site": site, "manifest": tmp_path / f"{number}.json"}[form])
    done = run("diff", *given)
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        "setup/change-colors/ -> setup/palette/  moved: its title and most of its anchors are the same\n" in done.stdout
    )
    assert "  #dark-mode -> setup/palette/#night  renamed: its text and place are the same\n" in done.stdout
    assert "fonts/ -> setup/#fonts-of-choice  moved: most of its sections are there now\n" in done.stdout


def test_a_site_built_with_the_redirects_leads_old_links_on(sites: tuple[Path, Path], tmp_path: Path) -> None:
    done = run("diff", *sites, "--redirects")
    assert done.returncode == 0
    assert done.stdout == (
        "redirect_maps:\n  fonts.md: setup/index.md#fonts-of-choice\n  setup/change-colors.md: setup/palette.md\n"
    )
    site = build(tmp_path, SECOND, [{"redirects": yaml.safe_load(done.stdout)}])
    index(site, tmp_path / "index")
    manifest = read_manifest(tmp_path / "index")
    for stub, lands in (("fonts/", "setup/#fonts-of-choice"), ("setup/change-colors/", "setup/palette/")):
        target = re.search(r'http-equiv="refresh" content="0; url=([^"]+)"', (site / stub / "index.html").read_text())
        assert target is not None
        found = resolve(manifest, target[1], stub)
        assert (found.status, found.href) == ("exact", lands)
    # What is redirected now is lost no more, and asks for no redirect.
    assert run("diff", sites[0], site, "--redirects").stdout == "redirect_maps: {}\n"


def test_the_library_compares_as_the_command_does(tmp_path: Path) -> None:
    import trueref

    found = trueref.diff(site_of(OLD), site_of(NEW))
    assert len(found.lost) == 2


SAME = "Press both sides of the spout, pull the filter upwards, and rinse it under the tap until it is white again."


def test_a_heading_renamed_over_its_text_is_followed(tmp_path: Path) -> None:
    """By `diff`, and by a link that is resolved after the second build. A text of a few words proves nothing."""
    texts = [
        f"# Care\n\n## {title}\n\n{SAME}\n\n## {short}\n\nSee there.\n"
        for title, short in (("Clean", "A"), ("Wash it", "B"))
    ]
    built = [build(tmp_path / name, {"index.md": text}) for name, text in zip(("old", "new"), texts, strict=True)]
    for site in built:
        index(site, tmp_path / "index")
    printed = run("diff", *built).stdout
    assert "  #clean -> #wash-it  renamed: the text under it is the same\n" in printed
    assert "  #a  vanished\n" in printed
    assert "#wash-it" in run("resolve", "./#clean", "--index", tmp_path / "index").stdout
