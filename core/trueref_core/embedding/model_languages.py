"""Whether an embedder was made for the languages of a site. Imports no model: `trueref info` asks this too."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from trueref_core.records import Page
from trueref_core.text.word_forms import language_of

MULTILINGUAL: Final = "sentence-transformers/paraphrase-multilingual-mpnet-base-v2"
"""Knows 50 languages and reads 512 tokens, so that every chunk fits."""

_ENGLISH: Final = frozenset("bge mxbai snowflake all constella gte nomic".split())
"""Families of models that are English unless the name says otherwise."""
_NAMED: Final = re.compile(r"-(en|zh|de|es)(?:-|\Z)")


def languages_read(embedder: str) -> frozenset[str]:
    """The languages that an embedder was made for, empty where its name does not tell.

    Args:
        embedder: Its identity, as a generation keeps it.
    """
    name = embedder.rpartition("/")[2].lower()
    if embedder.startswith("bundled/"):
        return frozenset(("en",))
    named = _NAMED.search(name)
    if named is not None:
        # Those for another language were trained on pairs with English.
        return frozenset(("en", named[1]))
    return frozenset(("en",)) if name.split("-")[0] in _ENGLISH and "multilingual" not in name else frozenset()


def unfit_line(embedder: str, pages: Iterable[Page]) -> str:
    """One line for the maintainer where an embedder does not fit the language of pages; "" where nothing is to do.

    Args:
        embedder: Its identity, as a generation keeps it.
        pages: Those of the index. Only what is searched counts, and only pages that name a language.
    """
    read = languages_read(embedder)
    if not read:
        return ""
    searched = [page.language for page in pages if not page.hidden and page.kind != "redirect"]
    unread = Counter(tag for tag in searched if tag and language_of(tag) not in read)
    if not unread:
        return ""
    tags = ", ".join(tag for tag, _ in sorted(unread.items(), key=lambda item: (-item[1], item[0])))
    known = " and ".join(sorted(read))
    return (
        f"The embedder {embedder.partition('@')[0]} knows {known}, and {unread.total()} of {len(searched)} pages say "
        f"they are in {tags}: set `embedder: lexical`, or a multilingual model such as `{MULTILINGUAL}`."
    )
