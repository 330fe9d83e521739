"""Finds the anchor of a page that a fragment means, if no anchor has exactly that name.

Only an unambiguous correction is made: one rule with one candidate. Rules are tried from the most certain to the
weakest, and the first with any candidate decides. Two candidates are no answer, since a reader who is sent to the wrong
section is worse off than one who is sent to the page. `docs/decisions/corrections.md` has the reasons for each rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from typing import Final

import regex
from jellyfish import damerau_levenshtein_distance

from trueref_core.matching.anchor_names import OtherNames, agree_in_case
from trueref_core.matching.fuzzy import Similar
from trueref_core.matching.name_words import LONGEST, Name, Words, grouped, name_of

WORDS_MOST: Final = 24

SIMILAR_ENOUGH: Final = 0.82
"""Jaro-Winkler similarity from which an anchor is worth suggesting."""

NEGATIONS: Final = frozenset("no non not without never disable disabled un anti".split())
"""Words that reverse the meaning of the others. A correction never adds one of them as a missing word."""

PAIRS_LEAST: Final = 6
"""If this many pairs of anchors on a page differ by the same word, the word distinguishes two series of sections. Fewer
pairs may be chance: two headings, of which one says more."""

_NOWHERE: Final = -1
"""Stands for an anchor that has the name too, but is not among those that a link may lead to."""

_NUMBERED = regex.compile(r"(?<=[\p{L}\p{N}])[-_][1-9]\Z")
# The last number of a version looks like the number that generators add to a second heading: `1-2-1` is 1.2.1.
_VERSION_END = regex.compile(r"(?:\d([-_])\d+\1|\A(?:v|version[-_]|release[-_])?\d{1,3}-)[1-9]\Z", regex.IGNORECASE)
_DATED = regex.compile(r"\d{4}-\d\d-\d\d[-_][1-9]\Z")


class AnchorMatcher:
    """The anchors of one page that a link may lead to, prepared for look-ups."""

    def __init__(
        self, anchors: Iterable[str], vocabulary: Container[str] = (), others: OtherNames | None = None
    ) -> None:
        """Prepares the anchors.

        Args:
            anchors: Ids as written in the page.
            vocabulary: Words that the site uses: none of them counts as mistyped.
            others: Other names of the anchors.
        """
        self._vocabulary = vocabulary
        self._others = others or OtherNames()
        names = {anchor: name_of(anchor) for anchor in anchors if len(anchor) <= LONGEST}
        self._anchors: Sequence[str] = [anchor for anchor, name in names.items() if 0 < len(name.words) <= WORDS_MOST]
        self._positions = {anchor: at for at, anchor in enumerate(self._anchors)}
        self._names = [names[anchor] for anchor in self._anchors]
        self._keys = [name.key for name in self._names]
        self._similar = Similar(self._keys, [name.words for name in self._names])
        self._by_key = grouped((key, at) for at, key in enumerate(self._keys) if key)
        self._by_joined = grouped(("".join(name.words), at) for at, name in enumerate(self._names))
        self._by_base = grouped((base, at) for at, anchor in enumerate(self._anchors) if (base := _base(anchor)))
        self._by_shortened_words = grouped(
            (shortened, number)
            for number, name in enumerate(self._names)
            for shortened in {name.words[:at] + name.words[at + 1 :] for at in range(len(name.words))}
        )
        self._telling_apart = NEGATIONS | _telling_apart(self._names)

    def meant_by(self, fragment: str) -> tuple[str, str] | None:
        """The only anchor that a fragment can mean, and its difference in words; None if none is certain."""
        name = name_of(fragment)
        if len(fragment) > LONGEST or not 0 < len(name.words) <= WORDS_MOST:
            return None
        among: set[int] | None = None
        # A rule that finds two candidates ends the search: a weaker rule would choose between them by chance.
        for rule, difference in _RULES:
            candidates = rule(self, fragment, name) if among is None else rule(self, fragment, name) & among
            if len(candidates) == 1 and _NOWHERE not in candidates:
                return self._anchors[next(iter(candidates))], difference
            if candidates and rule not in _BY_OTHER_NAME:
                return None
            # Several anchors may share another name, such as a title. A later rule may still decide by their ids.
            among = candidates or among
        return None

    def spelled_like(self, fragment: str) -> set[str]:
        """The anchors with the same words as a fragment, else those of which one word is mistyped in it."""
        name = name_of(fragment)
        if len(fragment) > LONGEST or not 0 < len(name.words) <= WORDS_MOST:
            return set()
        return {self._anchors[at] for at in self.same_words(fragment, name) or self.mistyped(fragment, name)}

    def _positions_of(self, anchors: set[str]) -> set[int]:
        """The positions of anchors that another name may mean; none if no link may lead to any of them."""
        if not anchors:
            return set()
        positions = {self._positions.get(anchor, _NOWHERE) for anchor in anchors}
        return positions if positions != {_NOWHERE} else set()

    def closest(self, fragment: str) -> str | None:
        """The most similar anchor: a suggestion for a person, which is never linked."""
        name = name_of(fragment)
        nearest = self._similar.closest(name.key, name.words[:WORDS_MOST], SIMILAR_ENOUGH)
        return None if nearest is None else self._anchors[nearest]

    def same_words(self, _fragment: str, name: Name) -> set[int]:
        """Another rule for slugs: case, separators, accents."""
        positions = self._by_key.get(name.key)
        if positions is None and not name.has_numbers_apart:
            # GitHub's rule removes the dots in `9.20.1`. A fragment with some dots left was not made by it.
            positions = self._by_joined.get("".join(name.words))
        return set(positions or ())

    def same_base(self, fragment: str, name: Name) -> set[int]:
        """The number that generators add to a second heading with the same text is too much, or missing.

        A number is never replaced by another one: `sha-512` is not `sha-256`.
        """
        positions = self._by_base.get(_base(fragment), ())
        is_numbered = _base(fragment) != name.key
        if len(positions) == 1 and is_numbered == (self._keys[positions[0]] != _base(self._anchors[positions[0]])):
            return set()
        return set(positions)

    def same_title(self, fragment: str, name: Name) -> set[int]:
        """The text of its heading, whose id was set by hand or follows another rule for slugs.

        The title of `pkg.Server.close` may be `close()`, and that of `pkg.Client.close` `close(timeout=5)`: if the
        title is only the end of a dotted name, all names with that end may be meant.
        """
        titled = self._positions_of(self._others.titled(name.key))
        ending = self.same_end(fragment, name) if titled else titled
        return titled | ending if titled & ending else titled

    def same_title_base(self, fragment: str, name: Name) -> set[int]:
        """The text of its heading with a number behind it."""
        base = _base(fragment)
        return self._positions_of(self._others.titled(base)) if base != name.key else set()

    def same_end(self, fragment: str, name: Name) -> set[int]:
        """The last parts of its dotted name: `Client.connect` of `pkg.Client.connect`."""
        return self._positions_of(self._others.ending(fragment, name.key))

    def same_release(self, _fragment: str, name: Name) -> set[int]:
        """The version, the date or both in a longer heading: `1.2.0` of `Version 1.2.0 (2019-07-13)`."""
        return self._positions_of(self._others.released(name.key))

    def word_less(self, fragment: str, name: Name) -> set[int]:
        """A word of the anchor is missing. One word alone has to be the only one of its kind on the page."""
        if len(name.words) == 1 and len(name.key) < 4:
            return set()
        positions = {
            at
            for at in self._by_shortened_words.get(name.words, ())
            if len(self._names[at].words) == len(name.words) + 1
            and self._is_less(self._names[at].words, name.words)
            and agree_in_case(fragment, self._anchors[at])
        }
        if len(name.words) == 1 and positions:
            # A single word says little, so every other anchor with it makes the correction ambiguous.
            positions |= {at for at, other in enumerate(self._names) if name.key in other.words}
        return positions

    def _is_less(self, words: Words, written: Words) -> bool:
        """Whether `written` is `words` without one word that may be left out: no number, and no distinguishing word."""
        return any(
            word.isalpha() and word not in self._telling_apart and words[:at] + words[at + 1 :] == written
            for at, word in enumerate(words)
        )

    def mistyped(self, _fragment: str, name: Name) -> set[int]:
        """One or two letters of one word are wrong, missing, doubled or swapped."""
        return {
            number
            for at, word in enumerate(name.words)
            for number in self._by_shortened_words.get(name.words[:at] + name.words[at + 1 :], ())
            if len(self._names[number].words) == len(name.words)
            and self._names[number].words[:at] == name.words[:at]
            and self._is_mistyped(word, self._names[number].words[at], beside=len(name.words) - 1)
        }

    def _is_mistyped(self, written: str, site_word: str, beside: int) -> bool:
        """Whether a word that the site does not use is `site_word`, one that it uses, with a typing error.

        Different words of a language often differ at the start: `enable` and `disable`, `import` and `export`, `scss`
        and `css`. So the first letter has to be right, or swapped with the second, unless two words `beside` it agree.
        """
        if not (written.isalpha() and site_word.isalpha()) or written in self._vocabulary:
            return False
        shortest = min(len(written), len(site_word))
        is_swapped = len(written) == len(site_word) and written[:2] == site_word[1::-1]
        if beside < 2 and (shortest < 3 or not (written[0] == site_word[0] or is_swapped)):
            return False
        most = 2 if shortest >= 8 else 1
        # Lengths are compared first: that rules out most words, and the distance takes the product of both lengths.
        return abs(len(written) - len(site_word)) <= most and damerau_levenshtein_distance(written, site_word) <= most


_RULES: Final[tuple[tuple[Callable[[AnchorMatcher, str, Name], set[int]], str], ...]] = (
    (AnchorMatcher.same_words, "but for case, accents or separators"),
    (AnchorMatcher.same_title, "by the text of its heading"),
    (AnchorMatcher.same_base, "but for a number behind it"),
    (AnchorMatcher.same_end, "by the last parts of its name"),
    (AnchorMatcher.same_release, "by the version or the date in its heading"),
    (AnchorMatcher.word_less, "but for a word that is missing"),
    (AnchorMatcher.same_title_base, "by the text of its heading, but for a number behind it"),
    (AnchorMatcher.mistyped, "but for a typing error"),
)

_BY_OTHER_NAME: Final = frozenset(
    {AnchorMatcher.same_title, AnchorMatcher.same_title_base, AnchorMatcher.same_end, AnchorMatcher.same_release}
)


def _telling_apart(names: Sequence[Name]) -> frozenset[str]:
    """The words that distinguish many names from others: `tool` in `run-all` and `tool-run-all`."""
    all_words = {name.words for name in names}
    pairs = Counter(
        word for words in all_words for at, word in enumerate(words) if words[:at] + words[at + 1 :] in all_words
    )
    return frozenset(word for word, count in pairs.items() if count >= PAIRS_LEAST)


def _base(anchor: str) -> str:
    """The key of an id without the number that a generator puts behind the second of equal ids."""
    anchor = anchor[:LONGEST]
    if anchor[-2:-1] not in {"-", "_"}:
        return name_of(anchor).key
    is_version = _VERSION_END.search(anchor) and not _DATED.search(anchor)
    return name_of(anchor if is_version else _NUMBERED.sub("", anchor)).key
