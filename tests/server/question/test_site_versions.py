from __future__ import annotations

import pytest

from trueref_core.records import Page, Site
from trueref_server.question.site_versions import Editions


def editions(*sites: tuple[Site, str]) -> Editions:
    """The editions of sites, each with pages of some versions; `-` is a page without one."""
    pages = [
        Page(site.name, f"{version}/", "", "", version="" if version == "-" else version)
        for site, versions in sites
        for version in versions.split()
    ]
    return Editions([site for site, _ in sites], pages)


def test_a_site_with_several_versions_is_asked_in_one_of_them() -> None:
    known = editions((Site("docs", "https://docs.example/"), "1.0 2.0 next -"))
    assert known.are_several
    assert known.editions_for(None, None) == (("docs", ""), ("docs", "2.0"))
    assert known.editions_for("docs", "1.0") == (("docs", ""), ("docs", "1.0"))
    assert known.editions_for("docs", "next") == (("docs", ""), ("docs", "next"))
    assert known.editions_for("docs", "7.0") == (("docs", ""), ("docs", "2.0"))
    assert [known.version_for("docs", asked) for asked in ("1.0", "7.0", None)] == ["1.0", "2.0", "2.0"]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (Site("a", "https://docs.example/1.0/"), Site("b", "https://docs.example/2.0/")),
        (Site("a", "https://docs.example/en/v1.0/"), Site("b", "https://docs.example/en/v2.0/")),
        (Site("docs-1.0"), Site("docs-2.0")),
        (Site("docs v1.0", "https://old.example/"), Site("docs v2.0", "https://new.example/")),
        (Site("old", "https://docs.example/1.0/"), Site("docs", "https://docs.example/")),
        (Site("old", "https://docs.example/en/v1.0/"), Site("docs", "https://docs.example/en/")),
        (Site("docs-1.0"), Site("docs")),
    ],
)
def test_sites_that_are_versions_of_one_are_asked_in_the_newest_or_the_named_one(one: Site, two: Site) -> None:
    known = editions((one, "1.0"), (two, "2.0"))
    assert known.editions_for(None, None) == ((two.name, "2.0"),)
    assert known.editions_for(one.name, "1.0") == ((one.name, "1.0"),)
    assert known.version_for(two.name, None) == "2.0"


def test_sites_that_have_nothing_to_do_with_each_other_keep_their_versions() -> None:
    known = editions((Site("guide", "https://a.example/"), "1.0"), (Site("api", "https://b.example/"), "7.2"))
    assert not known.are_several
    assert known.editions_for(None, None) == (("api", "7.2"), ("guide", "1.0"))
    assert known.editions_for("guide", "1.0") == (("api", "7.2"), ("guide", "1.0"))


def test_of_several_sites_the_one_around_the_others_is_the_current_one() -> None:
    known = editions(
        (Site("beta", "https://docs.example/2.0/"), "2.0"),
        (Site("docs", "https://docs.example/"), "1.9"),
        (Site("old", "https://docs.example/1.0/"), "1.0"),
    )
    assert known.editions_for(None, None) == (("docs", "1.9"),)
    assert known.editions_for("beta", "2.0") == (("beta", "2.0"),)
    assert known.version_for("old", "7") == "1.9"


def test_a_site_in_whose_folder_another_stands_is_another_documentation() -> None:
    known = editions((Site("guide", "https://a.example/"), "1.0"), (Site("api", "https://a.example/api/"), "7.2"))
    assert known.editions_for("guide", "1.0") == (("api", "7.2"), ("guide", "1.0"))


def test_a_site_without_versions_is_asked_whole() -> None:
    known = editions((Site("docs"), "-"))
    assert known.editions_for("docs", "3.0") == (("docs", ""),)
    assert known.version_for("docs", "3.0") == ""


def several(**pages: str) -> Editions:
    """One site: by version, with `_` for a dot, its addresses."""
    return Editions(
        [Site("docs", "https://docs.example/")],
        [
            Page("docs", address, "", "", version=name.replace("_", ".").removeprefix("v"))
            for name, addresses in pages.items()
            for address in addresses.split()
        ],
    )


@pytest.mark.parametrize(
    ("pages", "current"),
    [
        # Docusaurus as it is by default, and with `lastVersion` named.
        ({"v2_0": "docs/ docs/a", "v1_0": "docs/1.0/ docs/1.0/a", "current": "docs/next/ docs/next/a"}, "2.0"),
        ({"v2_0": "docs/2.0/", "v1_0": "docs/1.0/", "current": "docs/ docs/a fr/docs/"}, "current"),
        ({"v2_0": "docs/2.0/", "v1_0": "docs/ docs/a", "current": "docs/next/"}, "1.0"),
        ({"v2_0": "v2.0/", "v1_0": "a b"}, "1.0"),
        # A page that is called like its version is not in its folder.
        ({"v2_0": "docs/2.0/", "current": "docs/ docs/a docs/next"}, "current"),
        # Addresses that do not tell.
        ({"v2_0": "2.0/", "v1_0": "1.0/", "current": "next/"}, "2.0"),
        ({"v2_0": "new/", "v1_0": "old/"}, "2.0"),
    ],
)
def test_the_current_version_is_the_one_whose_addresses_do_not_name_it(pages: dict[str, str], current: str) -> None:
    known = several(**pages)
    assert known.version_for("docs", None) == known.version_for(None, None) == current
    assert known.editions_for("docs", None) == known.editions_for(None, "7.7") == (("docs", current),)


@pytest.mark.parametrize(
    ("aliases", "current"),
    [
        ({"1.9": ("latest/a",)}, "1.9"),
        ({"1.9": ("stable/a",), "2.0": ("latest/a",)}, "1.9"),
        ({"1.9": ("docs/latest/a",)}, "2.0"),
        ({"1.9": ("latest/b",)}, "2.0"),
        ({"1.9": ("latest/a",), "2.0": ("latest/a",)}, "2.0"),
    ],
)
def test_the_current_version_is_the_one_that_an_alias_leads_to(
    aliases: dict[str, tuple[str, ...]], current: str
) -> None:
    pages = [
        Page("docs", f"{version}/a", "", "", version=version, aliases=aliases.get(version, ()))
        for version in ("1.9", "2.0")
    ]
    assert Editions([Site("docs")], pages).version_for("docs", None) == current
