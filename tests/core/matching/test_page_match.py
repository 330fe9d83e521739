from __future__ import annotations

import pytest
from tests.work import is_linear

from trueref_core.links.link_target import path_in_version
from trueref_core.matching.page_match import PageMatcher, are_related, spelling
from trueref_core.records import Anchor, Page, Site

SITE = Site(name="docs", base_url="https://example.org/project/docs/")


def page(address: str, **more: object) -> Page:
    return Page(site="docs", page=address, file=address, title=address, kind="guide", **more)  # type: ignore[arg-type]


PAGES = [
    page(""),
    page("setup/", source_path="setup/README.md"),
    page("setup/colors/", source_path="setup/change-colors.md"),
    page("guide.html"),
    page("de/einrichten/"),
    page("v2/setup/fonts/"),
    page("v3/setup/fonts/"),
    page("secret/", hidden=True, hidden_by="noindex"),
]
ANCHORS = [
    Anchor("docs", "setup/", "install", "heading"),
    Anchor("docs", "setup/colors/", "dark-mode", "heading"),
    Anchor("docs", "setup/colors/", "__tabbed_1", "internal"),
    Anchor("docs", "setup/", "note", "other"),
    Anchor("docs", "guide.html", "dark-mode", "term"),
    Anchor("docs", "secret/", "plan", "heading"),
    Anchor("docs", "setup/", "twice", "heading", duplicate=True),
]
PLACES = PageMatcher(SITE, PAGES, ANCHORS)


@pytest.mark.parametrize(
    ("path", "pages"),
    [
        ("setup", ["setup/"]),
        ("SETUP/", ["setup/"]),
        ("setup.md", ["setup/"]),
        ("setup/index.md", ["setup/"]),
        ("setup/README.md", ["setup/"]),
        ("setup/change-colors.md", ["setup/colors/"]),
        ("setup/colors.mdx", ["setup/colors/"]),
        ("guide", ["guide.html"]),
        ("guide/index.html", ["guide.html"]),
        ("index.md", [""]),
        # a language or a version too much, or missing
        ("en/setup/colors/", ["setup/colors/"]),
        ("latest/guide/", ["guide.html"]),
        ("en/v1.2/setup/", ["setup/"]),
        ("einrichten/", ["de/einrichten/"]),
        ("setup/fonts/", ["v2/setup/fonts/", "v3/setup/fonts/"]),
        # the folder that the site is published under
        ("project/docs/setup/", ["setup/"]),
        ("docs/setup/", ["setup/"]),
        # nothing
        ("colors/", []),
        ("other/setup/", []),
        ("secret/", []),
        ("walrus", []),
    ],
)
def test_a_path_by_another_spelling_finds_its_pages(path: str, pages: list[str]) -> None:
    assert [found.page for found in PLACES.pages_spelled(path)] == pages


@pytest.mark.parametrize(
    ("anchor", "pages"),
    [
        ("install", ["setup/"]),
        ("dark-mode", ["setup/colors/", "guide.html"]),
        ("__tabbed_1", []),
        ("note", []),
        ("plan", []),
        ("twice", []),
        ("walrus", []),
    ],
)
def test_an_anchor_is_found_on_the_pages_where_it_can_be_cited(anchor: str, pages: list[str]) -> None:
    assert list(PLACES.pages_with(anchor)) == pages


@pytest.mark.parametrize(
    ("one", "other", "related"),
    [
        ("setup/", "setup/colors/", True),
        ("setup/colors/", "setup/fonts/", True),
        ("setup/colors.html", "setup/fonts.html", True),
        ("", "setup/", True),
        ("setup/", "guide.html", True),
        ("setup/index.html", "setup/colors.html", True),
        ("", "setup/colors/", False),
        ("setup/colors/", "guide.html", False),
        ("a/b/", "c/d/", False),
    ],
)
def test_pages_are_related_as_parents_children_and_siblings_only(one: str, other: str, related: bool) -> None:
    assert are_related(one, other) is related
    assert are_related(other, one) is related


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("guide/first-backups.md", "guide/first-backup/"),
        ("guide/first_backup/", "guide/first-backup/"),
        ("guide/frist-backup/", "guide/first-backup/"),
        ("giude/first-backup/", "guide/first-backup/"),
        ("guide/restores.md", "guide/restore/"),
        # another folder, two wrong words, a word that the site has, a function, too short, either of two
        ("first-backups.md", None),
        ("guide-first/backup.md", None),
        ("giude/frist-backup.md", None),
        ("guide/mssql.md", None),
        ("guide/np.arctan.md", None),
        ("guide/dos.md", None),
        ("guide/logging.md", None),
    ],
)
def test_a_mistyped_path_means_the_only_page_that_is_close(path: str, meant: str | None) -> None:
    names = ("first-backup", "restore", "mysql", "np.arctanh", "do", "logginf", "loggimg")
    text = Anchor("docs", "guide/mysql/", "databases", "heading", text="Neither mssql nor backups")
    found = PageMatcher(SITE, [page(f"guide/{name}/") for name in names], [text]).page_mistyped(path)
    assert (found and found.page) == meant


def test_the_closest_page_is_suggested() -> None:
    found = PLACES.closest_page("setup/colours/")
    assert found is not None
    assert found.page == "setup/colors/"
    assert PLACES.closest_page("zzz") is None


@pytest.mark.parametrize(
    ("path", "closest"),
    [
        # One page is not like another because both are in a folder with a long name.
        ("extensions/raw_html", None),
        ("extensions/smartypants/", "extensions/smarty/"),
        ("extension/smarty/", "extensions/smarty/"),
        ("extensions/smarty/options/", "extensions/smarty/"),
        ("extensionss/", "extensions/"),
    ],
)
def test_in_a_folder_the_closest_page_is_close_by_its_own_name(path: str, closest: str | None) -> None:
    pages = [page(address) for address in ("extensions/", "extensions/smarty/", "extensions/wikilinks/")]
    found = PageMatcher(Site("docs"), pages, []).closest_page(path)
    assert (found and found.page) == closest


def test_forms_of_a_path_have_one_spelling() -> None:
    forms = ["setup/colors", "/setup/colors/", "setup/colors.md", "setup/colors/index.html", "Setup/Colors/README.rst"]
    assert {spelling(form) for form in forms} == {"setup/colors"}


LATEST = "https://example.org/en/latest/"


@pytest.mark.parametrize(
    ("base_url", "url", "path"),
    [
        (LATEST, "https://example.org/en/stable/setup/", "setup/"),
        (LATEST, "https://example.org/en/v1.2/setup/#install", "setup/"),
        (LATEST, "http://EXAMPLE.org:80/en/1.2/a%20b/?q=1", "a b/"),
        (LATEST, "https://example.org/en/1.2/", ""),
        ("https://example.org/1.x", "https://example.org/2.x/setup/", "setup/"),
        # a language, a folder, a host, a scheme or a user that is another one
        (LATEST, "https://example.org/de/stable/setup/", None),
        (LATEST, "https://example.org/en/blog/setup/", None),
        (LATEST, "https://example.com/en/stable/setup/", None),
        (LATEST, "https://example.org:8443/en/stable/setup/", None),
        (LATEST, "https://me@example.org/en/stable/setup/", None),
        (LATEST, "https://example.org/en/stable", None),
        (LATEST, "https://example.org/en/stable/../../setup/", None),
        (LATEST, "https://[", None),
        ("https://example.org/docs/", "https://example.org/blog/setup/", None),
        ("https://example.org/docs/", "https://example.org/1.2/setup/", None),
        ("", "https://example.org/1.2/setup/", None),
    ],
)
def test_the_path_in_another_version_is_found_under_the_same_root_only(
    base_url: str, url: str, path: str | None
) -> None:
    assert path_in_version(Site("docs", base_url), url) == path


@pytest.mark.parametrize("piece", ["1.", "1", "v1/", "/", "..", "%2e", "latest/"])
def test_an_address_in_another_version_is_read_in_linear_time(piece: str) -> None:
    assert is_linear(
        lambda path: path_in_version(Site("docs", LATEST), f"https://example.org/en/{path}"), piece, longest=400_000
    )
