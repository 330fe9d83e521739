"""The extras: what pyproject.toml says of them, and what a command says where one is missing."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from trueref_core import extras
from trueref_core.errors import ExtraMissing
from trueref_core.extras import PACKAGES, SERVE, require_extra

RELEASES_SAY_NOTHING = {"regex", "pyarrow"}
"""Versions of these count days and releases: a higher one does not mean that anything breaks."""


@pytest.fixture
def project(root: Path) -> dict[str, list[str]]:
    """What is installed plainly, as "", and with each extra."""
    read = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {"": read["dependencies"], **read["optional-dependencies"]}


def name_of(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9_.-]+", requirement)
    assert found is not None
    return found[0].replace("-", "_")


def test_a_command_knows_what_its_extra_brings(project: dict[str, list[str]]) -> None:
    assert sorted(map(name_of, project["serve"])) == sorted(SERVE)
    assert {name_of(one) for one in project["mkdocs"]} - {"trueref"} == {*PACKAGES["mkdocs"]} - {*SERVE}
    own = {extra: {name_of(one) for one in project[extra]} - {"trueref"} for extra in ("store", "postgres", "redis")}
    assert own["store"] == {*PACKAGES["store"]} - {*SERVE}
    assert own["store"] | own["postgres"] == {*PACKAGES["postgres"]} - {*SERVE}
    assert own["redis"] == {*PACKAGES["redis"]} - {*SERVE}


def test_the_plugin_brings_what_serving_needs(project: dict[str, list[str]]) -> None:
    assert "trueref[serve]" in project["mkdocs"]


def test_dependencies_have_an_upper_bound(project: dict[str, list[str]]) -> None:
    free = {name_of(one) for listed in project.values() for one in listed if "<" not in one and "[" not in one}
    assert free == RELEASES_SAY_NOTHING


def test_what_is_installed_is_not_asked_for() -> None:
    require_extra("serve", "This")
    require_extra("mkdocs", "This")


@pytest.mark.parametrize(
    ("missing", "line"),
    [
        (("no_such_a",), "no_such_a is not installed"),
        (("anyio", "no_such_a", "no_such_b", "no_such_c"), "no_such_a and 2 more are not installed"),
    ],
)
def test_the_line_names_what_is_missing(monkeypatch: pytest.MonkeyPatch, missing: tuple[str, ...], line: str) -> None:
    monkeypatch.setitem(extras.PACKAGES, "serve", missing)
    with pytest.raises(ExtraMissing) as caught:
        require_extra("serve", "`trueref serve`")
    assert (
        str(caught.value) == f"`trueref serve` needs the extra `serve`, of which {line}: pip install 'trueref[serve]'"
    )
