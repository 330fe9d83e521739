from __future__ import annotations

import sys
from typing import Literal
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import EXAMPLES
from tests.work import is_linear

from trueref_core.matching.anchor_match import AnchorMatcher
from trueref_core.matching.name_words import MAX_CHARACTERS, is_specific, name_of

PAGE = AnchorMatcher(
    [
        "install-with-pip",
        "custom-colors",
        "custom-color-scheme",
        "configuration",
        "disable-cache",
        "changes_4",
        "changes_5",
        "9.20.1",
        "9.2.0",
        "uv-run--no-index",
        "uv-run--index",
        "Ärger-mit-Umlauten",
        "foo.Bar.baz_qux",
        "setup",
        "setup_1",
        "table-of-contents",
    ],
    vocabulary={"enable", "disable", "cache", "uv", "run", "no", "index", "in"},
)


@pytest.mark.parametrize(
    ("fragment", "anchor"),
    [
        # another slug rule
        ("Install-With-Pip", "install-with-pip"),
        ("install_with_pip", "install-with-pip"),
        ("installwithpip", "install-with-pip"),
        ("install--with--pip", "install-with-pip"),
        ("foo-bar-baz-qux", "foo.Bar.baz_qux"),
        ("arger-mit-umlauten", "Ärger-mit-Umlauten"),
        ("A\u0308rger-mit-Umlauten", "Ärger-mit-Umlauten"),
        ("9201", "9.20.1"),
        ("9-20-1", "9.20.1"),
        # a number behind it
        ("configuration_1", "configuration"),
        ("table-of-contents-2", "table-of-contents"),
        # a word less
        ("install-pip", "install-with-pip"),
        ("of-contents", "table-of-contents"),
        ("custom-scheme", "custom-color-scheme"),
        # mistyped
        ("instal-with-pip", "install-with-pip"),
        ("configruation", "configuration"),
        ("configurraton", "configuration"),
        ("ocnfiguration", "configuration"),
        ("onfiguration", None),
        ("confiuratoin", "configuration"),
        ("uv-run--in-index", None),
        ("uv-run--o-index", "uv-run--no-index"),
        # two that may be meant, or none
        ("setup_2", None),
        ("changes_6", None),
        ("changes", None),
        ("9.20", None),
        ("9.2.1", None),
        ("enable-cache", None),
        ("import-data", None),
        ("custom", None),
        ("colors-of-walruses", None),
        ("--", None),
        ("", None),
        ("configuration" * MAX_CHARACTERS, None),
    ],
)
def test_a_fragment_by_another_rule_for_slugs_means_the_anchor_of_the_page(fragment: str, anchor: str | None) -> None:
    found = PAGE.meant_by(fragment)
    assert (found[0] if found else None) == anchor


def test_what_is_similar_is_suggested_only() -> None:
    assert PAGE.closest("configurations-and-more") == "configuration"
    assert PAGE.closest("walrus") is None
    assert AnchorMatcher([]).closest("x") is None
    assert AnchorMatcher([]).meant_by("x") is None


@pytest.mark.parametrize(
    ("anchor", "telling"),
    [
        ("security", False),
        ("fixes_6", False),
        ("new-features-2", True),
        ("fixes--6", False),
        ("fixes-2024", False),
        ("v1.2", False),
        ("section-1.2", False),
        ("हिन्दी", False),
        ("new-features", True),
        ("foo.bar", True),
        ("v1-2-changes", False),
        ("", False),
    ],
)
def test_only_an_anchor_that_says_enough_is_meant_on_any_page(anchor: str, telling: bool) -> None:
    assert is_specific(anchor) is telling


@settings(max_examples=3 * EXAMPLES)
@given(st.lists(st.text(max_size=12), max_size=8), st.text(max_size=20))
def test_what_is_meant_is_an_anchor_and_the_order_does_not_matter(anchors: list[str], fragment: str) -> None:
    found = AnchorMatcher(anchors).meant_by(fragment)
    turned = AnchorMatcher(reversed(anchors)).meant_by(fragment)
    assert found == turned
    assert found is None or found[0] in anchors


def test_a_word_that_tells_anchors_of_the_page_apart_is_not_left_out() -> None:
    series = [name for option in "abcdef" for name in (f"run-{option}", f"tool-run-{option}")]
    page = AnchorMatcher([*series, "tool-run-platform", "upgrade", "upgrade-all-packages"])
    assert page.meant_by("run-platform") is None
    assert page.meant_by("upgrade-packages") == ("upgrade-all-packages", "but for a word that is missing")


@pytest.mark.parametrize(
    ("anchor", "fragment", "meant"),
    [
        # a number is never another number
        ("sha-256", "sha-512", False),
        ("windows-10", "windows-11", False),
        ("fixes_6", "fixes_5", False),
        ("error-404", "error-403", False),
        ("fixes", "fixes_5", True),
        ("fixes_5", "fixes", True),
        ("python", "python-313", False),
        # a word that turns the meaning is not left out
        ("uv-sync--no-build", "uv-sync--build", False),
        ("not-required", "required", False),
        ("run-without-cache", "run-cache", False),
        # other words, which differ at the start
        ("export-data", "import-data", False),
        ("enable-caching", "disable-caching", False),
        ("css-files", "scss-files", False),
        ("npm-client", "pnpm-client", False),
        ("async-client", "sync-client", False),
        ("get-value", "set-value", False),
        ("load-files", "unload-files", False),
        # letters that only look alike
        ("ガード", "カード", False),
        ("दिन", "दान", False),
        ("ที่", "ทั้", False),
        # forms of the same letters
        ("résumé-page", "resume-page", True),
        ("résumé", "re\u0301sume\u0301", True),
        ("ガード", "カ\u3099ード", True),
        ("größe", "GRÖSSE", True),
    ],
)
def test_the_only_anchor_of_a_page_is_meant_by_other_spellings_and_not_by_other_numbers(
    anchor: str, fragment: str, meant: bool
) -> None:
    assert (AnchorMatcher([anchor]).meant_by(fragment) is not None) is meant


def test_a_word_that_is_a_whole_anchor_of_another_page_lacks_no_word() -> None:
    anchors = ["reporting-bugs", "installation"]
    assert AnchorMatcher(anchors).meant_by("bugs") == ("reporting-bugs", "but for a word that is missing")
    matcher = AnchorMatcher(anchors, one_word_anchors={"bugs", "bug"})
    assert matcher.meant_by("bugs") is None
    assert matcher.meant_by("_BUGS") is None
    assert matcher.meant_by("reporting") == ("reporting-bugs", "but for a word that is missing")


def test_a_dotted_name_is_no_slip_for_that_of_its_member() -> None:
    page = AnchorMatcher(["pkg.Parser.feed", "pkg.sub.Client.connect"])
    assert page.meant_by("pkg.Parser") is None
    for sign in ("::", "#", "/"):
        assert AnchorMatcher([f"pkg.Parser{sign}feed"]).meant_by("pkg.Parser") is None
    assert page.meant_by("pkg.Client.connect") == ("pkg.sub.Client.connect", "but for a word that is missing")


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@given(text=st.text(st.characters(categories=["L", "N"]), max_size=12))
def test_names_do_not_depend_on_the_unicode_form(form: Literal["NFC", "NFD"], text: str) -> None:
    assert name_of(normalize(form, text)) == name_of(text)


@given(st.text(st.characters(codec="ascii"), max_size=30))
def test_names_do_not_depend_on_case(text: str) -> None:
    assert name_of(text.upper()) == name_of(text)


@pytest.mark.parametrize("unit", ["a-", "1.", "é-"])
def test_long_ids_of_a_page_take_linear_time(unit: str) -> None:
    def look_up(text: str) -> object:
        return AnchorMatcher([f"{number}-{text}" for number in range(100)]).meant_by("a-b")

    assert look_up(unit * 100) is None
    assert is_linear(look_up, unit, longest=16_000)


@pytest.mark.parametrize("unit", ["a-", "1.", "é", "-", "a1_"])
def test_a_long_fragment_is_looked_up_in_linear_time(unit: str) -> None:
    assert is_linear(lambda text: (PAGE.meant_by(text), PAGE.closest(text)), unit, longest=400_000)


def test_a_long_fragment_is_not_kept() -> None:
    fragment = "-".join(["a long fragment"] * 1000)
    references = sys.getrefcount(fragment)
    assert name_of(fragment).words[0] == "a"
    assert sys.getrefcount(fragment) == references
