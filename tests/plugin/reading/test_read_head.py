"""What the head of a page says, and where its content stands."""

from __future__ import annotations

import pytest
from tests.plugin.pages import page, read
from tests.work import is_linear

from trueref_plugin.reading.head import is_template, refresh_target
from trueref_plugin.reading.markup.clean import CONTENT_ROOTS
from trueref_plugin.reading.parse import parse_page


@pytest.mark.parametrize(
    ("head", "field", "expected"),
    [
        ("<title> The\n title </title>", "title", "The title"),
        ("<title>A &amp; B</title>", "title", "A & B"),
        ("", "title", ""),
        ('<meta name="description" content=" About  it ">', "description", "About it"),
        ('<meta property="og:description" content="About it">', "description", "About it"),
        (
            '<meta name="description" content=""><meta property="og:description" content="Other">',
            "description",
            "Other",
        ),
        ('<meta name="description" content="First"><meta name="description" content="Second">', "description", "First"),
        ('<meta name="Description" content="Case">', "description", "Case"),
        ("<meta name=description>", "description", ""),
        ('<meta name="description" content="None">', "description", ""),
        ('<meta name="description" content="None of it">', "description", "None of it"),
        ('<meta name="generator" content="mkdocs-1.6.1">', "generator", "mkdocs-1.6.1"),
        ('<meta property="og:site_name" content="Docs">', "site_name", "Docs"),
        ('<meta name="docusaurus_version" content="2.1">', "version", "2.1"),
        ('<meta name="docsearch:version" content="2.1,latest">', "version", "2.1"),
        ('<link rel="canonical" href="https://example.org/a/">', "canonical", "https://example.org/a/"),
        ('<link rel=alternate href="x"><link rel=canonical href="y">', "canonical", "y"),
        ("<link rel=canonical>", "canonical", ""),
        ('<meta name="robots" content="noindex, nofollow">', "noindex", True),
        ('<meta name="ROBOTS" content="NOINDEX">', "noindex", True),
        ('<meta name=" robots " content="index;noindex">', "noindex", True),
        ('<meta name="robots" content="index, follow">', "noindex", False),
        ('<meta name="robots" content="noindex"><meta name="robots" content="follow">', "noindex", True),
        ('<meta name="other" content="noindex">', "noindex", False),
        ('<meta name="docusaurus_tag" content="doc_tag_doc_list">', "listing", True),
        ('<meta name="docusaurus_tag" content="docs-default-current">', "listing", False),
        ('<meta name="docusaurus_tag" content="default">', "docs", ""),
        (
            '<meta name="docusaurus_tag" content="docs-the-api-2.1"><meta name="docusaurus_version" content="2.1">',
            "docs",
            "docs-the-api",
        ),
        ('<meta http-equiv="refresh" content="0; url=../new/">', "redirect", "../new/"),
        ('<meta http-equiv="Refresh" content="0;URL=\'new/#a\'">', "redirect", "new/#a"),
        ('<meta http-equiv="refresh" content="30">', "redirect", ""),
        ('<noscript><meta http-equiv="refresh" content="0; url=x"></noscript>', "redirect", "x"),
        ('<link rel=icon href="/favicon.ico"><script src="/docs/app.js"></script>', "asset", "/docs/app.js"),
        ('<link rel=icon href="/favicon.ico"><script src="app.js"></script>', "asset", "/favicon.ico"),
        ('<link rel=stylesheet href="//cdn.example.org/a.css">', "asset", ""),
    ],
)
def test_the_head_of_a_page_is_read_field_by_field(head: str, field: str, expected: object) -> None:
    assert getattr(parse_page(page("<p>a</p>", head)).head, field) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('{% extends "base.html" %}{% block content %}<p>a</p>{% endblock %}', True),
        ('\n<!-- macros - of the theme -->\n{% macro head() %}<link href="{{ x }}">{% endmacro %}', True),
        ("{#- A remark. -#}<!doctype html><html lang='{{ lang }}'><body></body></html>", True),
        ('<!-- copied --><li></li><a href="{{ item.url }}">{{ item.title }}</a>', True),
        ('<nav class="{{ class }}"></nav>', True),
        ("<h1>A</h1><p>A fragment without statements.</p>", False),
        ("<!doctype html><title>Templates</title><p>Write {{ name }} or {% if x %}.</p>", False),
        ("<body class=x>{{ name }}</body>", False),
        ("<header>{{ name }}</header>", True),
        ("<!-- a --><p>{ a }</p>", False),
        ("", False),
    ],
)
def test_a_template_of_a_theme_is_told_from_a_page(html: str, expected: bool) -> None:
    assert parse_page(html).head.template is expected


@pytest.mark.parametrize(("piece", "end"), [("<!--", ""), ("<!-- -", ""), (" ", "{{"), ("<!", "{{"), ("<h", "{{")])
def test_a_template_is_told_in_linear_time(piece: str, end: str) -> None:
    assert is_linear(is_template, piece, end, longest=1_000_000)


def test_the_language_of_a_page_is_read() -> None:
    assert parse_page('<html lang="pt-BR"><p>a').head.language == "pt-BR"
    assert parse_page("<html><p>a").head.language == ""


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; url=a", "a"),
        ("0;url=a?b=c", "a?b=c"),
        ("0, url=a", "a"),
        ("0; a", "a"),
        ("0;'a'b", "a"),
        ("5", ""),
        ("5;", ""),
        ("url=a", ""),
        ("", ""),
        ("0; URL = 'a'", "a"),
        ('0; url="a"', "a"),
    ],
)
def test_the_target_of_a_refresh_is_read_as_browsers_do(content: str, target: str) -> None:
    assert refresh_target(content) == target


@pytest.mark.parametrize(
    ("body", "head", "title"),
    [
        ("<h1>Heading</h1>", "<title>Heading - Site</title>", "Heading"),
        ("<h2>Two</h2><h1>One</h1>", "<title>T</title>", "One"),
        ("<h1>Heading<a class=headerlink href=#h>¶</a></h1>", "", "Heading"),
        ("<h1></h1>", "<title>T</title>", "T"),
        ("<p>a</p>", "<title>T</title>", "T"),
        ("<p>a</p>", "", ""),
        ("<h1><img alt=Logo src=a.svg></h1>", "<title>Logo - Site</title>", "Logo"),
        # Pages whose headings begin below `h1`: the Rust book, Node.js, Texinfo.
        ("<h2>Heading</h2><h3>More</h3>", "<title>Heading - The Site</title>", "Heading"),
        ("<h2>Heading</h2>", "<title>heading | Site</title>", "Heading"),
        ("<h2>Heading</h2>", "<title>Heading</title>", "Heading"),
        ("<h4>19.4 Heading</h4>", "<title>Heading \u2014 Site</title>", "19.4 Heading"),
        # A page about what the site is named after.
        ("<h1>The Site</h1><h2>Heading</h2>", "<title>Heading | The Site</title>", "The Site"),
        (
            "<h3>Heading</h3>",
            "<meta name=Generator content=texi2any><title>Heading (Site (version 7))</title>",
            "Heading",
        ),
        # What follows the heading belongs to the title, or the heading is about a part of the page.
        ("<h2>Heading</h2>", "<title>Heading (old)</title>", "Heading (old)"),
        ("<h2>Heading</h2>", "<title>Headings - Site</title>", "Headings - Site"),
        ("<h2>1. </h2>", "<title>T - Site</title>", "T - Site"),
        ("<h2>Part</h2>", "<title>Heading - Site</title>", "Heading - Site"),
        ("<h1>Heading</h1><h2>Part</h2>", "<title>Site - Heading</title>", "Heading"),
        ("<p>a</p>", "<title>&lt;no title&gt; \u2014 Site 1.0</title>", "Site 1.0"),
    ],
)
def test_the_title_of_a_page_is_its_first_heading(body: str, head: str, title: str) -> None:
    parsed = parse_page(page(body, head))
    assert (parsed.title, parsed.sections[0].title) == (title, title)


CONTENTS = '<h1><p>Table of Contents</p>\n</h1><div class="toc"><ul><li>1 Glaze</li></ul></div>'


def test_a_heading_over_nothing_but_the_contents_of_a_notebook_is_no_title() -> None:
    parsed = read(f'{CONTENTS}<section id="glaze"><h1>Glaze</h1><p>text</p><h2 id="mix">Mix</h2><p>more</p></section>')
    assert parsed.title == "Glaze"
    assert [section.breadcrumb for section in parsed.sections] == [(), ("Glaze",), ("Glaze", "Glaze")]
    assert [block.text for block in parsed.blocks] == ["text", "more"]
    assert read(f"{CONTENTS}<p>text</p>").title == "Page"
    # A page that lists others, and one whose contents follow its own title.
    assert read('<h1>Contents</h1><div class="toctree-wrapper"></div><p>text</p>').title == "Contents"
    assert read('<h1>Glaze</h1><div class="toc"></div><p>text</p>').title == "Glaze"


MARKUP = {
    ".md-content__inner": '<article class="md-content__inner md-typeset">{}</article>',
    ".theme-doc-markdown": '<div class="theme-doc-markdown markdown">{}</div>',
    "#__blog-post-container": '<div id="__blog-post-container">{}</div>',
    "#furo-main-content": '<article role="main" id="furo-main-content">{}</article>',
    "[itemprop=articleBody]": '<div itemprop="articleBody">{}</div>',
    ".bd-article": '<article class="bd-article">{}</article>',
    "div.body[role=main]": '<div class="body" role="main">{}</div>',
    "div.document.body": '<div class="document clearer body">{}</div>',
    ".vp-doc": '<div class="vp-doc _guide">{}</div>',
    ".sl-markdown-content": '<div class="sl-markdown-content">{}</div>',
    "[vp-content]": '<div vp-content><div id="content">{}</div></div>',
    ".theme-default-content": '<div class="theme-default-content content__default">{}</div>',
    ".theme-hope-content": '<div class="theme-hope-content">{}</div>',
    "div.rspress-doc": '<div class="rp-doc rspress-doc">{}</div>',
    "div.header + div.contents": '<div class="header">x</div><!--header--><div class="contents">{}</div>',
    ".page-inner .markdown-section": '<div class="page-inner"><section class="markdown-section">{}</section></div>',
    ".container-main > .col-content": '<div class="container-main"><div class="col-content">{}</div></div>',
    "div#main:has(> h1.page-title)": '<div id="main"><h1 class="page-title"></h1>{}</div>',
    "div#mw-content-text": '<div id="content"><h1>chrome</h1><div id="mw-content-text">{}</div></div>',
    "div#apicontent": '<div id="content"><p>chrome</p><div id="apicontent">{}</div></div>',
    "div.mainContent": '<div class="content mainContent">{}</div>',
    "div.maincolumn > div.main": '<div class="maincolumn"><div class="main">{}</div></div>',
    "div.manual-text": '<div class="manual-text">{}</div>',
    "div.docs-body": '<div class="row"><h2>chrome</h2></div><div class="row"><div class="docs-body">{}</div></div>',
    "section#main.content": '<section id="main" class="content">{}</section>',
    "[role=main]": '<div role="main">{}</div>',
    "main": "<main>{}</main>",
    "article": "<article>{}</article>",
    ".main-content": '<div class="sidebar">x</div><div class="main-content">{}</div>',
    "div#content": '<div id="content">{}</div>',
    "main .typography": '<main><p>chrome</p><div class="typography">{}</div></main>',
    "div#main": '<div id="main"><h1></h1>{}</div>',
    "div.row > div[class*=col-]": '<div class="row"><div class="col-9"><h1></h1>{}</div><div class="col-3">a</div></div>',
    "div.content": '<div class="content">{}</div>',
    "body": "<div>{}</div>",
}


@pytest.mark.parametrize("selector", CONTENT_ROOTS)
def test_the_content_is_found_in_the_element_of_its_generator(selector: str) -> None:
    # A paragraph outside would be content beside that of a `div.content`.
    outside = "<div>chrome</div>" if selector == "div.content" else "<p>chrome</p>"
    parsed = parse_page(f"<body>{outside}{MARKUP[selector].format('<p>content</p>')}</body>")
    chrome = ["chrome"] if selector == "body" else []
    assert parsed.root == selector
    assert [block.text for block in parsed.blocks] == [*chrome, "content"]


@pytest.mark.parametrize("outer", ["main", "article", "[role=main]"])
def test_the_root_of_a_theme_goes_before_plain_ones(outer: str) -> None:
    inner = MARKUP[".vp-doc"].format("<p>content</p>")
    assert parse_page(MARKUP[outer].format("<p>chrome</p>" + inner)).root == ".vp-doc"


def test_a_selector_of_the_owner_goes_before_the_known_ones() -> None:
    html = page('<p>rest</p><div class="mine"><p>content</p></div>')
    parsed = parse_page(html, "div.mine")
    assert (parsed.root, [block.text for block in parsed.blocks]) == ("div.mine", ["content"])


def test_a_selector_that_matches_nothing_leaves_the_known_ones() -> None:
    parsed = parse_page(page("<p>content</p>"), ".missing")
    assert (parsed.root, [block.text for block in parsed.blocks]) == ("main", ["content"])


@pytest.mark.parametrize(
    ("html", "generator"),
    [
        (
            "<!-- Generated with Sphinx 9.0.4 and Furo 2025.12.19 --><title>T</title>",
            "Sphinx 9.0.4 and Furo 2025.12.19",
        ),
        ('<html data-content_root="../"><title>T</title>', "Sphinx"),
        ('<script src="../_static/documentation_options.js?v=1"></script>', "Sphinx"),
        ('<script id="documentation_options" data-url_root="./" src="x.js"></script>', "Sphinx"),
        ('<html data-content_root="./"><meta name="generator" content="Docutils 0.21: https://example.org">', "Sphinx"),
        ('<meta name="generator" content="Docutils 0.21">', ""),
        ("<p>a\n<!--\nProperDocs version : ProperDocs 1.6.7\nBuild Date UTC : 2026\n-->", "properdocs-1.6.7"),
        ("<p>a\n<!--\nMkDocs version : 1.6.1\nBuild Date UTC : 2026\n-->", "mkdocs-1.6.1"),
        ('<html data-content_root="./"><meta name="generator" content="VitePress v1.6.4">', "VitePress v1.6.4"),
        ("<p>MkDocs version : 1.6.1 is needed.</p>", ""),
    ],
)
def test_a_generator_is_known_by_its_comment_or_its_markup(html: str, generator: str) -> None:
    assert parse_page(html).head.generator == generator


@pytest.mark.parametrize(
    ("generator", "data", "clean"),
    [
        ("VitePress v1.6.4", '{\\"cleanUrls\\":true}', True),
        ("VitePress v2.0.0", '{"cleanUrls":true}', True),
        ("VitePress v1.6.4", '{\\"cleanUrls\\":false}', False),
        ("VitePress v1.6.4", "", False),
        ("mkdocs-1.6.1", '{"cleanUrls":true}', False),
    ],
)
def test_vitepress_says_whether_addresses_have_no_html_ending(generator: str, data: str, clean: bool) -> None:
    html = page("<p>a</p>", f'<meta name="generator" content="{generator}"><script>{data}</script>')
    assert parse_page(html).head.clean_urls is clean


@pytest.mark.parametrize(
    ("body", "following"),
    [
        (
            '<a class="VPLink link pager-link prev" href="/a"></a><a class="VPLink link pager-link next" href="/b">B</a>',
            "/b",
        ),
        ('<a rel="next" href="../c/">C</a>', "../c/"),
        ('<a class="next" href="../c/">C</a>', ""),
    ],
)
def test_the_next_page_is_read_from_buttons_at_the_foot(body: str, following: str) -> None:
    assert parse_page(page(body)).head.next == following


@pytest.mark.parametrize(
    "piece", ["<!-- Generated with Sphinx ", "\nMkDocs version : ", "Sphinx a and ", "\\", "<!-- "]
)
def test_signatures_are_looked_for_in_linear_time(piece: str) -> None:
    assert is_linear(lambda text: parse_page(f"<p>{text}"), piece, longest=200_000)
