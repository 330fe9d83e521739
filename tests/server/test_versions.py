"""Questions to an index with several versions and languages: each reader gets the own one, or is told."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from trueref_core.generations.served_generation import read_manifest
from trueref_plugin.build.build import index_site
from trueref_server.records import Answer, Question, SearchResult
from trueref_server.service import Service
from trueref_server.settings import Settings

PAGES = {
    ("docs/index.html", "2.0", "en"): ("Install", "Install the package with the command get two."),
    ("docs/1.0/index.html", "1.0", "en"): ("Install", "Install the package with the command get one."),
    ("docs/next/index.html", "current", "en"): ("Install", "Install the package with the command get three."),
    ("docs/themes/index.html", "2.0", "en"): ("Themes", "A theme changes fonts and colours of the sidebar."),
    ("docs/1.0/proxy/index.html", "1.0", "en"): ("Proxy", "A corporate proxy needs a certificate bundle."),
    ("de/docs/index.html", "2.0", "de"): ("Installieren", "Das Paket wird mit dem Befehl get zwei installiert."),
    ("blog/hello/index.html", "", "en"): ("Hello", "The founders met on a mountain railway."),
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("versions")
    for (file, version, language), (title, text) in PAGES.items():
        path = folder / "site" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        tag = f'<meta name="docsearch:version" content="{version}">' if version else ""
        path.write_text(
            f'<html lang="{language}"><head><meta charset="utf-8">{tag}<title>{title}</title></head>'
            f'<body><main><h1 id="top-{title.lower()}">{title}</h1><p>{text}</p></main></body></html>'
        )
    index_site(folder / "site", index=folder / "index", name="docs", embedder="lexical")
    return folder / "index"


def ask(index: Path, text: str, **about: str) -> tuple[Answer, list[SearchResult]]:
    async def run() -> tuple[Answer, list[SearchResult]]:
        service = Service(Settings(index=index))
        question = Question(text, **about)  # type: ignore[arg-type]
        answer, results = await service.ask_whole(question), await service.search(question)
        await service.close()
        return answer, results

    return asyncio.run(run())


def versions_of(index: Path, pages: list[str]) -> set[str]:
    manifest = read_manifest(index)
    return {found.version for page in pages if (found := manifest.page(page)) is not None}


INSTALL = "Which command does install the package?"


@pytest.mark.parametrize(
    ("page", "passage"),
    [("docs/", "get two"), ("docs/1.0/", "get one"), ("docs/next/", "get three"), ("docs/1.0/proxy/", "get one")],
)
def test_a_reader_is_answered_from_the_version_of_the_page(index: Path, page: str, passage: str) -> None:
    answer, results = ask(index, INSTALL, page=page)
    assert passage in answer.text
    assert answer.note == ""
    own = versions_of(index, [page])
    assert versions_of(index, [source.page for source in answer.sources]) <= own | {""}
    assert versions_of(index, [result.page for result in results]) <= own | {""}


@pytest.mark.parametrize("page", [None, "blog/hello/", "nowhere/"])
def test_who_is_on_no_version_means_the_current_one(index: Path, page: str | None) -> None:
    answer, results = ask(index, INSTALL, **({"page": page} if page else {}))
    assert "get two" in answer.text
    assert not {"docs/1.0/", "docs/next/"} & {result.page for result in results}


def test_another_version_is_cited_only_where_the_own_one_says_nothing_and_that_is_said(index: Path) -> None:
    answer, _ = ask(index, "Does a corporate proxy need a certificate bundle?", page="docs/")
    assert answer.sources[0].page == "docs/1.0/proxy/"
    assert answer.note == "Version 2.0 of these docs says nothing of this. From version 1.0:"
    assert answer.text.startswith(f"{answer.note}\n\nA corporate proxy")


def test_a_version_that_is_not_there_is_said(index: Path) -> None:
    answer, _ = ask(index, INSTALL, version="9.9")
    assert "get two" in answer.text
    assert answer.note == "These docs have no version 9.9. From version 2.0:"


def test_pages_without_a_version_belong_to_all(index: Path) -> None:
    answer, _ = ask(index, "Where did the founders meet, on a mountain railway?", page="docs/1.0/")
    assert answer.sources[0].page == "blog/hello/"
    assert answer.note == ""


@pytest.mark.parametrize("language", ["de", "de-AT", "DE"])
def test_a_reader_is_answered_in_the_own_language(index: Path, language: str) -> None:
    answer, _ = ask(index, "Mit welchem Befehl wird das Paket installiert?", language=language)
    assert answer.sources[0].page == "de/docs/"
    assert answer.note == ""


def test_another_language_is_used_where_the_own_one_says_nothing_and_that_is_said(index: Path) -> None:
    answer, _ = ask(index, "What does a theme change, fonts and colours?", page="de/docs/")
    assert answer.sources[0].page == "docs/themes/"
    assert answer.note == "Die Seiten in der Sprache de sagen dazu nichts. Aus denen in en:"


def test_a_language_that_no_page_has_restricts_nothing(index: Path) -> None:
    answer, _ = ask(index, INSTALL, language="fr")
    assert "get two" in answer.text
    assert answer.note == ""


def test_what_is_in_no_version_is_not_found(index: Path) -> None:
    answer, _ = ask(index, "How are kangaroos groomed?", page="docs/1.0/")
    assert (answer.verdict, answer.note) == ("not-found", "")
    assert "Version" not in answer.text


def site_of(folder: Path, pages: dict[str, tuple[str, str, str, str]]) -> Path:
    """An index of pages by file, each with version, language, title and text; a title tells the id of its heading."""
    for file, (version, language, title, text) in pages.items():
        path = folder / "site" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        tag = f'<meta name="docsearch:version" content="{version}">' if version else ""
        path.write_text(
            f'<html lang="{language}"><head><meta charset="utf-8">{tag}<title>{title}</title></head>'
            f'<body><main><h1 id="{title.lower()}">{title}</h1><p>{text}</p></main></body></html>'
        )
    index_site(folder / "site", index=folder / "index", name="docs", embedder="lexical")
    return folder / "index"


def test_the_newest_docs_of_a_site_that_shows_them_at_its_root(tmp_path: Path) -> None:
    """Docusaurus with `lastVersion: "current"`: what is called `current` has no folder of its own."""
    pages = {
        "index.html": ("", "en", "Home", "A kettle."),
        "docs/index.html": ("current", "en", "Cleaning", "Remove limescale with vinegar and water overnight."),
        "docs/1.0/index.html": ("1.0", "en", "Cleaning", "Remove limescale with the juice of a lemon."),
    }
    index = site_of(tmp_path, pages)
    for page in (None, "", "docs/"):
        answer, _ = ask(index, "How do I remove limescale?", **({} if page is None else {"page": page}))
        assert ([source.page for source in answer.sources], answer.note) == (["docs/"], "")
    answer, _ = ask(index, "How do I remove limescale?", page="docs/1.0/")
    assert [source.page for source in answer.sources] == ["docs/1.0/"]


def test_who_says_no_language_is_answered_in_that_of_the_site(tmp_path: Path) -> None:
    untranslated = "Hold the ring for three seconds, and the kettle is quiet."
    pages = {
        "index.html": ("", "en", "Home", "A kettle."),
        "ring/index.html": ("", "en", "Ring", untranslated),
        "fr/ring/index.html": ("", "fr", "Ring", untranslated),
        "de/ring/index.html": ("", "de", "Ring", untranslated),
        "fr/chauffe/index.html": ("", "fr", "Chauffe", "La plaque chauffe le fond de la bouilloire en silence."),
    }
    index = site_of(tmp_path, pages)
    answer, results = ask(index, "How long do I hold the ring?")
    assert [source.page for source in answer.sources] == ["ring/"]
    assert {result.page for result in results} <= {"", "ring/"}
    answer, _ = ask(index, "Quelle plaque chauffe la bouilloire ?")
    assert (answer.sources[0].page, answer.note) == ("fr/chauffe/", "")
    answer, _ = ask(index, "How long do I hold the ring?", page="de/ring/")
    assert [source.page for source in answer.sources] == ["de/ring/"]


def test_a_section_of_several_old_versions_is_shown_once_and_from_the_newest(tmp_path: Path) -> None:
    proxy = "A corporate proxy needs a certificate bundle, which is named in the settings."
    pages = {
        f"{version}/proxy/index.html": (version, "en", "Proxy", proxy) for version in ("1.2", "1.10", "1.9", "1.1")
    }
    pages |= {
        "1.0/proxy/index.html": ("1.0", "en", "Proxy", "A corporate proxy needs a certificate bundle and a prayer."),
        "2.0/index.html": ("2.0", "en", "Start", "The settings are in one file."),
    }
    index = site_of(tmp_path, pages)
    answer, results = ask(index, "Does a corporate proxy need a certificate bundle?", page="2.0/")
    assert answer.note == "Version 2.0 of these docs says nothing of this. From version 1.10:"
    assert [source.page for source in answer.sources if source.page != "2.0/"] == ["1.10/proxy/"]
    # No third version stands beside the one that the answer says it is from.
    assert {result.page for result in results} <= {"1.10/proxy/", "2.0/"}
