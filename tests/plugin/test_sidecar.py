from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from trueref_core.errors import OptionError
from trueref_plugin.sidecar import PageFacts, Sidecar, read_sidecar


def test_a_sidecar_is_read_as_it_was_written(tmp_path: Path) -> None:
    sidecar = Sidecar(
        (
            PageFacts("a/index.html", "docs/a.md", hidden=True),
            PageFacts("b.html", draft=True, language="de", version="2"),
        )
    )
    path = tmp_path / "pages.json"
    path.write_bytes(msgspec.json.encode(sidecar))
    assert read_sidecar(path) == {"a/index.html": sidecar.pages[0], "b.html": sidecar.pages[1]}


@pytest.mark.parametrize("text", ["{}", '{"pages": []}', '{"pages": [], "sidecar": 1, "unknown": 2}'])
def test_a_sidecar_without_pages_says_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "pages.json").write_text(text)
    assert read_sidecar(tmp_path / "pages.json") == {}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"pages": {}}',
        b'{"pages": [{}]}',
        b'{"pages": [{"file": 1}]}',
        b'{"pages": [{"file": "a", "hidden": "yes"}]}',
        b'{"pages": [{"file": "\xff"}]}',
        b"[" * 100_000,
    ],
)
def test_a_file_that_is_no_sidecar_is_refused_in_one_line(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "pages.json"
    path.write_bytes(data)
    with pytest.raises(OptionError) as caught:
        read_sidecar(path)
    assert str(caught.value).startswith(f"The pages file {path} is not the JSON that the plugins write: ")
    assert "\n" not in str(caught.value)


def test_a_sidecar_of_another_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pages.json").write_text('{"sidecar": 2}')
    with pytest.raises(OptionError, match=r"has format 2; this version of Trueref reads 1\.$"):
        read_sidecar(tmp_path / "pages.json")


def test_a_sidecar_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"^The pages file .* cannot be read: No such file or directory\.$"):
        read_sidecar(tmp_path / "gone.json")
