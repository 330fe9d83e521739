"""What is wrong with the shape of a card, told from the answer alone: nothing here knows how excerpts are made."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

SAYS_MUCH: Final = 40
"""Characters of a line that a card has no reason to show twice; a shorter one may be a step or a cell."""

FURNITURE: Final = ("Source code in ", "Other versions", "Edit this page", "On this page", "Was this page helpful")

AIRY: Final = re.compile(r"(?:It|They|You|This|These|Both) (?:can|may|is|are|will) (?:also|then|therefore|instead)\b")
"""Beginnings that speak of something said before."""

LABEL: Final = re.compile(r"(?!or\b|then\b|and\b)[A-Za-z][A-Za-z0-9+#]*(?: [A-Za-z][A-Za-z0-9+#]*)?")
"""One or two words without a mark: what a tab is called."""


def misshapen(answer: Mapping[str, Any]) -> list[str]:
    """A line for each fault of the cards of an answer, as `ask` gives it."""
    faults = [f"card {card['n']} {fault}" for card in answer["excerpts"] for fault in _faults(card["blocks"])]
    return [*faults, *_repeated(answer["excerpts"])]


def _repeated(cards: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The cards that begin with a long line or sentence that an earlier one has, or have a long line of it.

    Each card but the first is folded here, which those of the parts of a question are not.
    """
    texts = ["\n".join(block["text"] for block in card["blocks"]) for card in cards]
    for number, text in enumerate(texts):
        first = re.split(r"(?<=[.?!。])\s|\n", text, maxsplit=1)[0]
        if len(first) >= SAYS_MUCH and not first.startswith("|") and any(first in before for before in texts[:number]):
            yield f"card {cards[number]['n']} begins as an earlier one says: {first[:60]!r}"
    shown: set[str] = set()
    for card in cards:
        lines = set(_long_lines(card["blocks"]))
        for line in sorted(lines & shown):
            yield f"card {card['n']} says what an earlier one says: {line[:60]!r}"
        shown |= lines


def _long_lines(blocks: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The lines of prose, lists and definitions that are too long to be read twice, without the mark of an item."""
    for block in blocks:
        if block["kind"] not in ("code", "table"):
            lines = (re.sub(r"^\s*(?:-|\d+\.) ", "", line).strip() for line in block["text"].split("\n"))
            yield from (line for line in lines if len(line) >= SAYS_MUCH)


def _joints(blocks: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What is wrong between one block and the next."""
    for block, after in pairwise(blocks):
        caption = block.get("caption", "")
        if caption == after.get("caption") and len(caption) >= SAYS_MUCH:
            yield f"says its term twice: {caption[:60]!r}"
        if block["kind"] != "prose":
            continue
        text, said = block["text"], after["text"].rstrip()
        # In tabs the label is the caption of what the line before them announces.
        is_alone = after["kind"] == "prose" and not after.get("caption")
        is_sentence = is_alone and re.search(r"[a-z] [a-z]+ [a-z]+", said) and said.endswith((".", "!"))
        if text.endswith(":") and len(text) >= SAYS_MUCH and is_sentence:
            yield f"has nothing behind a colon: {text[-60:]!r}"
        if after["kind"] == "code" and LABEL.fullmatch(text):
            yield f"shows the label of a tab: {text!r}"


def _faults(blocks: list[Mapping[str, Any]]) -> Iterator[str]:
    if not any(block["text"].strip() for block in blocks):
        yield "is empty"
        return
    last = blocks[-1]
    if last["kind"] != "code" and last["text"].rstrip().endswith((":", "：")):
        yield f"ends in a colon: {last['text'][-60:]!r}"
    if blocks[0]["kind"] != "code" and not blocks[0].get("caption") and AIRY.match(blocks[0]["text"]):
        yield f"begins in the air: {blocks[0]['text'][:60]!r}"
    yield from _joints(blocks)
    for block in blocks:
        if block["text"].startswith(FURNITURE):
            yield f"shows furniture: {block['text'][:60]!r}"
    # What stands under a term of its own is not said twice: many options have the same default.
    lines = Counter(
        line.strip()
        for block in blocks
        if block["kind"] != "code" and not block.get("caption")
        for line in block["text"].split("\n")
    )
    for line, times in lines.items():
        if times > 1 and len(line) >= SAYS_MUCH:
            yield f"says twice: {line[:60]!r}"
