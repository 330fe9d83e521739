"""Generates the parts of the docs that come from the program: help texts, tables of options and routes, OpenAPI.

In a page such a part stands between `<!-- generated: NAME -->` and `<!-- /generated -->`. With `--check` nothing is
written, and the exit code is 1 if a part is outdated.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.config.config_options import SubConfig

from trueref_core.export.manifest_schema import manifest_schema
from trueref_core.text.word_forms import ENGLISH
from trueref_plugin.hosts.mkdocs_options import TruerefConfig, WidgetConfig
from trueref_server.http.openapi import build_openapi
from trueref_server.http.operations import OPERATIONS
from trueref_server.settings import VARIABLE, Settings
from trueref_server.wording import read_table

if TYPE_CHECKING:
    from mkdocs.config.base import Config

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
DOCUSAURUS = ROOT / "plugin" / "docusaurus" / "src" / "options.ts"
OPTIONS = ROOT / "plugin" / "trueref_plugin" / "hosts" / "mkdocs_options.py"
SETTINGS = ROOT / "server" / "trueref_server" / "settings.py"

BEGIN = "<!-- generated: {} -->\n"
END = "<!-- /generated -->"


def main() -> int:
    """Writes every outdated file, or with `--check` only names them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    stale = {path: text for path, text in generated() if not path.exists() or path.read_text(encoding="utf-8") != text}
    for path, text in stale.items():
        name = path.relative_to(ROOT)
        if check:
            print(f"{name} is not what the program says", file=sys.stderr)
        else:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {name}")
    if check and stale:
        print("Run `make generate`.", file=sys.stderr)
    return 1 if check and stale else 0


def generated() -> Iterator[tuple[Path, str]]:
    """Every file with a generated part, and the text that the file should have."""
    yield (
        DOCS / "reference" / "openapi.json",
        json.dumps(build_openapi(Settings()), indent=2, ensure_ascii=False) + "\n",
    )
    yield (
        DOCS / "reference" / "manifest.schema.json",
        json.dumps(manifest_schema(), indent=2, ensure_ascii=False) + "\n",
    )
    missing_blocks = dict(BLOCKS)
    for path in sorted(path for path in DOCS.rglob("*.md") if "examples" not in path.parts):
        text = path.read_text(encoding="utf-8")
        for name in [name for name in BLOCKS if BEGIN.format(name) in text]:
            text = fill(text, name, missing_blocks.pop(name)())
        yield path, text
    if missing_blocks:
        sys.exit(f"No page of the docs has a place for: {', '.join(missing_blocks)}")


def fill(text: str, name: str, content: str) -> str:
    """Replaces the text between the marks of a block."""
    before, begin, following = text.partition(BEGIN.format(name))
    _, end, after = following.partition(END)
    return f"{before}{begin}\n{content.strip()}\n\n{end}{after}"


def help_texts() -> str:
    """The help of the program and of each of its commands."""
    overview = help_of()
    names = [line.split()[0] for line in overview.partition("\nCommands:\n")[2].splitlines() if line.strip()]
    parts = [f"## trueref\n\n```text\n{overview}\n```"]
    parts += [f"## trueref {name}\n\n```text\n{help_of(name)}\n```" for name in names]
    return "\n\n".join(parts)


def help_of(*command: str) -> str:
    """The output of `trueref COMMAND --help`, at a fixed width and without the settings of this user."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(VARIABLE)}
    completed = subprocess.run(
        [sys.executable, "-m", "trueref", *command, "--help"],
        env=environment | {"COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=True,
    )
    return completed.stdout.strip()


def settings_table() -> str:
    """The server's settings, from the class that declares them."""
    descriptions = dict(documented(SETTINGS, "Settings"))
    rows = [
        (f"`{VARIABLE}{option.name.upper()}`", shown(getattr(Settings(), option.name)), descriptions[option.name])
        for option in fields(Settings)
    ]
    return table(("Variable", "Default", "What it is"), rows)


def plugin_table() -> str:
    """The options of the MkDocs plugin, from the classes that declare them."""
    rows = [*option_rows(TruerefConfig), *option_rows(WidgetConfig, "widget.")]
    return table(("Option", "Default", "What it is"), rows)


def option_rows(config: type[Config], prefix: str = "") -> Iterator[tuple[str, str, str]]:
    """One row for each option of a class. A default that depends on other options is named at the end of its text."""
    defaults = dict(config._schema)
    for name, text in documented(OPTIONS, config.__name__):
        if isinstance(defaults[name], SubConfig):
            continue
        description, _, default = text.partition(" Default: ")
        yield f"`{prefix}{name}`", default.removesuffix(".") or shown(defaults[name].default), description


def docusaurus_table() -> str:
    """The options of the Docusaurus plugin, from the interfaces that declare them."""
    rows = [*interface_rows("TruerefOptions"), *interface_rows("WidgetOptions", "widget.")]
    return table(("Option", "Default", "What it is"), [row for row in rows if row[0] not in ("`id`", "`widget`")])


def interface_rows(name: str, prefix: str = "") -> Iterator[tuple[str, str, str]]:
    """One row for each property of an interface, from the comment above it."""
    text = DOCUSAURUS.read_text(encoding="utf-8").partition(f"export interface {name} {{\n")[2].partition("\n}")[0]
    for comment, option in re.findall(r"/\*\*(.*?)\*/\s+(\w+): ", text, re.DOTALL):
        description, _, default = re.sub(r"\s+(?:\* )?", " ", comment).strip().partition(" Default: ")
        yield f"`{prefix}{option}`", default.removesuffix(".") or "none", description


def operations_table() -> str:
    """The routes, from the table by which the application is built."""
    rows = [(f"`{route.method} {route.path}`", route.summary) for route in OPERATIONS]
    return table(("Route under the prefix", "What it does"), rows)


def words_table() -> str:
    """The widget's texts in English, by their names."""
    english = read_table(ENGLISH)
    # Braces are written as code, because attr_list reads braces at the end of a cell as attributes of the cell.
    rows = [
        (f"`{name}`", re.sub(r"\{\w+\}", r"`\g<0>`", text)) for name, text in (english.widget | english.pdf).items()
    ]
    return table(("Name", "Text"), rows)


def documented(path: Path, class_name: str) -> Iterator[tuple[str, str]]:
    """The attributes of a class in a file, each with the text that stands under it."""
    module = ast.parse(path.read_text(encoding="utf-8"))
    body = next(node.body for node in module.body if isinstance(node, ast.ClassDef) and node.name == class_name)
    for statement, below in pairwise(body):
        target = statement.target if isinstance(statement, ast.AnnAssign) else None
        if isinstance(statement, ast.Assign):
            target = statement.targets[0]  # type: ignore[assignment] # an attribute has one name
        if isinstance(target, ast.Name) and isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            yield target.id, " ".join(str(below.value.value).split())


def shown(default: object) -> str:
    """A default value as a user would write it."""
    if default is None or default in ((), [], {}, ""):
        return "none"
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    return f"`{default}`"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def walk_of_build() -> str:
    """The walk of a build, from the README of `plugin/`. A test compares it with a trace of a real build."""
    return section_of(ROOT / "plugin" / "README.md", "The walk of a build", "plugin/trueref_plugin/")


def walk_of_question() -> str:
    """The walk of a question, from the README of `server/`, which is tested in the same way."""
    return section_of(ROOT / "server" / "README.md", "The walk of a question", "server/trueref_server/")


def section_of(readme: Path, title: str, room: str) -> str:
    """A section of a README without its heading, with paths from the root of the repository, and links from `docs/`."""
    text = readme.read_text(encoding="utf-8").partition(f"## {title}\n")[2].partition("\n## ")[0]
    text = text.replace("](../docs/", "](")
    return re.sub(r"`((?:core|[a-z_]+)[\w/]*/[\w/]+\.py|\w+\.py)`", lambda match: f"`{at_root(match[1], room)}`", text)


def at_root(path: str, room: str) -> str:
    """A path in a README, from the root of the repository. Names of files that the room does not have stay."""
    if path.startswith("trueref_core/"):
        return f"core/{path}"
    return f"{room}{path}" if (ROOT / room / path).exists() else path


BLOCKS: dict[str, Callable[[], str]] = {
    "walk_of_build": walk_of_build,
    "walk_of_question": walk_of_question,
    "cli": help_texts,
    "settings": settings_table,
    "plugin": plugin_table,
    "docusaurus": docusaurus_table,
    "operations": operations_table,
    "words": words_table,
}

if __name__ == "__main__":
    sys.exit(main())
