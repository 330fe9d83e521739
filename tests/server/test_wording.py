"""The sentences around an answer, and the words of the widget, in the languages that are shipped."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import msgspec
import pytest

from trueref_core.text.word_forms import ENGLISH
from trueref_plugin.build.build import index_site
from trueref_server.corpus.words import FUNCTION_WORDS, words
from trueref_server.records import Answer, Question
from trueref_server.service import Service
from trueref_server.settings import load_settings
from trueref_server.wording import FOLDER, read_table, sentences
from trueref_widget import LANGUAGES

PLACE = re.compile(r"\{[a-z]+\}")

PAGES = {
    "fr": (
        "Démarrer le site",
        "Le serveur de développement se lance avec la commande exemple serve. Il recharge les pages modifiées.",
        "Publier les pages",
        "La commande exemple build écrit tout dans un dossier.",
    ),
    "de": (
        "Den Server starten",
        "Der Entwicklungsserver wird mit dem Befehl beispiel serve gestartet. Er lädt geänderte Seiten neu.",
        "Seiten veröffentlichen",
        "Der Befehl beispiel build schreibt alles in einen Ordner.",
    ),
}


def test_every_language_has_every_sentence() -> None:
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted([ENGLISH, *LANGUAGES])
    english = read_table(ENGLISH)
    for language in LANGUAGES:
        table = read_table(language)
        for own, meant in zip(msgspec.structs.astuple(table), msgspec.structs.astuple(english), strict=True):
            assert list(own) == list(meant), language
            for name, text in own.items():
                assert sorted(PLACE.findall(text)) == sorted(PLACE.findall(meant[name])), (language, name)
                assert text == text.strip(), (language, name)
                assert unicodedata.is_normalized("NFC", text), (language, name)
                assert not set(text) & set("!！"), (language, name)


@pytest.mark.parametrize(
    ("tag", "language"), [("fr", "fr"), ("pt_BR", "pt"), ("ZH-Hans", "zh"), ("da", "en"), ("", "en"), (None, "en")]
)
def test_a_tag_chooses_its_language_or_english(tag: str | None, language: str) -> None:
    assert sentences(tag) == read_table(language).server


def test_function_words_are_written_as_they_are_compared() -> None:
    for language, listed in FUNCTION_WORDS.items():
        assert all(words(word) == [word] for word in listed), language
        assert not listed & {
            "nicht",
            "kein",
            "ohne",
            "pas",
            "sans",
            "sin",
            "sem",
            "senza",
            "niet",
            "zonder",
            "nie",
            "bez",
        }


@pytest.fixture(scope="module", params=sorted(PAGES))
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """A site of one page in a language, and its index by words."""
    language: str = request.param
    folder = tmp_path_factory.mktemp(language)
    start, how, publish, where = PAGES[language]
    html = (
        f'<html lang="{language}"><title>Site</title><body><main><h1 id="top">Site</h1>'
        f'<h2 id="start">{start}</h2><p>{how}</p><h2 id="publish">{publish}</h2><p>{where}</p></main></body></html>'
    )
    (folder / "site").mkdir()
    (folder / "site" / "index.html").write_text(html, encoding="utf-8")
    index_site(folder / "site", index=folder / "index", embedder="lexical")
    return language, folder / "index"


async def ask(index: Path, text: str) -> Answer:
    service = Service(load_settings({}, options={"index": index}))
    try:
        return await service.ask_whole(Question(text))
    finally:
        await service.close()


@pytest.mark.anyio
async def test_a_question_is_found_by_its_words(site: tuple[str, Path]) -> None:
    language, index = site
    question = {"fr": "Comment démarrer le site ?", "de": "Wie starte ich den Server?"}[language]
    answer = await ask(index, question)
    assert (answer.sources[0].anchor, answer.verdict) == ("start", "answer")


@pytest.mark.anyio
async def test_what_is_missing_is_said_in_the_language_of_the_docs(site: tuple[str, Path]) -> None:
    language, index = site
    question = {"fr": "Comment est-ce que je tricote un pull ?", "de": "Wie kann ich mir einen Pullover stricken?"}[
        language
    ]
    answer = await ask(index, question)
    said, missing = {
        "fr": ("Cela ne semble pas figurer", "tricote, pull"),
        "de": ("Das steht offenbar nicht", "Pullover, stricken"),
    }[language]
    assert answer.verdict == "not-found"
    assert answer.text.startswith(said)
    assert f"{missing}." in answer.text
