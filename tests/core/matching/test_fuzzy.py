from __future__ import annotations

import random

import pytest
from rapidfuzz.distance import JaroWinkler
from tests.work import lines_run

from trueref_core.matching.anchor_match import AnchorMatcher
from trueref_core.matching.fuzzy import ALL_COMPARED, SimilarNames
from trueref_core.matching.name_words import name_of


def made(names: list[str]) -> SimilarNames:
    return SimilarNames([name_of(name).key for name in names], [name_of(name).words for name in names])


def closest(similar: SimilarNames, name: str, least: float = 0.8) -> int | None:
    return similar.closest(name_of(name).key, name_of(name).words, least)


WORDS = "walrus lantern quokka marble tundra saffron nimbus pottery glacier zephyr".split()


def many(count: int) -> list[str]:
    """Anchors of three words, of which one is rare."""
    chance = random.Random(5)
    return [f"{chance.choice(WORDS)}-{chance.choice(WORDS)}-{chance.randrange(10**6):x}" for _ in range(count)]


def test_of_few_names_the_best_is_found() -> None:
    names = many(ALL_COMPARED)
    similar = made(names)
    for name in names[:50]:
        wanted = name[1:] + "x"
        found = closest(similar, wanted)
        best = max(JaroWinkler.similarity(name_of(wanted).key, name_of(known).key) for known in names)
        assert found is not None
        assert JaroWinkler.similarity(name_of(wanted).key, name_of(names[found]).key) == best


@pytest.mark.parametrize("spoil", [lambda t: t + "-now", lambda t: t[:-1], lambda t: t[1:], lambda t: "the-" + t])
def test_of_many_names_the_one_that_was_meant_is_found(spoil: object) -> None:
    assert callable(spoil)
    names = list(dict.fromkeys(many(20_000)))
    similar = made(names)
    found = [closest(similar, spoil(name)) == at for at, name in list(enumerate(names))[::1000]]
    assert sum(found) >= 0.9 * len(found)


def test_a_name_unlike_all_others_has_no_closest_one() -> None:
    for names in ([], ["walrus"], many(2000)):
        assert closest(made(names), "0123456789") is None


@pytest.mark.parametrize("form", ["section-{}-about", "run--option-{}", "{}", "the-same-words-in-front-of-number-{}"])
def test_the_work_of_a_suggestion_does_not_grow_with_the_page(form: str) -> None:
    small, large = (lines_of_suggestions([form.format(at) for at in range(count)]) for count in (1000, 20_000))
    # Comparing with all of them would run twenty times as many.
    assert large < 3 * small, (small, large)


def lines_of_suggestions(anchors: list[str]) -> int:
    """The lines that twenty look-ups run."""
    page = AnchorMatcher(anchors)
    page.closest("what is prepared")
    gone = [f"{anchor}-that-is-gone" for anchor in anchors[:: len(anchors) // 20]]
    return lines_run(lambda: [page.closest(anchor) for anchor in gone])
