"""What one question on the command line costs."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

MAX_TIMES = 1.1
"""Times the imports that no question does without; it takes .8 to .93 times as much. The goal is 2 seconds of the
processor, which a machine of half the speed misses by a quarter with the same program."""

LIBRARIES = "import lancedb, onnxruntime, pyarrow, tokenizers"

PAGE = """<!doctype html><html lang=en><title>Kilns</title><main><h1 id=kilns>Kilns</h1>
<h2 id=firing>Firing a kiln</h2><p>Set <code>ramp_rate</code> to the degrees that the kiln gains in an hour.</p></main>"""


@pytest.mark.long
def test_a_question_costs_hardly_more_than_the_libraries_that_it_needs(tmp_path: Path) -> None:
    """Imports are most of it: `test_light.py` counts them."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text(PAGE, encoding="utf-8")
    _run(tmp_path, "-m", "trueref", "index", "site", "--embedder", "bundled")
    question = "How do I set the degrees that a kiln gains in an hour?"
    # By turns: what else the machine does then counts for both.
    rounds = [(_cost(tmp_path, "-c", LIBRARIES), _cost(tmp_path, "-m", "trueref", "ask", question)) for _ in range(4)]
    libraries, ask = (min(costs) for costs in zip(*rounds, strict=True))
    assert "ramp_rate" in _run(tmp_path, "-m", "trueref", "ask", question)
    assert ask < MAX_TIMES * libraries, rounds


def _cost(folder: Path, *args: str) -> float:
    """Seconds of the processor that a command takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _run(folder, *args)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cost = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert cost > 0.1, "the program was no child of this process: its imports alone take longer"
    return cost


def _run(folder: Path, *args: str) -> str:
    """Run Python by an interpreter of its own: `tests.cli.running` forks one that has imported everything."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TRUEREF_")}
    # As an installation has it: modules are compiled once, by the first call.
    compiled = {"PYTHONPYCACHEPREFIX": str(folder / "compiled"), "PYTHONDONTWRITEBYTECODE": ""}
    command = [sys.executable, *args]
    done = subprocess.run(command, cwd=folder, env=clean | compiled, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout, done.stderr)
    return done.stdout
