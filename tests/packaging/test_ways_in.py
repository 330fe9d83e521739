"""The ways into a folder: other folders import the modules that `__all__` of its `__init__.py` names, and no others.

A folder without `__all__` has none. So a module that is new is an inner one until its folder says otherwise.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent.parent
PACKAGES: Final = {"trueref": "cli", "trueref_core": "core", "trueref_plugin": "plugin", "trueref_server": "server"}

OPEN: Final = ("trueref", "trueref_core")
"""Packages themselves: the library has its names in `__all__`, and every folder of the contract is for the others."""


class Import(NamedTuple):
    """A name that a module imports from another module of the program. The name may be that of a module in a folder."""

    importer: str
    module: str
    name: str


@cache
def sources() -> dict[str, ast.Module]:
    """The modules of the program by name. Those of folders are in `__init__.py`."""
    paths = [path for package, room in PACKAGES.items() for path in (ROOT / room / package).rglob("*.py")]
    return {_module_of(path): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def _module_of(path: Path) -> str:
    """The name of the module in a file."""
    parts = path.relative_to(ROOT).with_suffix("").parts[1:]
    return ".".join(parts).removesuffix(".__init__")


def imports_of(modules: Mapping[str, ast.Module]) -> list[Import]:
    """What the modules import from each other: at the top, in functions, and for annotations."""
    return [
        Import(module, node.module, alias.name)
        for module, tree in modules.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] in PACKAGES
        for alias in node.names
    ]


def declared(tree: ast.Module) -> set[str]:
    """The names in `__all__`."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


def folders_of(modules: Collection[str]) -> set[str]:
    """The folders that have ways in."""
    return {name.rpartition(".")[0] for name in modules if "." in name} - set(OPEN)


def entries(imported: Import, modules: Collection[str]) -> Iterator[tuple[str, str]]:
    """Each folder that an import enters from outside, and the module or folder in it by which it enters."""
    whole = f"{imported.module}.{imported.name}"
    path = (whole if whole in modules else imported.module).split(".")
    for depth in range(1, len(path)):
        folder = ".".join(path[:depth])
        if folder not in OPEN and not f"{imported.importer}.".startswith(f"{folder}."):
            yield folder, path[depth]


def ways_round(modules: Mapping[str, ast.Module]) -> list[str]:
    """The imports that enter a folder by a module that is none of its ways in."""
    ways_in = {folder: declared(modules[folder]) for folder in folders_of(modules)}
    return [
        f"{imported.importer} imports {imported.name} from {imported.module}, and {way} is no way into {folder}: take it "
        f"from a module that is, or name {way} in its `__all__`"
        for imported in imports_of(modules)
        for folder, way in entries(imported, modules)
        if way not in ways_in[folder]
    ]


def taken_past_a_facade(modules: Mapping[str, ast.Module]) -> list[str]:
    """The imports of a name from an inner module that another module of its folder gives in its own `__all__`."""
    imports = imports_of(modules)
    given = {
        (imported.module, imported.name): imported.importer
        for imported in imports
        if imported.name in declared(modules[imported.importer])
        # What the library gives, `trueref`, is for other programs.
        and imported.importer not in OPEN
    }
    return [
        f"{imported.importer} imports {imported.name} from {imported.module}, which {facade} gives"
        for imported in imports
        if (facade := given.get((imported.module, imported.name)))
        and imported.importer != facade
        and not imported.importer.startswith(f"{_folder(facade, modules)}.")
    ]


def _folder(module: str, modules: Collection[str]) -> str:
    """The folder that a module is in, or the folder whose `__init__.py` it is."""
    is_folder = any(name.startswith(f"{module}.") for name in modules)
    return module if is_folder else module.rpartition(".")[0]


def small_program(**changes: str) -> dict[str, ast.Module]:
    """A folder with a way in, an inner module, and a module that gives a name of it; and modules outside."""
    texts = {
        "trueref_core": "",
        "trueref_core.links": '__all__ = ["resolve"]',
        "trueref_core.links.target": "Context = 1",
        "trueref_core.links.resolve": 'from trueref_core.links.target import Context\n__all__ = ["Context"]',
        "trueref_core.errors": "from trueref_core.links.resolve import Context",
    }
    return {name: ast.parse(text) for name, text in (texts | changes).items()}


def test_a_way_round_is_found() -> None:
    assert ways_round(small_program()) == []
    for text in (
        "from trueref_core.links.target import Context",
        "from trueref_core.links import target",
        "def f():\n    from trueref_core.links.target import Context",
    ):
        assert len(ways_round(small_program(**{"trueref_core.errors": text}))) == 1, text


def test_a_name_that_is_taken_past_a_facade_is_found() -> None:
    assert taken_past_a_facade(small_program()) == []
    open_folder = {"trueref_core.links": '__all__ = ["resolve", "target"]'}
    past = {"trueref_core.errors": "from trueref_core.links.target import Context"}
    assert ways_round(small_program(**open_folder, **past)) == []
    assert len(taken_past_a_facade(small_program(**open_folder, **past))) == 1


def test_nobody_goes_round_the_ways_in() -> None:
    assert ways_round(sources()) == []


def test_nobody_takes_a_name_past_the_facade_that_gives_it() -> None:
    assert taken_past_a_facade(sources()) == []


def test_each_way_in_is_taken() -> None:
    modules = sources()
    used = {entry for imported in imports_of(modules) for entry in entries(imported, modules)}
    # MkDocs and the packages themselves find some by entry points.
    named = re.findall(r'^\w+ = "([\w.]+):', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), flags=re.MULTILINE)
    used |= {entry for module in named for entry in entries(Import("", module, ""), modules)}
    for folder in folders_of(modules):
        children = {name.rpartition(".")[2] for name in modules if name.rpartition(".")[0] == folder}
        unused = {way for way in declared(modules[folder]) if way in children and (folder, way) not in used}
        assert not unused, f"nobody imports {unused} of {folder} from outside"
