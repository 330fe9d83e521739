"""Which sections the search without a server shows for a topic that all docs have."""

from __future__ import annotations

from dataclasses import replace

from tests.server.handmade import chunk

from trueref_core.records import Chunk
from trueref_server.serving.static_topics import usual_sections

TEXT = "Put the controller beside the wall, and join the cable."


def section(page: str, title: str, text: str = TEXT, version: str = "", language: str = "en") -> list[Chunk]:
    made = chunk(page, "", text, 0)
    return [replace(made, title=title, breadcrumb=(), version=version, language=language)]


def test_each_version_and_language_has_a_section_for_a_topic() -> None:
    sections = [
        section("", "Kiln manual"),
        section("1/setup/", "Installation", version="1"),
        section("2/deep/er/setup/", "Installation", version="2"),
        section("2/setup/", "Installing the kiln", version="2"),
        section("2/fr/setup/", "Installation", version="2", language="fr"),
        section("2/later/", "Installation", version="2"),
        section("2/begin/", "Quick start", "Later.", version="2"),
        section("2/cones/", "Cones", version="2"),
    ]
    plain, usual = usual_sections(sections)
    assert {"kiln", "how", "it"} <= set(plain.split())
    assert "this" not in plain.split()
    # Of equal sections the first counts, and one without text is none. The home page says what the subject is, and what
    # it is for.
    assert [numbers for _, numbers in usual] == [[1, 3, 4], [0]]


def test_docs_without_such_a_page_have_none() -> None:
    assert usual_sections([section("a/", "Kiln"), section("cones/", "Cones")])[1] == []
    assert usual_sections([]) == (usual_sections([section("cones/", "Cones")])[0], [])


def test_a_notice_on_many_pages_is_none() -> None:
    pages = [section(f"{at}/", f"Part {at}") for at in range(5)]
    assert usual_sections([section("setup/", "Installation"), *pages])[1] == []
    assert usual_sections([section("setup/", "Installation"), *pages[:3]])[1] != []
