"""The readers that the inventory is for: a Sphinx build with intersphinx and MyST, and a build with mkdocstrings.

A real site is built with the plugin and published by a real web server. Other projects refer into it, by nothing but
its `trueref.inv`, and what their pages link to has to be an address of its manifest.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urljoin

import httpx
import pytest
from tests.plugin.projects import Project, make

from trueref_core.links.resolve import resolve
from trueref_core.manifest.lookup import Manifest

pytestmark = [pytest.mark.slow]

PACKAGE = '''"""Animals of the steppe."""


class Zebra:
    """A striped horse."""

    def graze(self, hours: int) -> None:
        """Eat grass."""


def count() -> int:
    """How many there are."""
    return 1
'''
PAGES = {
    "api.md": "# Python\n\n::: animals\n    options:\n      show_root_heading: true\n      heading_level: 2\n",
    "odd.md": '# Odd\n\n<h2 id="a b">Spaces</h2>\n\nText.\n\n<h2 id="größe">Größe</h2>\n\nText.\n\n<h2 id="ends$">$</h2>\n\nText.\n',
}


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a line for each."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the name of the method it replaces)
        """Say nothing."""


@dataclass(frozen=True)
class Deployed:
    """A site that a web server shows at `base`, and its published manifest."""

    project: Project
    base: str

    @property
    def manifest(self) -> Manifest:
        return Manifest.decode(httpx.get(f"{self.base}assets/trueref/manifest.json", timeout=None).content)

    def links_of(self, html: str) -> dict[str, str]:
        """What a page links to on this site, by the text of the link."""
        found = re.findall(r'<a\b[^>]*\bhref="([^"]+)"[^>]*>(.*?)</a>', html, re.DOTALL)
        links = {
            re.sub(r"<[^>]+>", "", text): urljoin("http://elsewhere.test/", unescape(href)) for href, text in found
        }
        return {text: href for text, href in links.items() if href.startswith(self.base)}


@pytest.fixture(scope="module", params=[False, True], ids=["alone", "merged"])
def deployed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    """A site with objects of mkdocstrings: without its inventory, and with it."""
    project = make(tmp_path_factory.mktemp("provider"), PAGES)
    (project.folder / "src").mkdir()
    (project.folder / "src" / "animals.py").write_text(PACKAGE)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=project.folder / "www"))
    base = f"http://127.0.0.1:{server.server_port}/docs/"
    mkdocstrings = {"enable_inventory": request.param, "handlers": {"python": {"paths": ["src"]}}}
    project.configure(
        site_url=base,
        site_dir="www/docs",
        plugins=["search", {"mkdocstrings": mkdocstrings}, {"trueref": {"embedder": "lexical"}}],
        markdown_extensions=["attr_list", "md_in_html"],
    )
    project.run("--strict")
    assert (project.folder / "www/docs/objects.inv").exists() is request.param
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield Deployed(project, base)
    server.shutdown()
    server.server_close()
    thread.join()


CONF = """
extensions = ["sphinx.ext.intersphinx", "myst_parser"]
intersphinx_mapping = {{"animals": ("{base}", "{base}trueref.inv")}}
nitpicky = True
"""
REST = """
Reader
======

:ref:`stripes`, :ref:`with a page <zebras#food>`, :ref:`spaces <odd#a%20b>`, :ref:`size <odd#größe>`,
:ref:`dollar <odd#ends$>`, :doc:`lions <animals:far/away/lions>`, :doc:`home <animals:index>`,
:py:class:`animals.Zebra`, :py:meth:`grazing <animals.Zebra.graze>`, :py:func:`animals.count`, :py:mod:`animals`

.. toctree::

   myst
"""
MYST = """
# MyST

[](inv:animals:std:label#stripes), [food](inv:animals#zebras#food), [lions](inv:animals:std:doc#far/away/lions),
[](inv:animals:py:class#animals.Zebra), [any](inv:#manes)
"""


@pytest.mark.long
def test_sphinx_and_myst_resolve_references_through_the_inventory(deployed: Deployed, tmp_path: Path) -> None:
    (tmp_path / "conf.py").write_text(CONF.format(base=deployed.base))
    (tmp_path / "index.rst").write_text(REST, encoding="utf-8")
    (tmp_path / "myst.md").write_text(MYST)
    # A reference that is not resolved is a warning, and a warning an error.
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-b", "html", str(tmp_path), str(tmp_path / "out")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    expected = {
        "Stripes": "zebras/#stripes",
        "with a page": "zebras/#food",
        "spaces": "odd/#a%20b",
        "size": "odd/#gr%C3%B6%C3%9Fe",
        "dollar": "odd/#ends%24",
        "lions": "far/away/lions/",
        "home": "./",
        "animals.Zebra": "api/#animals.Zebra",
        "grazing": "api/#animals.Zebra.graze",
        "animals.count()": "api/#animals.count",
        "animals": "api/#animals",
    }
    check(deployed, (tmp_path / "out/index.html").read_text(encoding="utf-8"), expected)
    from_myst = {
        "Stripes": "zebras/#stripes",
        "food": "zebras/#food",
        "lions": "far/away/lions/",
        "any": "far/away/lions/#manes",
    }
    check(deployed, (tmp_path / "out/myst.html").read_text(encoding="utf-8"), from_myst)


@pytest.mark.long
def test_mkdocstrings_resolves_references_through_the_inventory(deployed: Deployed, tmp_path: Path) -> None:
    """Without `domains` it reads the Python objects of an inventory; headings are there with `std`."""
    project = Project(tmp_path)
    text = (
        "# Reader\n\n[the class][animals.Zebra], [the method][animals.Zebra.graze], [stripes][stripes], "
        "[food][zebras#food], [the page][far/away/lions]\n"
    )
    project.write({"index.md": text})
    inventory = {"url": f"{deployed.base}trueref.inv", "domains": ["py", "std"]}
    project.configure(plugins=[{"mkdocstrings": {"handlers": {"python": {"inventories": [inventory]}}}}])
    # autorefs warns of what it does not find.
    project.run("--strict")
    expected = {
        "the class": "api/#animals.Zebra",
        "the method": "api/#animals.Zebra.graze",
        "stripes": "zebras/#stripes",
        "food": "zebras/#food",
        "the page": "far/away/lions/",
    }
    check(deployed, project.html("index.html"), expected)


def check(deployed: Deployed, html: str, expected: dict[str, str]) -> None:
    """Every expected link is there, and every link leads to a place of the manifest that the web server shows."""
    links, manifest = deployed.links_of(html), deployed.manifest
    assert {text: links.get(text, "").removeprefix(deployed.base) for text in expected} == expected
    for link in links.values():
        address = urljoin(link, link)
        assert resolve(manifest, urljoin(deployed.base, address.replace("/./", "/"))).status == "exact", link
        assert httpx.get(address.partition("#")[0], timeout=None).status_code == 200
