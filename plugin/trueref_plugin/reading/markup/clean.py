"""Decides which element of a page holds its content, and which elements in it are not part of the documentation.

The lists hold class names that generators and themes document or emit today; each group names its generator.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from trueref_plugin.reading.elements import ASCIIDOC_NOTE, DROPDOWN_MENU, HEADINGS, children, first_element, has_class
from trueref_plugin.reading.markup.escapes import without_escapes

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

DOXYGEN: Final = "div.header + div.contents"
"""Selects the content of a page of Doxygen."""

MEDIAWIKI: Final = "div#mw-content-text"
"""Selects the content of a page of MediaWiki."""

CONTENT_DIVISION: Final = "div#content"
"""Selects the content of a page of LDoc, Nim, Haddock, YARD, Erlang and others. Other generators give the id to a part
of the content: `find_root` looks at more than the id."""

MAIN_DIVISION: Final = "div#main"
"""Selects the content of pages that are written by hand, and of some themes: see `find_root`."""

CONTENT_COLUMN: Final = "div.row > div[class*=col-]"
"""Selects the columns of a page that a grid of Bootstrap lays out: `find_root` finds the one with the content."""

CONTENT_ROOTS: Final = (
    ".md-content__inner",  # Material for MkDocs
    ".theme-doc-markdown",  # Docusaurus, docs
    "#__blog-post-container",  # Docusaurus, blog
    "#furo-main-content",  # Sphinx, furo
    "[itemprop=articleBody]",  # Sphinx, Read the Docs
    ".bd-article",  # Sphinx, PyData
    "div.body[role=main]",  # Sphinx, classic themes
    "div.document.body",  # Sphinx, Guzzle
    ".vp-doc",  # VitePress
    ".sl-markdown-content",  # Starlight
    "[vp-content]",  # VuePress
    ".theme-default-content",  # VuePress up to the first candidates of version 2
    ".theme-hope-content",  # VuePress, theme Hope
    ".page-inner .markdown-section",  # HonKit, GitBook
    "div.rspress-doc",  # Rspress
    DOXYGEN,
    ".container-main > .col-content",  # TypeDoc
    MEDIAWIKI,
    "main .typography",  # MkDocs, theme shadcn
    "div#apicontent",  # Node.js
    "div.mainContent",  # QDoc
    "div.maincolumn > div.main",  # Scribble
    "div.manual-text",  # mandoc
    "section#main.content",  # gi-docgen
    "div.docs-body",  # Sphinx, OpenStack
    "[role=main]",
    "main",
    "div#main:has(> h1.page-title)",  # JSDoc
    "article",
    ".main-content",  # Crystal, Jekyll's themes for GitHub Pages
    CONTENT_DIVISION,
    MAIN_DIVISION,
    CONTENT_COLUMN,
    "div.content",  # Fossil and others: see `find_root`
    "body",
)
"""Tried in order; the first that matches holds the content. A site's own selector is tried before them.

The most specific come first: `main` of most themes also holds navigation, breadcrumbs and buttons."""

DROPPED_TAGS: Final = frozenset(
    "button canvas dialog iframe input meter noscript object script select style svg template textarea video audio "
    "form map meta link progress".split()
)

PERMALINKS: Final = frozenset(
    "headerlink hash-link header-anchor anchor-link sl-anchor-link doc-anchor permalink selflink".split()
)
"""Classes of permalinks beside headings: MkDocs, Docusaurus, VitePress, Sphinx, Starlight, rustdoc, Doxygen; beside
signatures: Haddock."""

DROPPED_CLASSES: Final = frozenset(
    # Material: edit and view buttons, tags, blog meta data, page dates, feedback, annotations' line numbers.
    "md-content__button md-tags md-post__header md-post__meta md-post__authors md-post__action md-pagination "
    "md-source-file md-feedback md-meta md-banner "
    # Material: the excerpts of blog posts in a list of posts.
    "md-post--excerpt "
    # Line numbers: Pygments and Rouge; react-syntax-highlighter.
    "linenos lineno linenodiv react-syntax-highlighter-line-number "
    # Footnote marks in the running text, the brackets around their labels, and the arrows that lead back.
    "footnote-ref footnote-backref footnote-reference fn-backref fn-bracket backrefs "
    # Docusaurus: breadcrumbs, in-page tables of contents, pagination, edit links, buttons on code.
    "theme-doc-breadcrumbs theme-doc-toc-mobile theme-doc-footer pagination-nav theme-edit-this-page table-of-contents "
    # Docusaurus: the cards of a category, which repeat titles and descriptions of the pages below; the line about
    # an old version.
    "theme-doc-card-container theme-doc-version-banner "
    # Sphinx: view source, copy buttons, lists of the pages below.
    "viewcode-link copybtn toctree-wrapper "
    # rustdoc: where the source of an item is, what a reader can fold, boxes that open above names, and links that run
    # an example.
    "out-of-band srclink hideme notable-traits test-arrow "
    # Notebooks: the numbers of cells (`In [1]:`), of JupyterLab and of the classic notebook; the text that a button
    # copies, of mkdocs-jupyter.
    "jp-InputPrompt jp-OutputPrompt input_prompt output_prompt clipboard-copy-txt "
    # Doxygen: boxes that open above names in code, and the groups that a page is in, which stand in its title. pdoc:
    # the button that shows the source code of an object.
    "ttc ingroups view-source-button "
    # Nim: where the source of an object is, and what a reader can unfold behind its signature.
    "link-seesrc pragmawrap "
    # MediaWiki: links to edit a section, boxes of links to other pages.
    "mw-editsection editsection navbox "
    # YARD: links that fold a list or a tree. RDoc: `[RW]` behind an attribute.
    "summary_toggle inheritanceTree attribute-access-type "
    # Bootstrap: what opens below a link or a button.
    f"{DROPDOWN_MENU} "
    # TypeDoc and JSDoc: lists of the members below, marks glued to names, where the source is.
    "tsd-index-content tsd-tag tsd-sources tsd-generator signature-attributes tag-source "
    # Breadcrumbs of Nextra, and labels of tabs that VuePress Hope repeats in their panels.
    "nextra-breadcrumb vp-tab-title vp-code-tab-title "
    # Asciidoctor: the table of contents beside the content. Texinfo: those above it.
    "toc2 Contents_element Overview_element element-contents element-shortcontents "
    # Labels beside names: VitePress, mkdocstrings (`async`, `property`), SWI-Prolog (`[det]`), Scribble (`procedure`).
    "VPBadge doc-labels pred-tag RBackgroundLabel "
    # mkdocstrings: the places of the docs that refer to an object.
    "doc-backlinks "
    # Repeated text for screen readers and for print.
    "sr-only visually-hidden visuallyhidden screen-reader-text screen-reader-only toc".split()
)

_FOOTNOTE_MARKS: Final = frozenset(("footnote-ref", "footnote-reference"))
"""Classes of the mark of a footnote in the running text: Python-Markdown and markdown-it; docutils. In GitHub,
Docusaurus and kramdown the mark has an attribute instead."""

_ASCIIDOC_MARKS: Final = ("footnote", "footnoteref")
"""Classes of such a mark in Asciidoctor, a `sup`: the first that refers to a footnote, and others."""

DROPPED_ROLES: Final = frozenset("navigation search doc-noteref doc-backlink".split())

ADMONITION_CLASSES: Final = frozenset(
    # MkDocs and Sphinx; Docusaurus; VitePress; Docusaurus before 3 and Bootstrap; Starlight; GitHub; VuePress, also the
    # first candidates of version 2; Quarto; Nextra; Rspress, also version 1; AsciiDoc.
    "admonition theme-admonition custom-block alert starlight-aside markdown-alert hint-container "
    f"custom-container callout nextra-callout rp-callout rspress-directive {ASCIIDOC_NOTE}".split()
)

_RUSTDOC_FOLDS: Final = frozenset(("rustdoc-toggle", "top-doc", "method-toggle", "implementors-toggle"))
"""Classes of the elements that rustdoc puts around all of its text, so that a reader can fold it."""

PERMALINK_MARKS: Final = frozenset(("¶", "#", "§", "🔗", "⚓"))
"""The text of a permalink beside a heading, for themes whose class for it is not listed."""

_MAX_TITLE_PARTS: Final = 40
"""In a title with more child nodes than this, links without words are kept: see `_is_wordless_link_in_title`."""

_TYPE_SYMBOLS: Final = frozenset("()[]{}&!")
"""Characters of the types that rustdoc links in a signature, such as `()` in `Result<()>`."""

_AFTER_BADGE: Final = (",", ".", ";", "?", "!", ")")
"""Punctuation after a badge that shows that the badge is part of a sentence. A colon does not show that: it may also
follow a name with its badge."""


def is_dropped(node: LexborNode) -> bool:
    """Whether an element is left out of the text: it is chrome (buttons, navigation), a repetition, or hidden."""
    tag = node.tag
    if tag in DROPPED_TAGS or tag == "nav":
        # The title of a fold in an accordion is a button in a heading, as the ARIA guide recommends.
        return tag != "button" or not _is_whole_title(node)
    if tag in HEADINGS:
        # A heading for screen readers only, or one that is left out of the search, still begins its section.
        return is_hidden(node)
    attributes = node.attributes
    if not attributes:
        return False
    classes = (attributes.get("class") or "").split()
    if not DROPPED_CLASSES.isdisjoint(classes):
        return True
    if not PERMALINKS.isdisjoint(classes):
        return not (_is_whole_title(node) or _is_linked_term(node))
    if _is_badge(classes):
        return not _is_within_sentence(node)
    if _is_label_of_theme(node, classes) or _is_note_of_prolog(node, classes) or _is_diagram(node, classes):
        return True
    # VitePress writes the name of the language above a block of code.
    if (tag == "span" and classes == ["lang"]) or (tag == "sup" and attributes.get("class") in _ASCIIDOC_MARKS):
        return True
    if len(attributes) == 1 and classes:
        # Most elements are pieces of code with nothing but a class. What follows asks for other attributes.
        return False
    # docutils gives the role `doc-backlink` to the arrows of footnotes, and also to titles that link back to the table
    # of contents. The titles are kept.
    if "data-search-exclude" in attributes or (
        attributes.get("role") in DROPPED_ROLES and "toc-backref" not in classes
    ):
        return True
    if "data-footnote-ref" in attributes or "data-footnote-backref" in attributes:
        return True
    if is_hidden(node):
        return True
    return tag == "a" and _is_dropped_link(node, attributes)


def _is_label_of_theme(node: LexborNode, classes: Collection[str]) -> bool:
    """Whether an element has a class that means a label of the theme on such an element, and more on others."""
    if "rightside" in classes:
        # rustdoc: since when an item is there, and where its source is.
        return node.tag in ("span", "a")
    parent = node.parent
    if "method-controls" in classes or "method-click-advice" in classes:
        # RDoc: what shows the source of a method.
        return _is_within_method(node)
    if classes == ["link"]:
        # Haddock: where the source of an object is.
        return node.tag == "a" and parent is not None and has_class(parent, "src")
    if "admonition-title" in classes:
        # Jupyter Book: the two titles of a cell that a reader can unfold ("Show code cell source").
        is_title_of_fold = parent is not None and parent.tag == "summary"
        return is_title_of_fold and ("collapsed" in classes or "expanded" in classes)
    # nbsphinx: the number of a cell.
    return (
        "prompt" in classes and parent is not None and (has_class(parent, "nbinput") or has_class(parent, "nboutput"))
    )


def _is_within_method(node: LexborNode) -> bool:
    """Whether an element stands in the box of a method, with at most two boxes between them: RDoc."""
    box = node.parent
    for _ in range(2):
        if box is not None and not has_class(box, "method-detail"):
            box = box.parent
    return box is not None and has_class(box, "method-detail")


def _is_note_of_prolog(node: LexborNode, classes: Collection[str]) -> bool:
    """Whether an element is a number in a manual of SWI-Prolog that shows its note, which is in it, to a pointer."""
    return node.tag == "sup" and "fn" in classes and node.css_first(".fn-text") is not None


def _is_diagram(node: LexborNode, classes: Collection[str]) -> bool:
    """Whether an element is the source of a diagram of Mermaid, in whose place a script draws the diagram.

    Where readers see the source, its `code` or a box around it has the class `language-mermaid`.
    """
    return "mermaid" in classes and (node.tag == "pre" or (node.tag == "div" and first_element(node) is None))


def footnote_of_mark(node: LexborNode) -> str:
    """The id of the footnote that a mark in the running text leads to; "" if the element is not a mark."""
    attributes = node.attributes
    is_mark = (
        (node.tag == "sup" and attributes.get("class") in _ASCIIDOC_MARKS)
        or attributes.get("role") == "doc-noteref"
        or "data-footnote-ref" in attributes
        or not _FOOTNOTE_MARKS.isdisjoint((attributes.get("class") or "").split())
    )
    link = (node if node.tag == "a" else node.css_first("a")) if is_mark else None
    target = (link.attributes.get("href") or "") if link is not None else ""
    return unquote(target[1:]) if target.startswith("#") else ""


def is_admonition(node: LexborNode, classes: Iterable[str]) -> bool:
    """Whether an element with these classes is a note, a warning, or text that a reader can unfold (`details`)."""
    if node.tag == "details":
        return _RUSTDOC_FOLDS.isdisjoint(classes)
    return not ADMONITION_CLASSES.isdisjoint(classes)


def is_hidden(node: LexborNode) -> bool:
    """Whether no reader can see an element."""
    attributes = node.attributes
    # Panels of tabs and of accordions are hidden until a reader opens them. `until-found` marks text that the browser
    # unfolds. In Rspress, panels have no role.
    if attributes.get("role") in ("tabpanel", "region") or "rp-tabs__content__item" in (attributes.get("class") or ""):
        return False
    if "hidden" in attributes and attributes["hidden"] != "until-found":
        return True
    # Pandoc hides the caption of a picture from screen readers, which read the same text with the picture.
    if attributes.get("aria-hidden") == "true" and node.tag != "figcaption":
        return True
    style = (attributes.get("style") or "").replace(" ", "").lower()
    # Nextra begins each panel of tabs with a heading that is not visible.
    if style.startswith("visibility:hidden") or ";visibility:hidden" in style:
        return True
    # Themes hide the body of a `details` element by style; its reader can open it.
    return "display:none" in style and (node.parent is None or node.parent.tag != "details")


def _is_dropped_link(node: LexborNode, attributes: Mapping[str, str | None]) -> bool:
    """Whether a link is no part of the text: it leads to its own place, or repeats a link beside it."""
    return (
        _is_permalink(node, attributes)
        or _is_more_of_doxygen(node, attributes)
        or _is_wordless_link_in_title(node, attributes)
    )


def _is_permalink(node: LexborNode, attributes: Mapping[str, str | None]) -> bool:
    """Whether a link leads to the page itself and shows nothing but the mark of a permalink."""
    return (attributes.get("href") or "").startswith("#") and node.text().strip() in PERMALINK_MARKS


def _is_more_of_doxygen(node: LexborNode, attributes: Mapping[str, str | None]) -> bool:
    """Whether a link says `More...` and leads from the first sentence of a description to all of it."""
    leads_on = attributes.get("href") == "#details" or (
        node.parent is not None and has_class(node.parent, "mdescRight")
    )
    return leads_on and node.text().strip() == "More..."


def _is_whole_title(node: LexborNode) -> bool:
    """Whether a permalink or a button is all that is in its heading: VuePress 2 writes the title into the permalink."""
    heading = node.parent
    if heading is None or heading.tag not in HEADINGS or not _has_word(node.text()):
        return False
    parts = (part for part in children(heading) if part.tag != "-text" or (part.text_content or "").strip())
    return len(list(islice(parts, 2))) == 1


def _is_linked_term(node: LexborNode) -> bool:
    """Whether a permalink is a term, or begins one: mandoc writes `-b file` so that `-b` or all of it is the link.

    The permalinks of other generators show a mark behind the term.
    """
    if node.parent is None or node.parent.tag != "dt" or not _has_word(node.text()):
        return False
    before = node.prev
    while before is not None and ((before.tag or "-") == "-comment" or not before.text().strip()):
        before = before.prev
    return before is None


def _is_wordless_link_in_title(node: LexborNode, attributes: Mapping[str, str | None]) -> bool:
    """Whether a link in a title shows only an arrow or another symbol, as links to the source code do.

    A title without any word keeps its link.
    """
    title = node.parent
    if title is None or (title.tag not in HEADINGS and title.tag != "dt") or not attributes.get("href"):
        return False
    link_text = node.text().strip()
    if not link_text or _has_word(link_text) or _TYPE_SYMBOLS.issuperset(link_text):
        return False
    # This reads the text of the whole title once for each such link: without a limit, a title with a thousand links
    # would be read a thousand times.
    part_count = sum(1 for _ in islice(children(title), _MAX_TITLE_PARTS + 1))
    return part_count <= _MAX_TITLE_PARTS and _has_word(title.text())


def _has_word(text: str) -> bool:
    """Whether a text has a letter or a digit."""
    return any(character.isalnum() for character in text)


def _is_within_sentence(node: LexborNode) -> bool:
    """Whether a badge stands in the middle or at the end of a sentence. There its text, often a version, is kept."""
    # A badge inside another badge is kept or dropped together with the outer one. It is not judged by the text around
    # the outer badge: a badge with a thousand parts would need that search a thousand times.
    if node.parent is not None and _is_badge((node.parent.attributes.get("class") or "").split()):
        return True
    before, after = node.prev, node.next
    if before is None or after is None or before.tag != "-text" or after.tag != "-text":
        return False
    text_before, text_after = (before.text_content or "").rstrip(), (after.text_content or "").lstrip()
    return text_before[-1:].isalnum() and (text_after[:1].isalnum() or text_after.startswith(_AFTER_BADGE))


def _is_badge(classes: Iterable[str]) -> bool:
    """Whether an element with these classes is a badge: a small label beside a name."""
    # `badge`, `mdx-badge`, `mdx-badge--right`, `badge_xyz` (CSS modules), but not `badger`.
    return any("badge" in name and "badge" in name.replace("_", "-").split("-") for name in classes)


# Invisible characters that generators put between words: zero-width space, word joiner, byte order mark, soft hyphen.
# Not the zero-width joiner and non-joiner, which belong to words in Persian and to emoji.
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u2060\ufeff\u00ad"))


def clean_text(text: str) -> str:
    """`text` without invisible characters and escape sequences, with white space folded to single spaces."""
    return fold(without_escapes(text))


def fold(text: str) -> str:
    """`text` without invisible characters, with white space folded to single spaces."""
    return " ".join(text.translate(_INVISIBLE).split())


def clean_code(text: str) -> str:
    """Code as a reader sees it: no invisible characters, no blank lines around it, no white space at line ends.

    Escape sequences of terminals are left out too. No-break spaces, which the program `tree` prints, are kept: a
    quotation has to match the page.
    """
    lines = without_escapes(text).translate(_INVISIBLE).replace("\r\n", "\n").split("\n")
    return "\n".join(line.rstrip() for line in lines).strip("\n")
