"""`mkdocs build` with the plugin, on small projects: what is indexed, where the widget stands, what is said."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.plugin.pdfs import write_pdf
from tests.plugin.projects import HOOKS, Project, has_vectors, heading_ids, make, widget_attributes

from trueref_core.export.export_files import EXPORTS
from trueref_core.export.inventory import read_lines
from trueref_core.generations.served_generation import read_generation
from trueref_core.links.resolve import resolve
from trueref_core.manifest.lookup import Manifest

pytestmark = pytest.mark.slow

SERVER = {"server_url": "https://ask.example.org/_trueref"}

UNSERVED = ("lock", "reads.sqlite", "intact.json")
"""What a build may write though nothing that is served changed."""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return make(tmp_path)


def test_two_lines_of_configuration_give_answers_with_vectors(project: Project) -> None:
    """The default configuration answers with vectors; a build without changes publishes nothing and loads nothing."""
    (project.folder / "mkdocs.yml").write_text("site_name: Animals\nplugins: [search, trueref]\n")
    said = project.run()
    assert said.count("Index published") == 1
    assert said.count("No server_url is set") == 1
    assert "WARNING" not in said
    assert has_vectors(project)
    assert widget_attributes(project.html("zebras/index.html"))["server"] == ""
    assert (project.site / "assets/trueref/search/index.json").is_file()
    generation = read_generation(project.index).id
    assert json.loads(project.html("assets/trueref/build.json")) == {"generation": generation}
    assert (project.site / "assets/trueref/trueref.js").is_file()

    exports = {name: (project.site / name).read_bytes() for name in ("assets/trueref/manifest.json", "trueref.inv")}
    assert not (project.site / "llms.txt").exists()
    assert said.count("urls.txt is not written. The site 'Animals' has no base URL") == 1
    before = {path: path.stat().st_mtime_ns for path in project.index.rglob("*") if path.name not in UNSERVED}
    said = project.run_afresh("-X", "importtime")
    assert "Index unchanged" in said
    imported = {line.rpartition("|")[2].strip() for line in said.splitlines() if line.startswith("import time:")}
    assert "trueref_plugin.build.build" in imported
    assert (
        imported
        & {"lancedb", "pyarrow", "fastembed", "onnxruntime", "numpy", "trueref_plugin.build.generation_content"}
        == set()
    )
    assert {path: path.stat().st_mtime_ns for path in project.index.rglob("*") if path.name not in UNSERVED} == before
    assert read_generation(project.index).id == generation
    # The site folder was wiped.
    assert exports == {name: (project.site / name).read_bytes() for name in exports}


def test_ids_are_those_of_the_finished_pages(project: Project) -> None:
    project.configure(hooks=[str(HOOKS / "random_ids.py")])
    project.run()
    ids = {page: heading_ids(project.html(f"{page}index.html")) for page in ("", "zebras/", "far/away/lions/")}
    written = {anchor for found in ids.values() for anchor in found.values()}
    assert all(re.fullmatch("r[0-9a-f]{12}", anchor) for anchor in written)
    for question, page, heading in [
        ("What colour are the stripes of a zebra?", "zebras/", "Stripes"),
        ("Who eats the bark of acacias?", "zebras/", "Food"),
        ("When does the mane of a lion grow darker?", "far/away/lions/", "Manes"),
    ]:
        answer = project.ask(question)
        assert (answer.sources[0].page, answer.sources[0].anchor) == (page, ids[page][heading])
        assert {source.anchor for source in answer.sources} <= written


def test_changes_of_pages_by_later_hooks_are_indexed(project: Project) -> None:
    """End tags are missing when the widget is put on the page; ids and quotes change when all files are written."""
    project.configure(SERVER, hooks=[str(HOOKS / "late_changes.py")])
    project.run()
    assert widget_attributes(project.html("zebras/index.html"))["server"] == SERVER["server_url"]
    anchors = {anchor.anchor for anchor in project.manifest.anchors("zebras/")}
    assert "late-stripes" in anchors
    assert "stripes" not in anchors
    assert project.ask("Which colour are the stripes?").sources[0].href == "zebras/#late-stripes"


HIDDEN: dict[str, str | bytes] = {
    "unsearched.md": "---\nsearch:\n  exclude: true\n---\n# Okapis\n\n## Okapi secrets\n\nAn okapi hides.\n",
    "noindex.md": "# Okapis too\n\n## Shy okapis\n\nThis okapi hides better.\n",
    "old/notes.md": "# Old okapis\n\n## Okapi notes\n\nOkapis of last year.\n",
    "draft.md": "# Okapi draft\n\n## Okapi plans\n\nOkapis of next year.\n",
    "raw.html": "<!doctype html><title>Raw</title><h1 id=raw-top>Raw</h1><p>A page that MkDocs only copies: giraffes.</p>",
    "latin.html": "<!doctype html><title>Größe</title><h1 id=size>Größe</h1><p>Höhe der Giraffen.</p>".encode(
        "latin-1"
    ),
}


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, str]:
    """A project with hidden, copied and badly encoded pages; and what its build said."""
    project = make(tmp_path_factory.mktemp("mixed"), HIDDEN)
    theme = project.folder / "theme"
    theme.mkdir()
    (theme / "main.html").write_text(
        '{% extends "base.html" %}{% block extrahead %}'
        '{% if page.url == "noindex/" %}<meta name="robots" content="noindex">{% endif %}{% endblock %}'
    )
    project.configure(
        {"exclude": ["old/*"], "server_url": "/_trueref", "exports": list(EXPORTS)},
        site_url="https://docs.example.org/",
        theme={"name": "mkdocs", "custom_dir": "theme"},
        draft_docs="draft.md",
    )
    return project, project.run()


def test_hidden_pages_are_never_found_and_links_to_them_are_valid(mixed: tuple[Project, str]) -> None:
    project, _ = mixed
    reasons = {page.page: page.hidden_by for page in project.manifest.pages() if page.hidden}
    assert reasons == {
        "unsearched/": "search exclusion",
        "noindex/": "noindex",
        "old/notes/": "option",
        "404.html": "error page",
    }
    for link in ("unsearched/#okapi-secrets", "noindex/#shy-okapis", "old/notes/#okapi-notes"):
        assert resolve(project.manifest, link).status == "exact"
    for question in ("okapi secrets", "Where does an okapi hide?", "okapis of last year", "notes"):
        answer = project.ask(question)
        assert not {source.page for source in answer.sources} & reasons.keys()


def test_drafts_are_not_built(mixed: tuple[Project, str]) -> None:
    project, _ = mixed
    assert not (project.site / "draft").exists()
    assert project.manifest.page("draft/") is None


def test_hidden_pages_are_in_no_export(mixed: tuple[Project, str]) -> None:
    project, _ = mixed
    texts = {name: project.html(name) for name in ("llms.txt", "llms-full.txt", "assets/trueref/urls.txt")}
    published = Manifest.load(project.site / "assets/trueref/manifest.json")
    inventory = "\n".join(read_lines((project.site / "trueref.inv").read_bytes(), "x"))
    for text in (*texts.values(), inventory):
        assert "zebras" in text
        assert "raw.html" in text
        assert not re.search("(?i)okapi|unsearched|noindex|404", text)
    assert {page.page for page in project.manifest.pages()} - {page.page for page in published.pages()} == {
        "unsearched/", "noindex/", "old/notes/", "404.html",
    }  # fmt: skip
    assert published.page("zebras/") == project.manifest.page("zebras/")
    assert published.page("zebras/").source_path == "zebras.md"  # type: ignore[union-attr]
    assert "The stripes of a zebra are black and white." in project.html("zebras/index.html.md")
    assert not (project.site / "noindex/index.html.md").exists()


def test_pages_that_are_only_copied_are_read(mixed: tuple[Project, str]) -> None:
    project, said = mixed
    assert project.ask("giraffes copied").sources[0].href == "raw.html#raw-top"
    assert resolve(project.manifest, "raw.html#raw-top").status == "exact"
    assert said.count("latin.html is not UTF-8") == 1
    assert "Höhe der Giraffen" in project.ask("Höhe der Giraffen").text
    assert "<trueref-chat" not in project.html("raw.html")


def test_the_page_for_what_is_missing_has_the_widget(mixed: tuple[Project, str]) -> None:
    project, said = mixed
    assert widget_attributes(project.html("404.html"))["base"] == "/"
    assert widget_attributes(project.html("index.html"))["server"] == "/_trueref"
    assert "No server_url" not in said


@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs", "material"])
def test_each_theme_has_the_widget_without_a_warning(project: Project, theme: str) -> None:
    """Without the search plugin, in a folder of the host, with file names as addresses."""
    project.configure(
        SERVER,
        theme={"name": theme},
        plugins=[{"trueref": {"embedder": "lexical"} | SERVER}],
        site_url="https://docs.example.org/animals/",
        use_directory_urls=False,
        strict=True,
    )
    said = project.run()
    assert "WARNING" not in said
    deep, top, missing = (
        widget_attributes(project.html(name)) for name in ("far/away/lions.html", "index.html", "404.html")
    )
    assert (deep["base"], top["base"], missing["base"]) == ("../../", "./", "/animals/")
    assert '<script type="module" src="../../assets/trueref/trueref.js">' in project.html("far/away/lions.html")
    answer = project.ask("When does the mane of a lion grow darker?")
    assert answer.sources[0].href == "far/away/lions.html#manes"
    assert answer.sources[0].url == "https://docs.example.org/animals/far/away/lions.html#manes"
    assert answer.text.startswith("The mane of a lion grows darker with age. [1]")


def test_without_an_address_links_are_relative(project: Project) -> None:
    project.run()
    (source, *_) = project.ask("When does the mane of a lion grow darker?").sources
    assert (source.href, source.url) == ("far/away/lions/#manes", None)


def test_options_of_the_widget_are_attributes_on_every_page(project: Project) -> None:
    words = {"label": 'Ask "us" & <them>', "shortcut": "", "position": "left", "accent": "#123456"}
    project.configure(SERVER | {"widget": words}, theme={"name": "material", "language": "de"})
    project.run()
    written = widget_attributes(project.html("index.html"))
    assert written["label"] == "Ask &quot;us&quot; &amp; &lt;them&gt;"
    assert {name: written[name] for name in ("lang", "shortcut", "position", "accent")} == {
        "lang": "de",
        "shortcut": "",
        "position": "left",
        "accent": "#123456",
    }


def test_an_export_that_somebody_else_made_stays(project: Project) -> None:
    project.write({"llms.txt": "by hand"})
    project.configure({"exports": ["llms"]})
    said = project.run("--strict")
    assert project.html("llms.txt") == "by hand"
    assert said.count("llms.txt is left as it is: something else put it into the site.") == 1
    assert "lions sleep a lot" in project.html("llms-full.txt").lower()
    assert not (project.site / "trueref.inv").exists()


def test_pdfs_of_the_docs_and_of_folders_beside_them_are_indexed(project: Project) -> None:
    (project.folder / "manuals").mkdir()
    write_pdf(project.folder / "manuals/zebra.pdf", [["A zebra has stripes."]], title="Zebra manual")
    write_pdf(project.folder / "docs/lion.pdf", [["A lion has a mane."], ["It roars."]], title="Lion manual")
    project.write({"index.md": "# Animals\n\nSee [page two](lion.pdf#page=2).\n"})
    project.configure({"embedder": "lexical", "pdf": ["manuals"], "strict": True})
    said = project.run("--strict")
    assert "WARNING" not in said
    found = [(page.title, page.file) for page in project.manifest.pages() if page.kind == "pdf"]
    assert found == [("Zebra manual", "manuals/zebra.pdf"), ("Lion manual", "lion.pdf")]
    assert resolve(project.manifest, "lion.pdf#page=2").status == "exact"
    assert "zebra.pdf" not in project.html("assets/trueref/manifest.json")


def test_without_exports_none_is_written(project: Project) -> None:
    project.configure({"exports": [], "server_url": "/_trueref"})
    assert "urls.txt" not in project.run()
    assert sorted(path.name for path in (project.site / "assets/trueref").iterdir() if path.suffix == ".json") == [
        "build.json"
    ]


def test_a_warning_fails_a_strict_build(project: Project) -> None:
    project.write({"latin.html": "<title>x</title><p>Größe".encode("latin-1")})
    assert "latin.html is not UTF-8" in project.run("--strict", code=1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"index": "docs/.trueref"}, "lies inside the docs folder"),
        ({"index": "docs"}, "lies inside the docs folder"),
        ({"index": "site/.trueref"}, "lies inside the site folder"),
        ({"index": "site"}, "lies inside the site folder"),
        ({"index": "."}, "holds the site folder"),
        ({"index": "s3://bucket/index"}, "s3://bucket/index"),
        ({"content_selector": "main["}, "content selector 'main['"),
        ({"server_url": "ask.example.org"}, "server_url 'ask.example.org'"),
        ({"server_url": "javascript:alert(1)"}, "server_url 'javascript:alert(1)'"),
        ({"server_url": "//ask.example.org/x"}, "server_url '//ask.example.org/x'"),
        ({"server_url": "http://[broken"}, "server_url 'http://[broken'"),
        ({"embedder": "no/such-model"}, "no/such-model"),
        ({"exclude": "changelog/*"}, "exclude"),
        ({"kinds": {"zebras/": {"weight": 2}}}, "The weight 2 of the pages 'zebras/' is not a number from -1 to 1."),
        ({"version": 1.0}, "version"),
        ({"embedder": "bundle"}, "There is no embedder 'bundle'"),
        ({"widget": {"position": "top"}}, "position"),
        ({"exports": ["sitemap"]}, "'manifest', 'urls', 'inventory', 'llms', 'markdown'"),
        ({"exports": "llms"}, "exports"),
        ({"widget": {"shortcut": "ctrl+k"}}, "one letter"),
        ({"widget": {"words": {"send": 3}}}, "words"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_line(project: Project, options: dict[str, Any], message: str) -> None:
    project.configure(options)
    said = project.run("--quiet", code=1)
    assert "Traceback" not in said
    assert len([line for line in said.splitlines() if message in line]) == 1, said
    assert not project.index.exists() or options.get("embedder")


def test_everything_that_cannot_be_used_is_said_at_once(project: Project) -> None:
    wrong = {"index": "site/.trueref", "server_url": "ask.example.org", "content_selector": "main["}
    project.configure(wrong, site_url="https://docs.example.org/?draft")
    said = project.run("--quiet", code=1)
    assert "Traceback" not in said
    for message in (
        "The base URL 'https://docs.example.org/?draft' is not an address",
        "lies inside the site folder",
        "The content selector 'main[' is not a CSS selector",
        "The server_url 'ask.example.org' is not an address",
    ):
        assert len([line for line in said.splitlines() if message in line]) == 1, said


def test_kinds_and_weights_that_are_configured_are_those_of_the_pages(project: Project) -> None:
    given = {"zebras/": "example", "far/*": {"kind": "reference", "weight": 0.2}, "*/": {"weight": -0.05}}
    project.configure({"kinds": given})
    assert "Index published" in project.run()
    found = {page.page: (page.kind, page.weight) for page in project.manifest.pages() if not page.hidden}
    assert found == {
        "": ("landing", 0.0),
        "zebras/": ("example", -0.05),
        "far/away/lions/": ("reference", 0.15),
    }
    published = Manifest.load(project.site / "assets/trueref/manifest.json")
    assert published.page("far/away/lions/") == project.manifest.page("far/away/lions/")
    assert "Index unchanged" in project.run()


def test_a_site_url_that_is_no_address_stops_the_build_in_one_line(project: Project) -> None:
    project.configure(site_url="docs.example.org")
    said = project.run("--quiet", code=1)
    assert "Traceback" not in said
    assert "site_url" in said


def test_a_site_without_a_page_is_indexed_and_answers_nothing(tmp_path: Path) -> None:
    """MkDocs itself writes 404.html, which is no page of the docs."""
    project = Project(tmp_path)
    (tmp_path / "docs").mkdir()
    project.configure()
    assert "Index published" in project.run()
    assert project.ask("Is there anything?").verdict == "not-found"


@pytest.mark.long
def test_a_version_is_a_site_of_its_own(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """As mike builds them, with the version in a variable; each replaces its own site and no other."""
    for version in ("1.10", "2.0", "1.10"):
        monkeypatch.setenv("MIKE_DOCS_VERSION", version)
        project.configure({"name": "docs-{version}"}, site_url=f"https://docs.example.org/{version}/")
        said = project.run()
    monkeypatch.delenv("MIKE_DOCS_VERSION")
    assert "Index unchanged" in said
    assert json.loads(project.html("assets/trueref/build.json")) == {"generation": ""}
    exported = Manifest.load(project.site / "assets/trueref/manifest.json")
    assert [site.name for site in exported.sites] == ["docs-1.10"]
    project.configure({"name": "docs-{version}"}, site_url="https://docs.example.org/")
    project.run()
    found = {site.name: (site.version, site.base_url) for site in read_generation(project.index).sites}
    assert found == {
        "docs-1.10": ("1.10", "https://docs.example.org/1.10/"),
        "docs-2.0": ("2.0", "https://docs.example.org/2.0/"),
        "docs-next": ("", "https://docs.example.org/"),
    }


def test_a_new_site_name_leaves_no_old_site_behind(project: Project) -> None:
    project.configure(site_name="Animals", site_url="https://docs.example.org/")
    project.run()
    project.configure(site_name="Beasts", site_url="https://docs.example.org/")
    assert "The index held the site 'Animals'; it is replaced by 'Beasts'. Give a name to have both." in project.run()
    assert [site.name for site in read_generation(project.index).sites] == ["Beasts"]
