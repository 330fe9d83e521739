"""Makes cases to begin with: titles from all over a site as questions, to be rewritten in the words of its readers."""

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
"""Kinds of pages whose titles say nothing that readers ask for."""

DEEPEST: Final = 3
"""Level of the headings that are taken. Deeper ones say little without those above them."""

IN_READERS_WORDS: Final = "Ask for this section in the words of a reader, then take this field away."
NOT_IN_DOCS: Final = "Write a question that readers ask and these docs do not answer, then take this field away."


@dataclass(frozen=True, slots=True)
class TitledSection:
    """A section that can be asked for. `anchors` lead to it, the one to cite first; `title` is "" for a whole page."""

    page: Page
    page_title: str
    title: str
    anchors: tuple[str, ...]


def template(manifest: Manifest, seed: int) -> bytes:
    """Lines of cases: twenty that quote a title, in no language of ours, and five without an answer to be written.

    The same seed gives the same sections for the same site, and mostly the same ones after a page was added.

    Raises:
        OptionError: The index has no page to ask about.
    """
    pages = _pages(manifest)
    sections = [of_page for page in pages if (of_page := _sections(manifest, page))]
    if not sections:
        raise OptionError("The index has no page to ask about, besides landing pages, change logs and blog posts.")
    languages = {page.language for page in pages}
    cases = [
        _case(number, section, is_one_of_many=len(manifest.sites) > 1, has_languages=len(languages) > 1)
        for number, section in enumerate(islice(_spread(sections, seed), ANSWERABLE), 1)
    ]
    cases += [
        {"id": f"not-{number:02}", "question": "", "gold": [], "answerable": False, "edit": NOT_IN_DOCS}
        for number in range(1, UNANSWERABLE + 1)
    ]
    return b"".join(msgspec.json.encode(case) + b"\n" for case in cases)


def _pages(manifest: Manifest) -> list[Page]:
    """The pages that a reader who names no version is answered from, in the order of their addresses."""
    pages = [page for page in manifest.pages() if not page.hidden and page.kind not in NOT_ASKED]
    meant = set(Editions(manifest.sites, pages).editions_for(None, None))
    return [page for page in pages if (page.site, page.version) in meant]


def _sections(manifest: Manifest, page: Page) -> list[TitledSection]:
    """The sections of a page without sections of their own, which may be mere headings; the page if it has none."""
    anchors = [anchor for anchor in manifest.anchors(page.page, page.site) if not anchor.duplicate]
    titles = [anchor for anchor in anchors if anchor.kind == "heading" and anchor.level == 1]
    title = titles[0].text if len(titles) == 1 else page.title
    parents = {anchor.parent for anchor in anchors if anchor.kind in ("heading", "object")}
    leaves = [anchor for anchor in anchors if _is_asked_for(anchor) and anchor.anchor not in parents]
    if leaves:
        return [TitledSection(page, title, anchor.text, (anchor.anchor,)) for anchor in leaves]
    return [TitledSection(page, title, "", (*(anchor.anchor for anchor in titles[:1]), ""))]


def _is_asked_for(anchor: Anchor) -> bool:
    """Whether readers ask for what an anchor leads to: a row or a deep heading says little by its title."""
    is_section = anchor.kind == "object" or (anchor.kind == "heading" and 1 < anchor.level <= DEEPEST)
    return is_section and bool(anchor.text.strip())


def _spread(sections: Sequence[list[TitledSection]], seed: int) -> Iterator[TitledSection]:
    """All sections, by page, in an order whose beginning is spread over the whole site."""

    def chance(section: TitledSection) -> str:
        # A digest, not a generator of numbers: a page more hardly changes the order of the others.
        key = "\0".join((str(seed), section.page.site, section.page.page, section.anchors[0]))
        return hashlib.sha256(key.encode()).hexdigest()

    pages = [sorted(of_page, key=chance) for of_page in sections]
    parts = min(ANSWERABLE, len(pages))
    bounds = [len(pages) * part // parts for part in range(parts + 1)]
    # Strata of the sorted pages: twenty sections of one folder would say nothing of the others.
    strata = [sorted(pages[start:end], key=lambda of_page: chance(of_page[0])) for start, end in pairwise(bounds)]
    return _in_turn(map(_in_turn, strata))


def _in_turn(lists: Iterable[Iterable[TitledSection]]) -> Iterator[TitledSection]:
    """The first of each, then the second of each, and so on."""
    return (section for section in chain.from_iterable(zip_longest(*lists)) if section is not None)


def _case(number: int, section: TitledSection, *, is_one_of_many: bool, has_languages: bool) -> dict[str, Any]:
    """A case that quotes the title of a section."""
    page = section.page
    about = f"{section.title} ({section.page_title})" if section.title else section.page_title
    site = {"site": page.site} if is_one_of_many else {}
    case: dict[str, Any] = {
        "id": f"case-{number:02}",
        "question": section.title if section.title.endswith("?") else f"{about.removesuffix('?')}?",
        "gold": [{"page": page.page, "anchor": anchor} | site for anchor in section.anchors],
        "answerable": True,
    }
    if has_languages and page.language:
        case["language"] = page.language
    return case | {"edit": IN_READERS_WORDS}
