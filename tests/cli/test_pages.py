"""`trueref pages`, and the export whose text it reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.running import run
from tests.plugin.pdfs import write_pdf, write_site

import trueref


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an index of two PDFs, and its marked text in `out`."""
    folder = tmp_path_factory.mktemp("marked")
    site = write_site(folder / "site")
    (folder / "manuals").mkdir()
    pages = [[f"The torque of bolt{n} is {n * 3}."] for n in range(1, 101)]
    write_pdf(site / "bolts.pdf", pages, title="Bolts")
    write_pdf(folder / "manuals" / "nuts.pdf", [["Nuts are round."]], title="Nuts")
    args = ("--index", folder / "index", "--embedder", "lexical", "--pdf", folder / "manuals")
    assert run("index", site, *args).returncode == 0
    done = run("export", "--format", "marked-text", "-o", folder / "out", "--index", folder / "index")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"Wrote 3 documents and pages.json into {folder / 'out'}.\n"
    return folder


def test_a_piece_of_marked_text_tells_its_pages(made: Path) -> None:
    text = (made / "out/bolts.pdf.txt").read_text(encoding="utf-8")
    piece = text[text.index("torque of bolt57 ") : text.index("is 174")]
    done = run("pages", stdin=piece)
    assert (done.returncode, done.stdout) == (0, "57\n58\n")
    assert run("pages", "-", stdin=piece).stdout == done.stdout
    assert trueref.pages_of(piece) == (57, 58)


def test_a_file_id_names_the_document_whose_pages_are_told(made: Path) -> None:
    sidecar = json.loads((made / "out/pages.json").read_text(encoding="utf-8"))
    sidecar["files"] = {"file-1": sidecar["files"]["bolts.pdf.txt"] | {"page": 40}}
    path = made / "hosted.json"
    path.write_text(json.dumps(sidecar), encoding="utf-8")
    given = ("pages", "--file-id", "file-1", "--sidecar", path)
    assert run(*given, stdin="no mark in here").stdout == "40  bolts.pdf#page=40\n"
    assert run(*given, stdin="").stdout == "40  bolts.pdf#page=40\n"
    done = run(*given, "--json", stdin="--- Page 57 ---\n\ntext")
    assert json.loads(done.stdout) == {
        "document": "bolts.pdf",
        "title": "Bolts",
        "pages": [57],
        "hrefs": ["bolts.pdf#page=57"],
    }


def test_an_unpublished_document_is_addressed_at_the_server(made: Path) -> None:
    given = ("--file-id", "manuals--nuts.pdf.txt", "--sidecar", made / "out/pages.json")
    done = run("pages", *given, "--json", stdin="--- Page 1 ---\n\nx", env={"TRUEREF_PREFIX": "/ask"})
    href = json.loads(done.stdout)["hrefs"][0]
    assert href.startswith("/ask/documents/")
    assert href.endswith("#page=1")


def test_the_text_of_a_html_page_leads_to_the_page_without_page_numbers(made: Path) -> None:
    given = ("--file-id", "index.html.txt", "--sidecar", made / "out/pages.json")
    done = run("pages", *given, "--json", stdin="--- Page 1 ---\n\nx")
    assert json.loads(done.stdout) == {"document": "", "title": "Home", "pages": [1], "hrefs": [""]}


def test_a_text_without_a_mark_exits_with_1() -> None:
    done = run("pages", stdin="nothing")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("pages", "--file-id", "x"), "Give --file-id and --sidecar together"),
        (("pages", "--file-id", "x", "--sidecar", "none.json"), "none.json cannot be read: No such file or directory."),
        (("pages", "none.txt"), "none.txt cannot be read: No such file or directory."),
        (("export", "--format", "marked-text"), "Name a folder for them with -o."),
    ],
)
def test_a_wrong_use_is_told_in_one_line(made: Path, args: tuple[str, ...], message: str) -> None:
    done = run(*args, *(("--index", made / "index") if args[0] == "export" else ()))
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_sidecar_without_the_file_id_is_refused_and_says_what_it_has(made: Path, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[]", encoding="utf-8")
    done = run("pages", "--file-id", "x", "--sidecar", tmp_path / "a.json", stdin="x")
    assert (done.returncode, "does not list hosted files" in done.stderr) == (2, True)
    done = run("pages", "--file-id", "x", "--sidecar", made / "out/pages.json", stdin="x")
    assert (done.returncode, "The list has no file 'x'. It has 3, such as" in done.stderr) == (2, True)


def test_an_answer_from_a_pdf_names_its_page_and_file(made: Path) -> None:
    done = run("ask", "torque of bolt57", "--index", made / "index")
    assert "[1] Bolts > Page 57 of bolts.pdf\n    bolts.pdf#page=57" in done.stdout
