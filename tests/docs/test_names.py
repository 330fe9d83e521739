"""The names of types: those that the glossary gives are there, and one name is one class or alias."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
ROOMS = ("core/trueref_core", "plugin/trueref_plugin", "server/trueref_server", "cli/trueref")

SHARED_NAMES: Final = frozenset({"Manifest"})
"""Names that two types have: the manifest of the package `trueref` is that of the core, which also resolves links."""


def types() -> Counter[str]:
    """How many classes and aliases of types of the program have each name, wherever in a module they stand."""
    texts = (path.read_text(encoding="utf-8") for room in ROOMS for path in (ROOT / room).rglob("*.py"))
    return Counter(name for text in texts for name in names_of(text))


def names_of(code: str) -> list[str]:
    """The names of the types of some code: at its top, under a condition such as `TYPE_CHECKING`, or in a function."""
    return [name for node in ast.walk(ast.parse(code)) for name in _names_of(node)]


def _names_of(node: ast.AST) -> list[str]:
    """The name of a class, or those that a statement gives to values and that are written as those of classes are.

    A name that begins with `_` counts as the same name without it.
    """
    if isinstance(node, ast.ClassDef):
        return [node.name.lstrip("_")]
    targets: list[ast.expr] = []
    if isinstance(node, ast.AnnAssign):
        # Only an alias: the annotated field of a record may begin with any letter.
        targets = [node.target] if "TypeAlias" in ast.unparse(node.annotation) else []
    else:
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


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("class Page: pass\nclass _Row: pass", ["Page", "Row"]),
        ("if TYPE_CHECKING:\n    Vector = NDArray[np.float32]", ["Vector"]),
        ("Vector: TypeAlias = 'NDArray[np.float32]'", ["Vector"]),
        ("def reader():\n    class Rows: pass\n    return Rows", ["Rows"]),
        ("LIMIT = 3\npage = Page()\nLimit: int = 3", []),
    ],
)
def test_a_type_is_seen_wherever_it_stands(code: str, names: list[str]) -> None:
    assert names_of(code) == names
