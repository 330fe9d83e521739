from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.core.samples import content

from trueref_core.generations.publication import publish


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index that no test changes."""
    index = tmp_path_factory.mktemp("generations") / "index"
    publish(index, content())
    return index


@pytest.fixture
def index(built: Path, tmp_path: Path) -> Path:
    """A copy to damage."""
    return shutil.copytree(built, tmp_path / "index")
