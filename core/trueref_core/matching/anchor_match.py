"""Finds the anchor of a page that a fragment means, if no anchor has exactly that name.

A correction must be unambiguous. Rules are tried from the most certain to the weakest, and the first rule that has any
candidate decides: with a single candidate this is the correction, with several there is none. A reader who is sent to
the wrong section is worse off than one who is sent to the page. `docs/decisions/corrections.md` has the reasons for
each rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from typing import Final

import regex
from jellyfish import damerau_levenshtein_distance

from trueref_core.matching.anchor_names import OtherNames, agree_in_case
from trueref_core.matching.fuzzy import SimilarNames
from trueref_core.matching.name_words import MAX_CHARACTERS, ComparableName, Words, grouped, name_of

MAX_WORDS: Final = 24
"""Names with more words are not compared, which bounds the work for one look-up."""

SIMILAR_ENOUGH: Final = 0.86
"""Jaro-Winkler similarity from which an anchor is worth suggesting: `docs/decisions/corrections.md`, Suggestions."""

NEGATIONS: Final = frozenset("no non not without never disable disabled un anti".split())
"""Words that reverse the meaning of the others. A correction never adds one of them as a missing word."""

MIN_PAIRS: Final = 6
"""If at least this many pairs of anchors on a page differ by the same word, the word distinguishes two series of
sections, and a correction never adds it. Fewer pairs may be chance: one heading says a word more than another."""

_BEFORE_MEMBER: Final = (".", "::", "#", "/")
"""What stands between the name of a class or a module and that of its member."""

_NOT_LINKABLE: Final = -1
"""Stands for the position of an anchor that has the name too, but that no link may lead to."""

MIN_LONE_WORD: Final = 4
"""A fragment of a single word lacks a word of an anchor only if it has at least this many characters."""

MIN_TYPED_WORD: Final = 3
TWO_ERRORS_FROM: Final = 8
"""A word of fewer letters than `MIN_TYPED_WORD` is not corrected unless other words of the name agree. From
`TWO_ERRORS_FROM` letters on, a word may have two wrong letters instead of one."""

OTHERS_AGREE_FROM: Final = 2
"""If at least this many other words of a name agree, the first letter of a mistyped word may be wrong too."""

_NUMBERED = regex.compile(r"(?<=[\p{L}\p{N}])[-_][1-9]\Z")
"""Matches the number that generators add to the id of a second heading with the same text: `-1` of `usage-1`."""

# The last number of a version looks like the number that generators add to a second heading: `1-2-1` is 1.2.1.
_VERSION_END = regex.compile(r"(?:\d([-_])\d+\1|\A(?:v|version[-_]|release[-_])?\d{1,3}-)[1-9]\Z", regex.IGNORECASE)
_DATED = regex.compile(r"\d{4}-\d\d-\d\d[-_][1-9]\Z")
"""Matches a date with such a number, which `_VERSION_END` would take for a version: `2024-05-01-1`."""


class AnchorMatcher:
    """The anchors of one page that a link may lead to, prepared for look-ups."""

    def __init__(
        self,
        anchors: Iterable[str],
        vocabulary: Container[str] = (),
        other_names: OtherNames | None = None,
        one_word_anchors: Container[str] = (),
    ) -> None:
        """Prepares the anchors.

        Args:
            anchors: Ids of the anchors that a link may lead to, as written in the page.
            vocabulary: Words that the site uses: none of them counts as mistyped.
            other_names: Other names of the anchors of the page.
            one_word_anchors: Keys of the anchors of the whole site that are one word: none of them lacks a word.
        """
        self._vocabulary = vocabulary
        self._one_word_anchors = one_word_anchors
        self._other_names = other_names or OtherNames()
        names = {anchor: name_of(anchor) for anchor in anchors if len(anchor) <= MAX_CHARACTERS}
        self._anchors: Sequence[str] = [anchor for anchor, name in names.items() if 0 < len(name.words) <= MAX_WORDS]
        self._positions = {anchor: at for at, anchor in enumerate(self._anchors)}
        self._names = [names[anchor] for anchor in self._anchors]
        self._keys = [name.key for name in self._names]
        self._similar_names = SimilarNames(self._keys, [name.words for name in self._names])
        self._by_key = grouped((key, at) for at, key in enumerate(self._keys) if key)
        self._by_joined = grouped(("".join(name.words), at) for at, name in enumerate(self._names))
        self._keys_without_number = list(map(_key_without_number, self._anchors))
        self._by_key_without_number = grouped((key, at) for at, key in enumerate(self._keys_without_number) if key)
        self._by_shortened_words = grouped(
            (shortened, number)
            for number, name in enumerate(self._names)
            for shortened in {name.words[:at] + name.words[at + 1 :] for at in range(len(name.words))}
        )
        self._by_word = grouped((word, at) for at, name in enumerate(self._names) for word in set(name.words))
        self._distinguishing_words = NEGATIONS | _distinguishing_words(self._names)

    def meant_by(self, fragment: str) -> tuple[str, str] | None:
        """The only anchor that a fragment can mean, and how the two differ, in words; None if none is certain."""
        name = name_of(fragment)
        if len(fragment) > MAX_CHARACTERS or not 0 < len(name.words) <= MAX_WORDS:
            return None
        remaining: set[int] | None = None
        # A rule that finds two candidates ends the search: a weaker rule would choose between them by chance.
        for rule, difference in _RULES:
            candidates = rule(self, fragment, name) if remaining is None else rule(self, fragment, name) & remaining
            if len(candidates) == 1 and _NOT_LINKABLE not in candidates:
                return self._anchors[next(iter(candidates))], difference
            if candidates and rule not in _BY_OTHER_NAME:
                return None
            # Several anchors may share a title or another name that is no id. A later rule may still decide between
            # them by their ids.
            remaining = candidates or remaining
        return None

    def spelled_like(self, fragment: str) -> set[str]:
        """The anchors with the same words as a fragment; if there are none, those with one word of it mistyped."""
        name = name_of(fragment)
        if len(fragment) > MAX_CHARACTERS or not 0 < len(name.words) <= MAX_WORDS:
            return set()
        return {self._anchors[at] for at in self.same_words(fragment, name) or self.mistyped(fragment, name)}

    def has_longer_name(self, fragment: str) -> bool:
        """Whether a fragment is one word, and an anchor of the page has this word among others."""
        name = name_of(fragment)
        return len(name.words) == 1 and name.key in self._by_word

    def _positions_of(self, anchors: set[str]) -> set[int]:
        """The positions of anchors, `_NOT_LINKABLE` for some; none if no link may lead to any of the anchors."""
        if not anchors:
            return set()
        positions = {self._positions.get(anchor, _NOT_LINKABLE) for anchor in anchors}
        return positions if positions != {_NOT_LINKABLE} else set()

    def closest(self, fragment: str) -> str | None:
        """The anchor with the most similar name: a suggestion for a person, which is never linked."""
        name = name_of(fragment)
        position = self._similar_names.closest(name.key, name.words[:MAX_WORDS], SIMILAR_ENOUGH)
        return None if position is None else self._anchors[position]

    def same_words(self, _fragment: str, name: ComparableName) -> set[int]:
        """Rule: the words are the same. Rules for slugs differ in case, separators and accents."""
        positions = self._by_key.get(name.key)
        if positions is None and not name.has_numbers_apart:
            # GitHub's rule for slugs removes the dots in `9.20.1`. A fragment with numbers apart was not made by it.
            positions = self._by_joined.get("".join(name.words))
        return set(positions or ())

    def same_without_number(self, fragment: str, name: ComparableName) -> set[int]:
        """Rule: fragment and anchor are the same but for the number that generators add to the second of equal ids.

        A number is only added or removed, never replaced: `sha-512` is not `sha-256`.
        """
        key = _key_without_number(fragment)
        positions = self._by_key_without_number.get(key, ())
        if len(positions) == 1:
            only = positions[0]
            is_numbered = self._keys[only] != self._keys_without_number[only]
            # If both have a number they differ in it, and if neither has one this rule does not apply.
            if is_numbered == (name.key != key):
                return set()
        return set(positions)

    def same_title(self, fragment: str, name: ComparableName) -> set[int]:
        """Rule: the fragment is made of the anchor's title, while its id was set by hand or follows another rule.

        The title of `pkg.Server.close` may be `close()`, and that of `pkg.Client.close` `close(timeout=5)`: if the
        title is the end of a dotted name, all anchors whose names have this end may be meant.
        """
        with_title = self._positions_of(self._other_names.with_title(name.key))
        with_ending = self.same_ending(fragment, name) if with_title else with_title
        return with_title | with_ending if with_title & with_ending else with_title

    def same_title_base(self, fragment: str, name: ComparableName) -> set[int]:
        """Rule: the fragment is made of the anchor's title with a number behind it."""
        base = _key_without_number(fragment)
        return self._positions_of(self._other_names.with_title(base)) if base != name.key else set()

    def same_ending(self, fragment: str, name: ComparableName) -> set[int]:
        """Rule: the fragment is the end of the anchor's dotted name: `Client.connect` of `pkg.Client.connect`."""
        return self._positions_of(self._other_names.with_ending(fragment, name.key))

    def same_release(self, _fragment: str, name: ComparableName) -> set[int]:
        """Rule: the fragment is the version or date of a release, or both: `1.2.0` of `Version 1.2.0 (2019-07-13)`."""
        return self._positions_of(self._other_names.with_release(name.key))

    def missing_word(self, fragment: str, name: ComparableName) -> set[int]:
        """Rule: the fragment lacks one word of the anchor.

        A fragment of one word must be in no other anchor of the page, and must be no whole anchor of another page: the
        link `index.html#bugs` may mean `#bugs` of a page below as well as `#reporting-bugs` of this one.
        """
        if len(name.words) == 1 and (len(name.key) < MIN_LONE_WORD or name.key in self._one_word_anchors):
            return set()
        positions = {
            position
            for position in self._by_shortened_words.get(name.words, ())
            if len(self._names[position].words) == len(name.words) + 1
            and self._lacks_one_word(self._names[position].words, name.words)
            and agree_in_case(fragment, self._anchors[position])
            # `pkg.Parser` is the class, and lacks no word of its method `pkg.Parser.feed`.
            and not self._anchors[position].startswith(tuple(fragment + sign for sign in _BEFORE_MEMBER))
        }
        if len(name.words) == 1 and positions:
            # A single word says little, so every other anchor that has it makes the correction ambiguous.
            positions.update(self._by_word.get(name.key, ()))
        return positions

    def _lacks_one_word(self, words: Words, written: Words) -> bool:
        """Whether `written` is `words` without one word that may be missing: no number and no distinguishing word."""
        return any(
            word.isalpha() and word not in self._distinguishing_words and words[:at] + words[at + 1 :] == written
            for at, word in enumerate(words)
        )

    def mistyped(self, _fragment: str, name: ComparableName) -> set[int]:
        """Rule: one or two letters of one word of the fragment are wrong, missing, doubled or swapped."""
        return {
            position
            for at, word in enumerate(name.words)
            for position in self._by_shortened_words.get(name.words[:at] + name.words[at + 1 :], ())
            if len(self._names[position].words) == len(name.words)
            and self._names[position].words[:at] == name.words[:at]
            and self._is_mistyped(word, self._names[position].words[at], beside=len(name.words) - 1)
        }

    def _is_mistyped(self, written: str, site_word: str, beside: int) -> bool:
        """Whether `written` is no word of the site, but its word `site_word` with a typing error.

        Different words of a language often differ at the start: `enable` and `disable`, `import` and `export`, `scss`
        and `css`. So the first letter has to be right, or swapped with the second, unless at least `OTHERS_AGREE_FROM`
        other words of the name agree; `beside` is the number of these.
        """
        if not (written.isalpha() and site_word.isalpha()) or written in self._vocabulary:
            return False
        shortest = min(len(written), len(site_word))
        has_swapped_start = len(written) == len(site_word) and written[:2] == site_word[1:2] + site_word[:1]
        has_right_start = written[0] == site_word[0] or has_swapped_start
        if beside < OTHERS_AGREE_FROM and (shortest < MIN_TYPED_WORD or not has_right_start):
            return False
        max_edits = 2 if shortest >= TWO_ERRORS_FROM else 1
        # Lengths are compared first: this rules out most words, and computing the distance takes time in proportion to
        # the product of both lengths.
        if abs(len(written) - len(site_word)) > max_edits:
            return False
        return damerau_levenshtein_distance(written, site_word) <= max_edits


_RULES: Final[tuple[tuple[Callable[[AnchorMatcher, str, ComparableName], set[int]], str], ...]] = (
    (AnchorMatcher.same_words, "but for case, accents or separators"),
    (AnchorMatcher.same_title, "by the text of its heading"),
    (AnchorMatcher.same_without_number, "but for a number behind it"),
    (AnchorMatcher.same_ending, "by the last parts of its name"),
    (AnchorMatcher.same_release, "by the version or the date in its heading"),
    (AnchorMatcher.missing_word, "but for a word that is missing"),
    (AnchorMatcher.same_title_base, "by the text of its heading, but for a number behind it"),
    (AnchorMatcher.mistyped, "but for a typing error"),
)

_BY_OTHER_NAME: Final = frozenset(
    {AnchorMatcher.same_title, AnchorMatcher.same_title_base, AnchorMatcher.same_ending, AnchorMatcher.same_release}
)


def _distinguishing_words(names: Sequence[ComparableName]) -> frozenset[str]:
    """The words by which alone many pairs of names differ: `tool` in `run-all` and `tool-run-all`."""
    all_words = {name.words for name in names}
    pair_counts = Counter(
        word for words in all_words for at, word in enumerate(words) if words[:at] + words[at + 1 :] in all_words
    )
    return frozenset(word for word, count in pair_counts.items() if count >= MIN_PAIRS)


def _key_without_number(anchor: str) -> str:
    """The key of an id without the number that generators put behind the second of equal ids."""
    anchor = anchor[:MAX_CHARACTERS]
    if anchor[-2:-1] not in {"-", "_"}:
        return name_of(anchor).key
    is_version = _VERSION_END.search(anchor) and not _DATED.search(anchor)
    return name_of(anchor if is_version else _NUMBERED.sub("", anchor)).key
