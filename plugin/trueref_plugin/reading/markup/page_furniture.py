"""Tells which elements inside the content of a page belong to the page around it: footers, links to other pages, lists.

A walk asks this of every block. So each answer looks at a few elements only: a page may be nested as deep as it likes.
Only a list below a heading that calls it the contents is looked at whole.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.elements import (
    HEADINGS,
    children,
    class_names,
    has_class,
    next_element,
    previous_element,
)
from trueref_plugin.reading.markup.clean import is_dropped

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

FOOTNOTE_BOXES: Final = frozenset(
    # Material and docutils; Docusaurus, VitePress and GitHub; Sphinx.
    "footnote footnotes footnote-list citation citation-list".split()
)

_TABLE_OF_GTK: Final = "navigation"
"""The class of a line of links to other pages: GTK-Doc, a table; LaTeX2HTML, a box."""

_PAGE_BARS: Final = frozenset(("header", "nav-panel", _TABLE_OF_GTK))
"""Classes of the line of links to other pages above and below a section: Texinfo up to version 6, from 7; GTK-Doc and
LaTeX2HTML."""

_ARROWS: Final = frozenset(("next", "previous", "up"))
"""The texts of the pictures in a line of links to other pages: LaTeX2HTML."""

_COVER: Final = "Cover (top) of document"
"""The title of the link to the first page of a manual, in lines of links that are tables: Texinfo."""

_LINKS_OF_MANUAL: Final = frozenset(("contents", "index"))
"""The `rel` of links to the contents and to the index of a manual, in lines of links: Texinfo. Below a page, the other
links of such a line have neither a `rel` nor a key."""

_LETTER: Final = "summary-letter"
"""The beginning of the class of the links to the letters of an index, which are in a table above and below it: Texinfo.
"""

_LINK_TABLE: Final = re.compile(r"menu|index-[a-z]{2}|[a-z]{2}-entries-printindex")
"""Matches the class of a table of the pages below, or of all index entries of a manual: Texinfo, the last from 7."""

_CONTENTS_TITLES: Final = ("table of contents", "contents", "on this page", "in this article")
"""Titles of a table of contents that a reader unfolds: Node.js and others."""

_MADE_BY_DOCTOC: Final = " generated with doctoc"
"""What doctoc writes behind the title of a table of contents, in small letters."""

_TITLE_MARKS: Final = " \n\t\u200b#\u00b6:"
"""What may stand around the words of a title: the mark of its permalink, and a colon."""

_CONTENTS_TAGS: Final = ("nav", "div", "ul", "ol")
"""Tags of a table of contents below a heading."""

_NO_LINK_TAGS: Final = (*HEADINGS, "pre", "table", "img")
"""Tags of what no table of contents has, whether or not it has text."""

_NO_LINK: Final = ", ".join((*HEADINGS, "pre", "table"))
"""Selects what no link in a table of contents has. It may have a picture."""

_CONTENTS: Final = frozenset(("contents", "shortcontents"))
"""Classes of the table of contents of a manual, and of the short one with its chapters: Texinfo."""

_CONTENTS_HEADING: Final = re.compile(r"(?:short)?contents-heading")
"""Matches the class of the heading right before such a table."""

_TERMS_OF_INDEX: Final = 12
"""Terms of the index of a manual at least. A shorter list of links may lead through a page."""

_LOOKED_AT: Final = 60
"""How many elements and texts below an element are looked at. A line of links has thirteen, in cells of a table."""


def is_around_content(node: LexborNode, tag: str, classes: Collection[str]) -> bool:
    """Whether an element inside the content belongs to the page around it."""
    parent = node.parent
    if tag == "footer" or (tag == "div" and (node.id == "footer" or "footer" in classes)):
        # Neither the source of a quotation, nor a box of footnotes, nor a section that is titled "Footer".
        is_part_of_text = (parent is not None and parent.tag == "blockquote") or _has_heading(node)
        return not is_part_of_text and FOOTNOTE_BOXES.isdisjoint(classes)
    if tag == "div" and "details" in classes and parent is not None and (parent.tag, parent.id) == ("div", "header"):
        # The author and the date of a document: Asciidoctor.
        return True
    if tag == "ul" and "summary" in classes:
        # The methods of a class, which are described below: YARD.
        return any(has_class(part, "summary_signature") for part in _beginning(node))
    if tag == "table" and "border" in node.attributes and any(map(_LINK_TABLE.fullmatch, classes)):
        return True
    if tag == "table" and any(map(_leads_to_letter, _beginning(node))):
        return True
    if "pdoc-code" in classes and tag == "div":
        # The source of an object stands behind its permalink, and that of a module behind the button that shows it.
        # Examples in a text have the same class: pdoc.
        before = previous_element(node)
        return before is not None and before.attributes.get("class") in ("headerlink", "view-source-button")
    if tag == "div" and not _CONTENTS.isdisjoint(classes):
        before = previous_element(node)
        return before is not None and any(map(_CONTENTS_HEADING.fullmatch, class_names(before)))
    if tag == "dl":
        return _is_index_of_page(node) or _is_index_of_manual(node)
    return tag in ("table", "div") and is_page_bar(node, classes)


def is_page_bar(node: LexborNode, classes: Collection[str]) -> bool:
    """Whether an element is the line of links to the pages before, after and above that Texinfo and others write."""
    if _PAGE_BARS.isdisjoint(classes):
        return False
    leads_through_pages = any(
        ("accesskey" in part.attributes and ("rel" in part.attributes or _TABLE_OF_GTK in classes))
        or part.attributes.get("title") == _COVER
        or part.attributes.get("rel") in _LINKS_OF_MANUAL
        if part.tag == "a"
        else part.tag == "img" and _TABLE_OF_GTK in classes and part.attributes.get("alt") in _ARROWS
        for part in _beginning(node)
    )
    return leads_through_pages and not _has_heading(node)


def _leads_to_letter(part: LexborNode) -> bool:
    """Whether a part of an element is a link to a letter of the index of a manual."""
    return part.tag == "a" and any(name.startswith(_LETTER) for name in class_names(part))


def _is_index_of_page(node: LexborNode) -> bool:
    """Whether a `dl` defines nothing: each term is a link to a place on the page: man2html."""
    terms = 0
    for part in children(node):
        if part.tag == "dt":
            link = next(children(part), None)
            if link is None or link.tag != "a" or not (link.attributes.get("href") or "").startswith("#"):
                return False
            terms += 1
        elif not _is_blank(part) and (part.tag != "dd" or not all(map(_is_blank, children(part)))):
            return False
    return terms > 1


def _is_index_of_manual(node: LexborNode) -> bool:
    """Whether a `dl` defines nothing, and each of its many terms is nothing but links: the index of LaTeX2HTML."""
    parts = [part for part in children(node) if not _is_blank(part)]
    if sum(part.tag == "dt" for part in parts) < _TERMS_OF_INDEX:
        return False
    return all(inner.tag == "a" or _is_blank(inner) for part in parts for inner in children(part))


def _is_blank(part: LexborNode) -> bool:
    """Whether a part of an element is nothing but white space."""
    return part.tag == "-text" and not (part.text_content or "").strip()


def is_table_of_contents(title: str, details: LexborNode) -> bool:
    """Whether a `details` element with this title, in small letters, is the table of contents of its own page."""
    return title in _CONTENTS_TITLES and _is_list_of_places(part for part in children(details) if part.tag != "summary")


def contents_below(heading: LexborNode) -> LexborNode | None:
    """The table of contents right behind a heading or a paragraph that is nothing but its title; None for others.

    Such a table is a box (notebooks with toc2), navigation (markdown-it), or a list that the author wrote or a program
    such as doctoc made. It has nothing but links to places on the page. Its title is no section, and is not above the
    sections that it lists.
    """
    following = next_element(heading)
    title = " ".join(heading.text().strip(_TITLE_MARKS).lower().split()).removesuffix(_MADE_BY_DOCTOC)
    if following is None or title not in _CONTENTS_TITLES:
        return None
    # The box of toc2 is never text: see `DROPPED_CLASSES`.
    is_box = heading.tag == "h1" and following.tag == "div" and has_class(following, "toc")
    return following if is_box or (following.tag in _CONTENTS_TAGS and _is_list_of_places((following,))) else None


def is_text_behind(contents: LexborNode) -> bool:
    """Whether text follows a table of contents before the next heading: its title is that of a section then.

    Where much follows without any text, such as pictures, the answer is yes.
    """
    part = _behind(contents)
    for _ in range(_LOOKED_AT):
        if part is None or part.tag in HEADINGS:
            return False
        if part.tag == "-text" and not _is_blank(part):
            return True
        inner = None if _is_no_text(part) else part.first_child
        part = inner if inner is not None else _behind(part)
    return True


def _is_no_text(part: LexborNode) -> bool:
    """Whether a part of a page is left out of its text, with all that is in it."""
    tag = part.tag or "-"
    return tag.startswith("-") or is_dropped(part) or is_around_content(part, tag, class_names(part))


def _behind(node: LexborNode) -> LexborNode | None:
    """What comes next behind a node and all that is in it, in the order of the page."""
    around: LexborNode | None = node
    while around is not None and around.next is None:
        around = around.parent
    return around.next if around is not None else None


def _is_list_of_places(parts: Iterable[LexborNode]) -> bool:
    """Whether all text in parts of a page stands in links to places on it, and nothing there is more than a link.

    They are looked at as a whole: a box may go on with the sections that it lists, and the rest of the page.
    """
    has_links = False
    for part in _below(parts, is_inside_links=False):
        if part.tag == "a":
            if not (_is_to_place(part) or _is_within_link_to_place(part)) or part.css_first(_NO_LINK) is not None:
                return False
            has_links = True
        elif part.tag in _NO_LINK_TAGS or (part.tag == "-text" and not _is_blank(part)):
            return False
    return has_links


def _is_to_place(link: LexborNode) -> bool:
    """Whether a link leads to a place on the page."""
    return (link.attributes.get("href") or "").startswith("#")


def _is_within_link_to_place(link: LexborNode) -> bool:
    """Whether a link was written inside a link to a place, because the title there has it. It ends that link."""
    before = previous_element(link)
    return before is not None and before.tag == "a" and _is_to_place(before)


def _has_heading(node: LexborNode) -> bool:
    """Whether an element begins with a heading, or has one soon after."""
    return any(part.tag in HEADINGS for part in _beginning(node))


def _beginning(node: LexborNode) -> Iterator[LexborNode]:
    """The first elements and texts below an element, in the order of the page."""
    return islice(_below(children(node)), _LOOKED_AT)


def _below(parts: Iterable[LexborNode], *, is_inside_links: bool = True) -> Iterator[LexborNode]:
    """These parts of a page with all elements and texts below them, those inside links only if asked for."""
    # Not recursive: an element would pass through the generators of all elements around it.
    remaining = [iter(parts)]
    while remaining:
        child = next(remaining[-1], None)
        if child is None:
            remaining.pop()
            continue
        yield child
        if child.tag != "-text" and (is_inside_links or child.tag != "a"):
            remaining.append(children(child))
