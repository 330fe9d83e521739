"""The rules of the design on chunks, as a list of what a page's chunks break: one line for each.

Checked from outside: nothing here calls the cutter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import regex
from tests.plugin.marks import broken_marks

from trueref_core.embedding.bundled_model import read_tokenizer
from trueref_core.records import Chunk
from trueref_core.text.tokens import count_tokens
from trueref_plugin.reading.parsed import Block, ParsedPage

if TYPE_CHECKING:
    from tokenizers import Tokenizer

WORDPIECES = 256
LONG_TITLES = 140
"""Titles of more wordpieces leave too little of the window for a text with its overlap."""
MAX_WORD = 40
"""Wordpieces of longer words are counted a part at a time, which gives more of them."""
MIN_PART = 20
OVERLAP_ROOM = 140
"""The shortest overlap with the word or the character that it may not cut."""


@cache
def _tokenizer() -> Tokenizer:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(read_tokenizer().decode())
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def wordpieces(text: str) -> int:
    """The wordpieces of a text, as the bundled embedder counts them, without its two marks."""
    return len(_tokenizer().encode(text).ids) - 2


def fresh(chunk: Chunk) -> str:
    """The text of a chunk less what it repeats."""
    return chunk.text[chunk.overlap :]


def broken_rules(parsed: ParsedPage, chunks: Sequence[Chunk], *, embedded: bool = True) -> list[str]:
    """What is wrong with the chunks of a page; nothing, where they keep to the design."""
    found = [
        *_sizes(chunks, embedded=embedded),
        *_overlaps(chunks),
        *_neighbours(chunks, embedded=embedded),
        *_code(parsed, chunks),
        *_tables(parsed, chunks),
        *_items(parsed, chunks),
        *_graphemes(parsed, chunks),
        *_places(parsed, chunks),
        *_order(chunks),
        *broken_marks(_with_headers(parsed), chunks),
    ]
    if _letters("".join(map(fresh, _without_headers(parsed, chunks)))) != _letters(_content(parsed, chunks)):
        found.append("the chunks do not hold the text of the page, all of it, once and in order")
    return found


def _with_headers(parsed: ParsedPage) -> list[tuple[str, Block, str]]:
    return [(parsed.sections[block.section].anchor, block, header_of(block)) for block in parsed.blocks]


def _sizes(chunks: Sequence[Chunk], *, embedded: bool) -> Iterator[str]:
    for chunk in chunks:
        if not chunk.text.strip():
            yield f"chunk {chunk.position} is empty"
        if chunk.kind != "code" and len(chunk.text) > 1000:
            yield f"chunk {chunk.position} has {len(chunk.text)} characters"
        if chunk.tokens != count_tokens(chunk.text):
            yield f"chunk {chunk.position} counts its tokens wrong"
        titles = wordpieces(" > ".join((*chunk.breadcrumb, chunk.title))) if embedded else 0
        if embedded and chunk.kind != "code" and titles < LONG_TITLES:
            count = wordpieces(chunk.embedded_text) + 2
            if count > WORDPIECES:
                yield f"chunk {chunk.position} has {count} wordpieces"


def _overlaps(chunks: Sequence[Chunk]) -> Iterator[str]:
    for before, chunk in pairwise([None, *chunks]):
        if chunk is None or chunk.overlap == 0:
            continue
        repeated = chunk.text[: chunk.overlap].strip()
        if not 100 <= chunk.overlap <= 200:
            yield f"chunk {chunk.position} has an overlap of {chunk.overlap}"
        if before is None or before.section_id != chunk.section_id:
            yield f"chunk {chunk.position} overlaps at the start of a section"
        elif before.kind in ("code", "table") or chunk.kind in ("code", "table"):
            yield f"chunk {chunk.position}, {chunk.kind}, overlaps after {before.kind}"
        elif len(fresh(before)) < 200:
            yield f"chunk {chunk.position} overlaps after a unit of {len(fresh(before))}"
        elif not fresh(before).endswith(repeated):
            yield f"chunk {chunk.position} repeats what is not the end of the one before"


def _neighbours(chunks: Sequence[Chunk], *, embedded: bool) -> Iterator[str]:
    """Between two chunks of one run: no overlap is left out that fits, no short chunk stands where both fit one."""
    for before, chunk in pairwise(chunks):
        kinds = {before.kind, chunk.kind}
        if before.section_id != chunk.section_id or kinds & {"code", "table"}:
            continue
        titles = " > ".join((*chunk.breadcrumb, chunk.title))
        joined = fresh(before) + "\n\n" + fresh(chunk)
        repeated = fresh(before)[-OVERLAP_ROOM:] + " " + fresh(chunk)
        counts = [wordpieces(titles) + wordpieces(text) if embedded else 0 for text in (joined, repeated)]
        short = min(len(fresh(before)), len(fresh(chunk)))
        is_plain = max(map(len, joined.split())) <= MAX_WORD
        if is_plain and short < 200 and len(joined) <= 800 and counts[0] <= WORDPIECES // 2:
            yield f"chunk {chunk.position} or the one before has {short} characters, both fit one"
        if not chunk.overlap and len(fresh(before)) >= 200 and counts[1] < WORDPIECES - 10:
            yield f"chunk {chunk.position} repeats nothing"


def _code(parsed: ParsedPage, chunks: Sequence[Chunk]) -> Iterator[str]:
    given = [(block.text, block.code_language) for block in parsed.blocks if block.kind == "code"]
    found = [(chunk.text, chunk.code_language) for chunk in chunks if chunk.kind == "code"]
    if given != found:
        yield "the blocks of code are not the chunks of code"
    if [chunk.code_index for chunk in chunks if chunk.kind == "code"] != list(range(len(given))):
        yield "the blocks of code are not counted"
    if any(chunk.code_index != -1 or chunk.code_language for chunk in chunks if chunk.kind != "code"):
        yield "text is counted as code"


def header_of(block: Block) -> str:
    """The header of a table with the line under it."""
    columns = regex.sub(r"`[^`]*`|\\\|", "", block.header).count("|") - 1
    return f"{block.header}\n|{' --- |' * columns}" if block.header else ""


def _tables(parsed: ParsedPage, chunks: Sequence[Chunk]) -> Iterator[str]:
    rows = {row for block in parsed.blocks if block.kind == "table" for row in block.units}
    headers = [header_of(block) for block in parsed.blocks if block.kind == "table" and block.header]
    for chunk in chunks:
        if chunk.kind != "table":
            continue
        header = next((given for given in headers if chunk.text.startswith(given)), "")
        lines = chunk.text[len(header) :].strip("\n").split("\n")
        part = len(lines) == 1 and (lines[0] == "" or any(lines[0] in row for row in [*rows, *headers]))
        if not part and not rows.issuperset(lines):
            yield f"chunk {chunk.position} cuts a table elsewhere than between its rows"
        if (
            not header
            and not part
            and headers
            and all(block.header for block in parsed.blocks if block.kind == "table")
        ):
            yield f"chunk {chunk.position} lacks the header of its table"


def _items(parsed: ParsedPage, chunks: Sequence[Chunk]) -> Iterator[str]:
    """An item of one sentence that fits beside an overlap is never cut."""
    short = [unit.strip() for block in parsed.blocks if block.kind == "list" for unit in block.units if _fits(unit)]
    texts = [chunk.text for chunk in chunks]
    for item in short:
        if not any(item in text for text in texts):
            yield f"the item {item[:40]!r} is cut"


def _fits(item: str) -> bool:
    return len(item) <= 400 and wordpieces(item) < 100 and regex.search(r"[.!?。…]\S*\s|。\S", item) is None


def _graphemes(parsed: ParsedPage, chunks: Sequence[Chunk]) -> Iterator[str]:
    texts = [block.text for block in parsed.blocks]
    for before, chunk in pairwise(chunks):
        left, right = fresh(before)[-MIN_PART:], fresh(chunk)[:MIN_PART]
        source = next((text for text in texts if left + right in text), None)
        if source is None:
            continue
        at = source.index(left + right) + len(left)
        if at not in {match.start() for match in regex.finditer(r"\X", source)}:
            yield f"chunk {chunk.position} begins inside of a character: {left[-3:]!r}, {right[:3]!r}"


def _places(parsed: ParsedPage, chunks: Sequence[Chunk]) -> Iterator[str]:
    known = {anchor.anchor for anchor in parsed.anchors if anchor.kind != "internal"}
    for chunk in chunks:
        sections = {f"{chunk.page}#{name}" for name in known | {""}}
        if chunk.anchor and chunk.anchor not in known:
            yield f"chunk {chunk.position} stands at {chunk.anchor!r}, which is not on the page"
        if chunk.section_id != f"{chunk.page}#{chunk.anchor}":
            yield f"chunk {chunk.position} has another section than anchor"
        if not sections.issuperset({*chunk.child_sections, chunk.parent_section or chunk.section_id}):
            yield f"chunk {chunk.position} has a relative that is not on the page"
        if len(chunk.valid_anchors) > 50 or not known.issuperset(chunk.valid_anchors):
            yield f"chunk {chunk.position} has anchors that are not valid"


def _order(chunks: Sequence[Chunk]) -> Iterator[str]:
    ids = ["", *(chunk.id for chunk in chunks), ""]
    if len(set(ids)) != len(chunks) + 1:
        yield "two chunks have one id"
    for at, chunk in enumerate(chunks):
        if (chunk.position, chunk.previous, chunk.next) != (at, ids[at], ids[at + 2]):
            yield f"chunk {at} does not know its neighbours"


def _without_headers(parsed: ParsedPage, chunks: Sequence[Chunk]) -> list[Chunk]:
    from dataclasses import replace

    headers = [header_of(block) for block in parsed.blocks if block.header]
    stripped: list[Chunk] = []
    for chunk in chunks:
        header = next((given for given in headers if chunk.kind == "table" and chunk.text.startswith(given)), "")
        stripped.append(replace(chunk, text=chunk.text[len(header) :]))
    return stripped


def _content(parsed: ParsedPage, chunks: Sequence[Chunk]) -> str:
    """The text of a page; the header of a table only where no row could stand under it."""
    texts: list[str] = []
    for block in parsed.blocks:
        header = header_of(block)
        without_repetitions = bool(header) and not any(
            chunk.text.startswith(header) for chunk in chunks if chunk.kind == "table"
        )
        texts.extend((header if without_repetitions else "", block.text))
    return "".join(texts)


def _letters(text: str) -> str:
    return "".join(text.split())
