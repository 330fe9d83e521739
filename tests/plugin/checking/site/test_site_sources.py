"""What a check of a built site makes of its sources, of its index, and of odd names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.plugin.checking.sites import BASE, link, page, run, verdicts, write_files, zoo
from tests.work import lines_run

from trueref_core.errors import OptionError
from trueref_plugin.checking.check import check


@pytest.mark.parametrize("site_url", [BASE, "https://example.org/", ""])
def test_a_link_out_of_the_sources_is_told_where_they_are_known(tmp_path: Path, site_url: str) -> None:
    head = f'<link rel="canonical" href="{site_url}">' if site_url else ""
    body = link("../README.md") + link("../blog/") + '<a href="../raw.html">x</a>'
    write_files(tmp_path / "site", {"index.html": page(body, head)})
    text = '# Home\n\n[up](../README.md) [beside](../blog/) <a href="../raw.html">x</a>\n'
    write_files(tmp_path, {"mkdocs.yml": "site_name: P\n", "README.md": "", "docs/index.md": text})
    findings = [found for found in run(tmp_path / "site") if found.link == "../README.md"]
    assert [(Path(found.location.file).name, found.correction) for found in findings] == [("index.md", None)]
    assert "leads out of the folder of the sources" in findings[0].message
    if site_url == BASE:
        assert list(run(tmp_path / "site")) == findings
        (tmp_path / "mkdocs.yml").unlink()
        assert list(run(tmp_path / "site")) == []


def test_broken_html_does_not_blame_markdown_with_the_same_target(tmp_path: Path) -> None:
    body = link("../b/#x") + "\n" + link("b.md#x")
    files = {"index.html": page(""), "a/index.html": page(body), "b/index.html": page('<h2 id="x">x</h2>')}
    write_files(tmp_path / "site", files)
    texts = {"index.md": "# I\n", "a.md": '[x](b.md#x)\n\n<a href="b.md#x">y</a>\n', "b.md": "# B\n"}
    write_files(tmp_path / "docs", texts)
    (tmp_path / "mkdocs.yml").write_text("site_name: P\n")
    (found,) = run(tmp_path / "site")
    assert (Path(found.location.file).name, found.location.line) == ("a.md", 3)


def test_the_work_for_many_broken_links_grows_with_their_number(tmp_path: Path) -> None:
    def lines_to_check(count: int) -> int:
        root = tmp_path / str(count)
        names = [f"gone-{number}.md" for number in range(count)]
        # A link in the text, and as many that only the HTML has.
        body = "\n".join(link(name) + link(f"other-{name}") for name in names)
        write_files(root, {"site/index.html": page(body), "mkdocs.yml": "site_name: P\n"})
        write_files(root, {"docs/index.md": "\n\n".join(f"[x]({name})" for name in names)})
        counts: list[int] = []
        lines = lines_run(lambda: counts.append(len(check([root / "site"]).findings)))
        assert counts == [2 * count]
        return lines

    few, many = lines_to_check(50), lines_to_check(200)
    assert many < 4.5 * few, (few, many)


def test_a_damaged_index_that_nobody_named_does_not_stop_a_check(tmp_path: Path) -> None:
    write_files(tmp_path, {"mkdocs.yml": "site_name: Z\n", "docs/animals/zebra.md": "[x](gone.md)"})
    zoo(tmp_path / "site", link("../lion.md"))
    write_files(tmp_path / ".trueref", {"current.json": "{"})
    (tmp_path / ".trueref/generations").mkdir()
    report = check([tmp_path / "site"])
    assert verdicts(report) == [("missing-page", "../lion.md")]
    assert [note.startswith("The index beside") for note in report.notes] == [True]


def test_a_page_alone_and_an_odd_address_are_refused(tmp_path: Path) -> None:
    site = zoo(tmp_path)
    with pytest.raises(OptionError, match="Name the folder of the site"):
        check([site / "index.html"])
    with pytest.raises(OptionError, match="The base URL 'foo' is not an address"):
        check([site], base_url="foo")


@pytest.mark.skipif(os.name == "nt", reason="names are Unicode there")
def test_a_page_whose_name_is_not_utf_8_is_left_out(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9")
    write_files(tmp_path, {"index.html": page(link("gone/")), f"{name}/index.html": page(link("gone/"))})
    report = check([tmp_path])
    assert verdicts(report) == [("missing-page", "gone/")]
    assert report.unread == (
        "caf\\xe9/index.html was left out: its name is not UTF-8, so that no address leads to it.",
    )
