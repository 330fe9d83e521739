"""The pinned requirements: `make serve` installs a part of what developers have, and nothing that only they need."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.packaging.test_extras import name_of


def pins(root: Path, file: str) -> dict[str, str]:
    """The version of each package that a file pins, by name."""
    found = re.findall(r"^([a-z0-9._-]+)==(\S+)", (root / file).read_text(encoding="utf-8"), re.MULTILINE)
    return {name.replace("-", "_"): version for name, version in found}


def group(root: Path, name: str) -> set[str]:
    """The packages that a dependency group names by itself."""
    groups: dict[str, Iterable[Any]] = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))[
        "dependency-groups"
    ]
    return {name_of(one).lower() for one in groups[name] if isinstance(one, str)}


def test_what_make_serve_installs_is_a_part_of_what_developers_have(root: Path) -> None:
    served, all_pins = pins(root, "requirements-serve.txt"), pins(root, "requirements-dev.txt")
    assert served.items() <= all_pins.items()
    assert {"lancedb", "mkdocs", "mkdocs_material", "starlette", "uvicorn"} <= served.keys()
    # It took 414 s to install what tests and other generators need as well.
    assert len(served) < 0.6 * len(all_pins)


def test_make_serve_installs_nothing_that_only_developers_need(root: Path) -> None:
    # What the theme and the embedder ask for themselves.
    assert group(root, "dev") & pins(root, "requirements-serve.txt").keys() == {"httpx", "jinja2", "pillow"}
