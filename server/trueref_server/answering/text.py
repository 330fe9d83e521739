"""Writes passages as answer text: a small Markdown that carries `[n]` and never a link."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from trueref_server.answering.passages import Passage

LABEL_MOST: Final = 25
"""Characters that a label has at most."""

_CODE_SPAN = re.compile(r"(`[^`]*`)")
# Text of the docs that would read as a citation or as bold.
_MARKS = re.compile(r"\[(?=\d{1,3}\])|\*\*|\\(?=[\[*\\])")


def write(passage: Passage, n: int, *, cite: bool) -> str:
    """A passage as text, with `[n]` behind it where `cite` is set. Code is fenced, and cited by what stands before."""
    mark = f" [{n}]" if cite else ""
    if passage.kind == "code":
        fence = "`" * (longest_run(passage.parts[0], "`") + 1) if "```" in passage.parts[0] else "```"
        return f"{fence}{passage.code_language}\n{passage.parts[0]}\n{fence}"
    if passage.kind == "table":
        return "\n".join(escape(row) for row in (passage.header, *passage.parts) if row)
    if passage.kind == "list":
        return "\n".join(map(escape, passage.parts)) + mark
    return " ".join(escape(sentence) for sentence in passage.parts) + mark


def write_all(passages: Sequence[Passage], n: int) -> str:
    """Passages of one section, each paragraph and list with its citation; a section of code alone is cited once.

    A file's name or a tab's label above its code is no statement: it has no citation of its own.
    """
    texts = [write(passage, n, cite=not _is_label(passage, before)) for before, passage in enumerate(passages)]
    if texts and not any(passage.kind in ("prose", "list") for passage in passages):
        texts.append(f"[{n}]")
    return "\n\n".join(texts)


def _is_label(passage: Passage, before: int) -> bool:
    return before > 0 and passage.kind == "prose" and sum(map(len, passage.parts)) < LABEL_MOST


def escape(text: str) -> str:
    """Text of the docs with a backslash before what the widget would take for a mark, outside of inline code."""
    return _outside_code(text, lambda part: _MARKS.sub(_escaped, part))


def unescape(text: str) -> str:
    """The opposite of `escape`, for a reader who sees the text as it is."""
    return _outside_code(text, lambda part: re.sub(r"\\([\[*\\])", r"\1", part))


def longest_run(text: str, character: str) -> int:
    """The length of the longest run of a character."""
    return max((len(run) for run in re.findall(f"{re.escape(character)}+", text)), default=0)


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    parts = _CODE_SPAN.split(text)
    return "".join(part if at % 2 else change(part) for at, part in enumerate(parts))


def _escaped(match: re.Match[str]) -> str:
    return "".join("\\" + character for character in match[0])
