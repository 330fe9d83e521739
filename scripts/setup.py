"""Make `.venv` fit the checkout: a virtual environment with the pinned requirements and Trueref itself, editable.

    python scripts/setup.py           what developers need: `requirements-dev.txt`
    python scripts/setup.py serve     what `make serve` needs, a third of it: `requirements-serve.txt`

Both go into the same `.venv`, with the same versions. Runs on the system's Python with nothing installed. A second call
finds the stamp of the first and returns at once; a half-made environment, a moved checkout or another Python is
repaired.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"

STAMPS = {"dev": VENV / "trueref-setup", "serve": VENV / "trueref-setup-serve"}
"""By what is set up, the file that says it is. Developers have what serving needs too."""
REQUIREMENTS = {"dev": "requirements-dev.txt", "serve": "requirements-serve.txt"}
WHAT = {
    "dev": "what developers need, some 900 MB",
    "serve": "what building and serving the docs needs, some 650 MB, about a minute with a fast network",
}

NO_VENV = """\
This Python cannot make virtual environments: {python}
Install the venv module (on Debian and Ubuntu: apt-get install python3-venv), or name another Python:
    make PYTHON=python3.12 {goal}"""


def read_goal() -> str:
    """What the command names: `serve`, or what developers need."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("goal", nargs="?", choices=sorted(WHAT), default="dev")
    goal: str = parser.parse_args().goal
    return goal


def main(goal: str) -> int:
    """Set up what is missing and say how it went, as an exit code."""
    if PYTHON.exists() and any(is_done(stage) for stage in {goal, "dev"}):
        return 0
    # Taken away first: an interrupted installation must not look finished.
    for stamp in STAMPS.values():
        stamp.unlink(missing_ok=True)
    if not usable() and not create(goal):
        return 2
    print(f"Setting up: {WHAT[goal]}, into .venv", flush=True)
    for arguments in (
        # Compiled when they are first imported: most modules never are, and to compile all takes 20 s.
        ("--no-compile", "--progress-bar", "off", "--require-hashes", "--requirement", REQUIREMENTS[goal]),
        # pip refuses an editable project beside --require-hashes: hence two calls.
        ("--no-deps", "--no-build-isolation", "--editable", "."),
    ):
        print("Setting up: pip install", *arguments, flush=True)
        code = pip("install", "--quiet", *arguments)
        if code:
            print(
                "Setting up failed; the message of pip is above. Run the same command again to go on.", file=sys.stderr
            )
            return code
    STAMPS[goal].write_text(state(goal), encoding="utf-8")
    return 0


def is_done(goal: str) -> bool:
    """Whether what stands in `.venv` is what the checkout asks for."""
    stamp = STAMPS[goal]
    return stamp.exists() and stamp.read_text(encoding="utf-8") == state(goal)


def state(goal: str) -> str:
    """A digest of everything that the environment depends on."""
    digest = hashlib.sha256()
    # An environment holds absolute paths, so it does not survive a move.
    digest.update(f"{ROOT}\n{sys.version}\n".encode())
    for name in (REQUIREMENTS[goal], "pyproject.toml"):
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def usable() -> bool:
    """Whether `.venv` has a Python of this version, made at this place, with a working pip."""
    if not PYTHON.exists():
        return False
    question = "import pip, sys; print(sys.version_info[:2], sys.prefix)"
    answer = subprocess.run([PYTHON, "-c", question], capture_output=True, text=True, check=False)
    home = VENV / "bin" / "activate"
    return (
        answer.returncode == 0
        and answer.stdout.strip() == f"{sys.version_info[:2]} {VENV}"
        and str(VENV) in (home.read_text(encoding="utf-8") if home.exists() else "")
    )


def create(goal: str) -> bool:
    """Make `.venv` anew, over whatever stands there."""
    print(f"Setting up: a virtual environment in .venv (Python {sys.version.split()[0]})", flush=True)
    done = subprocess.run(
        [sys.executable, "-m", "venv", "--clear", VENV],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode == 0:
        return True
    print(NO_VENV.format(python=sys.executable, goal="setup" if goal == "dev" else goal), file=sys.stderr)
    return False


def pip(*arguments: str) -> int:
    """Run the environment's pip on the checkout."""
    command = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(read_goal()))
