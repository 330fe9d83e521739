"""Makes first cases of the titles of a site, which their author rewrites as questions in the words of readers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise, zip_longest
from typing import TYPE_CHECKING, Any, Final

import msgspec

from trueref_core.errors import OptionError
from trueref_server.question.site_versions import Editions

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest
    from trueref_core.records import Anchor, Page

ANSWERABLE: Final = 20
UNANSWERABLE: Final = 5

NOT_ASKED: Final = frozenset({"landing", "changelog", "blog", "redirect"})
"""Kinds of pages whose titles readers do not ask for."""

MAX_LEVEL: Final = 3
"""Headings up to this level are taken. Deeper ones say little without those above them."""

IN_READERS_WORDS: Final = "Ask for this section in the words of a reader, then take this field away."
NOT_IN_DOCS: Final = "Write a question that readers ask and these docs do not answer, then take this field away."


@dataclass(frozen=True, slots=True)
class TitledSection:
    """A section that can be asked for. `anchors` lead to it, the cited one first; `title` is "" for a whole page."""

    page: Page
    page_title: str
    title: str
    anchors: tuple[str, ...]


def template(manifest: Manifest, seed: int) -> bytes:
    """The cases as JSON Lines: twenty that quote a title, and five unanswerable ones that the author has to write.

    The questions have no words of our own, which would be in one language. The same seed gives the same sections for
    the same site, and mostly the same ones after a page was added.

    Raises:
        OptionError: The index has no page to ask about.
    """
    pages = _pages(manifest)
    sections = [page_sections for page in pages if (page_sections := _sections(manifest, page))]
    if not sections:
        raise OptionError("The index has no page to ask about, besides landing pages, change logs and blog posts.")
    languages = {page.language for page in pages}
    cases = [
        _case(number, section, names_site=len(manifest.sites) > 1, has_languages=len(languages) > 1)
        for number, section in enumerate(islice(_spread(sections, seed), ANSWERABLE), 1)
    ]
    cases += [
        {"id": f"not-{number:02}", "question": "", "gold": [], "answerable": False, "edit": NOT_IN_DOCS}
        for number in range(1, UNANSWERABLE + 1)
    ]
    return b"".join(msgspec.json.encode(case) + b"\n" for case in cases)


def _pages(manifest: Manifest) -> list[Page]:
    """The pages that answer a reader who names no version, in the order of their addresses."""
    pages = [page for page in manifest.pages() if not page.hidden and page.kind not in NOT_ASKED]
    default_editions = set(Editions(manifest.sites, pages).editions_for(None, None))
    return [page for page in pages if (page.site, page.version) in default_editions]


def _sections(manifest: Manifest, page: Page) -> list[TitledSection]:
    """The sections of a page without subsections, since others may be only a heading; the page if there are none."""
    anchors = [anchor for anchor in manifest.anchors(page.page, page.site) if not anchor.duplicate]
    titles = [anchor for anchor in anchors if anchor.kind == "heading" and anchor.level == 1]
    title = titles[0].text if len(titles) == 1 else page.title
    parents = {anchor.parent for anchor in anchors if anchor.kind in ("heading", "object")}
    leaves = [anchor for anchor in anchors if _is_asked_for(anchor) and anchor.anchor not in parents]
    if leaves:
        return [TitledSection(page, title, anchor.text, (anchor.anchor,)) for anchor in leaves]
    return [TitledSection(page, title, "", (*(anchor.anchor for anchor in titles[:1]), ""))]


def _is_asked_for(anchor: Anchor) -> bool:
    """Whether readers may ask for an anchor's section: a row or a deep heading says little by its title."""
    is_section = anchor.kind == "object" or (anchor.kind == "heading" and 1 < anchor.level <= MAX_LEVEL)
    return is_section and bool(anchor.text.strip())


def _spread(sections: Sequence[list[TitledSection]], seed: int) -> Iterator[TitledSection]:
    """All sections, in an order whose beginning is spread over the whole site."""

    def random_key(section: TitledSection) -> str:
        # A digest and not a random generator, so that a new page hardly changes the order of the others.
        key = "\0".join((str(seed), section.page.site, section.page.page, section.anchors[0]))
        return hashlib.sha256(key.encode()).hexdigest()

    pages = [sorted(page_sections, key=random_key) for page_sections in sections]
    parts = min(ANSWERABLE, len(pages))
    bounds = [len(pages) * part // parts for part in range(parts + 1)]
    # Drawn from strata of the sorted pages, since twenty sections of one folder would say nothing of the others.
    strata = [
        sorted(pages[start:end], key=lambda page_sections: random_key(page_sections[0]))
        for start, end in pairwise(bounds)
    ]
    return _in_turn(map(_in_turn, strata))


def _in_turn(lists: Iterable[Iterable[TitledSection]]) -> Iterator[TitledSection]:
    """The first of each list, then the second of each, and so on."""
    return (section for section in chain.from_iterable(zip_longest(*lists)) if section is not None)


def _case(number: int, section: TitledSection, *, names_site: bool, has_languages: bool) -> dict[str, Any]:
    """A case that quotes the title of a section."""
    page = section.page
    quoted_title = f"{section.title} ({section.page_title})" if section.title else section.page_title
    site = {"site": page.site} if names_site else {}
    case: dict[str, Any] = {
        "id": f"case-{number:02}",
        "question": section.title if section.title.endswith("?") else f"{quoted_title.removesuffix('?')}?",
        "gold": [{"page": page.page, "anchor": anchor} | site for anchor in section.anchors],
        "answerable": True,
    }
    if has_languages and page.language:
        case["language"] = page.language
    return case | {"edit": IN_READERS_WORDS}
