from __future__ import annotations

import json
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.work import is_linear

from trueref_widget import FILES, STATIC, WidgetOptions, ask_server, inject, snippet

MARK = "<trueref-chat></trueref-chat>"
# The parser turns NUL and lone surrogates into something else, as a browser does.
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"))


class Elements(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_the_package_has_the_built_files_and_no_others() -> None:
    assert sorted(path.name.removesuffix(".gz") for path in STATIC.iterdir()) == sorted(FILES)


def test_without_options_a_snippet_has_the_server_and_the_base() -> None:
    assert snippet(WidgetOptions(base="../")) == (
        '<trueref-chat server="/_trueref" base="../"></trueref-chat>'
        '<script type="module" src="../assets/trueref/trueref.js"></script>'
    )


def test_an_empty_shortcut_is_written_because_it_means_none() -> None:
    assert 'shortcut=""' in snippet(WidgetOptions(shortcut=""))


def test_the_assets_may_lie_elsewhere() -> None:
    assert 'src="https://cdn.example/w/trueref.js"' in snippet(WidgetOptions(assets="https://cdn.example/w/"))


@given(texts, texts, st.dictionaries(texts, texts))
def test_any_value_survives_as_an_attribute(label: str, accent: str, words: dict[str, str]) -> None:
    found = Elements(snippet(WidgetOptions(label=label, accent=accent, words=words))).found
    assert [tag for tag, _ in found] == ["trueref-chat", "script"]
    attributes = found[0][1]
    assert (attributes.get("label") or "") == label
    assert (attributes.get("accent") or "") == accent
    assert json.loads(attributes.get("words") or "{}") == words


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<body>a</body></html>", f"<body>a{MARK}</body></html>"),
        ("<BODY>a</BODY >", f"<BODY>a{MARK}</BODY >"),
        ("<pre></body></pre></body>", f"<pre></body></pre>{MARK}</body>"),
        ("a</body><!-- </body> -->", f"a{MARK}</body><!-- </body> -->"),
        ("<!--></body>", f"<!-->{MARK}</body>"),
        ("a</body><!-- never closed </body>", f"a{MARK}</body><!-- never closed </body>"),
        ("<p>a</p><script>x = '</body>'</script>", f"<p>a</p><script>x = '</body>'</script>{MARK}"),
        ("a</body><SCRIPT>'</body>'</Script>", f"a{MARK}</body><SCRIPT>'</body>'</Script>"),
        ("<title></body></title>a</BODY>", f"<title></body></title>a{MARK}</BODY>"),
        ("a</body><script>never closed </body>", f"a{MARK}</body><script>never closed </body>"),
        ("<p>no end", f"<p>no end{MARK}"),
        ("", MARK),
        ("İ</body>", f"İ{MARK}</body>"),
        (f"<body>{MARK}</body>", f"<body>{MARK}</body>"),
    ],
)
def test_the_snippet_stands_before_the_end_of_the_body(html: str, expected: str) -> None:
    assert inject(html, MARK) == expected


SCRIPT = '<script type="module" src="assets/trueref/trueref.js"></script>'


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<head>a<base href=//b></head><body>c</body>", "@<head>a<base href=//b></head><body>c%</body>"),
        (" <!DOCTYPE html>\n<html><base href=b>", " <!DOCTYPE html>\n@<html><base href=b>%"),
        ("\ufeff<!doctype html><base href=b>", "\ufeff<!doctype html>@<base href=b>%"),
        ("<?xml?><!-- a --><!--><!---><!x><base/href=b>", "<?xml?><!-- a --><!--><!---><!x>@<base/href=b>%"),
        # What a browser takes for a base, and a search for elements would not.
        ("<!--a--!><base href=b>-->", "<!--a--!>@<base href=b>-->%"),
        ('<!doctype "<!--"><base href=b>-->', '<!doctype "<!--">@<base href=b>-->%'),
        ('<p title="<!--"><base href=b>-->', '@<p title="<!--"><base href=b>-->%'),
        ("<svg><title><base href=b></title></svg>", "@<svg><title><base href=b></title></svg>%"),
        ("<svg><style><p><base href=b>", "@<svg><style><p><base href=b>%"),
        ("<BASE\nhref=b>", "@<BASE\nhref=b>%"),
        # What it takes for none, where the script did not run or its tag broke the page.
        ('<head a="<base href=b>"><body></body>', '@<head a="<base href=b>"><body>%</body>'),
        ("<template><base href=b></template>", "@<template><base href=b></template>%"),
        ("<script>'<base href=a>'</script></body>", "@<script>'<base href=a>'</script>%</body>"),
        ("<!-- <base href=b> never closed", "@<!-- <base href=b> never closed%"),
        ("<!doctype <base href=b", "@<!doctype <base href=b%"),
        ("<!doctype </body><base href=b>", "<!doctype </body>@%<base href=b>"),
        ("<basefont></body>", "<basefont>%@</body>"),
    ],
)
def test_the_script_stands_before_an_address_that_would_lead_it_elsewhere(html: str, expected: str) -> None:
    assert inject(html, MARK + SCRIPT) == expected.replace("@", SCRIPT).replace("%", MARK)


@pytest.mark.parametrize("written", ['server="https://a.example/x"', "server='/x'", "server=/x"])
def test_the_server_of_a_page_can_be_another(written: str) -> None:
    html = f"<p>server=/y</p><trueref-chat label=a {written} base=./></trueref-chat>"
    expected = '<p>server=/y</p><trueref-chat label=a server="/_trueref" base=./></trueref-chat>'
    assert ask_server(html, "/_trueref") == expected
    assert ask_server("<p>server=/y</p>", "/_trueref") == "<p>server=/y</p>"


@pytest.mark.parametrize("piece", ["<trueref-chat ", "<trueref-chat server=", " server=", "<"])
def test_the_server_of_a_page_is_found_in_linear_time(piece: str) -> None:
    assert is_linear(lambda html: ask_server(html, "/"), piece, longest=500_000)


@given(st.lists(st.sampled_from(["</body>", "<!--", "-->", "<script>", "</script>", "a", "<body>", "\n"])).map("".join))
def test_inject_adds_the_snippet_and_nothing_else_and_only_once(html: str) -> None:
    once = inject(html, MARK)
    assert once.replace(MARK, "", 1) == html
    assert inject(once, MARK) == once


@pytest.mark.parametrize(
    "piece",
    [
        "<!--",
        "</body",
        "</body ",
        "</body>",
        "<!-- -->",
        "<",
        "<script>",
        "<script></script>",
        "<base ",
        "<!",
        "<!-->",
        "\n",
    ],
)
def test_the_snippet_is_injected_in_linear_time(piece: str) -> None:
    assert is_linear(lambda html: inject(html, MARK), piece, longest=500_000)
