"""Measures where links lead whose target was removed or renamed, for `link_benchmark`."""

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
    """Prints where links lead whose section was removed, without and with the history of the build.

    This is the most common way in which links break. They mean no other section, so with the history none may lead to
    one.
    """
    anchors = [anchor for page in manifest.pages() for anchor in manifest.anchors(page.page)]
    removed_positions = some_citable(anchors, seed)
    remaining = [anchor for at, anchor in enumerate(anchors) if at not in removed_positions]
    smaller = Manifest("", without_digests(manifest), manifest.pages(), remaining)
    links = [f"./{manifest.href(anchors[at].page, anchors[at].anchor)}" for at in sorted(removed_positions)]
    for suffix, later in (
        ("", smaller),
        (", with history", with_history(manifest, smaller)),
    ):
        verdicts = Counter(resolve(later, link).status for link in links)
        shares = ", ".join(f"{status} {count / len(links):.1%}" for status, count in verdicts.most_common())
        print(f"{len(links)} links to sections that are gone{suffix}: {shares}")


def pages_removed(manifest: Manifest, pages: Sequence[str], *, show: bool) -> None:
    """Prints where links to removed pages lead, without the history. Removes a tenth of the pages at a time."""
    wrong: list[tuple[str, str | None]] = []
    for removed_pages in (set(pages[at::10]) for at in range(10)):
        remaining = [page for page in manifest.pages() if page.page not in removed_pages]
        smaller = Manifest(
            "", without_digests(manifest), remaining, (a for page in remaining for a in manifest.anchors(page.page))
        )
        wrong += [(page, href) for page in removed_pages if (href := resolve(smaller, f"./{page}").href) is not None]
    print(f"{len(pages)} links to pages that are gone: led elsewhere {len(wrong) / max(len(pages), 1):.2%}")
    for page, href in sorted(wrong) if show else ():
        print(f"  gone: {page} -> {href}")


def renamed(manifest: Manifest, seed: int) -> None:
    """Prints where links lead whose section got a new, different id, without and with the history of the build."""
    anchors = [anchor for page in manifest.pages() for anchor in manifest.anchors(page.page)]
    renamed_positions = some_citable(anchors, seed)
    rng = random.Random(seed)  # noqa: S311 - the same for the same seed
    new_anchors = [
        replace(anchor, anchor=f"{'-'.join(rng.sample(INVENTED, 2))}-{at}") if at in renamed_positions else anchor
        for at, anchor in enumerate(anchors)
    ]
    new_manifest = Manifest("", without_digests(manifest), manifest.pages(), new_anchors)
    for suffix, later in (("", new_manifest), (", with history", with_history(manifest, new_manifest))):
        results: Counter[str] = Counter()
        for at in sorted(renamed_positions):
            verdict = resolve(later, f"./{manifest.href(anchors[at].page, anchors[at].anchor)}")
            is_exact = verdict.href == new_manifest.href(new_anchors[at].page, new_anchors[at].anchor)
            results["exact" if is_exact else "page" if not verdict.anchor else "wrong"] += 1
        shares = ", ".join(
            f"{name} {results[name] / len(renamed_positions):.1%}" for name in ("exact", "page", "wrong")
        )
        print(f"{len(renamed_positions)} links to sections with another id{suffix}: {shares}")


def some_citable(anchors: Sequence[Anchor], seed: int) -> set[int]:
    """The positions of a twentieth of the cited anchors. Ids that a page has twice are left out: they stay valid."""
    counts = Counter((anchor.page, anchor.anchor) for anchor in anchors)
    citable = [
        at
        for at, anchor in enumerate(anchors)
        if anchor.kind in CITED_ANCHORS and counts[anchor.page, anchor.anchor] == 1
    ]
    return set(random.Random(seed).sample(citable, len(citable) // 20))  # noqa: S311 - the same for the same seed


def without_digests(manifest: Manifest) -> list[Site]:
    """The sites of a manifest without digests, for a manifest with other content."""
    return [replace(site, digest="") for site in manifest.sites]


def with_history(old: Manifest, new: Manifest) -> Manifest:
    """The manifest `new` with the history that a build adds after a build of `old`."""
    manifest = Manifest.decode(new.encode())
    manifest.history = update_history(History(), old, new)
    return manifest
