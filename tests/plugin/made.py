"""Pages by chance, for the properties of chunks: text of many scripts, sizes around the limits, all kinds of blocks."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from hypothesis import strategies as st

from trueref_core.records import BlockRole, Chunk, Page
from trueref_plugin.cutting.cut import cut_page
from trueref_plugin.cutting.text_run import WordpieceCounter
from trueref_plugin.reading.parsed import Block, Head, ParsedAnchor, ParsedPage, ParsedSection

PAGE = Page("docs", "guide/", "guide/index.html", "Guide", kind="guide", version="1", language="en")

WORDS = (
    "the",
    "of",
    "build",
    "option",
    "install",
    "--no-deps",
    "mkdocs.yml",
    "foo.bar_baz()",
    "`pip install x`",
    "1.2.3",
    "e.g.",
    "naïve",
)
GRAPHEMES = ("中", "文", "설", "ไ", "e\u0301", "👩\u200d🚀", "🇩🇪", "👍🏽", "क्षि", "a", "0")  # fmt: skip
ROLES = get_args(BlockRole)
PATHS = ("", "a1", "o4/t2.2", "", "d1.1/f3")
ENDS = (". ", "! ", "? ", ", ", " ", "\n")

sentence = st.builds(
    lambda words, end: " ".join(words).capitalize() + end, st.lists(st.sampled_from(WORDS), min_size=1, max_size=30), st.sampled_from(ENDS)
)  # fmt: skip
dense = st.builds(
    lambda signs, times, end: "".join(signs) * times + end,
    st.lists(st.sampled_from(GRAPHEMES), min_size=1, max_size=12),
    st.integers(1, 20),
    st.sampled_from(("。", "", " ")),
)
prose = st.builds(
    lambda parts: "".join(parts).strip() or "a", st.lists(st.one_of(sentence, sentence, sentence, dense), min_size=1, max_size=6)
)  # fmt: skip
line = prose.map(lambda text: " ".join(text.split()))


def _list(items: list[str]) -> Block:
    units = tuple(f"- {item}" for item in items)
    return Block("list", "\n".join(units), 0, units)


def _table(header: list[str], rows: list[list[str]]) -> Block:
    units = tuple(_row(cells) for cells in rows)
    return Block("table", "\n".join(units), 0, units, _row(header) if header else "")


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


cell = st.one_of(st.sampled_from(WORDS), line)
blocks = st.one_of(
    st.builds(lambda text: Block("prose", text, 0), prose),
    st.builds(lambda text: Block("prose", text, 0, starts=True), st.sampled_from(WORDS)),
    st.builds(lambda text: Block("admonition", text, 0), line),
    st.builds(lambda text: Block("definition", text, 0), line),
    st.builds(_list, st.lists(line, min_size=1, max_size=12)),
    st.builds(lambda text, times: Block("code", text * times, 0, code_language="py"), st.sampled_from(("x = 1\n#", "中")), st.integers(1, 300)),
    st.builds(_table, st.lists(st.sampled_from(WORDS), max_size=3), st.lists(st.lists(cell, min_size=1, max_size=3), min_size=1, max_size=6)),
)  # fmt: skip
sections = st.lists(st.lists(blocks, min_size=1, max_size=4), min_size=1, max_size=3)


def made_page(content: list[list[Block]], title: str = "Guide") -> ParsedPage:
    """A page with a section for each list of blocks. Their roles and paths follow from their places."""
    tops = [
        ParsedSection("", 0, title, (), -1),
        *(ParsedSection(f"s{at}", 2, f"Section {at}", (title,), 0) for at in range(1, len(content))),
    ]
    placed = [
        replace(block, section=at, role=ROLES[(at + number) % len(ROLES)], path=PATHS[(at + number) % len(PATHS)])
        for at, group in enumerate(content)
        for number, block in enumerate(group)
    ]
    anchors = [ParsedAnchor(section.anchor, "heading", 2, section.title, 0, duplicate=False) for section in tops[1:]]
    return ParsedPage(Head(), title, "main", tuple(tops), tuple(placed), tuple(anchors))


def cut(parsed: ParsedPage, measure: WordpieceCounter | None = None) -> list[Chunk]:
    """The chunks of such a page."""
    return cut_page(PAGE, parsed, measure)
