"""What every room's tests share: where things are, the development sites, the browser."""

from __future__ import annotations

import os
import shutil
import signal
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import settings

SEED = int(os.environ.get("TRUEREF_SEED") or 20261122)
"""What chance begins with, the same in every run unless told."""

EXAMPLES = int(os.environ.get("TRUEREF_EXAMPLES") or 50)
"""How many examples of a promise chance tries; the long round tries two hundred."""

# A busy machine is no failure, so no example has a deadline of its own.
settings.register_profile("fixed", max_examples=EXAMPLES, derandomize="TRUEREF_SEED" not in os.environ, deadline=None)
settings.load_profile("fixed")

COSTS = {"browser": 2, "slow": 3}
"""What a test with a marker costs, in seconds, roughly. Tests with no marker are not worth counting."""

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared" / "dev"
NO_SHARED = f"the development sites are not beside this checkout: {SHARED} is missing"


def pytest_configure() -> None:
    """Lets programs that tests start end on SIGINT, also where the shell that runs the tests in the background ignores it."""
    # What ignores a signal is inherited by every program that is started, and a handler is not.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_report_header() -> str:
    """Say what a run can be had again with."""
    return f"TRUEREF_SEED={SEED}"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take long; skip what needs the development sites, and say so, where they are not."""
    # Called last, so that tests which `-m` leaves out are not counted.
    costs: Counter[Path] = Counter()
    for item in items:
        costs[item.path] += sum(cost for name, cost in COSTS.items() if item.get_closest_marker(name))
    # One worker runs a whole file: a long one that began last would be waited for.
    items.sort(key=lambda item: -costs[item.path])
    if SHARED.is_dir():
        return
    for item in items:
        if item.get_closest_marker("shared"):
            item.add_marker(pytest.mark.skip(reason=NO_SHARED))


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of the development sites. Tests that use it carry the marker `shared`."""
    if not SHARED.is_dir():
        pytest.skip(NO_SHARED)
    return SHARED


@pytest.fixture(scope="session")
def browser_path() -> str:
    """The Chromium or Chrome to drive: `make test` sets it. Without one the test fails; it never passes by skipping."""
    for name in (os.environ.get("TRUEREF_BROWSER"), "chromium", "chromium-browser", "google-chrome", "chrome"):
        path = shutil.which(name) if name else None
        if path:
            return path
    pytest.fail("No Chromium or Chrome was found. Run `make test`, or `python scripts/ensure_browser.py`.")
