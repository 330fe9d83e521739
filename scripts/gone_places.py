"""What becomes of links to places that are gone or have another name, for `link_benchmark`."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from scripts.link_names import INVENTED

from trueref_core.generations.history_update import update_history
from trueref_core.links.resolve import resolve
from trueref_core.manifest.history import History
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import CITED_ANCHORS, Anchor, Site


def removed(manifest: Manifest, seed: int) -> None:
    """What becomes of links whose section is gone, the commonest way to rot, without and with the history of the build.

    Nothing else is meant by them: with the history none of them may lead to another section.
    """
    anchors = [anchor for page in manifest.pages() for anchor in manifest.anchors(page.page)]
    lost = some_citable(anchors, seed)
    left = [anchor for at, anchor in enumerate(anchors) if at not in lost]
    less = Manifest("", without_digests(manifest), manifest.pages(), left)
    links = [f"./{manifest.href(anchors[at].page, anchors[at].anchor)}" for at in sorted(lost)]
    for suffix, built in (("", less), (", with history", with_history(manifest, less))):
        verdicts = Counter(resolve(built, link).status for link in links)
        shares = ", ".join(f"{status} {count / len(links):.1%}" for status, count in verdicts.most_common())
        print(f"{len(links)} links to sections that are gone{suffix}: {shares}")


def pages_removed(manifest: Manifest, pages: Sequence[str], *, show: bool) -> None:
    """What becomes of links to pages that are gone, a tenth of them at a time, without the history of the build."""
    wrong: list[tuple[str, str | None]] = []
    for gone in (set(pages[at::10]) for at in range(10)):
        left = [page for page in manifest.pages() if page.page not in gone]
        less = Manifest("", without_digests(manifest), left, (a for page in left for a in manifest.anchors(page.page)))
        wrong += [(page, href) for page in gone if (href := resolve(less, f"./{page}").href) is not None]
    print(f"{len(pages)} links to pages that are gone: led elsewhere {len(wrong) / max(len(pages), 1):.2%}")
    for page, href in sorted(wrong) if show else ():
        print(f"  gone: {page} -> {href}")


def renamed(manifest: Manifest, seed: int) -> None:
    """What becomes of links to sections that have quite another id since, without and with the history of the build."""
    anchors = [anchor for page in manifest.pages() for anchor in manifest.anchors(page.page)]
    other = some_citable(anchors, seed)
    chance = random.Random(seed)  # noqa: S311 - the same for the same seed
    after = [
        replace(anchor, anchor=f"{'-'.join(chance.sample(INVENTED, 2))}-{at}") if at in other else anchor
        for at, anchor in enumerate(anchors)
    ]
    new = Manifest("", without_digests(manifest), manifest.pages(), after)
    for suffix, built in (("", new), (", with history", with_history(manifest, new))):
        results: Counter[str] = Counter()
        for at in sorted(other):
            verdict = resolve(built, f"./{manifest.href(anchors[at].page, anchors[at].anchor)}")
            meant = verdict.href == new.href(after[at].page, after[at].anchor)
            results["exact" if meant else "page" if not verdict.anchor else "wrong"] += 1
        shares = ", ".join(f"{name} {results[name] / len(other):.1%}" for name in ("exact", "page", "wrong"))
        print(f"{len(other)} links to sections with another id{suffix}: {shares}")


def some_citable(anchors: Sequence[Anchor], seed: int) -> set[int]:
    """A twentieth of the cited anchors, by their place in the list. An id that a page has twice would stay valid."""
    counts = Counter((anchor.page, anchor.anchor) for anchor in anchors)
    citable = [
        at
        for at, anchor in enumerate(anchors)
        if anchor.kind in CITED_ANCHORS and counts[anchor.page, anchor.anchor] == 1
    ]
    return set(random.Random(seed).sample(citable, len(citable) // 20))  # noqa: S311 - the same for the same seed


def without_digests(manifest: Manifest) -> list[Site]:
    """The sites of a manifest, for another one with other content."""
    return [replace(site, digest="") for site in manifest.sites]


def with_history(old: Manifest, new: Manifest) -> Manifest:
    """A manifest as a build leaves it that follows another one."""
    manifest = Manifest.decode(new.encode())
    manifest.history = update_history(History(), old, new)
    return manifest
