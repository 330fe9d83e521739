"""Whether an answer quotes: its parts as the widget reads them, and the text of the cited sections as Chromium has it.

Nothing here knows how a site is read, cut or answered from. The text comes from the HTML files themselves; what is
forgiven is white space, the backticks around code, and what no reader would call text: buttons, permalinks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

OWN_WORDS = (
    "Read as: ",
    "This may not answer the question.",
    "This does not seem to be in these docs.",
    "Ask with a few words",
)
"""How sentences begin that are the server's, not the documentation's. They carry no citation."""

Kind = Literal["text", "code", "row"]

MARK = re.compile(r" ?(?<!\\)\[(\d{1,3})\]$")
ITEM = re.compile(r" *(?:[-*+]|\d{1,5}[.)]) +")
INVISIBLE = dict.fromkeys(map(ord, "\u200b\u2060\ufeff\u00ad"))
FULL_WIDTH = tuple("。！？")
ENDS = (*".!?…:", *FULL_WIDTH)
CLOSING = "\"'”’»)]*_」』）》"
UNFINISHED = re.compile(r"(?:^|\W)(?:e\.g|i\.e|vs|cf|approx|incl|resp|no)\.$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Quote:
    """A paragraph, an item, a table row or a block of code of an answer, and the number of the source it is from."""

    kind: Kind
    text: str
    n: int


@dataclass(frozen=True, slots=True)
class Place:
    """A paragraph, an item, a table row or a block of code of a page."""

    kind: Kind
    text: str


def quotes(text: str) -> Iterator[Quote]:
    """The parts of an answer that are not the server's own words, which all claim to be the documentation's.

    Tables, code and the label above it carry no number: they are of the source that is cited nearest before them, or
    else behind them.
    """
    parts = [part for block in _blocks(text) for part in _parts(block)]
    cited = 0
    for at, (kind, part, n) in enumerate(parts):
        cited = n or cited or next((number for _, _, number in parts[at:] if number), 0)
        # The number alone stands behind a table or code.
        if part and (n or not part.startswith(OWN_WORDS)):
            assert cited, f"no source is named for {part!r}"
            yield Quote(kind, part, cited)


def stands(quote: Quote, places: Sequence[Place]) -> bool:
    """Whether a quote is whole and verbatim in one of some places."""
    if quote.kind == "code":
        return any(_is_part(_code(quote.text), _code(place.text)) for place in places if place.kind == "code")
    if quote.kind == "row":
        return _squeezed(quote.text) in [_squeezed(place.text) for place in places if place.kind == "row"]
    return any(_holds(_plain(place.text), _plain(quote.text)) for place in places if place.kind == "text")


def unquoted(
    answer: Mapping[str, Any], places_of: Callable[[str, str], Sequence[Place] | None]
) -> tuple[int, list[tuple[Quote, str]]]:
    """How many quotes an answer has, and those that do not stand in their section, with the address of that section.

    Args:
        answer: The object that `ask` gives.
        places_of: Given a page and an anchor, its places; None where it is not there.
    """
    sources = {source["n"]: source for source in answer["sources"]}
    found = list(quotes(answer["text"]))
    found += [quote for excerpt in answer["excerpts"] for quote in _card(excerpt)]
    found += [Quote("text", source["quote"], n) for n, source in sources.items() if source["quote"]]
    wrong = []
    for quote in found:
        source = sources[quote.n]
        if quote.text == source["section"]:
            # Of several open cards each stands under the title of its section.
            continue
        places = places_of(source["page"], source["anchor"])
        if places is None or not stands(quote, places):
            wrong.append((quote, source["href"]))
    return len(found), wrong


def _card(excerpt: Mapping[str, Any]) -> Iterator[Quote]:
    """The parts of a card, those that are folded included, and what is marked in them."""
    for block in excerpt["blocks"]:
        yield from (Quote("text", title, excerpt["n"]) for title in _titles(block["caption"]))
        if block["kind"] == "code":
            yield Quote("code", block["text"], excerpt["n"])
        else:
            for lines in _blocks(block["text"]):
                yield from (Quote(kind, part, excerpt["n"]) for kind, part, _ in _parts(lines) if part)


def _titles(caption: str) -> list[str]:
    """The titles in a caption: that of an admonition and that of the code in it."""
    return [title for title in caption.split(" · ") if title]


def _blocks(text: str) -> Iterator[list[str]]:
    """Runs of lines between blank lines; a fence with all its lines is one of them."""
    block: list[str] = []
    fence = ""
    for line in text.split("\n"):
        ticks = re.match(r" *(`{3,})", line)
        if fence:
            block.append(line)
            if line.strip() == fence:
                yield block
                block, fence = [], ""
        elif ticks:
            if block:
                yield block
            block, fence = [line], ticks[1]
        elif line.strip():
            block.append(line)
        elif block:
            yield block
            block = []
    assert not fence, "code that never ends"
    if block:
        yield block


def _parts(block: Sequence[str]) -> Iterator[tuple[Kind, str, int]]:
    if re.match(r" *```", block[0]):
        yield "code", "\n".join(block[1:-1]), 0
        return
    end = MARK.search(block[-1])
    whole = int(end[1]) if end else 0
    if block[0].startswith("|"):
        for line in block:
            if set(line) - set("|- :"):
                yield "row", line, whole
        return
    # Where code stands in an item, what follows it begins with the rest of that item.
    if any(map(ITEM.match, block)):
        for line in block:
            own = MARK.search(line)
            yield "text", ITEM.sub("", MARK.sub("", line), count=1), int(own[1]) if own else whole
        return
    text = MARK.sub("", "\n".join(block))
    if text.startswith("**") and text.endswith("**"):
        for title in _titles(text[2:-2]):
            yield "text", title, whole
    else:
        yield "text", text, whole


def _is_part(quote: str, code: str) -> bool:
    """Whether code is that of a page: whole, or, where a line `…` says that some are left out, whole lines of it."""
    if "…" not in quote:
        return quote == code
    lines = iter(code.split("\n"))
    return all(line in lines for line in quote.split("\n") if line.strip() not in ("", "…"))


def _holds(place: str, quote: str) -> bool:
    """Whether `quote` is in `place` from the start of a sentence to the end of one."""
    at = place.find(quote)
    while at >= 0:
        end = at + len(quote)
        before, behind = place[:at], place[end:]
        if _parts_sentences(before, quote + behind) and _parts_sentences(before + quote, behind):
            return True
        at = place.find(quote, at + 1)
    return False


def _parts_sentences(before: str, behind: str) -> bool:
    """Whether a sentence ends between two texts that follow one another, or one of them is empty.

    A space has to stand there, but not behind a full-width sign such as `！`.
    """
    if not before.strip() or not behind.strip():
        return True
    has_room = before.endswith(" ") or behind.startswith(" ") or before.rstrip(CLOSING).endswith(FULL_WIDTH)
    return has_room and _ends(before)


def _ends(text: str) -> bool:
    """Whether a text ends as a sentence does."""
    last = text.rstrip().rstrip(CLOSING)
    return last.endswith(ENDS) and not UNFINISHED.search(last)


def _plain(text: str) -> str:
    return " ".join(_unescaped(text).translate(INVISIBLE).replace("`", "").split())


def _squeezed(row: str) -> str:
    return re.sub(r"[\s|`]", "", _unescaped(row).translate(INVISIBLE))


def _code(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.translate(INVISIBLE).split("\n")).strip("\n")


def _unescaped(text: str) -> str:
    return re.sub(r"\\([\[*\\|])", r"\1", text)
