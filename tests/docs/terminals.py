"""What the commands of the docs print in a terminal, on a small site, and pictures of it."""

from __future__ import annotations

import os
import pty
import re
import shutil
import signal
import socket
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text
from tests.e2e.hosting import clean_environment
from tests.preloaded import programs

COLUMNS = 88
FOLDER = "/home/ada/kettle"
ADDRESS = "http://127.0.0.1:8000/"
CONFIG = "site_name: Kettle\nplugins:\n  - search\n  - trueref:\n      embedder: lexical\n"
PAGES = {
    "index.md": "# Kettle\n\nHow to [set it up](setup.md#first-use) and to [clean it](cleaning.md#limescale).\n",
    "setup.md": "# Setup\n\nThe kettle is ready in five minutes.\n\n## First use\n\nBoil water twice and pour it away.\n\n"
    "## Temperature\n\nTurn the ring to choose a temperature between 40 and 100 degrees.\n",
    "cleaning.md": "# Cleaning\n\nClean the kettle once a month.\n\n## Limescale\n\nFill in 20 grams of citric acid and "
    "wait for half an hour.\n\n## Filter\n\nRinse the filter under running water.\n",
}
CHANGED = {
    "index.md": "# Kettle\n\nHow to [set it up](setup.md#first-use) and to [clean it](care.md#limescal).\n",
    "care.md": PAGES["cleaning.md"].replace("## Limescale", "## Remove limescale {#limescale}"),
    "setup.md": PAGES["setup.md"].replace("## Temperature", "## Choose a temperature"),
}
"""The next release: a page has another name, a section another title, and a link was written wrongly."""

# What is another in every run, and what a reader sees instead.
VARYING = [
    (re.compile(r"\[\d\d:\d\d:\d\d\]"), "[10:24:31]"),
    (re.compile(r"in \d+\.\d+ seconds"), "in 0.42 seconds"),
    (re.compile(r"generation [0-9a-f]+"), "generation 2b63c0f1a5d9e7340c81b6fa"),
]

PROGRESS = re.compile(r"trueref: \w+ \w+ +\[[#-]+\]")

SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1100 {terminal_height}" role="img">
<style>.{unique_id}-matrix {{ font: {char_height}px ui-monospace, Menlo, Consolas, monospace; white-space: pre; }}
{styles}</style>
<defs>{lines}</defs>
<rect width="100%" height="100%" rx="8" fill="#0c0c0c"/>
<g transform="translate(12 8)">{backgrounds}<g class="{unique_id}-matrix">{matrix}</g></g>
</svg>
"""


def make_outputs(folder: Path) -> Iterator[tuple[str, str]]:
    """The name of each picture, and what its terminal shows, with the codes of its colours."""
    (folder / "docs").mkdir(parents=True)
    (folder / "mkdocs.yml").write_text(CONFIG + "markdown_extensions: [attr_list]\n")
    _write(folder, PAGES)
    yield "serve", _shown("mkdocs serve", previewed(folder))
    in_terminal(folder, "mkdocs", "build")
    shutil.copytree(folder / "site", folder / "old-site")
    (folder / "docs" / "cleaning.md").unlink()
    _write(folder, CHANGED)
    in_terminal(folder, "mkdocs", "build")
    for name, command in {"check": "check site", "diff": "diff old-site site"}.items():
        yield name, _shown(f"trueref {command}", in_terminal(folder, "trueref", *command.split()))


def in_terminal(folder: Path, module: str, *args: str) -> str:
    """What a command prints to a terminal until it ends."""
    with Terminal(folder, module, *args) as terminal:
        return "".join(terminal.lines())


def previewed(folder: Path) -> str:
    """What `mkdocs serve` prints until it serves."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    shown = ""
    with Terminal(folder, "mkdocs", "serve", "-a", address) as terminal:
        for line in terminal.lines():
            shown += line
            if "Serving on" in line:
                break
        terminal.process.send_signal(signal.SIGINT)
    # MkDocs breaks its lines, and where depends on the length of the path.
    shown = re.sub(r"\n {9,}", " ", shown)
    # Progress is drawn over itself, and gone at the end.
    lines = [line for line in shown.split("\n") if line.strip() and not PROGRESS.search(line)]
    return "\n".join(lines).replace(f"http://{address}/", ADDRESS).replace(str(folder.resolve()), FOLDER)


class Terminal:
    """A program whose output is a terminal."""

    def __init__(self, folder: Path, module: str, *args: str) -> None:
        leader, follower = pty.openpty()
        env = clean_environment(TERM="xterm-256color", COLUMNS=str(COLUMNS))
        env.pop("NO_COLOR", None)
        with os.fdopen(follower, "wb") as log:
            self.process = programs().start(module, [*args], cwd=folder, env=env, log=log)
        self._output = os.fdopen(leader, "r", encoding="utf-8")

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        if failed is not None:
            self.process.kill()
        try:
            self.process.wait()
        finally:
            # No server outlasts a test that was broken off.
            self.process.kill()
            self._output.close()

    def lines(self) -> Iterator[str]:
        """The lines of its output, until it ends."""
        try:
            yield from self._output
        except OSError:
            # On Linux a terminal whose program has ended has no end of its output, but an error.
            return


def as_picture(name: str, shown: str) -> str:
    """The picture of a terminal: text in an SVG file that loads nothing."""
    console = Console(record=True, file=StringIO(), width=COLUMNS, force_terminal=True, color_system="truecolor")
    console.print(Text.from_ansi(shown), soft_wrap=False)
    return console.export_svg(title="", theme=MONOKAI, code_format=SVG, unique_id=f"terminal-{name}")


def _write(folder: Path, pages: dict[str, str]) -> None:
    for name, text in pages.items():
        (folder / "docs" / name).write_text(text)


def _shown(command: str, output: str) -> str:
    for pattern, instead in VARYING:
        output = pattern.sub(instead, output)
    return f"\x1b[1m$ {command}\x1b[0m\n{output.rstrip()}\n"
