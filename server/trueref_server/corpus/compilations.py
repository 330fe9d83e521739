"""Finds pages that repeat other pages: the whole manual on one page, for reading offline or for print.

`all.html` of Node.js and `print_page/` of mkdocs-print-site hold the text of all other pages. A reader is sent to the
page of the topic, which is short, and which the navigation shows.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import Final, TypeVar

from trueref_core.records import PageKey

MOST: Final = 0.8
"""The share of its sections that a compilation repeats, and the share of its own sections that a page finds in it."""

MIN_PAGES: Final = 3
"""The fewest pages that a compilation repeats."""

MAX_SHARE: Final = 0.5
"""The most that one page may contribute. The pages of 55 commands have the same options: each of them repeats nearly
all of every other, and none is a compilation."""

MIN_SECTIONS: Final = 2
"""The fewest sections of a page that is repeated. A guide with a page of its own for each section is a guide."""

MAX_COPIES: Final = 20
"""A section that more pages have is no sign of a compilation, and would have to be looked for in each of them."""

NOTICE_FROM: Final = 5
"""From how many sections with the same text on this is a notice."""

_Text = TypeVar("_Text", bound=Hashable)


def find_compilations(sections: Iterable[tuple[PageKey, str]]) -> frozenset[PageKey]:
    """The pages that repeat at least three other pages, and hold little else.

    Args:
        sections: Of all sections of a generation the page and the twin key. Two sections say the same if they have the
            same twin key, which only sections of one site, version and language have.
    """
    keys_of_page: dict[PageKey, set[str]] = defaultdict(set)
    for page, twin_key in sections:
        keys_of_page[page].add(twin_key)
    pages_of_key: dict[str, list[PageKey]] = defaultdict(list)
    for page, keys in keys_of_page.items():
        for key in keys:
            pages_of_key[key].append(page)
    shared = {key: pages for key, pages in pages_of_key.items() if 1 < len(pages) <= MAX_COPIES}
    found: set[PageKey] = set()
    # The shortest first: a manual on one page also repeats the pages that hold a chapter each.
    for page in sorted(keys_of_page, key=lambda page: (len(keys_of_page[page]), page)):
        if _is_compilation(page, keys_of_page, shared, found):
            found.add(page)
    return frozenset(found)


def _is_compilation(
    page: PageKey,
    keys_of_page: Mapping[PageKey, Collection[str]],
    pages_of_key: Mapping[str, Collection[PageKey]],
    known: Collection[PageKey],
) -> bool:
    """Whether a page repeats other pages.

    Args:
        page: The page.
        keys_of_page: By page, the twin keys of its sections.
        pages_of_key: By twin key that several pages have, these pages.
        known: The compilations that are known already. They are no sources of this one.
    """
    keys = keys_of_page[page]
    repeated = Counter(other for key in keys for other in pages_of_key.get(key, ()) if other != page)
    sources = {
        other
        for other, count in repeated.items()
        if other not in known
        and MIN_SECTIONS <= len(keys_of_page[other]) < len(keys)
        and count >= MOST * len(keys_of_page[other])
    }
    if len(sources) < MIN_PAGES or max(repeated[other] for other in sources) > MAX_SHARE * len(keys):
        return False
    return sum(not sources.isdisjoint(pages_of_key.get(key, ())) for key in keys) >= MOST * len(keys)


def find_notices(twin_keys: Iterable[_Text]) -> frozenset[_Text]:
    """The texts that so many sections have that they are notices, such as that these docs are for another version.

    A page that begins with one does not say there what its title promises.

    Args:
        twin_keys: Of all sections what is equal for the same text.
    """
    return frozenset(key for key, count in Counter(twin_keys).items() if count >= NOTICE_FROM)
