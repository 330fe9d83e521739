"""Prints a table about the layout of the Python code, so that two states of the code can be compared.

    python -m scripts.code_layout [CHECKOUT]

CHECKOUT is a folder with the repository; without it this repository is measured. Tests, scripts and training do not
count. For each walk, the modules that call each other come from the READMEs of `plugin/` and `server/`, which tests
compare with traces of a real build and a real question. The modules that are entered, helpers too, are counted in a
trace by `scripts/walk_trace.py`, which runs the code of the checkout. A checkout that lacks what this calls is not
traced.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from scripts.arguments import existing, parser_of

ROOMS: Final = ("core", "plugin", "server", "cli")
SHORT: Final = 40
FOLDERS_SHOWN: Final = 5
REPOSITORY: Final = Path(__file__).resolve().parent.parent
ARROW: Final = " → "


def main() -> None:
    """Prints the table."""
    parser = parser_of(__doc__)
    parser.add_argument("checkout", type=existing, nargs="?", default=REPOSITORY)
    checkout: Path = parser.parse_args().checkout
    print("| Figure | Value |\n|---|---|")
    for name, value in rows(checkout):
        print(f"| {name} | {value} |")


def rows(checkout: Path) -> Iterator[tuple[str, str]]:
    """The name and the value of each figure."""
    modules = [path for room in ROOMS for path in (checkout / room).rglob("*.py") if "node_modules" not in path.parts]
    lines = {path: path.read_text(encoding="utf-8").count("\n") for path in modules}
    own_modules = [path for path in modules if path.name != "__init__.py"]
    modules_of_folder = Counter(path.parent.relative_to(checkout).as_posix() for path in own_modules)
    basename_counts = Counter(path.name for path in own_modules)
    comments = sum(map(count_comments, modules))
    yield "modules", f"{len(modules):,}, {len(modules) - len(own_modules)} of them `__init__.py`"
    yield "lines", f"{sum(lines.values()):,}"
    yield "longest module", f"{max(lines.values())} lines"
    largest_folders = ", ".join(
        f"{count} in {folder}" for folder, count in modules_of_folder.most_common(FOLDERS_SHOWN)
    )
    yield "flat modules of a folder, the largest", largest_folders
    yield "basenames that occur twice or more", f"{sum(count > 1 for count in basename_counts.values())}"
    yield f"modules under {SHORT} lines", f"{sum(lines[path] < SHORT for path in own_modules)}"
    yield "comments per 100 lines", f"{100 * comments / sum(lines.values()):.1f}"
    entered = modules_entered(checkout)
    for name, walk, room in (
        ("modules from a build to the parsing of a page", "build", "plugin"),
        ("modules from the endpoint to the table", "question", "server"),
    ):
        chain = f"{walk_length(checkout / room / 'README.md')} that call each other"
        yield name, f"{chain}; {entered[walk]} entered on the way, helpers too" if walk in entered else chain


def count_comments(path: Path) -> int:
    """The number of comments in a module."""
    with path.open("rb") as stream:
        return sum(token.type == tokenize.COMMENT for token in tokenize.tokenize(stream.readline))


def walk_length(readme: Path) -> int:
    """The number of modules in the longest walk of a README, which joins them by arrows."""
    text = readme.read_text(encoding="utf-8").replace("\n", " ")
    return max((len(chain.split(ARROW)) for chain in re.findall(r"`[\w/]+\.py`(?: → `[\w/]+\.py`)+", text)), default=0)


def modules_entered(checkout: Path) -> Mapping[str, str]:
    """How many modules a build and a question enter on their way, by the name of each walk; empty if it fails."""
    # A process of its own, because the code of another checkout has the same names of modules as this one.
    paths = [str((checkout / room).resolve()) for room in ROOMS]
    traced = subprocess.run(
        [sys.executable, "-m", "scripts.walk_trace"],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    return dict(re.findall(r"^(\w+): (\d+)$", traced.stdout, re.MULTILINE))


if __name__ == "__main__":
    main()
