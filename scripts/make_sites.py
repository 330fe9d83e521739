"""Builds again what is committed of sites whose generator needs Node: `tests/sites/vitepress/site`.

    python -m scripts.make_sites

The packages come from the npm registry, in the versions of `tests/sites/vitepress/source/package.json`, into a
temporary folder. Scripts, styles and fonts are left out of what is kept: no text of a page needs them.
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
"""What loads files that are not kept. The inline data of the site stays, as the reader of a page meets it."""


def main() -> int:
    """Builds the site and replaces what is committed of it."""
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
        SystemExit: It failed.
    """
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=BUILD_SECONDS, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")


def keep(built: Path, fixtures: Path) -> None:
    """Copies the pages, without what loads scripts and styles."""
    shutil.rmtree(fixtures, ignore_errors=True)
    for page in sorted(built.rglob("*.html")):
        target = fixtures / page.relative_to(built)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(ASSETS.sub("", page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
