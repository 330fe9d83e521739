"""Sentences that deny, and sentences that say what the docs lack, in each language that is shipped."""

from __future__ import annotations

import pytest
from tests.work import is_linear

from trueref_server.model.asking.numbered_sources import ModelSource
from trueref_server.model.checking.answer_checker import AnswerChecker
from trueref_server.model.checking.lines import AnswerLine
from trueref_server.model.checking.negation import LANGUAGES, is_negated, is_negated_in, tells_lack
from trueref_server.model.checking.verdict import is_refusal
from trueref_widget import LANGUAGES as SHIPPED

PAIRS = {
    "en": (
        "The kiln starts with the red switch beside the door.",
        "The kiln never starts with the red switch beside the door.",
    ),
    "de": (
        "Der Brennofen startet mit dem roten Schalter neben der Tür.",
        "Der Brennofen startet nicht mit dem roten Schalter neben der Tür.",
    ),
    "es": (
        "El horno arranca con el interruptor rojo junto a la puerta.",
        "El horno no arranca con el interruptor rojo junto a la puerta.",
    ),
    "fr": (
        "Le four démarre avec l'interrupteur rouge près de la porte.",
        "Le four ne démarre pas avec l'interrupteur rouge près de la porte.",
    ),
    "it": (
        "Il forno si avvia con l'interruttore rosso accanto alla porta.",
        "Il forno non si avvia con l'interruttore rosso accanto alla porta.",
    ),
    "nl": (
        "De oven start met de rode schakelaar naast de deur.",
        "De oven start niet met de rode schakelaar naast de deur.",
    ),
    "pl": (
        "Piec uruchamia się czerwonym przełącznikiem obok drzwi.",
        "Piec nie uruchamia się czerwonym przełącznikiem obok drzwi.",
    ),
    "pt": (
        "O forno arranca com o interruptor vermelho ao lado da porta.",
        "O forno não arranca com o interruptor vermelho ao lado da porta.",
    ),
    "ja": (
        "電気窯は扉の横の赤いスイッチで起動します。",
        "電気窯は扉の横の赤いスイッチで起動しません。",
    ),
    "zh": (
        "电窑使用门旁边的红色开关启动。",
        "电窑不使用门旁边的红色开关启动。",
    ),
}

LACKS = {
    "de": "Die Quellen nennen keine Tastenkürzel für den Brennofen.",
    "es": "Las fuentes no mencionan ningún atajo de teclado para el horno.",
    "fr": "Les sources ne mentionnent aucun raccourci clavier pour le four.",
    "it": "Le fonti non menzionano scorciatoie da tastiera per il forno.",
    "nl": "De bronnen vermelden geen sneltoetsen voor de oven.",
    "pl": "Źródła nie wspominają o skrótach klawiszowych dla pieca.",
    "pt": "As fontes não mencionam nenhum atalho de teclado para o forno.",
    "ja": "出典には電気窯のショートカットキーは記載されていません。",
    "zh": "来源没有提到电窑的键盘快捷键。",
}


def codes(sentence: str, source: str, language: str, question: str = "") -> list[str]:
    sources = [ModelSource(1, "", "guide", "", source, language=language)]
    return [one.code for one in AnswerChecker(sources, question).check(AnswerLine(sentence, is_code=False))[1]]


def test_every_language_that_is_shipped_has_its_words() -> None:
    assert sorted(LANGUAGES) == sorted(SHIPPED) == sorted(LACKS)
    assert sorted(PAIRS) == sorted(["en", *SHIPPED])


@pytest.mark.parametrize("language", PAIRS)
def test_the_opposite_of_a_source_is_marked_in_its_language(language: str) -> None:
    said, denied = PAIRS[language]
    assert codes(f"{said} [1]", said, language) == []
    assert codes(f"{denied} [1]", denied, language) == []
    assert codes(f"{denied} [1]", said, language) == ["opposite"]
    assert codes(f"{said} [1]", denied, language) == ["opposite"]


@pytest.mark.parametrize("tag", ["de-AT", "DE", "de_CH"])
def test_a_tag_is_read_as_its_language(tag: str) -> None:
    said, denied = PAIRS["de"]
    assert codes(f"{denied} [1]", said, tag) == ["opposite"]


@pytest.mark.parametrize(
    ("language", "said", "denied"),
    [
        (
            "sv",
            "Ugnen startar med den röda knappen bredvid dörren.",
            "Ugnen startar inte med den röda knappen bredvid dörren.",
        ),
        # `no` is `in the` here, and no page of a language is read by the words of another one.
        ("pt", "O valor fica no arquivo do forno vermelho.", "O valor fica o arquivo do forno vermelho."),
    ],
)
def test_nothing_is_said_of_opposites_without_words_for_them(language: str, said: str, denied: str) -> None:
    assert codes(f"{denied} [1]", said, language) == []
    assert codes(f"{said} [1]", denied, language) == []


@pytest.mark.parametrize("language", LACKS)
def test_what_the_docs_do_not_say_needs_no_source(language: str) -> None:
    said, _ = PAIRS[language]
    assert codes(LACKS[language], said, language) == []
    assert codes(LACKS[language], said, "sv") != []
    assert tells_lack(LACKS[language], [language])
    assert not tells_lack(said, [language])


@pytest.mark.parametrize("language", LACKS)
def test_a_text_that_begins_with_what_is_missing_is_a_refusal(language: str) -> None:
    said, denied = PAIRS[language]
    assert is_refusal(LACKS[language], [language])
    assert not is_refusal(f"{said} {denied}", [language])
    assert not is_refusal(LACKS[language], ["en"])


@pytest.mark.parametrize("language", PAIRS)
def test_a_denial_may_have_the_names_of_the_question(language: str) -> None:
    said, _ = PAIRS[language]
    deny = {"en": "There is no {}.", "de": "Es gibt kein {}.", "ja": "{} はありません。", "zh": "没有 {}。"}
    denial = deny.get(language, f"{PAIRS[language][1].rstrip('.')} {{}}.").format("`--night-owl`")
    assert "not-in-sources" not in codes(denial, said, language, "What about --night-owl?")
    assert "not-in-sources" in codes(denial, said, language, "What about it?")


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("de", "Notieren Sie die Nummer mit `--nicht-jetzt`."),
        ("fr", "N'importe quel four convient, en caractères sans-serif."),
        ("ja", "扉を閉めなければなりません。"),
        ("ja", "赤いスイッチが少なくとも二つあります。"),
        ("ja", "電気窯が熱いかもしれません。"),
        ("zh", "不同的电窑有非常多的开关。"),
        ("zh", "无论哪个电窑都可以。"),
    ],
)
def test_what_only_looks_like_a_denial_is_none(language: str, sentence: str) -> None:
    assert not is_negated(sentence, language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("piece", ["n'", "zu ", "`", "niema", "な", "不", "docs ", "dokumentation nicht "])
def test_words_are_looked_for_in_linear_time(language: str, piece: str) -> None:
    assert is_linear(lambda text: (is_negated(text, language), tells_lack(text, [language])), piece)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "The option `--no-deps` leaves out all dependencies."),
        ("en", "The option --no-deps leaves out all dependencies."),
        ("en", "It writes not only HTML."),
        ("de", "Er schreibt nicht nur HTML."),
        ("es", "Sin embargo, el horno arranca."),
        ("es", "No obstante, el horno arranca."),
        ("fr", "Ce guide pas à pas explique la cuisson."),
        ("fr", "Le four est sans doute chaud."),
        ("fr", "Le four ne chauffe que l'argile."),
        ("it", "Non appena è caldo, il forno suona."),
        ("nl", "De oven bakt niet alleen klei."),
        ("pl", "Piec wypala nie tylko glinę."),
        ("pt", "O forno não só aquece."),
        ("ja", "HTMLだけでなくPDFも書き出します。"),
        ("ja", "間もなく起動します。"),
        ("zh", "测试在无头浏览器中运行。"),
        ("zh", "通过无线网络连接。"),
    ],
)
def test_words_that_only_look_like_a_denial_deny_nothing(language: str, sentence: str) -> None:
    assert not is_negated(sentence, language)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("de", "Mit --quiet gibt der Befehl keinen Text aus."),
        ("de", "Die Dokumentation beschreibt, dass der Server nie auf Port 9000 läuft."),
        ("fr", "Avec --quiet, la commande n'inclut pas de texte dans la sortie."),
        ("ja", "このオプションを使うと、ドキュメントは表示されません。"),
        ("ja", "暗号化した文書は編集できません。"),
        ("zh", "请不要在文档中包含密码。"),
    ],
)
def test_a_denial_of_something_else_says_nothing_of_what_the_docs_lack(language: str, sentence: str) -> None:
    assert not tells_lack(sentence, [language])


def test_a_denial_in_english_counts_over_docs_in_another_language() -> None:
    assert is_negated_in("There is no `--night-owl`.", ["de"])
    assert not is_negated_in("Use the red switch, and no other.", ["de"])
