"""What one question on the command line costs."""

from __future__ import annotations

import resource
from pathlib import Path

from tests.cli.running import run

CPU_SECONDS = 2.0
PAGE = """<!doctype html><html lang=en><title>Kilns</title><main><h1 id=kilns>Kilns</h1>
<h2 id=firing>Firing a kiln</h2><p>Set <code>ramp_rate</code> to the degrees that the kiln gains in an hour.</p></main>"""


def test_a_question_costs_less_than_two_seconds_of_the_processor(tmp_path: Path) -> None:
    """Imports are most of it, so this is what a new import at the wrong place would break."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text(PAGE, encoding="utf-8")
    # As an installation has it: modules are compiled once, by the first call.
    compiled = {"PYTHONPYCACHEPREFIX": str(tmp_path / "compiled"), "PYTHONDONTWRITEBYTECODE": ""}
    assert run("index", "site", "--embedder", "bundled", cwd=tmp_path, env=compiled).returncode == 0
    costs = [_cost(tmp_path, compiled) for _ in range(4)]
    assert min(costs) < CPU_SECONDS, costs


def _cost(folder: Path, env: dict[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    asked = run("ask", "How do I set the degrees that a kiln gains in an hour?", cwd=folder, env=env)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert "ramp_rate" in asked.stdout, (asked.stdout, asked.stderr)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
