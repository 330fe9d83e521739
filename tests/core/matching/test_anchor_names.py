from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import EXAMPLES
from tests.work import is_linear

from trueref_core.matching.anchor_match import AnchorMatcher
from trueref_core.matching.anchor_names import OtherNames
from trueref_core.records import CITED_ANCHORS, Anchor, AnchorKind


def anchor(id_: str, text: str = "", kind: AnchorKind = "heading", *, duplicate: bool = False) -> Anchor:
    return Anchor("docs", "", id_, kind, 2, text, duplicate=duplicate)


def page(*anchors: Anchor) -> AnchorMatcher:
    return AnchorMatcher((one.anchor for one in anchors if one.kind in CITED_ANCHORS), (), OtherNames(anchors))


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("Older releases (unsupported)", "older-releases-unsupported"),
        ("Older releases (unsupported)", "Older_Releases_Unsupported"),
        ("Older releases (unsupported)", "_older_releases_unsupported"),
        ("Older releases", "older-releases_1"),
        ("Don't stop", "dont-stop"),
        ("Don't stop", "don-t-stop"),
        ("Foo & Bar", "foo--bar"),
        ("The foo_bar option", "the-foo_bar-option"),
        ("Größe ändern", "größe-ändern"),
        ("Größe ändern", "groe-andern"),
        ("Łódź today", "odz-today"),
        ("⚠️ Warning", "warning"),
        ("⚠️ Warning", "\ufe0f-warning"),
        ("Install ¶", "install"),
        ("Python 3.11 and later", "python-311-and-later"),
        ("Python 3.11 and later", "python-3-11-and-later"),
        ("2.0 migration guide", "migration-guide"),
        ("1.2.0 (2019-07-13)", "120-2019-07-13"),
        ("日本語", "日本語"),
    ],
)
def test_a_title_is_found_under_the_rules_for_slugs(text: str, fragment: str) -> None:
    near = page(anchor("byhand", text), anchor("other", "Something else"))
    found = near.meant_by(fragment)
    assert found is not None
    assert found[0] == "byhand"
    assert found[1].startswith("by the text of its heading")


@pytest.mark.parametrize(
    ("anchors", "fragment", "meant"),
    [
        ([anchor("a", "Setup"), anchor("b", "Setup")], "setup", None),
        ([anchor("a", "Setup"), anchor("b", "Set-up")], "setup", None),
        ([anchor("a", "Setup"), anchor("setup", "Elsewhere")], "Setup", "setup"),
        ([anchor("a", "Setup"), anchor("Set-Up", "", "other")], "setup", None),
        ([anchor("a", "Setup"), anchor("x", "Setup", duplicate=True)], "setup", None),
        ([anchor("a", "Setup"), anchor("x", "Setup", "tab")], "setup", "a"),
        ([anchor("x", "Setup", "internal")], "setup", None),
        ([anchor("a", "1.20"), anchor("b", "12.0")], "120", None),
        ([anchor("a", "1.20")], "12.0", None),
        ([anchor("a", "2.0 changes")], "changes", None),
        ([anchor("a", "日本語 API")], "api", "a"),
        ([anchor("a", "日本語の説明 API")], "api", None),
        # Two have the title. The id of one is nearer, or of none.
        ([anchor("app.card_a", "card_a"), anchor("meta.app.card_a", "card_a")], "card_a", "app.card_a"),
        ([anchor("app.card_a", "card_a"), anchor("meta.card_a", "card_a")], "card_a", None),
    ],
)
def test_a_title_that_several_anchors_share_means_none_of_them(
    anchors: list[Anchor], fragment: str, meant: str | None
) -> None:
    found = page(*anchors).meant_by(fragment)
    assert (found and found[0]) == meant


API = page(
    anchor("pkg.Client.connect", "connect(host)", "object"),
    anchor("pkg.Client.close", "close()", "object"),
    anchor("pkg.Server.close", "close()", "object"),
    anchor("pkg.Client.get_help", "get_help()", "object"),
    anchor("pkg.Client.readFile", "readFile()", "object"),
    anchor("pkg.Select", "class pkg.Select", "object"),
    anchor("pkg.Join", "class pkg.Join", "object"),
    anchor("pkg.join", "pkg.join()", "object"),
    anchor("pkg.State.Task.run", "run()", "object"),
    anchor("pkg.Client.__call__", "__call__()", "object"),
    anchor("module-pkg.mod", "The module"),
    anchor("+config.layout", "layout", "term"),
    anchor("fswritefilepath-data", "fs.writeFile(path, data)"),
    anchor("pkg.hidden.only", "", "other"),
    anchor("usage-notes", "Timeout"),
    anchor("pkg.Client.timeout", "timeout", "object"),
    anchor("9.20.1", "9.20.1"),
)


@pytest.mark.parametrize(
    ("fragment", "meant"),
    [
        ("connect", "pkg.Client.connect"),
        ("connect()", "pkg.Client.connect"),
        ("Client.connect", "pkg.Client.connect"),
        ("client.connect", "pkg.Client.connect"),
        ("client-connect", "pkg.Client.connect"),
        ("clientconnect", "pkg.Client.connect"),
        ("Client.close", "pkg.Client.close"),
        ("get_help", "pkg.Client.get_help"),
        ("client-get-help", "pkg.Client.get_help"),
        ("readfile", "pkg.Client.readFile"),
        ("join", "pkg.join"),
        ("Join", "pkg.Join"),
        ("__call__", "pkg.Client.__call__"),
        ("mod", "module-pkg.mod"),
        ("pkg.mod", "module-pkg.mod"),
        ("layout", "+config.layout"),
        ("writeFile", "fswritefilepath-data"),
        ("fs.writeFile", "fswritefilepath-data"),
        # a heading before a name
        ("timeout", "usage-notes"),
        # two, another case, or no whole part
        ("close", None),
        ("JOIN", None),
        ("select", None),
        ("CONNECT", None),
        ("state.Task.run", None),
        ("call", None),
        ("_connect", None),
        ("nect", None),
        ("only", None),
        ("1", None),
        ("20.1", None),
    ],
)
def test_the_last_parts_of_a_dotted_name_mean_the_object(fragment: str, meant: str | None) -> None:
    found = API.meant_by(fragment)
    assert (found and found[0]) == meant


def test_a_title_does_not_choose_between_names_that_end_alike() -> None:
    with_parameter = anchor("pkg.Client.close", "close(timeout=5)", "object")
    without_one = anchor("pkg.Server.close", "close()", "object")
    assert page(with_parameter, without_one).meant_by("close") is None
    assert page(without_one).meant_by("close") is not None


CHANGES = page(
    anchor("a", "1.2.0 (2019-07-13)"),
    anchor("b", "Version 1.1.0 - 2019-05-01"),
    anchor("c", "[1.0.0] - 2019-05-01"),
    anchor("d", "12.0.0 February 2, 2023"),
    anchor("e", "v1.2.0rc1 (2019-06-30)"),
    anchor("f", "Pre-0.9.1"),
    anchor("3-1-0-2021-04-05", ""),
    anchor("g", "pytest-6.2.2"),
    anchor("h", "1.20.3, 2 March 2024"),
)


@pytest.mark.parametrize(
    ("fragment", "meant"),
    [
        ("2019-07-13", "a"),
        ("1.2.0", "a"),
        ("v1.2.0", "a"),
        ("1-2-0", "a"),
        ("120", "a"),
        ("v120-2019-07-13", "a"),
        ("1.1.0", "b"),
        ("version-110", "b"),
        ("1.1.0-2019-05-01", "b"),
        ("1.0.0", "c"),
        ("february-2-2023", "d"),
        ("1.2.0rc1", "e"),
        ("2021-04-05", "3-1-0-2021-04-05"),
        ("3.1.0", "3-1-0-2021-04-05"),
        ("6.2.2", "g"),
        ("2-march-2024", "h"),
        # two, another number, or a part of one
        ("2019-05-01", None),
        ("1.2", None),
        ("2.0", None),
        ("2.0.0", None),
        ("1.2.0.1", None),
        ("1-2-0-1", None),
        ("1.20", None),
        ("07-13", None),
        ("2019", None),
        ("0.9.1", None),
        ("0.3", None),
        ("5.2.2", None),
    ],
)
def test_a_version_or_a_date_means_the_one_release_whose_title_has_it(fragment: str, meant: str | None) -> None:
    found = CHANGES.meant_by(fragment)
    assert (found and found[0]) == meant


@pytest.mark.parametrize(
    ("id_", "fragment", "meant"),
    [
        ("1-2", "1-2-1", False),
        ("1-2-1", "1-2", False),
        ("version-0-10", "version-0-10-1", False),
        ("version-8", "version-8-1", False),
        ("version-0-10", "version-0-10_1", True),
        ("2019-07-13", "2019-07-13-1", True),
    ],
)
def test_a_number_of_a_version_is_none_behind_an_id(id_: str, fragment: str, meant: bool) -> None:
    assert (AnchorMatcher([id_]).meant_by(fragment) is not None) is meant


VERSIONS = st.lists(st.integers(0, 30), min_size=2, max_size=4).map(lambda numbers: ".".join(map(str, numbers)))
DATES = st.dates().map(lambda date: f"{date.year:04}-{date:%m-%d}")
RELEASES = st.lists(st.tuples(VERSIONS, DATES), min_size=1, unique_by=lambda one: one[0], max_size=6)


@settings(max_examples=4 * EXAMPLES)
@given(RELEASES, st.data())
def test_a_number_is_never_another_number(releases: list[tuple[str, str]], data: st.DataObject) -> None:
    numbers = data.draw(st.sampled_from(sorted({*(v for v, _ in releases), *(d for _, d in releases)})))
    parts = numbers.replace("-", ".").split(".")
    start, end = data.draw(st.integers(0, 1)), data.draw(st.integers(len(parts) - 1, len(parts)))
    more = data.draw(st.sampled_from([[], ["0"], ["7"]]))
    written = data.draw(st.sampled_from(".-_")).join([*parts[start:end], *more])
    near = page(*(anchor(f"id-{chr(97 + at)}", f"Version {v} ({date})") for at, (v, date) in enumerate(releases)))
    found = near.meant_by(written)
    asked = ".".join([*parts[start:end], *more])
    same = [at for at, one in enumerate(releases) if asked in _dotted(one)]
    assert (found and found[0]) == (f"id-{chr(97 + same[0])}" if len(same) == 1 and "." in asked else None)


def _dotted(release: tuple[str, str]) -> set[str]:
    return {part.replace("-", ".") for part in release}


@settings(max_examples=3 * EXAMPLES)
@given(st.lists(st.text(max_size=12), min_size=1, max_size=6), st.integers(0, 5))
def test_no_title_that_two_anchors_have_means_one_of_them(titles: list[str], at: int) -> None:
    text = titles[at % len(titles)]
    near = page(*(anchor(f"qzjxvkwpqzjx{chr(97 + number)}", title) for number, title in enumerate([*titles, text])))
    assert near.meant_by(text) is None


@pytest.mark.parametrize("unit", ["a.", "a", "1.", "1-", "v1", "(", "-", "é ", "a(", "[1.", "A b "])
def test_long_ids_and_titles_take_linear_time(unit: str) -> None:
    def look_up(text: str) -> None:
        near = page(anchor(f"0{text}", unit * 127), anchor(f"1{text}", text))
        near.meant_by(unit * 100)
        near.meant_by("connect")

    assert is_linear(look_up, unit, longest=80_000)
