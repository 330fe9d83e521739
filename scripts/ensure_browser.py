"""Find a Chromium for the browser tests, or install one, or say with which command to install one.

The tests drive an installed Chromium or Chrome; the one that `TRUEREF_BROWSER` names comes first. Prints its path.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

# The manager, what to run before, and how it installs. Fonts: without any, Chromium measures every text as empty.
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
    """Print the browser's path; return 1 if there is none and none could be installed."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    path = find() or install_and_find()
    if path is None:
        return 1
    print(path)
    return 0


def find() -> str | None:
    """The browser that is installed, or None.

    Raises:
        SystemExit: `TRUEREF_BROWSER` names something that cannot be run; another browser would be a silent fallback.
    """
    named = os.environ.get("TRUEREF_BROWSER")
    if named:
        path = shutil.which(named)
        if path is None:
            sys.exit(f"TRUEREF_BROWSER names {named!r}, which is no program. Name a Chromium or Chrome, or unset it.")
        return path
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def install_and_find() -> str | None:
    """Install a Chromium by the system's package manager if that is allowed, and find it."""
    manager = next((name for name in MANAGERS if shutil.which(name)), None)
    if manager is None:
        complain(
            "No Chromium or Chrome was found, and no package manager known here.",
            "Install one, or set TRUEREF_BROWSER.",
        )
        return None
    before, install = MANAGERS[manager]
    prefix = privilege()
    if prefix is None:
        complain(
            "No Chromium or Chrome was found, and installing one needs rights that this user does not have. Run:",
            f"    sudo {' '.join(install)}",
        )
        return None
    complain(f"No Chromium or Chrome was found: installing one with {manager}.")
    for command in (before, install):
        if command and run([*prefix, *command]):
            complain(
                f"`{' '.join(command)}` failed; its message is above.", "Install Chromium, or set TRUEREF_BROWSER."
            )
            return None
    return find()


def privilege() -> list[str] | None:
    """What stands before a command so that it may install: nothing for root, sudo if it asks for no password."""
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    if sudo and subprocess.run([sudo, "-n", "true"], capture_output=True, check=False).returncode == 0:
        return [sudo, "-n"]
    return None


def run(command: list[str]) -> int:
    """Run without questions; what the package manager says goes to standard error."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.run(command, stdout=sys.stderr, stdin=subprocess.DEVNULL, env=environment, check=False).returncode


def complain(*lines: str) -> None:
    """Say something on standard error, where it does not mix with the path."""
    print(*lines, sep="\n", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
