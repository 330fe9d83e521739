"""The names of classes: those that the glossary gives are there, and one name is one class."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent.parent
ROOMS = ("core/trueref_core", "plugin/trueref_plugin", "server/trueref_server", "cli/trueref")

SHARED_NAMES: Final = frozenset(
    (
        "Candidate Companion Difference Document Editions Entry Finding Line Location Manifest Read Reader Report Row "
        "Section Sidecar Source Written"
    ).split()
)
"""Names that several classes have. The list may only become shorter."""


def classes() -> Counter[str]:
    """How many classes of the program have each name."""
    modules = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    bodies = [ast.parse(path.read_text(encoding="utf-8")).body for path in modules]
    return Counter(node.name for body in bodies for node in body if isinstance(node, ast.ClassDef))


def test_the_classes_that_the_glossary_names_are_there() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").partition("\n## ")[2]
    named = set(re.findall(r"`([A-Z][A-Za-z]+)`", glossary))
    assert len(named) >= 5
    assert named - set(classes()) == set()


def test_one_name_is_one_class() -> None:
    assert {name for name, count in classes().items() if count > 1} == SHARED_NAMES
