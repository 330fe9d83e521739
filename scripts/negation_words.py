"""Compares the words for "not" of each language with those of English, on translated messages of programs.

    python -m scripts.negation_words [--locales /usr/share/locale] [--misses LANGUAGE]

A message and its translation say the same, so either both have a negation or none has. The messages are those of the
programs of this machine. A second figure leaves out messages about failures: `invalid` and `failed to` have no word for
"not" in English, but are translated by "not valid" and "could not".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from gettext import GNUTranslations
from pathlib import Path
from typing import Final, cast

from scripts.arguments import parser_of

from trueref_core.text.word_forms import ENGLISH
from trueref_server.model.checking.negation import LANGUAGES, is_negated

MIN_WORDS: Final = 5
MAX_CHARACTERS: Final = 200

LOCALES: Final = {"pt": ("pt_BR", "pt"), "zh": ("zh_CN",)}
"""The folders of languages that have another name than the code of the language."""

DENIES_WITHOUT_NOT = re.compile(
    r"\b(?:fail|unable|invalid|missing|un(?:known|able|supported|expected|defined|recognized)|incorrect|illegal|bad\b|disab"
    r"|non-|ignor|exclud|refus|empty|error|warn|lack|absen|out of|omit|prevent|impossib|den[iy])",
    re.IGNORECASE,
)


def translated(folder: Path, language: str) -> Iterator[tuple[str, str]]:
    """The English messages of programs, each once and with its translation into a language."""
    messages: dict[str, str] = {}
    for locale in LOCALES.get(language, (language,)):
        for path in sorted((folder / locale / "LC_MESSAGES").glob("*.mo")):
            for key, text in _catalog(path).items():
                english = key[0] if isinstance(key, tuple) else key
                if isinstance(english, str) and isinstance(text, str) and _is_sentence(english, text):
                    messages.setdefault(english, text)
    yield from messages.items()


def _catalog(path: Path) -> Mapping[object, object]:
    """The messages of a program; none if the file does not name their encoding."""
    try:
        with path.open("rb") as file:
            return cast("Mapping[object, object]", vars(GNUTranslations(file))["_catalog"])
    except UnicodeDecodeError:
        return {}


def _is_sentence(english: str, text: str) -> bool:
    """Whether a message is a sentence in one line, and is translated."""
    is_line = len(english.split()) >= MIN_WORDS and len(english) < MAX_CHARACTERS and "\n" not in english.strip()
    return is_line and text not in ("", english)


def _agreement(pairs: Sequence[tuple[str, str]], language: str) -> str:
    """How often English and a language have a negation in the same message."""
    negations = [(is_negated(english, ENGLISH), is_negated(text, language)) for english, text in pairs]
    both, language_count, english_count = (
        sum(map(test, negations)) for test in (all, lambda pair: pair[1], lambda pair: pair[0])
    )
    agreed = sum(english == other for english, other in negations) / max(1, len(pairs))
    return (
        f"{len(pairs)} messages, agree {agreed:.3f}, of what English denies {both / max(1, english_count):.3f},"
        f" of what it denies {both / max(1, language_count):.3f}"
    )


def main() -> None:
    """Prints for each language how often it agrees with English."""
    parser = parser_of(__doc__)
    parser.add_argument("--locales", type=Path, default=Path("/usr/share/locale"), help="folder of translations")
    parser.add_argument("--misses", choices=sorted(LANGUAGES), help="print the messages that one of both denies")
    options = parser.parse_args()
    for language in LANGUAGES:
        all_pairs = list(translated(options.locales, language))
        print(f"{language}, all: {_agreement(all_pairs, language)}")
        pairs = [(english, text) for english, text in all_pairs if DENIES_WITHOUT_NOT.search(english) is None]
        print(f"{language}, without those about failures: {_agreement(pairs, language)}")
        negations = [(is_negated(english, ENGLISH), is_negated(text, language)) for english, text in pairs]
        if language == options.misses:
            for (english, text), (is_english_negated, is_translation_negated) in zip(pairs, negations, strict=True):
                if is_english_negated != is_translation_negated:
                    print(f"  {english!r} | {text!r}")


if __name__ == "__main__":
    main()
