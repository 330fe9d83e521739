"""Makes a parsed page from a PDF. Each page of the PDF is a section, which is cited by its fragment (`#page=7`)."""

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
from trueref_plugin.pdf.pdf_characters import clean, dehyphenate, vocabulary
from trueref_plugin.pdf.pdf_messages import PdfMetadata, PdfPageText
from trueref_plugin.pdf.running_titles import without_running
from trueref_plugin.reading.markup.containers import ORDERED_LIST
from trueref_plugin.reading.parsed import Block, Head, ParsedAnchor, ParsedPage, ParsedSection

MAX_TITLE: Final = 120
MAX_CARRIED: Final = 500
"""The end of a sentence is moved back to the page where the sentence begins, if it has at most this many characters."""
MAX_NAMED: Final = 8
"""Pages that a note lists at most."""

# Titles that programs write if the author gave none.
_NO_TITLE: Final = re.compile(
    r"\W*|untitled.{0,20}|\(?anonymous\)?|microsoft (?:word|powerpoint) - .*"
    r"|.{1,200}\.(?:docx?|pptx?|odt|tex|dvi|indd|pdf)",
    re.IGNORECASE,
)
_WORDLESS: Final = re.compile(r"[\W\d_]*")


def parse_pdf(name: str, opened: PdfMetadata, pages: Sequence[PdfPageText]) -> tuple[ParsedPage, tuple[str, ...]]:
    """Parses a PDF.

    Args:
        name: Name of the file, which is its title if it has no other.
        opened: Its metadata.
        pages: Its pages, or only the first ones if it has too many.

    Returns:
        The content; and notes that say which part of it cannot be searched. A note follows the name of the file.
    """
    lines_by_page = without_running(pages)
    body = body_size(lines_by_page)
    blocks = _dehyphenated(_with_whole_sentences([paragraphs(lines, body) for lines in lines_by_page]))
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
    page = ParsedPage(head, title, "", tuple(sections), tuple(_blocks(blocks)), tuple(anchors))
    return page, _notes(opened, pages)


def _blocks(pages: Sequence[Sequence[Paragraph]]) -> Iterator[Block]:
    """The blocks of all pages. The blocks of a page belong to the section with its number."""
    lists = 0
    for number, page in enumerate(pages, 1):
        for paragraph in page:
            # `paragraphs` replaced bullets by dashes, so an item without a dash has a number.
            is_numbered = paragraph.kind == "list" and not paragraph.text.startswith("- ")
            lists += is_numbered
            path = f"{ORDERED_LIST}{lists}" if is_numbered else ""
            role: BlockRole = "heading" if paragraph.is_heading else "text"
            yield Block(
                paragraph.kind,
                paragraph.text,
                number,
                paragraph.units,
                starts=paragraph.is_heading,
                role=role,
                path=path,
            )


def _with_whole_sentences(pages: list[list[Paragraph]]) -> list[list[Paragraph]]:
    """Moves the end of a sentence that goes over two pages back to the page where the sentence begins.

    Each page is a section, so no chunk has text of two pages, and each half of such a sentence would be hard to find.
    """
    for page, following in pairwise(pages):
        if not page or not following or page[-1].kind != "prose" or following[0].kind != "prose":
            continue
        last, first_block = page[-1], following[0]
        if last.is_heading or ends_sentence(last.text) or not first_block.text[:1].islower():
            continue
        sentence_end = split_sentences(first_block.text)[0][1]
        if sentence_end > MAX_CARRIED:
            continue
        page[-1] = replace(last, text=join(last.text, first_block.text[:sentence_end]))
        remaining_text = first_block.text[sentence_end:].strip()
        following[:1] = [replace(first_block, text=remaining_text)] if remaining_text else []
    return pages


def _dehyphenated(pages: list[list[Paragraph]]) -> list[list[Paragraph]]:
    """The paragraphs with hyphenated words joined. The words of the whole document decide which hyphens stay."""
    words = vocabulary(paragraph.text for page in pages for paragraph in page)
    return [
        [
            replace(
                paragraph,
                text=dehyphenate(paragraph.text, words),
                units=tuple(dehyphenate(unit, words) for unit in paragraph.units),
            )
            for paragraph in page
        ]
        for page in pages
    ]


def _title(name: str, opened: PdfMetadata, blocks: Sequence[Sequence[Paragraph]]) -> str:
    """The title in the metadata, else the first paragraph if it can be a title, else the name of the file."""
    written = clean(opened.title)
    if not _NO_TITLE.fullmatch(written):
        return written[:MAX_TITLE]
    first = next((paragraph for page in blocks[:1] for paragraph in page), None)
    if first is not None and _can_be_title(first):
        return first.text
    return name.rpartition("/")[2]


def _can_be_title(first: Paragraph) -> bool:
    """Whether the first paragraph may be the title: short, with words, and no sentence."""
    if first.kind != "prose" or len(first.text) > MAX_TITLE or _WORDLESS.fullmatch(first.text):
        return False
    return first.is_heading or not ends_sentence(first.text)


def _chapters(opened: PdfMetadata, title: str) -> dict[int, str]:
    """By number of a page: the title of the first bookmark that leads to it, else of the last bookmark before it."""
    titles: dict[int, list[str]] = defaultdict(list)
    for number, bookmark in opened.outline:
        if name := clean(bookmark)[:MAX_TITLE]:
            titles[number].append(name)
    chapters: dict[int, str] = {}
    current = title
    for number in range(1, opened.pages + 1):
        on_page = titles.get(number, [current])
        chapters[number], current = on_page[0], on_page[-1]
    return chapters


def _notes(opened: PdfMetadata, pages: Sequence[PdfPageText]) -> tuple[str, ...]:
    """Says which content of the file cannot be searched, for the person who runs the build."""
    notes: list[str] = []
    scanned_pages = [number for number, page in enumerate(pages, 1) if page.has_picture]
    if scanned_pages and not any(page.lines for page in pages):
        notes.append("has pictures and no text. Run OCR on it, so that searches find it")
    elif scanned_pages:
        notes.append(
            f"has pictures and no text on {_page_list(scanned_pages)}. Run OCR on it, so that searches find them"
        )
    elif not any(page.lines for page in pages):
        notes.append("has no text, so searches cannot find it")
    if len(pages) < opened.pages:
        notes.append(f"has {opened.pages} pages, of which the first {len(pages)} are read")
    if cut_pages := [number for number, page in enumerate(pages, 1) if page.is_cut]:
        notes.append(f"has more text than is read on {_page_list(cut_pages)}")
    return tuple(notes)


def _page_list(pages: Sequence[int]) -> str:
    """Numbers of pages in words, such as `pages 2, 3 and 5 more`."""
    numbers = ", ".join(map(str, pages[:MAX_NAMED]))
    more = f" and {len(pages) - MAX_NAMED} more" if len(pages) > MAX_NAMED else ""
    return f"{'page' if len(pages) == 1 else 'pages'} {numbers}{more}"
