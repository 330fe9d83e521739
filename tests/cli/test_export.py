"""`trueref export`: the bytes, where they go, and what a mistake says."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.running import run
from tests.server.handmade import content

from trueref_core.export.inventory import read_lines
from trueref_core.generations.publication import publish
from trueref_core.links.resolve import resolve
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Page, Site

BASE = "https://docs.example.org/demo/"


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of two sites."""
    from dataclasses import replace

    index = tmp_path_factory.mktemp("two") / "index"
    one = content()
    other = Page("other", "", "index.html", "Other")
    publish(
        index,
        replace(
            one,
            sites=(*one.sites, Site("other", digest="o")),
            pages=(*one.pages, other),
            texts={("other", ""): "# Other\n\nText of the other.\n"},
        ),
    )
    return index


def test_json_is_the_published_manifest(index: Path, tmp_path: Path) -> None:
    done = run("export", "--format", "json", "--index", index)
    assert (done.returncode, done.stderr) == (0, "")
    assert resolve(Manifest.decode(done.stdout.encode()), "install/#with-pip").status == "exact"
    file = tmp_path / "manifest.json"
    assert run("export", "--format", "json", "--index", index, "-o", file).stdout == ""
    assert file.read_text(encoding="utf-8") == done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["manifest.json"]


def test_the_export_of_addresses_has_pages_and_anchors(index: Path) -> None:
    lines = run("export", "--format", "urls", "--index", index).stdout.splitlines()
    assert lines[0] == f"{BASE}install/"
    assert f"{BASE}install/#gr%C3%B6%C3%9Fe" in lines


def test_an_inventory_is_written_to_a_file_and_merged(index: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first.inv", tmp_path / "second.inv"
    run("export", "--format", "inventory", "--index", index, "-o", first)
    run("export", "--format", "inventory", "--index", index, "-o", second, "--merge", first)
    assert read_lines(second.read_bytes(), "x") == read_lines(first.read_bytes(), "x")
    assert "install std:doc -1 install/ install/" in read_lines(first.read_bytes(), "x")


def test_texts_are_written_of_the_site_that_is_named(two: Path) -> None:
    done = run("export", "--format", "llms-full", "--index", two, "--site", "other")
    assert done.stdout == "# other\n\n# Other\n\nSource: [./](./)\n\nText of the other.\n"
    assert run("export", "--format", "llms", "--index", two, "--site", "demo").stdout.startswith("# demo\n")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--format", "json"], "holds 2 sites, and a file is made of one. Name it: 'demo', 'other'."),
        (["--format", "json", "--site", "third"], "no site 'third'"),
        (["--format", "urls", "--site", "other"], "has no base URL"),
        (["--format", "urls", "--site", "demo", "--merge", "x"], "--merge is for an inventory"),
        (["--format", "inventory", "--site", "demo", "--merge", "none.inv"], "none.inv cannot be read"),
        (["--format", "inventory", "--site", "demo", "--merge", "text.inv"], "not a Sphinx inventory"),
        (["--format", "json", "--site", "demo", "-o", "no/such/folder.json"], "cannot be written"),
        (["--format", "json", "--site", "demo", "-o", "."], "cannot be written"),
    ],
)
def test_an_export_that_cannot_be_meant_is_refused_in_one_line(
    two: Path, tmp_path: Path, args: list[str], message: str
) -> None:
    (tmp_path / "text.inv").write_text("hello")
    done = run("export", *args, "--index", two, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("args", [["export"], ["export", "--format", "pdf"], ["index", "x", "--exports", "sitemap"]])
def test_an_export_that_cannot_be_made_is_told_without_a_traceback(args: list[str], tmp_path: Path) -> None:
    done = run(*args, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr


def test_a_file_is_replaced_and_a_device_is_written_to(index: Path, tmp_path: Path) -> None:
    kept, link = tmp_path / "kept.json", tmp_path / "link.json"
    kept.write_text("old")
    link.symlink_to(kept)
    assert run("export", "--format", "json", "--index", index, "-o", link).returncode == 0
    assert link.is_symlink()
    assert json.loads(kept.read_text(encoding="utf-8"))["schema"] == 2
    assert run("export", "--format", "json", "--index", index, "-o", os.devnull).returncode == 0
    assert not Path(os.devnull).is_file()


def test_binary_is_not_for_a_terminal(index: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "trueref", "export", "--format", "inventory", "--index", str(index)]
    done = subprocess.run(command, stdout=theirs, stderr=subprocess.PIPE, text=True, check=False)
    os.close(theirs)
    os.close(ours)
    assert done.returncode == 2
    assert done.stderr == "trueref: This is binary, and not for a terminal. Name a file with -o, or pipe it.\n"


def test_index_writes_exports_when_told(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("<!doctype html><title>Tea</title><main><h1 id=tea>Tea</h1><p>Hot.</p></main>")
    options = ("index", site, "--index", tmp_path / "index", "--embedder", "lexical")
    assert "Wrote" not in run(*options).stderr
    assert [path.name for path in site.iterdir()] == ["index.html"]
    done = run(*options, "--exports", "llms, inventory")
    assert done.returncode == 0
    assert done.stderr.splitlines()[-1] == f"Wrote 3 files into {site}: trueref.inv, llms.txt, llms-full.txt."
    assert b"Hot." in (site / "llms-full.txt").read_bytes()
    # They are no pages.
    assert "Index unchanged" in run(*options).stderr
