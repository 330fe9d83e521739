from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from tests.generators.building import BUILDS
from tests.generators.expected import EXPECTED, Expected
from tests.plugin.small_project import Heard

from trueref_core.generations.served_generation import read_manifest
from trueref_core.manifest.lookup import Manifest
from trueref_plugin.build.build import index_site


@dataclass(frozen=True)
class Built:
    """A site as its generator built it, indexed without vectors and without any option."""

    name: str
    site: Path
    index: Path
    warnings: tuple[str, ...]
    expected: Expected

    @property
    def manifest(self) -> Manifest:
        return read_manifest(self.index)


@pytest.fixture(scope="session")
def builds(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Built]:
    """Each site by its name, built when it is first asked for."""

    @cache
    def build(name: str) -> Built:
        folder = tmp_path_factory.mktemp(name)
        site, heard = BUILDS[name](folder / "project"), Heard()
        assert index_site(site, index=folder / "index", embedder="lexical", report=heard).refused == ()
        return Built(name, site, folder / "index", tuple(heard.warnings), EXPECTED[name])

    return build


@pytest.fixture(params=EXPECTED)
def built(request: pytest.FixtureRequest, builds: Callable[[str], Built]) -> Built:
    """Each of the sites."""
    return builds(request.param)
