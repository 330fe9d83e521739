"""Tells what an element means for the text in it: which container the text stands in, and which role it has.

The lists hold class names that generators and themes document or emit today; each group names its generator.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final

from trueref_core.records import BlockRole
from trueref_plugin.reading.elements import ASCIIDOC_NOTE, children, class_names, first_element, has_class
from trueref_plugin.reading.markup.page_furniture import FOOTNOTE_BOXES, is_around_content, is_table_of_contents

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

# The letters of the containers in `Block.path`.
ADMONITION: Final = "a"
TABS: Final = "t"
LIST: Final = "l"
ORDERED_LIST: Final = "o"
DEFINITIONS: Final = "d"
FRAME: Final = "f"
QUOTATION: Final = "q"
FOOTNOTES: Final = "b"

LEGACY_TAB_PANEL: Final = "tabbed-content"
"""The class of a panel in sets whose labels stand between the panels: Python-Markdown without its alternate style."""

MAX_CARD: Final = 300
"""A card with at most this many characters counts as a link, a longer one as text."""

_TAG_ROLES: Final[Mapping[str, BlockRole]] = {"summary": "title", "figcaption": "caption"}

_ROLES: Final[Mapping[str, BlockRole]] = {
    # Titles of admonitions: MkDocs and Sphinx; VitePress; Starlight; GitHub; Docusaurus 2; Docsy; VuePress;
    # Quarto; Quartz; Rspress. Of topics: Sphinx.
    "admonition-title": "title",
    "custom-block-title": "title",
    "starlight-aside__title": "title",
    "markdown-alert-title": "title",
    "admonition-heading": "title",
    "alert-heading": "title",
    "hint-container-title": "title",
    "custom-container-title": "title",
    "callout-title-container": "title",
    "callout-title": "title",
    "rp-callout__title": "title",
    "rspress-directive-title": "title",
    "topic-title": "title",
    "sidebar-title": "title",
    # Titles of code and captions of figures: Sphinx, also up to version 4; Material, with line numbers.
    "code-block-caption": "caption",
    "caption": "caption",
    # The text below the caption of a figure: Sphinx.
    "legend": "text",
    "filename": "caption",
    # Names of files above code: Rspress, also version 1; VuePress Hope.
    "rp-codeblock__title": "caption",
    "rspress-code-title": "caption",
    "code-block-title-bar": "caption",
    # A heading that is in no table of contents: Sphinx.
    "rubric": "heading",
    # Links to the source and to the pages before and after: PyData; downloads and signature: Sphinx-Gallery.
    "editthispage": "furniture",
    "sourcelink": "furniture",
    "prev-next-area": "furniture",
    "sphx-glr-footer": "furniture",
    "sphx-glr-download-link-note": "furniture",
    "sphx-glr-signature": "furniture",
    # Links to the pages before and after: DocBook.
    "navheader": "furniture",
    "navfooter": "furniture",
    # The terms of the alphabetical index at the end of a book, each with links to its places: DocBook.
    "indexdiv": "furniture",
    # The same: Publican, Scribble, GAPDoc (also the sections of a chapter), ocamldoc.
    "navbar": "furniture",
    "docnav": "furniture",
    "versionbox": "furniture",
    "navsettop": "furniture",
    "navsetbottom": "furniture",
    "ChapSects": "furniture",
    "chlinktop": "furniture",
    "chlinkbot": "furniture",
    "chlinkprevnexttop": "furniture",
    "chlinkprevnextbot": "furniture",
    # The ancestors of a class, and tables of its members, which are described below: Javadoc.
    "inheritance": "furniture",
    "enum-constant-summary": "furniture",
    "field-summary": "furniture",
    "constructor-summary": "furniture",
    "method-summary": "furniture",
    # The same tables of LDoc and ExDoc, and the source code of a method: YARD, RDoc.
    "function_list": "furniture",
    "summary-row": "furniture",
    "source_code": "furniture",
    "method-source-code": "furniture",
    # Links to the topics above and beside: DITA. Lists of the pages below: LaTeX2HTML.
    "related-links": "furniture",
    "familylinks": "furniture",
    "relinfo": "furniture",
    "ChildLinks": "furniture",
    # Who wrote a page, when and in which version, below its title: docutils.
    "docinfo": "furniture",
    # Questions whether a page was helpful, and when it was changed: Docsy; Docusaurus.
    "td-page-meta": "furniture",
    "feedback--question": "furniture",
    "feedback--answer": "furniture",
    "theme-last-updated": "furniture",
    # A card that is a link: Starlight.
    "sl-link-card": "links",
}

_STEM_ROLES: Final[Mapping[str, BlockRole]] = {"admonitionHeading": "title", "codeBlockTitle": "caption"}
"""Roles by the part of a class name before its first `_`. Docusaurus has CSS modules, which append a digest to the
name."""

_FRAMES: Final = frozenset(
    # Of code: Material; Docusaurus; Sphinx; AsciiDoc, also of pictures, examples and quotations. Of figures: Sphinx up
    # to version 4. Of all: DocBook.
    "highlight theme-code-block literal-block-wrapper listingblock literalblock imageblock exampleblock quoteblock "
    "verseblock openblock stemblock figure example table".split()
)

_TITLED: Final = frozenset("ulist olist dlist hdlist colist qlist paragraph".split())
"""Classes of elements around a list or a paragraph, in which it may follow a title of its own: AsciiDoc."""

_LINES_BELOW_TITLE: Final = frozenset("author email revnumber revdate revremark".split())
"""Ids of the lines below the title of a document, which say who wrote it and when: AsciiDoc."""

_CALLOUTS: Final = frozenset("topic sidebar note tip important warning caution".split())
"""Classes of elements that are admonitions if they begin with a title: Sphinx, DocBook."""

_NOTE_LEVELS: Final = 4
"""Levels from the table of a note to what its first cell begins with: body, row, cell, picture."""

_CALLOUT_TITLE: Final = re.compile(
    r"topic-title|sidebar-title|title|titlepage|label|(?:note|tip|important|warning|caution)(?:__)?title"
)
"""Matches the class of what such an element begins with: Sphinx, DocBook; Publican and Erlang; DITA, where it is the
first word of the text."""


_WORD: Final = re.compile(r"\w+")
"""Matches a word of a box that may have nothing but links."""


def container_of(node: LexborNode, classes: Collection[str]) -> str:
    """The letter of the container that an element opens, "" if it opens none.

    Containers of tabs and lists are opened by their block readers, and most admonitions by the walk (`is_admonition`).
    """
    if node.tag == "blockquote":
        return QUOTATION
    if node.tag == "figure" or not _FRAMES.isdisjoint(classes):
        # A frame without a caption says nothing about its text, so it would only make the path longer.
        return FRAME if _has_caption(node) else ""
    if not FOOTNOTE_BOXES.isdisjoint(classes):
        return FOOTNOTES
    if not _CALLOUTS.isdisjoint(classes) and not _is_table_of_contents(classes):
        first = first_element(node)
        begins_with_title = first is not None and any(map(_CALLOUT_TITLE.fullmatch, class_names(first)))
        return ADMONITION if begins_with_title or is_note_in_table(node) else ""
    return ""


def is_note_in_table(node: LexborNode) -> bool:
    """Whether an element is a note that is laid out as a table: AsciiDoc, DocBook."""
    classes = class_names(node)
    if ASCIIDOC_NOTE in classes:
        return True
    table = first_element(node) if not _CALLOUTS.isdisjoint(classes) else None
    if table is None or table.tag != "table":
        return False
    # DocBook begins such a table with a picture. A table of data in a note begins with words.
    first = table
    for _ in range(_NOTE_LEVELS):
        inner = first_element(first)
        if inner is None:
            return False
        first = inner
    return first.tag == "img"


def role_of(node: LexborNode, classes: Collection[str]) -> BlockRole | None:
    """The role that an element gives to the text in it, None if it gives none."""
    tag = node.tag or ""
    if tag in _TAG_ROLES:
        return _TAG_ROLES[tag]
    if tag == "details":
        return "furniture" if _is_repetition(node) else None
    if is_around_content(node, tag, classes):
        return "furniture"
    if tag == "th" and _is_cell_of_note(node):
        return "title"
    if tag == "a":
        return "links" if node.attributes.get("href") and len(node.text().strip()) <= MAX_CARD else None
    if _is_table_of_contents(classes):
        return "furniture"
    if tag in ("p", "div") and node.parent is not None:
        if "title" in classes:
            return _role_of_title(node.parent)
        if ("label" in classes or "titlepage" in classes) and not _CALLOUTS.isdisjoint(class_names(node.parent)):
            return "title"
    # sphinx-design puts an empty link over the whole card.
    is_card = "sd-card" in classes and node.css_first("a.sd-stretched-link") is not None
    if is_card or _is_of_box_of_links(node, classes):
        return "links"
    for class_name in classes:
        role = _ROLES.get(class_name) or _STEM_ROLES.get(class_name.partition("_")[0])
        # Only in a table of code does `filename` mark a caption; elsewhere it is a word of a sentence.
        if role is not None and (class_name != "filename" or tag == "th"):
            return None if class_name == "admonition-title" and _is_alone(node) else role
    return None


def _is_of_box_of_links(node: LexborNode, classes: Collection[str]) -> bool:
    """Whether an element is a box of Sphinx that only names what to see also, `See also: subprocess.Popen.kill()`.

    So is the title of such a box, which would otherwise title what comes after the box. A name of code without a link
    was to be one, into other docs. A box may also say something, or end a sentence with a link.
    """
    box = node.parent if "admonition-title" in classes else node
    if box is None or "seealso" not in class_names(box):
        return False
    title = first_element(box)
    outside_links = (code for code in box.css("code") if code.parent is not None and code.parent.tag != "a")
    linked = [words for node in (title, *box.css("a"), *outside_links) if node is not None for words in _words(node)]
    return sorted(linked) == sorted(_words(box))


def _words(node: LexborNode) -> list[str]:
    """The words of the text in a node."""
    return _WORD.findall(node.text(separator=" "))


def _is_alone(title: LexborNode) -> bool:
    """Whether a title is all that an admonition says, as in `!!! success "204 No content"`, and titles nothing."""
    if title.parent is None or "admonition" not in class_names(title.parent):
        return False
    behind = title.next
    while behind is not None and (behind.tag or "-").startswith("-") and not (behind.text_content or "").strip():
        behind = behind.next
    return behind is None


def _role_of_title(parent: LexborNode) -> BlockRole | None:
    """The role of a title in DocBook and AsciiDoc, by the element around it."""
    # AsciiDoc lays a note out as a table: the first cell has its kind ("Tip"), and the second its own title, if any.
    if parent.tag == "td":
        return "title" if _is_cell_of_note(parent) else None
    classes = class_names(parent)
    if not _TITLED.isdisjoint(classes):
        return "heading"
    return None if _FRAMES.isdisjoint(classes) else "caption"


def _is_cell_of_note(cell: LexborNode) -> bool:
    """Whether a cell belongs to the table that a note is laid out as."""
    # From the cell four levels up: row, table body, table, note.
    node: LexborNode | None = cell
    for _ in range(4):
        node = node.parent if node is not None else None
    return node is not None and is_note_in_table(node)


def inline_role_of(node: LexborNode) -> BlockRole | None:
    """The role of a line that begins with this inline element, None if it gives none."""
    # Material: the title of a block of code, and a card in a grid without a list.
    if node.tag == "span" and node.parent is not None and has_class(node, "filename"):
        return "caption" if has_class(node.parent, "highlight") or node.parent.tag == "th" else None
    if node.tag == "span" and node.id in _LINES_BELOW_TITLE and node.parent is not None and node.parent.id == "header":
        return "furniture"
    return "links" if node.tag == "a" and has_class(node, "card") else None


def _has_caption(node: LexborNode) -> bool:
    """Whether a frame has a caption."""
    if node.tag == "figure":
        return node.css_first("figcaption") is not None
    for child in children(node):
        if child.tag == "table":
            return child.css_first("th.filename") is not None
        if child.tag != "-text" and "caption" in (role_of(child, class_names(child)), inline_role_of(child)):
            return True
    return False


def _is_table_of_contents(classes: Collection[str]) -> bool:
    """Whether an element is the table of contents of its own page: docutils up to version 0.17."""
    return "contents" in classes and "topic" in classes


def _is_repetition(details: LexborNode) -> bool:
    """Whether a `details` element repeats text: the source code of an object, other versions, a table of contents."""
    if has_class(details, "mkdocstrings-source"):
        return True
    summary = next((child for child in children(details) if child.tag == "summary"), None)
    title = summary.text().strip(" \n\t").lower() if summary is not None else ""
    # Emoji and symbols before the words do not count.
    words = " ".join(part for part in title.split() if any(map(str.isalnum, part)))
    return (
        is_table_of_contents(words, details)
        or words.startswith("other versions")
        or (words.startswith("source code in ") and has_class(details, "quote"))
    )
