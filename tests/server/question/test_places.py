"""Files that a question names as the place where something is written."""

from __future__ import annotations

import pytest

from trueref_server.question.places import files_as_places


@pytest.mark.parametrize(
    ("query", "files"),
    [
        ("environment variables in kiln.yml", ("kiln.yml",)),
        ("Add a theme to my `docs/conf.py`?", ("docs/conf.py",)),
        ("what goes into the file pyproject.toml", ("pyproject.toml",)),
        ("a timeout in `kiln.js`", ("kiln.js",)),
        ("a timeout in the file kiln.js", ("kiln.js",)),
        ("a timeout in src/kiln.js", ("src/kiln.js",)),
        ("a timeout in kiln.config.js", ("kiln.config.js",)),
        ("the theme in layout.tsx", ("layout.tsx",)),
        ("how do I set a timeout in node.js", ()),  # a product
        ("install it from docs.rs", ()),  # a site
        ("what is kiln.yml", ()),
        ("why is kiln.yml not read", ()),
        ("errors in os.path", ()),
        ("set it in kiln.yml.erb", ()),
        ("the code in kiln.yml-old", ()),
    ],
)
def test_a_file_behind_a_preposition_is_a_place(query: str, files: tuple[str, ...]) -> None:
    assert files_as_places(query) == files


def test_a_long_question_is_searched_in_linear_time() -> None:
    assert files_as_places("in " + "a/" * 50_000) == ()
    assert files_as_places("in the " * 20_000) == ()
