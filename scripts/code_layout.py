"""Prints a table of how the Python code of the program is laid out, by which two states of it can be compared.

    python -m scripts.code_layout [CHECKOUT]

CHECKOUT is a folder with the repository, this one if none is named. Tests, scripts and training do not count. The
walks are those of the READMEs of `plugin/` and `server/`, which tests compare with traces of a real build and question.
"""

from __future__ import annotations

import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from scripts.arguments import existing, parser_of

ROOMS: Final = ("core", "plugin", "server", "cli")
SHORT: Final = 40
FOLDERS_SHOWN: Final = 5
ARROW: Final = " → "


def main() -> None:
    """Print the rows of the table."""
    parser = parser_of(__doc__)
    parser.add_argument("checkout", type=existing, nargs="?", default=Path(__file__).resolve().parent.parent)
    checkout: Path = parser.parse_args().checkout
    print("| Figure | Value |\n|---|---|")
    for name, value in rows(checkout):
        print(f"| {name} | {value} |")


def rows(checkout: Path) -> Iterator[tuple[str, str]]:
    """The name and the value of each figure."""
    modules = [path for room in ROOMS for path in (checkout / room).rglob("*.py") if "node_modules" not in path.parts]
    lines = {path: path.read_text(encoding="utf-8").count("\n") for path in modules}
    own = [path for path in modules if path.name != "__init__.py"]
    flat = Counter(path.parent.relative_to(checkout).as_posix() for path in own)
    names = Counter(path.name for path in own)
    comments = sum(map(count_comments, modules))
    yield "modules", f"{len(modules):,}, {len(modules) - len(own)} of them `__init__.py`"
    yield "lines", f"{sum(lines.values()):,}"
    yield "longest module", f"{max(lines.values())} lines"
    largest = ", ".join(f"{count} in {folder}" for folder, count in flat.most_common(FOLDERS_SHOWN))
    yield "flat modules of a folder, the largest", largest
    yield "basenames that occur twice or more", f"{sum(count > 1 for count in names.values())}"
    yield f"modules under {SHORT} lines", f"{sum(lines[path] < SHORT for path in own)}"
    yield "comments per 100 lines", f"{100 * comments / sum(lines.values()):.1f}"
    yield "modules from a build to the parsing of a page", f"{handed(checkout / 'plugin' / 'README.md')}"
    yield "modules from the endpoint to the table", f"{handed(checkout / 'server' / 'README.md')}"


def count_comments(path: Path) -> int:
    """The comments of a module."""
    with path.open("rb") as stream:
        return sum(token.type == tokenize.COMMENT for token in tokenize.tokenize(stream.readline))


def handed(readme: Path) -> int:
    """The modules that a README joins by arrows."""
    text = readme.read_text(encoding="utf-8").replace("\n", " ")
    return max((len(chain.split(ARROW)) for chain in re.findall(r"`[\w/]+\.py`(?: → `[\w/]+\.py`)+", text)), default=0)


if __name__ == "__main__":
    main()
