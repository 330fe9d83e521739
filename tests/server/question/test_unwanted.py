"""What a question does not want: a passage that does it is no answer."""

from __future__ import annotations

import pytest

from trueref_server.question.unwanted import is_negated, unwanted_verb


@pytest.mark.parametrize(
    ("question", "verb"),
    [
        ("don't overwrite a file that is there", "overwrite"),
        ("dont Overwrite a file that is there", "overwrite"),
        ("please do not load the glazes", "load"),
        ("avoid loading all glazes", "loading"),
        ("how do I not load all glazes", "load"),
        ("stop the kiln from loading glazes", "loading"),
        ("without importing anything", "importing"),
        ("I don't want it to import anything", "import"),
        ("overwrite a file that is there", ""),
        ("why does it not load glazes", ""),
        ("load glazes without a network", ""),
        ("I don't want to wait", "wait"),
    ],
)
def test_the_verb_of_what_is_not_wanted(question: str, verb: str) -> None:
    assert unwanted_verb(question) == verb


def test_a_text_that_says_how_something_does_not_happen() -> None:
    assert is_negated("Loads no glaze that doesn't exist.")
    assert is_negated("Pass `--no-glaze` for it.")
    assert not is_negated("Overwrite files that exist, without asking.")
