"""The page on the index on disk lists the files that a real index has."""

from __future__ import annotations

import re
from pathlib import Path

from tests.cli.running import run

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "reference" / "index-layout.md"
HTML = "<!doctype html><title>{0}</title><body><main><h1 id=top>{0}</h1><p>{0} is poured at noon.</p></main></body>"

NOT_IN_EVERY_INDEX = {"builds/ID/documents", "updating"}
"""Files of PDFs that no site publishes, and the lock that exists only while a generation is made the served one."""


def listed_files() -> set[str]:
    """The paths in the listing of the page; what differs from one index to the next is `ID` in them."""
    listing = PAGE.read_text(encoding="utf-8").partition("```text\n")[2].partition("```")[0]
    folders: list[str] = []
    paths = set()
    for indent, name in re.findall(r"^( +)(\S+)", listing, re.MULTILINE):
        folders[len(indent) // 2 - 1 :] = [re.sub(r"<\w+>", "ID", name.rstrip("/"))]
        paths.add("/".join(folders))
    return paths


def test_an_index_has_the_files_that_its_page_lists(tmp_path: Path) -> None:
    site, index = tmp_path / "site", tmp_path / "index"
    site.mkdir()
    for names in (("Tea", "Milk"), ("Tea",)):
        for file in site.glob("*.html"):
            file.unlink()
        for name in names:
            (site / f"{name}.html").write_text(HTML.format(name), encoding="utf-8")
        assert run("index", site, "--index", index, "--widget", "none").returncode == 0
    paths = {*index.iterdir(), *(index / "builds").glob("*"), *(index / "builds").glob("*/*")}
    written = {re.sub(r"[0-9a-f]{16,}", "ID", str(path.relative_to(index))) for path in paths}
    assert written == listed_files() - NOT_IN_EVERY_INDEX
