"""The names besides its id by which people and rules for slugs call a place, for `link_benchmark`.

The rules are written here as the generators have them, independently of those in `resolve`: if both shared a rule, the
benchmark could not show a mistake in it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from functools import cache
from unicodedata import normalize

from trueref_core.records import Anchor

INVENTED = "zephyr quokka lantern marble tundra saffron nimbus walrus pottery glacier".split()
"""Words that occur on no site of the benchmark."""

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
    """A text without accents, and without letters that are not in ASCII."""
    return normalize("NFKD", text).encode("ascii", "ignore").decode()


def mistyped(text: str, first: int, rng: random.Random) -> str | None:
    """A text with one letter after `first` wrong, missing, doubled or swapped; None if it has fewer than four there."""
    letters = [at for at, letter in enumerate(text) if letter.isalpha() and at >= first]
    if len(letters) < 4:
        return None
    at = rng.choice(letters)
    letter = rng.choice("abcdefghijklmnopqrstuvwxyz")
    spellings = (
        text[:at] + text[at + 1 :],
        text[:at] + letter + text[at + 1 :],
        text[:at] + text[at] + text[at:],
        text[:at] + text[at + 1 : at + 2] + text[at] + text[at + 2 :],
    )
    return rng.choice(spellings)


@cache
def ends_of(anchor: str) -> Sequence[str]:
    """All shorter endings of the dotted name at the end of an id: `b.c` and `c` for `a.b.c`."""
    match = DOTTED.search(anchor)
    parts = match[0].split(".") if match else []
    return [".".join(parts[at:]) for at in range(1, len(parts))]


def releases(anchor: Anchor) -> list[str]:
    """The version and the date in a heading, in the spellings that links use."""
    match = RELEASE.fullmatch(anchor.text) if anchor.kind == "heading" else None
    if match is None:
        return []
    version, date = match[1], match[2] and re.sub("[ ,]+", "-", match[2].lower())
    versions = [version, version.replace(".", ""), version.replace(".", "-")]
    both = [f"{version}-{date}", f"{versions[1]}-{date}"] if date else []
    return [*versions, *(f"v{name}" for name in versions), *both, *([date] if date else [])]


@cache
def without_a_word(anchor: str) -> frozenset[str]:
    """The id without each of its words in turn, if at least two words are left. Numbers are kept."""
    parts = re.split(r"([-_.]+)", anchor)
    words = parts[::2]
    if len(words) < 3:
        return frozenset()
    return frozenset(
        "".join(parts[: max(2 * at - 1, 0)] + parts[2 * at + (1 if at else 2) :])
        for at, word in enumerate(words)
        if word.isalpha()
    )
