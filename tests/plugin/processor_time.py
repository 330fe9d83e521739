"""Processor time of this process and its children, which a busy machine does not lengthen as it does the clock's."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path


def spent(child: subprocess.Popen[bytes] | None = None) -> float:
    """Seconds spent so far: by this process, by its children that have ended, and by one that runs."""
    ended = os.times()
    return time.process_time() + ended.children_user + ended.children_system + (_running(child) if child else 0)


def _running(child: subprocess.Popen[bytes]) -> float:
    """Seconds that a child has spent which is not waited for yet."""
    fields = Path(f"/proc/{child.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
