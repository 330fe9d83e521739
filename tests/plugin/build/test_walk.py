"""The walk of a build, as its README tells it, compared with the trace of a real one."""

from __future__ import annotations

import contextlib
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from tests.plugin.small_project import HOME, Project

import trueref_core
import trueref_plugin

ROOM = Path(trueref_plugin.__file__).parent
README = ROOM.parent / "README.md"
ROOT = README.parent.parent
CORE = Path(trueref_core.__file__).parent
STAGES = ("read_site", "compare", "cut", "embed", "publish", "export")
STEPS = {
    "Read": ("read_site",),
    "Compare": ("compare",),
    # The stages Cut and Export are functions of the build itself: what they call is in the table.
    "Cut": ("compare_pages", "cut_pages", "cut_page"),
    "Embed": ("embed",),
    "Publish": ("publish",),
    "Export": ("note_build", "write_exports"),
}
"""For each row of the table, the functions whose modules it names, in the order of their calls."""

MAX_MODULES = 8


@dataclass
class Trace:
    """What was seen of a build."""

    to_parsing: list[str] = field(default_factory=list[str])
    """The modules from the build to the parsing of a page, each called by the one before it."""
    stages: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """The stages that the module of the build calls, in their order, each with the function that calls it."""
    steps: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """For each stage of the table, the modules in which its functions ran, in the order of their calls."""


def module_of(frame: FrameType) -> str:
    """The module that a frame runs, as the README names it: relative to the room, or with `trueref_core`; else ""."""
    path = Path(frame.f_code.co_filename)
    if path.is_relative_to(CORE):
        return path.relative_to(CORE.parent).as_posix()
    return path.relative_to(ROOM).as_posix() if path.is_relative_to(ROOM) else ""


def traced_build(project: Project) -> Trace:
    """Builds, and gives what was seen of it."""
    traced = Trace()
    stage_of = {step: stage for stage, steps in STEPS.items() for step in steps}

    def trace(frame: FrameType, event: str, _: Any) -> None:
        caller = frame.f_back
        # A decorator stands between the build and some of its stages.
        while caller is not None and caller.f_code.co_filename == contextlib.__file__:
            caller = caller.f_back
        if event != "call" or caller is None:
            return
        name = frame.f_code.co_name
        if module_of(caller) == "build/build.py" and name in STAGES:
            traced.stages.append((name, caller.f_code.co_name))
        # Other functions have these names too, such as `embed` of the embedder. A step is called by the build, or by
        # another step of its stage.
        stage = stage_of.get(name, "")
        if stage and (module_of(caller) == "build/build.py" or caller.f_code.co_name in {*STEPS[stage]} - {name}):
            traced.steps.setdefault(stage, []).append(module_of(frame))
        if name == "parse_page" and not traced.to_parsing:
            above: FrameType | None = frame
            while above is not None:
                traced.to_parsing.insert(0, module_of(above))
                above = above.f_back

    sys.setprofile(trace)
    try:
        project.build(embedder="bundled", exports=["manifest"])
    finally:
        sys.setprofile(None)
    return Trace(
        [name for name in dict.fromkeys(traced.to_parsing) if name and not name.startswith(CORE.name)],
        list(dict.fromkeys(traced.stages)),
        {stage: list(dict.fromkeys(modules)) for stage, modules in traced.steps.items()},
    )


def table_of(readme: str) -> dict[str, list[str]]:
    """The modules in each row of the table of the stages."""
    table = readme.partition("| Stage | Module |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (\w+) \| ([^|]+) \|", table, re.MULTILINE)
    return {stage: re.findall(r"`([\w/]+\.py)`", modules) for stage, modules in rows}


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> Trace:
    project = Project(tmp_path_factory.mktemp("walk")).write(index=HOME)
    # What is imported now is not traced, which takes ten times as long.
    project.build(embedder="bundled")
    return traced_build(project.write(index=HOME.replace("Welcome", "Hello")))


def test_the_readme_names_the_modules_from_the_build_to_the_parsing_of_a_page(traced: Trace) -> None:
    named = re.findall(r"`([\w/]+\.py)`(?= →|\. A test)", README.read_text().replace("\n", " "))
    assert traced.to_parsing == named
    assert len(traced.to_parsing) <= MAX_MODULES


def test_the_stages_of_a_build_follow_each_other_in_one_function(traced: Trace) -> None:
    assert [name for name, _ in traced.stages] == list(STAGES)
    assert len({caller for _, caller in traced.stages}) == 1


def test_the_table_of_the_readme_names_the_modules_in_which_each_stage_runs(traced: Trace) -> None:
    assert table_of(README.read_text()) == traced.steps
    assert list(traced.steps) == list(STEPS)


def test_every_module_that_the_readmes_name_is_there() -> None:
    for readme, folders in ((README, (ROOM,)), (ROOM / "checking/README.md", (ROOM / "checking",))):
        named = re.findall(r"`(?:trueref_core/[\w/]+\.py|([\w/]+\.py))`", readme.read_text())
        # A module of another room is named from the root of the repository.
        missing = [name for name in filter(None, named) if not any(_has(folder, name) for folder in (*folders, ROOT))]
        assert missing == []


def _has(folder: Path, name: str) -> bool:
    return (folder / name).is_file() or (folder != ROOT and any(folder.rglob(name)))
