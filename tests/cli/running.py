"""The command line as its users run it: in a process of its own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.preloaded import programs


def run(
    *args: str | Path, stdin: str = "", env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `trueref` and wait for it. No `TRUEREF_*` variable is set that the test does not give."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TRUEREF_")}
    env = clean | {"COLUMNS": "80", **(env or {})}
    return programs().run("trueref", [*map(str, args)], env=env, cwd=cwd, stdin=stdin)
