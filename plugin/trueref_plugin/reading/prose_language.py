"""Recognises the language that the prose of a page is in: by its script, or by its most frequent words.

Many pages name no language (DocBook writes it on the first page only), and themes call pages English that are in
another one. Source of the method: Grefenstette, Comparing two language identification schemes, 1995, which found short
words as good as trigrams from a few dozen words on.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from typing import Final

MAX_PROSE: Final = 10_000
"""How many characters of a page are looked at. With 5,000, three of 255 pages were in no language: all of them are
translated in part."""

MIN_LETTERS: Final = 60
"""The fewest letters of a script by which a language is recognised."""

SCRIPT_SHARE: Final = 0.2
"""The least share of a script's letters: prose about software has many names in Latin letters, which take more letters
for a word than Chinese does."""

KANA_SHARE: Final = 0.1
"""The least share of kana in Japanese, of all its letters that are not Latin: some 60 % of them are kana."""

MIN_WORDS: Final = 40
"""The fewest words by which a language in Latin letters is recognised."""

WORD_SHARE: Final = 0.15
"""The least share of its frequent words in the prose of a language. In the manuals of Debian and GIMP they are .26 to
.33 of the words at the median."""

BEYOND_ENGLISH: Final = 2.0
"""How many times as common as English ones the words of another language have to be: manuals are translated in part."""

OTHER_SHARE: Final = 0.01
"""The share of telling words of other languages from which on none is recognised: a page may quote one of them."""

_SCRIPTS: Final = {
    "kana": re.compile("[\u3041-\u30ff\uff66-\uff9d]"),
    "zh": re.compile("[\u3400-\u9fff]"),
    "ko": re.compile("[\uac00-\ud7a3]"),
    "ru": re.compile("[\u0430-\u044f\u0451]"),
    "el": re.compile("[\u03b1-\u03c9\u03ac-\u03ce]"),
    "ar": re.compile("[\u0621-\u064a]"),
    "th": re.compile("[\u0e01-\u0e4e]"),
    "ta": re.compile("[\u0b82-\u0bcd]"),
}
"""What matches a letter of the script of each language. Han without kana is Chinese."""

_OTHER_LANGUAGES: Final = {
    "ru": re.compile("[\u0450\u0452-\u045f\u0491-\u04ff]"),
    "ar": re.compile("[\u067e\u0686\u0698\u06af\u0679]"),
}
"""Letters of other languages with nearly the same script: all Cyrillic ones that Russian does not have, such as those
of Ukrainian, Serbian, Kazakh and Mongolian; Persian and Urdu."""

_RUSSIAN: Final = "\u044b"
"""A letter that is frequent in Russian. Bulgarian and Macedonian do not have it."""

# In Python, combining marks are no letters. Each run of other signs is cut as well, which tells no language.
_MARKS: Final = re.compile(r"([^\w\s]{4})[^\w\s]+")

_LATIN_WORD: Final = re.compile(r"[^\W\d_]{2,40}")

_FREQUENT: Final = {
    language: frozenset(text.split())
    for language, text in {
        "en": "the of and to in is that for it with as are be this on or by an from you can not which if will have at",
        "da": "og at det er en den til på de som med for af ikke der et kan eller har om hvis du efter",
        "de": "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden wird "
        "oder sie bei aus zum kann",
        "es": "de la que el en los se del las un por con no una para es al lo como más su puede si este",
        "fi": "ja on ei se että tai ovat voi kun joka sen myös jos mutta kuin niin",
        "fr": "de la le et les des en un du une que est pour qui dans par plus pas au sur ne se ce il sont avec ou",
        "hu": "az és hogy nem egy is ha vagy ez meg csak kell de lehet",
        "it": "di il la che in un per una sono con non del da le si della dei alla nel gli come può",
        "nb": "og at det er en den til på de som med for av ikke der et kan eller har om hvis du etter",
        "nl": "de het een van en in is dat te op zijn met voor niet aan er om door als ook wordt of kan",
        "pl": "na do nie się jest to że jak lub dla przez oraz po za są od jeśli który",
        "pt": "de que do da em um para com não uma os no se na por mais as dos como ou ao pode",
        "ro": "de și în la cu pe nu un este să din pentru care sau că mai ce se",
        "sv": "och att det som en på är av för den med till inte om ett kan eller de har",
        "tr": "ve bir bu için ile olarak da de veya olan gibi daha her çok",
    }.items()
}
"""The most frequent words of a language, after the lists of stop words of Snowball, without single letters.

Danish and Norwegian have the same words but for those that they spell in two ways.
"""

_OTHER_WORDS: Final = {
    language: frozenset(text.split())
    for language, text in {
        "de": "dit hierdie jy vir",
        "es": "amb els és feu kaj perquè podeu",
        "nl": "hierdie jy nie vir",
        "pt": "coa cunha dunha máis nunha unha",
    }.items()
}
"""Frequent words of other languages that share many with the language: Afrikaans, Catalan, Esperanto and Galician."""


def prose_language(texts: Iterable[str]) -> str:
    """The language of some prose, `en` among them; "" if there is too little of it, or none is recognised.

    Args:
        texts: The paragraphs of a page, without code.
    """
    # Composed first: `größe` with a combining mark would be two words. The time for that grows with the square of the
    # length of a run of marks, and no letter has more than four.
    prose = unicodedata.normalize("NFC", _MARKS.sub(r"\1", "\n".join(texts)[:MAX_PROSE])).lower()
    return _by_script(prose) or _by_words(prose)


def _by_script(prose: str) -> str:
    """The language of a script of its own that much of a text is in, "" if there is none."""
    if prose.isascii():
        return ""
    counts = Counter({language: len(letter.findall(prose)) for language, letter in _SCRIPTS.items()})
    counts["zh"] += (kana := counts.pop("kana"))
    language, count = counts.most_common(1)[0]
    if count < MIN_LETTERS or count < SCRIPT_SHARE * sum(map(str.isalpha, prose)):
        return ""
    if language == "zh" and kana >= KANA_SHARE * count:
        return "ja"
    if language in _OTHER_LANGUAGES and _OTHER_LANGUAGES[language].search(prose):
        return ""
    return language if language != "ru" or _RUSSIAN in prose else ""


def _by_words(prose: str) -> str:
    """The language of Latin letters whose frequent words a text has, "" if there is none."""
    counts = Counter(_LATIN_WORD.findall(prose))
    total = counts.total()
    if total < MIN_WORDS:
        return ""
    shares = {language: _count(counts, of) / total for language, of in _FREQUENT.items()}
    best = max(shares, key=shares.__getitem__)
    others = _count(counts, _OTHER_WORDS.get(best, ()))
    if shares[best] < WORD_SHARE or others > OTHER_SHARE * total:
        return ""
    return best if best == "en" or shares[best] >= BEYOND_ENGLISH * shares["en"] else ""


def _count(counts: Counter[str], listed: Iterable[str]) -> int:
    """How many words of a text are among those of a list."""
    return sum(counts[word] for word in listed)
