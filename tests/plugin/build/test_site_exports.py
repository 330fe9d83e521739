"""What a build writes into a site, what it leaves alone, and that nobody reads it as a page."""

from __future__ import annotations

import json
import shutil
import threading
import zlib
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from tests.plugin.pages import page
from tests.plugin.small_project import HOME, SETUP, Heard, Project
from tests.waiting import wait_until

from trueref_core.errors import OptionError, SiteError
from trueref_core.export.export_files import DEFAULTS, EXPORTS, SEARCH, Export
from trueref_core.export.inventory import read_lines
from trueref_core.generations.served_generation import read_build_texts, read_current, served_build
from trueref_core.manifest.lookup import Manifest
from trueref_core.version import __version__
from trueref_plugin.build.build import IndexReport, build
from trueref_plugin.build.site_exports import write_exports
from trueref_plugin.build.static_answer_files import CachedFiles
from trueref_plugin.options import BuildOptions

BASE = "https://example.org/docs/"
HIDDEN = page("<h1 id='plan'>Plan</h1>", head='<title>Plan</title><meta name="robots" content="noindex">')
MOVED = '<!doctype html><title>Redirecting</title><meta http-equiv="refresh" content="0; url=setup.html">'
FOREIGN = (
    b"# Sphinx inventory version 2\n# Project: x\n# Version: 1\n"
    b"# The remainder of this file is compressed using zlib.\n" + zlib.compress(b"pkg.Thing py:class 1 api.html#$ -\n")
)


class Noted(Heard):
    """Keeps what is noted too."""

    def __init__(self) -> None:
        super().__init__()
        self.notes: list[str] = []

    def note(self, line: str) -> None:
        self.notes.append(line)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path).write(index=HOME, setup=SETUP, plan=HIDDEN, moved=MOVED)
    made.heard = Noted()
    made.write(**{"404": page("<h1>Not found</h1>")}).build(base_url=BASE)
    return made


def write(project: Project, *names: Export) -> list[str]:
    return write_exports(project.site, project.index, names, project.heard)


def files(project: Project) -> dict[str, bytes]:
    """All files of the site but its pages."""
    paths = (path for path in project.site.rglob("*") if path.is_file() and path.suffix != ".html")
    return {path.relative_to(project.site).as_posix(): path.read_bytes() for path in paths}


def test_the_texts_are_those_of_pages_that_are_shown(project: Project) -> None:
    assert read_build_texts(served_build(project.index)) == {
        ("docs", ""): "# Home\n\nWelcome to the guide.\n",
        ("docs", "setup.html"): "# Setup\n\nInstall the package.\n\n## Colors\n\nPick a color.\n",
    }


def test_every_export_is_written_where_programs_look_for_it(project: Project) -> None:
    written = write(project, *EXPORTS)
    assert sorted(name for name in written if not name.startswith(SEARCH)) == [
        "assets/trueref/manifest.json",
        "assets/trueref/urls.txt",
        "index.html.md",
        "llms-full.txt",
        "llms.txt",
        "setup.html.md",
        "trueref.inv",
    ]
    found = files(project)
    assert set(found) == {*written, "assets/trueref/exports.json"}
    back = Manifest.decode(found["assets/trueref/manifest.json"])
    assert [item.page for item in back.pages()] == ["", "moved.html", "setup.html"]
    assert found["assets/trueref/urls.txt"].decode().splitlines() == [
        BASE, f"{BASE}#home", f"{BASE}setup.html", f"{BASE}setup.html#setup", f"{BASE}setup.html#colors",
    ]  # fmt: skip
    assert found["setup.html.md"].startswith(b"# Setup\n")


def test_two_builds_write_equal_bytes(project: Project) -> None:
    write(project, *EXPORTS)
    first = files(project)
    for path in first:
        (project.site / path).unlink()
    # Read and published again, at another time.
    shutil.rmtree(project.index)
    project.build(base_url=BASE)
    write(project, *EXPORTS)
    assert files(project) == first


def test_exports_in_the_site_are_no_change_to_the_next_build(project: Project) -> None:
    write(project, *EXPORTS)
    assert not project.build(base_url=BASE).changed


def test_a_file_that_something_else_wrote_stays_and_is_named(project: Project) -> None:
    (project.site / "llms.txt").write_text("by hand")
    (project.site / "trueref.inv").mkdir()
    written = write(project, *EXPORTS)
    assert (project.site / "llms.txt").read_text() == "by hand"
    assert not {"llms.txt", "trueref.inv"} & set(written)
    assert isinstance(project.heard, Noted)
    assert project.heard.notes == [
        f"{name} is left as it is: something else put it into the site." for name in ("trueref.inv", "llms.txt")
    ]


def test_what_an_earlier_build_wrote_is_replaced(project: Project) -> None:
    write(project, *EXPORTS)
    project.write(setup=SETUP.replace("Pick", "Choose")).build(base_url=BASE)
    # Others in between, so that what was written is remembered longer than for one build.
    write(project, "urls")
    assert len([name for name in write(project, *EXPORTS) if not name.startswith(SEARCH)]) == 7
    assert b"Choose a color." in (project.site / "llms-full.txt").read_bytes()


def test_the_inventory_of_others_is_merged_and_left_alone(project: Project) -> None:
    (project.site / "objects.inv").write_bytes(FOREIGN)
    assert write(project, "inventory") == ["trueref.inv"]
    lines = read_lines((project.site / "trueref.inv").read_bytes(), "x")
    assert lines[0] == "pkg.Thing py:class 1 api.html#$ -"
    assert "setup#colors std:label -1 setup.html#colors Colors" in lines
    assert (project.site / "objects.inv").read_bytes() == FOREIGN


def test_a_damaged_inventory_of_others_is_said(project: Project) -> None:
    (project.site / "objects.inv").write_bytes(b"?")
    assert write(project, "inventory") == ["trueref.inv"]
    assert [line for line in project.heard.warnings if "objects.inv of the site is not merged" in line]


def test_without_a_base_url_one_line_says_what_to_do(project: Project) -> None:
    project.build()
    assert write(project, *DEFAULTS) == ["assets/trueref/manifest.json", "trueref.inv"]
    assert isinstance(project.heard, Noted)
    (note,) = project.heard.notes
    assert note.startswith("assets/trueref/urls.txt is not written. The site 'docs' has no base URL")


def test_files_to_search_in_that_another_version_kept_are_made_again(project: Project) -> None:
    """A program that makes other files of the same index, as after an update, does not write those of the earlier one."""
    write(project, "search")
    before = files(project)
    (kept,) = project.index.glob("search-*.msgpack")
    made = msgspec.msgpack.decode(kept.read_bytes(), type=CachedFiles)
    kept.write_bytes(msgspec.msgpack.encode(CachedFiles(made.generation, f"{__version__}.0", [])))
    write(project, "search")
    assert files(project) == before
    kept.write_bytes(msgspec.msgpack.encode(CachedFiles(made.generation, __version__, [])))
    write(project, "search")
    assert files(project) == before
    kept.write_bytes(kept.read_bytes()[:20])
    write(project, "search")
    assert files(project) == before


def test_without_exports_nothing_is_written(project: Project) -> None:
    assert write(project) == []
    assert files(project) == {}


def test_exports_of_a_site_that_the_index_does_not_hold_are_refused(project: Project) -> None:
    with pytest.raises(OptionError, match="holds no site 'other'"):
        write_exports(project.site, project.index, DEFAULTS, project.heard, "other")


def test_exports_into_a_site_that_cannot_be_written_are_refused(project: Project) -> None:
    (project.site / "assets").write_text("a file in the way")
    with pytest.raises(SiteError, match="The exports cannot be written into"):
        write(project, *DEFAULTS)


def test_a_list_of_written_files_that_is_damaged_makes_all_of_them_foreign(project: Project) -> None:
    write(project, "inventory")
    (project.site / "assets/trueref/exports.json").write_bytes(b"\xff")
    (project.site / "trueref.inv").write_bytes(b"other")
    assert write(project, "inventory") == []
    assert msgspec.json.decode((project.site / "assets/trueref/exports.json").read_bytes()) == {}


def test_what_is_hidden_or_gone_is_taken_back(project: Project) -> None:
    write(project, *EXPORTS)
    project.write(setup=HIDDEN).build(base_url=BASE)
    write(project, *EXPORTS)
    assert not (project.site / "setup.html.md").exists()
    assert [path for path, data in files(project).items() if b"Pick a color" in data] == []
    assert "setup.html.md" not in msgspec.json.decode(files(project)["assets/trueref/exports.json"])


def test_what_is_not_asked_for_any_more_is_taken_back(project: Project) -> None:
    write(project, *EXPORTS)
    write(project, "urls")
    assert set(files(project)) == {"assets/trueref/urls.txt", "assets/trueref/exports.json"}
    assert write(project) == []
    assert files(project) == {}


def test_exports_that_are_taken_back_are_named_with_what_to_do(project: Project) -> None:
    """As when `trueref index` is run on a site that MkDocs built with exports. A later build has nothing to tell."""
    heard = project.heard
    assert isinstance(heard, Noted)
    write(project, "manifest", "urls", "search")
    assert heard.notes == []
    write(project, "urls")
    (note,) = heard.notes
    assert "assets/trueref/manifest.json, assets/trueref/search/index.json" in note
    assert "--exports" in note
    write(project, "urls")
    assert heard.notes == [note]


def test_what_was_changed_since_or_lies_outside_stays(project: Project, tmp_path: Path) -> None:
    write(project, "llms", "urls")
    (project.site / "llms.txt").write_text("by hand")
    outside = tmp_path / "outside"
    outside.mkdir()
    (project.site / "linked").symlink_to(outside)
    listed = project.site / "assets/trueref/exports.json"
    known = msgspec.json.decode(listed.read_bytes(), type=dict[str, str])
    for name in ("../outside/own.txt", str(outside / "own.txt"), "linked/own.txt"):
        known[name] = sha256(b"own").hexdigest()
    (outside / "own.txt").write_bytes(b"own")
    listed.write_bytes(msgspec.json.encode(known | {"a\0b": "", "assets": ""}))
    assert write(project) == []
    assert (outside / "own.txt").read_bytes() == b"own"
    assert files(project).keys() - {"linked/own.txt"} == {"llms.txt"}


def test_a_build_that_ends_halfway_is_known_to_the_next(project: Project) -> None:
    write(project, *EXPORTS)
    project.write(setup=SETUP.replace("Pick", "Choose")).build(base_url=BASE)
    # A folder where a later file belongs ends the build after the first ones.
    (project.site / "setup.html.md").unlink()
    (project.site / "assets/trueref/urls.txt").unlink()
    (project.site / "assets/trueref/urls.txt").mkdir()
    with pytest.raises(SiteError):
        write(project, *EXPORTS)
    (project.site / "assets/trueref/urls.txt").rmdir()
    assert write(project) == []
    assert files(project) == {}


def test_of_two_builds_at_once_the_exports_of_the_later_one_stay(project: Project) -> None:
    """The exports of a build are written before another one publishes."""
    later = threading.Thread(target=lambda: project.build(base_url=BASE, exports=["manifest"]))
    options = BuildOptions(project.site, project.index, base_url=BASE, embedder="lexical")
    published: list[str | None] = []
    heard = project.heard = Noted()

    def is_waiting() -> bool:
        return any(line.startswith("Waiting for another build") for line in heard.notes)

    def export(_done: IndexReport) -> list[str]:
        project.write(index=HOME.replace("Welcome", "Hello"))
        later.start()
        wait_until(lambda: is_waiting() or not later.is_alive())
        published.append(read_current(project.index))
        return write(project, "manifest")

    first = build(options, project.heard, export).generation.id
    later.join()
    assert published == [first]
    served = read_current(project.index)
    assert served != first
    assert json.loads((project.site / "assets/trueref/manifest.json").read_bytes())["generation"] == served


@pytest.mark.parametrize("wanted", [[], ["manifest"]])
def test_a_build_writes_exports_only_where_it_is_told(project: Project, wanted: list[Export]) -> None:
    write(project, "urls")
    before = files(project)
    assert project.build(base_url=BASE).exported == ()
    assert files(project) == before
    done = project.build(base_url=BASE, exports=wanted)
    assert done.exported == (("assets/trueref/manifest.json",) if wanted else ())
    assert set(files(project)) == {*done.exported, *(["assets/trueref/exports.json"] if wanted else [])}
