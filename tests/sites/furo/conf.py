"""A small Sphinx project."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

project = "Hive Notes"
copyright = "of the beekeepers"  # noqa: A001 - Sphinx names it so.
version = "2.1"
release = "2.1.3"
language = "en"
extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode", "myst_parser"]
html_theme = "furo"
html_baseurl = "https://hive.example.org/sphinx/"
html_theme_options = {
    "announcement": "Join the honey fair on Sunday.",
    "source_repository": "https://git.example.org/hive/notes",
    "source_branch": "main",
    "source_directory": "docs/",
}
