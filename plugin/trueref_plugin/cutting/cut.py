"""Cuts one page into chunks: sections in order, and within each, runs of text, tables and blocks of code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from trueref_core.addresses import section_id
from trueref_core.documents import page_of_anchor
from trueref_core.records import Chunk, ChunkKind, Page
from trueref_core.text.block_marks import BlockMark, write_mark
from trueref_core.text.identifiers import aliases, sign_aliases
from trueref_core.text.key_combinations import key_names
from trueref_core.text.sentences import split_sentences
from trueref_core.text.tokens import count_tokens
from trueref_plugin.cutting.limits import (
    MAX_CHILDREN,
    MAX_LEAD_IN,
    MAX_VALID_ANCHORS,
    MIN_TWIN,
    MIN_WORDPIECES,
    WORDPIECES,
)
from trueref_plugin.cutting.partition import partition
from trueref_plugin.cutting.table import cut_table
from trueref_plugin.cutting.text_run import WordpieceCounter, make_run, overlap_start, wordpieces_at_most
from trueref_plugin.digests import digest
from trueref_plugin.reading.parsed import Block, ParsedPage, ParsedSection


@dataclass(frozen=True, slots=True)
class ChunkText:
    """The text of a chunk, before its position on the page is known.

    The first `overlap` characters repeat the end of the piece before. `marks` are the marks of the blocks that begin in
    it.
    """

    kind: ChunkKind
    text: str
    overlap: int = 0
    code_language: str = ""
    lead_in: str = ""
    marks: tuple[BlockMark, ...] = ()


def cut_page(page: Page, parsed: ParsedPage, measure: WordpieceCounter | None = None) -> list[Chunk]:
    """The chunks of a page in document order.

    Args:
        page: The record of the page. Its site, address, kind, version and language go into every chunk.
        parsed: The content of the page.
        measure: Counts wordpieces of the embedder; None if nothing is embedded.
    """
    outline = _Outline(parsed)
    chunks: list[Chunk] = []
    code_index = 0
    for section_index, blocks in groupby(parsed.blocks, key=lambda block: block.section):
        section = parsed.sections[section_index]
        for piece in cut_section(section, list(blocks), measure):
            index = code_index if piece.kind == "code" else -1
            code_index += piece.kind == "code"
            chunks.append(_chunk(page, outline, section_index, piece, len(chunks), index))
    return _linked(chunks)


def cut_section(
    section: ParsedSection, blocks: Iterable[Block], measure: WordpieceCounter | None
) -> Iterator[ChunkText]:
    """The pieces of consecutive blocks of one section."""
    # The embedder reads the titles before the text (see `Chunk.embedded_text`), and the text gets what they leave.
    titles = " > ".join((*section.breadcrumb, section.title))
    title_wordpieces = measure(titles) if measure else 0
    max_wordpieces = max(WORDPIECES - title_wordpieces, MIN_WORDPIECES)
    # Code and tables end a run. If a chunk had the prose before and after them but not the code itself, a quotation of
    # that chunk would not be found on the page.
    run_before: list[Block] = []
    for kind, group in groupby(blocks, key=lambda block: block.kind if block.kind in ("code", "table") else None):
        if kind == "code":
            for block in group:
                yield ChunkText(
                    "code", block.text, 0, block.code_language, _lead_in(run_before, block), (_mark(block),)
                )
                run_before = []
        elif kind == "table":
            for block in group:
                for number, text in enumerate(cut_table(block, measure, max_wordpieces)):
                    yield ChunkText("table", text, marks=(_mark(block, continued=number > 0),))
            run_before = []
        else:
            run_before = list(group)
            yield from _cut_run(run_before, measure, max_wordpieces)


def _cut_run(blocks: list[Block], measure: WordpieceCounter | None, max_wordpieces: int) -> Iterator[ChunkText]:
    """The pieces of a run of text. Each begins with an overlap, the end of the piece before it, if there is room."""

    def fits(text: str) -> bool:
        return measure is None or wordpieces_at_most(text) <= max_wordpieces or measure(text) <= max_wordpieces

    run = make_run(blocks, measure, max_wordpieces)
    previous_start = 0
    for first, after in partition(run.segments, max_wordpieces):
        start, end = run.segments[first].start, run.segments[after - 1].end
        chunk_start = overlap_start(run.text, previous_start, start, end, fits) if first else start
        marks = tuple(
            _mark(blocks[number], block_start - chunk_start) for number, block_start in run.blocks_beginning(start, end)
        )
        yield ChunkText(run.kind_of(start, end), run.text[chunk_start:end], start - chunk_start, marks=marks)
        previous_start = start


def _mark(block: Block, offset: int = 0, *, continued: bool = False) -> BlockMark:
    """The mark of a block that begins at an offset of a chunk, or goes on in it (`continued`)."""
    return BlockMark(offset, block.role, block.kind, block.path, continued, () if continued else block.notes)


def _lead_in(blocks_before: list[Block], code: Block) -> str:
    """The introduction of a block of code: the line before it, followed by the title of the block if it has one."""
    title = ""
    # Only the caption of this block of code stands in the same frame, so only its path is the same.
    if blocks_before and blocks_before[-1].role == "caption" and blocks_before[-1].path == code.path != "":
        *blocks_before, caption = blocks_before
        title = caption.text
    line = blocks_before[-1].text if blocks_before else ""
    line_and_title = " ".join(filter(None, (lead_in(line), title)))
    # If both together are too long, the line is enough: the title is often only the name of a file.
    return line_and_title if len(line_and_title) <= MAX_LEAD_IN else lead_in(line)


def lead_in(text: str) -> str:
    """The sentence that introduces a block of code: the last one of the text right before it."""
    line = text.rpartition("\n")[2]
    spans = split_sentences(line)
    sentence = line[spans[-1][0] :] if spans else ""
    return sentence if len(sentence) <= MAX_LEAD_IN else ""


class _Outline:
    """The sections of a page; and by index of a section, its subsections (`children`) and its ids (`anchors`)."""

    def __init__(self, parsed: ParsedPage) -> None:
        self.sections = parsed.sections
        self.children: dict[int, list[str]] = defaultdict(list)
        self.anchors: dict[int, list[str]] = defaultdict(list)
        for section in parsed.sections[1:]:
            siblings = self.children[section.parent]
            # Limited here and not in each chunk: otherwise a page with thousands of sections would collect all of them.
            if len(siblings) < MAX_CHILDREN:
                siblings.append(section.anchor)
        index_of_anchor = {section.anchor: index for index, section in enumerate(parsed.sections)}
        for anchor in parsed.anchors:
            section_index = index_of_anchor.get(anchor.anchor, anchor.section)
            if anchor.kind != "internal" and not anchor.duplicate and section_index >= 0:
                self.anchors[section_index].append(anchor.anchor)


# This function is long because of the fields of a chunk, one a line.
def _chunk(page: Page, outline: _Outline, index: int, piece: ChunkText, position: int, code_index: int) -> Chunk:
    """A piece as a chunk of its page and section.

    `position` is the number of chunks before it on the page. `code_index` is the number of blocks of code before it,
    and -1 if the piece is not code.
    """
    section = outline.sections[index]
    anchor = section.anchor
    parent_anchor = outline.sections[section.parent].anchor if section.parent >= 0 else None
    chunk = Chunk(
        id="",
        site=page.site,
        page=page.page,
        anchor=anchor,
        section_id=section_id(page.page, anchor),
        title=section.title,
        breadcrumb=section.breadcrumb,
        parent_section=section_id(page.page, parent_anchor) if parent_anchor is not None else "",
        child_sections=tuple(section_id(page.page, child) for child in outline.children.get(index, ())),
        valid_anchors=tuple(outline.anchors.get(index, ())[:MAX_VALID_ANCHORS]),
        previous="",
        next="",
        kind=piece.kind,
        code_language=piece.code_language,
        code_index=code_index,
        lead_in=piece.lead_in,
        text=piece.text,
        overlap=piece.overlap,
        aliases=_aliases(section.title, anchor, piece),
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
    # The id is made from position and text, so that a page that did not change has the same ids in every build.
    text_hash = digest(chunk.embedded_text)
    return replace(chunk, text_hash=text_hash, id=digest(page.site, page.page, anchor, str(position), text_hash))


def _aliases(title: str, anchor: str, piece: ChunkText) -> tuple[str, ...]:
    """The names in a title, an anchor and a piece, by which the piece is searched. Signs in code are no names."""
    explained = (title, "" if piece.kind == "code" else piece.text)
    return (*aliases((title, anchor, piece.text)), *sign_aliases(explained), *key_names(f"{title}\n{piece.text}"))


def twin_key(page: Page, text: str) -> str:
    """A key that is equal for chunks with the same words, in one site, version and language; "" for a short text.

    The same option may be described on 55 pages of commands, and the same snippet may stand in five guides: a search
    shows such chunks as one section. Case, white space and formatting do not count. Titles do not count either, because
    such chunks differ in their titles.
    """
    # The key depends on this text alone. If chunks named their twins instead, a chunk would change whenever another
    # page does, and an incremental build would give another index than a full build.
    words = " ".join(text.lower().replace("`", "").split())
    return digest(page.site, page.version, page.language, words) if len(words) >= MIN_TWIN else ""


def _linked(chunks: list[Chunk]) -> list[Chunk]:
    """The chunks of a page, each with the ids of the chunks before and after it."""
    # This needs the ids of all chunks, which are made from their texts.
    ids = ["", *(chunk.id for chunk in chunks), ""]
    return [replace(chunk, previous=ids[index], next=ids[index + 2]) for index, chunk in enumerate(chunks)]
