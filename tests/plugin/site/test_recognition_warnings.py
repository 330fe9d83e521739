"""What of a site is not recognised is said in a line; where there is nothing to do, nothing is said."""

from __future__ import annotations

from pathlib import Path

from tests.plugin.small_project import Heard

from trueref_plugin.build.build import index_site


def test_what_is_not_recognised_is_said_in_one_line(tmp_path: Path) -> None:
    site, heard = tmp_path / "site", Heard()
    site.mkdir()
    for name in ("index", "guide"):
        (site / f"{name}.html").write_text("<title>T</title><header>Menu</header><div class=text><h1>T</h1>Text.</div>")
    (site / "plain.html").write_text("<title>P</title><h1>P</h1><p>All of it is content.")
    index_site(site, index=tmp_path / "index", embedder="lexical", report=heard)
    assert heard.warnings == [
        "2 pages: no content root found, the whole body was read (guide.html is the first). Name it with "
        "content_selector."
    ]
    heard.warnings.clear()
    index_site(site, index=tmp_path / "index", embedder="lexical", content_selector=".text", report=heard)
    assert heard.warnings == []
    index_site(site, index=tmp_path / "index", embedder="lexical", content_selector=".txt", report=heard)
    assert heard.warnings[0] == "The content selector '.txt' is on no page; the known ones were tried instead."


def test_a_pattern_that_fits_no_page_is_named(tmp_path: Path) -> None:
    site, heard = tmp_path / "site", Heard()
    (site / "guide").mkdir(parents=True)
    for name in ("index", "guide/index"):
        (site / f"{name}.html").write_text("<title>T</title><main><h1>T</h1><p>Text of the page.</main>")
    given = {"index": tmp_path / "index", "embedder": "lexical", "report": heard}
    index_site(site, kinds={"guide/*": "reference"}, weights={"*": 0.1}, **given)  # type: ignore[arg-type]
    assert heard.warnings == []
    index_site(site, kinds={"/guide/*": "reference"}, weights={"*": 0.1, "old/*": -0.2}, **given)  # type: ignore[arg-type]
    assert heard.warnings == [
        "No page has an address like '/guide/*', 'old/*' (kinds and weights). Addresses are relative to the site and "
        "begin without a slash, such as 'guide/*'."
    ]
