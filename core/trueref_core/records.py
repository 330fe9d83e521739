"""The vocabulary: the facts that Trueref has of a site, as values.

Every stage takes values of this module and returns new ones. An address says what it is relative to: `page` is the
site-relative path as the browser shows it (`setup/colors/`, `""` for the root), `href` is `page` plus the encoded
`#anchor`, `url` is absolute, or None if no base URL is known. `site` is part of every key.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

PageKind = Literal["guide", "reference", "api", "example", "changelog", "blog", "landing", "pdf", "redirect"]
AnchorKind = Literal["heading", "object", "term", "row", "tab", "footnote", "other", "internal"]
ChunkKind = Literal["prose", "code", "list", "table", "admonition", "definition"]
BlockRole = Literal["text", "title", "label", "caption", "term", "heading", "furniture", "links"]
LinkKind = Literal["child", "next", "internal", "external"]
LinkStatus = Literal["ok", "redirect", "missing-page", "missing-anchor"]
ReferenceStatus = Literal[
    "exact", "redirected", "corrected-page", "corrected-anchor", "page-only", "unlinked", "external"
]
EmbeddingStatus = Literal["embedded", "pending", "none"]

CITED_ANCHORS: frozenset[AnchorKind] = frozenset({"heading", "object", "term", "row", "tab"})
"""Kinds of anchors that a reader may be sent to. The others are kept, because links to them are valid."""


@dataclass(frozen=True, slots=True)
class Site:
    """One documentation site in an index.

    `base_url` ends with a slash, or is None if it is not known. `digest` covers pages and anchors of the site.
    """

    name: str
    base_url: str | None = None
    version: str = ""
    language: str = ""
    generator: str = ""
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """One page as deployed.

    `file` is relative to the site folder, with forward slashes. `aliases` are other site-relative addresses of the same
    page (redirects, slash forms, `index.html`). `alias_anchors` are those that lead to an anchor on it, as
    `alias#anchor`. `kind_evidence` is the rule that decided `kind`. `content_hash` covers cleaned blocks, ids and
    metadata, not navigation or other chrome. A hidden page is valid to link to and never searched or cited; `hidden_by`
    is the reason: noindex, search exclusion, option, draft, error page, generated page, list of pages, source code or
    template. `told` names the fields that come from the generator and not from the page. `centrality` is 0 to 1.
    `weight` is the number that the options of the build add to the scores of its sections, -1 to 1.
    """

    site: str
    page: str
    file: str
    title: str
    description: str = ""
    kind: PageKind = "guide"
    kind_evidence: str = ""
    language: str = ""
    version: str = ""
    source_path: str = ""
    aliases: tuple[str, ...] = ()
    alias_anchors: tuple[str, ...] = ()
    hidden: bool = False
    hidden_by: str = ""
    draft: bool = False
    told: tuple[str, ...] = ()
    content_hash: str = ""
    centrality: float = 0.0
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class Anchor:
    """An anchor: an element of a page that a fragment can name.

    `anchor` is the id exactly as in the HTML, not encoded. `level` is 1 to 6 for headings and 0 otherwise.
    `breadcrumb` holds the texts of the enclosing headings, outermost first, without the anchor's own text. `parent`
    is the enclosing cited anchor, "" for the page. `position` counts from 0 in document order. `duplicate` marks a
    later element with an id that the page already has: browsers go to the first. `role` is the type of a documented
    object, as Sphinx names it (`py:class`), "" if the page does not name it. `body` is a digest of the text between a
    heading and the next one, "" if that text is too short to identify a section.
    """

    site: str
    page: str
    anchor: str
    kind: AnchorKind
    level: int = 0
    text: str = ""
    breadcrumb: tuple[str, ...] = ()
    parent: str = ""
    position: int = 0
    duplicate: bool = False
    role: str = ""
    body: str = ""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a section that is embedded and searched. A reader is sent to its section.

    `text` is cleaned text of the page; its first `overlap` characters repeat the end of the chunk before it in the same
    section. `section_id` is `page#anchor` within the site. `title` is the section's own title, `breadcrumb` the path to
    it, page title first, without the section's title. `lead_in` is the line that introduces a code block, `code_index`
    its number on the page, -1 for other chunks. `tokens` counts cl100k tokens. `page_number` is 1-based, 0 outside
    PDFs. `twin_key` is the same for all chunks of a site, version and language whose texts have the same words, "" for
    a short text. `text_hash` is the hash of the embedded text, so equal hashes have equal vectors. `blocks` has the
    position, role and containers of each block that begins in `text`: see `trueref_core.text.block_marks`.
    """

    id: str
    site: str
    page: str
    anchor: str
    section_id: str
    title: str
    breadcrumb: tuple[str, ...]
    parent_section: str
    child_sections: tuple[str, ...]
    valid_anchors: tuple[str, ...]
    previous: str
    next: str
    kind: ChunkKind
    code_language: str
    code_index: int
    lead_in: str
    text: str
    overlap: int
    aliases: tuple[str, ...]
    tokens: int
    position: int
    page_number: int
    page_kind: PageKind
    version: str
    language: str
    twin_key: str
    text_hash: str
    blocks: tuple[str, ...] = ()

    @property
    def embedded_text(self) -> str:
        """The text that is embedded: page title > breadcrumb > section, the lead-in line for code, the text."""
        path = " > ".join(dict.fromkeys([*self.breadcrumb, self.title]))
        return "\n".join(part for part in (path, self.lead_in, self.text) if part)


@dataclass(frozen=True, slots=True)
class Link:
    """An edge of the documentation graph, from a section to a section or to another site."""

    site: str
    from_page: str
    from_anchor: str
    to_page: str
    to_anchor: str
    kind: LinkKind
    text: str
    status: LinkStatus


@dataclass(frozen=True, slots=True)
class Document:
    """A row of the build ledger, which has one for each source file. Times are UTC, ISO 8601, to the second.

    `file_hash` and `last_modified` are those of the built HTML file as it was when its row was last written.
    """

    site: str
    file_path: str
    file_hash: str
    last_modified: str
    embedding_status: EmbeddingStatus
    chunk_count: int
    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class Generation:
    """One published state of an index. `id` is a digest of content, options, embedder and versions.

    `vectors` is False when the index answers by full text only (embedder `lexical`, or vectors still to come).
    `recipes` holds by site a digest of options and versions: with the same one, a page that did not change is kept.
    `parts` is the number of files that each value of a page is kept in: see `trueref_core.storage.page_parts`.
    """

    id: str
    schema: int
    embedder: str
    dimensions: int
    vectors: bool
    recipes: dict[str, str]
    sites: tuple[Site, ...]
    counts: dict[str, int]
    parts: int
    created_at: str


@dataclass(frozen=True, slots=True)
class Reference:
    """A link with its verdict. `given` is the link as written; `href` and `url` are None if it should not be linked."""

    given: str
    href: str | None
    url: str | None
    status: ReferenceStatus
    reason: str
    suggestion: str | None = None
    site: str | None = None
    page: str | None = None
    anchor: str | None = None
