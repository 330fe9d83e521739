"""A PDF as a parsed page, with a section for each page of the PDF, which is cited by its fragment (`#page=7`)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from trueref_core.documents import page_anchor
from trueref_core.records import BlockRole
from trueref_core.text.sentences import split_sentences
from trueref_plugin.pdf.paragraphs import Paragraph, body_size, ends_sentence, join, paragraphs
from trueref_plugin.pdf.pdf_characters import clean, mend, vocabulary
from trueref_plugin.pdf.pdf_messages import Opened, PdfPageText
from trueref_plugin.pdf.running import without_running
from trueref_plugin.reading.containers import STEPS
from trueref_plugin.reading.parsed import Block, Head, ParsedAnchor, ParsedPage, ParsedSection

TITLE_MOST: Final = 120
CARRIED_MOST: Final = 500
"""The end of a sentence is moved back to the page where it begins, if it has at most this many characters."""
NAMED_MOST: Final = 8
"""Pages that a note lists at most."""

# Titles that programs write if nobody gave one.
_NO_TITLE: Final = re.compile(
    r"\W*|untitled.{0,20}|\(?anonymous\)?|microsoft (?:word|powerpoint) - .*"
    r"|.{1,200}\.(?:docx?|pptx?|odt|tex|dvi|indd|pdf)",
    re.IGNORECASE,
)
_WORDLESS: Final = re.compile(r"[\W\d_]*")


def parse_pdf(name: str, opened: Opened, pages: Sequence[PdfPageText]) -> tuple[ParsedPage, tuple[str, ...]]:
    """The content of a PDF, and notes that say which of it cannot be searched, without the name of the file.

    Args:
        name: Name of the file, which is its title if it has no other.
        opened: Its metadata.
        pages: Its pages, or the first ones if it has too many.
    """
    lines_by_page = without_running(pages)
    body = body_size(lines_by_page)
    blocks = _mended(_carried([paragraphs(lines, body) for lines in lines_by_page]))
    title = _title(name, opened, blocks)
    outline = _chapters(opened, title)
    sections = [ParsedSection("", 0, title, (), -1)]
    anchors: list[ParsedAnchor] = []
    for number in range(1, opened.pages + 1):
        anchor, chapter = page_anchor(number), outline.get(number, title)
        sections.append(ParsedSection(anchor, 0, chapter, (title,), 0))
        anchors.append(ParsedAnchor(anchor, "other", 0, f"Page {number}", 0, duplicate=False))
    subject = "" if _NO_TITLE.fullmatch(opened.subject) or opened.subject == "unspecified" else clean(opened.subject)
    head = Head(title=title, description=subject)
    page = ParsedPage(head, title, "", tuple(sections), tuple(_placed(blocks)), tuple(anchors))
    return page, _notes(opened, pages)


def _placed(pages: Sequence[Sequence[Paragraph]]) -> Iterator[Block]:
    """The paragraphs as blocks of the sections of their pages."""
    lists = 0
    for number, page in enumerate(pages, 1):
        for part in page:
            # Bullets were replaced by dashes, so every other item has a number.
            is_numbered = part.kind == "list" and not part.text.startswith("- ")
            lists += is_numbered
            path = f"{STEPS}{lists}" if is_numbered else ""
            role: BlockRole = "heading" if part.is_heading else "text"
            yield Block(
                part.kind,
                part.text,
                number,
                part.units,
                starts=part.is_heading,
                role=role,
                path=path,
            )


def _carried(pages: list[list[Paragraph]]) -> list[list[Paragraph]]:
    """Moves the end of a sentence back to the page where it begins.

    Each page is a section, so a chunk never reaches over two pages, and half a sentence could not be found.
    """
    for page, following in pairwise(pages):
        if not page or not following or page[-1].kind != "prose" or following[0].kind != "prose":
            continue
        last, first_block = page[-1], following[0]
        if last.is_heading or ends_sentence(last.text) or not first_block.text[:1].islower():
            continue
        first = split_sentences(first_block.text)[0][1]
        if first > CARRIED_MOST:
            continue
        page[-1] = replace(last, text=join(last.text, first_block.text[:first]))
        remaining_text = first_block.text[first:].strip()
        following[:1] = [replace(first_block, text=remaining_text)] if remaining_text else []
    return pages


def _mended(pages: list[list[Paragraph]]) -> list[list[Paragraph]]:
    """The paragraphs with hyphenated words joined. The words in the rest of the document decide about hyphens."""
    words = vocabulary(part.text for page in pages for part in page)
    return [
        [
            replace(part, text=mend(part.text, words), units=tuple(mend(unit, words) for unit in part.units))
            for part in page
        ]
        for page in pages
    ]


def _title(name: str, opened: Opened, blocks: Sequence[Sequence[Paragraph]]) -> str:
    """The title in the metadata, else the first line if it can be a title, else the name of the file."""
    written = clean(opened.title)
    if not _NO_TITLE.fullmatch(written):
        return written[:TITLE_MOST]
    first = next((paragraph for page in blocks[:1] for paragraph in page), None)
    if first is not None and _can_be_title(first):
        return first.text
    return name.rpartition("/")[2]


def _can_be_title(first: Paragraph) -> bool:
    """Whether the first paragraph may be the title: short, with words, and no sentence."""
    if first.kind != "prose" or len(first.text) > TITLE_MOST or _WORDLESS.fullmatch(first.text):
        return False
    return first.is_heading or not ends_sentence(first.text)


def _chapters(opened: Opened, title: str) -> dict[int, str]:
    """By page: the first bookmark that leads to it, else the last one before it."""
    titles: dict[int, list[str]] = defaultdict(list)
    for number, bookmark in opened.outline:
        if name := clean(bookmark)[:TITLE_MOST]:
            titles[number].append(name)
    chapters: dict[int, str] = {}
    current = title
    for number in range(1, opened.pages + 1):
        on_page = titles.get(number, [current])
        chapters[number], current = on_page[0], on_page[-1]
    return chapters


def _notes(opened: Opened, pages: Sequence[PdfPageText]) -> tuple[str, ...]:
    """Which content of the file cannot be searched, for the person who runs the build."""
    notes: list[str] = []
    scanned = [number for number, page in enumerate(pages, 1) if page.has_picture]
    if scanned and not any(page.lines for page in pages):
        notes.append("holds pictures and no text: scanned. Nothing of it can be found until it went through OCR")
    elif scanned:
        notes.append(f"has no text on {_named(scanned)}, only pictures: scanned. Nothing of them can be found")
    elif not any(page.lines for page in pages):
        notes.append("has no text, so that nothing of it can be found")
    if len(pages) < opened.pages:
        notes.append(f"has {opened.pages} pages, of which the first {len(pages)} are read")
    if cut := [number for number, page in enumerate(pages, 1) if page.is_cut]:
        notes.append(f"has more text than is read on {_named(cut)}")
    return tuple(notes)


def _named(pages: Sequence[int]) -> str:
    """Pages in words."""
    numbers = ", ".join(map(str, pages[:NAMED_MOST]))
    more = f" and {len(pages) - NAMED_MOST} more" if len(pages) > NAMED_MOST else ""
    return f"{'page' if len(pages) == 1 else 'pages'} {numbers}{more}"
