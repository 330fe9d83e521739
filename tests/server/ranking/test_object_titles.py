"""The names in the titles of what references describe."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.work import is_linear

from trueref_server.ranking.object_titles import code_before_name, last_part_of, name_of_entry, names_in_title


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("class acme.Kiln(heat: int = 3)", {"class acme.kiln(heat: int = 3)", "acme.kiln", "kiln"}),
        ("exception acme.errors.TooHot", {"exception acme.errors.toohot", "acme.errors.toohot", "toohot"}),
        ("static async fire(clay)", {"static async fire(clay)", "fire"}),
        ("property heat: int", {"property heat: int", "heat"}),
        # Perhaps objects.
        ("static IP", {"static ip", "ip"}),
        ("interface kiln0.1", {"interface kiln0.1", "kiln0.1"}),
        ("acme.fire(clay)", {"acme.fire"}),
        ("kiln.toml", {"kiln.toml"}),
        (".send(clay)", {"send"}),
        ("Class: Kiln", {"class: kiln", "kiln"}),
        ("Event: 'close'", {"event: 'close'", "close"}),
        ("Class: `acme.Kiln`", {"class: `acme.kiln", "acme.kiln", "kiln"}),
        ("Type: checking files", {"type"}),
        # Headings, not objects.
        ("type checking", {"type checking"}),
        ("class of clay (new)", {"class of clay (new)"}),
        ("-N, --no-heat", {"N", "no-heat"}),
    ],
)
def test_the_name_of_an_object_stands_behind_its_kind_and_its_module(title: str, names: set[str]) -> None:
    assert names_in_title(title) == names


@pytest.mark.parametrize(
    ("title", "last"),
    [
        ("kiln.Glaze.fire", "fire"),
        ("class kiln.Glaze", "Glaze"),
        ("`kiln::fire`", "fire"),
        ("@kiln.fire", "fire"),
        ("kiln.toml", ""),
        ("fire", ""),
        ("Fire kiln.Glaze by hand", ""),
    ],
)
def test_a_dotted_name_ends_with_the_name_of_its_object(title: str, last: str) -> None:
    assert last_part_of(title) == last


@pytest.mark.parametrize(
    ("title", "code"),
    [("E501 - Line too long", "E501"), ("E501: line too long", "E501"), ("E501", ""), ("Line too long (E501)", "")],
)
def test_the_code_of_a_rule_stands_before_its_name(title: str, code: str) -> None:
    assert code_before_name(title) == code


@pytest.mark.parametrize(
    ("title", "name"),
    [("fire(clay)", "fire"), ("import limit [number | off]", "import limit"), ("Use a kiln", "Use a kiln")],
)
def test_the_name_of_an_entry_stands_before_its_arguments(title: str, name: str) -> None:
    assert name_of_entry(title) == name


@pytest.mark.parametrize("read", [names_in_title, last_part_of, code_before_name, name_of_entry])
@pytest.mark.parametrize("piece", ["a.", "a::", "a ", "static ", "E5", "("])
def test_a_long_title_is_read_in_linear_time(read: Callable[[str], object], piece: str) -> None:
    assert is_linear(read, piece, "!")
