"""Which links of a built site are findings: a table of cases, each on a page of a small site."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plugin.checking.sites import BASE, canonical, link, page, run, verdicts, write_files, zoo

from trueref_core.errors import SiteError
from trueref_core.links.resolve import ResolveContext
from trueref_core.links.target_lookup import look_up_link
from trueref_plugin.checking.check import check
from trueref_plugin.checking.site.broken_links import SiteLinks
from trueref_plugin.checking.site.built_site import walk_site
from trueref_plugin.reading.guarding import guard

LANDS = [
    # addresses of pages
    "../lion/",
    "../lion",
    "../lion/index.html",
    "../",
    "..",
    "../..",
    "./",
    ".",
    "",
    "#",
    "?plain=1",
    "../../flat.html",
    "../../flat",
    "/docs/animals/lion/",
    "//example.org/docs/animals/lion/",
    f"{BASE}animals/lion/",
    "http://example.org/docs/animals/lion/",
    " ../lion/ ",
    "..\\lion\\",
    "../l\nion/",
    # places
    "#stripes",
    "#top",
    "#Top",
    "#:~:text=Stripes",
    "../lion/#mane-of-a-lion",
    "../lion/#Gr%C3%B6%C3%9Fe",
    "../lion/#Größe",
    "../lion/#old-name",
    "../lion/#a%20b",
    "../lion/#a%2520b",
    "../lion/?a=b#mane-of-a-lion",
    f"{BASE}animals/lion/#mane-of-a-lion",
    "../../flat.html#term",
    # through a redirect
    "../../old/",
    "../../old/#mane-of-a-lion",
    "../../chat/#room",
    # files
    "../../assets/zebra.png",
    "../../assets/with%20space.png",
    "../../assets/zebra.png?v=2#part",
    f"{BASE}assets/app.js",
    # what this site does not know
    "https://elsewhere.org/gone/#at-all",
    "/other-site/",
    "../../../blog/",
    "//elsewhere.org/",
    "https://example.org/",
    "https://[broken",
    # other schemes
    "mailto:zebra@example.org",
    "javascript:void(0)",
    "tel:+123",
    "data:text/plain,x",
    "vscode://file/x",
]

BROKEN = [
    ("missing-page", "../tiger/"),
    ("missing-page", "../tiger"),
    ("missing-page", "../tiger.html"),
    ("missing-page", "../Lion/"),
    ("missing-page", "lion/"),
    ("missing-page", "../lion.md"),
    ("missing-page", f"{BASE}tiger/"),
    ("missing-page", "/docs/tiger/#x"),
    ("missing-page", "../../assets/"),
    ("missing-page", "../../404/"),
    ("missing-anchor", "#spots"),
    ("missing-anchor", "#Stripes"),
    ("missing-anchor", "../lion/#stripes"),
    ("missing-anchor", "../lion/#mane_of_a_lion"),
    ("missing-anchor", "../lion/#a b c"),
    ("missing-anchor", "../lion/#Gr%F6%DFe"),
    ("missing-anchor", "../lion/#Gro\u0308\u00dfe"),
    ("missing-anchor", "../../old/#paws"),
    ("missing-anchor", "../../flat#terms"),
    ("missing-anchor", f"{BASE}animals/lion/#paws"),
    ("missing-file", "../../assets/lion.png"),
    ("missing-file", "../../assets/ZEBRA.png"),
    ("missing-file", "../../assets/with+space.png"),
    ("missing-file", f"{BASE}feed.xml"),
]


@pytest.mark.parametrize("target", LANDS)
def test_a_link_that_lands_is_no_finding(tmp_path: Path, target: str) -> None:
    assert run(zoo(tmp_path, f'{link(target)}<img src="../../assets/zebra.png">')) == ()


@pytest.mark.parametrize(("kind", "target"), BROKEN)
def test_a_link_that_does_not_land_is_a_finding_of_its_kind(tmp_path: Path, kind: str, target: str) -> None:
    (finding,) = run(zoo(tmp_path, f'{link(target)}<img src="../../assets/zebra.png">'))
    assert (finding.kind, finding.link, finding.page) == (kind, target, "animals/zebra/")
    assert finding.location.file.endswith("animals/zebra/index.html")
    assert finding.location.line == 1


@pytest.mark.parametrize(
    "element",
    [
        '<img src="{}">',
        '<script src="{}"></script>',
        '<video src="{}"></video>',
        '<iframe src="{}"></iframe>',
        '<object data="{}"></object>',
        '<picture><source src="{}"></picture>',
        '<link rel="stylesheet" href="{}">',
        '<link rel="shortcut icon" href="{}">',
    ],
)
def test_a_file_that_a_page_loads_and_that_is_missing_is_a_finding(tmp_path: Path, element: str) -> None:
    body = "".join(
        map(element.format, ("../../assets/zebra.png", "../../assets/gone.png", "https://cdn.example.com/x"))
    )
    report = check([zoo(tmp_path, body)])
    assert verdicts(report) == [("missing-file", "../../assets/gone.png")]
    assert "There is no file `assets/gone.png`." in report.findings[0].message


@pytest.mark.parametrize(
    "element",
    [
        "<a>x</a>",
        "<a href>x</a>",
        '<a name="x">x</a>',
        '<!-- <a href="gone/">x</a> -->',
        '<template><a href="gone/">x</a></template>',
        "<script>document.write('<a href=\"gone/\">x</a>')</script>",
        "<textarea><a href='gone/'>x</a></textarea>",
        '<link rel="canonical" href="gone/"><link rel="alternate" href="gone/">',
        '<span data-href="gone/">x</span>',
        '<img src="data:image/png;base64,xx">',
        '<form action="gone/"></form>',
    ],
)
def test_elements_that_are_no_link_are_not_checked(tmp_path: Path, element: str) -> None:
    assert run(zoo(tmp_path, element)) == ()


def test_areas_and_redirects_are_links(tmp_path: Path) -> None:
    body = '<map><area href="../tiger/"></map>'
    stub = page("", '<meta http-equiv="Refresh" content="3;URL=\'../animals/gone/\'">')
    report = check([zoo(tmp_path, body, files={"moved/index.html": stub})])
    assert verdicts(report) == [("missing-page", "../tiger/"), ("missing-page", "../animals/gone/")]


@pytest.mark.parametrize(
    ("base", "target", "kind"),
    [
        ("/docs/animals/", "lion/", None),
        ("/docs/animals/", "lion/#paws", "missing-anchor"),
        ("/docs/animals/", "../lion/", "missing-page"),
        ("/docs/animals/", "#all-animals", None),
        ("/docs/animals/", "#stripes", "missing-anchor"),
        ("../../", "animals/lion/", None),
        ("https://elsewhere.org/", "gone/", None),
        ("https://elsewhere.org/", f"{BASE}gone/", "missing-page"),
    ],
)
def test_links_count_from_the_base_that_a_page_names(tmp_path: Path, base: str, target: str, kind: str | None) -> None:
    found = run(zoo(tmp_path, link(target), f'<base href="{base}">'))
    assert [finding.kind for finding in found] == ([kind] if kind else [])


def test_links_that_count_from_another_host_are_told_as_not_checked(tmp_path: Path) -> None:
    """They were neither checked nor counted, so that all links of such a page seemed to land."""
    body = link("gone/") + link("#gone") + '<img src="gone.png">'
    skipped = [
        check([zoo(tmp_path / name, body, head)]).skipped.get("other-site", 0)
        for name, head in (("here", ""), ("there", '<base href="https://elsewhere.org/">'))
    ]
    assert skipped[1] - skipped[0] >= 3


def test_links_of_the_error_page_count_from_the_path_of_the_site(tmp_path: Path) -> None:
    body = "".join(map(link, ("/docs/animals/lion/", "/docs/animals/tiger/", "/animals/lion/")))
    report = check([zoo(tmp_path, files={"404.html": page(body)})])
    assert verdicts(report) == [("missing-page", "/docs/animals/tiger/")]


def test_without_a_base_url_paths_count_from_the_folder(tmp_path: Path) -> None:
    files = {
        "index.html": page(link("/a/") + link("/b/") + link("https://example.org/docs/b/")),
        "a/index.html": page(""),
    }
    report = check([write_files(tmp_path, files)])
    assert verdicts(report) == [("missing-page", "/b/")]
    checked = check([tmp_path], base_url="https://example.org/docs")
    assert verdicts(checked) == [("missing-page", "https://example.org/docs/b/")]


def test_every_place_where_a_link_stands_is_told(tmp_path: Path) -> None:
    body = "\n<p>\n  <a class='x'\n   href=../tiger/>1</a> <a href='../tiger/'>2</a>\n<!-- <a href='../tiger/'> -->\n<A HREF=\"../tiger/\">3</A>"
    found = run(zoo(tmp_path, body))
    lines = (tmp_path / "animals/zebra/index.html").read_text().split("\n")
    assert [lines[f.location.line - 1][f.location.column - 1 :][:9] for f in found] == ["../tiger/"] * 3
    assert [f.location.line for f in found] == [4, 4, 6]


def test_a_link_of_the_frame_is_without_repetitions(tmp_path: Path) -> None:
    frame = '<nav><a href="{}gone/">x</a></nav>'
    files = {f"p{number}/index.html": page(frame.format("../")) for number in range(6)}
    files["index.html"] = page(frame.format(""))
    (finding,) = run(write_files(tmp_path, files))
    assert (finding.repeated, finding.kind) == (6, "missing-page")
    assert finding.message.endswith("The same link is on 6 other pages.")


def test_a_link_of_the_frame_that_a_text_has_too_is_told_there(tmp_path: Path) -> None:
    frame = '<nav><a href="{}gone/">x</a></nav>'
    pages = {f"p{number}/index.html": page(frame.format("../")) for number in range(6)}
    write_files(tmp_path / "site", {"index.html": page(frame.format("")), **pages})
    texts = {"index.md": "# Home\n", **{f"p{number}.md": "# P\n" for number in range(6)}}
    write_files(tmp_path / "docs", {**texts, "p2.md": "See [it](gone.md).\n", "p3.md": "See [it](../gone/).\n"})
    (tmp_path / "mkdocs.yml").write_text("site_name: P\n")
    findings = [(Path(found.location.file).name, found.link, found.repeated) for found in run(tmp_path / "site")]
    assert findings == [("p2.md", "gone.md", 0), ("p3.md", "../gone/", 0), ("index.html", "gone/", 4)]
    # On every page it is of the texts, and no page is blamed for its frame.
    write_files(tmp_path / "docs", dict.fromkeys(texts, "See [it](gone.md).\n"))
    assert {Path(found.location.file).suffix for found in run(tmp_path / "site")} == {".md"}


def test_the_same_mistake_on_some_pages_is_told_for_each(tmp_path: Path) -> None:
    files = {f"p{number}/index.html": page(link("../gone/") if number < 2 else "") for number in range(6)}
    assert len(run(write_files(tmp_path, files))) == 2


def test_a_copy_without_its_files_is_not_blamed(tmp_path: Path) -> None:
    body = '<img src="../../assets/gone.png"><a href="../../assets/gone.zip">x</a><a href="../tiger/">x</a>'
    report = check([zoo(tmp_path, body)])
    assert verdicts(report) == [("missing-page", "../tiger/")]
    assert [note.endswith("files were not checked.") for note in report.notes] == [True]


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_a_folder_behind_a_symbolic_link_is_part_of_the_site(tmp_path: Path) -> None:
    site = zoo(tmp_path / "site", link("../../latest/animals/") + link("../../latest/gone/"))
    (site / "latest").symlink_to(site)
    assert verdicts(check([site])) == [("missing-page", "../../latest/gone/")]


def test_an_odd_page_is_read_in_the_guarded_child(tmp_path: Path) -> None:
    deep = "<div>" * 300
    files = {"odd/index.html": page(f'{deep}<h2 id="deep">x</h2><a href="../gone/">x</a>')}
    report = check([zoo(tmp_path, link("../../odd/#deep") + link("../../odd/#shallow"), files=files)])
    assert verdicts(report) == [("missing-anchor", "../../odd/#shallow"), ("missing-page", "../gone/")]


@pytest.mark.slow
def test_a_page_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "SECONDS_A_PAGE", 0.1)
    monkeypatch.setattr(guard, "SECONDS_A_MEGABYTE", 0.0)
    files = {"odd/index.html": f"<p {' '.join(f'a{n}' for n in range(50_000))}>"}
    report = check([zoo(tmp_path, link("../../odd/") + link("../../odd/#x"), files=files)])
    assert report.findings == ()
    assert [note.startswith("odd/index.html was left out") for note in report.unread] == [True]


def test_pages_in_another_encoding_are_read_by_it(tmp_path: Path) -> None:
    files = {"latin/index.html": page('<h2 id="Größe">x</h2>').encode("windows-1252")}
    assert run(zoo(tmp_path, link("../../latin/#Gr%C3%B6%C3%9Fe"), files=files)) == ()


def test_two_files_for_one_address_keep_those_of_their_files(tmp_path: Path) -> None:
    files = {"copy/index.html": page('<h2 id="x">x</h2>', canonical("animals/lion/"))}
    report = check([zoo(tmp_path, link("../lion/#mane-of-a-lion") + link("../../copy/#x"), files=files)])
    assert report.findings == ()


def test_a_folder_without_pages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SiteError, match="holds no HTML file"):
        check([tmp_path])


def test_a_finding_says_what_was_meant_and_what_to_write(tmp_path: Path) -> None:
    body = link("../lion/#mane_of_a_lion") + link("lion/") + link("../lion/#nothing-of-the-kind") + link("../lions/")
    body += link("../lions/#manes")
    found = {finding.link: finding for finding in run(zoo(tmp_path, body))}
    assert found["../lion/#mane_of_a_lion"].correction == "../lion/#mane-of-a-lion"
    assert found["lion/"].correction is None
    assert found["lion/"].reference is not None
    assert found["../lion/#nothing-of-the-kind"].correction is None
    assert found["../lions/"].message.endswith("it is spelled `animals/lion/`. The page exists. Write `../lion/`.")
    assert found["../lions/#manes"].message.endswith("The closest is `../lion/`.")


SEGMENT = st.text(st.sampled_from("abl%.é ~:?&"), max_size=4)


@given(
    climb=st.integers(0, 4),
    path=st.lists(st.one_of(SEGMENT, st.sampled_from(["animals", "lion", "", ".", ".."])), max_size=4),
    fragment=st.one_of(st.none(), SEGMENT, st.sampled_from(["mane-of-a-lion", "Größe", "a%20b", "top"])),
)
def test_a_check_agrees_with_the_verdict_of_the_manifest_on_any_link(
    tmp_path_factory: pytest.TempPathFactory, climb: int, path: list[str], fragment: str | None
) -> None:
    """Most links are decided by joining strings: never other than the manifest would."""
    target = "../" * climb + "/".join(path) + ("" if fragment is None else f"#{fragment}")
    walked = walk_site(zoo(tmp_path_factory.getbasetemp() / "agree", link(target)))
    found = {(item.page, item.link): item.kind for item in SiteLinks(walked).broken() if not item.is_file}
    landing = look_up_link(walked.manifest, target, ResolveContext(walked.site.name, "animals/zebra/"))
    kind = found.get(("animals/zebra/", target))
    if landing in ("place", "outside"):
        assert kind is None
    elif landing == "page-top":
        assert kind == "missing-anchor"


def test_links_of_a_template_that_lies_in_the_site_are_not_checked(tmp_path: Path) -> None:
    """Nobody follows them, and what fills them in is not known; an unfilled one on a page is broken."""
    template = '<nav><a href="{{ item.url | url }}">{{ item.title }}</a><img src="{{ logo }}"></nav>'
    site = zoo(tmp_path, '<a href="{{ url }}">x</a>', files={"overrides/nav.html": template})
    assert verdicts(check([site])) == [("missing-page", "{{ url }}")]


@pytest.mark.parametrize(
    ("link", "base_url", "is_noted"),
    [
        ("/docs/gone/", None, True),
        ("/docs/gone/", BASE, False),
        ("gone/", None, False),
        ("/docs/", BASE, False),
    ],
)
def test_a_broken_link_from_the_root_says_what_the_root_is_taken_for(
    tmp_path: Path, link: str, base_url: str | None, is_noted: bool
) -> None:
    site = write_files(tmp_path, {"index.html": page(f'<a href="{link}">x</a>')})
    notes = [note for note in check([site], base_url=base_url).notes if "--base-url" in note]
    assert len(notes) == is_noted


def test_error_pages_may_name_each_other_as_no_page_is_shown(tmp_path: Path) -> None:
    menu = link("/docs/404/") + link("/docs/fr/404/") + link("/docs/de/404/") + link("/docs/405/")
    files = {"index.html": page(link("404/"), canonical("")), "404.html": page(menu), "fr/404.html": page(menu)}
    site = walk_site(write_files(tmp_path, files), BASE)
    found = {(item.page, item.link) for item in SiteLinks(site).broken()}
    wrong = {(name, target) for name in ("404.html", "fr/404.html") for target in ("/docs/de/404/", "/docs/405/")}
    assert found == wrong | {("", "404/")}


def test_links_whose_place_in_the_html_is_not_known_are_findings_each(tmp_path: Path) -> None:
    space = " " * 9
    report = check([zoo(tmp_path, f'<a href{space}="a/">a</a><a href{space}="b/">b</a>')])
    assert [(finding.location.line, finding.link) for finding in report.findings] == [(1, "a/"), (1, "b/")]
