"""Folders that the user may not list: none of what is in them is left out without a word."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.plugin.build.test_full_disk import as_user

PAGE = "<html><body><main><h1>Tea</h1><p>Tea is made of leaves.</p></main></body></html>"
DENIED = "was left out: it cannot be opened (Permission denied)."

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="permissions and powers are other ones there")


@pytest.fixture
def closed(tmp_path: Path) -> Iterator[list[Path]]:
    """Folders that are closed once they are in this list, and opened again after the test."""
    folders: list[Path] = []
    yield folders
    for folder in folders:
        folder.chmod(0o700)


def write(closed: list[Path], folder: Path, name: str, text: str) -> Path:
    """A folder with a file in it, the same file in `sub` below it, and `sub` closed."""
    (folder / "sub").mkdir(parents=True)
    for path in (folder / name, folder / "sub" / name):
        path.write_text(text)
    close(closed, folder / "sub")
    return folder


def close(closed: list[Path], folder: Path) -> None:
    folder.chmod(0)
    closed.append(folder)


def trueref(*args: str | Path) -> subprocess.CompletedProcess[str]:
    return as_user(sys.executable, "-m", "trueref", *args)


def index(site: Path, *args: str | Path) -> subprocess.CompletedProcess[str]:
    return trueref("index", site, "--index", site.parent / "index", "--embedder", "lexical", *args)


def test_a_folder_of_pages_is_named_and_the_other_pages_are_indexed(closed: list[Path], tmp_path: Path) -> None:
    site = write(closed, tmp_path / "site", "index.html", PAGE)
    done = index(site)
    assert (done.returncode, done.stdout) == (1, "")
    left_out, published = done.stderr.splitlines()
    assert left_out == f"trueref: sub/ {DENIED}"
    assert published.startswith(f"Index published at {tmp_path / 'index'}: 1 pages")


def test_a_folder_of_pages_that_cannot_be_read_is_not_taken_to_be_right(closed: list[Path], tmp_path: Path) -> None:
    """A check of such a site ended with 0, and took links into the folder for broken ones."""
    site = write(closed, tmp_path / "site", "index.html", f'{PAGE}<a href="sub/">x</a><a href="sub/b/c.html#d">x</a>')
    checked = trueref("check", site)
    assert (checked.returncode, checked.stdout) == (2, "")
    assert f"trueref: sub/ {DENIED}\n" in checked.stderr
    (site / "index.html").write_text(f'{PAGE}<a href="gone/">x</a>')
    checked = trueref("check", site)
    assert (checked.returncode, "gone/" in checked.stdout) == (2, True)


def test_a_hidden_folder_is_not_missed(closed: list[Path], tmp_path: Path) -> None:
    site = write(closed, tmp_path / "site" / ".cache", "x.html", PAGE).parent
    (site / "index.html").write_text(PAGE)
    done = index(site)
    assert (done.returncode, DENIED in done.stderr) == (0, False)


def test_a_site_of_nothing_but_such_a_folder_is_refused_by_its_name(closed: list[Path], tmp_path: Path) -> None:
    site = write(closed, tmp_path / "site", "index.html", PAGE)
    (site / "index.html").unlink()
    done = index(site)
    assert done.returncode == 2
    assert done.stderr == (
        f"trueref: The site folder {site} holds no HTML file that can be read: {site / 'sub'} cannot be opened "
        "(Permission denied).\n"
    )


def test_a_folder_of_pdfs_is_named_unless_it_is_excluded(closed: list[Path], tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text(PAGE)
    pdfs = tmp_path / "manuals"
    (pdfs / "sub").mkdir(parents=True)
    close(closed, pdfs / "sub")
    done = index(tmp_path / "site", "--pdf", pdfs)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"trueref: manuals/sub/ {DENIED}\n")
    excluded = index(tmp_path / "site", "--pdf", pdfs, "--exclude", "manuals/sub/*")
    assert (excluded.returncode, DENIED in excluded.stderr) == (0, False)


def docs_of_a_site(closed: list[Path], root: Path) -> Path:
    """The sources of an indexed site: one file with a broken link, and a closed folder."""
    docs = write(closed, root / "docs", "a.md", "# Tea\n\n[x](gone.md)\n")
    (root / "site").mkdir()
    (root / "site" / "index.html").write_text(PAGE)
    assert index(root / "site").returncode == 0
    return docs


def test_sources_that_cannot_be_read_are_named_and_the_others_are_checked(closed: list[Path], tmp_path: Path) -> None:
    """One closed folder ended the whole check, and so did a link to nowhere. A pipe was waited for without end."""
    docs = docs_of_a_site(closed, tmp_path)
    (docs / "lost.md").symlink_to("nowhere.md")
    os.mkfifo(docs / "pipe.md")
    os.mkfifo(docs / "pipe.mdx")
    done = trueref("check", docs, "--index", tmp_path / "index")
    assert (done.returncode, done.stdout.splitlines()) == (
        2,
        [f"{docs}/a.md:3:5: missing-page: `gone.md`: There is no page `gone.md` in docs."],
    )
    assert [line for line in done.stderr.splitlines() if "cannot be read" in line] == [
        f"trueref: The folder {docs / 'sub'} cannot be read (Permission denied).",
        f"trueref: {docs / 'lost.md'} cannot be read (it is a link to a file that does not exist).",
        f"trueref: {docs / 'pipe.md'} cannot be read (it is a pipe, a socket or a device).",
        f"trueref: {docs / 'pipe.mdx'} cannot be read (it is a pipe, a socket or a device).",
    ]


@pytest.mark.parametrize("file", ["current.json", "builds", "builds/*/manifest.json", "builds/*/SHA256SUMS"])
def test_an_index_that_the_user_may_not_read_is_not_called_damaged(
    closed: list[Path], tmp_path: Path, file: str
) -> None:
    """As that of a build by another user: to build it again would help nobody."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text(PAGE)
    assert index(site).returncode == 0
    (path,) = (tmp_path / "index").glob(file)
    close(closed, path)
    done = trueref("resolve", "index.html", "--index", tmp_path / "index")
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"trueref: {path}")
    assert line.endswith(
        "cannot be read (Permission denied). Let this user read the folder of the index, and all that is in it."
    )
