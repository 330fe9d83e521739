"""The languages of the pages of a site."""

from __future__ import annotations

import pytest

from trueref_plugin.reading.parsed import Head
from trueref_plugin.site.page_languages import page_languages


def languages(pages: dict[str, tuple[str, str]]) -> dict[str, str]:
    """The languages of pages, given by the language that each names and the one that its prose is in."""
    return page_languages({file: Head(language=named, prose_language=prose) for file, (named, prose) in pages.items()})


@pytest.mark.parametrize(
    ("named", "prose", "expected"),
    [
        ("de", "de", "de"),
        ("de-CH", "de", "de-CH"),
        # A page without prose, and one that is not translated, are called what they call themselves.
        ("de", "", "de"),
        ("de", "en", "de"),
        ("", "de", "de"),
        # Themes call pages English that are in another language.
        ("en", "zh", "zh"),
        ("en-US", "ja", "ja"),
    ],
)
def test_a_page_is_in_the_language_that_it_names_or_that_its_prose_is_in(named: str, prose: str, expected: str) -> None:
    assert languages({"a.html": (named, prose)}) == {"a.html": expected}


def test_nothing_changes_on_a_site_in_english() -> None:
    pages = {"a.html": ("", "en"), "b.html": ("en", "en"), "c.html": ("", ""), "d.html": ("en-GB", "")}
    assert languages(pages) == {"a.html": "", "b.html": "en", "c.html": "", "d.html": "en-GB"}


def test_pages_that_are_not_translated_belong_to_the_language_of_their_folder() -> None:
    pages = {
        "de/a.html": ("", "de"),
        "de/b/index.html": ("", "de"),
        "de/c.html": ("", "en"),
        "de/d.html": ("", ""),
        "en/a.html": ("", "en"),
        "en/d.html": ("", ""),
        "index.html": ("", ""),
    }
    assert languages(pages) == {
        "de/a.html": "de",
        "de/b/index.html": "de",
        "de/c.html": "de",
        "de/d.html": "de",
        "en/a.html": "en",
        "en/d.html": "en",
        "index.html": "",
    }


def test_in_a_folder_of_several_languages_each_page_has_its_own() -> None:
    pages = {"a.de.html": ("", "de"), "a.en.html": ("", "en"), "b.html": ("", "")}
    assert languages(pages) == {"a.de.html": "de", "a.en.html": "en", "b.html": ""}


def test_a_single_page_that_names_english_stays_english() -> None:
    pages = {"a.html": ("en", "en"), "b.html": ("en", "en"), "latin.html": ("en", "it"), "fr.html": ("", "fr")}
    assert languages(pages) == {"a.html": "en", "b.html": "en", "latin.html": "en", "fr.html": "fr"}
    # In a folder of its own language it is English by default.
    assert languages({"it/a.html": ("en", "it"), "it/b.html": ("en", "it"), "a.html": ("en", "en")}) == {
        "it/a.html": "it",
        "it/b.html": "it",
        "a.html": "en",
    }


def test_where_english_is_the_default_of_a_theme_untranslated_pages_belong_to_their_folder() -> None:
    pages = {"a.html": ("en", "zh"), "b.html": ("en", "zh"), "cli.html": ("en", ""), "api.html": ("en-US", "en")}
    assert set(languages(pages).values()) == {"zh"}
    # Where the pages of the folder name its language, one that names English means it.
    pages = {"a.html": ("zh", "zh"), "b.html": ("zh", "zh"), "cli.html": ("en", ""), "api.html": ("en-US", "en")}
    assert languages(pages) == {"a.html": "zh", "b.html": "zh", "cli.html": "en", "api.html": "en-US"}


def test_folders_of_languages_may_be_in_those_of_versions_or_of_the_docs() -> None:
    pages = {"1.0/de/a.html": ("", "de"), "1.0/de/b/c.html": ("", "de"), "1.0/x.html": ("", "en")}
    pages |= {"1.0/en/y.html": ("", "en"), "1.0/de/d.html": ("", "")}
    assert languages(pages) == {
        "1.0/de/a.html": "de",
        "1.0/de/b/c.html": "de",
        "1.0/x.html": "en",
        "1.0/en/y.html": "en",
        "1.0/de/d.html": "de",
    }
    translated = {f"docs/{language}/{name}.html": ("en", language[:2]) for language in ("de", "pt-BR") for name in "ab"}
    assert languages({**translated, "docs/en/a.html": ("en", "en"), "docs/en/b.html": ("en", "en")}) == {
        "docs/de/a.html": "de",
        "docs/de/b.html": "de",
        "docs/pt-BR/a.html": "pt",
        "docs/pt-BR/b.html": "pt",
        "docs/en/a.html": "en",
        "docs/en/b.html": "en",
    }
