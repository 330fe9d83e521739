"""Whatever a file and an id may be called: the link that is minted for it leads there, and nowhere else."""

from __future__ import annotations

import unicodedata
from urllib.parse import quote, unquote, urljoin

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.conftest import EXAMPLES

from trueref_core.addresses import page_of_file
from trueref_core.links.resolve import resolve
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Anchor, Page, Site

BASES = (
    None,
    "https://example.org/",
    "https://example.org/docs/",
    "https://example.org/a%20b/%C3%BC/",
    "http://[::1]:8000/x/",
)

# Pieces that a codec, a URL parser, a file system or a normal form treats in a way of its own.
PIECES = (
    *(
        "a",
        "A",
        "é",
        "e\u0301",
        "ß",
        "SS",
        "İ",
        "ı",
        "Ω",
        "\u2126",
        "ﬁ",
        "한",
        "\u1112\u1161\u11ab",
        "中",
        "👩\u200d🚀",
        "🇩🇪",
    ),
    *("שלום", "العربية", "\u202e", "\u200f", "\ufeff", "\u200b", "\xa0", "\u3000", "\U0010ffff", "\ufffd"),
    *("%", "%25", "%2525", "%20", "%2F", "%2f", "%C3%A9", "%c3%a9", "%E9", "%zz", "%u00e9"),
    *(" ", "+", "&", "&amp;", "=", ";", ",", ":", "@", "!", "$", "'", '"', "(", ")", "*", "<", ">", "[", "]", "{", "}"),
    *(
        "|",
        "^",
        "`",
        "~",
        "-",
        "_",
        ".",
        "..",
        "...",
        "\\",
        "?",
        "#",
        ":~:",
        "\t",
        "\n",
        "\r",
        "\x01",
        "\x7f",
        "\x85",
        "\u2028",
    ),
    *("index", ".html", ".md", "http:", "javascript:", "//", "top", "www.example.org", "C:"),
)
text = st.lists(st.sampled_from(PIECES), max_size=5).map("".join) | st.text(
    st.characters(exclude_categories=["Cs"]), max_size=8
)


def _is_file_name(name: str) -> bool:
    return name not in ("", ".", "..") and not set(name) & set("/\0") and len(name.encode()) < 200


name = text.filter(_is_file_name)
files = st.builds(
    lambda folders, last: "/".join((*folders, last)),
    st.lists(name, max_size=2),
    st.just("index.html") | name.map(lambda it: f"{it}.html"),
)
# HTML keeps any character of an id but NUL, and its parser makes line feeds of carriage returns.
anchors = text.filter(lambda it: it != "" and not set(it) & set("\0\r"))
sites = st.lists(st.tuples(files, st.lists(anchors, max_size=3)), min_size=1, max_size=4, unique_by=lambda it: it[0])


def manifest_of(found: list[tuple[str, list[str]]], base: str | None) -> Manifest:
    """A manifest with a page for each file, and its ids."""
    pages = [Page("docs", page_of_file(file), file, "Title", kind="guide") for file, _ in found]
    ids = [
        Anchor("docs", page_of_file(file), anchor, "heading", 2, "Text", (), "", at)
        for file, names in found
        for at, anchor in enumerate(names)
    ]
    return Manifest("g", [Site("docs", base)], pages, ids)


def places(manifest: Manifest) -> list[tuple[str, str]]:
    """All pages, and all ids on them."""
    return [
        (page.page, anchor)
        for page in manifest.pages()
        for anchor in ("", *(it.anchor for it in manifest.anchors(page.page)))
    ]


@given(sites, st.sampled_from(BASES))
@settings(max_examples=3 * EXAMPLES)
def test_what_is_minted_leads_to_exactly_that_place(found: list[tuple[str, list[str]]], base: str | None) -> None:
    manifest = manifest_of(found, base)
    for page, anchor in places(manifest):
        href = manifest.href(page, anchor)
        assert href.isascii()
        assert not set(href) & set(' \t\n"<>\\^`{|}')
        # A fragment alone needs the page on which it stands.
        links = [(href, "")] if href.startswith("#") or not href else [(href, None), (href, "")]
        if base is not None:
            links += [(manifest.url_of("docs", href) or "", None), (manifest.url_of("docs", href) or "", page)]
        # On another page, a relative link is written from there.
        depth = page.count("/")
        links.append(("../" * depth + href if href else "./" + "../" * depth, page))
        for link, context in links:
            reference = resolve(manifest, link, context)
            assert (reference.status, reference.page, reference.anchor or "") == ("exact", page, anchor), (
                link,
                context,
            )
            assert (reference.href, reference.url) == (href, manifest.url_of("docs", href))


@given(sites, st.sampled_from(BASES))
@settings(max_examples=2 * EXAMPLES)
def test_other_ways_to_write_an_address_lead_there_or_nowhere(
    found: list[tuple[str, list[str]]], base: str | None
) -> None:
    """Lower-case escapes, everything escaped, nothing escaped, escaped twice: never another place of the site as exact."""
    manifest = manifest_of(found, base)
    for page, anchor in places(manifest):
        assume(page)
        href = manifest.href(page, anchor)
        path, mark, fragment = href.partition("#")
        everything = "".join(f"%{byte:02x}" if byte != 0x2F else "/" for byte in page.encode())
        written = {"lower": _lower(path) + mark + fragment, "everything": everything + mark + fragment}
        if not (set(page) & set("%?#\\:\t\n\r") or page[0] <= " "):
            written["nothing"] = page + mark + fragment
        for way, link in written.items():
            reference = resolve(manifest, link)
            assert (reference.status, reference.page, reference.anchor or "") == ("exact", page, anchor), (way, link)
        twice = resolve(manifest, quote(path, safe="/") + mark + fragment)
        if twice.status == "exact":
            # It may be the very address of another page, whose name holds a percent sign.
            assert twice.page == unquote(quote(path, safe="/"))


def _lower(path: str) -> str:
    """The same path with its escapes in small letters."""
    parts = path.split("%")
    return "%".join([parts[0], *(part[:2].lower() + part[2:] for part in parts[1:])])


@given(st.lists(anchors, min_size=1, max_size=4, unique=True))
@settings(max_examples=2 * EXAMPLES)
def test_ids_that_differ_in_case_or_normal_form_are_places_of_their_own(names: list[str]) -> None:
    """Two ids that differ in case or normal form only are two places, as in a browser; a lone one is found by either."""
    forms = [unicodedata.normalize(form, names[0]) for form in ("NFC", "NFD")]
    both = list(dict.fromkeys([*names, *forms, names[0].swapcase()]))
    manifest = manifest_of([("a.html", both)], None)
    for anchor in both:
        assert resolve(manifest, manifest.href("a.html", anchor)).anchor == anchor
    alone = manifest_of([("a.html", names[:1])], None)
    for form in forms:
        reference = resolve(alone, alone.href("a.html", form))
        assert reference.page == "a.html"
        assert reference.anchor in (names[0], None)


@pytest.mark.parametrize("anchor", ["a b", "é", "%", "a%20b", "100%"])
def test_an_id_that_reads_like_the_encoding_of_another_is_led_to_itself(anchor: str) -> None:
    """A browser tries a fragment as it is written first: the plain encoding of `a b` would lead to `a%20b`."""
    manifest = manifest_of([("a.html", [anchor, quote(anchor), quote(quote(anchor))])], "https://example.org/")
    for place in (anchor, quote(anchor), quote(quote(anchor))):
        reference = resolve(manifest, manifest.href("a.html", place))
        assert (reference.status, reference.anchor) == ("exact", place)
        fragment = urljoin("https://example.org/", reference.href or "").partition("#")[2]
        # What the HTML standard does with it.
        assert (fragment if manifest.anchor("a.html", fragment) else unquote(fragment)) == place
