"""Text that most pages of a site begin or end with is not searched, except on one page."""

from __future__ import annotations

from pathlib import Path

from tests.plugin.pages import page

from trueref_plugin.files.read_cache import ReadCache
from trueref_plugin.options import BuildOptions
from trueref_plugin.progress import Reporter
from trueref_plugin.site.repeated_text import MIN_PAGES
from trueref_plugin.site.site_reader import SiteContent, read_site

NOTICE = "<p>This is the manual of version 8."
HELP = "<div class='admonition'><p class=admonition-title>See also<p>Ask on the mailing list.</div><p>Copyright 2020."


def site(folder: Path, pages: int, *, others: int = 0) -> SiteContent:
    """A site of some pages that begin and end alike, and others that do not."""
    folder.mkdir()
    for number in range(pages):
        body = f"<h1>Kiln {number}</h1>{NOTICE}<h2 id=fire>Fire</h2><p>It burns {number} logs.{HELP}"
        (folder / f"{number}.html").write_text(page(body))
    for number in range(others):
        (folder / f"other-{number}.html").write_text(page(f"<h1>Oven</h1><p>Bakes {number} loaves."))
    (folder / "index.html").write_text(page(f"<h1>Home</h1>{NOTICE}<p>Welcome.{HELP}"))
    return read_site(BuildOptions(site=folder, index=folder), Reporter(), cache=ReadCache(None, None))


def texts(content: SiteContent, page: str) -> list[str]:
    return [block.text for block in content.searched(page).blocks]


def test_what_most_pages_begin_and_end_with_is_searched_on_one_page(tmp_path: Path) -> None:
    content = site(tmp_path / "site", MIN_PAGES)
    assert texts(content, "1.html") == ["It burns 1 logs."]
    assert texts(content, "") == [
        "This is the manual of version 8.", "Welcome.", "See also", "Ask on the mailing list.", "Copyright 2020.",
    ]  # fmt: skip
    # Links to the page and the text of its exports are as the page shows it.
    assert content.parsed("1.html").blocks[-1].text == "Copyright 2020."


def test_what_few_pages_or_a_small_part_of_them_have_is_kept(tmp_path: Path) -> None:
    for content in (site(tmp_path / "few", MIN_PAGES - 2), site(tmp_path / "part", MIN_PAGES, others=MIN_PAGES + 2)):
        assert texts(content, "1.html")[-1] == "Copyright 2020."


def test_a_page_that_has_nothing_else_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    site(folder, MIN_PAGES)
    (folder / "help.html").write_text(page(f"<h1>Help</h1>{HELP}"))
    content = read_site(BuildOptions(site=folder, index=folder), Reporter(), cache=ReadCache(None, None))
    assert texts(content, "help.html") == ["See also", "Ask on the mailing list.", "Copyright 2020."]


def test_all_pages_are_made_again_if_they_no_longer_end_alike(tmp_path: Path) -> None:
    alike, different = (site(tmp_path / str(others), MIN_PAGES, others=others) for others in (0, MIN_PAGES + 2))
    assert alike.fingerprint["repeated"] != different.fingerprint["repeated"]


def test_a_title_that_most_pages_begin_with_stays_with_its_text(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    for number in range(MIN_PAGES):
        note = f"<div class='admonition'><p class=admonition-title>Note<p>Kiln {number} is hot.</div>"
        (folder / f"{number}.html").write_text(page(f"<h1>Kiln</h1>{note}<p>It burns {number} logs."))
    content = read_site(BuildOptions(site=folder, index=folder), Reporter(), cache=ReadCache(None, None))
    assert texts(content, "1.html")[0] == "Note"
