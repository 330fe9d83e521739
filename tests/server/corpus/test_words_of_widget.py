"""Words as a build counts them. The widget's tests divide the same texts, in widget/test/static-words.test.ts."""

from __future__ import annotations

import os

import msgspec
from tests.conftest import ROOT

from trueref_server.corpus.words import words

GOLDEN = ROOT / "tests" / "golden" / "words.json"

TEXTS = (
    "Use --no-deps, foo.bar_baz and mkdocs.yml: it's e-mail, not 3.11!",
    "C++17 or C#, g++ and F#'s: 使用C++标准, i++, libc++, c++abi, notepad# and page#x",
    "naïve CAFÉ Straße GROẞ ﬁle ½ x² Ⅳ",
    "İstanbul, ISPARTA, ığdır",
    "Cài đặt chương trình",
    "Настройка файла: Йогурт, ёлка, їжак",
    "Ρυθμίσεις ΟΔΟΣ του συστήματος",
    "დაყენება ᲓᲐᲧᲔᲜᲔᲑᲐ",
    "ፕሮግራሙን መጫን",
    "Монгол ᠮᠣᠩᠭᠣᠯ",
    "قم بتثبيت البرنامج مُحَمَّد",
    "שָׁלוֹם עולם",
    "हिन्दी भाषा की स्थापना",
    "தமிழ் மொழி",
    "ตั้งค่าโปรแกรม",
    "ការដំឡើង",
    "配置代理服务器 代",
    "𠮷野家で食べる Python用設定v2",
    "サーバー設定 ｻｰﾊﾞｰ",
    "설정 파일을 암호화합니다",
    "a\u200bb a\u00adb \u202eright",
    "😀 👩‍💻 → ✓ ①",
    "",
)
"""Texts in many scripts, with what changes when letters are made small or lose their accents."""


def test_the_widget_is_tested_with_the_words_of_a_build() -> None:
    """`TRUEREF_GOLDEN=1` writes the words again."""
    data = msgspec.json.format(msgspec.json.encode({text: words(text) for text in TEXTS}), indent=1) + b"\n"
    if os.environ.get("TRUEREF_GOLDEN"):
        GOLDEN.write_bytes(data)
    assert GOLDEN.read_bytes() == data
