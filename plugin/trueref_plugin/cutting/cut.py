"""Cuts one page into chunks: sections in order, and within each, runs of text, tables and blocks of code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby

from trueref_core.addresses import section_id
from trueref_core.documents import page_of_anchor
from trueref_core.records import Chunk, ChunkKind, Page
from trueref_core.text.block_marks import BlockMark, write_mark
from trueref_core.text.identifiers import aliases
from trueref_core.text.sentences import split_sentences
from trueref_core.text.tokens import count_tokens
from trueref_plugin.cutting.limits import (
    CHILDREN_MOST,
    LEAD_IN_MOST,
    TWIN_LEAST,
    VALID_ANCHORS_MOST,
    WORDPIECES,
    WORDPIECES_LEAST,
)
from trueref_plugin.cutting.partition import partition
from trueref_plugin.cutting.run import Measure, make_run, overlap_start, wordpieces_at_most
from trueref_plugin.cutting.table import cut_table
from trueref_plugin.digests import digest
from trueref_plugin.reading.parsed import Block, ParsedPage, Section


@dataclass(frozen=True, slots=True)
class Piece:
    """The text of a chunk before it knows its place: `overlap` characters of it repeat the piece before.

    `marks` are those of the blocks that begin in it.
    """

    kind: ChunkKind
    text: str
    overlap: int = 0
    code_language: str = ""
    lead_in: str = ""
    marks: tuple[BlockMark, ...] = ()


def cut_page(page: Page, parsed: ParsedPage, measure: Measure | None = None) -> list[Chunk]:
    """The chunks of a page in document order.

    Args:
        page: The record of the page; its key and kind go into every chunk.
        parsed: What the page holds.
        measure: Counts wordpieces of the embedder, or None where nothing is embedded.
    """
    outline = _Outline.of(parsed)
    chunks: list[Chunk] = []
    code_index = 0
    for section_index, blocks in groupby(parsed.blocks, key=lambda block: block.section):
        section = parsed.sections[section_index]
        for piece in cut_section(section, list(blocks), measure):
            index = code_index if piece.kind == "code" else -1
            code_index += piece.kind == "code"
            chunks.append(_chunk(page, outline, section_index, piece, len(chunks), index))
    return _linked(chunks)


def cut_section(section: Section, blocks: Iterable[Block], measure: Measure | None) -> Iterator[Piece]:
    """The pieces of consecutive blocks of one section."""
    titles = " > ".join((*section.breadcrumb, section.title))
    spent = measure(titles) if measure else 0
    pieces_most = max(WORDPIECES - spent, WORDPIECES_LEAST)
    # Runs end at code and tables: a chunk of prose never goes over one, so that what is quoted is in the page as it is.
    before: list[Block] = []
    for kind, group in groupby(blocks, key=lambda block: block.kind if block.kind in ("code", "table") else None):
        if kind == "code":
            for block in group:
                yield Piece("code", block.text, 0, block.code_language, _lead_in(before, block), (_mark(block),))
                before = []
        elif kind == "table":
            for block in group:
                for number, text in enumerate(cut_table(block, measure, pieces_most)):
                    yield Piece("table", text, marks=(_mark(block, continued=number > 0),))
            before = []
        else:
            before = list(group)
            yield from _cut_run(before, measure, pieces_most)


def _cut_run(blocks: list[Block], measure: Measure | None, pieces_most: int) -> Iterator[Piece]:
    """The pieces of a run of text, each with what it repeats of the one before."""

    def fits(text: str) -> bool:
        return measure is None or wordpieces_at_most(text) <= pieces_most or measure(text) <= pieces_most

    run = make_run(blocks, measure, pieces_most)
    previous = 0
    for first, after in partition(run.segments, pieces_most):
        start, end = run.segments[first].start, run.segments[after - 1].end
        begin = overlap_start(run.text, previous, start, end, fits) if first else start
        marks = tuple(_mark(blocks[number], at - begin) for number, at in run.begun(start, end))
        yield Piece(run.kind_of(start, end), run.text[begin:end], start - begin, marks=marks)
        previous = start


def _mark(block: Block, offset: int = 0, *, continued: bool = False) -> BlockMark:
    return BlockMark(offset, block.role, block.kind, block.path, continued)


def _lead_in(before: list[Block], code: Block) -> str:
    """What introduces a block of code: the line before it, and behind that its own title, which is not that line."""
    is_titled = bool(before) and before[-1].role == "caption" and before[-1].path == code.path != ""
    title = before[-1].text if is_titled else ""
    line = next((block.text for block in reversed(before[:-1] if is_titled else before)), "")
    introduced = " ".join(filter(None, (lead_in(line), title)))
    return introduced if len(introduced) <= LEAD_IN_MOST else lead_in(line)


def lead_in(text: str) -> str:
    """The line that introduces a block of code: the last sentence of what stands right before it."""
    line = text.rpartition("\n")[2]
    spans = split_sentences(line)
    sentence = line[spans[-1][0] :] if spans else ""
    return sentence if len(sentence) <= LEAD_IN_MOST else ""


@dataclass(slots=True)
class _Outline:
    """The sections of a page as a tree, computed once."""

    sections: tuple[Section, ...]
    children: dict[int, list[str]] = field(default_factory=dict[int, list[str]])
    anchors: dict[int, list[str]] = field(default_factory=dict[int, list[str]])

    @classmethod
    def of(cls, parsed: ParsedPage) -> _Outline:
        outline = cls(parsed.sections)
        for section in parsed.sections[1:]:
            siblings = outline.children.setdefault(section.parent, [])
            if len(siblings) < CHILDREN_MOST:
                siblings.append(section.anchor)
        index_of_anchor = {section.anchor: index for index, section in enumerate(parsed.sections)}
        for anchor in parsed.anchors:
            if (
                anchor.kind != "internal"
                and not anchor.duplicate
                and (anchor.section >= 0 or anchor.anchor in index_of_anchor)
            ):
                outline.anchors.setdefault(index_of_anchor.get(anchor.anchor, anchor.section), []).append(anchor.anchor)
        return outline


def _chunk(page: Page, outline: _Outline, index: int, piece: Piece, position: int, code_index: int) -> Chunk:
    section = outline.sections[index]
    anchor = section.anchor
    parent = outline.sections[section.parent].anchor if section.parent >= 0 else None
    chunk = Chunk(
        id="",
        site=page.site,
        page=page.page,
        anchor=anchor,
        section_id=section_id(page.page, anchor),
        title=section.title,
        breadcrumb=section.breadcrumb,
        parent_section=section_id(page.page, parent) if parent is not None else "",
        child_sections=tuple(section_id(page.page, child) for child in outline.children.get(index, ())),
        valid_anchors=tuple(outline.anchors.get(index, ())[:VALID_ANCHORS_MOST]),
        previous="",
        next="",
        kind=piece.kind,
        code_language=piece.code_language,
        code_index=code_index,
        lead_in=piece.lead_in,
        text=piece.text,
        overlap=piece.overlap,
        aliases=aliases((section.title, anchor, piece.text)),
        tokens=count_tokens(piece.text),
        position=position,
        page_number=(page_of_anchor(anchor) or 0) if page.kind == "pdf" else 0,
        page_kind=page.kind,
        version=page.version,
        language=page.language,
        twin_key=twin_key(page, piece.text),
        text_hash="",
        blocks=tuple(map(write_mark, piece.marks)),
    )
    text_hash = digest(chunk.embedded_text)
    return replace(chunk, text_hash=text_hash, id=digest(page.site, page.page, anchor, str(position), text_hash))


def twin_key(page: Page, text: str) -> str:
    """What chunks with the same words share, per site, version and language; "" for a text too short for that.

    One option stands on 55 command pages, one snippet in five guides: a search shows them as one section. Case, white
    space and marks of formatting do not count; titles do not either, since they are what differs.
    """
    words = " ".join(text.lower().replace("`", "").split())
    return digest(page.site, page.version, page.language, words) if len(words) >= TWIN_LEAST else ""


def _linked(chunks: list[Chunk]) -> list[Chunk]:
    """The chunks of a page, each with the ids of those before and after it."""
    ids = ["", *(chunk.id for chunk in chunks), ""]
    return [replace(chunk, previous=ids[at], next=ids[at + 2]) for at, chunk in enumerate(chunks)]
