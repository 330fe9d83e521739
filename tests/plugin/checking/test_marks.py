"""The marks by which links of Markdown are found: they change nothing, and every link keeps its place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown import Markdown
from selectolax.lexbor import LexborHTMLParser
from tests.plugin.checking.planted import LINKS, LOOK_ALIKES
from tests.plugin.checking.sites import BASE, EXTENSIONS
from tests.work import is_linear

from trueref_plugin.checking.markdown.link_candidates import candidates
from trueref_plugin.checking.markdown.markdown_links import SourceReader, marked
from trueref_plugin.checking.markdown.project import Project
from trueref_plugin.checking.markdown.project_loading import load_project
from trueref_plugin.reading.guarding.guard import GuardedReader

# What may stand in a page, whole and in pieces, so that chance puts them together in ways that nobody meant.
PIECES = st.sampled_from(
    [
        *(form.replace("@", "a.md#b").replace("%", f"{BASE}a/").replace("#]", "1]") for form in (*LINKS, *LOOK_ALIKES)),
        *"[x] ]( ( ) [ ] < > ` ``` ~~~ \" ' \\ ! | : # ## - 1. > * ** _ = --- === {.x} {: href=a }".split(),
        *("\n", "\n\n", "    ", " ", "\t", "word", "[a]:", "[a]: b", "[a]:\n", "[a][a]", "[^1]", "[^1]: c", "*[a]: b"),
        *(
            "<a href=",
            "<a href='b'>",
            "</a>",
            "<div>",
            "</div>",
            "<!--",
            "-->",
            "<b>",
            "src=x",
            "https://x.y",
            "<https://x>",
        ),
        *(
            "[a](b",
            "(c)",
            '"t")',
            "![i](j)",
            "- [ ] ",
            "!!! note\n\n    ",
            '=== "T"\n\n    ',
            "<pre>",
            "&amp;",
            "é",
            "\x02",
        ),
    ]
)


@lru_cache
def guarded() -> GuardedReader:
    return GuardedReader()


@pytest.fixture(scope="module", autouse=True)
def child() -> Iterator[None]:
    with guarded():
        yield


@lru_cache
def project() -> Project:
    with TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "docs").mkdir()
        (folder / "mkdocs.yml").write_text(json.dumps({"markdown_extensions": EXTENSIONS}))
        return load_project(folder / "mkdocs.yml")


@lru_cache
def reader() -> SourceReader:
    return SourceReader(project(), guarded())


def destinations(html: str) -> Iterator[str]:
    for node in LexborHTMLParser(html).css("[href], [src]"):
        for name in ("href", "src"):
            if node.attrs.get(name) is not None:
                yield f"{node.tag} {name}"


@given(st.lists(PIECES, max_size=12).map("".join))
def test_marks_change_nothing_about_which_links_there_are(text: str) -> None:
    body = text.replace("\x02", "")
    configs = {name: dict(config) for name, config in project().extension_configs.items()}
    markdown = Markdown(extensions=list(project().extensions), extension_configs=configs)
    plain = list(destinations(markdown.convert(body)))
    assert list(destinations(markdown.reset().convert(marked(body, candidates(body))[0]))) == plain


# The page needs what HTML says of repairs.
@example("<a href='b'>")
@given(st.lists(PIECES, max_size=12).map("".join))
def test_every_link_stands_where_it_is_told_to(text: str) -> None:
    for link in reader().read_text(text).links:
        if link.span is not None:
            assert text[slice(*link.span)].replace("\r\n", "\n") == link.written
            assert (
                text.replace("\r\n", "\n")
                .split("\n")[link.line - 1][link.column - 1 :]
                .startswith(link.written.split("\n")[0])
            )


@pytest.mark.parametrize(
    "piece",
    ["](", "[a](", "](<", "[a]: ", "[a]:\n", "href=", 'href="', "href='", "https://", " ", "\n", "(", ")", '"', " \"a", "[^", "> ", "- "],
)  # fmt: skip
def test_candidates_are_found_in_linear_time(piece: str) -> None:
    assert is_linear(candidates, piece, longest=50_000)


def test_a_mark_is_a_word_that_the_text_does_not_have() -> None:
    text = "[a](trueref0z.md) trueref0z truerefq [b](b.md)"
    assert [link.link for link in reader().read_text(text).links] == ["trueref0z.md", "b.md"]


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("[a](b(c).md)", ["b(c).md"]),
        ("[a](b\\_c.md)", ["b_c.md"]),
        ("[a](b?x=1&amp;y=2)", ["b?x=1&y=2"]),
        ("[a](b c.md)", ["b c.md"]),
        ("[a](<b c.md>)", ["b c.md"]),
        ("[a](<b c.md#d e>)", ["b c.md#d e"]),
        ("[a](<#d e>)", ["#d e"]),
        ("[a](</b c.md>)", ["/b c.md"]),
        ("# `[a](<b c>)`", []),
        ("[a]()", [""]),
        ("See https://x.org/a.", ["https://x.org/a"]),
        ("(https://x.org/a_(b))", ["https://x.org/a_(b)"]),
        ("[a]: b\n[c]: d\n\n[a], [c]", ["b", "d"]),
        ("# [a](b) and `[c](d)`", ["b"]),
        ("[a][a] [a][a]\n\n[a]: b", ["b"]),
        ("[a](/x?next=https://y.org/z)", ["/x?next=https://y.org/z"]),
        ("[https://a.org](https://b.org)", ["https://b.org"]),
    ],
)
def test_a_link_is_read_with_its_escapes_resolved(text: str, links: list[str]) -> None:
    read = reader().read_text(text).links
    assert [link.link for link in read] == links
    assert all(link.span is None or re.sub(r"\\|amp;", "", link.written) == link.link for link in read)
