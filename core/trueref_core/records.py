"""The vocabulary: what Trueref knows about a site, as values.

Every stage takes values of this module and returns new ones. An address says what it is relative to: `page` is the
site-relative path as the browser shows it (`setup/colors/`, `""` for the root), `href` is `page` plus the encoded
`#anchor`, `url` is absolute, or None if no base URL is known. `site` is part of every key.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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

PageKey = tuple[str, str]
"""The name of a site and the address of a page in it: together they name one page of an index."""


@dataclass(frozen=True, slots=True)
class Site:
    """One documentation site in an index.

    `base_url` ends with a slash, or is None if it is not known. `digest` is a digest of the site's pages and anchors.
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
    page (redirects, slash forms, `index.html`). `alias_anchors` are the aliases that lead to an anchor on the page, as
    `alias#anchor`. `kind_evidence` is the rule that decided `kind`. `content_hash` is a digest of cleaned blocks, ids
    and metadata, without navigation and the like. Links to a hidden page are valid, but it is never searched or cited;
    `hidden_by` is the reason: noindex, search exclusion, option, draft, error page, generated page, list of pages,
    source code or template. `told` names the fields whose values the generator supplied; the others were read from the
    page. `centrality` is how central the page is among the links of the site, 0 to 1. `weight` is added to the scores
    of the page's sections, -1 to 1; the options of the build set it.
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
    # The fields whose values the generator told the build; every manifest has the name `told`, so renaming the field
    # would change the format of the file.
    told: tuple[str, ...] = ()
    content_hash: str = ""
    centrality: float = 0.0
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class Anchor:
    """An anchor: an element of a page that a fragment can name.

    `anchor` is the id exactly as in the HTML, not encoded. `level` is 1 to 6 for headings and 0 otherwise.
    `breadcrumb` holds the texts of the enclosing headings, outermost first, without the anchor's own text. `parent`
    is the id of the enclosing cited anchor, "" if there is none. `position` counts from 0 in document order.
    `duplicate` marks an element whose id an earlier element of the page has: browsers go to the earlier one. `role` is
    the type of a documented object, as Sphinx names it (`py:class`), "" if the page does not name it. `body` is a
    digest of the text between a heading and the next one, "" if that text is too short to identify a section.
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
    section. `section_id` is `page#anchor` within the site. `title` is the section's own title; `breadcrumb` has the
    titles above it, that of the page first. `lead_in` is the line that introduces a code block, and `code_index` the
    number of the code block on the page, -1 for other chunks. `tokens` is the number of cl100k tokens. `page_number`
    counts from 1 and is 0 outside of PDFs. `twin_key` is the same for all chunks of a site, version and language whose
    texts have the same words, "" for a short text. `text_hash` is the hash of the embedded text, so chunks with equal
    hashes have equal vectors. `blocks` has the position, role and containers of each block that begins in `text`: see
    `trueref_core.text.block_marks`.
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
        """The text that is embedded: the titles joined by ` > `, the line that introduces code, and the text."""
        path = " > ".join(dict.fromkeys([*self.breadcrumb, self.title]))
        return "\n".join(part for part in (path, self.lead_in, self.text) if part)


@dataclass(frozen=True, slots=True, eq=False)
class TextVectors:
    """What an embedder made of the embedded text of a chunk.

    `vector` has length 1 and the embedder's dimensions. `wordpieces` are the vectors of the wordpieces of the text as
    `trueref_core.embedding.packed_wordpieces` packs them, empty for an embedder whose wordpieces are not compared.
    """

    vector: NDArray[np.float32]
    wordpieces: bytes = b""


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

    `file_hash` and `last_modified` describe the built HTML file at the time when the row was last written.
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

    `vectors` is False if the index is searched by full text only: its embedder is `lexical`, or its vectors are still
    being made. `recipes` has a digest of options and versions for each site: while it stays the same, a build keeps the
    pages that did not change. `parts` is the number of files over which the pages are spread: see
    `trueref_core.storage.page_parts`.
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
    """A link with its status and the reason for it.

    `given` is the link as written. `href` and `url` are None if nothing should be linked. `suggestion` is the `href` of
    a similar target for a person to check; it is never linked.
    """

    given: str
    href: str | None
    url: str | None
    status: ReferenceStatus
    reason: str
    suggestion: str | None = None
    site: str | None = None
    page: str | None = None
    anchor: str | None = None
