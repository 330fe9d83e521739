"""The inventory, read by the readers that it is for: those of Sphinx, MyST and mkdocstrings."""

from __future__ import annotations

import io
import zlib
from urllib.parse import urljoin

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mkdocstrings import Inventory as MkdocstringsInventory
from myst_parser.inventory import load as load_myst
from sphinx.util.inventory import InventoryFile
from tests.core.odd_site import ODD_IDS, manifest, rows
from tests.work import is_linear

from trueref_core.errors import OptionError
from trueref_core.export.inventory import LARGEST, InventoryLine, encode_inventory, entries, page_name, read_lines
from trueref_core.export.published_site import PublishedSite, published_site
from trueref_core.links.resolve import resolve
from trueref_core.manifest.codec import ManifestFile
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Anchor, Page, Site

BASE = "https://example.org/docs/"
HEAD = b"# Sphinx inventory version 2\n# Project: x\n# Version: 1\n# The remainder of this file is compressed using zlib.\n"

Read = dict[tuple[str, str], tuple[str, str]]


def by_sphinx(data: bytes) -> Read:
    """Address and title, by type and name."""
    found = InventoryFile.loads(data, uri=BASE)
    return {
        (kind, name): (item.uri, item.display_name)
        for kind, items in found.data.items()
        for name, item in items.items()
    }


def by_myst(data: bytes) -> Read:
    found = load_myst(io.BytesIO(data))
    return {
        (f"{domain}:{kind}", name): (BASE + item["loc"], item["text"] or "-")
        for domain, kinds in found["objects"].items()
        for kind, items in kinds.items()
        for name, item in items.items()
    }


def by_mkdocstrings(data: bytes) -> Read:
    found = MkdocstringsInventory.parse_sphinx(io.BytesIO(data))
    return {
        (f"{item.domain}:{item.role}", item.name): (
            BASE + item.uri,
            "-" if item.dispname == item.name else item.dispname,
        )
        for item in found.values()
    }


READERS = [by_sphinx, by_myst, by_mkdocstrings]


def site_of(anchors: list[tuple[str, str]], page: str = "x/") -> PublishedSite:
    """A site with one page and some headings: id and text."""
    made = Manifest(
        "g",
        [Site("One site", BASE)],
        [Page("One site", page, "x/index.html", "X")],
        [
            Anchor("One site", page, anchor, "heading", 2, text, position=at)
            for at, (anchor, text) in enumerate(anchors)
        ],
    )
    return published_site(msgspec.json.decode(made.encode(), type=ManifestFile))


@pytest.mark.parametrize("read", READERS)
def test_every_entry_leads_to_a_place_of_the_manifest(read: object) -> None:
    found: Read = read(encode_inventory(published_site(rows())))  # type: ignore[operator]
    for key, (url, _) in found.items():
        # The root is written as `./`, which a browser joins.
        assert resolve(manifest(), urljoin(url, url)).status == "exact", key
    assert len(found) == len(entries(published_site(rows())))


def test_sphinx_myst_and_mkdocstrings_read_the_same_of_an_inventory() -> None:
    data = encode_inventory(published_site(rows()))
    assert by_sphinx(data) == by_myst(data) == by_mkdocstrings(data)


def test_the_inventory_has_pages_objects_and_labels_with_unambiguous_names() -> None:
    found = by_sphinx(encode_inventory(published_site(rows())))
    assert found["std:doc", "index"] == (f"{BASE}./", "Home")
    assert found["std:doc", "setup"] == (f"{BASE}setup/", "Setup")
    assert found["py:module", "pkg"] == (f"{BASE}api/#pkg", "-")
    assert found["py:class", "pkg.Thing"] == (f"{BASE}api/#pkg.Thing", "-")
    assert found["py:method", "pkg.Thing.run"][0] == f"{BASE}api/#pkg.Thing.run"
    assert found["py:function", "pkg.go"][0] == f"{BASE}api/#pkg.go"
    assert found["std:label", "pkg.odd"][0] == f"{BASE}api/#pkg.odd"
    assert found["std:label", "api#--flag"][0] == f"{BASE}api/#--flag"
    # On two pages: only with the page before it. On one: the first of equal ids.
    assert ("std:label", "install") not in found
    assert found["std:label", "index#install"][0] == f"{BASE}#install"
    assert found["std:label", "setup#install"] == (f"{BASE}setup/#install", "Install")
    # A page of that name comes first.
    assert ("std:label", "setup") not in found
    # Sphinx compares labels in small letters.
    assert not {("std:label", "Big"), ("std:label", "big")} & found.keys()
    assert {name.partition("#")[0] for kind, name in found if kind == "std:label" and "#" in name} == {
        "index", "api", "setup", "a%20b/c's",
    }  # fmt: skip
    # All but `a%20b`, which is the name of `a b` already.
    assert len([name for kind, name in found if name.startswith("a%20b/c's#")]) == len(ODD_IDS) - 1


def test_titles_are_never_empty() -> None:
    titles = [line.split(" ", 4)[4].strip() for line in read_lines(encode_inventory(published_site(rows())), "x")]
    assert titles
    assert "" not in titles


def test_a_line_break_in_a_name_or_version_does_not_break_the_header() -> None:
    made = Manifest("g", [Site("Two\nlines", version="1\r2")], [Page("Two\nlines", "", "index.html", "")], ())
    site = published_site(msgspec.json.decode(made.encode(), type=ManifestFile))
    assert encode_inventory(site).split(b"\n")[:3] == [
        b"# Sphinx inventory version 2",
        b"# Project: Two lines",
        b"# Version: 1 2",
    ]


signs = st.one_of(
    st.sampled_from([*ODD_IDS, "a b:c 1 d", " ", "\u2028", "\x85", "x$", "\u200f"]), st.text(min_size=1, max_size=8)
)


@given(st.lists(st.tuples(signs, st.one_of(signs, st.just(""))), max_size=6, unique_by=lambda item: item[0]))
def test_any_name_is_read_back_by_every_reader_of_inventories(anchors: list[tuple[str, str]]) -> None:
    site = site_of(anchors)
    given_entries = {(entry.type, entry.name): entry for entry in entries(site)}
    data = encode_inventory(site)
    assert all(name and not name.isspace() for _, name in given_entries)
    for read in READERS:
        found: Read = read(data)
        assert found.keys() == given_entries.keys()
        for key, (url, title) in found.items():
            assert url.removeprefix(BASE) == given_entries[key].line.split(" ")[3], key
            shown = " ".join(given_entries[key].title.split())
            assert title == (shown if shown and shown != key[1] else "-")


@given(st.lists(signs, max_size=6, unique=True))
def test_every_anchor_has_a_name(anchors: list[str]) -> None:
    """Two ids may get one name where they differ by spaces alone; the first has it then."""
    site = site_of([(anchor, "") for anchor in anchors])
    labels = {entry.uri for entry in entries(site) if entry.type == "std:label"}
    assert len(labels) >= len({anchor for anchor in anchors if "%" not in anchor})


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("", "index"),
        ("index.html", "index"),
        ("setup/", "setup"),
        ("setup/index.html", "setup"),
        ("setup.html", "setup"),
        ("myindex.html", "myindex"),
        ("a/b", "a/b"),
        ("guide.pdf", "guide.pdf"),
        ("a b/", "a%20b"),
    ],
)
def test_the_name_of_a_page_is_what_sphinx_would_call_it(page: str, name: str) -> None:
    assert page_name(page) == name


def test_an_address_that_ends_with_a_dollar_is_not_the_name() -> None:
    entry = InventoryLine("x", "std:label", "p/#a$", "X")
    assert entry.line == "x std:label -1 p/#a%24 X"


# Beside another inventory


def other(*lines: str) -> list[str]:
    return read_lines(HEAD + zlib.compress("".join(f"{line}\n" for line in lines).encode()), "objects.inv")


def test_entries_of_the_other_inventory_win() -> None:
    lines = other(
        "pkg.Thing py:class 1 elsewhere/#$ -",
        "pkg.Thing.run py:function 1 elsewhere/#$ -",
        "setup std:label -1 elsewhere/ A label",
        "name with spaces std:term 1 glossary/#x Term",
    )
    found = by_sphinx(encode_inventory(published_site(rows()), lines))
    assert found["py:class", "pkg.Thing"][0] == f"{BASE}elsewhere/#pkg.Thing"
    # Called a function there, a method here: one object has one entry.
    assert found["py:function", "pkg.Thing.run"][0] == f"{BASE}elsewhere/#pkg.Thing.run"
    assert ("py:method", "pkg.Thing.run") not in found
    assert found["std:label", "setup"][0] == f"{BASE}elsewhere/"
    assert found["std:doc", "setup"][0] == f"{BASE}setup/"
    assert found["std:term", "name with spaces"][0] == f"{BASE}glossary/#x"
    assert found["py:module", "pkg"][0] == f"{BASE}api/#pkg"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not a Sphinx inventory"),
        (b"# Sphinx inventory version 1\n# Project: x\n# Version: 1\nx mod y\n", "not a Sphinx inventory"),
        (b"<html>", "not a Sphinx inventory"),
        (HEAD + b"not zlib", "damaged"),
        (HEAD + zlib.compress(b"\xff\xfe"), "damaged"),
        (HEAD + zlib.compress(b" " * (LARGEST + 10)), "holds more than"),
    ],
)
def test_a_file_that_is_no_inventory_is_refused_by_its_name(data: bytes, message: str) -> None:
    with pytest.raises(OptionError, match=f"objects.inv.*{message}"):
        read_lines(data, "objects.inv")


@pytest.mark.parametrize(("piece", "end"), [("a ", "x:y"), (": ", "")])
def test_a_long_line_takes_linear_time(piece: str, end: str) -> None:
    site = published_site(rows())
    assert is_linear(lambda line: encode_inventory(site, [line]), piece, end, longest=400_000)
