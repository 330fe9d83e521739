"""PDFs in an index: pages of the site or documents beside it, made again only where they changed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.plugin.pdfs import picture, write_pdf, write_site

from trueref_core.documents import DOCUMENTS, FOLDER
from trueref_core.errors import IndexDamaged, OptionError
from trueref_core.export.marked_files import marked_files
from trueref_core.generations.served_generation import (
    read_build_texts,
    read_graph,
    read_ledger,
    read_manifest,
    read_manifest_file,
    served_build,
)
from trueref_core.links.resolve import resolve
from trueref_core.links.target_lookup import look_up_link
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Page
from trueref_core.storage.sealed_folders import verify
from trueref_plugin.build.build import IndexReport, index_site
from trueref_plugin.checking.check import check
from trueref_plugin.pdf import pdf_parse
from trueref_plugin.progress import Reporter

LINKS = '<a href="files/guide.pdf">all</a> <a href="files/guide.pdf#page=2">two</a> <a href="files/none.pdf">gone</a>'


class Heard(Reporter):
    """Keeps what a build says."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.warnings: list[str] = []

    def note(self, line: str) -> None:
        self.notes.append(line)

    def warn(self, line: str) -> None:
        self.warnings.append(line)


class Project:
    """A site with a PDF in it, and a folder of PDFs beside it."""

    def __init__(self, folder: Path) -> None:
        self.site, self.manuals, self.index = folder / "site", folder / "manuals", folder / "index"
        write_site(self.site, LINKS)
        (self.site / "files").mkdir()
        self.manuals.mkdir()
        write_pdf(self.site / "files/guide.pdf", [["Waffles are baked."], ["Waffles are eaten."]], title="Waffle guide")
        write_pdf(self.manuals / "Größe.pdf", [["The size of a waffle is nine."]], title="Sizes")
        self.heard = Heard()

    def build(self, *, full: bool = False, exclude: tuple[str, ...] = ()) -> IndexReport:
        self.heard = Heard()
        return index_site(
            self.site,
            index=self.index,
            name="docs",
            embedder="lexical",
            pdf=[self.manuals],
            full=full,
            exclude=exclude,
            report=self.heard,
        )

    @property
    def manifest(self) -> Manifest:
        return read_manifest(self.index)

    def document(self) -> Page:
        """The one that is not published."""
        return next(page for page in self.manifest.pages() if page.page.startswith(DOCUMENTS))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_pdfs_are_pages_with_the_language_of_those_around_them(project: Project) -> None:
    assert project.build().refused == ()
    guide = project.manifest.page("files/guide.pdf")
    assert guide is not None
    assert (guide.kind, guide.title, guide.language, guide.file) == ("pdf", "Waffle guide", "en", "files/guide.pdf")
    sizes = project.document()
    assert (sizes.kind, sizes.title, sizes.language, sizes.file) == ("pdf", "Sizes", "en", "manuals/Größe.pdf")


def test_redirects_beside_a_pdf_do_not_decide_its_language(project: Project) -> None:
    for name in ("old.html", "older.html"):
        (project.site / "files" / name).write_text('<meta http-equiv="refresh" content="0; url=../index.html">')
    project.build()
    guide = project.manifest.page("files/guide.pdf")
    assert guide is not None
    assert guide.language == "en"


@pytest.mark.parametrize(
    ("link", "status", "href"),
    [
        ("files/guide.pdf", "exact", "files/guide.pdf"),
        ("files/guide.pdf#page=2", "exact", "files/guide.pdf#page=2"),
        ("files/guide.pdf#page=02", "exact", "files/guide.pdf#page=02"),
        ("files/guide.pdf#page=2&zoom=50", "exact", "files/guide.pdf#page=2&zoom=50"),
        ("files/guide.pdf#zoom=50", "exact", "files/guide.pdf#zoom=50"),
        ("files/guide.pdf#page=3", "page-only", "files/guide.pdf"),
        ("files/guide.pdf#page=0", "page-only", "files/guide.pdf"),
        ("files/guide.pdf#zoom=50&page=3", "page-only", "files/guide.pdf"),
        ("files/guide.pdf#chapter", "page-only", "files/guide.pdf"),
    ],
)
def test_a_link_to_a_page_of_a_pdf_lands_where_the_page_is_there(
    project: Project, link: str, status: str, href: str
) -> None:
    project.build()
    found = resolve(project.manifest, link)
    assert (found.status, found.href) == (status, href)


def test_what_is_not_published_is_no_address_of_the_site(project: Project) -> None:
    project.build()
    page = project.document().page
    assert resolve(project.manifest, page).status == "unlinked"
    assert resolve(project.manifest, "manuals/Größe.pdf").status == "unlinked"
    file = read_manifest_file(served_build(project.index))
    assert page in {row.page.page for row in file.pages}
    exported = index_site(
        project.site,
        index=project.index,
        name="docs",
        embedder="lexical",
        pdf=[project.manuals],
        base_url="https://example.org/",
        exports=("manifest", "urls", "inventory", "llms", "markdown"),
    )
    for name in exported.exported:
        assert b"_documents" not in (project.site / name).read_bytes()
        assert b"Sizes" not in (project.site / name).read_bytes()
    assert "https://example.org/files/guide.pdf" in (project.site / "assets/trueref/urls.txt").read_text()
    assert "## Page 2\n\nWaffles are eaten." in (project.site / "llms-full.txt").read_text()


def test_links_in_pages_lead_to_pdfs_and_checks_stay_quiet(project: Project) -> None:
    project.build()
    assert read_graph(project.index) is not None
    links = project.manifest
    assert look_up_link(links, "files/guide.pdf#page=2") == "place"
    found = [str(finding) for finding in check([project.site]).findings]
    # The file that is not there is a finding as before, and nothing else is one.
    assert len(found) == 1
    assert "files/none.pdf" in found[0]


def test_an_unchanged_build_reads_no_pdf(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.build()
    parsed: list[str] = []
    parse = pdf_parse.parse_pdf

    def counted(file: str, *rest: Any) -> Any:
        parsed.append(file)
        return parse(file, *rest)

    monkeypatch.setattr(pdf_parse, "parse_pdf", counted)
    assert not project.build().changed
    assert parsed == []
    write_pdf(project.site / "files/guide.pdf", [["Waffles are burnt."]], title="Waffle guide")
    assert project.build().changed
    assert parsed == ["files/guide.pdf"]
    parsed.clear()
    project.build(full=True)
    assert sorted(parsed) == ["files/guide.pdf", "manuals/Größe.pdf"]


def test_a_pdf_has_a_row_in_the_ledger_and_goes_with_its_file(project: Project) -> None:
    project.build()
    rows = {row.file_path: row.chunk_count for row in read_ledger(project.index)}
    assert rows["files/guide.pdf"] == 2
    assert rows["manuals/Größe.pdf"] == 1
    (project.site / "files/guide.pdf").unlink()
    (project.manuals / "Größe.pdf").unlink()
    assert project.build().changed
    assert {page.kind for page in project.manifest.pages()} == {"landing"}
    assert not (served_build(project.index) / FOLDER).exists()


def test_the_file_goes_with_the_index_and_is_shared_by_generations(project: Project) -> None:
    for number in range(8):
        (project.site / f"p{number}.html").write_text(f"<title>P{number}</title><main><p>Text {number}.</p></main>")
    project.build()
    name = f"{project.document().page.removeprefix(DOCUMENTS)}.pdf"
    first = served_build(project.index) / FOLDER / name
    assert first.read_bytes() == (project.manuals / "Größe.pdf").read_bytes()
    (project.site / "p1.html").write_text("<title>P1</title><main><p>Other text.</p></main>")
    project.build()
    second = served_build(project.index) / FOLDER / name
    assert second != first
    assert second.samefile(first)
    verify(served_build(project.index))
    second.write_bytes(b"other")
    with pytest.raises(IndexDamaged, match=rf"{name} has changed since it was written"):
        verify(served_build(project.index))


def test_documents_of_another_site_of_the_index_stay(project: Project, tmp_path: Path) -> None:
    project.build()
    mine = {path.name: path.read_bytes() for path in (served_build(project.index) / FOLDER).iterdir()}
    write_site(tmp_path / "other", "")
    (tmp_path / "papers").mkdir()
    write_pdf(tmp_path / "papers/more.pdf", [["The size of a pancake is ten."]], title="Pancakes")
    options = {"index": project.index, "name": "other", "embedder": "lexical", "pdf": [tmp_path / "papers"]}
    index_site(tmp_path / "other", **options)  # type: ignore[arg-type]
    both = {path.name: path.read_bytes() for path in (served_build(project.index) / FOLDER).iterdir()}
    assert len(both) == len(mine) + 1
    assert both.items() >= mine.items()
    verify(served_build(project.index))
    index_site(tmp_path / "other", **(options | {"pdf": []}))  # type: ignore[arg-type]
    assert {path.name for path in (served_build(project.index) / FOLDER).iterdir()} == mine.keys()


def test_a_pdf_that_the_site_publishes_too_is_indexed_once_at_its_address(project: Project) -> None:
    (project.manuals / "copy.pdf").write_bytes((project.site / "files/guide.pdf").read_bytes())
    project.build()
    assert [page.file for page in project.manifest.pages() if page.kind == "pdf"] == [
        "manuals/Größe.pdf",
        "files/guide.pdf",
    ]


def test_an_excluded_pdf_is_not_read(project: Project) -> None:
    project.build(exclude=("files/*", "manuals/*"))
    assert [page.page for page in project.manifest.pages()] == [""]


def test_a_pdf_that_cannot_be_read_is_named_and_the_others_are_indexed(project: Project) -> None:
    write_pdf(project.manuals / "locked.pdf", [["secret"]], password="x")
    (project.site / "files/broken.pdf").write_bytes(b"%PDF-1.4 no more")
    write_pdf(project.manuals / "scan.pdf", [[]], draw=picture)
    report = project.build()
    assert dict(report.refused) == {
        "files/broken.pdf": "it is damaged, or no PDF",
        "manuals/locked.pdf": "it is protected with a password. Publish one that can be read without, or leave it out",
    }
    assert len(project.heard.warnings) == 2
    note = "manuals/scan.pdf has pictures and no text. Run OCR on it, so that searches find it."
    assert project.heard.notes == [note]
    assert len([page for page in project.manifest.pages() if page.kind == "pdf"]) == 3
    # Said again, though nothing is read.
    assert not project.build().changed
    assert project.heard.notes == [note]


def test_a_folder_that_is_not_there_is_refused(project: Project) -> None:
    project.manuals = project.manuals / "none"
    with pytest.raises(
        OptionError, match=r"^The folder of PDFs .*none does not exist\. Name a folder that holds some\.$"
    ):
        project.build()


def test_without_the_extra_the_pdfs_are_named_and_nothing_else_changes(project: Project) -> None:
    code = (
        "import sys, importlib.util as util\n"
        "real = util.find_spec\n"
        "util.find_spec = lambda name, *rest: None if name == 'pypdfium2' else real(name, *rest)\n"
        f"sys.argv = ['trueref', 'index', {str(project.site)!r}, '--index', {str(project.index)!r}, '--embedder', 'lexical',\n"
        f"  '--pdf', {str(project.manuals)!r}]\n"
        "import trueref.cli; trueref.cli.main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    warning = "2 PDFs are not read: files/guide.pdf, manuals/Größe.pdf. Install `trueref[pdf]` to have their text found"
    assert done.stderr.count(warning) == 1
    assert [page.page for page in project.manifest.pages()] == [""]


def test_marked_text_has_every_document(project: Project) -> None:
    project.build()
    build = served_build(project.index)
    made = {
        file.path: file.data.decode()
        for file in marked_files(read_manifest_file(build), read_build_texts(build), "docs")
    }
    assert sorted(made) == ["files--guide.pdf.txt", "index.html.txt", "manuals--Größe.pdf.txt", "pages.json"]
    assert made["files--guide.pdf.txt"] == (
        "--- Page 1 ---\n\n# Waffle guide\n\nWaffles are baked.\n\n--- Page 2 ---\n\nWaffles are eaten.\n"
    )
    listed = json.loads(made["pages.json"])["files"]
    assert listed["files--guide.pdf.txt"] == {
        "document": "files/guide.pdf",
        "title": "Waffle guide",
        "pages": 2,
        "pdf": True,
    }
