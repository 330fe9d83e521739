"""A small site about a kiln, as a generator would write it: enough sections for words to be rare in it."""

from __future__ import annotations

from hashlib import sha256
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from tests.sharing import made_once

from trueref_plugin.build.build import index_site

if TYPE_CHECKING:
    import pytest

Sections = tuple[tuple[str, str, str], ...]
"""Anchor, title and HTML of each section of a page, the first under its `h1`."""

QUIET = (
    "<p>Print nothing but errors while the command runs. Messages of the controller still go to the log file, and the "
    "exit status is the same. Useful for a timer that starts the kiln at night and mails what it prints.</p>"
)

SHELVES = " ".join(["Kiln shelves are loaded evenly before a slow firing."] * 3)

GUIDE: dict[str, Sections] = {
    "": (("kiln", "Kiln", "<p>Documentation of the kiln controller. Start with the guide.</p>"),),
    "guide/install/": (
        ("install", "Install", "<p>Install the controller with the command <code>get kiln</code> on any computer.</p>"),
        (
            "proxy",
            "Behind a proxy",
            "<p>Set <code>KILN_PROXY</code> to the address of the corporate proxy. Its certificate is read from the "
            "system store, unless <code>KILN_CERT_FILE</code> names another one.</p>",
        ),
    ),
    "guide/export/": (
        ("export", "Export", "<p>What was recorded leaves the controller as a table.</p>"),
        (
            "csv",
            "Export a table",
            "<p>Export recorded temperatures as a table with <code>kiln export --csv</code>. Each row is one minute.</p>",
        ),
    ),
    "guide/heat/": (
        ("heat", "Temperature", f"<p>{SHELVES} {SHELVES} <a href='../drying/#drying-rack'>More</a></p>"),
        ("soak", "Soak", "<p>Stay at the top for twenty minutes, so that bubbles heal.</p>"),
        ("cooling", "Cooling", "<p>Open nothing above ninety degrees.</p>"),
    ),
    "guide/drying/": (
        ("drying", "Drying", "<p>Greenware rests for a week.</p>"),
        ("drying-rack", "Rack", "<p>Boards of plywood, one finger apart.</p>"),
    ),
    "guide/steps/": (
        ("steps", "Steps", "<p>One after another.</p>"),
        ("steps-1", "First", f"<p>{SHELVES} {SHELVES}</p>"),
        ("steps-2", "Second", "<p>Close everything, then press the green button.</p>"),
    ),
    "guide/wadding/": (("wadding", "Alumina", "<p>Wadding.</p>"),),
    "api/": (
        ("api", "API", "<p>Functions of the library.</p>"),
        (
            "kiln.set_hold_limit",
            "kiln.set_hold_limit",
            "<p><code>kiln.set_hold_limit(minutes)</code> caps the longest hold. Raises <code>HoldTooLong</code>.</p>",
        ),
    ),
    "cli/": (
        ("cli", "Commands", "<p>Commands of the program, with their flags.</p>"),
        *((f"{name}--quiet", f"<code>--quiet</code> of {name}", QUIET) for name in ("fire", "cool", "dry")),
    ),
}

LOADING: dict[str, Sections] = {
    f"loading/{number}/": (
        (f"loading-{number}", f"Studio {number}", f"<p>{SHELVES} Number {number} of the studio.</p>"),
    )
    for number in range(6)
}

GLAZES: dict[str, Sections] = {
    f"glazes/{name}/": (
        (name, name.title(), f"<p>A glaze recipe called {name}: feldspar, whiting and {name} ash, sieved twice.</p>"),
    )
    for name in (
        "amber apple birch cedar clover coral cotton dove ember fern flint frost garnet hazel heron ivory jade juniper "
        "lilac maple marble mint moss oat olive opal pearl pine plum poppy quartz rowan ruby sage shell slate teal"
    ).split()
}

LOGBOOK: dict[str, Sections] = {
    "logbook/": (
        (
            "logbook",
            "Logbook",
            "".join(
                f"<p>Entry {day}: cone {day % 10} fell after {day} minutes, and the room stayed at {day % 30} degrees. "
                f"{'Peacock raku came out with copper flashes.' if day == 80 else 'Nothing else of note was seen.'} "
                f"{'The door was opened late and shut again. ' * 12}Run {day} ended.</p>"
                for day in range(100)
            ),
        ),
    )
}

PAGES = {**GUIDE, **LOADING, **GLAZES, **LOGBOOK}


def write_site(folder: Path, pages: dict[str, Sections] = PAGES, versions: dict[str, str] | None = None) -> Path:
    """Write the pages as HTML. `versions` gives pages by the beginning of their address the version that they are of."""
    for page, sections in pages.items():
        path = folder / page / "index.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        version = next((named for start, named in (versions or {}).items() if page.startswith(start)), "")
        tag = f'<meta name="docsearch:version" content="{version}">' if version else ""
        (_, title, _), *_ = sections
        body = "".join(
            f'<h{1 if number == 0 else 2} id="{escape(anchor)}">{name}</h{1 if number == 0 else 2}>{html}'
            for number, (anchor, name, html) in enumerate(sections)
        )
        path.write_text(
            f'<html lang="en"><head><meta charset="utf-8">{tag}<title>{escape(title)}</title></head>'
            f"<body><main>{body}</main></body></html>",
            encoding="utf-8",
        )
    return folder


def kiln_index(factory: pytest.TempPathFactory, embedder: str, pages: dict[str, Sections] = PAGES) -> Path:
    """An index of these pages that all tests of a run share. None may change it."""

    def make(folder: Path) -> None:
        index_site(write_site(folder / "site", pages), index=folder / "index", name="kiln", embedder=embedder)

    digest = sha256(repr(pages).encode()).hexdigest()[:8]
    return made_once(factory, f"kiln-{digest}-{embedder}", make) / "index"
