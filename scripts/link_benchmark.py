"""Measures how often a wrong link is resolved to the place that was meant.

    python -m scripts.link_benchmark INDEX [--count N] [--seed N] [--show KIND]

Takes valid links from the manifest of an index, changes each of them in one way, and resolves them. `exact` is the
place that was meant, `page` is its page without the anchor or no link at all, and `wrong` is any other place. An anchor
that is one word, has a number, or is on several pages may mean many things. A link with such an anchor on another page
counts as exact if it leads to the page that was written.
"""

from __future__ import annotations

import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote

from scripts.arguments import index_folder, parser_of

from trueref_core.generations.served_generation import read_manifest
from trueref_core.links.resolve import resolve
from trueref_core.manifest.lookup import Manifest
from trueref_core.matching.name_words import is_specific, name_of
from trueref_core.matching.page_match import spelling
from trueref_core.records import CITED_ANCHORS, Anchor, Reference

# If this file is run by its path, Python can only import from its folder.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from scripts.link_names import INVENTED, SLUGS, ends_of, mistyped, releases, without_a_word
from scripts.lost_targets import pages_removed, removed, renamed, without_digests


@dataclass(frozen=True, slots=True)
class Case:
    """A wrong link, and `meant`: the address to which it should lead, None for no address."""

    kind: str
    link: str
    meant: str | None
    also: str | None = None
    """Another address that counts as exact."""


class Maker:
    """Makes wrong links from the anchors of a site."""

    def __init__(self, manifest: Manifest, seed: int) -> None:
        self.manifest = manifest
        self.random = random.Random(seed)  # noqa: S311 - the same links for the same seed, and no secret
        self.pages = [page.page for page in manifest.pages() if not page.hidden and page.kind != "redirect"]
        visible = set(self.pages)
        anchors = [anchor for page in self.pages for anchor in manifest.anchors(page)]
        self.anchors = [a for a in anchors if a.kind in CITED_ANCHORS and not a.duplicate and a.page in visible]
        self.counts = Counter(anchor.anchor for anchor in self.anchors)
        self.positions_of = cache(self._positions_of)
        self.spellings = set(map(spelling, self.pages))
        self.ids = {page: {anchor.anchor for anchor in manifest.anchors(page)} for page in self.pages}

    def cases(self, count: int) -> list[Case]:
        """At most `count` cases of each kind, fewer if the site does not have as many."""
        cases: list[Case] = []
        for kind, make in KINDS.items():
            remaining = count
            for anchor in self.random.choices(self.anchors, k=count * 4):
                case = make(self, kind, anchor)
                if case is not None and remaining:
                    cases.append(case)
                    remaining -= 1
        return cases

    def href(self, page: str, anchor: str = "") -> str:
        """The address of an anchor as a link would have it."""
        # The root is written as `./`: a fragment alone would be relative to the page of the link.
        return ("" if page else "./") + self.manifest.href(page, anchor)

    def spoiled(self, kind: str, anchor: Anchor, fragment: str) -> Case | None:
        """A case with another fragment; None if the page has an anchor for it."""
        if fragment in self.ids[anchor.page] or not fragment:
            return None
        link = f"{self.href(anchor.page)}#{quote(fragment)}"
        return Case(kind, link, self.href(anchor.page, anchor.anchor))

    def named(self, kind: str, anchor: Anchor, fragment: str) -> Case | None:
        """A case with another name of the place; None if another place of the page has that name too."""
        positions: set[int] = self.positions_of(anchor.page).get(name_of(fragment).key, set())
        return None if positions - {anchor.position} else self.spoiled(kind, anchor, fragment)

    def _positions_of(self, page: str) -> dict[str, set[int]]:
        """By name: the positions of the anchors that have it as id, as the slug of their heading, or as release."""
        positions: dict[str, set[int]] = {}
        for anchor in self.manifest.anchors(page):
            texts = [slug(anchor.text) for slug in SLUGS] if anchor.kind in CITED_ANCHORS else []
            for name in (anchor.anchor, *texts, *releases(anchor)):
                positions.setdefault(name_of(name).key, set()).add(anchor.position)
        return positions

    def page_count(self, anchor: str) -> int:
        """How many anchors that can be cited have this id."""
        return self.counts[anchor]

    def moved(self, kind: str, anchor: Anchor, page: str) -> Case | None:
        """A case with the anchor on another page; None if that page has the anchor too."""
        if page == anchor.page or anchor.anchor in self.ids.get(page, ()):
            return None
        also = None if is_specific(anchor.anchor) and self.page_count(anchor.anchor) == 1 else self.href(page)
        return Case(kind, f"{self.href(page)}#{quote(anchor.anchor)}", self.href(anchor.page, anchor.anchor), also)


def valid(maker: Maker, kind: str, anchor: Anchor) -> Case | None:
    """The link without a change."""
    href = maker.href(anchor.page, anchor.anchor)
    return Case(kind, href, href)


def on_parent(maker: Maker, kind: str, anchor: Anchor) -> Case | None:
    """The anchor on the page above."""
    parent = re.sub(r"[^/]+/?$", "", anchor.page)
    return maker.moved(kind, anchor, parent) if parent in maker.ids else None


def on_other(maker: Maker, kind: str, anchor: Anchor) -> Case | None:
    """The anchor on any other page."""
    return maker.moved(kind, anchor, maker.random.choice(maker.pages))


def other_slug(maker: Maker, kind: str, anchor: Anchor) -> Case | None:
    """The id by another rule for slugs."""
    text = anchor.anchor
    rules: Sequence[Callable[[str], str]] = (
        lambda t: t.replace("-", "_"),
        lambda t: t.replace("_", "-"),
        str.upper,
        str.title,
        lambda t: re.sub(r"[-_.]+", "", t),
        lambda t: t.replace("-", "--"),
        lambda t: t.replace(".", "-"),
    )
    return maker.spoiled(kind, anchor, maker.random.choice(rules)(text))


def word_dropped(maker: Maker, kind: str, anchor: Anchor) -> Case | None:
    """The id without one of its words."""
    shorter = sorted(without_a_word(anchor.anchor))
    if not shorter:
        return None
    fragment = maker.random.choice(shorter)
    # If another anchor of the page gives the same id, it is not clear which anchor was meant.
    keys = {
        name_of(form).key for id_ in maker.ids[anchor.page] - {anchor.anchor} for form in (id_, *without_a_word(id_))
    }
    return None if name_of(fragment).key in keys else maker.spoiled(kind, anchor, fragment)


def typo(maker: Maker, kind: str, anchor: Anchor) -> Case | None:
    """The id with one letter wrong, missing, doubled or swapped."""
    fragment = mistyped(anchor.anchor, 0, maker.random)
    return maker.spoiled(kind, anchor, fragment) if fragment else None


def page_typo(maker: Maker, kind: str, anchor: Anchor) -> Case | None:
    """The name of a page with such a typing error, written as a source file."""
    bare = anchor.page.strip("/").removesuffix(".html")
    name = mistyped(bare, bare.rfind("/") + 1, maker.random)
    if name is None or spelling(name) in maker.spellings:
        return None
    return Case(kind, f"{quote(name)}.md", maker.href(anchor.page))


def suffix(maker: Maker, kind: str, anchor: Anchor) -> Case | None:
    """The id with a number at its end."""
    return maker.spoiled(kind, anchor, anchor.anchor + maker.random.choice(("-1", "_1", "-2", "_2")))


def page_spelled(maker: Maker, kind: str, anchor: Anchor) -> Case | None:
    """Another name of the page."""
    page = anchor.page
    bare = page.strip("/").removesuffix(".html")
    if not bare:
        return None
    files = [f"{bare}.md", f"{bare}.html", f"{bare}/index.html", f"{bare}/index.md", bare, bare.title() + "/"]
    folders = [f"en/{page}", f"latest/{page}", f"docs/{bare}.md", f"v1.2/{page}"]
    other_address = maker.random.choice(files + folders)
    if other_address in maker.ids:
        return None
    href = maker.href(page, anchor.anchor)
    return Case(kind, f"{quote(other_address)}#{href.partition('#')[2]}", href)


def invented_anchor(maker: Maker, kind: str, anchor: Anchor) -> Case | None:
    """An anchor that no page has."""
    words = maker.random.sample(INVENTED, 2)
    parts = [word for word in re.split(r"[-_.]+", anchor.anchor) if word]
    chosen = maker.random.choice((words, [*parts[:1], *words], [words[0], *parts[-1:]]))
    fragment = "-".join(chosen)
    return Case(kind, f"{maker.href(anchor.page)}#{quote(fragment)}", maker.href(anchor.page))


def invented_page(maker: Maker, kind: str, anchor: Anchor) -> Case | None:
    """A page that is not there."""
    words = maker.random.sample(INVENTED, 2)
    folder = anchor.page.rpartition("/")[0].rpartition("/")[0]
    return Case(kind, f"{maker.random.choice((folder + '/', ''))}{'-'.join(words)}/".lstrip("/"), None)


def title(maker: Maker, kind: str, anchor: Anchor) -> Case | None:
    """The slug of a heading whose id was set by hand."""
    fragment = maker.random.choice(SLUGS)(anchor.text)
    by_hand = all(name_of(slug(anchor.text)).key != name_of(anchor.anchor).key for slug in SLUGS)
    return maker.named(kind, anchor, fragment) if by_hand and anchor.kind == "heading" else None


def dotted_end(maker: Maker, kind: str, anchor: Anchor) -> Case | None:
    """The last parts of a dotted name: unchanged, as a call, or as a slug."""
    if not (ends := ends_of(anchor.anchor)):
        return None
    end = maker.random.choice(ends)
    *before, last = end.split(".")
    forms = (end, f"{end}()", ".".join([*before, last]).lower(), "-".join([*before, last]).lower())
    fragment = maker.random.choice((*forms, ".".join([*(part.lower() for part in before), last])))
    other_ends = [e for id_ in maker.ids[anchor.page] - {anchor.anchor} for e in ends_of(id_)]
    # Of two names that differ in case only, the exact spelling is clear, and any other spelling is not.
    is_exact = fragment.removesuffix("()") == end
    is_unclear = end in other_ends if is_exact else name_of(end).key in {name_of(other).key for other in other_ends}
    return None if is_unclear else maker.named(kind, anchor, fragment)


def release(maker: Maker, kind: str, anchor: Anchor) -> Case | None:
    """The version or the date in a heading that has more words."""
    names = [name for name in releases(anchor) if name_of(name).key != name_of(anchor.text).key]
    return maker.named(kind, anchor, maker.random.choice(names)) if names else None


KINDS: dict[str, Callable[[Maker, str, Anchor], Case | None]] = {
    "valid": valid,
    "anchor on the parent page": on_parent,
    "anchor on another page": on_other,
    "another slug rule": other_slug,
    "word dropped": word_dropped,
    "typo": typo,
    "suffix": suffix,
    "page spelled otherwise": page_spelled,
    "invented anchor": invented_anchor,
    "invented page": invented_page,
    "title, id set by hand": title,
    "end of a dotted name": dotted_end,
    "version or date": release,
    "page mistyped": page_typo,
}
NAMES = ["title, id set by hand", "end of a dotted name", "version or date"]


def outcome(case: Case, reference: Reference) -> str:
    """Whether a reference is `exact`, `page` or `wrong`."""
    meant = [address.removeprefix("./") for address in (case.meant, case.also) if address is not None]
    if reference.href in meant or (reference.href is None and case.meant is None):
        return "exact"
    pages = {address.partition("#")[0] for address in (*meant, case.link.removeprefix("./"))}
    return "page" if reference.href is None or reference.href in pages else "wrong"


def main() -> None:
    """Prints a table with a line for each kind of wrong link."""
    parser = parser_of(__doc__)
    parser.add_argument("index", type=index_folder)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", metavar="KIND", help="print the cases of a kind that are not exact")
    options = parser.parse_args()
    manifest = read_manifest(options.index)
    maker = Maker(manifest, options.seed)
    cases = maker.cases(options.count)
    print(f"seed {options.seed}, {len(maker.anchors)} anchors on {len(maker.pages)} pages, {len(cases)} links")
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    for case in cases:
        reference = resolve(manifest, case.link)
        result = outcome(case, reference)
        counts[case.kind][result] += 1
        if case.kind == options.show and result != "exact":
            print(f"  {result}: {case.link} -> {reference.href}, meant {case.meant} ({reference.reason})")
    total = sum(counts.values(), Counter[str]())
    for kind, count in [*counts.items(), ("all", total)]:
        tried = count.total()
        shares = (f"  {name} {count[name] / max(tried, 1):7.2%}" for name in ("exact", "page", "wrong"))
        print(f"{kind:<28} {tried:>6}" + "".join(shares))
    nameless(manifest, cases, options.show)
    removed(manifest, options.seed)
    pages_removed(manifest, maker.pages, show=options.show == "page mistyped")
    renamed(manifest, options.seed)
    speed(manifest, cases)


def nameless(manifest: Manifest, cases: Sequence[Case], show: str | None) -> None:
    """Prints where links with another name of a place lead after the place was removed."""
    for kind in NAMES:
        links = [case for case in cases if case.kind == kind]
        wrong = led_astray(manifest, links)
        named = sum(" by the " in reference.reason for _, reference in wrong)
        shares = f"{share(named, links)} by another name, {share(len(wrong) - named, links)} by their id"
        print(f"{len(links)} links to places that are gone, by {kind}: led elsewhere {shares}")
        for case, reference in wrong if show == kind else ():
            print(f"  gone: {case.link} -> {reference.href}, meant {case.meant} ({reference.reason})")


def share(count: int, links: Sequence[Case]) -> str:
    """A number of links as a percentage of all links."""
    return f"{count / max(len(links), 1):.2%}"


def led_astray(manifest: Manifest, links: Sequence[Case]) -> list[tuple[Case, Reference]]:
    """The links that lead to an anchor although theirs was removed. Removes the anchors of a twentieth at a time."""
    anchors = [anchor for page in manifest.pages() for anchor in manifest.anchors(page.page)]
    addresses = [manifest.href(anchor.page, anchor.anchor) for anchor in anchors]
    references: list[tuple[Case, Reference]] = []
    for group in (links[at::20] for at in range(20)):
        removed = {str(case.meant).removeprefix("./") for case in group}
        remaining = [anchor for anchor, address in zip(anchors, addresses, strict=True) if address not in removed]
        smaller_manifest = Manifest("", without_digests(manifest), manifest.pages(), remaining)
        references += [(case, resolve(smaller_manifest, case.link)) for case in group]
    return [(case, reference) for case, reference in references if reference.anchor]


def speed(manifest: Manifest, cases: list[Case]) -> None:
    """Prints how many links are resolved in a CPU-second: of valid links, and of links of all kinds."""
    for name, links in (
        ("exact", [case.link for case in cases if case.kind == "valid"] * 10),
        ("mixed", [case.link for case in cases]),
    ):
        started = time.process_time()
        for link in links:
            resolve(manifest, link)
        print(f"{len(links) / (time.process_time() - started):,.0f} {name} resolutions a CPU-second")


if __name__ == "__main__":
    main()
