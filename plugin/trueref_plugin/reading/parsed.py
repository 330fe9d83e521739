"""The content of one page, before the site around it is known.

These values cross a process border when a page is parsed in the guarded child, so they hold plain data only. The head,
which every build reads for every page, is a struct, because that is decoded faster than a dataclass.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from trueref_core.records import AnchorKind, BlockRole, ChunkKind


@dataclass(frozen=True, slots=True)
class ParsedSection:
    """A section: an anchor that a reader can be sent to, with the text that follows it up to the next one.

    `anchor` is "" for the page top. `breadcrumb` holds the titles of the enclosing sections, the page first, without
    the section's own; it is empty for a second title beside that of the page. `parent` is the index of the enclosing
    section in `ParsedPage.sections`, -1 for the page.
    """

    anchor: str
    level: int
    title: str
    breadcrumb: tuple[str, ...]
    parent: int


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of cleaned text that the page shows as a unit: a paragraph, a list, a table, a block of code.

    `units` are the parts between which it may be cut (list items, table rows). Joined by newlines they are `text`. The
    `header` of a table is in neither. `starts` is true for a heading without an id, a term or a label: the text after
    it does not belong to the text before it.

    `role` is the purpose of the block:

    - `text`: content of any kind.
    - `title`: the title of an admonition or of a `details` element.
    - `label`: the label of a panel of tabs.
    - `caption`: the title of a block of code, of a table or of a figure.
    - `term`: a term of a definition list that is not a section of its own.
    - `heading`: a heading without an id.
    - `furniture`: not part of the documentation, such as the source code of an object, or a link to edit the page.
    - `links`: a list or a box of cards that is nothing but links.

    `path` names the containers around the block, the outermost first, joined by `/`. The numbers begin with 1 on every
    page:

    - `a2`: the second admonition or `details` element.
    - `t2.1`: the second set of tabs, its first panel.
    - `l2`, `o2`: the second list, without (`l`) or with numbers (`o`). Lists inside it have no name of their own. A
      list without numbers has a name only if other blocks interrupt it.
    - `d2.1`: the second definition list, its first entry: a term with its descriptions.
    - `f2`: the second figure, table or block of code that has a caption.
    - `q2`, `b2`: the second quotation, the second box of footnotes.
    - `b2.3`: a footnote in that box: the third footnote that the page refers to. No block refers to a footnote `b2.0`.

    `notes` are the footnotes that the block refers to: (number of the footnote, position of its mark). The position is
    counted in characters of the text. In a table it is the number of the row, counted from 0, and -1 for the header.
    """

    kind: ChunkKind
    text: str
    section: int
    units: tuple[str, ...] = ()
    header: str = ""
    code_language: str = ""
    starts: bool = False
    role: BlockRole = "text"
    path: str = ""
    notes: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedAnchor:
    """An id or `a[name]` of the page. `section` is the section it stands in, -1 outside the content.

    `role` is the type of a documented object, as Sphinx names it (`py:class`), "" if the page does not name it.
    """

    anchor: str
    kind: AnchorKind
    level: int
    text: str
    section: int
    duplicate: bool
    role: str = ""


@dataclass(frozen=True, slots=True)
class ParsedLink:
    """A link in the content, as written. `section` is the section it stands in."""

    target: str
    text: str
    section: int


class Head(msgspec.Struct, frozen=True, gc=False):
    """The head of a page. `canonical`, `next` and `redirect` are addresses as written, or "".

    `next` is the page to read after this one, as the buttons at the end of the page name it. `template`: the file is an
    unfilled template of a theme. `listing`: the page lists excerpts or titles of other pages. `docs` names the set of
    docs that the page belongs to: a Docusaurus site may have several. `clean_urls`: the addresses of the site have no
    `.html`. `asset` is the address of a file that the page loads, if it begins with a slash. `prose_language` is the
    language that the text of the page is in, whatever the page says (see `prose_language.py`).
    """

    title: str = ""
    description: str = ""
    language: str = ""
    generator: str = ""
    site_name: str = ""
    version: str = ""
    canonical: str = ""
    next: str = ""
    redirect: str = ""
    noindex: bool = False
    template: bool = False
    listing: bool = False
    docs: str = ""
    clean_urls: bool = False
    asset: str = ""
    prose_language: str = ""


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """One page as read. `root` is the selector that found the content, "" if none did.

    `whole_body`: no element was recognised as the content, so the whole body was read, with navigation and footer.
    """

    head: Head
    title: str
    root: str
    sections: tuple[ParsedSection, ...]
    blocks: tuple[Block, ...]
    anchors: tuple[ParsedAnchor, ...]
    links: tuple[ParsedLink, ...] = field(default=())
    whole_body: bool = False
