"""No module is longer than can be read at one sitting. ESLint holds those in TypeScript to the same."""

from __future__ import annotations

from pathlib import Path

MAX_LINES = 400
ROOMS = ["core", "plugin", "server", "widget", "cli", "scripts", "training", "tests"]


def test_no_module_has_more_than_400_lines(root: Path) -> None:
    files = [path for room in ROOMS for path in (root / room).rglob("*.py") if "node_modules" not in path.parts]
    assert len(files) > 500
    too_long = {
        path.relative_to(root).as_posix(): lines
        for path in files
        if (lines := path.read_text(encoding="utf-8").count("\n")) > MAX_LINES
    }
    assert too_long == {}
