"""Cuts a section into passages as its author wrote them. Each of them can be shown alone.

A passage is a paragraph; a list, a table or a block of code together with what introduces it; an admonition with its
title; a definition with its term; steps as a whole; a footnote with the words that refer to it. Furniture of the page
and boxes of links are no passages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Final, Literal

from trueref_core.text.table_rows import split_table
from trueref_server.answering.announcements import COLONS, announcing, without_announcements, without_empty_talk
from trueref_server.answering.footnotes import footnotes, is_footnote, part_at
from trueref_server.answering.section_blocks import SectionBlock, items_of, section_blocks
from trueref_server.records import ExcerptBlock

if TYPE_CHECKING:
    from trueref_core.records import Chunk

PassageKind = Literal["paragraph", "list", "steps", "table", "code", "admonition", "definition"]

TOGETHER_MOST: Final = 150
"""Words up to which an admonition or a definition is one passage; a longer one is taken apart into the passages inside
it."""

PARAMETERS_MOST: Final = 60
"""Parameters of a function are one passage if they have so many words together at most. If they have more, each of them
is a passage: its name with what it means, under the function that it belongs to."""

_PARAMETERS: Final = re.compile(
    r"(?:(?:other |keyword |positional |optional |required )?(?:parameters?|arguments?|args|params)|kwargs|attributes|"
    r"variables|fields|members)\W{0,2}",
    re.IGNORECASE,
)
"""What stands above parameters: a field of Sphinx, or a section of a docstring as mkdocstrings names it."""


@dataclass(frozen=True)
class Passage:
    """Something that a section says, with all that belongs to it.

    `blocks` are shown together, in this order. `chunk` is the id of the chunk in which it begins, less what introduces
    it. `tabs` names the panel of tabs that they stand in, as the set's and the panel's number; None outside of tabs.
    `label` is what that panel is called. `entry` names the definition that they are of: an option with what is said of
    it; "" outside of definitions. `begins` says that a heading without an address stands before it, or another section:
    what comes before is of another topic. `referring` is the number of the passage that refers to a footnote. It is
    None if no passage does, or if that one is long; then `lead` is the part of it that refers. The passage or the
    part is shown before the note, and is not compared with the question. `is_parameter` says that it is one of several
    parameters of what the section is about.
    """

    kind: PassageKind
    blocks: tuple[ExcerptBlock, ...]
    chunk: str = ""
    tabs: tuple[str, str] | None = None
    begins: bool = False
    entry: str = ""
    referring: int | None = None
    lead: tuple[ExcerptBlock, ...] = ()
    is_parameter: bool = False
    label: str = ""

    @cached_property
    def text(self) -> str:
        """Captions and texts of all blocks, for comparing with a question."""
        return "\n".join(part for block in self.blocks for part in (block.caption, block.text) if part)

    @cached_property
    def words(self) -> int:
        """The words that it takes on the screen, code not counted."""
        return sum(len(f"{block.caption} {block.text}".split()) for block in self.blocks if block.kind != "code")

    @cached_property
    def settings(self) -> list[str]:
        """The lines of its code but those that name a table of TOML, which differ between two files of settings."""
        lines = [line.strip() for block in self.blocks if block.kind == "code" for line in block.text.split("\n")]
        return [line for line in lines if line and not line.startswith("[")]


def passages(chunks: Sequence[Chunk]) -> list[Passage]:
    """The passages of a section, in order; none if it only announces what stands in other sections.

    Args:
        chunks: Chunks of one section that follow one another, in the order of the page.
    """
    # A line such as `Source code in ...` is furniture of the page, and answers nothing.
    blocks = [block for block in section_blocks(chunks) if block.role != "furniture"]
    # Boxes of links count only in a section that has nothing else.
    shown = without_empty_talk(blocks) or [
        block for block in blocks if block.role == "links" and not is_footnote(block)
    ]
    running = _with_leads(_Grouping().read(shown))
    return [*running, *_notes(blocks, running)]


def _notes(blocks: Sequence[SectionBlock], running: Sequence[Passage]) -> Iterator[Passage]:
    """The footnotes of a section, each with what refers to it.

    They come last. A note says what the text around its mark leaves out, so nothing is shown beside it but its lead. A
    note competes with other passages by its own words alone: with those of the lead it would take the place of the text
    that refers to it, which says what most readers ask.

    Args:
        blocks: Those of the section.
        running: The passages of its running text.
    """
    for mark, at, note in footnotes(blocks):
        inner = _Grouping().read(without_announcements([block for block in note if block.role != "links"]))
        if inner:
            blocks_of_note = tuple(block for passage in inner for block in passage.blocks)
            alone = Passage("paragraph", blocks_of_note, inner[0].chunk, begins=True)
            yield _placed(alone, mark, at, running) if mark is not None else alone


def _placed(note: Passage, mark: SectionBlock, at: int, running: Sequence[Passage]) -> Passage:
    """A footnote with what refers to it: the passage with the mark, or the part of a long one."""
    for number, passage in enumerate(running):
        if mark.text in (block.text for block in passage.blocks) and passage.words + note.words <= TOGETHER_MOST:
            return replace(note, referring=number)
    part = part_at(mark, at)
    lead = announcing(part, None) if part is not None else None
    read = _Grouping().read([lead] if lead else [])
    return replace(note, lead=tuple(block for passage in read for block in passage.blocks))


class _Grouping:
    """Groups blocks into passages by the panel, list, admonition or definition around them.

    A title becomes the caption of what follows it.
    """

    def __init__(self) -> None:
        self._caption = ""
        self._begins = False

    def read(self, blocks: Sequence[SectionBlock]) -> list[Passage]:
        """The passages of some blocks, before paragraphs are joined to what they introduce."""
        passages: list[Passage] = []
        labels: dict[tuple[str, str], str] = {}
        for (tabs, container), group in groupby(blocks, key=lambda block: (_tabs_of(block), _container_of(block))):
            entry = container if container.startswith("d") else ""
            members = list(group)
            if tabs is not None:
                # The first one: those of tabs within this panel come behind its own.
                label = next((block.text for block in members if block.role == "label"), "")
                labels.setdefault(tabs, label.replace("`", ""))
            label = labels.get(tabs, "") if tabs is not None else ""
            inner = self._of_container(container, members)
            passages.extend(replace(it, tabs=tabs, label=label, entry=it.entry or entry) for it in inner)
        return passages

    def _of_container(self, container: str, group: list[SectionBlock]) -> Iterator[Passage]:
        """The passages of what stands in one list, admonition or definition: a single one if it is short enough."""
        kind = _KINDS.get(container[:1])
        if kind is None:
            for number, passage in enumerate(self._each(group)):
                yield from _parameters([passage], f"{passage.chunk}.{number}") if _is_parameters(passage) else [passage]
            return
        inner = list(self._each(group))
        if not inner:
            return
        # A list is one passage whatever its length: `excerpt` cuts it between items if a screen has no room for it.
        most = (
            PARAMETERS_MOST if kind == "definition" and _names_parameters(inner[0].blocks[0].caption) else TOGETHER_MOST
        )
        if kind in ("list", "steps") or sum(passage.words for passage in inner) <= most:
            blocks = tuple(block for passage in inner for block in passage.blocks)
            if kind == "admonition" and blocks[0].kind != "code":
                blocks = (replace(blocks[0], kind="admonition"), *blocks[1:])
            yield Passage(kind, blocks, inner[0].chunk, begins=inner[0].begins)
        elif kind == "definition":
            # Each part carries the term, or nobody could tell what it is of.
            term = inner[0].blocks[0].caption
            called = (_called(passage, term) for passage in inner)
            yield from _parameters(called, container) if _names_parameters(term) else called
        else:
            yield from inner

    def _each(self, group: Sequence[SectionBlock]) -> Iterator[Passage]:
        """A passage for each block that says something; what names it is its caption."""
        for block in group:
            if block.role == "heading":
                self._caption, self._begins = block.text.replace("`", ""), True
            elif block.role not in ("text", "links"):
                # An admonition whose code has a title of its own has both.
                # A caption is no Markdown: a term comes in backticks.
                self._caption = " · ".join(filter(None, (self._caption, block.text.replace("`", ""))))
            else:
                self._begins = self._begins or not block.adjoins
                shown = ExcerptBlock(block.kind, block.text, self._caption, block.code_language)
                yield Passage(_kind_of(block), (shown,), block.chunk, begins=self._begins)
                self._caption, self._begins = "", False


def _names_parameters(term: str) -> bool:
    """Whether a term stands above the parameters of a function, or the attributes of a class."""
    return _PARAMETERS.fullmatch(term) is not None


def _is_parameters(passage: Passage) -> bool:
    """Whether a passage is a table of parameters without a title: mkdocstrings has them in the style `spacy`."""
    header = split_table(passage.text)[0] if passage.kind == "table" else []
    names = _PARAMETERS.match(header[0].strip("| ")) if header and passage.words > PARAMETERS_MOST else None
    # In capital letters: a page of prose has tables of options too, which a reader may want to see beside each other.
    return names is not None and names[0].isupper()


def _parameters(passages: Iterable[Passage], container: str) -> Iterator[Passage]:
    """The passages of a description of parameters, those of lists and tables taken apart: one for each parameter.

    What follows a parameter and is no list or table belongs to it: its example, say.
    """
    entry: Passage | None = None
    for number, passage in enumerate(passages):
        first, *others = passage.blocks
        if first.kind in ("list", "table"):
            if entry is not None:
                yield entry
            *before, entry = (
                replace(
                    passage, blocks=(replace(first, text=text),), entry=f"{container}:{number}.{at}", is_parameter=True
                )
                for at, text in enumerate(_entries_of(first))
            )
            yield from before
            entry = replace(entry, blocks=(*entry.blocks, *others))
        elif entry is not None:
            entry = replace(entry, blocks=(*entry.blocks, *passage.blocks))
        else:
            yield passage
    if entry is not None:
        yield entry


def _entries_of(block: ExcerptBlock) -> list[str]:
    """The items of a list, or the rows of a table, each under the header."""
    if block.kind == "list":
        return items_of(block.text)
    header, rows = split_table(block.text)
    return ["\n".join([*header, row]) for row in rows] or [block.text]


def _called(passage: Passage, caption: str) -> Passage:
    """A passage with a caption above it, if it has none."""
    first, *others = passage.blocks
    return passage if first.caption else replace(passage, blocks=(replace(first, caption=caption), *others))


_KINDS: Final[dict[str, PassageKind]] = {"a": "admonition", "o": "steps", "l": "list", "d": "definition"}
"""The kind of passage that the blocks of a container make up, by the first letter of its step in the path."""


def _tabs_of(block: SectionBlock) -> tuple[str, str] | None:
    """The outermost set of tabs around a block, and its panel there."""
    step = next((step for step in block.path if step.startswith("t")), None)
    if step is None:
        return None
    tabs, _, panel = step.partition(".")
    return tabs, panel


def _container_of(block: SectionBlock) -> str:
    """The outermost step of a path that makes a single passage of what stands in it, "" for none."""
    return next((step for step in block.path if step[:1] in _KINDS), "")


def _kind_of(block: SectionBlock) -> PassageKind:
    """The kind of the passage that a block makes by itself."""
    if block.kind == "prose":
        return "paragraph"
    if block.kind == "list":
        return "steps" if block.text[:1].isdigit() else "list"
    return block.kind


def _with_leads(passages: Sequence[Passage]) -> list[Passage]:
    """Paragraphs are joined to the list, table or code that they introduce, every panel of tabs to the line before."""
    joined: list[Passage] = []
    leads: dict[str, tuple[ExcerptBlock, ...]] = {}
    for passage in passages:
        before = joined[-1] if joined else None
        lead: tuple[ExcerptBlock, ...] = ()
        if before is not None and _introduces(before, passage):
            lead = joined.pop().blocks
        elif before is not None and before.tabs != passage.tabs and passage.tabs is not None:
            lead = leads.get(passage.tabs[0], ())
        if passage.tabs is not None and before is not None and before.tabs is None:
            # Every panel can be the one that is shown, and needs the line before the tabs.
            leads[passage.tabs[0]] = lead
        joined.append(replace(passage, blocks=(*lead, *passage.blocks)))
    return joined


_ANNOTATED: Final = re.compile(r"(?:#|//|--|;|%|<!--|/\*) ?\(1\)!?")
"""A number in a comment of code, of which the list behind the code has the note (Material)."""


def _introduces(before: Passage, passage: Passage) -> bool:
    """Whether a passage cannot stand without the passage before it, or the passage before it not without this one."""
    # Notes of annotated code stay with it: a card began with the note of a line that was not shown (mm-045).
    last = before.blocks[-1]
    if passage.kind == "steps" and last.kind == "code" and _ANNOTATED.search(last.text):
        return True
    has_code = any(block.kind == "code" for block in before.blocks)
    if passage.begins or has_code or before.tabs not in (None, passage.tabs):
        return False
    if last.text.endswith(COLONS):
        return True
    return passage.kind == "code" and before.kind in ("paragraph", "definition")
