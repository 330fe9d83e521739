"""One site of a manifest, as it is compared with another state of the same site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeVar

from trueref_core.documents import is_unpublished
from trueref_core.records import Anchor, Page

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)

UNCOMPARED: Final = frozenset({"internal", "footnote"})
"""Kinds of anchors that are not compared, since nobody links to them. Footnotes are numbered by their order, so their
ids change often."""

NEVER_LINKED: Final = frozenset({"error page", "generated page", "draft", "template"})
"""Values of `hidden_by` for pages whose address no reader knows."""


class SiteView:
    """The pages and anchors of one site that are compared.

    Attributes:
        name: The site's name in its manifest.
        pages: The compared pages by address, without drafts, error pages and pages that generators make from others.
        stubs: For the address of each redirect, the page that it leads to, None if that is in another site.
        addresses: The addresses of all pages of any kind.
    """

    def __init__(self, manifest: Manifest, name: str) -> None:
        self.name = name
        self._manifest = manifest
        all_pages = list(manifest.pages(name))
        self.addresses = frozenset(page.page for page in all_pages)
        # The address of an unpublished PDF follows from its content: a new address does not mean that it moved.
        own_pages = [page for page in all_pages if page.kind != "redirect" and not is_unpublished(page)]
        self.pages = {page.page: page for page in own_pages if page.hidden_by not in NEVER_LINKED}
        self.stubs = {page.page: self.by_alias(page.page) for page in all_pages if page.kind == "redirect"}
        self._anchors: dict[str, list[Anchor]] = {}
        self._ids: dict[str, frozenset[str]] = {}

    def by_alias(self, address: str) -> Page | None:
        """The page that has an address among its aliases."""
        return self._manifest.page_by_alias(address, self.name)

    def anchors(self, page: str) -> list[Anchor]:
        """The anchors of a page that are compared, in document order."""
        if page not in self._anchors:
            self._anchors[page] = [
                anchor for anchor in self._all_anchors(page) if anchor.kind not in UNCOMPARED and not anchor.duplicate
            ]
        return self._anchors[page]

    def has_same_anchors(self, page: str, later: SiteView) -> bool:
        """Whether a page has the same anchors in a later state, as nearly all pages have between two builds."""
        return self.name == later.name and self._manifest.has_same_anchors(later._manifest, page, self.name)

    def is_of_theme(self, anchor: Anchor) -> bool:
        """Whether an id belongs to the theme, such as that of a menu: most pages have it, and it names no section."""
        return anchor.kind == "other" and anchor.anchor in self._theme_ids

    def ids(self, page: str) -> frozenset[str]:
        """The ids of all anchors of a page, of whatever kind, since links to all of them are valid."""
        if page not in self._ids:
            self._ids[page] = frozenset(item.anchor for item in self._all_anchors(page))
        return self._ids[page]

    def _all_anchors(self, page: str) -> Sequence[Anchor]:
        """The anchors of a page, compared or not."""
        return self._manifest.anchors(page, self.name)

    @cached_property
    def _theme_ids(self) -> frozenset[str]:
        """The ids of anchors of no named kind that more than half of the pages have: nobody links to these."""
        counts = Counter(
            anchor
            for page in self.pages
            for anchor in {item.anchor for item in self._all_anchors(page) if item.kind == "other"}
        )
        # On a site of one page no id counts as the theme's.
        return frozenset(anchor for anchor, count in counts.items() if count > max(1, len(self.pages) / 2))


def unique(items: Iterable[T], key: Callable[[T], K | None]) -> Mapping[K, T]:
    """The items by key, without items that share their key with another item, or have None as key."""
    by_key: dict[K, T] = {}
    shared_keys: set[K] = set()
    for item in items:
        key_of_item = key(item)
        if key_of_item is None or key_of_item in shared_keys:
            continue
        if key_of_item in by_key:
            del by_key[key_of_item]
            shared_keys.add(key_of_item)
        else:
            by_key[key_of_item] = item
    return by_key


def text_of(text: str) -> str:
    """A heading or title in the form in which it is compared: white space and case do not count."""
    return " ".join(text.split()).casefold()
