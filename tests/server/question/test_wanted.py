"""The verbs by which a question says what is wanted, and what is not."""

from __future__ import annotations

import pytest

from trueref_server.question.question_text import left_out, unwanted_verb, wanting_verbs


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
        ("how do I stop the kiln", ""),
        ("avoid the cache", ""),
        ("prevent duplicates", ""),
        ("never mind, how do I load glazes", ""),
        ("not working after an update", ""),
        ("overwrite a file that is there", ""),
        ("why does it not load glazes", ""),
        ("load glazes without a network", ""),
        ("I don't want to wait", "wait"),
    ],
)
def test_the_verb_of_what_is_not_wanted(question: str, verb: str) -> None:
    assert unwanted_verb(question) == verb


@pytest.mark.parametrize(
    ("text", "verbs"),
    [
        ("How do I change the cache directory?", ("change",)),
        ("how to SET a port", ("set",)),
        ("Is there a way to easily customize the theme, and can we add a logo?", ("customize", "add")),
        ("We are trying to use it behind a proxy", ("use",)),
        ("Which change broke the cache?", ()),
        ("How do I changelog?", ()),
        ("How do I publish a site?", ()),
    ],
)
def test_verbs_that_only_say_that_something_is_wanted_are_known(text: str, verbs: tuple[str, ...]) -> None:
    assert wanting_verbs(text) == verbs


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("fire a pot without its lid", ("lid",)),
        ("fire a pot without having to open the kiln", ("open", "kiln")),
        ("without a glaze, how hot may it be", ("glaze",)),
        ("can it be fired within a day", ()),
    ],
)
def test_a_question_tells_what_is_left_out(question: str, words: tuple[str, ...]) -> None:
    assert left_out(question) == words
