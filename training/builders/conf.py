"""How Sphinx builds the docs of a source distribution: with the project's own `conf.py` if `OWN_CONF` names it."""

from __future__ import annotations

import os
import runpy

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosectionlabel",
    "sphinx.ext.doctest",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_inline_tabs",
]
autodoc_default_options = {"members": True}
autosectionlabel_prefix_document = True
# What stands between single backticks is a name as a rule: `~.Connection.run` is then read as Connection.run.
default_role = "py:obj"
html_theme = "furo"
myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "deflist", "fieldlist", "substitution"]
myst_heading_anchors = 3
project = os.environ["SITE_NAME"]

if own := os.environ.get("OWN_CONF"):
    globals().update(runpy.run_path(own, {"tags": globals()["tags"]}))
    # Their files are beside their configuration, where Sphinx does not look for them now.
    html_static_path: list[str] = []
    html_sidebars: dict[str, list[str]] = {}
    # It would wait for the inventories of other sites.
    extensions = [name for name in extensions if name != "sphinx.ext.intersphinx"]
    # Older configurations give the beginning of a caption, and Sphinx takes the whole one.
    given: dict[str, tuple[str, str]] = globals().get("extlinks", {})
    extlinks = {role: (url, title if "%s" in title else f"{title}%s") for role, (url, title) in given.items()}
