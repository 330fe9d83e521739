"""Questions to a real index with pages in a language that its embedder was not trained on."""

from __future__ import annotations

from pathlib import Path

import pytest

from trueref_plugin.build.build import index_site
from trueref_server.records import Question
from trueref_server.service import Explanation, Service
from trueref_server.settings import load_settings

PAGES = {
    "en": (
        "Settings",
        {
            "lock": "The diary is encrypted with a passphrase, which is asked for at every start.",
            "copy": "Close the program, and copy the file to another disk.",
            "size": "The program needs forty megabytes on the disk.",
        },
    ),
    "de": (
        "Einstellungen",
        {
            "lock": "Das Tagebuch wird mit einer Passphrase verschlüsselt, die bei jedem Start abgefragt wird.",
            "copy": "Beenden Sie das Programm, und kopieren Sie die Datei auf einen anderen Datenträger.",
            "size": "Das Programm braucht vierzig Megabyte auf der Festplatte.",
        },
    ),
}
"""By language: the title of a page, and the sections of it. Their headings say nothing: only sentences are found."""

GERMAN = ["Wird das Tagebuch verschlüsselt?", "Datei kopieren", "Wie viel Megabyte auf der Festplatte?"]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def make_index(folder: Path, embedder: str, languages: list[str]) -> Path:
    site = folder / "site"
    site.mkdir(parents=True)
    for language in languages:
        title, sections = PAGES[language]
        body = "".join(f'<h2 id="{anchor}">{n}</h2><p>{text}</p>' for n, (anchor, text) in enumerate(sections.items()))
        head = f'<html lang="{language}"><meta charset="utf-8"><title>{title}</title>'
        (site / f"{language}.html").write_text(f"<!doctype html>{head}<main><h1>{title}</h1>{body}</main>", "utf-8")
    index_site(site, index=folder / "index", embedder=embedder)
    return folder / "index"


@pytest.fixture(scope="module")
def two_languages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """English and German pages in one index, by embedder."""
    folder = tmp_path_factory.mktemp("two-languages")
    return {embedder: make_index(folder / embedder, embedder, ["en", "de"]) for embedder in ("bundled", "lexical")}


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """German pages alone, by embedder."""
    folder = tmp_path_factory.mktemp("german")
    return {embedder: make_index(folder / embedder, embedder, ["de"]) for embedder in ("bundled", "lexical")}


async def look_up(index: Path, text: str, language: str | None) -> Explanation:
    service = Service(load_settings({}, options={"index": index}))
    try:
        return await service.explain(Question(text, language=language))
    finally:
        await service.close()


def outcome_of(findings: Explanation) -> tuple[str, float, list[tuple[str, str, float]]]:
    """What a reader is told: the verdict, the confidence, and the sections with their scores."""
    hits = [(hit.page, hit.anchor, hit.score) for hit in findings.hits]
    return findings.draft.verdict, findings.draft.confidence, hits


@pytest.mark.anyio
@pytest.mark.parametrize("text", GERMAN)
async def test_a_german_question_to_german_pages_beside_english_ones_is_answered_as_without_vectors(
    two_languages: dict[str, Path], text: str
) -> None:
    by_meaning, by_words = [await look_up(two_languages[kind], text, "de") for kind in ("bundled", "lexical")]
    assert {hit.page for hit in by_meaning.hits} == {"de.html"}
    assert outcome_of(by_meaning) == outcome_of(by_words)


# A reader whose browser says English may ask a German site in German.
@pytest.mark.anyio
@pytest.mark.parametrize("language", [None, "de", "en"])
@pytest.mark.parametrize("text", GERMAN)
async def test_a_german_question_to_a_german_site_is_answered_as_without_vectors(
    german: dict[str, Path], text: str, language: str | None
) -> None:
    by_meaning, by_words = [await look_up(german[kind], text, language) for kind in ("bundled", "lexical")]
    assert outcome_of(by_meaning) == outcome_of(by_words)


@pytest.mark.anyio
@pytest.mark.parametrize("text", ["How is the diary encrypted?", "diary passphrase"])
async def test_english_pages_beside_german_ones_are_found_by_meaning(two_languages: dict[str, Path], text: str) -> None:
    findings = await look_up(two_languages["bundled"], text, "en")
    assert (findings.hits[0].page, findings.hits[0].anchor) == ("en.html", "lock")
    assert all(hit.near for hit in findings.hits)


@pytest.mark.anyio
async def test_an_english_question_to_german_pages_is_compared_by_meaning(german: dict[str, Path]) -> None:
    findings = await look_up(german["bundled"], "Which passphrase does the program ask for?", "de")
    assert findings.hits[0].anchor == "lock"
    assert all(hit.near for hit in findings.hits)


@pytest.mark.anyio
async def test_what_no_german_page_has_is_looked_for_on_english_pages_by_meaning(
    two_languages: dict[str, Path],
) -> None:
    findings = await look_up(two_languages["bundled"], "encrypted diary", "de")
    assert (findings.hits[0].page, findings.hits[0].anchor) == ("en.html", "lock")
    assert findings.hits[0].near
