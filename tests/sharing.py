"""What several tests need and one makes. The other workers wait for it, and read it from the same folder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock

if TYPE_CHECKING:
    import pytest

    from trueref_core.embedding.embedder import Embedder


@cache
def bundled_embedder() -> Embedder:
    """The bundled embedder, loaded once in this worker."""
    from trueref_core.embedding.embedder import load_embedder

    embedder = load_embedder("bundled")
    assert embedder
    return embedder


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder of this run that is made by the first worker to ask for it. No test may change what is in it.

    Args:
        factory: Knows the temporary folder of the run.
        name: The name of the folder, and so of what is in it.
        make: Fills the folder, which is there and empty. Where it fails, the next worker that asks begins anew.
    """
    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        # Each worker has a folder of its own in that of the run.
        base = base.parent
    folder = base / "made-once" / name
    folder.parent.mkdir(exist_ok=True)
    with FileLock(f"{folder}.lock"):
        is_made = Path(f"{folder}.made")
        if not is_made.exists():
            # What is made may name its own folder, so it is not made elsewhere and moved.
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            is_made.touch()
    return folder
