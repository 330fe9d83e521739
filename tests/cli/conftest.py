from __future__ import annotations

from pathlib import Path

import pytest
from tests.server.handmade import publish_demo


@pytest.fixture(scope="session")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index made by hand."""
    path = tmp_path_factory.mktemp("demo") / "index"
    publish_demo(path)
    return path
