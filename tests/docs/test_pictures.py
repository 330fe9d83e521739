"""The pictures of terminals in the docs show what the commands print today. The one of the widget is made beside them.

`TRUEREF_WRITE_PICTURES=1 python -m pytest tests/docs/test_pictures.py tests/e2e/test_picture.py` makes them again.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from tests.docs.terminals import as_picture, make_outputs

PICTURES = "docs/assets/pictures"
MAX_BYTES = 80_000


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return dict(make_outputs(tmp_path_factory.mktemp("terminals") / "kettle"))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["check", "diff", "serve"])
def test_a_terminal_shows_what_its_command_prints(root: Path, shown: dict[str, str], name: str) -> None:
    file = root / PICTURES / f"{name}.svg"
    if os.environ.get("TRUEREF_WRITE_PICTURES"):
        file.write_text(as_picture(name, shown[name]), encoding="utf-8")
    assert file.read_text(encoding="utf-8") == as_picture(name, shown[name])


def test_every_picture_is_small_and_shown_with_a_text_in_its_place(root: Path) -> None:
    pages = [path.read_text(encoding="utf-8") for path in (root / "docs").rglob("*.md")]
    pictures = [*(root / PICTURES).iterdir()]
    assert {picture.name for picture in pictures} == {"check.svg", "diff.svg", "serve.svg", "widget.png"}
    for picture in pictures:
        assert picture.stat().st_size < MAX_BYTES, picture.name
        texts = [text for page in pages for text in re.findall(rf"!\[([^]]*)\]\(\S*pictures/{picture.name}\)", page)]
        assert texts, f"{picture.name} is on no page"
        assert all(len(text) > 20 for text in texts), picture.name
