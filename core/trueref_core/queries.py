"""What may be asked of the tables: query text made safe to search with, and filters made into SQL.

Text of a reader reaches LanceDB only through `clean_query`, `whole_words` and `quote`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields

MOST_CHARACTERS = 2_000
# A question has a dozen terms; each one more costs a posting list in four columns.
MOST_TERMS = 64

BETWEEN_WORDS = re.compile(r"[\s()\[\]{}<>\"'`“”‘’,;=|]+")
AROUND_WORDS = ".:!?-_*&#@/\\+~^%$。、，！？：；"


@dataclass(frozen=True, slots=True)
class Filters:
    """Restricts a search to chunks with these values. None leaves a field free, `""` asks for chunks without one."""

    site: str | None = None
    version: str | None = None
    language: str | None = None
    page: str | None = None

    def given(self) -> dict[str, str]:
        """The fields that restrict, with their values."""
        pairs = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: value for name, value in pairs if value is not None}


def where_clause(filters: Filters | None) -> str | None:
    """The SQL condition of filters, None where nothing restricts."""
    return (
        " AND ".join(f"{name} = {quote(value)}" for name, value in filters.given().items()) or None if filters else None
    )


def quote(value: str) -> str:
    """A value as an SQL string literal. Inside one, only the quote itself means anything, and is doubled."""
    return "'" + without_surrogates(value).replace("'", "''") + "'"


def clean_query(text: str) -> str:
    """The terms to search for, each once, in order; empty where nothing can be found.

    Control characters separate words. At most 2,000 characters and 64 words are looked at.
    """
    readable = "".join(c if c.isprintable() else " " for c in without_surrogates(text[:MOST_CHARACTERS]))
    words = list(dict.fromkeys(readable.split()))[:MOST_TERMS]
    return " ".join(words) if any(c.isalnum() for word in words for c in word) else ""


def whole_words(texts: Iterable[str]) -> str:
    """Identifiers, options and file names as whole terms, each once.

    `--no-deps`, `foo.bar_baz()` and `mkdocs.yml,` lose only what stands around them, in the index and in a query alike.
    """
    words = (word.strip(AROUND_WORDS).lower() for text in texts for word in BETWEEN_WORDS.split(text))
    return " ".join(dict.fromkeys(word for word in words if word))


def without_surrogates(text: str) -> str:
    """A text without lone surrogates, which have no UTF-8 form."""
    return text.encode("utf-8", "ignore").decode("utf-8")


def pages_clause(pages: Iterable[tuple[str, str]], page_column: str) -> str:
    """The SQL condition for the rows of some pages, given by site and page; there is at least one."""
    by_site: dict[str, list[str]] = {}
    for site, page in pages:
        by_site.setdefault(site, []).append(page)
    return " OR ".join(
        f"(site = {quote(site)} AND {page_column} IN ({', '.join(map(quote, names))}))"
        for site, names in by_site.items()
    )


def ids_clause(ids: Iterable[str]) -> str:
    """The SQL condition for the chunks with some ids; there is at least one."""
    return f"id IN ({', '.join(map(quote, ids))})"


def texts_clause(text_hashes: Iterable[str]) -> str:
    """The SQL condition for the chunks with some text hashes; there is at least one."""
    return f"text_hash IN ({', '.join(map(quote, text_hashes))})"
