"""Makes the text of a query and filters safe for LanceDB, which takes filters as SQL.

A reader's text reaches LanceDB only through `clean_query`, `whole_words` and `quote`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from trueref_core.text.printable import without_surrogates

MAX_CHARACTERS = 2_000
MAX_TERMS = 64
"""The most words of a query that are searched. A question has about a dozen, and each costs reading a posting list in
four columns."""

BETWEEN_WORDS = re.compile(r"[\s()\[\]{}<>\"'`“”‘’,;=|]+")
"""Matches what separates identifiers: white space, brackets, quotes and signs that no identifier has."""

AROUND_WORDS = ".:!?-_*&#@/\\+~^%$。、，！？：；"
"""Signs that identifiers may have inside, and that are removed around them."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Restricts a search to chunks that have one of these values in each field.

    None does not restrict a field, `""` stands for chunks without a value. `editions` are pairs of site and version.
    """

    editions: tuple[tuple[str, str], ...] | None = None
    languages: tuple[str, ...] | None = None
    page: str | None = None

    def allow(self, site: str, version: str, language: str, page: str) -> bool:
        """Whether a chunk with these values may be found."""
        return (
            (self.editions is None or (site, version) in self.editions)
            and (self.languages is None or language in self.languages)
            and (self.page is None or page == self.page)
        )


def where_clause(filters: Filters | None) -> str | None:
    """The SQL condition of filters, None if nothing restricts the search."""
    if filters is None:
        return None
    clauses: list[str] = []
    if filters.editions is not None:
        clauses.append(f"({pairs_clause(filters.editions, 'version')})" if filters.editions else "false")
    if filters.languages is not None:
        clauses.append(one_of("language", filters.languages) if filters.languages else "false")
    if filters.page is not None:
        clauses.append(f"page = {quote(filters.page)}")
    return " AND ".join(clauses) or None


def pairs_clause(pairs: Iterable[tuple[str, str]], column: str) -> str:
    """The SQL condition that the site and another column have the two values of one of the pairs, at least one pair."""
    by_site: dict[str, list[str]] = {}
    for site, value in pairs:
        by_site.setdefault(site, []).append(value)
    return " OR ".join(f"(site = {quote(site)} AND {one_of(column, values)})" for site, values in by_site.items())


def one_of(column: str, values: Iterable[str]) -> str:
    """The SQL condition that a column has one of the values, of which there must be at least one."""
    return f"{column} IN ({', '.join(map(quote, values))})"


def quote(value: str) -> str:
    """A value as an SQL string literal. Only a quote has a meaning inside a literal, so quotes are doubled."""
    return "'" + without_surrogates(value).replace("'", "''") + "'"


def clean_query(text: str) -> str:
    """The terms to search for, each once, in order; "" if there is none with a letter or digit.

    Control characters separate words. At most `MAX_CHARACTERS` characters and `MAX_TERMS` words are used.
    """
    readable = "".join(
        character if character.isprintable() else " " for character in without_surrogates(text[:MAX_CHARACTERS])
    )
    words = list(dict.fromkeys(readable.split()))[:MAX_TERMS]
    return " ".join(words) if any(character.isalnum() for word in words for character in word) else ""


def whole_words(texts: Iterable[str]) -> str:
    """The words of texts without the signs around them, each once, so that identifiers are searched as whole terms.

    `--no-deps`, `foo.bar_baz()` and `mkdocs.yml,` become `no-deps`, `foo.bar_baz` and `mkdocs.yml`, in the index and in
    a query alike.
    """
    words = (word.strip(AROUND_WORDS).lower() for text in texts for word in BETWEEN_WORDS.split(text))
    return " ".join(dict.fromkeys(word for word in words if word))
