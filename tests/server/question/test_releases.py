"""Versions whose changes a question asks for, and titles that are called by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.work import is_linear

from trueref_server.question.plan import make_plan
from trueref_server.question.releases import MAX_RELEASES, OF_A_SERIES, release_match, releases_asked
from trueref_server.records import Question


@pytest.mark.parametrize(
    ("text", "releases"),
    [
        ("what changed in 9.5.0", ("9.5.0",)),
        ("What changed in V2.1?", ("2.1",)),
        ("Release notes of v2.0rc1?", ("2.0rc1",)),
        ("changelog 9.1.3", ("9.1.3",)),
        ("9.1.3 changelog", ("9.1.3",)),
        ("breaking changes in 9.0, and new in the version 9.1", ("9.0", "9.1")),
        ("Version 1.6.1?", ("1.6.1",)),
        ("9.5.0", ("9.5.0",)),
        ("what is new in 3.12?", ("3.12",)),
        ("changelog 1.1, changes in 1.2, new in 1.3, fixed in 1.4", ("1.1", "1.2", "1.3")),
        ("bug fixes 9.1.4", ("9.1.4",)),
        ("kiln 1.7.5 release", ("1.7.5",)),
        ("v9.7.0 new features?", ("9.7.0",)),
        ("new features in 1.7.5", ("1.7.5",)),
        ("kiln fixes for 1.7.5?", ("1.7.5",)),
        # Which one somebody has is not what they are after.
        ("I have 9.5.0 and the search is broken", ()),
        ("I use 9.5.0. How do I show readers what has changed on a page?", ()),
        ("How do I release 1.2.0 from CI?", ()),
        ("How do I publish release notes with version 2.1.0?", ()),
        ("How do I pin Python 3.12 when the lockfile changes?", ()),
        ("the line height changes from 1.5 to 1.6", ()),
        ("Server on 127.0.0.1:8000 does not reload when a file changes", ()),
        ("changes in 127.0.0.1", ()),
        ("Can I use 3.8?", ()),
        ("Does it run on Python 3.12?", ()),
        ("what changed in 9", ()),
        ("the build fails with the 9.5.3 release", ()),
        ("How do I tag a 1.2.0 release?", ()),
        ("install 3.12 release", ()),
        ("please install 1.7.5 release", ()),
        ("we need 1.7.5 fixes", ()),
        ("the 0.4.0 release", ()),
        ("need 1.2 fixes", ()),
    ],
)
def test_versions_whose_changes_are_asked_for_are_found(text: str, releases: tuple[str, ...]) -> None:
    found = make_plan(Question(text), "en")
    assert found.releases == releases
    assert found.wants_releases or not releases


@given(st.text(max_size=400), st.text(max_size=60))
def test_of_any_text_a_bounded_number_of_versions_is_found(text: str, title: str) -> None:
    asked = releases_asked(f"changelog {text}")
    assert len(asked) <= MAX_RELEASES
    assert release_match(title, asked) in (0.0, OF_A_SERIES, 1.0)


def test_of_a_long_list_of_versions_the_first_ones_are_asked_for() -> None:
    text = "changelog " + " ".join(f"changes in 1.{number}.{number}" for number in range(1_500))
    assert releases_asked(text[:20_000]) == ("1.0.0", "1.1.1", "1.2.2")


@pytest.mark.parametrize("piece", ["changelog ", "changes in 1.2.3 ", "1.", "1.2.3-", "v1 "])
def test_versions_are_looked_for_in_linear_time(piece: str) -> None:
    assert is_linear(lambda text: releases_asked(f"changelog {text}"), piece)
    assert is_linear(lambda text: release_match(text, ("1.0.0", "1.1.1", "1.2.2")), piece)
