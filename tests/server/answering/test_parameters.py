"""The entry of a parameter is a passage of its own, as Sphinx and mkdocstrings really write them."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.generators.building import run
from tests.preloaded import programs

from trueref_plugin.build.build import index_site
from trueref_server.records import Answer, Question
from trueref_server.service import Service
from trueref_server.settings import Settings

MODULE = '''\
"""Connections to the hive."""


def connect(host: str, port: int = 80, timeout: float = 5.0, retries: int = 3, proxy: str = "") -> bool:
    """Open a connection to a hive, and keep it open until the keeper closes it.

    Args:
        host: Name of the computer in the hive, without its domain.
        port: Where the computer listens. Hives before 2019 listen on 8080.
        timeout: Seconds to wait for the first byte. After that the connection is given up, and the bees are left alone.
        retries: How often a connection that was given up is tried again, each time after twice as long a pause.
        proxy: Address of the computer that all connections go through. Without one they are direct.

    Returns:
        Whether the hive has answered.
    """
    return True


def feed(sugar: float, timeout: float = 60.0) -> None:
    """Feed the bees with syrup.

    Args:
        sugar: Grams of sugar.
        timeout: Seconds until the feeder shuts.
    """
'''
SPHINX = {
    "conf.py": "import sys\nfrom pathlib import Path\n\nsys.path.insert(0, str(Path(__file__).parent))\n"
    'project = "hive"\nextensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon"]\n',
    "index.rst": "Hive\n====\n\n.. automodule:: connector\n   :members:\n",
    "connector.py": MODULE,
}


def mkdocs(style: str) -> dict[str, str]:
    """A project whose docstrings have sections of some style: `list`, `table` or `spacy`."""
    handler = f"{{python: {{paths: [.], options: {{docstring_section_style: {style}, heading_level: 2}}}}}}"
    return {
        "mkdocs.yml": f"site_name: Hive\nplugins:\n  - mkdocstrings: {{handlers: {handler}}}\n",
        "docs/index.md": "# Hive\n\n::: connector\n",
        "connector.py": MODULE,
    }


PROJECTS = {"sphinx": SPHINX, **{style: mkdocs(style) for style in ("list", "table", "spacy")}}


pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=PROJECTS)
def index(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp(request.param)
    for name, text in PROJECTS[request.param].items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    if request.param == "sphinx":
        run(sys.executable, "-m", "sphinx", "-q", ".", "site", folder=folder)
    else:
        done = programs().run("mkdocs", ["build", "-q"], env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, cwd=folder)
        assert done.returncode == 0, done.stderr
    index_site(folder / "site", index=folder / "index", name="hive", embedder="bundled")
    return folder / "index"


@pytest.fixture(scope="module")
async def service(index: Path, anyio_backend: str) -> AsyncIterator[Service]:
    """One for all questions: each would load the embedder."""
    service = Service(Settings(index=index))
    yield service
    await service.close()


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


def shown(answer: Answer) -> str:
    """The text of the first card with its captions."""
    return "\n".join(part for block in answer.excerpts[0].blocks for part in (block.caption, block.text))


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What does the timeout of connect do?", "Seconds to wait for the first byte."),
        ("How often is a connection tried again?", "How often a connection that was given up is tried again"),
    ],
)
async def test_a_parameter_is_shown_alone_under_what_it_belongs_to(service: Service, question: str, said: str) -> None:
    answer = await service.ask_whole(Question(question))
    assert answer.sources[0].section.removeprefix("connector.").startswith("connect(")
    assert said in shown(answer)
    assert shown(answer).lower().lstrip("\n| ").startswith("parameter")
    others = ("without its domain", "Where the computer listens", "all connections go through", "has answered")
    assert not any(other in shown(answer) for other in others)


@pytest.mark.anyio
@pytest.mark.parametrize("question", ["What does connect do?", "What is the connect function for?"])
async def test_who_asks_for_a_function_is_shown_what_it_does(service: Service, question: str) -> None:
    answer = await service.ask_whole(Question(question))
    assert shown(answer).strip() == "Open a connection to a hive, and keep it open until the keeper closes it."


@pytest.mark.anyio
async def test_few_parameters_stay_together(service: Service) -> None:
    answer = await service.ask_whole(Question("Which parameters does feed have for the sugar of the bees?"))
    assert "feed" in answer.sources[0].section
    assert "Grams of sugar" in shown(answer)
    assert "until the feeder shuts" in shown(answer)
