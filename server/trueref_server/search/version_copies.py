"""Sections that stand in several versions or languages of the same docs: a reader is shown one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from trueref_core.tables.filters import Filters
from trueref_core.text.word_forms import language_of
from trueref_server.question.site_versions import current_version
from trueref_server.records import Hit

LONG: Final = 40
"""Characters from which equal texts are no chance. Shorter ones are the same under the same title only."""


NEARLY: Final = 0.75
"""Share of the words of two sections that they have in common where both are one text in two languages of a site: the
theme puts words of its own into it, such as the titles of admonitions."""


def without_copies(hits: Iterable[Hit], language: str) -> list[Hit]:
    """The hits, those that say word for word what one of another version or language says left out.

    What was not translated is the same text at the same place, less what the theme says in the other language.

    Of some that say the same, one in the language stays, and of these the one of the current version, at the place of
    the best.

    Args:
        hits: Best first.
        language: That of the reader, or of the site.
    """
    groups: dict[tuple[str, ...], list[Hit]] = {}
    for hit in hits:
        groups.setdefault(_said_by(hit, groups), []).append(hit)
    return [_chosen(group, language) for group in groups.values()]


def of_one_version(hits: Sequence[Hit], meant: Filters, held: Callable[[Hit], float]) -> list[Hit]:
    """The hits, where the best is of another version than the one that is meant: those of a third version left out.

    It is the newest of the versions that hold as much of the question as the best hit.

    Args:
        hits: Best first.
        meant: What was asked for.
        held: How much of the question a hit holds.
    """
    if not hits or meant.editions is None:
        return list(hits)
    others = [hit for hit in hits if (hit.site, hit.chunk.version) not in meant.editions]
    if hits[0] not in others:
        return [hit for hit in hits if hit not in others]
    version = current_version([hit.chunk.version for hit in others if held(hit) >= held(hits[0])])
    kept = [hit for hit in others if hit.chunk.version == version]
    # What the meant version has holds less of the question, or it would not have been left.
    return kept + [hit for hit in hits if hit not in others]


def _said_by(hit: Hit, groups: dict[tuple[str, ...], list[Hit]]) -> tuple[str, ...]:
    text = " ".join(hit.chunk.text.split())
    words: tuple[str, ...] = (text,) if len(text) >= LONG else (hit.chunk.title, text)
    if words not in groups:
        untranslated = (said for said, group in groups.items() if any(_is_untranslated(hit, other) for other in group))
        words = next(untranslated, words)
    if any(_edition(other) == _edition(hit) for other in groups.get(words, ())):
        # The index knows what repeats within one edition.
        return (*words, *_edition(hit), hit.page, hit.anchor)
    return words


def _is_untranslated(one: Hit, other: Hit) -> bool:
    if one.chunk.version != other.chunk.version or one.chunk.language == other.chunk.language:
        return False
    if one.anchor != other.anchor or _path(one) != _path(other):
        return False
    words, others = _words(one), _words(other)
    return len(words & others) >= NEARLY * len(words | others)


def _path(hit: Hit) -> list[str]:
    """The page without the folder of its language."""
    language = hit.chunk.language.lower()
    return [part for part in hit.page.split("/") if part.lower() not in (language, language.partition("-")[0])]


def _words(hit: Hit) -> frozenset[str]:
    return frozenset(word for chunk in hit.chunks for word in chunk.text.lower().split())


def _edition(hit: Hit) -> tuple[str, str, str]:
    return hit.site, hit.chunk.version, hit.chunk.language


def _chosen(group: Sequence[Hit], language: str) -> Hit:
    own = [hit for hit in group if language_of(hit.chunk.language) == language_of(language)] or group
    version = current_version([hit.chunk.version for hit in own])
    chosen = next(hit for hit in own if hit.chunk.version == version)
    return replace(chosen, score=group[0].score)
