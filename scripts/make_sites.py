"""Rebuilds the committed pages of the test site whose generator needs Node.js: `tests/sites/vitepress/site`.

    python -m scripts.make_sites

The packages are installed from the npm registry into a temporary folder, in the versions of
`tests/sites/vitepress/source/package.json`. Scripts, styles and fonts are not kept, since no text of a page needs them.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from scripts.arguments import parser_of
from tests.generators.building import SITES, gather

BUILD_SECONDS: Final = 900

PAGES: Final = ("index.md", "install.md", "visits.md", "settings.md")

ASSETS: Final = re.compile(r"<link rel=\"(?:preload|modulepreload)[^>]*>\n?|<script type=\"module\"[^>]*></script>\n?")
"""The elements that load files which are not kept. Inline data of the site is kept, since readers of pages meet it."""


def main() -> int:
    """Builds the site and replaces its committed pages."""
    parser_of(__doc__).parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        project = gather("vitepress/source", Path(temporary) / "project", ".", PAGES)
        run("npm", "install", "--no-audit", "--no-fund", "--loglevel=error", folder=project)
        run("npx", "vitepress", "build", folder=project)
        keep(project / ".vitepress" / "dist", SITES / "vitepress" / "site")
    return 0


def run(*command: str, folder: Path) -> None:
    """Runs a program to its end.

    Raises:
        SystemExit: The program failed.
    """
    completed = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=BUILD_SECONDS, check=False)
    if completed.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{completed.stdout[-3000:]}{completed.stderr[-3000:]}")


def keep(built: Path, fixtures: Path) -> None:
    """Copies the pages, without the elements that load scripts and styles."""
    shutil.rmtree(fixtures, ignore_errors=True)
    for page in sorted(built.rglob("*.html")):
        target = fixtures / page.relative_to(built)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(ASSETS.sub("", page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
