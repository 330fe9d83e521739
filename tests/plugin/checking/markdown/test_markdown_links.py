"""Links of Markdown: which there are, where they stand, which do not land, and what is written instead."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.plugin.checking.planted import LINKS, LOOK_ALIKES, planted
from tests.plugin.checking.sites import BASE, EXTENSIONS, write_files
from tests.server.handmade import publish_demo

from trueref_core.errors import IndexFault, IndexMissing, OptionError
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Anchor, Page, Site
from trueref_plugin.checking.check import check
from trueref_plugin.checking.findings import CheckReport
from trueref_plugin.checking.report import FORMATS, written

DOCS = {
    "index.md": "# Zoo\n",
    "animals/index.md": "# Animals\n\n## All animals\n",
    "animals/lion.md": "# Lion\n\n## Mane of a lion\n",
    "animals/zebra.md": "# Zebra\n\n## Stripes\n",
    "img/zebra.png": "",
    "feed.xml": "",
}
SITE = Site("zoo", BASE)
PAGES = [
    ("", "index.md", ["zoo"]),
    ("animals/", "animals/index.md", ["animals", "all-animals"]),
    ("animals/lion/", "animals/lion.md", ["lion", "mane-of-a-lion"]),
    ("animals/zebra/", "animals/zebra.md", ["zebra", "stripes"]),
    ("generated/", "generated.md", ["made"]),
    ("planted/", "planted.md", ["planted"]),
]


def manifest() -> Manifest:
    pages = [Page("zoo", page, f"{page}index.html", page, source_path=source) for page, source, _ in PAGES]
    anchors = [
        Anchor("zoo", page, anchor, "heading", 2, position=at)
        for page, _, names in PAGES
        for at, anchor in enumerate(names)
    ]
    return Manifest("g", [SITE], pages, anchors)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The folder of a project, with the manifest of its site."""
    (tmp_path / "mkdocs.yml").write_text(json.dumps({"site_name": "Zoo", "markdown_extensions": EXTENSIONS}))
    (tmp_path / "manifest.json").write_bytes(manifest().encode())
    write_files(tmp_path / "docs", DOCS)
    return tmp_path


def run(project: Path, text: str | bytes, name: str = "planted.md", **options: Any) -> CheckReport:
    write_files(project / "docs", {name: text})
    return check([project / "docs" / name], manifests=[str(project / "manifest.json")], **options)


def found(project: Path, text: str, name: str = "planted.md") -> list[tuple[str, str]]:
    return [(finding.kind, finding.link) for finding in run(project, text, name).findings]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_every_planted_broken_link_is_found_and_no_look_alike(project: Path, newline: str, mark: str) -> None:
    page = planted()
    assert len(page.broken) == 30
    report = run(project, (mark + page.text.replace("\n", newline)).encode())
    assert [(finding.location.line, finding.link) for finding in report.findings] == page.broken
    lines = page.text.split("\n")
    assert all(lines[f.location.line - 1][f.location.column - 1 :].startswith(f.link) for f in report.findings)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_run_that_corrects_leaves_nothing_to_a_second(project: Path, newline: str, mark: str) -> None:
    page = planted(seed=2)
    report = run(project, (mark + page.text.replace("\n", newline)).encode(), fix=True)
    assert (len(report.fixed), report.findings) == (30, ())
    written = (project / "docs/planted.md").read_bytes()
    assert written == (mark + page.corrected.replace("\n", newline)).encode()
    again = run(project, written, fix=True)
    assert (again.fixed, again.findings) == ((), ())
    assert (project / "docs/planted.md").read_bytes() == written


@pytest.mark.parametrize("form", LINKS)
def test_a_broken_link_is_found_in_every_form_of_writing_it(project: Path, form: str) -> None:
    text = form.replace("@", "animals/gone.md#x").replace("%", f"{BASE}gone/#x").replace("f#", "f1").replace("e#", "e1")
    (finding,) = run(project, f"# Page\n\n{text}\n").findings
    assert finding.link in ("animals/gone.md#x", f"{BASE}gone/#x")


@pytest.mark.parametrize("form", LOOK_ALIKES)
def test_text_that_only_looks_like_a_link_is_no_finding(project: Path, form: str) -> None:
    text = form.replace("@", "animals/gone.md#x").replace("x#", "x1").replace("unused#", "unused1")
    assert found(project, f"# Page\n\n{text}\n") == []


@pytest.mark.parametrize(
    ("name", "link", "kind"),
    [
        ("animals/zebra.md", "lion.md", None),
        ("animals/zebra.md", "lion.md#mane-of-a-lion", None),
        ("animals/zebra.md", "../animals/lion.md#lion", None),
        ("animals/zebra.md", "../lion/#lion", None),
        ("animals/zebra.md", "#stripes", None),
        ("animals/zebra.md", "index.md#all-animals", None),
        ("animals/zebra.md", "../index.md", None),
        ("animals/zebra.md", "../generated.md#made", None),
        ("animals/zebra.md", "../img/zebra.png", None),
        ("animals/zebra.md", "../feed.xml", None),
        ("animals/zebra.md", "mailto:x@example.org", None),
        ("animals/zebra.md", "https://elsewhere.org/gone/", None),
        ("animals/zebra.md", "{{ config.repo_url }}/gone", None),
        ("animals/zebra.md", "lion.md#paws", "missing-anchor"),
        ("animals/zebra.md", "lion/#lion", "missing-page"),
        ("animals/zebra.md", "tiger.md", "missing-page"),
        ("animals/zebra.md", "#spots", "missing-anchor"),
        ("animals/zebra.md", "../img/tiger.png", "missing-file"),
        ("animals/zebra.md", "../generated.md#gone", "missing-anchor"),
        ("animals/zebra.md", f"{BASE}tiger/", "missing-page"),
        ("animals/zebra.md", f"{BASE}releases/v1.3/", "missing-page"),
        ("animals/zebra.md", "/docs/releases/v1.3", "missing-page"),
        ("animals/zebra.md", "../../reference/zoo.client/", "missing-page"),
        ("animals/zebra.md", "../zoo-1.3.zip", "missing-file"),
        ("animals/zebra.md", f"{BASE}animals/lion/#paws", "missing-anchor"),
        # a page that the manifest does not know yet
        ("animals/new.md", "lion.md#mane-of-a-lion", None),
        ("animals/new.md", "#a-new-page", None),
        ("animals/new.md", "#gone", "missing-anchor"),
        ("animals/new.md", "../lion/", None),
        ("animals/new.md", "tiger.md", "missing-page"),
    ],
)  # fmt: skip
def test_a_link_of_a_source_counts_from_its_file(project: Path, name: str, link: str, kind: str | None) -> None:
    text = f"# A new page\n\n## Stripes\n\n[x]({link})\n"
    assert found(project, text, name) == ([] if kind is None else [(kind, link)])


def test_a_file_that_a_plugin_made_stands_in_the_site(project: Path) -> None:
    link = "[schema](../../made/schema.json)"
    assert found(project, link, "animals/more/planted.md") == [("missing-file", "../../made/schema.json")]
    write_files(project / "site", {"made/schema.json": "{}"})
    assert found(project, link, "animals/more/planted.md") == []


def test_images_that_are_not_there_are_found(project: Path) -> None:
    text = '![a](img/zebra.png) ![b](img/gone.png "t")\n\n<img src="../img/zebra.png">\n\n<img src="img/gone.svg">\n'
    assert found(project, text) == [("missing-file", "img/gone.png"), ("missing-file", "img/gone.svg")]


def test_a_heading_written_since_the_build_counts(project: Path) -> None:
    write_files(project / "docs", {"animals/lion.md": "# Lion\n\n## Mane of a lion\n\n## Paws\n"})
    assert found(project, "[x](animals/lion.md#paws) [y](animals/lion.md#ears)\n") == [
        ("missing-anchor", "animals/lion.md#ears")
    ]


def test_a_file_outside_the_sources_is_checked_for_what_is_beside_it(project: Path) -> None:
    text = f"[a](docs/index.md#anything) [b](docs/gone.md) [c](#here) [d]({BASE}gone/) ![e](docs/img/gone.png)\n"
    (project / "README.md").write_text(text)
    report = check([project / "README.md"], manifests=[str(project / "manifest.json")])
    assert [(finding.kind, finding.link) for finding in report.findings] == [
        ("missing-page", "docs/gone.md"),
        ("missing-page", f"{BASE}gone/"),
        ("missing-file", "docs/img/gone.png"),
    ]


def test_a_folder_stands_for_its_files_without_the_hidden_ones(project: Path) -> None:
    write_files(
        project / "docs",
        {
            "a.md": "[x](gone.md)",
            "animals/b.md": "[x](gone.md)",
            ".hidden/c.md": "[x](gone.md)",
            ".d.md": "[x](gone.md)",
        },
    )
    report = check([project / "docs"], manifests=[str(project / "manifest.json")])
    assert [Path(finding.location.file).name for finding in report.findings] == ["a.md", "b.md"]


def test_sources_without_a_configuration_are_known_by_the_pages_made_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "manifest.json").write_bytes(manifest().encode())
    write_files(tmp_path / "src", {"animals/zebra.md": "[x](lion.md#lion) [y](tiger.md)\n", "animals/lion.md": ""})
    report = check([tmp_path / "src/animals/zebra.md"], manifests=[str(tmp_path / "manifest.json")])
    assert [finding.link for finding in report.findings] == ["tiger.md"]


def test_a_readme_beside_the_index_of_a_site_is_no_page_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a generator has no configuration that is known, as in a Sphinx project."""
    monkeypatch.chdir(tmp_path)
    publish_demo(tmp_path / ".trueref")
    text = "# Zoo\n\n[x](#by-host) [y](docs/) [z](gone.md) [w](docs/a.rst)\n"
    write_files(tmp_path, {"README.md": text, "docs/a.rst": ""})
    report = check([tmp_path / "README.md"])
    assert [(finding.kind, finding.link) for finding in report.findings] == [("missing-page", "gone.md")]


def test_pages_that_no_build_told_of_are_known_by_their_names(project: Path) -> None:
    """A manifest of `trueref index SITE`: the address in mkdocs.yml says which site it is."""
    known = manifest()
    pages = [replace(page, source_path="") for page in known.pages()]
    anchors = [anchor for page in pages for anchor in known.anchors(page.page)]
    (project / "manifest.json").write_bytes(Manifest("g", [SITE], pages, anchors).encode())
    text = "[x](animals/lion.md#paws) [y](animals/lion.md#mane-of-a-lion) [z](index.md#gone)\n"
    config = {"markdown_extensions": EXTENSIONS, "site_url": BASE.rstrip("/")}
    report = run(project, text)
    assert (report.findings, len(report.notes)) == ((), 1)
    (project / "mkdocs.yml").write_text(json.dumps(config))
    assert found(project, text) == [("missing-anchor", "animals/lion.md#paws"), ("missing-anchor", "index.md#gone")]


def test_a_check_that_cannot_work_says_why(project: Path) -> None:
    with pytest.raises(IndexMissing, match=r"Build one with `mkdocs build`"):
        check([project / "docs/index.md"])
    with pytest.raises(OptionError, match="does not exist"):
        check([project / "gone.md"])
    (project / "mkdocs.yml").write_text("markdown_extensions: [no.such.extension]")
    with pytest.raises(OptionError, match=r"no\.such\.extension"):
        run(project, "x")
    for text in ("docs_dir: [\n", "5", "[docs_dir]", "INHERIT: 5"):
        (project / "mkdocs.yml").write_text(text)
        with pytest.raises(OptionError, match="is no configuration of MkDocs"):
            run(project, "x")


def test_a_page_that_an_extension_refuses_is_named(project: Path) -> None:
    extensions = [*EXTENSIONS, {"pymdownx.snippets": {"check_paths": True}}]
    (project / "mkdocs.yml").write_text(json.dumps({"markdown_extensions": extensions}))
    write_files(project / "docs", {"planted.md": '--8<-- "gone.txt"\n', "z.md": "[x](gone.md) [y](planted.md#z)"})
    report = check([project / "docs"], manifests=[str(project / "manifest.json")])
    assert [re.search(r"planted\.md cannot be rendered .*gone\.txt", said) is not None for said in report.unread] == [
        True
    ]
    assert [finding.link for finding in report.findings] == ["gone.md"]


def test_snippets_count_from_the_folder_of_the_configuration(project: Path) -> None:
    (project / "parts").mkdir()
    (project / "parts/note.txt").write_text("```\n")
    text = '--8<-- "parts/note.txt"\n[x](gone.md)\n```\n\n[y](gone.md)\n'
    assert [finding.location.line for finding in run(project, text).findings] == [5]


def test_a_correction_leaves_bytes_that_are_not_utf_8(project: Path) -> None:
    text = b"caf\xe9 [x](animals/lion.md#mane_of_a_lion) \xff\xfe\n"
    report = run(project, text, fix=True)
    assert len(report.fixed) == 1
    assert (project / "docs/planted.md").read_bytes() == text.replace(b"mane_of_a_lion", b"mane-of-a-lion")


def test_a_file_that_is_named_twice_is_told_and_corrected_once(project: Path) -> None:
    file = project / "docs/planted.md"
    file.write_text("[x](animals/lion.md#mane_of_a_lion) [y](gone.md)\n")
    (project / "docs/linked.md").symlink_to(file)
    paths, options = [project / "docs", file, file], {"manifests": [str(project / "manifest.json")]}
    assert len(check(paths, **options).findings) == 2  # type: ignore[arg-type] # one option of several types
    report = check(paths, fix=True, **options)  # type: ignore[arg-type] # as above
    assert (len(report.fixed), len(report.findings)) == (1, 1)
    assert file.read_text() == "[x](animals/lion.md#mane-of-a-lion) [y](gone.md)\n"


@pytest.mark.parametrize("base_url", [BASE, "https://example.org/", None])
@pytest.mark.parametrize(
    ("link", "kind"),
    [
        ("../README.md", "missing-page"),
        ("../lion.md#lion", "missing-page"),
        ("../LICENSE", "missing-page"),
        ("../img/zebra.png", "missing-file"),
        ("../../README.md", "missing-page"),
    ],
)
def test_a_link_out_of_the_sources_is_never_corrected(
    project: Path, link: str, kind: str, base_url: str | None
) -> None:
    known = manifest()
    anchors = [anchor for page in known.pages() for anchor in known.anchors(page.page)]
    (project / "manifest.json").write_bytes(Manifest("g", [Site("zoo", base_url)], known.pages(), anchors).encode())
    write_files(project, {"README.md": "", "lion.md": "", "LICENSE": "", "img/zebra.png": "png"})
    (finding,) = run(project, f"[x]({link})", "index.md", fix=True).findings
    assert (finding.kind, finding.correction) == (kind, None)
    assert "leads out of the folder of the sources" in finding.message


@pytest.mark.parametrize("link", ["../../lion/", "../../animals/lion/#lion", "../../../blog/"])
def test_the_address_of_a_page_may_climb_further_than_its_source(project: Path, link: str) -> None:
    text = f"[x]({link})"
    assert found(project, text, "animals/zebra.md") == ([("missing-page", link)] if link == "../../lion/" else [])


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ('<a href="lion.md#lion">x</a>', ["lion.md#lion"]),
        ('<a href="../lion.md">x</a>', ["../lion.md"]),
        ('<a href="../lion/#lion">x</a>', []),
        ('<img src="../../img/zebra.png">', []),
        ('<img src="../img/zebra.png">', ["../img/zebra.png"]),
        ("![x](../img/zebra.png)", []),
        ('[x](lion.md#lion) <a href="lion.md#lion">x</a>', ["lion.md#lion"]),
    ],
)
def test_links_in_html_count_from_the_page_and_not_from_its_source(project: Path, text: str, broken: list[str]) -> None:
    assert [link for _, link in found(project, text, "animals/zebra.md")] == broken


def test_a_folder_of_sources_without_a_home_page_is_checked(project: Path) -> None:
    write_files(project / "docs", {"animals/more/a.md": "[x](gone.md)"})
    (project / "docs/index.md").unlink()
    report = check([project / "docs"], manifests=[str(project / "manifest.json")])
    assert [finding.link for finding in report.findings] == ["gone.md"]


def test_links_in_upper_case_html_are_checked(project: Path) -> None:
    assert found(project, 'Some <A HREF="gone.html">x</A>.') == [("missing-page", "gone.html")]


def test_links_of_any_text_file_are_counted_without_templates(project: Path) -> None:
    (project / "a.py").write_text(f'"{BASE}gone/" "{BASE}animals/" "{BASE}{{page}}/" "{BASE}$page"')
    report = check([project / "a.py"], manifests=[str(project / "manifest.json")])
    assert ([finding.link for finding in report.findings], report.checked) == ([f"{BASE}gone/"], 2)


@pytest.mark.skipif(os.name == "nt", reason="names are Unicode there")
def test_names_that_are_not_utf_8_are_written_in_every_format(project: Path) -> None:
    report = run(project, "[x](gone.md)", os.fsdecode(b"caf\xe9.md"))
    assert [finding.link for finding in report.findings] == ["gone.md"]
    for form in FORMATS:
        text = written(report, form).encode().decode()
        assert "caf%E9" in text if form == "sarif" else "udce9" in text
        assert form in ("text", "github") or json.loads(text)


def test_text_finds_the_index_beside_the_configuration(project: Path) -> None:
    """As Markdown does, wherever the check is run."""
    (project / "docs/a.txt").write_text("x")
    (project / ".trueref").mkdir()
    (project / ".trueref/current.json").write_text("{")
    with pytest.raises(IndexFault, match=r"\.trueref"):
        check([project / "docs/a.txt"])
