"""A passage of a section: what a reader would call one thing, with all that belongs to it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from trueref_core.text.table_rows import count_words
from trueref_server.records import ExcerptBlock

PassageKind = Literal["paragraph", "list", "steps", "table", "code", "admonition", "definition"]


@dataclass(frozen=True, slots=True)
class Panel:
    """One of the panels of a set of tabs: the number of the set, its own number there, and its label."""

    tabs: str
    number: str
    label: str = ""


@dataclass(frozen=True)
class Passage:
    """A part of a section that a reader would call one thing, with all that belongs to it.

    Attributes:
        blocks: The blocks that are shown together, in this order.
        chunk: The id of the chunk in which the passage begins, apart from the text that introduces it.
        panels: All panels of tabs that the blocks are in, the outermost first.
        begins: Whether a new topic begins: right before the passage comes a heading without an address, or another
            section.
        is_titled: Whether it begins a topic by such a heading alone.
        heading: The text of the last such heading before the passage in its section, or of the question that it
            answers right below; "" if there is none.
        entry: The id of the definition that the blocks are of, an option with its description: passages of one
            definition have the same; "" outside of definitions.
        referring: For a footnote, the number of the passage that refers to it and is shown before it; None if there is
            no such passage, or if it is long.
        lead: For a footnote whose passage is long, the part of that passage that refers to it. It is shown before the
            note, and is not compared with the question.
        is_parameter: Whether the passage is one of several parameters of what the section is about.
    """

    kind: PassageKind
    blocks: tuple[ExcerptBlock, ...]
    chunk: str = ""
    panels: tuple[Panel, ...] = ()
    begins: bool = False
    is_titled: bool = False
    heading: str = ""
    entry: str = ""
    referring: int | None = None
    lead: tuple[ExcerptBlock, ...] = ()
    is_parameter: bool = False

    @cached_property
    def text(self) -> str:
        """Captions and texts of all blocks, for comparing with a question."""
        return "\n".join(part for block in self.blocks for part in (block.caption, block.text) if part)

    @cached_property
    def words(self) -> int:
        """How many words it takes on the screen, not counting code."""
        return sum(count_words(f"{block.caption} {block.text}") for block in self.blocks if block.kind != "code")

    @cached_property
    def settings(self) -> list[str]:
        """The lines of its code, without names of TOML tables: these differ between files with the same settings."""
        lines = [line.strip() for block in self.blocks if block.kind == "code" for line in block.text.split("\n")]
        return [line for line in lines if line and not line.startswith("[")]
