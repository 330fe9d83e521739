"""Forms of words for full-text search: without accents, stemmed by their language, Hangul as pairs of syllables.

LanceDB splits words of every script and removes English endings. All other forms are in a column of their own, which is
empty for most pages in English. It lets `cafe` find `café`, `Strasse` find `Straße`, `verschlüsseln` find
`verschlüsselt`, and 일기 find 일기를.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from py_rust_stemmers import SnowballStemmer

MAX_CHARACTERS: Final = 20_000
"""Only the words in this many characters of a text are used: a block of code may be very long."""

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
"""The language of most documentation. Some rules were made for this language only."""

_ENGLISH_QUESTION_WORDS: Final = frozenset(
    "and could does from how should that the this what where which why with would you".split()
)
"""Words that are common in English questions and rare in those of the languages of `STEMMERS`: `and` is a duck in
Danish."""

WORD: Final = re.compile(r"[^\W_]+")
HANGUL: Final = re.compile("[\uac00-\ud7a3]+")
_ACCENTS: Final = re.compile("(?<!\u0438)\u0306|[\u0300-\u0305\u0307-\u036f]")
"""Combining marks of European scripts. In other scripts, combining marks are vowels. The breve of \u0439 is left out,
since \u0439 is a letter of its own."""
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
    """The overlapping pairs of characters in a run; a single character is returned as it is."""
    return [run[at : at + 2] for at in range(max(len(run) - 1, 1))]


def indexed_forms(text: str, language: str) -> str:
    """The word forms that a chunk's column `word_forms` holds: those that no other column has, each once.

    The result is "" for most English text.

    Args:
        text: The searched text of a chunk.
        language: The language of the text as its page names it, "" if the page names none.
    """
    code = language_of(language)
    return " ".join(_forms(text[:MAX_CHARACTERS], [code], all_words=code in STEMMERS))


def query_forms(query: str, languages: Iterable[str]) -> str:
    """The forms of a question's words that are searched for in the column `word_forms`.

    An English question is not stemmed as another language: otherwise untranslated English text on pages of another
    language would rank before the English page.

    Args:
        query: The question.
        languages: The languages of the index, as its pages name them.
    """
    codes = sorted({language_of(language) for language in languages})
    english = is_english(query)
    return " ".join(_forms(query[:MAX_CHARACTERS], [] if english else codes, all_words=not english))


def is_english(question: str) -> bool:
    """Whether a question has a word of `_ENGLISH_QUESTION_WORDS`."""
    return not _ENGLISH_QUESTION_WORDS.isdisjoint(WORD.findall(question.lower()))


def _forms(text: str, languages: list[str], *, all_words: bool) -> list[str]:
    """The forms of the words of a text, each once; those of ASCII words are left out unless `all_words` is set."""
    if text.isascii() and not all_words:
        return []
    forms: dict[str, None] = {}
    # Composed first: a combining mark of its own is no word character and would split the word.
    for word in WORD.findall(unicodedata.normalize("NFC", text)):
        plain = folded(word)
        if HANGUL.search(plain):
            forms.update(dict.fromkeys(pair for run in HANGUL.findall(plain) for pair in pairs(run)))
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
