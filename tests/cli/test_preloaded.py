"""The programs that tests run in forks behave as those that a command line starts, and one says nothing of another."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import closing
from pathlib import Path
from types import FrameType
from typing import NoReturn

import pytest
from tests.preloaded import Programs, programs


def write(folder: Path, name: str, code: str) -> str:
    (folder / f"{name}.py").write_text(code, encoding="utf-8")
    return name


def test_a_program_has_its_arguments_folder_environment_and_streams(tmp_path: Path) -> None:
    code = "import os, sys\nprint(sys.argv[1:], os.getcwd(), dict(os.environ), input())\nsys.exit('It failed.')\n"
    done = programs().run(write(tmp_path, "odd", code), ["a", "b c"], env={"A": "1"}, cwd=tmp_path, stdin="given\n")
    assert done.stdout == f"['a', 'b c'] {tmp_path} {{'A': '1'}} given\n"
    assert (done.returncode, done.stderr) == (1, "It failed.\n")


def test_a_program_in_the_background_is_asked_to_end_and_gives_what_it_printed(tmp_path: Path) -> None:
    """Also where this process ignores the signal, as one that a shell has started in the background does."""
    code = (
        "import signal\ntry:\n    print('begun', flush=True)\n    signal.pause()\n"
        "except KeyboardInterrupt:\n    raise SystemExit('ended')\n"
    )
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    with closing(Programs()) as own:
        signal.signal(signal.SIGINT, before)
        program = own.start(write(tmp_path, "waiting", code), [], env={}, cwd=tmp_path)
        assert program.stdout
        assert program.stdout.readline() == "begun\n"
        assert program.poll() is None
        program.send_signal(signal.SIGINT)
        assert program.communicate() == ("", "ended\n")
        assert program.returncode == 1


def test_both_streams_in_one_keep_their_order(tmp_path: Path) -> None:
    code = "import sys\nfor n in range(3):\n    print(n)\n    print('error', n, file=sys.stderr)\n"
    env = {"PYTHONUNBUFFERED": "1"}
    done = programs().run(write(tmp_path, "both", code), [], env=env, cwd=tmp_path, is_one_output=True)
    assert done.stdout == "0\nerror 0\n1\nerror 1\n2\nerror 2\n"


def test_a_test_that_is_broken_off_leaves_nothing_to_the_next(tmp_path: Path) -> None:
    """As by the time limit of a test: what it started is ended, and its end is not taken for that of the next one."""
    os.mkfifo(tmp_path / "life")
    code = "import signal\nlife = open('life', 'w')\nprint('begun', file=life, flush=True)\nsignal.pause()\n"
    endless = write(tmp_path, "endless", code)

    def break_off(_number: int, _frame: FrameType | None) -> NoReturn:
        raise TimeoutError

    before = signal.signal(signal.SIGUSR1, break_off)
    # Breaks off the test as its time limit does, as soon as the program runs, and ends with the program.
    breaker = subprocess.Popen(
        ["sh", "-c", "exec <life && read begun && kill -USR1 $PPID && cat"], cwd=tmp_path, stdout=subprocess.DEVNULL
    )
    with pytest.raises(TimeoutError):
        programs().run(endless, [], env={}, cwd=tmp_path)
    signal.signal(signal.SIGUSR1, before)
    assert breaker.wait() == 0
    done = programs().run(write(tmp_path, "next", "raise SystemExit(3)"), [], env={}, cwd=tmp_path)
    assert done.returncode == 3
