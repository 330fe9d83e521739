"""Finds the pages of a site that have an anchor, and the pages that a path may mean if no page has this address."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import takewhile
from typing import Final
from urllib.parse import urlsplit

from jellyfish import jaro_winkler_similarity

from trueref_core.documents import is_unpublished
from trueref_core.matching.anchor_match import AnchorMatcher
from trueref_core.matching.fuzzy import SimilarNames
from trueref_core.matching.name_words import name_of
from trueref_core.records import CITED_ANCHORS, Anchor, Page, Site
from trueref_core.text.word_forms import language_of

SIMILAR_ENOUGH: Final = 0.88
"""Jaro-Winkler similarity of paths from which a page is worth suggesting: `docs/decisions/corrections.md`,
Suggestions."""

RESTS_SIMILAR_ENOUGH: Final = 0.75
"""Two paths must be at least this similar when the folders that they share are left out of both."""

MIN_PLURAL: Final = 4
"""A word of at least this many letters counts as the same word with and without an `s` at its end."""

_SOURCE_SUFFIXES: Final = "md|mdx|markdown|rst|ipynb"
SOURCE_FILE: Final = re.compile(rf"\.(?:{_SOURCE_SUFFIXES})\Z")
"""Matches the suffix of a source file."""

_PAGE_SUFFIX = re.compile(rf"\.(?:{_SOURCE_SUFFIXES}|html?)\Z")
"""Matches a suffix that is left out when paths are compared: that of a source file, or of a page."""

_INDEX = re.compile(r"(?:^|/)(?:index|readme)\Z")
# Folders that a path may have on one deployment and not on another: a language, or a version.
_LANGUAGES: Final = frozenset(
    "ar bg bn cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nb nl pl pt ro ru sk sl sr sv th tr uk ur "
    "vi zh".split()
)
_VERSION = re.compile(r"v?\d+(?:\.\d+)*(?:\.x)?|latest|stable")


class PageMatcher:
    """The pages of one site that a correction may lead to, and their cited anchors, prepared for look-ups."""

    def __init__(self, site: Site, pages: Iterable[Page], anchors: Iterable[Anchor]) -> None:
        linkable = [page for page in pages if page.kind != "redirect" and not page.hidden and not is_unpublished(page)]
        citable = {page.page for page in linkable}
        self._pages_with: dict[str, list[str]] = {}
        texts: set[str] = set()
        for anchor in anchors:
            texts.add(anchor.text)
            if anchor.kind in CITED_ANCHORS and not anchor.duplicate and anchor.page in citable:
                self._pages_with.setdefault(anchor.anchor, []).append(anchor.page)
        all_names = (*self._pages_with, *(page.page for page in linkable), *(page.title for page in linkable))
        self.vocabulary = frozenset(word for name in (*all_names, *texts) for word in name_of(name).words)
        """The words of anchors, headings, titles and addresses, as `anchor_match` compares them."""
        self.one_word_anchors = frozenset(name.key for name in map(name_of, self._pages_with) if len(name.words) == 1)
        """The keys of the cited anchors that are one word, such as `configuration`."""
        self._base = [segment for segment in urlsplit(site.base_url or "").path.lower().split("/") if segment]
        self._by_spelling: dict[str, dict[str, Page]] = {}
        self._by_shortened: dict[str, dict[str, Page]] = {}
        for page in linkable:
            for form in (page.page, *page.aliases, page.source_path or page.page):
                key = spelling(form)
                self._by_spelling.setdefault(key, {})[page.page] = page
                for shortened in _without_language_or_version(key):
                    self._by_shortened.setdefault(shortened, {})[page.page] = page
        pages_by_spelling = {spelling(page.page): page for page in linkable}
        self._similar_spellings = SimilarNames(
            list(pages_by_spelling), [name_of(key).words for key in pages_by_spelling]
        )
        self._pages = list(pages_by_spelling.values())

    def pages_with(self, anchor: str) -> Sequence[str]:
        """The addresses of the pages that have exactly this cited anchor."""
        return self._pages_with.get(anchor, ())

    def pages_spelled(self, path: str) -> Sequence[Page]:
        """The pages that a path may mean apart from its spelling, by the most certain reading that finds any page.

        Readings without a language, a version or the folder of the site are less certain than the whole path.
        """
        key = spelling(path)
        # The whole path comes first: an address under `de/` means the German page rather than that of another language.
        readings = [self._by_spelling.get(key)]
        shorter = (*_without_language_or_version(key), *self._without_base(key), key.removeprefix("docs/"))
        readings += [self._by_spelling.get(shortened) for shortened in shorter]
        readings += [self._by_shortened.get(key)]
        for pages in filter(None, readings):
            return list(pages.values())
        return []

    def page_mistyped(self, path: str) -> Page | None:
        """The only page whose path differs by a typing error, separators, accents or a plural; None if there is none.

        Words are compared like those of anchors, so a word that the site uses does not count as mistyped. Names of code
        (`np.arctan`) are left out, since different functions often differ by a letter.
        """
        key = spelling(path)
        if "." in key.rpartition("/")[2]:
            return None
        spellings = {
            candidate for candidate in self._by_words.spelled_like(key) if _word_counts(candidate) == _word_counts(key)
        }
        # A site with a page `backup` uses the word `backups` too. So a plural is no typing error, and has its own rule.
        spellings |= {candidate for candidate in _singular_or_plural(key) if candidate in self._by_spelling}
        pages = {page.page: page for candidate in spellings for page in self._by_spelling[candidate].values()}
        return next(iter(pages.values())) if len(pages) == 1 else None

    @cached_property
    def _by_words(self) -> AnchorMatcher:
        """The spellings of pages, compared as anchors are."""
        return AnchorMatcher(self._by_spelling, self.vocabulary)

    def closest_page(self, path: str) -> Page | None:
        """The page with the most similar path: a suggestion for a person, which is never linked."""
        key = spelling(path)
        position = self._similar_spellings.closest(key, name_of(key).words, SIMILAR_ENOUGH)
        if position is None:
            return None
        page = self._pages[position]
        return page if _have_similar_rests(key, spelling(page.page)) else None

    def _without_base(self, key: str) -> Iterator[str]:
        """A path without the folders that the site is published under, or without the last of these."""
        segments = key.split("/")
        for count in range(len(self._base), 0, -1):
            if segments[:count] == self._base[-count:]:
                yield "/".join(segments[count:])


def spelling(path: str) -> str:
    """A path in small letters without suffix, index and outer slashes: `setup/colors` for all forms of an address."""
    bare = _PAGE_SUFFIX.sub("", path.lower().strip("/"))
    return _INDEX.sub("", bare)


def _word_counts(key: str) -> list[int]:
    """How many words each part of a path has."""
    return [len(name_of(part).words) for part in key.split("/")]


def _singular_or_plural(key: str) -> Iterator[str]:
    """A path whose last word is a plural as the singular, and the other way round."""
    if key[-MIN_PLURAL:].isalpha() and len(key) >= MIN_PLURAL:
        yield key.removesuffix("s") if key.endswith("s") else f"{key}s"


def _have_similar_rests(key: str, other: str) -> bool:
    """Whether two paths are similar even without the folders that they share: a long common folder proves nothing."""
    folders, other_folders = key.split("/"), other.split("/")
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(folders, other_folders, strict=False)))
    rests = "/".join(folders[shared:]), "/".join(other_folders[shared:])
    return not all(rests) or jaro_winkler_similarity(*rests) >= RESTS_SIMILAR_ENOUGH


def are_related(page: str, other: str) -> bool:
    """Whether a page is the parent, a child or a sibling of another, by their addresses."""
    segments, other_segments = _path_segments(page), _path_segments(other)
    return segments == other_segments[:-1] or other_segments == segments[:-1] or segments[:-1] == other_segments[:-1]


def _path_segments(page: str) -> tuple[str, ...]:
    """The folders of a page and its own name, in the form of `spelling`."""
    bare = spelling(page)
    return tuple(bare.split("/")) if bare else ()


def _is_language_or_version(segment: str) -> bool:
    """Whether a part of a path names a language or a version."""
    return is_language(segment) or is_version(segment)


def is_language(segment: str) -> bool:
    """Whether a part of a path names a language, such as `de` or `pt-BR`."""
    return language_of(segment) in _LANGUAGES


def is_version(segment: str) -> bool:
    """Whether a part of a path is a version."""
    return _VERSION.fullmatch(segment) is not None


def _without_language_or_version(key: str) -> Iterator[str]:
    """A path without its first part, then without its first two, as far as these are a language or a version."""
    segments = key.split("/")
    for count in (1, 2):
        if len(segments) <= count or not _is_language_or_version(segments[count - 1]):
            return
        yield "/".join(segments[count:])
