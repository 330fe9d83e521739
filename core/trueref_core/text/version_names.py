"""Names of versions: which of several is meant when none is named."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

UNRELEASED: Final = frozenset(
    "canary current dev devel develop development edge head main master next nightly snapshot trunk unreleased".split()
)
"""Names that generators and projects give to the version that is still being written. Docusaurus calls it `current`."""

RELEASED: Final = ("stable", "latest", "release")
"""Names that mike and Read the Docs give to the version that is meant when a reader names none, best first."""

_NUMBERS: Final = re.compile(r"v?(\d{1,9}(?:\.\d{1,9}){0,7})(?:\.x)?(.{0,40})", re.DOTALL)
"""Matches the name of a version that begins with a number: the number, and what stands behind it."""

_FINAL: Final = re.compile(r"(?:[.+-]?(?:final|post|lts|x)[.\d]*)?", re.IGNORECASE)
"""Matches what may stand behind the number of a finished release: nothing, `.final`, `-lts`, `.post1`."""


def current_version(versions: Collection[str]) -> str:
    """The version that is meant when none is named: a stable one before an unreleased one, then the highest number.

    Args:
        versions: At least one name, such as `2.1`, `v2`, `next` or `stable`.
    """
    return max(sorted(versions), key=_rank)


def _rank(version: str) -> tuple[int, tuple[int, ...], int]:
    """The sort key of a version: the class of its name, its number, and the position of its name in `RELEASED`.

    Names such as `stable` come highest, then numbers of finished releases, then other names and release candidates,
    and names of unreleased versions last.
    """
    name = version.lower()
    if name in RELEASED:
        return 4, (), -RELEASED.index(name)
    if name in UNRELEASED:
        return 1, (), 0
    numbers = _NUMBERS.fullmatch(name)
    if numbers is None:
        return 2, (), 0
    parts = tuple(map(int, numbers[1].split(".")))
    # A release candidate of 3.0 is not what a reader of 2.9 has.
    return 3 if _FINAL.fullmatch(numbers[2]) else 2, parts, 0
