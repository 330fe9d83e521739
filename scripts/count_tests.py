"""Counts the tests of each marker, as the table of `tests/README.md` has them.

    python -m scripts.count_tests [PATH ...]

A test with several markers is counted under the first that it has of llm, long, browser and slow.
"""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stdout
from typing import Final

import pytest
from scripts.arguments import parser_of

# In the order by which the targets of the Makefile divide the tests.
MARKERS: Final = ("llm", "long", "browser", "slow")


class Counter:
    """A plugin of pytest that counts the tests that it collects."""

    def __init__(self) -> None:
        self.counts = dict.fromkeys((*MARKERS, "none", "shared"), 0)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Count each test under its marker, and those that need the development sites once more."""
        for item in session.items:
            names = {mark.name for mark in item.iter_markers()}
            self.counts[next((name for name in MARKERS if name in names), "none")] += 1
            self.counts["shared"] += "shared" in names and "long" not in names


def main() -> int:
    """Print the number of tests of each marker. Gives the exit code of pytest."""
    parser = parser_of(__doc__)
    parser.add_argument("paths", nargs="*", help="files or folders of tests; all tests by default")
    paths = parser.parse_args().paths
    counter, printed = Counter(), io.StringIO()
    with redirect_stdout(printed):
        code = pytest.main(["--collect-only", "-qq", *paths], plugins=[counter])
    if code:
        print(printed.getvalue())
        return int(code)
    for name, count in counter.counts.items():
        print(f"{name}{', not long' if name == 'shared' else ''}: {count} tests")
    return 0


if __name__ == "__main__":
    sys.exit(main())
