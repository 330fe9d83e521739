"""Makes text fragments, which lead a browser to the quoted words, for quotes that are on their page exactly once.

https://wicg.github.io/scroll-to-text-fragment/. A browser scrolls to the first place with such a text, and to the
anchor late if there is none. So a quote gets a fragment only if the text of the page, as the build read it, proves that
the fragment leads there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final
from urllib.parse import quote as encode

MIN_WORDS: Final = 4
"""The fewest words of a quote: fewer may be in a menu too, which is not part of the text that the build read."""

CONTEXT_WORDS: Final = 5
"""How many words before and after a quote tell two places with the quote apart."""

MAX_OCCURRENCES: Final = 20
"""The most places in a line that are looked at. This bounds the work on a page that repeats a text many times."""

FOLDED_TO_ASCII: Final = "ßİŉſǰẖẗẘẙẚẞ\N{KELVIN SIGN}ﬀﬁﬂﬃﬄﬅﬆ"
"""All characters beyond ASCII whose case folding has an ASCII letter."""

ITEM = re.compile(r"^(?:#{1,6}|[-*+>]|\d{1,9}[.)])[ \t]+")


def text_fragment(quote: str, line: str, page_text: str) -> str:
    """The directive for a quote, such as `text=Dark%20mode%20is%20off`; "" if the page does not prove it.

    Args:
        quote: Text of the page, with backticks around inline code.
        line: The line that has the quote, which tells it from other places with the same words.
        page_text: The whole text of the page, as Markdown.
    """
    visible_quote = _visible(quote)
    if "\n" in quote.strip() or len(visible_quote.split()) < MIN_WORDS:
        return ""
    # No text fragment reaches over two blocks, and each line is one.
    lines = _lines_with(visible_quote, page_text)
    occurrences = [(each, at) for each in lines for at in _positions(visible_quote, each)]
    if len(occurrences) == 1:
        return f"text={_encoded(visible_quote)}"
    # The words before and after are of the same line: no fragment reaches over two blocks, and a browser that does not
    # find the text leaves the reader at the anchor.
    visible_line = _visible(line)
    if len([each for each, _ in occurrences if each == visible_line]) != 1:
        return ""
    at = next(at for each, at in occurrences if each == visible_line)
    before = " ".join(visible_line[:at].split()[-CONTEXT_WORDS:])
    after = " ".join(visible_line[at + len(visible_quote) :].split()[:CONTEXT_WORDS])
    with_context = " ".join(filter(None, (before, visible_quote, after)))
    # The words around the quote may be the same in two places: then no fragment is better than a wrong one.
    if sum(len(_positions(with_context, each)) for each in lines) != 1:
        return ""
    parts = (f"{_encoded(before)}-" if before else "", _encoded(visible_quote), f"-{_encoded(after)}" if after else "")
    return f"text={','.join(filter(None, parts))}"


def _lines_with(text: str, page_text: str) -> list[str]:
    """The lines of a page that have the longest word of a text, as a browser shows these lines."""
    # A reference page has thousands of lines, and converting each of them took a third of an answer's time. Marks are
    # removed from the whole page at once: a word with inline code in its middle is found, and every line break stays.
    longest_word = max(text.casefold().split(), key=len)
    # `casefold` takes five times as long as `bytes.lower`, which changes ASCII letters alone.
    needs_folding = not longest_word.isascii() or any(character in page_text for character in FOLDED_TO_ASCII)
    folded = page_text.casefold().encode() if needs_folding else page_text.encode().lower()
    without_marks = folded.replace(b"`", b"").replace(b"**", b"")
    lines = page_text.split("\n")
    return [_visible(lines[number]) for number in _line_numbers(longest_word.encode(), without_marks)]


def _line_numbers(word: bytes, text: bytes) -> Iterator[int]:
    """The numbers of the lines of a text that have a word, from 0."""
    number, counted_to, at = 0, 0, text.find(word)
    while at >= 0:
        number += text.count(b"\n", counted_to, at)
        yield number
        counted_to = at
        line_end = text.find(b"\n", at)
        at = text.find(word, line_end) if line_end >= 0 else -1


def line_of(text: str, start: int) -> str:
    """The line of a text that has the character at `start`."""
    return text[text.rfind("\n", 0, start) + 1 :].partition("\n")[0]


class VisibleLines:
    """The lines of a text as a browser shows them, in which sentences that repeat them are found."""

    def __init__(self, text: str) -> None:
        # Converted once for all sentences: an answer may have hundreds of them.
        self._lines = [(_visible(line), line) for line in text.split("\n")]

    def find(self, wanted: str) -> tuple[str, str]:
        """The words of a line that a sentence repeats, as they are shown, and the line; "" twice if no line has them.

        Marks of Markdown, case and white space may differ. If several lines have them, the first one counts.
        """
        shown = _visible(wanted)
        for visible, line in self._lines if shown else ():
            if positions := _positions(shown, visible):
                return visible[positions[0] : positions[0] + len(shown)], line
        return "", ""


def _visible(line: str) -> str:
    """A line of Markdown as a browser shows it: no mark of a list or of code, and single spaces."""
    return " ".join(ITEM.sub("", line.strip()).replace("`", "").replace("**", "").split())


def _positions(text: str, line: str) -> Sequence[int]:
    """The positions of a text in a line. Case is ignored, as browsers do."""
    folded = text.casefold(), line.casefold()
    # If case folding changes a length, as that of `ß` does, the text is compared as it is written, and positions stay
    # right.
    if (len(folded[0]), len(folded[1])) == (len(text), len(line)):
        text, line = folded
    positions: list[int] = []
    position = line.find(text)
    while position >= 0 and len(positions) < MAX_OCCURRENCES:
        positions.append(position)
        position = line.find(text, position + 1)
    return positions


def _encoded(text: str) -> str:
    """A text in percent-encoding, with its commas, ampersands and dashes, which separate the parts of a directive."""
    return encode(text, safe="").replace("-", "%2D")
