from __future__ import annotations

import pytest

from trueref_plugin.site.base_url import (
    UNKNOWN_HOST,
    address_at,
    find_base_path,
    find_base_url,
    other_forms,
    shown_page,
)

BASE = "https://example.org/docs/"


@pytest.mark.parametrize(
    ("canonicals", "base"),
    [
        ([], None),
        ([("index.html", "")], None),
        ([("index.html", BASE)], BASE),
        ([("index.html", "https://example.org/docs")], None),
        ([("a/index.html", BASE + "a/")], BASE),
        ([("a/index.html", BASE + "a/index.html")], BASE),
        ([("a/index.html", BASE + "a")], BASE),
        ([("a.html", BASE + "a.html")], BASE),
        ([("a.html", BASE + "a")], BASE),
        ([("größe/index.html", BASE + "gr%C3%B6%C3%9Fe/")], BASE),
        ([("größe/index.html", BASE + "größe/")], BASE),
        ([("a/index.html", "/docs/a/")], None),
        ([("a/index.html", "ftp://example.org/a/")], None),
        ([("a/index.html", "https://example.org/other/")], None),
        ([("a/index.html", "http://127.0.0.1:8000/a/")], None),
        ([("a/index.html", "http://[bad/a/")], None),
        # Most of them agree.
        ([("a.html", BASE + "a.html"), ("b.html", "https://other.org/b.html"), ("c.html", BASE + "c.html")], BASE),
    ],
)
def test_the_base_url_follows_from_the_canonical_addresses(canonicals: list[tuple[str, str]], base: str | None) -> None:
    assert find_base_url(canonicals) == base


@pytest.mark.parametrize(
    ("file", "canonical", "shown"),
    [
        ("index.html", BASE, ""),
        ("a/index.html", "", "a/"),
        ("a/index.html", BASE + "a/", "a/"),
        ("a/index.html", BASE + "a", "a"),
        ("a.html", BASE + "a", "a"),
        ("a.html", BASE + "a.html", "a.html"),
        ("größe.html", BASE + "gr%C3%B6%C3%9Fe", "größe"),
        # Another page, or another site: the file says where the page is.
        ("a.html", BASE + "b", "a.html"),
        ("v1/a.html", BASE + "v2/a", "v1/a.html"),
        ("a.html", "https://other.org/a", "a.html"),
    ],
)
def test_the_address_of_a_page_is_that_which_its_host_shows(file: str, canonical: str, shown: str) -> None:
    assert shown_page(file, canonical, BASE) == shown


def test_without_a_base_url_the_file_says_where_a_page_is() -> None:
    assert shown_page("a.html", BASE + "a", None) == "a.html"


@pytest.mark.parametrize(
    ("file", "canonical", "page"),
    [
        ("a.html", "", "a"),
        ("a/index.html", "", "a/"),
        ("index.html", "", ""),
        ("a.html", BASE + "a.html", "a.html"),
        ("a.html", "https://elsewhere.org/a.html", "a"),
    ],
)
def test_a_page_without_the_html_ending_has_that_address_unless_it_names_another(
    file: str, canonical: str, page: str
) -> None:
    assert shown_page(file, canonical, BASE, has_suffix=False) == page


@pytest.mark.parametrize(
    ("file", "page", "others"),
    [
        ("index.html", "", ("index.html",)),
        ("index.html", "index.html", ("",)),
        ("a/index.html", "a/index.html", ("a", "a/")),
        ("a/index.html", "a/", ("a", "a/index.html")),
        ("a.html", "a.html", ("a",)),
        # No host shows a file without a name for the root.
        (".html", ".html", ()),
    ],
)
def test_a_page_has_the_other_addresses_of_its_file(file: str, page: str, others: tuple[str, ...]) -> None:
    assert other_forms(file, page) == others


FILES = ("assets/app.js", "assets/a b.css", "favicon.ico", "index.html")


@pytest.mark.parametrize(
    ("assets", "path"),
    [
        ([], None),
        (["/docs/assets/app.js"], "/docs/"),
        (["/docs/v2/assets/app.js?v=1"], "/docs/v2/"),
        (["/docs/assets/a%20b.css"], "/docs/"),
        (["/assets/app.js"], "/"),
        (["assets/app.js", "//cdn.example.org/assets/app.js", "https://example.org/docs/favicon.ico"], None),
        (["/docs/gone.js", "/assets/gone.css"], None),
        (["/docs/favicon.ico", "/docs/assets/app.js", "/other/favicon.ico"], "/docs/"),
        # A site in which every page shows another path shows none.
        (["/docs/favicon.ico", "/other/favicon.ico"], None),
        (["/"], None),
    ],
)
def test_the_base_path_stands_before_the_names_of_files(assets: list[str], path: str | None) -> None:
    assert find_base_path(assets, FILES) == path


@pytest.mark.parametrize(("path", "address"), [(None, None), ("/", None), ("/a b/", f"{UNKNOWN_HOST}/a%20b/")])
def test_a_base_path_gives_an_address_on_an_unknown_host(path: str | None, address: str | None) -> None:
    assert address_at(path) == address
