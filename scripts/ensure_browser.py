"""Finds a Chromium for the browser tests, or installs one, or prints the command that installs one.

The tests need an installed Chromium or Chrome. The one that `TRUEREF_BROWSER` names comes first. Prints its path.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

# By package manager: the command to run first, and the command that installs. The packages include fonts, because
# without any font Chromium measures every text as empty.
MANAGERS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "apt-get": (
        ("apt-get", "update", "-q"),
        ("apt-get", "install", "-q", "-y", "--no-install-recommends", "chromium", "fonts-liberation"),
    ),
    "dnf": ((), ("dnf", "install", "-y", "-q", "chromium", "liberation-fonts")),
    "apk": ((), ("apk", "add", "--quiet", "chromium", "font-liberation")),
    "pacman": ((), ("pacman", "-Sy", "--noconfirm", "--quiet", "chromium", "ttf-liberation")),
}


def main() -> int:
    """Prints the path of the browser; returns 1 if there is none and none could be installed."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    path = find() or install_and_find()
    if path is None:
        return 1
    print(path)
    return 0


def find() -> str | None:
    """The path of an installed browser, or None.

    Raises:
        SystemExit: `TRUEREF_BROWSER` names something that cannot be run. Another browser would be a silent fallback.
    """
    named = os.environ.get("TRUEREF_BROWSER")
    if named:
        path = shutil.which(named)
        if path is None:
            sys.exit(f"TRUEREF_BROWSER names {named!r}, which is no program. Name a Chromium or Chrome, or unset it.")
        return path
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def install_and_find() -> str | None:
    """Installs a Chromium with the package manager of the system if this user may do so, and returns its path."""
    manager = next((name for name in MANAGERS if shutil.which(name)), None)
    if manager is None:
        complain(
            "No Chromium or Chrome was found, and no package manager known here.",
            "Install one, or set TRUEREF_BROWSER.",
        )
        return None
    first_command, install = MANAGERS[manager]
    sudo_prefix = privilege()
    if sudo_prefix is None:
        complain(
            "No Chromium or Chrome was found, and installing one needs rights that this user does not have. Run:",
            f"    sudo {' '.join(install)}",
        )
        return None
    complain(f"No Chromium or Chrome was found: installing one with {manager}.")
    for command in (first_command, install):
        if command and run([*sudo_prefix, *command]):
            complain(
                f"`{' '.join(command)}` failed; its message is above.", "Install Chromium, or set TRUEREF_BROWSER."
            )
            return None
    return find()


def privilege() -> list[str] | None:
    """The words before a command that installs: none for root, `sudo` if it needs no password; None without rights."""
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    if sudo and subprocess.run([sudo, "-n", "true"], capture_output=True, check=False).returncode == 0:
        return [sudo, "-n"]
    return None


def run(command: list[str]) -> int:
    """Runs a package manager without questions, with its output on standard error. Returns its exit code."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.run(command, stdout=sys.stderr, stdin=subprocess.DEVNULL, env=environment, check=False).returncode


def complain(*lines: str) -> None:
    """Prints lines to standard error, so that standard output has the path only."""
    print(*lines, sep="\n", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
