"""Measures the memory of the bundled embedder, and the processor time of loading it and of its first text.

    python -m scripts.measure_loading [--runs 7]

Each run is a process of its own, and the figures are medians. Importing the libraries is measured separately, before
loading. To compare two models, run the script by turns in two checkouts.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from pathlib import Path
from typing import Final

from scripts.arguments import parser_of

RUN: Final = """
import time
from pathlib import Path

def memory():
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024

started = time.process_time()
import numpy, onnxruntime, tokenizers
from trueref_core.embedding.bundled_model import BundledModel
imported, before = time.process_time(), memory()
model = BundledModel()
loaded = time.process_time()
model.vector("How do I hide a page from the search?")
print(imported - started, loaded - imported, time.process_time() - loaded, before, memory())
"""


def measure(runs: int) -> list[float]:
    """The medians of some runs: seconds of imports, of loading and of the first text, and MB before and after."""
    command = [sys.executable, "-c", RUN]
    of_runs = [
        [float(figure) for figure in subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()]
        for _ in range(runs)
    ]
    return [statistics.median(figures) for figures in zip(*of_runs, strict=True)]


def main() -> None:
    """Measures and prints."""
    parser = parser_of(__doc__)
    parser.add_argument("--runs", type=int, default=7)
    if not Path("/proc/self/status").exists():
        parser.error("memory is read from /proc, which this system does not have")
    imports, loading, first, before, after = measure(parser.parse_args().runs)
    print(f"imports {imports * 1000:.0f} ms, loading {loading * 1000:.0f} ms, first text {first * 1000:.1f} ms")
    print(f"memory {before:.0f} MB with the libraries, {after:.0f} MB with the model")


if __name__ == "__main__":
    main()
