"""The names of types: those that the glossary gives are there, and one name is one class or alias."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent.parent
ROOMS = ("core/trueref_core", "plugin/trueref_plugin", "server/trueref_server", "cli/trueref")

SHARED_NAMES: Final = frozenset({"Manifest"})
"""Names that two types have: the manifest of the package `trueref` is that of the core, which also resolves links."""


def types() -> Counter[str]:
    """How many classes and aliases of types of the program have each name."""
    modules = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    bodies = [ast.parse(path.read_text(encoding="utf-8")).body for path in modules]
    return Counter(name for body in bodies for node in body for name in _names_of(node))


def _names_of(node: ast.stmt) -> list[str]:
    """The name of a class, or those that a statement gives to values and that are written as those of classes are.

    A name that begins with `_` counts as the same name without it.
    """
    if isinstance(node, ast.ClassDef):
        return [node.name.lstrip("_")]
    targets = node.targets if isinstance(node, ast.Assign) else []
    names = [target.id.lstrip("_") for target in targets if isinstance(target, ast.Name)]
    return [name for name in names if re.fullmatch(r"[A-Z]\w*[a-z]\w*", name)]


def test_the_classes_that_the_glossary_names_are_there() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").partition("\n## ")[2]
    named = set(re.findall(r"`([A-Z][A-Za-z]+)`", glossary))
    assert len(named) >= 5
    assert named - set(types()) == set()


def test_one_name_is_one_type() -> None:
    assert {name for name, count in types().items() if count > 1} == SHARED_NAMES
