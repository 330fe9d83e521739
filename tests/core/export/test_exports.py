"""The exports of an odd site: who is in, who is not, and that every address is one of the manifest."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import urljoin

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from markdown_it import MarkdownIt
from tests.core.odd_site import ODD_IDS, PAGES, SECRETS, SITE, TEXTS, manifest, rows

from trueref_core.errors import OptionError
from trueref_core.export.export_files import EXPORTS, export_files, known_exports
from trueref_core.export.inventory import encode_inventory, read_lines
from trueref_core.export.llms import SECTIONS, llms_full, llms_index
from trueref_core.export.manifest_schema import DESCRIPTIONS, manifest_schema
from trueref_core.export.published_site import published, published_site
from trueref_core.export.urls import plain_text_url, url_list
from trueref_core.links.resolve import resolve
from trueref_core.manifest.codec import ManifestFile, encode_file
from trueref_core.manifest.history import Entry
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Anchor, AnchorKind, Page, Site

PUBLIC = [page.page for page in PAGES if not page.hidden]
SHOWN = [page.page for page in PAGES if not page.hidden and page.kind != "redirect"]
NOWHERE = replace(SITE, base_url=None)


def lychee_finds(text: str) -> list[str]:
    """The addresses in a plain text by the rules of linkify, which lychee reads plain text with."""
    return [found for line in text.splitlines() if (found := _linkify(line))]


def _linkify(line: str) -> str:
    depth, quoted, end, could_end = 0, False, 0, True
    for at, sign in enumerate(line):
        if sign <= " " or sign in '|"<>`\x7f':
            break
        if sign in "?!.,:;*(":
            depth += sign == "("
            could_end = False
        elif sign == ")":
            depth -= 1
            if depth < 0:
                break
            could_end = True
        elif sign == "'":
            quoted = not quoted
            could_end = not quoted
        elif sign != "/":
            could_end = True
        if could_end:
            end = at + 1
    return line[:end]


# The manifest


def test_the_published_manifest_has_no_page_that_nobody_may_be_shown() -> None:
    back = Manifest.decode(encode_file(published(rows())))
    assert [page.page for page in back.pages()] == PUBLIC
    assert back.page("setup/") == next(page for page in PAGES if page.page == "setup/")
    assert back.anchors("setup/") == manifest().anchors("setup/")
    assert resolve(back, "moved/").status == "redirected"


def test_the_published_manifest_holds_one_site_when_told() -> None:
    second = Site("other")
    both = Manifest("g", [SITE, second], [*PAGES, Page("other", "x/", "x/index.html", "X")], ())
    file = msgspec.json.decode(both.encode(), type=ManifestFile)
    assert {row.page.site for row in published(file).pages} == {"Odd docs", "other"}
    only = published(file, "other")
    assert (only.sites, [row.page.page for row in only.pages]) == ((second,), ["x/"])
    for name, message in [(None, "holds 2 sites.*'Odd docs', 'other'"), ("third", "no site 'third'.*'Odd docs'")]:
        with pytest.raises(OptionError, match=message):
            published_site(file, name)


def test_the_schema_is_valid_fits_what_is_published_and_refuses_other_things() -> None:
    schema = manifest_schema()
    Draft202012Validator.check_schema(schema)
    check = Draft202012Validator(schema)
    check.validate(msgspec.json.decode(encode_file(published(rows()))))
    wrong: dict[str, Any]
    for wrong in ({"schema": 1}, {"pages": [{"page": {}}]}, {"pages": [{"page": {"site": 3}, "anchors": []}]}):
        value = msgspec.json.decode(encode_file(published(rows()))) | wrong
        assert not check.is_valid(value)


def test_the_schema_says_what_every_field_means() -> None:
    for name, definition in manifest_schema()["$defs"].items():
        for field, described in definition.get("properties", {}).items():
            assert described.get("description"), f"{name}.{field}"
    assert set(DESCRIPTIONS) == set(manifest_schema()["$defs"])


def test_the_published_history_names_no_page_that_is_hidden_now() -> None:
    entries = [Entry("Odd docs", page, "x", "setup/") for page in ("setup/", "gone/", "secret/", "draft/", "moved/")]
    file = msgspec.structs.replace(rows(), history=tuple(entries))
    assert [entry.page for entry in published(file).history] == ["setup/", "gone/", "moved/"]


# URLs


def test_urls_are_those_of_every_page_and_every_cited_anchor() -> None:
    lines = url_list(published_site(rows())).decode().splitlines()
    found = [resolve(manifest(), line) for line in lines]
    assert {reference.status for reference in found} == {"exact"}
    assert {reference.page for reference in found} == set(SHOWN)
    assert [reference.anchor for reference in found if reference.page == "setup/"] == [None, "install", "setup"]
    assert {reference.anchor for reference in found} >= set(ODD_IDS)
    assert len(lines) == len(set(lines))


@pytest.mark.parametrize("kind", ["heading", "other"])
def test_an_id_is_not_led_to_another_that_reads_like_its_encoding(kind: AnchorKind) -> None:
    ids = Anchor("docs", "x/", "a b", "heading"), Anchor("docs", "x/", "a%20b", kind, position=1)
    both = Manifest("g", [Site("docs", "https://example.org/")], [Page("docs", "x/", "x/index.html", "X")], ids)
    site = published_site(msgspec.json.decode(both.encode(), type=ManifestFile))
    (shown,) = site.pages
    assert shown.hrefs["a b"] == both.href("x/", "a b") == "x/#%61%20%62"
    assert b"https://example.org/x/#%61%20%62\n" in url_list(site)
    assert " x/#%61%20%62 " in "\n".join(read_lines(encode_inventory(site), "x"))


def test_lychee_finds_every_line_whole() -> None:
    text = url_list(published_site(rows())).decode()
    assert lychee_finds(text) == text.splitlines()
    assert all(re.fullmatch(r"https://[\x21-\x7e]+", line) for line in text.splitlines())


@given(st.text(max_size=12))
def test_any_anchor_is_found_whole_and_leads_there(anchor: str) -> None:
    page = Page("Odd docs", "x/", "x/index.html", "X")
    odd = Manifest("g", [SITE], [page], [Anchor("Odd docs", "x/", anchor, "heading")] if anchor else [])
    lines = url_list(published_site(msgspec.json.decode(odd.encode(), type=ManifestFile))).decode().split("\n")[:-1]
    assert lychee_finds("\n".join(lines)) == lines
    assert (resolve(odd, lines[-1]).status, resolve(odd, lines[-1]).anchor or "") == ("exact", anchor)


@pytest.mark.parametrize("ids", [("why.", "why%2E"), ("why%2E", "why."), ("x(1)", "x%281%29"), ("it's", "it%27s")])
def test_what_is_encoded_for_plain_text_is_never_another_id(ids: tuple[str, str]) -> None:
    page = Page("Odd docs", "x/", "x/index.html", "X")
    odd = Manifest(
        "g", [SITE], [page], [Anchor("Odd docs", "x/", one, "heading", position=at) for at, one in enumerate(ids)]
    )
    lines = url_list(published_site(msgspec.json.decode(odd.encode(), type=ManifestFile))).decode().split()
    assert lychee_finds("\n".join(lines)) == lines
    assert [resolve(odd, line).anchor or "" for line in lines] == ["", *ids]


def test_an_end_that_is_long_takes_linear_time() -> None:
    assert plain_text_url("https://example.org/" + "." * 200_000).endswith("%2E")


def test_without_a_base_url_there_are_no_absolute_addresses() -> None:
    with pytest.raises(OptionError, match=r"'Odd docs' has no base URL.*--base-url URL"):
        url_list(published_site(rows(NOWHERE)))


# For language models


def links_of(text: str, base: str) -> list[str]:
    """The targets of all links that a Markdown reader finds, joined to the place of the file."""
    tokens = MarkdownIt("commonmark").parse(text)
    inner = [child for token in tokens for child in token.children or ()]
    return [urljoin(base, str(child.attrs["href"])) for child in inner if child.type == "link_open"]


@pytest.mark.parametrize("site", [SITE, NOWHERE], ids=["url", "relative"])
@pytest.mark.parametrize("make", [llms_index, lambda site: llms_full(site, TEXTS)], ids=["llms", "full"])
def test_every_link_of_the_text_exports_lands_on_a_page_that_is_shown(site: Site, make: Callable[..., bytes]) -> None:
    text = make(published_site(rows(site))).decode()
    found = [resolve(manifest(), link) for link in links_of(text, "https://example.org/docs/")]
    assert {reference.status for reference in found} == {"exact"}
    assert sorted(str(reference.page) for reference in found) == sorted(SHOWN)


def test_control_characters_stand_as_escapes() -> None:
    pages = [Page("s\x9b", "a/", "a/index.html", "A\x1b[2J\u202eb", description="c\x07", kind="guide")]
    site = published_site(msgspec.json.decode(Manifest("g", [Site("s\x9b")], pages, ()).encode(), type=ManifestFile))
    assert r"- [A\\x1b\[2J\\u202eb](a/): c\\x07" in llms_index(site).decode()
    full = llms_full(site, {("s\x9b", "a/"): "# A\n\n\tcode\x1b[0m\n"}).decode()
    assert "\n\tcode\\x1b[0m\n" in full
    assert "\x1b" not in full


def test_llms_has_the_form_of_llmstxt_org() -> None:
    lines = llms_index(published_site(rows())).decode().splitlines()
    assert lines[:3] == ["# Odd docs", "", r"> What \[odd\] things do."]
    titles = [line.removeprefix("## ") for line in lines if line.startswith("## ")]
    assert titles == ["Start", "Guides", "API", "Optional"]
    assert set(titles) <= set(SECTIONS)
    assert "- [News](https://example.org/docs/news/): Old and new." in lines
    assert r"- [Names \* with_signs](https://example.org/docs/a%20b/c's.html)" in lines


def test_every_kind_of_page_has_a_section() -> None:
    from typing import get_args

    from trueref_core.records import PageKind

    assert sorted(kind for kinds in SECTIONS.values() for kind in kinds) == sorted({*get_args(PageKind)} - {"redirect"})


def test_a_site_that_says_nothing_of_itself_has_a_summary() -> None:
    plain = Manifest("g", [Site("docs")], [Page("docs", "a/", "a/index.html", "")], ())
    text = llms_index(published_site(msgspec.json.decode(plain.encode(), type=ManifestFile))).decode()
    assert text == "# docs\n\n> The documentation of docs, 1 pages.\n\n## Guides\n\n- [a/](a/)\n"


def test_a_description_that_several_pages_have_says_nothing_of_one() -> None:
    pages = [Page("docs", page, f"{page}index.html", page or "Home", description="All.") for page in ("", "a/")]
    own = Page("docs", "b/", "b/index.html", "b", description="Only here.")
    made = Manifest("g", [Site("docs")], [*pages, own], ())
    text = llms_index(published_site(msgspec.json.decode(made.encode(), type=ManifestFile))).decode()
    assert text.endswith("- [Home](./)\n- [a/](a/)\n- [b](b/): Only here.\n")
    assert text.startswith("# docs\n\n> All.\n")


def test_the_full_text_names_the_address_below_each_title() -> None:
    text = llms_full(published_site(rows()), TEXTS | {("Odd docs", "news/"): "No title.\n"}).decode()
    assert "# Setup\n\nSource: [https://example.org/docs/setup/](https://example.org/docs/setup/)\n\nText.\n" in text
    assert "Source: [https://example.org/docs/news/](https://example.org/docs/news/)\n\nNo title.\n" in text


def test_each_shown_page_has_its_text_beside_it() -> None:
    found = {file.path: file.data for file in export_files(["markdown"], rows(), TEXTS, (), None)}
    files = {page.file: page for page in PAGES if page.page in SHOWN}
    assert set(found) == {f"{file}.md" for file in files}
    assert found["setup/index.html.md"] == b"# Setup\n\nText.\n"


# All of them


def test_nothing_that_is_hidden_is_in_any_export() -> None:
    files = list(export_files(EXPORTS, rows(), TEXTS | {("Odd docs", "secret/"): "secret"}, (), None))
    assert {file.path for file in files} >= {"assets/trueref/manifest.json", "trueref.inv", "llms-full.txt"}
    for file in files:
        text = file.data if file.path != "trueref.inv" else "\n".join(read_lines(file.data, "x")).encode()
        assert [secret for secret in SECRETS if secret.encode() in text] == [], file.path


def test_equal_content_gives_equal_bytes() -> None:
    first, second = (list(export_files(EXPORTS, rows(), TEXTS, (), None)) for _ in range(2))
    assert first == second


def test_no_base_url_leaves_out_the_urls_alone() -> None:
    paths = {file.path for file in export_files(EXPORTS, rows(NOWHERE), TEXTS, (), None)}
    assert paths ^ {file.path for file in export_files(EXPORTS, rows(), TEXTS, (), None)} == {"assets/trueref/urls.txt"}


def test_names_of_exports_are_sorted_out_and_an_unknown_one_is_refused() -> None:
    assert known_exports(["urls", "manifest", "urls"]) == ("manifest", "urls")
    with pytest.raises(OptionError, match=r"no export 'sitemap'. There are: manifest, urls, inventory"):
        known_exports(["sitemap"])


def test_the_inventory_does_not_depend_on_the_base_url() -> None:
    assert encode_inventory(published_site(rows())) == encode_inventory(published_site(rows(NOWHERE)))
