"""The benchmark of links on a site made of words: what it promises holds wherever the anchors come from."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from scripts.link_benchmark import KINDS, NAMES, Case, Maker, led_astray, outcome

from trueref_core.links.resolve import resolve
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Anchor, Page, Site

pytestmark = pytest.mark.slow

SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zy".split()


def vocabulary(chance: random.Random) -> list[str]:
    """Four hundred words of two to four syllables: about as many as the anchors of a site are made of."""
    made = {"".join(chance.choices(SYLLABLES, k=chance.choice((2, 3, 3, 4)))) for _ in range(400)}
    return sorted(made)


@pytest.fixture(scope="module", params=[1, 2, 3])
def manifest(request: pytest.FixtureRequest) -> Manifest:
    """Forty pages in eight folders with a dozen anchors each, of one to four words."""
    chance = random.Random(request.param)
    site = Site("docs", "https://example.org/docs/")
    words = vocabulary(chance)
    folders = chance.sample(words, 8)
    addresses = ["", *(f"{folder}/" for folder in folders)]
    addresses += [f"{folder}/{name}/" for folder in folders for name in chance.sample(words, 5)]
    anchors = [
        Anchor("docs", page, "-".join(chance.sample(words, chance.choice((1, 2, 3, 3, 4)))), "heading", 2, position=at)
        for page in addresses
        for at in range(12)
    ]
    return Manifest("g", [site], [Page("docs", page, f"{page}index.html", page) for page in addresses], anchors)


@pytest.fixture(scope="module", params=[1, 2, 3])
def named(request: pytest.FixtureRequest) -> Manifest:
    """Twelve pages each of settings with ids set by hand, of an API, and of releases."""
    chance = random.Random(request.param)
    words = vocabulary(chance)
    anchors: list[Anchor] = []
    for page in (f"{word}/" for word in chance.sample(words, 12)):
        rows = [(f"s{at}x", " ".join(chance.sample(words, 3)).capitalize()) for at in range(12)]
        rows += [(f"v-{at}", f"Version {at}.{at % 3}.1 ({2010 + at}-0{at % 9 + 1}-11)") for at in range(12)]
        classes = [word.capitalize() for word in chance.sample(words, 3)]
        rows += [(f"pkg.{chance.choice(classes)}.{word}", "") for word in chance.sample(words, 12)]
        anchors += [Anchor("docs", page, id_, "heading", 2, text, position=at) for at, (id_, text) in enumerate(rows)]
    pages = {anchor.page: Page("docs", anchor.page, f"{anchor.page}index.html", anchor.page) for anchor in anchors}
    return Manifest("g", [Site("docs", "https://example.org/docs/")], pages.values(), anchors)


def test_links_are_led_to_what_was_meant(manifest: Manifest) -> None:
    cases = [case for case in Maker(manifest, seed=7).cases(150) if case.kind not in NAMES]
    results = counted(manifest, cases)
    kinds = Counter(case.kind for case in cases)
    assert kinds == {kind: 150 for kind in KINDS if kind not in NAMES}
    assert results["valid", "exact"] == 150
    exact, wrong = (sum(count for (_, found), count in results.items() if found == name) for name in ("exact", "wrong"))
    assert exact / len(cases) >= 0.97, results
    assert wrong / len(cases) <= 0.002, results


@pytest.mark.parametrize("kind", NAMES)
def test_links_by_another_name_are_led_to_what_was_meant_or_nowhere(named: Manifest, kind: str) -> None:
    cases = [case for case in Maker(named, seed=7).cases(500) if case.kind == kind]
    assert len(cases) >= 300
    results = counted(named, cases)
    assert results[kind, "exact"] / len(cases) >= 0.95, results
    assert results[kind, "wrong"] / len(cases) <= 0.002, results
    assert len(led_astray(named, cases)) / len(cases) <= 0.002


def counted(manifest: Manifest, cases: list[Case]) -> Counter[tuple[str, str]]:
    return Counter((case.kind, outcome(case, resolve(manifest, case.link))) for case in cases)
