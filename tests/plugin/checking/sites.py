"""Small built sites, written file by file, and what a check finds in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from trueref_plugin.checking.check import check
from trueref_plugin.checking.findings import CheckReport, Finding

BASE = "https://example.org/docs/"

EXTENSIONS: list[Any] = [
    "abbr",
    "admonition",
    "attr_list",
    "def_list",
    "footnotes",
    "md_in_html",
    {"toc": {"permalink": True}},
    "pymdownx.details",
    "pymdownx.magiclink",
    "pymdownx.snippets",
    "pymdownx.superfences",
    {"pymdownx.tabbed": {"alternate_style": True}},
    "pymdownx.tasklist",
    "pymdownx.tilde",
]
"""Extensions of a site that uses many."""


def link(target: str) -> str:
    escaped = target.replace("&", "&amp;").replace('"', "&quot;")
    return f'<a href="{escaped}">x</a>'


def page(body: str, head: str = "") -> str:
    """A page that says where the site is published."""
    return f"<!doctype html><html><head><title>t</title>{head}</head><body>{body}</body></html>"


def canonical(address: str) -> str:
    return f'<link rel="canonical" href="{BASE}{address}">'


def write_files(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Writes files below a folder, and gives the folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def zoo(folder: Path, body: str = "", head: str = "", files: Mapping[str, str | bytes] | None = None) -> Path:
    """A site of five pages and some files, and those of `files`. `body` stands on `animals/zebra/`."""
    site: dict[str, str | bytes] = {
        "index.html": page('<h1 id="home">Zoo</h1>', canonical("")),
        "animals/index.html": page('<h2 id="all-animals">All</h2>', canonical("animals/")),
        "animals/zebra/index.html": page(f'<h2 id="stripes">Stripes</h2>{body}', canonical("animals/zebra/") + head),
        "animals/lion/index.html": page(
            '<h2 id="mane-of-a-lion">Mane</h2><p id="Größe">5</p><a name="old-name"></a><b id="a%20b"></b>',
            canonical("animals/lion/"),
        ),
        "old/index.html": page("", '<meta http-equiv="refresh" content="0; url=../animals/lion/">'),
        "chat/index.html": page("", '<meta http-equiv="refresh" content="0; url=https://chat.example.com/zoo">'),
        "flat.html": page('<dl><dt id="term">T</dt></dl>', canonical("flat.html")),
        "404.html": page('<a href="/docs/animals/">All</a>'),
        "assets/zebra.png": b"png",
        "assets/with space.png": b"png",
        "assets/app.js": b"",
    }
    return write_files(folder, {**site, **(files or {})})


def verdicts(report: CheckReport) -> list[tuple[str, str]]:
    """Kind and link of each finding."""
    return [(finding.kind, finding.link) for finding in report.findings]


def run(path: Path, **options: Any) -> Sequence[Finding]:
    """The findings of a check of one path."""
    return check([path], **options).findings
