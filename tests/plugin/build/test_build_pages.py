"""Which pages a build keeps, under which address, and what it remembers of them from one build to the next."""

from __future__ import annotations

import json

import pytest
from tests.plugin.pages import page
from tests.plugin.small_project import HOME, SECRET, Project

from trueref_core.generations.served_generation import read_ledger, read_manifest
from trueref_core.records import Page


@pytest.fixture
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return Project(tmp_path_factory.mktemp("project"))


def build_with_facts(project: Project, **facts: object) -> None:
    """Builds with a sidecar that says this of secret.html."""
    sidecar = project.index.with_name("pages.json")
    sidecar.write_text(json.dumps({"pages": [{"file": "secret.html"} | facts], "sidecar": 1}))
    project.build(pages=sidecar)


def found(project: Project, address: str) -> Page:
    known = read_manifest(project.index).page(address)
    assert known is not None
    return known


def test_language_and_version_that_the_build_told_are_remembered(project: Project) -> None:
    project.write(index=HOME, secret=SECRET.replace("<html", '<html lang="en"'))
    build_with_facts(project, language="de", version="3.1")
    assert (found(project, "secret.html").language, found(project, "secret.html").version) == ("de", "3.1")
    project.build()
    assert (found(project, "secret.html").language, found(project, "secret.html").version) == ("de", "3.1")


def test_what_a_page_says_of_itself_is_read_anew(project: Project) -> None:
    project.write(index=HOME, secret="<html lang=en>" + SECRET).build()
    project.write(secret="<html lang=fr>" + SECRET).build()
    assert found(project, "secret.html").language == "fr"


def test_a_site_under_another_name_inherits_no_hidden_page(project: Project) -> None:
    project.write(index=HOME, secret=SECRET)
    build_with_facts(project, hidden=True)
    project.build(name="another")
    assert project.searched() == {"", "secret.html"}


def test_two_files_that_claim_one_address_are_both_kept(project: Project) -> None:
    head = '<title>T</title><link rel="canonical" href="https://example.org/a">'
    other = '<title>T</title><link rel="canonical" href="https://example.org/b">'
    project.write(index=HOME, a=page("<p>Giraffes are tall.</p>", head), b=page("<p>Bears sleep.</p>", other))
    (project.site / "a").mkdir()
    (project.site / "a" / "index.html").write_text(page("<p>Zebras have stripes.</p>", head))
    project.build(base_url="https://example.org/")
    texts = {chunk.page: chunk.text for chunk in project.chunks()}
    assert texts == {
        "": "Welcome to the guide.",
        "a.html": "Giraffes are tall.",
        "a/": "Zebras have stripes.",
        "b": "Bears sleep.",
    }


@pytest.mark.parametrize("base_url", ["https://example.org/docs", "https://example.org/docs/"])
def test_the_slash_of_the_base_url_makes_no_difference(project: Project, base_url: str) -> None:
    head = '<title>T</title><link rel="canonical" href="https://example.org/docs/guide">'
    project.write(index=HOME, guide=page("<p>Text.</p>", head)).build(base_url=base_url)
    assert project.searched() == {"", "guide"}
    assert read_manifest(project.index).sites[0].base_url == "https://example.org/docs/"


@pytest.mark.parametrize(
    ("file", "generator", "searched"),
    [
        ("fr/404.html", "", False),
        ("fr/404/index.html", "", False),
        ("api/genindex/index.html", "", False),
        ("search.html", "", False),
        ("search/index.html", "sphinx-8", False),
        ("search/index.html", "", True),
        ("guide/4040.html", "", True),
        ("_modules/zoo/giraffe.html", "", False),
        ("en/latest/_modules/index.html", "", False),
        ("modules/zoo.html", "", True),
        (".coverage-tmp.html", "", False),
        ("search.html", "javadoc", False),
        ("org/zoo/class-use/Giraffe.html", "javadoc/ClassUseWriter", False),
        ("org/zoo/class-use/Giraffe.html", "", True),
        ("src-html/org/zoo/Giraffe.html", "javadoc", False),
        ("functions_vars.html", "Doxygen 1.9.4", False),
        ("annotated.html", "Doxygen 1.9.4", False),
        ("annotated.html", "", True),
        ("giraffe_8h_source.html", "Doxygen 1.9.4", False),
        ("open_source.html", "", True),
        ("guide/ix01.html", "", False),
        ("guide/six01.html", "", True),
    ],
)
def test_pages_that_generators_make_of_the_others_are_never_searched(
    project: Project, file: str, generator: str, searched: bool
) -> None:
    path = project.site / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page("<p>A giraffe.</p>", f'<title>T</title><meta name="generator" content="{generator}">'))
    project.write(index=HOME).build()
    assert (len(project.searched()) == 2) is searched


def test_a_template_of_a_theme_is_never_searched_and_can_be_linked(project: Project) -> None:
    template = '{% extends "base.html" %}<p id="announce">A giraffe.</p>'
    project.write(index=HOME, main=template).build()
    assert len(project.searched()) == 1
    assert found(project, "main.html").hidden_by == "template"
    # It is deployed all the same, so that a link there is not broken.
    assert [anchor.anchor for anchor in read_manifest(project.index).anchors("main.html")] == ["announce"]


@pytest.mark.parametrize(
    ("content", "hidden"),
    [("noindex", True), ("none", True), ("nofollow, NOINDEX", True), ("all", False), ("nofollow,noarchive", False)],
)
def test_a_page_that_search_engines_may_not_index_is_hidden(project: Project, content: str, hidden: bool) -> None:
    head = f'<title>T</title><meta name="robots" content="{content}">'
    project.write(index=HOME, x=page("<p>Text.</p>", head)).build()
    assert found(project, "x.html").hidden is hidden


@pytest.mark.parametrize(
    ("meta", "hidden"),
    [
        ('name="googlebot" content="noindex"', True),
        ('name="GoogleBot" content="nofollow, none"', True),
        ('http-equiv="X-Robots-Tag" content="noindex, nofollow"', True),
        ('http-equiv="x-robots-tag" content="googlebot: noindex"', True),
        ('name="googlebot" content="max-snippet:50"', False),
        ('name="googlebot-news" content="noindex"', False),
        ('http-equiv="content-type" content="noindex"', False),
    ],
)
def test_a_page_that_one_search_engine_may_not_index_is_hidden(project: Project, meta: str, hidden: bool) -> None:
    project.write(index=HOME, x=page("<p>Text.</p>", f"<title>T</title><meta {meta}>")).build()
    assert found(project, "x.html").hidden is hidden


def test_a_long_title_is_cut_and_a_long_id_cites_nothing(project: Project) -> None:
    title, name = "word " * 400, "n" * 1001
    project.write(
        index=page(f"<h1>{title}</h1><h2 id=a>{title}</h2><p>One.</p><h2 id={name}>B</h2><p>Two.</p>")
    ).build()
    chunks = project.chunks()
    assert {chunk.anchor for chunk in chunks} == {"", "a"}
    assert all(len(part) <= 1000 for chunk in chunks for part in (chunk.title, *chunk.breadcrumb))
    assert {chunk.title for chunk in chunks} == {("word " * 200)[:999].rstrip() + "…"}
    # It is an id of the page all the same: a link to it lands.
    assert name in {anchor.anchor for anchor in read_manifest(project.index).anchors("")}


def test_a_page_too_deep_for_this_process_is_read_by_the_child(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As if the scan had missed it: it is cheaper than the parser and may always miss something.
    monkeypatch.setattr("trueref_plugin.reading.guarding.guard.why_odd", lambda _html: None)
    project.write(index=HOME, deep=page("<div>" * 2000 + "Deep text.")).build()
    assert [chunk.text for chunk in project.chunks() if chunk.page == "deep.html"] == ["Deep text."]
    assert project.heard.warnings == []


def test_without_an_embedder_nothing_is_pending(project: Project) -> None:
    project.write(index=HOME).build()
    assert {document.embedding_status for document in read_ledger(project.index)} == {"none"}
