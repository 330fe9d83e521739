"""How often a link that was written wrongly is led to the place that was meant.

    python -m scripts.link_benchmark INDEX [--count N] [--seed N] [--show KIND]

Takes true links from the manifest of any index, spoils them in one way each, and resolves them. `exact` is the place
that was meant; `page` is its page without the anchor, or no link at all; `wrong` is any other place. An anchor that was
moved to another page, and is one word, numbered, or on several pages, counts as exact when it leads to the page that
was written: it may mean anything.
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

# Run by its path, this file has only its own folder to import from.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from scripts.gone_places import pages_removed, removed, renamed, without_digests
from scripts.link_names import INVENTED, SLUGS, ends_of, mistyped, releases, without_a_word


@dataclass(frozen=True, slots=True)
class Case:
    """A spoiled link, and where it should lead; None for nowhere."""

    kind: str
    link: str
    meant: str | None
    also: str | None = None
    """Another address that counts as exact."""


class Maker:
    """Makes cases from the true anchors of a site."""

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
        """`count` cases of each kind, as far as the site has them."""
        cases: list[Case] = []
        for kind, make in KINDS.items():
            left = count
            for anchor in self.random.choices(self.anchors, k=count * 4):
                case = make(self, kind, anchor)
                if case is not None and left:
                    cases.append(case)
                    left -= 1
        return cases

    def href(self, page: str, anchor: str = "") -> str:
        """An address as a link would have it."""
        # The root is no empty path: a fragment alone would need the page on which it stands.
        return ("" if page else "./") + self.manifest.href(page, anchor)

    def spoiled(self, kind: str, anchor: Anchor, fragment: str) -> Case | None:
        """A case with another fragment; None if that names an anchor of the page."""
        if fragment in self.ids[anchor.page] or not fragment:
            return None
        link = f"{self.href(anchor.page)}#{quote(fragment)}"
        return Case(kind, link, self.href(anchor.page, anchor.anchor))

    def named(self, kind: str, anchor: Anchor, fragment: str) -> Case | None:
        """A case with another name of the place; None if another place of the page has that name too."""
        positions: set[int] = self.positions_of(anchor.page).get(name_of(fragment).key, set())
        return None if positions - {anchor.position} else self.spoiled(kind, anchor, fragment)

    def _positions_of(self, page: str) -> dict[str, set[int]]:
        """By each name on a page, which of its places have it: by id, by the text of a heading, or by a release."""
        positions: dict[str, set[int]] = {}
        for anchor in self.manifest.anchors(page):
            texts = [slug(anchor.text) for slug in SLUGS] if anchor.kind in CITED_ANCHORS else []
            for name in (anchor.anchor, *texts, *releases(anchor)):
                positions.setdefault(name_of(name).key, set()).add(anchor.position)
        return positions

    def page_count(self, anchor: str) -> int:
        """How many pages have an anchor that can be cited."""
        return self.counts[anchor]

    def moved(self, kind: str, anchor: Anchor, page: str) -> Case | None:
        """A case with another page; None if that has the anchor too."""
        if page == anchor.page or anchor.anchor in self.ids.get(page, ()):
            return None
        also = None if is_specific(anchor.anchor) and self.page_count(anchor.anchor) == 1 else self.href(page)
        return Case(kind, f"{self.href(page)}#{quote(anchor.anchor)}", self.href(anchor.page, anchor.anchor), also)


def valid(maker: Maker, kind: str, anchor: Anchor) -> Case | None:
    """As it is."""
    href = maker.href(anchor.page, anchor.anchor)
    return Case(kind, href, href)


def on_parent(maker: Maker, kind: str, anchor: Anchor) -> Case | None:
    """The page above."""
    parent = re.sub(r"[^/]+/?$", "", anchor.page)
    return maker.moved(kind, anchor, parent) if parent in maker.ids else None


def on_other(maker: Maker, kind: str, anchor: Anchor) -> Case | None:
    """Any other page."""
    return maker.moved(kind, anchor, maker.random.choice(maker.pages))


def other_slug(maker: Maker, kind: str, anchor: Anchor) -> Case | None:
    """Another rule for slugs."""
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
    """One word less."""
    shorter = sorted(without_a_word(anchor.anchor))
    if not shorter:
        return None
    fragment = maker.random.choice(shorter)
    # What another anchor of the page gives as well does not say which was meant.
    keys = {
        name_of(form).key for id_ in maker.ids[anchor.page] - {anchor.anchor} for form in (id_, *without_a_word(id_))
    }
    return None if name_of(fragment).key in keys else maker.spoiled(kind, anchor, fragment)


def typo(maker: Maker, kind: str, anchor: Anchor) -> Case | None:
    """One letter wrong, missing, doubled or swapped."""
    fragment = mistyped(anchor.anchor, 0, maker.random)
    return maker.spoiled(kind, anchor, fragment) if fragment else None


def page_typo(maker: Maker, kind: str, anchor: Anchor) -> Case | None:
    """The same in the name of a page, written as a source file."""
    bare = anchor.page.strip("/").removesuffix(".html")
    name = mistyped(bare, bare.rfind("/") + 1, maker.random)
    if name is None or spelling(name) in maker.spellings:
        return None
    return Case(kind, f"{quote(name)}.md", maker.href(anchor.page))


def suffix(maker: Maker, kind: str, anchor: Anchor) -> Case | None:
    """A number behind it."""
    return maker.spoiled(kind, anchor, anchor.anchor + maker.random.choice(("-1", "_1", "-2", "_2")))


def page_spelled(maker: Maker, kind: str, anchor: Anchor) -> Case | None:
    """The page by another name."""
    page = anchor.page
    bare = page.strip("/").removesuffix(".html")
    if not bare:
        return None
    files = [f"{bare}.md", f"{bare}.html", f"{bare}/index.html", f"{bare}/index.md", bare, bare.title() + "/"]
    folders = [f"en/{page}", f"latest/{page}", f"docs/{bare}.md", f"v1.2/{page}"]
    other = maker.random.choice(files + folders)
    if other in maker.ids:
        return None
    href = maker.href(page, anchor.anchor)
    return Case(kind, f"{quote(other)}#{href.partition('#')[2]}", href)


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
    """What a rule for slugs makes of a heading whose id was set by hand."""
    fragment = maker.random.choice(SLUGS)(anchor.text)
    by_hand = all(name_of(slug(anchor.text)).key != name_of(anchor.anchor).key for slug in SLUGS)
    return maker.named(kind, anchor, fragment) if by_hand and anchor.kind == "heading" else None


def dotted_end(maker: Maker, kind: str, anchor: Anchor) -> Case | None:
    """The last parts of a dotted name, as they are, called, or as slugs of them."""
    if not (ends := ends_of(anchor.anchor)):
        return None
    end = maker.random.choice(ends)
    *before, last = end.split(".")
    forms = (end, f"{end}()", ".".join([*before, last]).lower(), "-".join([*before, last]).lower())
    fragment = maker.random.choice((*forms, ".".join([*(part.lower() for part in before), last])))
    others = [e for id_ in maker.ids[anchor.page] - {anchor.anchor} for e in ends_of(id_)]
    # The exact one of two that differ in case is plain; any other spelling of them is not.
    is_exact = fragment.removesuffix("()") == end
    is_unclear = end in others if is_exact else name_of(end).key in {name_of(other).key for other in others}
    return None if is_unclear else maker.named(kind, anchor, fragment)


def release(maker: Maker, kind: str, anchor: Anchor) -> Case | None:
    """The version or the date of a heading that has more."""
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


def outcome(case: Case, verdict: Reference) -> str:
    """Which of the three a verdict is."""
    meant = [address.removeprefix("./") for address in (case.meant, case.also) if address is not None]
    if verdict.href in meant or (verdict.href is None and case.meant is None):
        return "exact"
    pages = {address.partition("#")[0] for address in (*meant, case.link.removeprefix("./"))}
    return "page" if verdict.href is None or verdict.href in pages else "wrong"


def main() -> None:
    """Print a table with a line for each kind."""
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
        verdict = resolve(manifest, case.link)
        result = outcome(case, verdict)
        counts[case.kind][result] += 1
        if case.kind == options.show and result != "exact":
            print(f"  {result}: {case.link} -> {verdict.href}, meant {case.meant} ({verdict.reason})")
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
    """What becomes of links by another name when the place that they mean is gone."""
    for kind in NAMES:
        links = [case for case in cases if case.kind == kind]
        wrong = led_astray(manifest, links)
        named = sum(" by the " in verdict.reason for _, verdict in wrong)
        shares = f"{share(named, links)} by another name, {share(len(wrong) - named, links)} by their id"
        print(f"{len(links)} links to places that are gone, by {kind}: led elsewhere {shares}")
        for case, verdict in wrong if show == kind else ():
            print(f"  gone: {case.link} -> {verdict.href}, meant {case.meant} ({verdict.reason})")


def share(count: int, links: Sequence[Case]) -> str:
    """How many of some links, in percent."""
    return f"{count / max(len(links), 1):.2%}"


def led_astray(manifest: Manifest, links: Sequence[Case]) -> list[tuple[Case, Reference]]:
    """The links that lead to a place when the one that they mean is gone, a twentieth of them at a time."""
    anchors = [anchor for page in manifest.pages() for anchor in manifest.anchors(page.page)]
    addresses = [manifest.href(anchor.page, anchor.anchor) for anchor in anchors]
    verdicts: list[tuple[Case, Reference]] = []
    for some in (links[at::20] for at in range(20)):
        lost = {str(case.meant).removeprefix("./") for case in some}
        left = [anchor for anchor, address in zip(anchors, addresses, strict=True) if address not in lost]
        less = Manifest("", without_digests(manifest), manifest.pages(), left)
        verdicts += [(case, resolve(less, case.link)) for case in some]
    return [(case, reference) for case, reference in verdicts if reference.anchor]


def speed(manifest: Manifest, cases: list[Case]) -> None:
    """Resolutions a CPU-second, of true links and of all kinds."""
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
