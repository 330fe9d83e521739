"""Decides which language each page of a site is in: by what it says, and by its prose where it says nothing.

A page that says it is in English may be in another language, since that is the default of most themes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from trueref_core.text.word_forms import ENGLISH, language_of
from trueref_plugin.reading.parsed import Head

MOST: Final = 1 / 2
"""The share of the pages of a folder beyond which their language is that of the folder."""


def page_languages(heads: Mapping[str, Head]) -> dict[str, str]:
    """The language of each page, by file; "" where it is not known.

    If no page is in another language than English, each page has the language that it names. If most pages of a folder
    at the root of the site are in another language, so are those whose prose tells no language, and those that are not
    translated: a reader of the folder would not be shown the latter if they were called English.

    Args:
        heads: The head of each page, by file.
    """
    languages = {file: _language_of_page(head) for file, head in heads.items()}
    if all(language_of(language) in ("", ENGLISH) for language in languages.values()):
        return {file: head.language for file, head in heads.items()}
    in_folder: dict[str, Counter[str]] = {}
    for file, language in languages.items():
        if language:
            in_folder.setdefault(_folder(file), Counter())[language] += 1
    for file, language in languages.items():
        if language in ("", ENGLISH) and not heads[file].language:
            languages[file] = _of_most(in_folder.get(_folder(file), Counter())) or language
    return languages


def _language_of_page(head: Head) -> str:
    """The language that a page names, or that its prose is in if it names none, or names English only by default."""
    is_foreign = head.prose_language not in ("", ENGLISH)
    by_default = not head.language or (language_of(head.language) == ENGLISH and is_foreign)
    return head.prose_language if by_default else head.language


def _folder(file: str) -> str:
    """The folder at the root of the site that a file is in, "" for a file at the root."""
    return file.rpartition("/")[0].partition("/")[0]


def _of_most(counts: Counter[str]) -> str:
    """The language that more than half of the pages are in, "" if there is none."""
    language, count = next(iter(counts.most_common(1)), ("", 0))
    return language if count > MOST * counts.total() else ""
