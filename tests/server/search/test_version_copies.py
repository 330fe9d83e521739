from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.handmade import chunk

from trueref_core.tables.filters import Filters
from trueref_server.records import Hit
from trueref_server.search.version_copies import of_one_version, without_copies

TEXT = "The option is read from the file of settings at every start."


def hit(page: str, version: str = "", language: str = "en", text: str = TEXT, share: float = 1.0) -> Hit:
    """A hit whose title is "Top" on every page."""
    found = replace(chunk(page, "top", text, 0), version=version, language=language)
    return Hit("demo", page, "top", 1.0, (found,), {"share": share})


def share_of(found: Hit) -> float:
    return found.signals["share"]


def pages(hits: list[Hit]) -> list[str]:
    return [hit.page for hit in hits]


@pytest.mark.parametrize(
    ("hits", "language", "left"),
    [
        ([hit("a", "1.9"), hit("b", "1.10"), hit("c", "1.2")], "en", ["b"]),
        ([hit("a", language="fr"), hit("b"), hit("c", language="de")], "en", ["b"]),
        ([hit("a", language="fr"), hit("b", language="de-AT")], "de", ["b"]),
        ([hit("a", language="fr"), hit("b", language="de")], "en", ["a"]),
        ([hit("a", "2.0", "fr"), hit("b", "1.0")], "en", ["b"]),
        # White space is no difference, and what stands between keeps its place.
        ([hit("a", "1.0"), hit("x", text="Other."), hit("b", "2.0", text=TEXT.replace(" ", "\n"))], "en", ["b", "x"]),
        # Within one edition the index itself knows what repeats.
        ([hit("a", "1.0"), hit("b", "1.0")], "en", ["a", "b"]),
        ([hit("a", "1.0"), hit("b", "1.0"), hit("c", "2.0")], "en", ["c", "b"]),
    ],
)
def test_what_says_the_same_in_another_version_or_language_is_shown_once(
    hits: list[Hit], language: str, left: list[str]
) -> None:
    assert pages(without_copies(hits, language)) == left


def test_short_texts_are_the_same_under_the_same_title_only() -> None:
    one, two = hit("a", "1.0", text="See below."), hit("b", "2.0", text="See below.")
    assert pages(without_copies([one, two], "en")) == ["b"]
    other = replace(two, chunks=(replace(two.chunk, title="Elsewhere"),))
    assert pages(without_copies([one, other], "en")) == ["a", "b"]


@pytest.mark.parametrize(
    ("other", "left"),
    [
        # What the theme puts into a text that nobody translated.
        (hit("fr/a", language="fr", text=f"astuce {TEXT}"), ["fr/a"]),
        (hit("fr-CA/a", language="fr-CA", text=f"astuce {TEXT}"), ["fr-CA/a"]),
        # A translation, another page, another version, and another page of the same language.
        (hit("fr/a", language="fr", text="L'option est lue du fichier at every start of settings."), ["en/a", "fr/a"]),
        (hit("fr/b", language="fr", text=f"astuce {TEXT}"), ["en/a", "fr/b"]),
        (hit("fr/a", "2.0", "fr", f"astuce {TEXT}"), ["en/a", "fr/a"]),
        (hit("fr/a", text=f"warning {TEXT}"), ["en/a", "fr/a"]),
    ],
)
def test_a_text_that_was_not_translated_is_shown_once_in_the_language_of_the_reader(
    other: Hit, left: list[str]
) -> None:
    assert pages(without_copies([hit("en/a", text=f"tip {TEXT}"), other], "fr")) == left
    elsewhere = replace(other, anchor="elsewhere")
    assert pages(without_copies([hit("en/a", text=f"tip {TEXT}"), elsewhere], "fr")) == ["en/a", other.page]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("12"), st.sampled_from(["en", "fr"]))))
def test_nothing_is_lost_that_is_said_once(copies: list[tuple[str, str, str]]) -> None:
    hits = [
        hit(f"{at}", version, language, text=f"{TEXT} {said}") for at, (said, version, language) in enumerate(copies)
    ]
    left = without_copies(hits, "en")
    assert {one.chunk.text for one in left} == {one.chunk.text for one in hits}
    editions = [(one.chunk.text, one.chunk.version, one.chunk.language) for one in hits]
    for one in left:
        assert one.page in pages(hits)
    # Texts that stand once in each edition are left once.
    if len(set(editions)) == len(editions):
        assert len(left) == len({text for text, _, _ in editions})


MEANT = Filters(editions=(("demo", ""), ("demo", "2.0")))


@pytest.mark.parametrize(
    ("hits", "left"),
    [
        ([hit("a", "1.0"), hit("b", "1.1"), hit("c", "2.0", share=0.2)], ["b", "c"]),
        ([hit("a", "1.0"), hit("b", "1.1", share=0.5)], ["a"]),
        ([hit("a", "1.0"), hit("b", "1.0", share=0.5), hit("c", "")], ["a", "b", "c"]),
        ([hit("c", "2.0", share=0.2), hit("a", "1.0", share=0.1)], ["c"]),
        ([], []),
    ],
)
def test_an_answer_from_another_version_is_from_one(hits: list[Hit], left: list[str]) -> None:
    assert pages(of_one_version(hits, MEANT, share_of)) == left


def test_without_versions_nothing_is_left_out() -> None:
    hits = [hit("a", "1.0"), hit("b", "2.0")]
    assert of_one_version(hits, Filters(), share_of) == hits
