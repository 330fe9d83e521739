"""What one page holds, before the site around it is known.

These values cross a process border when a page is parsed in the guarded child, so they hold plain data only. What every
build looks at for every page is a struct, which is read in less time than a dataclass.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from trueref_core.records import AnchorKind, BlockRole, ChunkKind


@dataclass(frozen=True, slots=True)
class Section:
    """A place a reader can be sent to, with the text that follows it up to the next one.

    `anchor` is "" for the page top. `breadcrumb` holds the titles of the enclosing sections, the page first, without
    the section's own. `parent` is the index of the enclosing section in `ParsedPage.sections`, -1 for the page.
    """

    anchor: str
    level: int
    title: str
    breadcrumb: tuple[str, ...]
    parent: int


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of cleaned text that the page shows as one: a paragraph, a list, a table, a code block.

    `units` are the parts between which it may be cut (list items, table rows); joined by newlines they are `text`,
    except that a table's `header` is not among them. `starts` marks a heading without an id: nothing before it
    belongs to what follows it.

    `role` is what the block is for:

    - `text`: content, of whatever kind.
    - `title`: the title of an admonition or of a fold.
    - `label`: the label of a panel of tabs.
    - `caption`: the title of a block of code, of a table or of a figure.
    - `term`: a term of a definition list that is no section of its own.
    - `heading`: a heading without an id.
    - `furniture`: no documentation of its own, such as the source code of an object, or a link to edit the page.
    - `links`: a list or a box of cards that is nothing but links.

    `path` are the containers around the block on its page, the outermost first, joined by `/`; numbers count from 1 on
    every page:

    - `a2`: the second admonition or fold.
    - `t2.1`: the second set of tabs, its first panel.
    - `l2`, `o2`: the second list, one without or with numbers, with all lists inside it. A list without numbers has it
      only where blocks interrupt it.
    - `d2.1`: the second definition list, its first entry: a term with its descriptions.
    - `f2`: the second figure, table or block of code that has a caption.
    - `q2`, `b2`: the second quotation, the second box of footnotes.
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


@dataclass(frozen=True, slots=True)
class ParsedAnchor:
    """An id or `a[name]` of the page. `section` is the section it stands in, -1 outside the content.

    `role` is what a documented object is, as Sphinx names it (`py:class`), "" where the page does not say.
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
    """What the head of a page says of it. `canonical`, `next` and `redirect` are addresses as written, or "".

    `next` is the page to read after this one, as the generator's own buttons have it. `template`: the file is one of a
    theme, which stands in the site unfilled. `listing`: it was made of the beginnings or the titles of other pages.
    `docs`: which of the docs of a Docusaurus site it belongs to. `clean_urls`: the site's own addresses leave `.html`
    out.
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


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """One page, read. `root` is the selector that found the content, "" where the page has none.

    `whole_body`: no element was known to hold the content alone, and all of the body was read.
    """

    head: Head
    title: str
    root: str
    sections: tuple[Section, ...]
    blocks: tuple[Block, ...]
    anchors: tuple[ParsedAnchor, ...]
    links: tuple[ParsedLink, ...] = field(default=())
    whole_body: bool = False
