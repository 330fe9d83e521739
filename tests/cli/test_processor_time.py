"""What one question on the command line costs."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

CPU_SECONDS = 2.0
PAGE = """<!doctype html><html lang=en><title>Kilns</title><main><h1 id=kilns>Kilns</h1>
<h2 id=firing>Firing a kiln</h2><p>Set <code>ramp_rate</code> to the degrees that the kiln gains in an hour.</p></main>"""


@pytest.mark.slow
def test_a_question_costs_less_than_two_seconds_of_the_processor(tmp_path: Path) -> None:
    """Imports are most of it, so this is what a new import at the wrong place would break."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text(PAGE, encoding="utf-8")
    _run(tmp_path, "index", "site", "--embedder", "bundled")
    costs = [_cost(tmp_path) for _ in range(4)]
    assert min(costs) < CPU_SECONDS, costs


def _cost(folder: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = _run(folder, "ask", "How do I set the degrees that a kiln gains in an hour?")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert "ramp_rate" in output
    cost = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert cost > 0.1, "the program was no child of this process: its imports alone take longer"
    return cost


def _run(folder: Path, *args: str) -> str:
    """Run `trueref` by an interpreter of its own: `tests.cli.running` forks one that has imported everything."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TRUEREF_")}
    # As an installation has it: modules are compiled once, by the first call.
    compiled = {"PYTHONPYCACHEPREFIX": str(folder / "compiled"), "PYTHONDONTWRITEBYTECODE": ""}
    command = [sys.executable, "-m", "trueref", *args]
    done = subprocess.run(command, cwd=folder, env=clean | compiled, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout, done.stderr)
    return done.stdout
