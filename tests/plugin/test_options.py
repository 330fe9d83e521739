from __future__ import annotations

from dataclasses import fields, replace
from functools import partial
from pathlib import Path

import pytest

from trueref_core.errors import OptionError
from trueref_plugin.build.build import index_site
from trueref_plugin.options import BuildOptions, check_server_url

OPTIONS = BuildOptions(Path("site"), Path("index"))


@pytest.mark.parametrize("base_url", ["https://example.org/docs/", "http://example.org", "https://example.org:8443/a/"])
def test_a_base_url_ends_with_a_slash(base_url: str) -> None:
    assert replace(OPTIONS, base_url=base_url).checked().base_url == f"{base_url.rstrip('/')}/"


@pytest.mark.parametrize(
    "base_url",
    [
        "",
        "example.org",
        "/docs/",
        "ftp://example.org/",
        "https://",
        "https://a/?b",
        "https://a/#b",
        "https://a/?",
        "https://a/#",
        "http://[bad/",
    ],
)
def test_a_base_url_that_is_no_web_address_is_refused(base_url: str) -> None:
    with pytest.raises(OptionError, match=r"^The base URL .* is not an address like https://example.org/docs/\.$"):
        replace(OPTIONS, base_url=base_url).checked()


@pytest.mark.parametrize("index", ["site", "site/index", "site/a/../index", "./site/a/b", "other/../site"])
def test_an_index_inside_of_the_site_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, index: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OptionError, match=r"lies inside the site folder site"):
        replace(OPTIONS, index=Path(index)).checked()


@pytest.mark.parametrize("index", ["index", "site-index", "site/../index", ".trueref", "a/site"])
def test_an_index_beside_the_site_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, index: str) -> None:
    monkeypatch.chdir(tmp_path)
    assert replace(OPTIONS, index=Path(index)).checked().index == Path(index)


@pytest.mark.parametrize("selector", ["main", "div.a > p", "[role=main]"])
def test_valid_selectors_are_taken(selector: str) -> None:
    assert replace(OPTIONS, content_selector=selector).checked().content_selector == selector


@pytest.mark.parametrize("selector", ["div[", ">>", "..a", ":nonsense(", ""])
def test_a_selector_that_cannot_be_used_is_refused(selector: str) -> None:
    with pytest.raises(OptionError, match=r"^The content selector .* is not a CSS selector that can be used\.$"):
        replace(OPTIONS, content_selector=selector).checked()


def test_the_fingerprint_is_of_what_shapes_the_content() -> None:
    shaping = {
        "base_url": "https://a/",
        "name": "n",
        "site_name": "s",
        "version": "1",
        "language": "de",
        "exclude": ("a",),
        "content_selector": "p",
        "kinds": {"a/*": "api"},
        "weights": {"a/*": 0.1},
        "embedder": "lexical",
    }
    changed = {name: replace(OPTIONS, **{name: value}).fingerprint() for name, value in shaping.items()}  # type: ignore[arg-type]
    assert all(fingerprint != OPTIONS.fingerprint() for fingerprint in changed.values())
    others = {field.name for field in fields(OPTIONS)} - set(shaping)
    assert others == {"site", "index", "facts", "facts_are_complete", "reuse", "pdf", "full"}
    assert (
        replace(OPTIONS, site=Path("x"), index=Path("y"), reuse="z", full=True).fingerprint() == OPTIONS.fingerprint()
    )


@pytest.mark.parametrize("embedder", ["bundled", "lexical", "BAAI/bge-small-en-v1.5"])
def test_known_embedders_are_taken(embedder: str) -> None:
    assert replace(OPTIONS, embedder=embedder).checked().embedder == embedder


@pytest.mark.parametrize("embedder", ["", "bundle", "bge-small"])
def test_what_is_no_embedder_is_said_before_anything_is_read(embedder: str) -> None:
    with pytest.raises(OptionError, match=r"^There is no embedder .*\. Use `bundled`, `lexical`, or a fastembed model"):
        replace(OPTIONS, embedder=embedder).checked()


@pytest.mark.parametrize("weight", [-1, 1, 0, -0.2, 0.05])
def test_weights_from_minus_1_to_1_are_taken(weight: float) -> None:
    assert replace(OPTIONS, weights={"a/*": weight}).checked().weights == {"a/*": weight}


@pytest.mark.parametrize("weight", [1.01, -1.01, float("nan"), float("inf"), 10**400, "0.1", None, True, [0.1]])
def test_a_weight_beyond_1_or_of_another_type_is_refused(weight: float) -> None:
    with pytest.raises(OptionError, match=r"^The weight .* of the pages 'a/\*' is not a number from -1 to 1\.$"):
        replace(OPTIONS, weights={"a/*": weight}).checked()


def test_an_unknown_kind_is_refused_with_those_there_are() -> None:
    with pytest.raises(OptionError, match=r"^There is no kind 'pdf' for the pages 'a/\*'\. Use one of guide, "):
        replace(OPTIONS, kinds={"a/*": "pdf"}).checked()


def test_all_problems_are_named_at_once_each_on_its_own_line(tmp_path: Path) -> None:
    wrong = replace(
        OPTIONS,
        base_url="example.org",
        index=Path("site"),
        language="not a tag",
        content_selector="main[",
        kinds={"a/*": "pdf"},
        weights={"a/*": 2, "b/*": -3},
        embedder="bundle",
        pdf=(tmp_path / "one", tmp_path / "two"),
        reuse="ftp://example.org/index",
    )
    with pytest.raises(OptionError) as caught:
        wrong.checked(partial(check_server_url, "ask.example.org"), partial(check_server_url, "/_trueref"))
    lines = str(caught.value).splitlines()
    beginnings = (
        "The base URL 'example.org'",
        "The index folder site",
        "The language 'not a tag'",
        "The content selector 'main['",
        "There is no kind 'pdf'",
        "The weight 2",
        "The weight -3",
        "There is no embedder 'bundle'",
        f"The folder of PDFs {tmp_path / 'one'}",
        f"The folder of PDFs {tmp_path / 'two'}",
        "An index to reuse",
        "The server_url 'ask.example.org'",
    )
    assert len(lines) == len(beginnings)
    assert all(line.startswith(beginning) for line, beginning in zip(lines, beginnings, strict=True))


def test_the_address_of_the_widget_is_one_of_the_options(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"^The base URL 'a' .*\nThe server_url 'ask\.example\.org' [^\n]*$"):
        index_site(tmp_path / "site", index=tmp_path / "index", base_url="a", widget="ask.example.org")
