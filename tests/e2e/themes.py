"""One long page in each theme that is named in the docs, all in one folder, so that one server shows them."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from tests.generators.building import run

PAGE = "long"
SECTIONS = 40
"""So many that the table of contents is longer than any window."""

MKDOCS = """site_name: Long
use_directory_urls: false
plugins: [search]
theme:
  name: {theme}
{options}markdown_extensions:
  - toc:
      permalink: true
"""
MATERIAL = "  font: false\n  palette:\n    scheme: {scheme}\n    primary: {primary}\n"
PLAIN = "  highlightjs: false\n"
"""Without what would be fetched from another host."""
ZENSICAL = '[project]\nsite_name = "Long"\nuse_directory_urls = false\n[project.theme]\nfont = false\n'
SPHINX = """project = "Long"
extensions = ["myst_parser"]
html_theme = "{theme}"
html_context = {{"default_mode": "auto"}}
"""
"""With the mode that the PyData theme and the one of books warn about where it is missing."""

BY_MKDOCS = {
    "material": ("material", MATERIAL.format(scheme="default", primary="indigo")),
    "material-dark": ("material", MATERIAL.format(scheme="slate", primary="black")),
    "material-light-accent": ("material", MATERIAL.format(scheme="default", primary="yellow")),
    "mkdocs": ("mkdocs", PLAIN),
    "readthedocs": ("readthedocs", PLAIN),
}
BY_SPHINX = {
    "furo": "furo",
    "alabaster": "alabaster",
    "sphinx-rtd-theme": "sphinx_rtd_theme",
    "sphinx-book-theme": "sphinx_book_theme",
    "pydata-sphinx-theme": "pydata_sphinx_theme",
}
THEMES = (*BY_MKDOCS, "properdocs", "zensical", *BY_SPHINX)


def build_themes(folder: Path) -> Path:
    """Builds the page in every theme; gives the folder that holds each site under the name of its theme."""
    site = folder / "site"
    for theme in THEMES:
        project = folder / theme
        docs = project if theme in BY_SPHINX else project / "docs"
        docs.mkdir(parents=True)
        for name in ("index", PAGE):
            (docs / f"{name}.md").write_text(_markdown(name, f"{{toctree}}\n{PAGE}" * (theme in BY_SPHINX)))
        built = _build(theme, project)
        shutil.copytree(built, site / theme)
    return site


def _build(theme: str, project: Path) -> Path:
    if theme in BY_SPHINX:
        (project / "conf.py").write_text(SPHINX.format(theme=BY_SPHINX[theme]))
        run(sys.executable, "-m", "sphinx", "-q", "-b", "html", ".", "site", folder=project)
    elif theme == "zensical":
        (project / "zensical.toml").write_text(ZENSICAL)
        run(sys.executable, "-m", "zensical", "build", folder=project)
    elif theme == "properdocs":
        (project / "properdocs.yml").write_text(MKDOCS.format(theme="mkdocs", options=PLAIN))
        run(sys.executable, "-m", "properdocs", "build", "--quiet", folder=project)
    else:
        name, options = BY_MKDOCS[theme]
        (project / "mkdocs.yml").write_text(MKDOCS.format(theme=name, options=options))
        run("mkdocs", "build", "--quiet", folder=project)
    return project / "site"


def _markdown(name: str, directive: str) -> str:
    """Headings, text that fills its line, and code that is wider than any column."""
    sections = [
        f"## How to keep hive {n}\n\n{'A hive wants a dry place out of the wind. ' * 12}\n\n"
        f"```\nhive --number {n} {'--wide ' * 40}\n```\n"
        for n in range(SECTIONS)
    ]
    listed = f"```{directive}\n```\n" if directive else ""
    return "\n".join([f"# The {name} page\n", listed, *sections])
