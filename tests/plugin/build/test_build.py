"""The whole build over small folders: what is published, what is not, and what a mistake says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests.plugin.pages import page
from tests.plugin.small_project import HOME, SECRET, SETUP, Project

from trueref_core.errors import IndexLocked, IndexUnwritable, OptionError, SiteError
from trueref_core.generations.publication import build_lock
from trueref_core.generations.served_generation import read_generation, read_manifest
from trueref_core.links.resolve import resolve
from trueref_plugin.build.build import index_site


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_a_first_build_indexes_every_page(project: Project) -> None:
    report = project.write(index=HOME, setup=SETUP).build(base_url="https://example.org/docs/", name="Guide")
    assert (report.changed, report.refused, project.heard.warnings) == (True, (), [])
    assert report.generation.counts == {"sites": 1, "pages": 2, "anchors": 3, "chunks": 3, "links": 6, "documents": 2}
    assert [(chunk.page, chunk.anchor, chunk.text) for chunk in project.chunks()] == [
        ("", "home", "Welcome to the guide."),
        ("setup.html", "setup", "Install the package."),
        ("setup.html", "colors", "Pick a color."),
    ]
    reference = resolve(read_manifest(project.index), "setup#colors")
    assert (reference.status, reference.url) == ("redirected", "https://example.org/docs/setup.html#colors")


def test_an_unchanged_site_publishes_nothing(project: Project) -> None:
    first = project.write(index=HOME, setup=SETUP).build()
    files = {path: path.stat().st_mtime_ns for path in project.index.rglob("*") if path.name != "lock"}
    second = project.build()
    assert (second.changed, second.generation) == (False, first.generation)
    assert {path: path.stat().st_mtime_ns for path in project.index.rglob("*") if path.name != "lock"} == files
    assert second.lines(project.index)[0].startswith(
        f"Index unchanged at {project.index}: 2 pages, 3 anchors, 3 chunks"
    )


def test_what_the_embedder_does_not_read_is_said_with_what_it_means(project: Project) -> None:
    code = "\n".join(f"print('a line of long code, number {number}')" for number in range(100))
    long = page(f"<h1 id=long>Long</h1><pre>{code}</pre><p>And once more:</p><pre># {code}</pre>")
    report = project.write(index=HOME, long=long).build(embedder="bundled")
    assert report.truncated == 2
    assert report.lines(project.index)[-1] == (
        "The embedder reads only the beginning of 2 chunks (50.0%), mostly of long code. The rest of these chunks is "
        "found by its words, and not by its meaning."
    )


def test_finding_out_that_nothing_changed_loads_nothing_heavy(project: Project) -> None:
    project.write(index=HOME).build(embedder="lexical")
    code = (
        "import sys\nfrom pathlib import Path\nfrom trueref_plugin.build.build import index_site\n"
        f"done = index_site(Path({str(project.site)!r}), index=Path({str(project.index)!r}), embedder='lexical')\n"
        "print(done.changed, *[name for name in ('lancedb', 'pyarrow', 'fastembed', 'onnxruntime', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]


def test_navigation_and_times_change_nothing(project: Project) -> None:
    first = project.write(index=HOME, setup=SETUP).build()
    project.write(index=HOME.replace("<main>", "<nav>A new entry</nav><main>"))
    os.utime(project.site / "setup.html", (1, 1))
    assert (project.build().changed, first.changed) == (False, True)


def test_of_a_changed_page_only_the_chunks_that_changed_are_new(project: Project) -> None:
    first = project.write(index=HOME, setup=SETUP).build()
    before = {chunk.id: chunk.text for chunk in project.chunks()}
    second = project.write(setup=SETUP.replace("Pick", "Choose")).build()
    after = {chunk.id: chunk.text for chunk in project.chunks()}
    assert second.changed
    assert second.generation.id != first.generation.id
    assert [after[name] for name in after.keys() - before.keys()] == ["Choose a color."]
    assert [before[name] for name in before.keys() - after.keys()] == ["Pick a color."]


def test_a_page_that_is_gone_leaves_the_index(project: Project) -> None:
    project.write(index=HOME, setup=SETUP).build()
    (project.site / "setup.html").unlink()
    assert project.build().generation.counts["pages"] == 1
    assert resolve(read_manifest(project.index), "setup.html").status == "unlinked"


def test_the_same_site_gives_the_same_generation(tmp_path: Path) -> None:
    ids: list[str] = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        ids.append(Project(tmp_path / name).write(index=HOME, setup=SETUP).build().generation.id)
    assert ids[0] == ids[1]


@pytest.mark.parametrize(
    "options", [{"name": "Other"}, {"version": "2"}, {"base_url": "https://example.org/"}, {"exclude": ["setup*"]}]
)
def test_other_options_make_another_generation(project: Project, options: dict[str, object]) -> None:
    first = project.write(index=HOME, setup=SETUP).build()
    assert project.build(**options).generation.id != first.generation.id


def test_vectors_of_texts_that_stay_are_used_again(project: Project) -> None:
    assert project.write(index=HOME, setup=SETUP).build(embedder="bundled").embedded == 3
    second = project.write(setup=SETUP.replace("Pick", "Choose")).build(embedder="bundled")
    assert (second.embedded, second.reused, second.truncated) == (1, 2, 0)
    assert project.build(embedder="bundled", full=True).embedded == 3


def test_a_text_that_several_pages_have_is_embedded_once(project: Project) -> None:
    code = page("<h1 id=install>Install</h1><pre>pip install zebra</pre>")
    report = project.write(first=code, second=code, third=code).build(embedder="bundled")
    assert (report.embedded, len(project.chunks())) == (1, 3)


NOINDEX = page("<h1 id=x>Secret</h1><p>Secret text.</p>", '<title>S</title><meta name="robots" content="noindex">')


def test_noindex_pages_are_never_searched_and_can_be_linked(project: Project) -> None:
    project.write(index=HOME, secret=NOINDEX).build()
    assert (project.searched(), project.anchors("secret.html")) == ({""}, ["x"])
    assert resolve(read_manifest(project.index), "secret.html#x").status == "exact"


@pytest.mark.parametrize("pattern", ["secret*", "*.html", "secret.html"])
def test_excluded_pages_are_never_searched_and_can_be_linked(project: Project, pattern: str) -> None:
    project.write(index=HOME, secret=SECRET).build(exclude=[pattern])
    assert (project.searched(), project.anchors("secret.html")) == ({""}, ["x"])


@pytest.mark.parametrize("fact", ["hidden", "draft"])
def test_pages_that_the_build_hides_are_never_searched_and_stay_so(project: Project, fact: str) -> None:
    sidecar = project.index.with_name("pages.json")
    sidecar.write_text(
        json.dumps({"pages": [{"file": "secret.html", "source": "secret.md", fact: True}], "sidecar": 1})
    )
    project.write(index=HOME, secret=SECRET).build(pages=sidecar)
    assert (project.searched(), project.anchors("secret.html")) == ({""}, ["x"])
    found = read_manifest(project.index).page("secret.html")
    assert found is not None
    assert (found.hidden, found.draft, found.source_path) == (True, fact == "draft", "secret.md")
    # By hand, without the sidecar: what the plugin said of the page is remembered.
    project.write(index=HOME.replace("Welcome", "Hello")).build()
    assert project.searched() == {""}


def test_error_pages_and_generated_pages_are_never_searched(project: Project) -> None:
    project.write(index=HOME, **{"404": SECRET, "genindex": SECRET, "search": SECRET, "py-modindex": SECRET}).build()
    assert project.searched() == {""}


def test_lists_that_docusaurus_makes_are_never_searched_and_can_be_linked(project: Project) -> None:
    posts = SECRET.replace("<body>", '<meta name="docusaurus_tag" content="blog_posts_list"><body>', 1)
    project.write(index=HOME, blog=posts).build()
    assert (project.searched(), project.anchors("blog.html")) == ({""}, ["x"])


def test_docs_of_docusaurus_that_have_no_versions_belong_to_all(project: Project) -> None:
    def tagged(docs: str, version: str) -> str:
        tags = {"docusaurus_tag": f"docs-{docs}-{version}", "docusaurus_version": version}
        metas = "".join(f'<meta name="{name}" content="{content}">' for name, content in tags.items())
        return HOME.replace("<body>", f"{metas}<body>", 1)

    pages = {
        "old": tagged("default", "1.0"),
        "new": tagged("default", "current"),
        "people": tagged("people", "current"),
    }
    project.write(**pages).build()
    versions = {page.page: page.version for page in read_manifest(project.index).pages()}
    assert versions == {"old.html": "1.0", "new.html": "current", "people.html": ""}


def test_the_language_that_is_told_goes_before_that_of_the_pages(project: Project) -> None:
    project.write(index=HOME.replace("<html", '<html lang="en"'), old=SETUP).build(language="pt-BR")
    manifest = read_manifest(project.index)
    assert {page.language for page in manifest.pages()} == {manifest.sites[0].language} == {"pt-BR"}
    with pytest.raises(OptionError, match=r"^The language 'german!' is not a tag such as `de` or `pt-BR`\.$"):
        project.build(language="german!")


def test_redirects_are_aliases_and_never_searched(project: Project) -> None:
    stub = '<title>Moved</title><meta http-equiv="refresh" content="0; url=setup.html"><p>Moved to another page.</p>'
    project.write(index=HOME, setup=SETUP, old=stub).build()
    assert project.searched() == {"", "setup.html"}
    assert resolve(read_manifest(project.index), "old.html#colors").href == "setup.html#colors"


def test_a_site_without_pages_is_refused(project: Project) -> None:
    with pytest.raises(SiteError, match=r"^The site folder .* holds no HTML file\. Build the site first"):
        project.build()


def test_a_site_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SiteError, match=r"^The site folder .*gone does not exist\."):
        index_site(tmp_path / "gone", index=tmp_path / "index")


def test_a_site_without_text_is_indexed_without_chunks(project: Project) -> None:
    report = project.write(index="<html><body></body></html>").build()
    assert (report.generation.counts["pages"], report.generation.counts["chunks"]) == (1, 0)


def test_a_site_without_a_base_url_has_hrefs_and_no_urls(project: Project) -> None:
    project.write(index=HOME, setup=SETUP).build()
    reference = resolve(read_manifest(project.index), "setup.html#colors")
    assert (reference.status, reference.href, reference.url) == ("exact", "setup.html#colors", None)
    assert project.heard.warnings == []


def test_the_base_url_is_taken_from_canonical_links(project: Project) -> None:
    head = '<link rel="canonical" href="https://example.org/docs/setup.html">'
    project.write(index=HOME, setup=SETUP.replace("</head>", head + "</head>")).build()
    assert read_generation(project.index).sites[0].base_url == "https://example.org/docs/"


def test_a_page_that_is_not_utf_8_is_read_and_named(project: Project) -> None:
    project.write(index=HOME)
    (project.site / "latin.html").write_bytes(
        page('<h1 id="x">Gr\u00f6\u00dfe</h1><p>\u00c4rger</p>').encode("latin-1")
    )
    project.build()
    assert [chunk.text for chunk in project.chunks() if chunk.page == "latin.html"] == ["\u00c4rger"]
    assert project.heard.warnings == ["latin.html is not UTF-8 and names no other encoding: read as windows-1252."]


def test_text_under_a_duplicate_id_or_none_is_cited_by_what_encloses_it(project: Project) -> None:
    body = "<h2 id=a>One</h2><p>x</p><h2 id=a>Two</h2><p>y</p><h2 id=b>Three</h2><h3>No id</h3><p>z</p>"
    project.write(index=page(body)).build()
    assert [(chunk.anchor, chunk.text) for chunk in project.chunks()] == [
        ("a", "x"),
        ("", "Two\n\ny"),
        ("b", "No id\n\nz"),
    ]
    assert [item.duplicate for item in read_manifest(project.index).anchors("")] == [False, True, False]


def test_a_tag_with_120_000_attributes_is_refused_by_name_and_the_build_goes_on(project: Project) -> None:
    # The parser compares each attribute with all before it: these take it 18 s here, five times as long as 50,000.
    attributes = " ".join(f"a{number}" for number in range(120_000))
    report = project.write(index=HOME, odd=page(f"<p {attributes}>x</p>")).build()
    assert [file for file, _ in report.refused] == ["odd.html"]
    assert project.heard.warnings == ["odd.html was left out: it took the parser more than 6.2 s."]
    assert project.searched() == {""}


def test_a_page_that_cannot_be_opened_is_named(project: Project) -> None:
    project.write(index=HOME)
    (project.site / "gone.html").symlink_to(project.site / "nowhere")
    report = project.build()
    assert report.refused == (("gone.html", "it cannot be opened (No such file or directory)"),)
    assert project.heard.warnings == ["gone.html was left out: it cannot be opened (No such file or directory)."]


def test_a_link_to_a_file_outside_of_the_site_is_named_and_not_indexed(project: Project) -> None:
    outside = project.site.parent / "outside"
    outside.mkdir()
    (outside / "secret.html").write_text(page("<h1>Secret</h1><p>Secret text.</p>"))
    (outside / "secret.pdf").write_bytes(b"%PDF-1.4")
    project.write(index=HOME)
    for name in ("secret.html", "secret.pdf"):
        (project.site / name).symlink_to(outside / name)
    refused = dict(project.build().refused)
    assert set(refused) == {"secret.html", "secret.pdf"}
    assert all("it is a link to a file outside of the site" in reason for reason in refused.values())
    assert project.searched() == {""}


@pytest.mark.parametrize("blocked", ["index", "index/builds"])
def test_an_index_folder_that_cannot_be_written_is_refused_in_one_line(project: Project, blocked: str) -> None:
    path = project.index.parent / blocked
    path.parent.mkdir(exist_ok=True)
    path.write_text("a file where a folder should be")
    with pytest.raises(
        IndexUnwritable, match=r"^The index at .* cannot be written \(.+\)\. Choose another folder for it\.$"
    ):
        project.write(index=HOME).build()


def test_a_build_ends_in_one_line_where_another_holds_the_lock_for_long(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write(index=HOME).build()
    monkeypatch.setattr("trueref_plugin.build.build.LOCK_SECONDS", 0.1)
    faults: list[Exception] = []

    def other() -> None:
        try:
            project.write(index=SETUP).build()
        except IndexLocked as fault:
            faults.append(fault)

    with build_lock(project.index):
        # The same thread may enter the lock again; another one is another build.
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert [str(fault) for fault in faults] == [
        f"Another build is writing to the index at {project.index}. Wait until it has ended, then build again."
    ]
    assert project.searched() == {""}


def test_an_index_of_another_site_is_replaced_with_a_warning(project: Project) -> None:
    """Nobody chose its name, and it has no other address."""
    head = '<title>Home</title><meta property="og:site_name" content="Two">'
    project.write(index=HOME).build(name="One")
    (project.site / "index.html").write_text(page(HOME, head))
    project.build()
    line = "The index held the site 'One'; it is replaced by 'Two'. Give a name to have both."
    assert project.heard.warnings == [line]
    assert [site.name for site in read_generation(project.index).sites] == ["Two"]


def test_an_index_inside_of_the_site_is_refused(project: Project) -> None:
    project.write(index=HOME)
    with pytest.raises(
        OptionError, match=r"^The index folder .* lies inside the site folder .* Choose a folder beside it\.$"
    ):
        index_site(project.site, index=project.site / "assets" / "index", embedder="lexical")


def test_a_damaged_index_is_replaced(project: Project) -> None:
    project.write(index=HOME).build()
    (project.index / "current.json").write_text("{")
    assert project.build().generation.counts["pages"] == 1
    assert project.searched() == {""}


def test_the_generation_is_noted_beside_the_files_of_the_widget(project: Project) -> None:
    """A plugin without Python leaves them; the index is made by hand later."""
    project.write(index=HOME).build()
    noted = project.site / "assets" / "trueref" / "build.json"
    assert not noted.exists()
    noted.parent.mkdir(parents=True)
    noted.write_text('{"generation":""}\n')
    made = project.build().generation.id
    assert json.loads(noted.read_text()) == {"generation": made}
    # Of an index of several sites it says nothing of the pages of one.
    project.build(name="second", base_url="https://docs.example.org/second/")
    assert json.loads(noted.read_text()) == {"generation": ""}


def test_questions_are_made_of_what_is_built(project: Project) -> None:
    """Of headings that ask or do, by page and by language, while there are any; hidden pages offer none."""
    steps = '<h1 id="a">Colours</h1><h2 id="b">Changing the colours</h2><p>x</p><h2 id="c">Palette</h2><p>y</p>'
    beside = project.site / "assets" / "trueref"
    beside.mkdir(parents=True)
    (beside / "build.json").write_text("{}")
    made = project.write(index=HOME, colors=page(steps), secret=page(steps.replace("colours", "locks"))).build(
        exclude=["secret.html"], language="en-GB"
    )
    question = "How do I change the colours?"
    offered = {"pages": {"colors.html": [question]}, "languages": {"en": [question]}}
    assert json.loads((beside / "questions.json").read_text()) == offered
    assert json.loads((beside / "build.json").read_text()) == {"generation": made.generation.id, "questions": True}
    gone = project.write(colors=page(steps.replace("Changing", "About"))).build(exclude=["secret.html"])
    assert not (beside / "questions.json").exists()
    assert json.loads((beside / "build.json").read_text()) == {"generation": gone.generation.id}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_site_that_cannot_be_written_to_is_said(project: Project) -> None:
    noted = project.site / "assets" / "trueref" / "build.json"
    noted.parent.mkdir(parents=True)
    noted.write_text("{}")
    noted.chmod(0o400)
    with pytest.raises(SiteError, match=r"build\.json cannot be written \(Permission denied\)\. Free its disk or"):
        project.write(index=HOME).build()
