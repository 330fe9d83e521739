"""What is read of a PDF: text by page, without what runs over the pages, in whole words and sentences."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plugin.pdfs import framed, parsed, picture, texts, write_pdf
from tests.plugin.processor_time import children
from tests.work import is_linear

from trueref_core.records import Page
from trueref_plugin.cutting.cut import cut_page
from trueref_plugin.pdf import pdf_guard
from trueref_plugin.pdf.paragraphs import paragraphs
from trueref_plugin.pdf.pdf_characters import HYPHEN, clean, dehyphenate, vocabulary
from trueref_plugin.pdf.pdf_guard import MAX_BYTES, GuardedPdfs
from trueref_plugin.pdf.pdf_messages import PdfLine, PdfMetadata, PdfPageText
from trueref_plugin.pdf.pdf_parse import parse_pdf
from trueref_plugin.pdf.running_titles import without_running
from trueref_plugin.reading.guarding.child import PageRefused

RECORD = Page("docs", "guide.pdf", "guide.pdf", "Guide", kind="pdf", language="en")


def test_a_page_is_a_section_that_its_fragment_leads_to(tmp_path: Path) -> None:
    found, _ = parsed(write_pdf(tmp_path / "a.pdf", [["One."], ["Two."]], title="The guide"))
    assert [(section.anchor, section.title, section.breadcrumb) for section in found.sections] == [
        ("", "The guide", ()),
        ("page=1", "The guide", ("The guide",)),
        ("page=2", "The guide", ("The guide",)),
    ]
    assert [anchor.anchor for anchor in found.anchors] == ["page=1", "page=2"]


def test_a_hundred_pages_keep_their_texts(tmp_path: Path) -> None:
    lines = [
        [f"Topic {number} is special.", "", f"The setting key{number} is {number * 7}."] for number in range(1, 101)
    ]
    assert texts(write_pdf(tmp_path / "a.pdf", lines)) == [[lines[0], lines[2]] for lines in lines]


def test_running_titles_and_page_numbers_are_no_text(tmp_path: Path) -> None:
    lines = [[f"Topic {number} is here.", "It goes on."] for number in range(1, 10)]
    found = texts(write_pdf(tmp_path / "a.pdf", lines, draw=framed))
    assert found == [[f"Topic {number} is here. It goes on."] for number in range(1, 10)]


def test_the_title_of_a_chapter_beside_a_running_page_number_is_no_text(tmp_path: Path) -> None:
    def chapter(canvas: Any, number: int) -> None:
        canvas.drawString(72, 810, f"Chapter {number // 2}: Of waffles and plates {number}")
        canvas.drawRightString(520, 810, str(number + 4))

    found = texts(write_pdf(tmp_path / "a.pdf", [[f"Topic {number} is here."] for number in range(1, 7)], draw=chapter))
    assert found == [[f"Topic {number} is here."] for number in range(1, 7)]


def test_a_line_that_is_on_two_pages_only_is_no_running_title(tmp_path: Path) -> None:
    found = texts(write_pdf(tmp_path / "a.pdf", [["Same title", "", "", "one"], ["Same title", "", "", "two"]]))
    assert found == [["Same title", "one"], ["Same title", "two"]]


def test_a_page_with_nothing_but_a_running_title_keeps_it(tmp_path: Path) -> None:
    found = texts(write_pdf(tmp_path / "a.pdf", [[f"Page {number}"] for number in range(1, 6)]))
    assert found == [[f"Page {number}"] for number in range(1, 6)]


def test_words_that_a_line_end_parts_are_whole(tmp_path: Path) -> None:
    lines = ["The exten-", "sion is well-known. A well-", "known rule of the Anglo-", "Saxon kind."]
    assert texts(write_pdf(tmp_path / "a.pdf", [lines])) == [
        ["The extension is well-known. A well-known rule of the Anglo-Saxon kind."]
    ]


def test_a_sentence_that_crosses_pages_is_of_the_page_where_it_begins(tmp_path: Path) -> None:
    pages = [["This one ends. This sentence goes"], ["on over here. The next one does not."], ["Third."]]
    assert texts(write_pdf(tmp_path / "a.pdf", pages)) == [
        ["This one ends. This sentence goes on over here."],
        ["The next one does not."],
        ["Third."],
    ]


def test_items_are_a_list_and_wide_gaps_make_a_table(tmp_path: Path) -> None:
    def cells(canvas: object, _number: int) -> None:
        for row, y in enumerate((500, 480, 460)):
            for column, x in enumerate((72, 200, 330)):
                canvas.drawString(x, y, f"cell{row}{column}")  # type: ignore[attr-defined]

    lines = ["Before the items:", "", "\u2022 first", "\u2022 second", "", "After."]
    found = parsed(write_pdf(tmp_path / "a.pdf", [lines], draw=cells))[0].blocks
    assert [(block.kind, block.text) for block in found] == [
        ("prose", "Before the items:"),
        ("list", "- first\n- second"),
        ("prose", "After."),
        ("table", "\n".join(f"| cell{row}0 | cell{row}1 | cell{row}2 |" for row in range(3))),
    ]


def test_headings_and_numbered_items_are_told_as_such(tmp_path: Path) -> None:
    def title(canvas: object, _number: int) -> None:
        canvas.setFont("Helvetica", 30)  # type: ignore[attr-defined]
        canvas.drawString(72, 500, "Setup")  # type: ignore[attr-defined]

    lines = ["Before the items:", "", "1. first", "2. second", "", "Between.", "", "\u2022 one", "\u2022 two"]
    found = parsed(write_pdf(tmp_path / "a.pdf", [lines], draw=title))[0].blocks
    assert [(block.role, block.path, block.text) for block in found] == [
        ("text", "", "Before the items:"),
        ("text", "o1", "1. first\n2. second"),
        ("text", "", "Between."),
        ("text", "", "- one\n- two"),
        ("heading", "", "Setup"),
    ]


@pytest.mark.browser
def test_what_a_browser_prints_is_read_as_it_was_written(tmp_path: Path, browser_path: str) -> None:
    lines = [
        f"Paragraph {n} tells how the efficient waffle machine is set, and that setting {n} is {n * 7}."
        for n in range(40)
    ]
    (tmp_path / "a.html").write_text(
        f"<title>Printed</title><h1>Setup</h1>{''.join(f'<p>{line}</p>' for line in lines)}"
    )
    printing = ("--headless", "--no-sandbox", "--disable-gpu", f"--print-to-pdf={tmp_path / 'a.pdf'}")
    command = [browser_path, *printing, (tmp_path / "a.html").as_uri()]
    subprocess.run(command, check=True, capture_output=True)
    found, _ = parsed(tmp_path / "a.pdf")
    assert found.title == "Printed"
    assert len(found.sections) > 2
    # Two pages are too few for what Chromium puts above and below them to be known for what it is.
    assert [block.text for block in found.blocks if "aragraph" in block.text] == lines


def test_an_empty_page_counts_as_a_page(tmp_path: Path) -> None:
    found, notes = parsed(write_pdf(tmp_path / "a.pdf", [["One."], [], ["Three."]]))
    assert [block.section for block in found.blocks] == [1, 3]
    assert notes == ()


def test_a_page_of_pictures_alone_is_named_as_scanned(tmp_path: Path) -> None:
    def second(canvas: object, number: int) -> None:
        if number == 2:
            picture(canvas, number)

    _, some = parsed(write_pdf(tmp_path / "a.pdf", [["One."], [], ["Three."]], draw=second))
    assert some == ("has pictures and no text on page 2. Run OCR on it, so that searches find them",)
    _, every = parsed(write_pdf(tmp_path / "b.pdf", [[], []], draw=picture))
    assert every == ("has pictures and no text. Run OCR on it, so that searches find it",)


@pytest.mark.parametrize(
    ("said", "first", "title"),
    [
        ("The guide", "Waffles", "The guide"),
        ("Microsoft Word - waffles.docx", "Waffles", "Waffles"),
        ("untitled", "Waffles", "Waffles"),
        ("", "A first line that is a sentence.", "a.pdf"),
        ("", "42", "a.pdf"),
    ],
)
def test_the_title_is_what_the_file_says_or_its_first_line_or_its_name(
    tmp_path: Path, said: str, first: str, title: str
) -> None:
    assert parsed(write_pdf(tmp_path / "a.pdf", [[first, "", "Text."]], title=said))[0].title == title


def test_bookmarks_are_the_titles_of_pages(tmp_path: Path) -> None:
    path = write_pdf(
        tmp_path / "a.pdf", [["a."], ["b."], ["c."], ["d."]], title="T", bookmarks=[(2, "First"), (4, "Second")]
    )
    assert [section.title for section in parsed(path)[0].sections] == ["T", "T", "First", "First", "Second"]


def test_chunks_say_their_page_and_never_cross_one(tmp_path: Path) -> None:
    long = [f"Sentence number {line} of page {{}} is here to fill it." for line in range(40)]
    pages = [[line.format(number) for line in long] for number in range(1, 8)]
    chunks = cut_page(RECORD, parsed(write_pdf(tmp_path / "a.pdf", pages))[0])
    assert {chunk.page_number for chunk in chunks} == set(range(1, 8))
    for chunk in chunks:
        assert chunk.anchor == f"page={chunk.page_number}"
        assert {part.split()[0] for part in chunk.text.split("of page ")[1:]} == {str(chunk.page_number)}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "it is damaged, or no PDF"),
        (b"%PDF-1.7\n", "it is damaged, or no PDF"),
        (b"<html>", "it is damaged, or no PDF"),
    ],
)
def test_what_is_no_pdf_is_refused(data: bytes, reason: str) -> None:
    with GuardedPdfs() as guarded, pytest.raises(PageRefused, match=f"^{reason}$"):
        guarded.open(data)


def test_a_protected_file_is_refused_and_the_next_one_is_read(tmp_path: Path) -> None:
    locked = write_pdf(tmp_path / "a.pdf", [["secret"]], password="waffle").read_bytes()
    plain = write_pdf(tmp_path / "b.pdf", [["plain."]]).read_bytes()
    with GuardedPdfs() as guarded:
        with pytest.raises(PageRefused, match=r"^it is protected with a password\."):
            guarded.open(locked)
        assert guarded.open(plain).pages == 1


def test_a_child_that_is_killed_is_replaced_and_the_next_file_is_read(tmp_path: Path) -> None:
    data = write_pdf(tmp_path / "a.pdf", [["One."]]).read_bytes()
    others = children()
    with GuardedPdfs() as guarded:
        opened = guarded.open(data)
        (child,) = children() - others
        os.kill(child, signal.SIGKILL)
        with pytest.raises(PageRefused, match=r"^the parser crashed on it$"):
            list(guarded.pages(opened))
        assert guarded.open(data).pages == 1


def test_a_page_that_takes_too_long_is_refused_and_the_next_file_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that unpacks to far more than it holds."""
    packer = zlib.compressobj(1)
    packed = zlib.compress(b"".join(packer.compress(bytes(1 << 24)) for _ in range(40)) + packer.flush())
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>",
        b"<</Length %d/Filter[/FlateDecode/FlateDecode]>>stream\n%b\nendstream" % (len(packed), packed),
    ]
    objects = b"".join(b"%d 0 obj\n%b\nendobj\n" % (number, part) for number, part in enumerate(parts, 1))
    monkeypatch.setattr(pdf_guard, "SECONDS_A_PAGE", 0.2)
    with GuardedPdfs() as guarded:
        opened = guarded.open(b"%PDF-1.7\n" + objects + b"trailer<</Size 5/Root 1 0 R>>\n%%EOF")
        assert opened.pages == 1
        with pytest.raises(PageRefused, match=r"^it took the parser more than 0\.2 s$"):
            list(guarded.pages(opened))
        assert guarded.open(write_pdf(tmp_path / "a.pdf", [["One."]]).read_bytes()).pages == 1


def test_a_file_that_is_too_large_is_refused_unread() -> None:
    others = children()
    with GuardedPdfs() as guarded:
        with pytest.raises(PageRefused, match=r"^it has 256 MB, more than 256$"):
            guarded.open(bytes(MAX_BYTES + 1))
        assert children() == others


def test_this_process_never_loads_the_parser(tmp_path: Path) -> None:
    parsed(write_pdf(tmp_path / "a.pdf", [["One."]]))
    assert "pypdfium2" not in sys.modules


def test_ligatures_and_odd_blanks_become_plain_letters_and_blanks() -> None:
    assert clean("e\ufb03cient \u200bﬂow\u00a0of\ufffd\u0007 text") == "efficient flow of text"


@pytest.mark.parametrize(
    ("text", "known", "whole"),
    [
        (f"exten{HYPHEN}sion", "", "extension"),
        (f"well{HYPHEN}known", "a well-known one", "well-known"),
        (f"well{HYPHEN}known", "a well-known and wellknown one", "wellknown"),
        (f"RFC{HYPHEN}2119", "", "RFC-2119"),
        (f"end {HYPHEN}", "", "end-"),
    ],
)
def test_a_hyphen_stays_where_the_word_has_one(text: str, known: str, whole: str) -> None:
    assert dehyphenate(text, vocabulary([known])) == whole


SIGNS = "Page 1 of2|·-–—ivx•()/.\t\n\ufffe中a"
lines = st.lists(
    st.builds(PdfLine, st.text(alphabet=SIGNS, max_size=80), *[st.floats(0, 800)] * 3, st.floats(1, 40)), max_size=12
)


@given(st.lists(st.builds(PdfPageText, lines.map(tuple)), max_size=8), st.text(alphabet=SIGNS, max_size=20))
def test_whatever_the_child_says_becomes_a_page(pages: list[PdfPageText], title: str) -> None:
    found, _ = parse_pdf("a.pdf", PdfMetadata(len(pages), title, title, ((1, title), (99, title))), pages)
    assert len(found.sections) == len(pages) + 1
    assert all(block.text.strip() and HYPHEN not in block.text for block in found.blocks)
    assert all(1 <= block.section <= len(pages) for block in found.blocks)
    chunks = cut_page(RECORD, found)
    assert all(chunk.page_number == int(chunk.anchor.removeprefix("page=")) for chunk in chunks)


def read_line(text: str) -> None:
    line = PdfLine(text, 0, 800, 800, 10)
    without_running([PdfPageText((line, PdfLine("b", 0, 100, 100, 10)))] * 3)
    paragraphs([line], 10)
    dehyphenate(clean(text), vocabulary([text]))


@pytest.mark.parametrize("piece", ["|", "- 1 - ", "a", "\ufffe", "a\ufffe", "1 | ", "-", "page "])
def test_long_lines_take_linear_time(piece: str) -> None:
    assert is_linear(read_line, piece, longest=100_000)


@given(st.text(alphabet=SIGNS, max_size=200))
def test_any_line_can_be_read_without_an_error(text: str) -> None:
    read_line(text)
