"""Reads the arguments of scripts. `--help` prints the docstring of a script, and an error is one line."""

from __future__ import annotations

import argparse
from pathlib import Path


def parser_of(text: str | None) -> argparse.ArgumentParser:
    """A parser whose help is the docstring of a script, with its line breaks."""
    return argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)


def existing(argument: str) -> Path:
    """The path of a file or folder that exists; an error of `argparse` if it does not."""
    path = Path(argument)
    if not path.exists():
        raise argparse.ArgumentTypeError(f"{argument} does not exist")
    return path


def index_folder(argument: str) -> Path:
    """The folder of a published index; an error of `argparse` if the argument is none."""
    if not (existing(argument) / "current.json").is_file():
        raise argparse.ArgumentTypeError(f"{argument} is no index: it has no current.json")
    return Path(argument)


def groups_of(text: str | None, *names: str, at_least: int = 1) -> list[tuple[Path, ...]]:
    """The arguments of a script that takes groups of paths: for each site its index and files of questions.

    Args:
        text: The docstring of the script.
        names: The names of the paths in a group. The first path is that of an index.
        at_least: How many groups the script needs.
    """
    parser = parser_of(text)
    group = " ".join(names)
    parser.add_argument("paths", nargs="+", type=existing, metavar=group)
    paths: list[Path] = parser.parse_args().paths
    if len(paths) % len(names):
        parser.error(f"there are {len(paths)} paths, and {group} come together")
    groups = [tuple(paths[at : at + len(names)]) for at in range(0, len(paths), len(names))]
    if len(groups) < at_least:
        parser.error(f"{group} of at least {at_least} sites are needed")
    for index, *_ in groups:
        try:
            index_folder(str(index))
        except argparse.ArgumentTypeError as error:
            parser.error(str(error))
    return groups
