"""Removes copies: of a section that several versions or languages of the docs have, a reader is shown one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from trueref_core.tables.filters import Filters
from trueref_core.text.version_names import current_version
from trueref_core.text.word_forms import language_of
from trueref_server.ranking.rank import site_version_language
from trueref_server.records import Hit

LONG_TEXT: Final = 40
"""The fewest characters from which two equal texts are copies. Shorter texts are copies only under the same title: two
options may have the same default value by chance."""

UNTRANSLATED_SHARE: Final = 0.75
"""The share of their words that an untranslated section has in common with its original. It is not all of them: the
theme adds words in the other language, such as the titles of admonitions."""


def without_copies(hits: Iterable[Hit], language: str) -> list[Hit]:
    """The hits without copies: of hits that say the same in several versions or languages, one stays.

    The copy that stays is in the reader's language, and of several such copies it is of the current version. It ranks
    where the best copy did. A section that was not translated has the same text under the same address, except for
    what the theme says in the other language.

    Args:
        hits: Best first.
        language: That of the reader, or of the site.
    """
    # Copies are looked for among the hits, and not by the build: the build looks for twins within one version and
    # language only, so that each version can be searched by itself (`docs/decisions/current-version.md`).
    groups: dict[tuple[str, ...], list[Hit]] = {}
    for hit in hits:
        groups.setdefault(_group_key(hit, groups), []).append(hit)
    return [_best_copy(group, language) for group in groups.values()]


def of_one_version(hits: Sequence[Hit], reader_filters: Filters, share: Callable[[Hit], float]) -> list[Hit]:
    """The hits in the versions that the reader means and, if the best hit is in another version, in one other version.

    The other version is the most current of those in which a hit has as much of the question as the best hit. Its hits
    come first.

    Args:
        hits: Best first.
        reader_filters: The scope of the versions that the reader means.
        share: Gives how much of the question a hit has, from 0 to 1.
    """
    if not hits or reader_filters.editions is None:
        return list(hits)
    hits_elsewhere = [hit for hit in hits if (hit.site, hit.chunk.version) not in reader_filters.editions]
    if hits[0] not in hits_elsewhere:
        return [hit for hit in hits if hit not in hits_elsewhere]
    # Only one other version: the line for the reader (`Scopes.note`) names only the version of the first hit.
    version = current_version([hit.chunk.version for hit in hits_elsewhere if share(hit) >= share(hits[0])])
    hits_of_version = [hit for hit in hits_elsewhere if hit.chunk.version == version]
    # The hits of the reader's version come last: they have less of the question, or the search would not have gone on
    # to other versions.
    return hits_of_version + [hit for hit in hits if hit not in hits_elsewhere]


def _group_key(hit: Hit, groups: dict[tuple[str, ...], list[Hit]]) -> tuple[str, ...]:
    """The key under which a hit and its copies are grouped: their text, with the title if the text is short."""
    text = " ".join(hit.chunk.text.split())
    # Short texts, such as a default value, are equal by chance.
    group_key: tuple[str, ...] = (text,) if len(text) >= LONG_TEXT else (hit.chunk.title, text)
    if group_key not in groups:
        untranslated_keys = (
            key for key, group in groups.items() if any(_is_untranslated(hit, other) for other in group)
        )
        group_key = next(untranslated_keys, group_key)
    edition = site_version_language(hit.chunk)
    if any(site_version_language(other.chunk) == edition for other in groups.get(group_key, ())):
        # Two hits of one edition are no copies of each other: the build has already found the twins within an edition.
        return (*group_key, *edition, hit.page, hit.anchor)
    return group_key


def _is_untranslated(hit: Hit, other: Hit) -> bool:
    """Whether two hits are one section in two languages, whose text was never translated into one of them."""
    if hit.chunk.version != other.chunk.version or hit.chunk.language == other.chunk.language:
        return False
    if hit.anchor != other.anchor or _path_without_language(hit) != _path_without_language(other):
        return False
    words, other_words = _words(hit), _words(other)
    return len(words & other_words) >= UNTRANSLATED_SHARE * len(words | other_words)


def _path_without_language(hit: Hit) -> list[str]:
    """The page without the folder of its language."""
    language = hit.chunk.language.lower()
    return [part for part in hit.page.split("/") if part.lower() not in (language, language_of(language))]


def _words(hit: Hit) -> frozenset[str]:
    """The words of all chunks of a hit's section, in small letters, as they are written."""
    return frozenset(word for chunk in hit.chunks for word in chunk.text.lower().split())


def _best_copy(group: Sequence[Hit], language: str) -> Hit:
    """The copy that a reader is shown, out of a group of copies."""
    # The language goes before the version: the copies say the same, and the reader has to understand them.
    readable = [hit for hit in group if language_of(hit.chunk.language) == language_of(language)] or group
    version = current_version([hit.chunk.version for hit in readable])
    chosen = next(hit for hit in readable if hit.chunk.version == version)
    return replace(chosen, score=group[0].score)
