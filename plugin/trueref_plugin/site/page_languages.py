"""Decides which language each page of a site is in: by what it says, and by its prose where it says nothing.

A page that says it is in English may be in another language, since that is the default of most themes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from trueref_core.matching.page_match import is_language
from trueref_core.text.word_forms import ENGLISH, language_of
from trueref_plugin.reading.parsed import Head

MOST: Final = 1 / 2
"""The share of the pages of a folder beyond which their language is that of the folder."""


def page_languages(heads: Mapping[str, Head]) -> dict[str, str]:
    """The language of each page, by file; "" where it is not known.

    If no page is in another language than English, each page has the language that it names. If most pages of a folder
    are in another language, so are those whose prose tells no language, and those that are not translated: a reader of
    the folder would not be shown the latter if they were called English. Those that name English count among them where
    the folder's theme calls pages of its language English too. A folder is one for a language, or at the root.

    Args:
        heads: The head of each page, by file.
    """
    by_prose = _most_of_folders({file: head.prose_language for file, head in heads.items()})
    languages = {file: _language_of_page(head, by_prose.get(_folder(file), "")) for file, head in heads.items()}
    if all(language_of(language) in ("", ENGLISH) for language in languages.values()):
        return {file: head.language for file, head in heads.items()}
    by_folder, by_default = _most_of_folders(languages), _english_by_default(heads, by_prose)
    for file, language in languages.items():
        folder = _folder(file)
        if folder in by_default and language_of(language) in ("", ENGLISH):
            languages[file] = by_prose[folder]
        elif language in ("", ENGLISH) and not heads[file].language:
            languages[file] = by_folder.get(folder, "") or language
    return languages


def _english_by_default(heads: Mapping[str, Head], by_prose: Mapping[str, str]) -> set[str]:
    """The folders whose pages name English only because their theme does: most of those in the folder's language do.

    Args:
        heads: The head of each page, by file.
        by_prose: By folder, the language that the prose of most of its pages is in.
    """
    in_language = {file: head for file, head in heads.items() if head.prose_language == by_prose.get(_folder(file))}
    named = _most_of_folders({file: language_of(head.language) for file, head in in_language.items()})
    return {folder for folder, language in named.items() if language == ENGLISH != by_prose[folder]}


def _language_of_page(head: Head, of_folder: str) -> str:
    """The language that a page names, or that its prose is in if it names none, or names English only by default.

    It names English by default if most pages of its folder are in the language of its prose. A single page that names
    English may be about a text in another language, and readers of English docs are to find it.

    Args:
        head: The head of the page.
        of_folder: The language that the prose of most pages in its folder is in.
    """
    if not head.language:
        return head.prose_language
    is_english_by_default = language_of(head.language) == ENGLISH and of_folder == head.prose_language != ""
    return head.prose_language if is_english_by_default and of_folder != ENGLISH else head.language


def _most_of_folders(languages: Mapping[str, str]) -> dict[str, str]:
    """By folder, the language of more than half of its pages whose language is known."""
    counts: dict[str, Counter[str]] = {}
    for file, language in languages.items():
        if language:
            counts.setdefault(_folder(file), Counter())[language] += 1
    most = {folder: counted.most_common(1)[0] for folder, counted in counts.items()}
    return {folder: language for folder, (language, count) in most.items() if count > MOST * counts[folder].total()}


def _folder(file: str) -> str:
    """The folder of a file whose name is a language, such as `1.0/de`; else the one at the root, "" for none."""
    folders = file.split("/")[:-1]
    depth = next((depth for depth, name in enumerate(folders, start=1) if is_language(name)), 1)
    return "/".join(folders[:depth])
