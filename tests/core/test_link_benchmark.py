"""The benchmark of links on a site made of words: what it promises holds wherever the anchors come from."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from scripts.link_benchmark import KINDS, Maker, outcome

from trueref_core.manifest import Manifest
from trueref_core.records import Anchor, Page, Site

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


def test_links_are_led_to_what_was_meant(manifest: Manifest) -> None:
    cases = Maker(manifest, seed=7).cases(150)
    results = Counter((case.kind, outcome(case, manifest.resolve(case.link))) for case in cases)
    kinds = {kind: sum(count for (name, _), count in results.items() if name == kind) for kind in KINDS}
    assert all(count == 150 for count in kinds.values()), kinds
    assert results["valid", "exact"] == 150
    exact, wrong = (sum(count for (_, found), count in results.items() if found == name) for name in ("exact", "wrong"))
    assert exact / len(cases) >= 0.97, results
    assert wrong / len(cases) <= 0.002, results
