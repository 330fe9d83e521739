"""The packages that a plain `pip install trueref` leaves out, and the extra that brings each.

Indexing and answering need 650 MB of packages; checking and exporting need none of these. A command whose packages are
missing prints one line that says what to install, before it reads or writes anything.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final, Literal

from trueref_core.errors import ExtraMissing

Extra = Literal["serve", "mkdocs", "store", "postgres", "redis"]

SERVE: Final = (
    "anyio",
    "cachetools",
    "fastembed",
    "filelock",
    "h11",
    "lancedb",
    "loguru",
    "numpy",
    "onnxruntime",
    "prometheus_client",
    "py_rust_stemmers",
    "pyarrow",
    "rapidfuzz",
    "starlette",
    "tiktoken",
    "tokenizers",
    "uvicorn",
)
"""Packages of the extra `serve`, by their names in imports. A test compares them with pyproject.toml."""

PACKAGES: Final[dict[Extra, tuple[str, ...]]] = {
    "serve": SERVE,
    "mkdocs": (*SERVE, "mkdocs", "a2wsgi"),
    "store": (*SERVE, "sqlalchemy"),
    "postgres": (*SERVE, "sqlalchemy", "psycopg"),
    "redis": (*SERVE, "redis"),
}


def require_extra(extra: Extra, feature: str) -> None:
    """Make sure that the packages of an extra are installed. Imports none of them.

    Args:
        extra: Name of the extra.
        feature: The command or feature that needs the extra, as the beginning of a sentence: "`trueref serve`".

    Raises:
        ExtraMissing: A package of the extra is missing.
    """
    missing = [package for package in PACKAGES[extra] if find_spec(package) is None]
    if missing:
        # Only one package is named: usually the extra was never installed, and then all of its packages are missing.
        others = f" and {len(missing) - 1} more are" if len(missing) > 1 else " is"
        raise ExtraMissing(
            f"{feature} needs the extra `{extra}`, of which {missing[0]}{others} not installed: "
            f"pip install 'trueref[{extra}]'"
        )
