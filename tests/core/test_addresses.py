from __future__ import annotations

from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trueref_core.addresses import href_of, is_external, join_page, page_of_file, split_link, url_of

BASE = "https://example.org/docs/"


@pytest.mark.parametrize(
    ("file", "suffix", "page"),
    [
        ("index.html", True, ""),
        ("setup/index.html", True, "setup/"),
        ("setup/colors.html", True, "setup/colors.html"),
        ("setup/colors.html", False, "setup/colors"),
        ("setup/index.html", False, "setup/"),
        ("reindex.html", True, "reindex.html"),
        ("guide.pdf", False, "guide.pdf"),
    ],
)
def test_the_page_of_a_file_is_its_address_as_the_host_serves_it(file: str, suffix: bool, page: str) -> None:
    assert page_of_file(file, html_suffix=suffix) == page


@pytest.mark.parametrize(
    ("page", "anchor", "href"),
    [
        ("", "", ""),
        ("", "top-of-it", "#top-of-it"),
        ("setup/", "install", "setup/#install"),
        ("über uns/", "größe", "%C3%BCber%20uns/#gr%C3%B6%C3%9Fe"),
        ("a/", "100%25", "a/#100%2525"),
        ("a/", 'x"<>`', "a/#x%22%3C%3E%60"),
        ("what?/", "", "what%3F/"),
        ("c#/", "", "c%23/"),
        # The first segment would read as a scheme; later ones cannot.
        ("std::vec.html", "new", "std%3A%3Avec.html#new"),
        ("api/std::vec.html", "a:b", "api/std::vec.html#a:b"),
        (";", "", "%3B"),
    ],
)
def test_the_href_of_a_page_and_an_anchor_is_encoded(page: str, anchor: str, href: str) -> None:
    assert href_of(page, anchor) == href


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12), st.text(max_size=12))
def test_what_a_browser_makes_of_an_href_is_the_page(page: str, anchor: str) -> None:
    page, anchor = page.encode(errors="replace").decode(), anchor.encode(errors="replace").decode()
    segments = page.split("/")
    # No generator writes these: a browser takes them as steps, not as names.
    if any(segment in ("", ".", "..") for segment in segments[:-1]) or segments[-1] in (".", ".."):
        return
    path, fragment = split_link(urljoin(BASE, href_of(page, anchor)))
    assert path.startswith(BASE)
    assert join_page("", path.removeprefix(BASE)) == page
    assert (fragment or "") == anchor


@pytest.mark.parametrize(
    ("page", "path", "joined"),
    [
        ("setup/", "colors/", "setup/colors/"),
        ("setup/", "../faq.html", "faq.html"),
        ("setup/colors.html", "fonts.html", "setup/fonts.html"),
        ("setup/", "/faq/", "faq/"),
        ("setup/", "", "setup/"),
        ("setup/", "?q=1", "setup/"),
        ("setup/", "..", ""),
        ("setup/", "../..", None),
        ("", "..", None),
        ("a/b/", "./../c", "a/c"),
        ("", "%C3%BCber/", "über/"),
        ("", ".", ""),
    ],
)
def test_a_relative_path_is_joined_to_its_page(page: str, path: str, joined: str | None) -> None:
    assert join_page(page, path) == joined


@pytest.mark.parametrize(
    ("link", "parts"),
    [
        ("a/#b", ("a/", "b")),
        ("a/", ("a/", None)),
        ("a/#", ("a/", "")),
        ("a/#%20b", ("a/", " b")),
        ("a/#b:~:text=c", ("a/", "b")),
        ("a/#b#c", ("a/", "b#c")),
    ],
)
def test_a_link_is_split_into_path_and_fragment(link: str, parts: tuple[str, str | None]) -> None:
    assert split_link(link) == parts


@pytest.mark.parametrize(
    ("link", "external"),
    [
        ("https://example.org", True),
        ("//example.org", True),
        ("mailto:a@example.org", True),
        ("http://[", True),
        ("setup/", False),
        ("/setup/", False),
        ("#a", False),
        ("", False),
    ],
)
def test_links_with_a_scheme_or_a_host_are_external(link: str, external: bool) -> None:
    assert is_external(link) is external


def test_the_url_of_an_href_needs_a_base() -> None:
    assert url_of(BASE, "setup/#a") == f"{BASE}setup/#a"
    assert url_of(BASE.rstrip("/"), "setup/") == f"{BASE}setup/"
    assert url_of(None, "setup/") is None
