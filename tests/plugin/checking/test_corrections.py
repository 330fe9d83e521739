"""What is written instead of a link that does not land, in every form in which a link may be written."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plugin.checking.markdown.test_markdown_links import PAGES

from trueref_core.links.resolve import ResolveContext, resolve
from trueref_core.links.target_lookup import look_up_link
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Anchor, Page, Site
from trueref_plugin.checking.corrections import corrected, suggested
from trueref_plugin.checking.findings import FileLocation, Finding
from trueref_plugin.checking.markdown.fixes import corrected_text, fix

BASE = "https://example.org/docs/"
SPECIAL = ("odd (page)/", "odd (page).md", ["größe", "a b", "50%-off"])
QUOTES = ("quotes/", "quotes.md", ["what's-new", "größe|a`b\"c&d\\e'f"])


def manifest(base_url: str | None = BASE) -> Manifest:
    rows = [*PAGES, SPECIAL, QUOTES]
    pages = [Page("zoo", page, f"{page}index.html", page, source_path=source) for page, source, _ in rows]
    anchors = [
        Anchor("zoo", page, anchor, "heading", 2, position=at)
        for page, _, names in rows
        for at, anchor in enumerate(names)
    ]
    return Manifest("g", [Site("zoo", base_url)], pages, anchors)


MANIFEST = manifest()
SOURCE = "animals/zebra.md"


def correction(link: str, source: str | None = SOURCE, known: Manifest = MANIFEST) -> str | None:
    context = ResolveContext("zoo", "animals/zebra/", source)
    return corrected(known, link, resolve(known, link, context), context)


@pytest.mark.parametrize(
    ("link", "written"),
    [
        # a source file stays one
        ("lion.md#mane_of_a_lion", "lion.md#mane-of-a-lion"),
        ("./lion.md#mane_of_a_lion", "./lion.md#mane-of-a-lion"),
        ("../animals/lion.md#mane_of_a_lion", "../animals/lion.md#mane-of-a-lion"),
        ("Lion.md", "lion.md"),
        ("animals/lion.md#lion", "lion.md#lion"),
        ("zebra.md#mane-of-a-lion", "lion.md#mane-of-a-lion"),
        ("generated.md#made", "../generated.md#made"),
        ("lion.markdown", "lion.md"),
        ("lion.md?x=1#mane_of_a_lion", "lion.md?x=1#mane-of-a-lion"),
        ("/animals/Lion.md#lion", "/animals/lion.md#lion"),
        # an address of a page stays one
        ("../lion/#mane_of_a_lion", "../lion/#mane-of-a-lion"),
        ("lion#mane-of-a-lion", "../lion/#mane-of-a-lion"),
        ("../lion.html#mane-of-a-lion", "../lion/#mane-of-a-lion"),
        ("../../Generated/", "../../generated/"),
        # a fragment stays one where the place is on the page
        ("#Stripes", "#stripes"),
        ("#mane-of-a-lion", "lion.md#mane-of-a-lion"),
        # an absolute address stays one
        (f"{BASE}animals/lion/#mane_of_a_lion", f"{BASE}animals/lion/#mane-of-a-lion"),
        (f"{BASE}animals/Lion/", f"{BASE}animals/lion/"),
        ("//example.org/docs/animals/Lion/", "//example.org/docs/animals/lion/"),
        ("/docs/animals/Lion/#lion", "/docs/animals/lion/#lion"),
        # as encoded as it was
        ("../odd%20(page).md#gr%C3%B6%C3%9Fe_1", "../odd%20(page).md#gr%C3%B6%C3%9Fe"),
        ("#größe_1", None),
        ("../odd (page).md#größe_1", "../odd (page).md#größe"),
        ("../odd%20(page).md#a_b", "../odd%20(page).md#a%20b"),
        ("Odd%20(Page).md#a%20b", "../odd%20%28page%29.md#a%20b"),
        ("../quotes.md#whats_new", "../quotes.md#what%27s-new"),
        ("../quotes.md#größe-abcdef", "../quotes.md#größe%7Ca%60b%22c%26d%5Ce%27f"),
        # a mistyped name of a page
        ("lions.md#lion", "lion.md#lion"),
        ("../generatde.md", "../generated.md"),
        ("../lions/", "../lion/"),
        # never a guess
        ("lion.md#nothing-of-the-kind", None),
        ("tiger.md", None),
        ("lion.md", None),
        ("lion.md#lion", None),
        ("https://elsewhere.org/", None),
        ("mailto:x@example.org", None),
    ],
)
def test_the_correction_of_a_link_in_a_source_keeps_its_way_of_writing(link: str, written: str | None) -> None:
    assert correction(link) == written


@pytest.mark.parametrize(
    ("link", "source", "written"),
    [
        ("lionses.md", SOURCE, "lion.md"),
        ("lion.md#manes-of-lions", SOURCE, "lion.md#mane-of-a-lion"),
        ("lion.md#manes", SOURCE, None),
        ("../animals/lionses.md", SOURCE, "lion.md"),
        ("../lionses/", SOURCE, "../lion/"),
        (f"{BASE}animals/lionses/", SOURCE, f"{BASE}animals/lion/"),
        ("../lionses/", None, "../lion/"),
        ("lion.md", SOURCE, None),
    ],
)
def test_a_suggestion_is_what_the_author_would_write(link: str, source: str | None, written: str | None) -> None:
    context = ResolveContext("zoo", "animals/zebra/", source)
    assert suggested(MANIFEST, link, resolve(MANIFEST, link, context), context) == written


@pytest.mark.parametrize(
    ("link", "written"),
    [
        ("../lion/#mane_of_a_lion", "../lion/#mane-of-a-lion"),
        ("lion/#mane-of-a-lion", "../lion/#mane-of-a-lion"),
        ("../../animals/lion.md#lion", "../lion/#lion"),
        ("#mane-of-a-lion", "../lion/#mane-of-a-lion"),
        ("../../Zoo/#zoo", "../../#zoo"),
    ],
)
def test_the_correction_of_a_link_on_a_page_is_an_address(link: str, written: str | None) -> None:
    assert correction(link, source=None) == written


def test_without_a_base_url_a_path_counts_from_the_root() -> None:
    assert correction("/animals/Lion/#lion", known=manifest(None)) == "/animals/lion/#lion"


LINK = st.builds(
    lambda climb, path, fragment: "../" * climb + "/".join(path) + ("" if fragment is None else f"#{fragment}"),
    st.integers(0, 3),
    st.lists(st.sampled_from(["animals", "lion.md", "Lion", "lion", "zebra.md", "generated.md", "", "index.md"]), max_size=3),
    st.one_of(st.none(), st.sampled_from(["mane_of_a_lion", "Stripes", "lion", "made", "größe_1", "a_b", "50-off", "x"])),
)  # fmt: skip


@given(LINK, st.sampled_from([SOURCE, "index.md", "odd (page).md", None]))
def test_a_correction_leads_to_what_was_meant(link: str, source: str | None) -> None:
    page = MANIFEST.page_by_source(source) if source else None
    context = ResolveContext("zoo", page.page if page else "animals/", source)
    meant = resolve(MANIFEST, link, context)
    written = corrected(MANIFEST, link, meant, context)
    if written is not None:
        found = resolve(MANIFEST, written, context)
        assert look_up_link(MANIFEST, written, context) == "place"
        assert (found.page, found.anchor) == (meant.page, meant.anchor)
        assert written.endswith(".md") == link.endswith(".md") or "#" in written


def finding(file: Path | str, text: str, link: str, correction: str | None) -> Finding:
    at = text.index(link)
    return Finding(
        "missing-page", FileLocation(str(file), 1, at + 1, (at, at + len(link))), link, "r", correction=correction
    )


@given(st.lists(st.text(st.characters(exclude_categories=[]), max_size=8), min_size=1, max_size=6), st.randoms())
def test_a_correction_changes_nothing_but_the_destinations(parts: list[str], chance: object) -> None:
    text, spans = "", []
    for part in parts:
        text += part
        spans.append((len(text), len(text) + 3))
        text += "old"
    findings = [
        Finding("missing-page", FileLocation("f", 1, 1, span), "old", "r", correction="n\u00e9w") for span in spans
    ]
    assert corrected_text(text, reversed(findings)) == "".join(f"{part}n\u00e9w" for part in parts)


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text("[x](another.md)")
    stale = finding(file, "[x](old.md)", "old.md", "new.md")
    assert fix([stale]) == ([], [stale])
    assert file.read_text() == "[x](another.md)"


def test_a_finding_without_a_plain_correction_is_left_and_told(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text("[x](old.md)")
    vague = finding(file, "[x](old.md)", "old.md", None)
    assert fix([vague]) == ([], [vague])


def test_a_corrected_file_keeps_its_permissions_and_symbolic_links(tmp_path: Path) -> None:
    file, link = tmp_path / "a.md", tmp_path / "b.md"
    file.write_text("[x](old.md)")
    file.chmod(0o640)
    link.symlink_to(file)
    fix([finding(link, "[x](old.md)", "old.md", "new.md")])
    assert (link.is_symlink(), file.read_text(), file.stat().st_mode & 0o777) == (True, "[x](new.md)", 0o640)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.md", "b.md"]


def test_two_corrections_of_one_place_are_refused() -> None:
    once = finding("a.md", "[x](old.md)", "old.md", "new.md")
    with pytest.raises(AssertionError, match="two corrections of one place"):
        corrected_text("[x](old.md)", [once, once])
