"""Writes excerpts as answer text: a small Markdown that carries `[n]` and never a link."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from trueref_core.text.inline_code import change_outside_code
from trueref_server.records import ExcerptBlock

BETWEEN: Final = "\n\n"

# Text of the docs that the widget would take for a citation or for bold.
_MARKS = re.compile(r"\[(?=\d{1,3}\])|\*\*|\\(?=[\[*\\])")


def write(blocks: Sequence[ExcerptBlock], n: int | None = None) -> str:
    """Blocks as text: titles in bold above what they name, code in fences, and `[n]` after the last block of prose.

    Args:
        blocks: The blocks of one section.
        n: The number of their source; None for a text without citations.
    """
    texts = [_write_block(block) for block in blocks]
    if n is not None and texts:
        # After a table or code a number would look like a part of it.
        last_prose = max(
            (number for number, block in enumerate(blocks) if block.kind not in ("code", "table")), default=None
        )
        if last_prose is None:
            texts.append(f"[{n}]")
        else:
            texts[last_prose] += f" [{n}]"
    return BETWEEN.join(texts)


def _write_block(block: ExcerptBlock) -> str:
    """A block as Markdown that the widget reads: captions in bold, code between fences."""
    title = f"**{escape(' '.join(block.caption.split()))}**{BETWEEN}" if block.caption else ""
    if block.kind != "code":
        return title + escape(block.text)
    # Longer than any run of backticks in the code: an example of Markdown has fences of its own.
    fence = "`" * max(3, longest_run(block.text) + 1)
    return f"{title}{fence}{block.code_language}\n{block.text}\n{fence}"


def escape(text: str) -> str:
    """Text of the docs with a backslash before what the widget would take for a mark, outside of inline code."""
    return change_outside_code(text, lambda part: _MARKS.sub(_escaped, part))


def unescape(text: str) -> str:
    """The opposite of `escape`, for a reader who sees the text as it is."""
    return change_outside_code(text, lambda part: re.sub(r"\\([\[*\\])", r"\1", part))


def longest_run(text: str) -> int:
    """The length of the longest run of backticks."""
    return max(map(len, re.findall("`+", text)), default=0)


def _escaped(match: re.Match[str]) -> str:
    """A mark with a backslash before each of its characters."""
    return "".join("\\" + character for character in match[0])
