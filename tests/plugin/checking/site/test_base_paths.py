"""Sites whose pages show the path that they are published under, and not the host: VitePress, Astro, Nextra."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.plugin.checking.sites import link, page, verdicts, write_files

from trueref_plugin.checking.check import check

HEADS = {
    "VitePress": '<link rel="preload stylesheet" href="/docs/assets/style.css" as="style">'
    '<script type="module" src="/docs/assets/app.js"></script>',
    "Astro": '<link rel="stylesheet" href="/docs/assets/style.css"/>',
    "Nextra": '<link rel="icon" href="https://example.org/icon.png"><script src="/docs/assets/app.js?v=2" async></script>',
}


def built(folder: Path, body: str, head: str = HEADS["VitePress"]) -> Path:
    """A small site, published under `/docs/`."""
    files = {
        "index.html": page(link("/docs/guide.html#start"), head),
        "guide.html": page(f'<main><h1 id="start">Start</h1>{body}</main>', head),
        "assets/app.js": "",
        "assets/style.css": "",
    }
    return write_files(folder, files)


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_links_of_a_site_are_read_with_the_path_that_its_pages_show(tmp_path: Path, head: str) -> None:
    body = link("/docs/") + link("/docs/guide#start") + link("/docs/gone.html") + link("/docs/guide.html#gone")
    report = check([built(tmp_path, body + link("/blog/") + link("/guide.html"), head)])
    assert verdicts(report) == [("missing-page", "/docs/gone.html"), ("missing-anchor", "/docs/guide.html#gone")]
    assert report.skipped["outside"] == 2
    assert not [note for note in report.notes if "--base-url" in note]


def test_an_icon_at_the_root_of_the_host_does_not_hide_the_path(tmp_path: Path) -> None:
    """The folder of the site has it, too, as VitePress and Next.js copy what is in their folder `public`."""
    site = built(tmp_path, link("/docs/gone.html"), f'<link rel="icon" href="/icon.svg">{HEADS["Astro"]}')
    (site / "icon.svg").write_text("<svg/>")
    assert verdicts(check([site])) == [("missing-page", "/docs/gone.html")]


def test_a_correction_begins_with_the_path(tmp_path: Path) -> None:
    (finding,) = check([built(tmp_path, link("/docs/guides.html#start"))]).findings
    assert finding.correction == "/docs/guide.html#start"
    assert "invalid" not in finding.message


def test_a_site_at_the_root_is_read_from_the_root(tmp_path: Path) -> None:
    site = built(tmp_path, link("/guide.html") + link("/docs/guide.html"), HEADS["Astro"].replace("/docs/", "/"))
    assert ("missing-page", "/docs/guide.html") in verdicts(check([site]))
    assert ("missing-page", "/guide.html") not in verdicts(check([site]))
