"""The table about the layout of the code says how many modules a build and a question pass, as their READMEs do."""

from __future__ import annotations

import asyncio
import re
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from scripts.code_layout import REPOSITORY, modules_entered, rows
from scripts.walk_trace import Place, Walk, modules_of_a_build, modules_of_a_question

WALKS = {"build": "plugin/README.md", "question": "server/README.md"}


@pytest.fixture(scope="module")
def entered(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The modules that a build and a question enter, in the order of their first calls."""
    folder = tmp_path_factory.mktemp("walks")
    build = modules_of_a_build(folder)
    return {"build": build, "question": asyncio.run(modules_of_a_question(folder / "index"))}


def chain_of(walk: str) -> list[str]:
    """The modules that call each other, as the README joins them by arrows, by their dotted names."""
    readme = WALKS[walk]
    text = (REPOSITORY / readme).read_text(encoding="utf-8").replace("\n", " ")
    (chain,) = re.findall(r"`[\w/]+\.py`(?: → `[\w/]+\.py`)+", text)
    names = [path.replace("/", ".") for path in re.findall(r"`([\w/]+)\.py`", chain)]
    room = f"trueref_{Path(readme).parent}."
    return [name if name.startswith("trueref_core") else room + name for name in names]


@pytest.mark.parametrize("walk", WALKS)
def test_more_modules_are_entered_than_call_each_other(walk: str, entered: dict[str, list[str]]) -> None:
    chain, modules = chain_of(walk), entered[walk]
    assert (modules[0], modules[-1]) == (chain[0], chain[-1])
    assert all(modules.index(caller) < modules.index(called) for caller, called in pairwise(chain))
    assert len(modules) > len(chain)


@pytest.mark.parametrize("walk", WALKS)
def test_the_readme_says_how_many_modules_are_entered(walk: str, entered: dict[str, list[str]]) -> None:
    text = (REPOSITORY / WALKS[walk]).read_text(encoding="utf-8").replace("\n", " ")
    assert f"a {walk} enters {len(entered[walk])} modules (`python -m scripts.code_layout`)" in text


@pytest.mark.slow
def test_the_table_has_both_numbers_of_each_walk(entered: dict[str, list[str]]) -> None:
    table = dict(rows(REPOSITORY))
    for walk, name in (
        ("build", "modules from a build to the parsing of a page"),
        ("question", "modules from the endpoint to the table"),
    ):
        chain, modules = len(chain_of(walk)), len(entered[walk])
        assert table[name] == f"{chain} that call each other; {modules} entered on the way, helpers too"


def test_a_checkout_that_cannot_be_traced_has_no_such_number(tmp_path: Path) -> None:
    broken = tmp_path / "plugin" / "trueref_plugin"
    broken.mkdir(parents=True)
    (broken / "__init__.py").touch()
    assert modules_entered(tmp_path) == {}


def test_a_walk_that_does_not_arrive_is_an_error() -> None:
    watched = Walk(Place("trueref_core.records"), Place("trueref_core.nowhere"))
    before = sys.getprofile()
    with pytest.raises(SystemExit, match="no call of"), watched.watching():
        chain_of("build")
    assert sys.getprofile() is before
