"""What is wrong with the shape of a card, told from the answer alone: nothing here knows how excerpts are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

SAYS_MUCH: Final = 40
"""Characters of a line that a card has no reason to show twice; a shorter one may be a step or a cell."""

FURNITURE: Final = ("Source code in ", "Other versions", "Edit this page", "On this page", "Was this page helpful")


def misshapen(answer: Mapping[str, Any]) -> list[str]:
    """A line for each fault of the cards of an answer, as `ask` gives it."""
    return [f"card {card['n']} {fault}" for card in answer["excerpts"] for fault in _faults(card["blocks"])]


def _faults(blocks: list[Mapping[str, Any]]) -> Iterator[str]:
    if not any(block["text"].strip() for block in blocks):
        yield "is empty"
        return
    last = blocks[-1]
    if last["kind"] != "code" and last["text"].rstrip().endswith((":", "：")):
        yield f"ends in a colon: {last['text'][-60:]!r}"
    for block in blocks:
        if block["text"].startswith(FURNITURE):
            yield f"shows furniture: {block['text'][:60]!r}"
    lines = Counter(line.strip() for block in blocks if block["kind"] != "code" for line in block["text"].split("\n"))
    for line, times in lines.items():
        if times > 1 and len(line) >= SAYS_MUCH:
            yield f"says twice: {line[:60]!r}"
