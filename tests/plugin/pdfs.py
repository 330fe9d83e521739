"""Real PDFs for the tests, written by reportlab."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from trueref_plugin.pdf.guard import GuardedPdfs
from trueref_plugin.pdf.parse import ParsedPdf, parse_pdf

HTML = '<!doctype html><html lang="en"><head><title>Home</title></head><body><main><h1 id="home">Home</h1><p>{}</p></main></body></html>'

Draw = Callable[[Any, int], None]


def write_pdf(
    path: Path,
    pages: Sequence[Sequence[str]],
    *,
    title: str = "",
    password: str = "",
    draw: Draw | None = None,
    bookmarks: Sequence[tuple[int, str]] = (),
) -> Path:
    """A PDF with these lines on its pages; "" is an empty line. `draw` adds something to each page, given its number."""
    canvas = Canvas(str(path), pagesize=A4, invariant=1, encrypt=StandardEncryption(password) if password else None)
    if title:
        canvas.setTitle(title)
    for number, lines in enumerate(pages, 1):
        for page, name in bookmarks:
            if page == number:
                canvas.bookmarkPage(name)
                canvas.addOutlineEntry(name, name)
        text = canvas.beginText(72, 740)
        text.setFont("Helvetica", 11)
        for line in lines:
            text.textLine(line)
        canvas.drawText(text)
        if draw is not None:
            draw(canvas, number)
        canvas.showPage()
    canvas.save()
    return path


def picture(canvas: Any, _number: int) -> None:
    """Puts a picture on a page, as a scanner does."""
    from PIL import Image

    made = BytesIO()
    Image.new("RGB", (60, 80), "white").save(made, "PNG")
    canvas.drawImage(ImageReader(BytesIO(made.getvalue())), 0, 0, 595, 842)


def framed(canvas: Any, number: int) -> None:
    """Puts a running title and a page number on a page."""
    canvas.setFont("Helvetica", 9)
    canvas.drawString(72, 810, "Acme Handbook")
    canvas.drawRightString(520, 810, f"Release 4 | {number}")
    canvas.drawString(280, 30, f"Page {number} of 9")


def parsed(path: Path) -> ParsedPdf:
    """What is read of a PDF."""
    with GuardedPdfs() as guarded:
        opened = guarded.open(path.read_bytes())
        return parse_pdf(path.name, opened, list(guarded.pages(opened)))


def texts(path: Path) -> list[list[str]]:
    """The blocks of each of its pages."""
    page = parsed(path).page
    count = len(page.sections) - 1
    return [[block.text for block in page.blocks if block.section == number] for number in range(1, count + 1)]


def write_site(folder: Path, body: str = "Welcome.") -> Path:
    """A site with one page."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.html").write_text(HTML.format(body), encoding="utf-8")
    return folder
