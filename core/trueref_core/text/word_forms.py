"""Forms of words for the search: without accents, without the endings of their language, Hangul in pairs.

LanceDB splits words of every script, and removes English endings. Other forms are in a column of their own, which is
empty for a site in English. With it `café` is found by `cafe`, `Straße` by `Strasse`, `verschlüsselt` by
`verschlüsseln`, and 일기를 by 일기.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from py_rust_stemmers import SnowballStemmer

LONGEST: Final = 20_000
"""Characters of a text whose words are used: a block of code may be as long as a page."""

STEMMERS: Final = {
    "ar": "arabic",
    "da": "danish",
    "nl": "dutch",
    "fi": "finnish",
    "fr": "french",
    "de": "german",
    "el": "greek",
    "hu": "hungarian",
    "it": "italian",
    "nb": "norwegian",
    "nn": "norwegian",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "es": "spanish",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
}
"""Snowball stemmers by language. English is not among them: the columns of the text itself are stemmed in English."""

ENGLISH: Final = "en"
"""The language of most documentation, and the only one that some rules were made for."""

_ENGLISH: Final = frozenset("and could does from how should that the this what where which why with would you".split())
"""Words that are common in English questions and do not exist in the languages above."""

_WORD: Final = re.compile(r"[^\W_]+")
_HANGUL: Final = re.compile("[\uac00-\ud7a3]+")
_ACCENTS: Final = re.compile("(?<!\u0438)\u0306|[\u0300-\u0305\u0307-\u036f]")
"""Combining marks of European scripts. Those of other scripts are vowels, and \u0439 is a letter of its own."""
_UNSPACED: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


def folded(text: str) -> str:
    """A text in lower case without accents: `Größe` is `grosse`, `CAFÉ` is `cafe`."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFKD", text.casefold())))


@lru_cache(maxsize=1_000)
def language_of(tag: str) -> str:
    """The language of a tag such as `de-CH` or `pt_BR`, in lower case."""
    return tag.replace("_", "-").partition("-")[0].lower()


def pairs(run: str) -> list[str]:
    """A run of characters as its overlapping pairs; one character alone is itself."""
    return [run[at : at + 2] for at in range(max(len(run) - 1, 1))]


def indexed_forms(text: str, language: str) -> str:
    """The forms of a text's words that the other columns do not have, each once; "" for most English text.

    Args:
        text: The searched text of a chunk.
        language: Its language as the page names it, "" if it names none.
    """
    code = language_of(language)
    return " ".join(_forms(text[:LONGEST], [code], all_words=code in STEMMERS))


def asked_forms(query: str, languages: Iterable[str]) -> str:
    """The forms of a question's words, in the form in which they are in the index.

    The endings of other languages are not removed from an English question: otherwise untranslated English text among
    the pages of another language would be found before the English page.

    Args:
        query: The question.
        languages: The languages of the index, as its pages name them.
    """
    codes = sorted({language_of(language) for language in languages})
    english = is_english(query)
    return " ".join(_forms(query[:LONGEST], [] if english else codes, all_words=not english))


def is_english(question: str) -> bool:
    """Whether a question has a word that is common in English questions and in those of no other language here."""
    return not _ENGLISH.isdisjoint(_WORD.findall(question.lower()))


def _forms(text: str, languages: list[str], *, all_words: bool) -> list[str]:
    """The forms of words; of ASCII words only if `all_words` are wanted."""
    if text.isascii() and not all_words:
        return []
    forms: dict[str, None] = {}
    # Composed first: a combining mark alone is no word character, and would divide the word.
    for word in _WORD.findall(unicodedata.normalize("NFC", text)):
        plain = folded(word)
        if _HANGUL.search(plain):
            forms.update(dict.fromkeys(pair for run in _HANGUL.findall(plain) for pair in pairs(run)))
        elif (all_words or not word.isascii()) and not _UNSPACED.search(plain):
            forms[plain] = None
            for language in languages:
                if language in STEMMERS:
                    # Stemmers recognise some endings by their accents, so accents are removed afterwards.
                    forms[folded(_stemmer(language).stem_word(word.casefold()))] = None
    return list(forms)


@cache
def _stemmer(language: str) -> SnowballStemmer:
    """The stemmer of a language, made once."""
    from py_rust_stemmers import SnowballStemmer

    return SnowballStemmer(STEMMERS[language])
