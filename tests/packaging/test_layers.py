"""Imports go one way inside the rooms too: no circles of modules, imports for annotations included.

The layers of the folders are contracts in pyproject.toml, which `make imports` checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import grimp
import pytest

ACYCLIC = ["trueref", "trueref_core", "trueref_plugin", "trueref_server"]


def circles(imports: Mapping[str, set[str]]) -> Iterator[list[str]]:
    """Chains of modules, each importing the next, that come back to the module they began with."""
    finished: set[str] = set()

    def follow(module: str, chain: list[str]) -> Iterator[list[str]]:
        if module in chain:
            yield [*chain[chain.index(module) :], module]
        elif module not in finished:
            for imported in sorted(imports.get(module, ())):
                yield from follow(imported, [*chain, module])
            finished.add(module)

    for module in sorted(imports):
        yield from follow(module, [])


def test_circles_of_imports_are_found() -> None:
    assert list(circles({"a": {"b"}, "b": {"c"}, "c": {"b"}})) == [["b", "c", "b"]]
    assert list(circles({"a": {"b", "c"}, "b": {"c"}, "c": set()})) == []


@pytest.mark.parametrize("room", ACYCLIC)
def test_modules_do_not_import_each_other_in_circles(room: str) -> None:
    graph = grimp.build_graph(room, exclude_type_checking_imports=False, cache_dir=None)
    assert list(circles({module: graph.find_modules_directly_imported_by(module) for module in graph.modules})) == []
