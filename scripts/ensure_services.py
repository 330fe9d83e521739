"""Finds Redis and PostgreSQL for the tests of the cache and the store, or installs them, or prints how to install them.

The tests start their own servers, on free ports and in temporary folders. No running service of the machine is used.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from scripts.arguments import parser_of
from scripts.ensure_browser import complain, privilege, run

PACKAGES: Final[Mapping[str, str]] = {
    "redis-server": "redis-server",
    "postgres": "postgresql",
    "initdb": "postgresql",
    "psql": "postgresql",
}
"""By program: the Debian package that contains it."""


def main() -> int:
    """Installs the missing packages; returns 1 if that is not possible."""
    parser_of(__doc__).parse_args()
    missing = sorted({package for program, package in PACKAGES.items() if find(program) is None})
    if not missing:
        return 0
    install = ("apt-get", "install", "-q", "-y", "--no-install-recommends", *missing)
    prefix = privilege()
    if shutil.which("apt-get") is None or prefix is None:
        complain(f"{' and '.join(missing)} was not found. Install it, such as: sudo {' '.join(install)}")
        return 1
    complain(f"{' and '.join(missing)} was not found: installing with apt-get.")
    for command in (("apt-get", "update", "-q"), install):
        if run([*prefix, *command]):
            complain(f"`{' '.join(command)}` failed; its message is above.")
            return 1
    return 0 if all(find(program) for program in PACKAGES) else 1


def find(program: str) -> str | None:
    """The path of a program. Debian has those of PostgreSQL in a folder for each version, off the search path."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((executable for folder in (None, *folders) if (executable := shutil.which(program, path=folder))), None)


if __name__ == "__main__":
    sys.exit(main())
