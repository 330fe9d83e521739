"""Decides by an embedder's name whether it was trained on the languages of a site, without importing the model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from trueref_core.records import Page
from trueref_core.text.word_forms import language_of

MULTILINGUAL: Final = "sentence-transformers/paraphrase-multilingual-mpnet-base-v2"
"""The model that is suggested for other languages. It knows 50, and reads 512 tokens, so that every chunk fits."""

_ENGLISH_FAMILIES: Final = frozenset("bge mxbai snowflake all constella gte nomic".split())
"""Families of models that are for English unless the model's name has another language."""
_LANGUAGE_IN_NAME: Final = re.compile(r"-(en|zh|de|es)(?:-|\Z)")


def languages_read(embedder: str) -> frozenset[str]:
    """The languages that an embedder was trained on, empty if its name does not tell them.

    Args:
        embedder: Name of the embedder, as a generation keeps it.
    """
    name = embedder.rpartition("/")[2].lower()
    if embedder.startswith("bundled/"):
        return frozenset(("en",))
    named = _LANGUAGE_IN_NAME.search(name)
    if named is not None:
        # Models for another language were trained on pairs of that language and English.
        return frozenset(("en", named[1]))
    return frozenset(("en",)) if name.split("-")[0] in _ENGLISH_FAMILIES and "multilingual" not in name else frozenset()


def reads_any(embedder: str, languages: Iterable[str]) -> bool:
    """Whether an embedder was trained on at least one of some languages; True if its languages are not known.

    Args:
        embedder: Name of the embedder, as a generation keeps it.
        languages: Languages as pages name them; "" for pages that name none, which may be in any language.
    """
    read = languages_read(embedder)
    return not read or any(not tag or language_of(tag) in read for tag in languages)


def untrained_language_warning(embedder: str, pages: Iterable[Page]) -> str:
    """A line for the maintainer if an embedder was not trained on the language of some pages, else "".

    Args:
        embedder: Name of the embedder, as a generation keeps it.
        pages: The pages of the index. Only searched pages whose language is known count.
    """
    searched = [page.language for page in pages if not page.hidden and page.kind != "redirect"]
    unread = Counter(tag for tag in searched if not reads_any(embedder, (tag,)))
    if not unread:
        return ""
    tags = ", ".join(tag for tag, _ in sorted(unread.items(), key=lambda item: (-item[1], item[0])))
    named = " and ".join(sorted(languages_read(embedder)))
    return (
        f"The embedder {embedder.partition('@')[0]} knows {named}, and {unread.total()} of {len(searched)} pages are "
        f"in {tags}: questions in these languages are answered by words alone. To find such pages by meaning "
        f"set a multilingual model such as `{MULTILINGUAL}`; `embedder: lexical` is built faster."
    )
