"""The data types of question time: Question, Plan, Hit, Draft and Answer, in that order.

Each stage takes the value of the stage before it: plan -> search -> rank -> assess -> excerpt -> check.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Literal, TypeVar

from trueref_core.records import Chunk, ChunkKind, PageKind, Reference

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")

Verdict = Literal["answer", "closest", "not-found"]
Relation = Literal["parent", "child", "next", "linked", "twin"]
Priority = Literal["high", "medium", "low"]
Decision = Literal["passed", "corrected", "removed"]
RetrievalType = Literal["search", "part", "identifier", "missing", "child", "next", "linked"]
"""How a section was found: by the whole question, by a part of it, by an identifier, by words that the first hits lack;
or as a section under a hit, as the section after a hit, or as a section that a hit links to."""
AnswerMode = Literal["extractive", "model"]
Fallback = Literal["", "error", "budget", "loop", "prompt", "uncited", "refusal", "unsupported"]
"""Why the text of a model is not the answer; "" if it is."""


SectionAt = tuple[str, str, str]
"""Site, page and anchor of a section."""


def extended(record_class: type[T], record: DataclassInstance, **values: object) -> T:
    """A record of `record_class` with the fields of another record and those in `values`, which take precedence."""
    return record_class(**{part.name: getattr(record, part.name) for part in fields(record)} | values)


@dataclass(frozen=True, slots=True)
class Exchange:
    """One earlier turn of the conversation."""

    question: str
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """What a reader asks. `page` is the page the reader is on; `version` and `language` are those of that page.

    `numbered` has the addresses to which, as the client says, the conversation has given numbers: see
    `answering/numbering.py`.
    """

    text: str
    history: tuple[Exchange, ...] = ()
    page: str | None = None
    version: str | None = None
    language: str | None = None
    # From the client, and used for numbers only: no source, link or text comes from this list.
    numbered: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """How a question is read: what it asks for, the queries that will run, and the words that tell its topic.

    Attributes:
        query: The question without courtesies, with `repaired` words, and with the words of its context.
        terms: The stems of `words`.
        identifiers: Names such as `--no-deps`, which are searched as they are written.
        language: The language by which words are stemmed; "" for English.
        words: The words that tell the topic, without stop words: those of the question, then those `carried` over.
        asks_for_identifier: Whether the question asks for little more than its identifiers.
        is_keywords: Whether the question is nothing but up to four content words, such as `retry policy`.
        wants_option: Whether the question asks for an option or for a value of one.
        parts: The sentences of the question, if it has several; each of them is compared with the sections as well.
        asks: The clauses that are questions by themselves, if there are several, each with the topic before them.
        compared: The two or three things that the question compares; none if it compares nothing.
        unknown_word: The word whose meaning the question asks for, in small letters; "" if it asks for none.
        unwanted_verb: The verb of what the question does not want, in small letters; "" if it says nothing of the kind.
        left_out: The words of what the question wants to do without: `without its dependencies`.
        quoted: Quotations, which are looked for as they are written.
        repaired: Pairs of a word as it was written and the word that is meant.
        synonyms: Words that are searched too: those of the settings, other names of `usual_topic`, and `with_particle`.
        wants_releases: Whether the question asks for changes between versions.
        wants_to_contribute: Whether the question may ask how to take part in the project, or how it is run.
        read_as: The question as it was read, with repairs and context, to be shown to the reader; "" if nothing differs
            from what was written.
        carried: Those `words` that come from the conversation or from the reader's page. They count less.
        wanting: Verbs as in `How do I change ...`. They count less, since docs may use any other verb.
        with_particle: Verbs of the question as in `sign up`, each with the word that the docs make of both, `signup`.
            This is one of `words` too, and each of the two counts half.
        joined: Identifiers of the site whose words the question writes apart.
        releases: Versions whose changes the question asks for.
        usual_topic: The topic that the question consists of, if nearly all docs have it: see `usual_topics`.
        rival: What the question compares the docs' subject with; "" if it compares it with nothing.
        topic: The site and page that the conversation led to, or that the reader points to.
        rounds: How many rounds of searches may run. The second looks for what the first has left out.
    """

    question: Question
    query: str
    terms: tuple[str, ...]
    identifiers: tuple[str, ...] = ()
    language: str = ""
    words: tuple[str, ...] = ()
    asks_for_identifier: bool = False
    is_keywords: bool = False
    wants_option: bool = False
    parts: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    compared: tuple[str, ...] = ()
    unknown_word: str = ""
    unwanted_verb: str = ""
    left_out: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()
    repaired: tuple[tuple[str, str], ...] = ()
    synonyms: tuple[str, ...] = ()
    wants_releases: bool = False
    wants_to_contribute: bool = False
    read_as: str = ""
    carried: tuple[str, ...] = ()
    wanting: tuple[str, ...] = ()
    with_particle: tuple[tuple[str, str], ...] = ()
    joined: tuple[str, ...] = ()
    releases: tuple[str, ...] = ()
    usual_topic: str = ""
    rival: str = ""
    # With the site: two sites of an index may have a page at the same address.
    topic: tuple[str, str] | None = None
    rounds: Literal[1, 2] = 2


@dataclass(frozen=True, slots=True)
class Hit:
    """A section found for a plan.

    Attributes:
        score: The weighted sum of the signals, mostly from 0 to 1.
        chunks: The chunks of the section, the nearest to the question first.
        signals: What each signal adds to the score; signals that add nothing are left out.
        twins: Sections that say the same.
        retrieval_query: The text by which the section was found.
        near: The cosine of each chunk to the question, by the id of the chunk; empty without vectors.
        signal_values: The value of each signal without its weight, 0 to 1; values of 0 are left out.
    """

    site: str
    page: str
    anchor: str
    score: float
    chunks: tuple[Chunk, ...]
    signals: dict[str, float] = field(default_factory=dict[str, float])
    twins: tuple[SectionAt, ...] = ()
    retrieval_type: RetrievalType = "search"
    retrieval_query: str = ""
    near: dict[str, float] = field(default_factory=dict[str, float])
    signal_values: dict[str, float] = field(default_factory=dict[str, float])

    @property
    def chunk(self) -> Chunk:
        """The chunk of the section that is nearest to the question."""
        return self.chunks[0]

    @property
    def in_page_order(self) -> tuple[Chunk, ...]:
        """The chunks of the section in their order on the page."""
        return tuple(sorted(self.chunks, key=lambda chunk: chunk.position))

    @property
    def address(self) -> SectionAt:
        """The site, page and anchor of the section."""
        return self.site, self.page, self.anchor


@dataclass(frozen=True, slots=True)
class Source:
    """A numbered source beside an answer. `quote` is verbatim text of the section; `page_number` is for PDFs.

    `text_fragment` is the directive that leads to the quote, "" if its page does not prove it: it stands behind
    `:~:` in the fragment of a link. `kind_name` is what pages of its kind are called in the reader's language.
    `language` is the language of the page, as the page names it (`de`, `pt-BR`), "" if it is not known.
    """

    n: int
    title: str
    section: str
    breadcrumb: tuple[str, ...]
    kind: PageKind
    page: str
    anchor: str
    href: str
    url: str | None
    quote: str
    page_number: int | None = None
    # Beside `href` and not in it, so that addresses stay comparable (`docs/decisions/attribution.md`).
    text_fragment: str = ""
    # By the server, whose table has the reader's language: the widget has no room for one.
    kind_name: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class ExcerptBlock:
    """A paragraph, a list, a table, a block of code or an admonition of an excerpt, verbatim.

    `text` has no marks but those of the page as the index keeps it: backticks around inline code, `- ` or `1. ` before
    the items of a list, bars between the cells of a table. Of long code whole lines are left out, and a line `…` stands
    in their place. `caption` is the title of an admonition, the title of a block of code or the label of its tab.
    `highlight` says where in `text`, in code points, the sentence or the line that decides begins, and where it has
    ended; None if nothing of the block decides.
    """

    kind: ChunkKind
    text: str
    caption: str = ""
    code_language: str = ""
    # Positions and not marks in the text, which stays verbatim.
    highlight: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The passage of a section that answers best, with what belongs to it: the inside of a card.

    `n` is the number of its source. `caption` is the line of it that a folded card shows.
    """

    n: int
    caption: str
    blocks: tuple[ExcerptBlock, ...]


@dataclass(frozen=True, slots=True)
class Related:
    """A section beside a result: above it, under it, after it, linked from it, or saying the same."""

    relation: Relation
    page: str
    anchor: str
    href: str
    section: str


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A section as `search` lists it. `title` is the page's, `section` the section's own title.

    `kind` is the kind of the text that `snippet` is of. `summary` is the first sentence of the section, or the
    description of the page. `priority` says how near its score is to that of the first result. `retrieval_type` and
    `retrieval_query` tell how it was found.
    """

    site: str
    page: str
    anchor: str
    href: str
    url: str | None
    title: str
    section: str
    breadcrumb: tuple[str, ...]
    kind: ChunkKind
    snippet: str
    score: float
    summary: str
    priority: Priority
    retrieval_type: RetrievalType
    retrieval_query: str
    related: tuple[Related, ...]


@dataclass(frozen=True, slots=True)
class ReferenceCounts:
    """How many references of the answer were checked, and what became of the wrong ones."""

    checked: int = 0
    corrected: int = 0
    removed: int = 0


@dataclass(frozen=True, slots=True)
class CheckedReference(Reference):
    """A link of a text that was checked, and what became of it there."""

    decision: Decision = "removed"


@dataclass(frozen=True, slots=True)
class CheckedText:
    """A text whose links all lead somewhere, and the decision on every link that it had, in order."""

    text: str
    references: tuple[CheckedReference, ...]
    counts: ReferenceCounts


MarkCode = Literal["not-in-sources", "no-number", "no-source", "not-cited", "empty", "opposite"]
"""Why a text is marked: a name or number that no source has, a placeholder in place of a source's number, a statement
that no source or not the cited one bears out, one that says nothing, and one of whose opposite a source speaks."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Characters `start` to `end` of a text, in code points, that its sources do not bear out, and why.

    `code` is for programs; `reason` says it to the reader, in the language of the page. `suggestion` is the name of the
    sources that may have been meant, "" if none is near.
    """

    start: int
    end: int
    reason: str
    code: MarkCode
    suggestion: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """The result of an answerer: an answer before it has an id, a generation and timings."""

    text: str
    excerpts: tuple[Excerpt, ...]
    sources: tuple[Source, ...]
    more: tuple[Source, ...]
    citations: tuple[int, ...]
    verdict: Verdict
    confidence: float
    references: ReferenceCounts
    mode: AnswerMode
    note: str
    read_as: str
    marks: tuple[Mark, ...]
    fallback: Fallback


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Draft):
    """A whole answer: the object that `ask` gives, and the data of the `done` event. Timings are milliseconds.

    `excerpts` are the cards, best first. Those whose numbers are among the `citations` are open, and `text` is these
    as Markdown; a reader opens the others. `sources` are the sections of the cards, `more` further sections that are
    near, numbered on from these. A question of several parts may have an open card for each. `confidence` says how
    likely it is that the first card answers; if several cards are open, it is the lowest value of these.
    `note` is the first line of the text if it rests on another version or language than the reader's, else "".
    `read_as` is how the question was read if that is not as it was written; the text says it before all else, except
    that a text without cards begins with the sentence that nothing was found.
    `mode` is `extractive` or `model`. The text of a model has no excerpts; its sources are those that it cites, under
    the numbers of the `sources` event, and `marks` are what these do not bear out. `fallback` says why the passages
    answer although a model was asked: error, budget, loop, prompt, uncited, refusal or unsupported; else it is "".
    `feedback` says that the server keeps what is sent to `feedback` about this answer.
    `updating` says that a build of this index was under way, so that the answer may not have the latest changes yet.
    """

    answer_id: str
    cached: bool
    updating: bool
    generation: str
    timings: dict[str, float]
    feedback: bool = False


@dataclass(frozen=True, slots=True)
class ErrorDetail:
    """What went wrong: `code` is for programs, `message` for people, `hint` says what to do.

    `retry_after` is the number of seconds to wait before the next attempt, if the server is only busy.
    """

    code: str
    message: str
    hint: str
    # In the body too: a page of another origin does not see the header.
    retry_after: int | None = None


@dataclass(frozen=True, slots=True)
class ServedBuild:
    """What a build writes beside the widget in its site. For a widget that it serves itself, the server sends the same.

    `questions` says that there is a `questions.json`. `bases` are the addresses where the sites of the index are
    published, as far as they are known: the widget finds its own site among them.
    """

    generation: str
    questions: bool
    bases: tuple[str, ...]
