from __future__ import annotations

import pytest

from trueref_core.embedding.bundled_model import BUNDLED_NAME
from trueref_core.embedding.model_languages import MULTILINGUAL, languages_read, reads_any, untrained_language_warning
from trueref_core.records import Page, PageKind


def page(language: str, *, hidden: bool = False, kind: PageKind = "guide") -> Page:
    return Page("docs", "a/", "a/index.html", "A", kind=kind, language=language, hidden=hidden)


@pytest.mark.parametrize(
    ("embedder", "languages"),
    [
        (BUNDLED_NAME, {"en"}),
        ("fastembed/BAAI/bge-small-en-v1.5", {"en"}),
        ("fastembed/BAAI/bge-small-zh-v1.5", {"en", "zh"}),
        ("fastembed/jinaai/jina-embeddings-v2-base-de", {"en", "de"}),
        ("fastembed/sentence-transformers/all-MiniLM-L6-v2", {"en"}),
        (f"fastembed/{MULTILINGUAL}", set()),
        ("fastembed/intfloat/multilingual-e5-large", set()),
        ("fastembed/someone/unknown", set()),
        ("lexical", set()),
    ],
)
def test_an_embedder_is_known_to_read_its_languages(embedder: str, languages: set[str]) -> None:
    assert languages_read(embedder) == languages


@pytest.mark.parametrize(
    ("embedder", "languages", "is_read"),
    [
        (BUNDLED_NAME, ["de", "ja"], False),
        (BUNDLED_NAME, ["de", "en-GB"], True),
        (BUNDLED_NAME, ["de", ""], True),
        (BUNDLED_NAME, [], False),
        ("fastembed/jinaai/jina-embeddings-v2-base-de", ["de-CH"], True),
        (f"fastembed/{MULTILINGUAL}", ["de"], True),
    ],
)
def test_an_embedder_reads_some_languages_unless_it_is_known_to_read_none_of_them(
    embedder: str, languages: list[str], is_read: bool
) -> None:
    assert reads_any(embedder, languages) is is_read


def test_the_warning_counts_pages_in_other_languages_and_says_what_to_set() -> None:
    assert untrained_language_warning(
        BUNDLED_NAME, [page("ja"), page("de-AT"), page("ja"), page("en-US"), page("")]
    ) == (
        "The embedder bundled/MiniLM-L6-docs knows en, and 3 of 5 pages are in ja, de-AT: questions in these "
        "languages are answered by words alone. To find such pages by meaning set a multilingual model such as "
        f"`{MULTILINGUAL}`; `embedder: lexical` is built faster."
    )


@pytest.mark.parametrize(
    ("embedder", "pages"),
    [
        (BUNDLED_NAME, [page("en"), page("EN-gb"), page("")]),
        (BUNDLED_NAME, [page("en"), page("ja", hidden=True), page("ja", kind="redirect")]),
        ("lexical", [page("ja")]),
        ("fastembed/BAAI/bge-small-zh-v1.5", [page("zh-Hans")]),
        (f"fastembed/{MULTILINGUAL}", [page("ja")]),
    ],
)
def test_an_embedder_that_fits_the_shown_pages_is_not_warned_of(embedder: str, pages: list[Page]) -> None:
    assert untrained_language_warning(embedder, pages) == ""


def test_every_model_of_fastembed_that_is_english_is_known_as_such() -> None:
    from fastembed import TextEmbedding

    models = {str(model["model"]): str(model["description"]) for model in TextEmbedding.list_supported_models()}
    wrong = [
        name
        for name, description in models.items()
        if "ultilingual" in description and "(German" not in description and languages_read(f"fastembed/{name}")
    ]
    assert wrong == []
