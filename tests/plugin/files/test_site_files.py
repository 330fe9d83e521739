from __future__ import annotations

import os
from pathlib import Path

import pytest

from trueref_core.errors import SiteError
from trueref_plugin.files.site_files import find_files, list_files, printable, read_page


def write(site: Path, *files: str) -> None:
    for file in files:
        (site / file).parent.mkdir(parents=True, exist_ok=True)
        (site / file).write_text("<p>a</p>")


def test_pages_are_the_html_files_in_order(tmp_path: Path) -> None:
    write(tmp_path, "index.html", "b/index.html", "a.html", "404.html", "OLD.HTM", "a b/größe.html")
    write(tmp_path, "style.css", "sitemap.xml", "search.json", "html", "page.html.gz", "x.xhtml")
    assert find_files(tmp_path).pages == (
        "404.html",
        "OLD.HTM",
        "a b/größe.html",
        "a.html",
        "b/index.html",
        "index.html",
    )


def test_hidden_folders_are_not_entered(tmp_path: Path) -> None:
    write(tmp_path, "index.html", ".git/index.html", "a/.cache/x.html", ".well-known/x.html")
    assert find_files(tmp_path).pages == ("index.html",)


def test_files_without_a_type_are_told_apart_from_pages(tmp_path: Path) -> None:
    page_like = (".hidden/NOTES", ".hidden/x.html", "CNAME", "a/LICENSE", "a/notes.md", "a/v1.x", "v1.2")
    typed = ("a.png", "b/objects.inv", "index.html.md")
    write(tmp_path, "index.html", *page_like, *typed)
    found = find_files(tmp_path)
    assert found.page_like == page_like
    assert list_files(tmp_path) == {*found.pages, *page_like, *typed}


def test_a_link_to_a_folder_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path, "site/index.html", "private/secret.html")
    (tmp_path / "site" / "out").symlink_to(tmp_path / "private")
    (tmp_path / "site" / "loop").symlink_to(tmp_path / "site")
    assert find_files(tmp_path / "site").pages == ("index.html",)


def test_a_link_to_a_file_of_the_site_is_a_page(tmp_path: Path) -> None:
    write(tmp_path, "site/index.html")
    (tmp_path / "site" / "page.html").symlink_to("index.html")
    (tmp_path / "linked").symlink_to(tmp_path / "site")
    assert find_files(tmp_path / "site").pages == ("index.html", "page.html")
    for site in ("site", "linked"):
        assert read_page(tmp_path / site, "page.html").data == b"<p>a</p>"


def test_a_link_to_a_file_outside_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, "private/x1.html", "site/index.html")
    (tmp_path / "site" / "page.html").symlink_to("../private/x1.html")
    (tmp_path / "site" / "again.html").symlink_to("page.html")
    for file in ("page.html", "again.html"):
        with pytest.raises(PermissionError, match="it is a link to a file outside of the site"):
            read_page(tmp_path / "site", file)


def test_a_pipe_with_the_name_of_a_page_is_not_waited_for(tmp_path: Path) -> None:
    write(tmp_path, "index.html")
    os.mkfifo(tmp_path / "pipe.html")
    with pytest.raises(OSError, match="it is a pipe, a socket or a device"):
        read_page(tmp_path, "pipe.html")


def test_a_link_to_itself_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, "index.html")
    (tmp_path / "self.html").symlink_to("self.html")
    with pytest.raises(OSError, match="Too many levels of symbolic links"):
        read_page(tmp_path, "self.html")


def test_a_site_that_is_itself_a_symbolic_link_is_listed(tmp_path: Path) -> None:
    write(tmp_path, "built/index.html")
    (tmp_path / "site").symlink_to(tmp_path / "built")
    assert find_files(tmp_path / "site").pages == ("index.html",)


def test_a_folder_with_the_name_of_a_page_is_entered(tmp_path: Path) -> None:
    write(tmp_path, "a.html/index.html")
    assert find_files(tmp_path).pages == ("a.html/index.html",)


@pytest.mark.parametrize(
    ("name", "what"), [("gone", "does not exist"), ("file", "is not a folder"), ("empty", "holds no HTML file")]
)
def test_a_site_that_cannot_be_read_is_one_line(tmp_path: Path, name: str, what: str) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "empty").mkdir()
    with pytest.raises(SiteError) as caught:
        find_files(tmp_path / name)
    assert (
        str(caught.value)
        == f"The site folder {tmp_path / name} {what}. Build the site first, then name its output folder."
    )


def test_a_file_is_read_with_its_time(tmp_path: Path) -> None:
    write(tmp_path, "a.html")
    source = read_page(tmp_path, "a.html")
    assert (source.data, source.modified) == (b"<p>a</p>", (tmp_path / "a.html").stat().st_mtime)


def test_a_name_that_is_not_text_can_be_shown() -> None:
    assert printable("größe/a b.html") == "größe/a b.html"
    assert printable(os.fsdecode(b"caf\xe9.html")) == "caf\\xe9.html"
