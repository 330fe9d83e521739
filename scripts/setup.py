"""Sets up `.venv`: a virtual environment with the pinned requirements and an editable installation of Trueref.

    python scripts/setup.py           what developers need: `requirements-dev.txt`
    python scripts/setup.py serve     what `make serve` needs, a third of it: `requirements-serve.txt`

Both use the same `.venv` and the same versions. The script needs no package, so that the Python of the system can run
it. A second call finds the stamp file of the first and returns at once. An incomplete environment, or one for another
folder or another Python, is repaired.
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
"""By goal: the file that exists when the goal is set up. What developers need includes what serving needs."""
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
    """The goal that the command line names: `dev` or `serve`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("goal", nargs="?", choices=sorted(WHAT), default="dev")
    goal: str = parser.parse_args().goal
    return goal


def main(goal: str) -> int:
    """Sets up what is missing, and returns the exit code."""
    if PYTHON.exists() and any(is_done(stage) for stage in {goal, "dev"}):
        return 0
    # The stamps are deleted first, so that an interrupted installation does not look complete.
    for stamp in STAMPS.values():
        stamp.unlink(missing_ok=True)
    if not usable() and not create(goal):
        return 2
    print(f"Setting up: {WHAT[goal]}, into .venv", flush=True)
    for arguments in (
        # Modules are compiled when they are first imported. Most never are, and compiling all of them takes 20 s.
        ("--no-compile", "--progress-bar", "off", "--require-hashes", "--requirement", REQUIREMENTS[goal]),
        # pip refuses an editable installation together with --require-hashes, so there are two calls.
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
    """Whether `.venv` is set up for a goal and this checkout."""
    stamp = STAMPS[goal]
    return stamp.exists() and stamp.read_text(encoding="utf-8") == state(goal)


def state(goal: str) -> str:
    """A digest of everything that the environment depends on."""
    digest = hashlib.sha256()
    # An environment has absolute paths, so it does not work after the checkout was moved.
    digest.update(f"{ROOT}\n{sys.version}\n".encode())
    for name in (REQUIREMENTS[goal], "pyproject.toml"):
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def usable() -> bool:
    """Whether `.venv` was made in this folder for this version of Python, and has a working pip."""
    if not PYTHON.exists():
        return False
    question = "import pip, sys; print(sys.version_info[:2], sys.prefix)"
    answer = subprocess.run([PYTHON, "-c", question], capture_output=True, text=True, check=False)
    activate_script = VENV / "bin" / "activate"
    return (
        answer.returncode == 0
        and answer.stdout.strip() == f"{sys.version_info[:2]} {VENV}"
        and str(VENV) in (activate_script.read_text(encoding="utf-8") if activate_script.exists() else "")
    )


def create(goal: str) -> bool:
    """Makes a new `.venv`, and deletes an earlier one. Returns whether that worked."""
    print(f"Setting up: a virtual environment in .venv (Python {sys.version.split()[0]})", flush=True)
    completed = subprocess.run(
        [sys.executable, "-m", "venv", "--clear", VENV],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    if completed.returncode == 0:
        return True
    print(NO_VENV.format(python=sys.executable, goal="setup" if goal == "dev" else goal), file=sys.stderr)
    return False


def pip(*arguments: str) -> int:
    """Runs the pip of the environment in the checkout, and returns its exit code."""
    command = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(read_goal()))
