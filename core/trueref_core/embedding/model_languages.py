"""Decides whether an embedder was trained on the languages of a site. Imports no model, for `trueref info`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from trueref_core.records import Page
from trueref_core.text.word_forms import language_of

MULTILINGUAL: Final = "sentence-transformers/paraphrase-multilingual-mpnet-base-v2"
"""The model that is suggested for other languages: it knows 50, and reads 512 tokens, so that every chunk fits."""

_ENGLISH: Final = frozenset("bge mxbai snowflake all constella gte nomic".split())
"""Families of models that are for English unless the name has another language."""
_NAMED: Final = re.compile(r"-(en|zh|de|es)(?:-|\Z)")


def languages_read(embedder: str) -> frozenset[str]:
    """The languages that an embedder was trained on, empty if its name does not show them.

    Args:
        embedder: Its identity, as a generation keeps it.
    """
    name = embedder.rpartition("/")[2].lower()
    if embedder.startswith("bundled/"):
        return frozenset(("en",))
    named = _NAMED.search(name)
    if named is not None:
        # Models for another language were trained on pairs with English.
        return frozenset(("en", named[1]))
    return frozenset(("en",)) if name.split("-")[0] in _ENGLISH and "multilingual" not in name else frozenset()


def reads_any(embedder: str, languages: Iterable[str]) -> bool:
    """Whether an embedder was trained on one of some languages; True if that is not known.

    Args:
        embedder: Its identity, as a generation keeps it.
        languages: As pages name them; "" for pages that name none, which may be in any.
    """
    read = languages_read(embedder)
    return not read or any(not tag or language_of(tag) in read for tag in languages)


def unfit_line(embedder: str, pages: Iterable[Page]) -> str:
    """A line for the maintainer if an embedder does not fit the language of pages, else "".

    Args:
        embedder: Its identity, as a generation keeps it.
        pages: Those of the index. Only searched pages count, and only those that name a language.
    """
    searched = [page.language for page in pages if not page.hidden and page.kind != "redirect"]
    unread = Counter(tag for tag in searched if not reads_any(embedder, (tag,)))
    if not unread:
        return ""
    tags = ", ".join(tag for tag, _ in sorted(unread.items(), key=lambda item: (-item[1], item[0])))
    named = " and ".join(sorted(languages_read(embedder)))
    return (
        f"The embedder {embedder.partition('@')[0]} knows {named}, and {unread.total()} of {len(searched)} pages say "
        f"they are in {tags}: questions in these languages are answered by words alone. To find such pages by meaning "
        f"set a multilingual model such as `{MULTILINGUAL}`; `embedder: lexical` is built faster."
    )
