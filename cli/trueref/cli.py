"""The `trueref` command. The module of a subcommand is imported when the subcommand is used."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import NoReturn

import click

from trueref_core.errors import TruerefError
from trueref_core.text.printable import visible
from trueref_core.version import __version__

COMMANDS = (
    "index",
    "serve",
    "ask",
    "search",
    "resolve",
    "check",
    "path",
    "diff",
    "export",
    "pages",
    "eval",
    "report",
    "info",
)
"""Each is a module of `trueref.commands` with a `command`."""

INTERRUPTED = 130
"""The exit code that shells report for a program that SIGINT ended."""


_FULL = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG))
"""Errors of writing if there is no room for the output."""


class LazyGroup(click.Group):
    """A group that knows its commands by name only."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click names it)
        """The commands in the order in which a new user needs them, not in that of the alphabet."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 (click names it)
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        # Imported only when the command is used: importing LanceDB takes 2.25 s of processor time, which `--version`
        # must not take (`docs/decisions/click.md`).
        command = import_module(f"trueref.commands.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="trueref", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Ask the docs, and every link lands.

    Data goes to stdout, messages to stderr. The exit code is 0 if all is well, 1 if there are findings, and 2
    if something was used wrongly or cannot work.
    """
    # https://no-color.org: any value except the empty one. click checks for a terminal, but not for this variable.
    if os.environ.get("NO_COLOR"):
        ctx.color = False


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit."""
    sys.exit(_run(args))


def _run(args: Sequence[str] | None) -> int:
    """Run a command, and return its exit code."""
    try:
        # Not standalone: click would exit with 1 for an abort, but here 1 means that there are findings.
        code = cli.main(args=args, prog_name="trueref", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return 2
    except TruerefError as error:
        # A message may quote a file or a page, whose control characters must not reach the terminal.
        message = visible(str(error), allowed="\n")
        click.echo(f"trueref: {message}", err=True)
        return 2
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except (OSError, RuntimeError, UnicodeEncodeError) as error:
        if not (problem := _problem_around(error)):
            raise
        _drop_output()
        click.echo(f"trueref: {problem}", err=True)
        return 2
    return code if isinstance(code, int) else 0


def _problem_around(error: Exception) -> str:
    """What is wrong around the program if that is why it cannot go on, and what to do; "" for any other error."""
    if isinstance(error, OSError) and error.errno in _FULL:
        return f"The output cannot be written ({error.strerror})."
    if isinstance(error, UnicodeEncodeError) and not sys.stdout.encoding.lower().startswith("utf"):
        return f"The output has characters that {sys.stdout.encoding} does not have. Set PYTHONIOENCODING=utf-8."
    # `Path.expanduser` raises this error, for paths of options and of settings alike.
    if isinstance(error, RuntimeError) and str(error) == "Could not determine home directory.":
        return "A path begins with ~ and the name of a user who does not exist. Write the whole path."
    return ""


def _drop_output() -> None:
    """Send to nowhere what was printed and could not be written: at its end, Python would try again and report it."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
