from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.handmade import chunk
from tests.work import is_linear

from trueref_server.corpus.corpus import Section, Statistics
from trueref_server.corpus.words import (
    ELLIPSIS,
    absence_matters,
    content_stems,
    content_words,
    shortened_to_words,
    stem,
    without_fillers,
    words,
    words_of_names,
)
from trueref_server.question.plan import make_plan
from trueref_server.ranking.weighted_question import WeightedQuestion
from trueref_server.records import Question
from trueref_server.search.results import MAX_SNIPPET, snippet


@pytest.mark.parametrize(
    "forms",
    [
        ("install", "installs", "installed", "installing"),
        ("configure", "configures", "configured", "configuring"),
        ("dependency", "dependencies"),
        ("highlight", "highlights", "highlighting", "highlighted"),
        ("translate", "translation", "translations"),
    ],
)
def test_forms_of_a_word_have_one_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize("text", ["what's a kiln", "it doesn't fire", "that isn't hot", "you're on, they won't stop"])
def test_a_contraction_tells_no_topic_without_its_apostrophe_either(text: str) -> None:
    assert content_words(text.replace("'", "")) == content_words(text)


def test_words_of_other_scripts_and_numbers_stay_as_they_are() -> None:
    assert [stem(word) for word in ("größe", "你好", "3", "")] == ["größe", "你好", "3", ""]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("配置代理服务器", ["配置", "置代", "代理", "理服", "服务", "务器"]),
        ("代", ["代"]),
        ("Python用設定v2", ["python", "用設", "設定", "v2"]),
        ("ตั้งค่า", ["ต", "งค", "า"]),
        ("サーバー設定", ["サー", "ーバ", "バー", "ー設", "設定"]),
        ("설정 파일", ["설정", "파일"]),
        ("암호화합니다", ["암호", "호화", "화합", "합니", "니다"]),
    ],
)
def test_scripts_without_spaces_are_read_in_pairs(text: str, parts: list[str]) -> None:
    assert words(text) == parts


def test_words_split_at_what_is_no_letter() -> None:
    assert words("Set `UV_NO_DEPS=1` in größe.yml, 你好!") == [
        "set",
        "uv",
        "no",
        "deps",
        "1",
        "in",
        "grosse",
        "yml",
        "你好",
    ]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("the C++17 standard", ["the", "c++", "17", "standard"]),
        ("C#, F# and (g++)", ["c#", "f#", "and", "g++"]),
        ("使用C++标准", ["使用", "c++", "标准"]),
        ("Objective-C++'s", ["objective", "c++", "s"]),
        # Other words have no sign.
        ("libc++ c++abi 2++ a+b", ["libc", "c", "abi", "2", "a", "b"]),
        ("page#x a#b notepad# #c", ["page", "x", "a", "b", "notepad", "c"]),
    ],
)
def test_the_sign_of_a_name_is_part_of_its_word(text: str, parts: list[str]) -> None:
    assert words(text) == parts


def test_a_name_with_a_sign_is_not_too_short_to_tell_a_topic() -> None:
    assert content_words("Is there an F# or a C++ API in C?") == ["f#", "c++", "api"]
    assert all(map(absence_matters, ("f#", "c++")))
    assert not absence_matters("el")


@pytest.mark.parametrize(
    ("question", "stems"),
    [
        ("日記を暗号化するには？", ("日記", "暗号", "号化")),
        ("これはどうですか", ("これ", "れは", "はど", "どう", "うで", "です", "すか")),
        ("如何加密日记？", ("加密", "密日", "日记")),
        ("일기를 어떻게 암호화합니까?", ("일기", "암호", "호화")),
        ("`--no-deps` の意味", ("no", "dep", "意味")),
        ("Où est le café ?", ("ou", "est", "le", "cafe")),
    ],
)
def test_particles_and_fillers_tell_nothing(question: str, stems: tuple[str, ...]) -> None:
    assert content_stems(question) == stems


def test_content_stems_leave_out_filler_and_keep_negation() -> None:
    assert content_stems("Please, how do I not use the cache? The cache!") == ("not", "cach")


def test_plan_keeps_identifiers_whole() -> None:
    plan = make_plan(Question("Why does  `--no-deps` ignore\nfoo.bar_baz?"))
    assert plan.query == "Why does `--no-deps` ignore foo.bar_baz?"
    assert plan.identifiers == ("--no-deps", "foo.bar_baz")


@pytest.mark.parametrize("text", ["", "   ", "???", "the of and", "\x00\x01"])
def test_a_question_without_a_content_word_has_no_terms(text: str) -> None:
    assert make_plan(Question(text)).terms == ()


@pytest.mark.parametrize("piece", ["a", "a_", "-", "aA", "a."])
def test_a_long_question_is_planned_in_linear_time(piece: str) -> None:
    assert is_linear(lambda text: make_plan(Question(text)), piece, longest=40_000)


@pytest.mark.parametrize(
    ("text", "is_code", "found"),
    [
        ("class CSVFeedSpider:", True, "CSV Feed Spider"),
        ("self.assertRaises(HttpError)", True, "assert Raises Http Error"),
        ("Use `aRead` of it, or ``makeCopy``.", False, "Read make Copy"),
        # Names in prose are often those of products, and a plural has no words of its own.
        ("GitHub and `some code` of JavaScript", False, ""),
        ("``x`` FooBar ``y``", False, ""),
        ("URLs, IDs and `--no-deps`", True, ""),
        ("DEPTH_LIMIT = 3", True, ""),
        ("`unclosed CSVFeed\nSpider`", False, ""),
        # Neither half of a word with an accent nor a token is a name.
        ("naïveBayes ÉcoleFoo", True, ""),
        ("eyJhbGciOiJIUzI1NiIsInR5", True, ""),
        ("get(path='a%2FfeedUrl')", True, ""),
    ],
)
def test_names_in_code_have_words(text: str, is_code: bool, found: str) -> None:
    assert " ".join(words_of_names(text, is_code=is_code)) == found


def test_words_of_names_stand_apart_from_the_text_each_once() -> None:
    first = chunk("spiders/", "a", "The `FeedSpider` class reads.", 0)
    section = Section.of([first, replace(first, id="b", text="More text of `FeedSpider` and `jsonFeed`.")])
    assert section.body == ("the", "feedspid", "class", "read", "more", "text", "of", "feedspid", "and", "jsonfe")
    assert section.names == ("feed", "spider", "json")
    statistics = Statistics.of([section])
    assert statistics.length == len(section.body)
    assert statistics.section_counts["spider"] == 1
    question = WeightedQuestion(make_plan(Question("Which spider reads text?"), "en", statistics), statistics)
    assert question.counts_in(section) == {"spider": 1, "read": 1, "text": 1}


def test_a_section_titled_by_a_name_is_met_by_the_words_of_the_name() -> None:
    entry = replace(chunk("spiders/", "csv", "Reads `quoteChar`.", 0), title="CSVFeedSpider", kind="definition")
    section = Section.of([entry])
    assert {"csv", "feed", "spider"} <= {*section.title}
    assert "quotechar" in section.body
    assert section.names == ("quot", "char")
    prose = Section.of([replace(entry, title="GitHub", kind="prose", text="About GitHub.")])
    assert "hub" not in {*prose.title, *prose.body, *prose.names}


def test_a_long_text_is_shortened_between_words() -> None:
    assert shortened_to_words("short enough", 12) == "short enough"
    assert shortened_to_words("three words here", 14) == "three words …"
    # Without spaces between them, and where the only one is at the beginning, between characters.
    assert shortened_to_words("很" * 20, 12) == "很" * 10 + ELLIPSIS
    assert shortened_to_words("很 " + "很" * 20, 12) == "很 " + "很" * 8 + ELLIPSIS
    assert snippet(chunk("a/", "a", "很" * 1_000, 0)) == "很" * (MAX_SNIPPET - len(ELLIPSIS)) + ELLIPSIS


@given(st.text(), st.integers(10, 60))
def test_a_shortened_text_is_the_beginning_of_the_whole_one(text: str, most: int) -> None:
    found = shortened_to_words(text, most)
    assert len(found) <= most
    assert found == text or (found.endswith(ELLIPSIS) and text.startswith(found.removesuffix(ELLIPSIS)))
    assert len(found) >= min(len(text), most // 2)


@pytest.mark.parametrize(
    ("question", "searched"),
    [
        ("窯の温度の設定を教えてください", "窯 温度 設定 教"),
        ("请问kiln的温度怎么设置？", "kiln 温度 设置？"),
        ("どうすればいいですか", "どうすればいいですか"),
        ("How do I set the 温度?", "How do I set the 温度?"),
        ("How do I set the temperature?", "How do I set the temperature?"),
    ],
)
def test_full_text_is_not_searched_for_particles_and_fillers(question: str, searched: str) -> None:
    assert without_fillers(question) == searched


@pytest.mark.parametrize(
    ("question", "language", "topic"),
    [
        ("Was ist eine Brennkurve für den Ofen?", "de-AT", ["brennkurve", "ofen"]),
        ("Comment régler la température de l'étape ?", "fr", ["regler", "temperature", "etape"]),
        ("¿Cómo se cambia la temperatura en el horno?", "es", ["cambia", "temperatura", "horno"]),
        ("Как задать температуру для печи?", "ru", ["задать", "температуру", "печи"]),
        # Docs refer to their own text with these, and readers say where something should be.
        ("Add a title above or below a table", "en", ["add", "title", "table"]),
        # In another language a word may be a topic.
        ("die casting", "en", ["die", "casting"]),
    ],
)
def test_articles_and_prepositions_tell_no_topic(question: str, language: str, topic: list[str]) -> None:
    assert content_words(question, language) == topic


@pytest.mark.parametrize(
    ("question", "language", "topic"),
    [
        # In capitals, or in code, a word is a name.
        ("OS", "pt", ["os"]),
        ("Quais os fornos que o OS reconhece?", "pt", ["os", "fornos", "os", "reconhece"]),
        ("Come accedo ai forni con AD?", "it", ["accedo", "forni", "ad"]),
        ("Comment envoyer par SES ?", "fr", ["envoyer", "ses"]),
        ("Comment envoyer ses messages ?", "fr", ["envoyer", "messages"]),
        ("AI API", "it", ["ai", "api"]),
        ("Wie lese ich mit `man kiln` nach?", "de", ["lese", "man", "kiln"]),
        ("Wie kann man einen Ofen lesen?", "de", ["ofen", "lesen"]),
        # Not where all of the question is in capitals, or only the first letter is.
        ("COMMENT ENVOYER SES MESSAGES ?", "fr", ["envoyer", "messages"]),
        ("Die Brennkurve", "de", ["brennkurve"]),
        # The stop words of English stay what they are.
        ("Was sagt `kiln how`?", "de", ["sagt", "kiln"]),
    ],
)
def test_function_words_that_are_written_as_names_are_names(question: str, language: str, topic: list[str]) -> None:
    assert content_words(question, language) == topic


@pytest.mark.parametrize(
    ("question", "language", "topic"),
    [
        ("su", "it", ("su",)),
        ("cosa fa su?", "it", ("su",)),
        ("Was ist man?", "de", ("man",)),
        ("Che cosa è ed?", "it", ("ed",)),
        ("Come si usa il forno su Kiln?", "it", ("usa", "forno", "kiln")),
        # A greeting, and a word that points back, name nothing.
        ("Hallo", "de", ()),
        ("Perché?", "it", ()),
        ("Was ist `kiln_as`?", "de", ("kiln",)),
    ],
)
def test_where_nothing_else_is_asked_a_function_word_is_a_command(
    question: str, language: str, topic: tuple[str, ...]
) -> None:
    assert make_plan(Question(question, language=language)).words == topic
