"""Manifests written in a few lines: pages with their headings, for tests of what changes from one to the next."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from trueref_core.manifest.history import History
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Anchor, Page, Site

Spec = Mapping[str, Sequence[str | Anchor]]
Facts = dict[str, dict[str, Any]]


def heading(text: str, anchor: str = "", *, level: int = 2, page: str = "", **more: Any) -> Anchor:
    """A heading; without an id it gets the one that its text gives."""
    return Anchor("docs", page, anchor or re.sub(r"\W+", "-", text.lower()), "heading", level, text, **more)


def page(address: str, *, site: str = "docs", **more: Any) -> Page:
    """A page whose title is its address unless told."""
    return Page(site, address, f"{address}index.html", **({"title": f"Page {address}"} | more))


def site_of(
    spec: Spec,
    *,
    name: str = "docs",
    base_url: str | None = None,
    facts: Mapping[str, Mapping[str, Any]] | None = None,
    history: History | None = None,
) -> Manifest:
    """A manifest of one site. A text like `Install` is a heading; `Install #setup` gives it another id.

    Args:
        spec: By address of the page, its headings.
        name: Name of the site.
        base_url: Where it is published.
        facts: By address, fields of the page.
        history: What earlier builds had.
    """
    pages = [page(address, site=name, **(facts or {}).get(address, {})) for address in spec]
    anchors = [_placed(item, name, address, at) for address, items in spec.items() for at, item in enumerate(items)]
    return Manifest("g", [Site(name, base_url)], pages, anchors, history)


def both(*manifests: Manifest) -> Manifest:
    """One manifest of the sites of several."""
    pages = [page for one in manifests for page in one.pages()]
    anchors = [anchor for one in manifests for page in one.pages() for anchor in one.anchors(page.page, page.site)]
    return Manifest("g", [site for one in manifests for site in one.sites], pages, anchors)


def _placed(item: str | Anchor, site: str, page: str, at: int) -> Anchor:
    made = item if isinstance(item, Anchor) else heading(*re.split(r" #", item, maxsplit=1))
    return replace(made, site=site, page=page, position=at)


@st.composite
def sites(draw: st.DrawFn) -> Manifest:
    """Small sites whose pages and sections are much alike."""
    texts = st.sampled_from(["Install", "Install it", "Use it", "Dark mode", "Fixes", "fixes", ""])
    ids = st.sampled_from("install install-it use_it use-it dark-mode fixes fixes_1 x".split())
    spec: dict[str, list[Anchor]] = {}
    facts: Facts = {}
    for address in sorted(draw(st.sets(st.sampled_from(["", "a/", "a/b/", "c/", "d.html"]), max_size=4))):
        names = draw(st.lists(ids, max_size=4, unique=True))
        spec[address] = [heading(draw(texts), name, breadcrumb=draw(st.sampled_from([(), ("T",)]))) for name in names]
        facts[address] = {
            "title": draw(st.sampled_from(["T", "U"])),
            "content_hash": draw(st.sampled_from(["", "1"])),
            "source_path": draw(st.sampled_from(["", "a.md"])),
            "kind": draw(st.sampled_from(["guide", "guide", "redirect"])),
            "aliases": tuple(sorted(draw(st.sets(st.sampled_from(["a/", "c/", "old/"]), max_size=2)))),
        }
    return site_of(spec, facts=facts)
