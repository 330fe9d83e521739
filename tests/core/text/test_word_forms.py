from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.work import is_linear

from trueref_core.text.word_forms import STEMMERS, folded, indexed_forms, language_of, query_forms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CAFÉ", "cafe"),
        ("cafe\u0301", "cafe"),
        ("Straße Größe", "strasse grosse"),
        ("Ångström", "angstrom"),
        ("ёлка", "елка"),
        ("Файл", "файл"),
        ("Ağaç ă", "agac a"),
        ("ｆｕｌｌ", "full"),
        # Marks of other scripts are vowels, and Hangul stays whole.
        ("हिन्दी", "हिन्दी"),
        ("ที่", "ที่"),
        ("한국어", "한국어"),
        ("が", "か\u3099"),
    ],
)
def test_letters_are_folded_to_small_ones_without_their_marks(text: str, expected: str) -> None:
    assert folded(text) == unicodedata.normalize("NFC", expected)


@pytest.mark.parametrize(
    ("text", "language", "asked"),
    [
        ("Le café est fermé.", "fr", "cafe"),
        ("Le cafe\u0301 est fermé.", "fr", "café"),
        ("Die Straße ist lang.", "de", "Strasse"),
        ("Der Weg in der Strasse.", "de-CH", "Straße"),
        ("Die Bienenstöcke stehen dort.", "de", "Bienenstock"),
        ("Los archivos fueron cifrados.", "es", "archivo cifrado"),
        ("Файлы зашифрованы.", "ru", "файл"),
        ("Bikuporna är krypterade.", "sv-SE", "krypterad"),
        ("일기는 암호로 보호됩니다.", "ko", "일기를"),
        ("A naïve reader", "en", "naive"),
    ],
)
def test_a_word_that_is_asked_meets_the_forms_that_a_text_has(text: str, language: str, asked: str) -> None:
    indexed = indexed_forms(text, language).split()
    assert set(query_forms(asked, ["en", language]).split()) & set(indexed)


def test_english_has_no_forms_of_its_own() -> None:
    assert indexed_forms("The options of the command, in `mkdocs.yml`.", "en-US") == ""
    assert indexed_forms("Without a language", "") == ""


def test_no_endings_of_other_languages_are_taken_off_an_english_question() -> None:
    assert query_forms("How do I upgrade this?", ["de", "fr"]) == ""
    assert "upgrad" in query_forms("upgrade", ["de"])


@pytest.mark.parametrize(("tag", "language"), [("de-CH", "de"), ("pt_BR", "pt"), ("", ""), ("JA", "ja")])
def test_the_language_of_a_tag_is_its_first_part_in_small_letters(tag: str, language: str) -> None:
    assert language_of(tag) == language


@given(st.text(max_size=60), st.sampled_from([*STEMMERS, "en", "ja", ""]))
def test_a_text_asked_for_in_its_own_words_has_all_the_forms(text: str, language: str) -> None:
    indexed, asked = indexed_forms(text, language).split(), query_forms(text, [language]).split()
    assert set(indexed) <= set(asked) or not asked
    assert len(set(indexed)) == len(indexed)
    assert indexed_forms(unicodedata.normalize("NFD", text), language) == indexed_forms(
        unicodedata.normalize("NFC", text), language
    )


@pytest.mark.parametrize("piece", ["é", "é ", "한", "한 ", "a\u0301", "中", "ß", "\u0301", "straßen", "İ"])
def test_word_forms_are_made_in_linear_time(piece: str) -> None:
    def forms(text: str) -> None:
        for language in ("de", "ko", "tr", "ar"):
            indexed_forms(text, language)
            query_forms(text, [language])

    assert is_linear(forms, piece, longest=50_000)
