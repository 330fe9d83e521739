from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.work import is_linear

from trueref_core.text.version_names import current_version


@pytest.mark.parametrize(
    ("versions", "current"),
    [
        ("1.0 2.0 10.0", "10.0"),
        ("1.0 2.0 next", "2.0"),
        ("1.0 current", "1.0"),
        ("current", "current"),
        ("v1 v2", "v2"),
        ("1.9 2.0rc1", "1.9"),
        ("1.9 2.0.0-beta.3", "1.9"),
        ("1.x 2.x", "2.x"),
        ("1.2 1.10", "1.10"),
        ("2.0 latest dev", "latest"),
        ("stable latest 3.1", "stable"),
        ("main 0.1", "0.1"),
        ("blue green", "blue"),
        ("1.4.post1 1.3", "1.4.post1"),
        ("2024.1 2023.12", "2024.1"),
    ],
)
def test_the_newest_released_version_is_meant_when_none_is_named(versions: str, current: str) -> None:
    assert current_version(versions.split()) == current
    assert current_version(versions.split()[::-1]) == current


@given(st.lists(st.text(max_size=30), min_size=1))
def test_of_any_names_of_versions_one_is_current(versions: list[str]) -> None:
    assert current_version(versions) in versions


@pytest.mark.parametrize("piece", ["1", "1.", "v", "-x"])
def test_the_version_that_is_meant_is_found_in_linear_time(piece: str) -> None:
    assert is_linear(lambda text: current_version([f"1.0{text}", text, "1.0"]), piece, longest=100_000)
