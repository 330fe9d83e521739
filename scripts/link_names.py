"""The names that rules for slugs and people give to a place besides its id, for `link_benchmark`.

The rules stand here as their generators have them, apart from those that `resolve` compares by: one set of mistakes
would not show in the other.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from functools import cache
from unicodedata import normalize

from trueref_core.records import Anchor

INVENTED = "zephyr quokka lantern marble tundra saffron nimbus walrus pottery glacier".split()
"""Words that no site of the benchmark has."""

# The rules of Python-Markdown, of GitHub, pymdownx and mdBook, of docutils, of VitePress, and of Asciidoctor.
SLUGS: Sequence[Callable[[str], str]] = (
    lambda t: re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", in_ascii(t)).strip().lower()),
    lambda t: re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", t.lower())),
    lambda t: re.sub(r"\A[-0-9]+|-\Z", "", re.sub(r"[^a-z0-9]+", "-", in_ascii(t).lower())),
    lambda t: re.sub(r"\A(?=\d)", "_", re.sub(r"[^\w]+|_+", "-", t).strip("-").lower()),
    lambda t: "_" + re.sub(r"[ .-]+", "_", re.sub(r"[^\w .-]", "", t.lower())).strip("_"),
)
DOTTED = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\Z")
RELEASE = re.compile(r"(?:\w+ )?\[?v?(\d+(?:\.\d+)+\w*)\]?(?:[ (–—-]+(\d{4}-\d\d-\d\d|[A-Z][a-z]+ \d+, \d{4})\)?)?")


def in_ascii(text: str) -> str:
    """A text without accents, and without the letters that ASCII has not."""
    return normalize("NFKD", text).encode("ascii", "ignore").decode()


def mistyped(text: str, first: int, chance: random.Random) -> str | None:
    """A text with one letter from `first` on wrong, missing, doubled or swapped; None if there are fewer than four."""
    letters = [at for at, letter in enumerate(text) if letter.isalpha() and at >= first]
    if len(letters) < 4:
        return None
    at = chance.choice(letters)
    letter = chance.choice("abcdefghijklmnopqrstuvwxyz")
    spellings = (
        text[:at] + text[at + 1 :],
        text[:at] + letter + text[at + 1 :],
        text[:at] + text[at] + text[at:],
        text[:at] + text[at + 1 : at + 2] + text[at] + text[at + 2 :],
    )
    return chance.choice(spellings)


@cache
def ends_of(anchor: str) -> Sequence[str]:
    """All ends of the dotted name that an id ends with, from its second part on."""
    match = DOTTED.search(anchor)
    parts = match[0].split(".") if match else []
    return [".".join(parts[at:]) for at in range(1, len(parts))]


def releases(anchor: Anchor) -> list[str]:
    """The version and the date of a heading, in the spellings of links."""
    match = RELEASE.fullmatch(anchor.text) if anchor.kind == "heading" else None
    if match is None:
        return []
    version, date = match[1], match[2] and re.sub("[ ,]+", "-", match[2].lower())
    versions = [version, version.replace(".", ""), version.replace(".", "-")]
    both = [f"{version}-{date}", f"{versions[1]}-{date}"] if date else []
    return [*versions, *(f"v{name}" for name in versions), *both, *([date] if date else [])]


@cache
def without_a_word(anchor: str) -> frozenset[str]:
    """An id less one of its words, if at least two are left; numbers stay."""
    parts = re.split(r"([-_.]+)", anchor)
    words = parts[::2]
    if len(words) < 3:
        return frozenset()
    return frozenset(
        "".join(parts[: max(2 * at - 1, 0)] + parts[2 * at + (1 if at else 2) :])
        for at, word in enumerate(words)
        if word.isalpha()
    )
