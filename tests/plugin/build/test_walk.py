"""The walk of a build, as its README tells it, compared with the trace of a real one."""

from __future__ import annotations

import contextlib
import re
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from tests.plugin.small_project import HOME, Project

import trueref_plugin

ROOM = Path(trueref_plugin.__file__).parent
README = ROOM.parent / "README.md"
ROOT = README.parent.parent
STAGES = ("read_site", "compare", "cut", "embed", "publish", "export")
MAX_MODULES = 8


def module_of(frame: FrameType) -> str:
    """The module that a frame runs, relative to the room; "" where it is none of it."""
    path = Path(frame.f_code.co_filename)
    return path.relative_to(ROOM).as_posix() if path.is_relative_to(ROOM) else ""


def traced_build(project: Project) -> tuple[list[str], list[tuple[str, str]]]:
    """The modules from the build to the parsing of a page, and the stages that its module calls, in their order, each
    with the function that calls it."""
    to_parsing: list[str] = []
    stages: list[tuple[str, str]] = []

    def trace(frame: FrameType, event: str, _: Any) -> None:
        caller = frame.f_back
        # A decorator stands between the build and some of its stages.
        while caller is not None and caller.f_code.co_filename == contextlib.__file__:
            caller = caller.f_back
        if event != "call" or caller is None:
            return
        name = frame.f_code.co_name
        if module_of(caller) == "build/build.py" and name in STAGES:
            stages.append((name, caller.f_code.co_name))
        if name == "parse_page" and not to_parsing:
            above: FrameType | None = frame
            while above is not None:
                to_parsing.insert(0, module_of(above))
                above = above.f_back

    sys.setprofile(trace)
    try:
        project.build(embedder="bundled", exports=["manifest"])
    finally:
        sys.setprofile(None)
    return list(dict.fromkeys(filter(None, to_parsing))), list(dict.fromkeys(stages))


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], list[tuple[str, str]]]:
    project = Project(tmp_path_factory.mktemp("walk")).write(index=HOME)
    # What is imported now is not traced, which takes ten times as long.
    project.build(embedder="bundled")
    return traced_build(project.write(index=HOME.replace("Welcome", "Hello")))


def test_the_readme_names_the_modules_from_the_build_to_the_parsing_of_a_page(
    traced: tuple[list[str], list[tuple[str, str]]],
) -> None:
    modules, _ = traced
    told = re.findall(r"`([\w/]+\.py)`(?= →|\. A test)", README.read_text().replace("\n", " "))
    assert modules == told
    assert len(modules) <= MAX_MODULES


def test_the_stages_of_a_build_follow_each_other_in_one_function(
    traced: tuple[list[str], list[tuple[str, str]]],
) -> None:
    _, stages = traced
    assert [name for name, _ in stages] == list(STAGES)
    assert len({caller for _, caller in stages}) == 1


def test_every_module_that_the_readmes_name_is_there() -> None:
    for readme, folders in ((README, (ROOM,)), (ROOM / "checking/README.md", (ROOM / "checking",))):
        named = re.findall(r"`(?:trueref_core/[\w/]+\.py|([\w/]+\.py))`", readme.read_text())
        # A module of another room is named from the root of the repository.
        missing = [name for name in filter(None, named) if not any(_has(folder, name) for folder in (*folders, ROOT))]
        assert missing == []


def _has(folder: Path, name: str) -> bool:
    return (folder / name).is_file() or (folder != ROOT and any(folder.rglob(name)))
