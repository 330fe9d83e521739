"""Builds the docs of other projects from their sources, and compares Trueref with a browser on each of them.

    python -m scripts.other_sites [NAME ...] [--work DIR]

Sources come from the Python package index, in the versions below, and each is built in an environment of its own. Then
the ids of every page are compared with those in Chromium's DOM, and the findings of `trueref check` with a look-up of
every link in the browser. The Markdown of MkDocs sites is checked too. Prints a table, and exits with 1 if anything
differs. With `--work` the downloaded and built files are kept and used again. All sources together take about half an
hour.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scripts.arguments import parser_of
from tests.e2e.browsing import launched
from tests.e2e.judging import differences, judge_of
from tests.e2e.looking_up import SlowChecker

from trueref_core.generations.served_generation import read_manifest
from trueref_plugin.build.build import index_site
from trueref_plugin.checking.site.broken_links import SiteLinks
from trueref_plugin.checking.site.built_site import walk_site

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT: Final = Path(__file__).resolve().parent.parent
BUILD_SECONDS: Final = 900

SPHINX: Final = ("-m", "sphinx", "-q", "-b", "html", "docs", "site")
MKDOCS: Final = ("-m", "mkdocs", "build", "--quiet", "--no-strict", "--site-dir", "site")
ZENSICAL: Final = ("-m", "zensical", "build")


@dataclass(frozen=True)
class Source:
    """A project whose source distribution holds its docs.

    `requires` are the packages that build its docs, `build` the arguments of Python that build them into the folder
    `site`, and `base_url` is where they are published.
    """

    name: str
    version: str
    theme: str
    base_url: str
    build: tuple[str, ...]
    requires: tuple[str, ...]

    @property
    def has_markdown(self) -> bool:
        """Whether `trueref check` can read its sources."""
        return self.build is MKDOCS


SOURCES: Final = (
    Source(
        "starlette",
        "1.10.0",
        "MkDocs, Material, mkdocstrings",
        "https://starlette.dev/",
        MKDOCS,
        ("mkdocs==1.6.1", "mkdocs-material==9.7.1", "mkdocstrings-python==2.0.1"),
    ),
    Source(
        "griffe",
        "1.15.0",
        "MkDocs, Material, mkdocstrings",
        "https://mkdocstrings.github.io/griffe/",
        MKDOCS,
        (
            "mkdocs==1.6.1",
            "mkdocs-material==9.7.1",
            "mkdocstrings-python==2.0.1",
            "code2flow==2.5.1",
            "griffe-inherited-docstrings==1.1.2",
            "markdown-callouts==0.4.0",
            "markdown-exec[ansi]==1.12.1",
            "mkdocs-coverage==2.0.0",
            "mkdocs-gen-files==0.6.0",
            "mkdocs-git-revision-date-localized-plugin==1.5.0",
            "mkdocs-llmstxt==0.5.0",
            "mkdocs-minify-plugin==0.8.0",
            "mkdocs-section-index==0.3.10",
            "mkdocs-redirects==1.2.2",
            "pydeps==3.0.1",
        ),
    ),
    Source(
        "markdown",
        "3.10",
        "MkDocs, nature, mkdocstrings",
        "https://python-markdown.github.io/",
        MKDOCS,
        (
            "mkdocs==1.6.1",
            "mkdocs-nature==0.6.0",
            "mdx-gh-links==0.4",
            "mkdocstrings-python==1.18.2",
            "mkdocs-gen-files==0.6.0",
            "mkdocs-section-index==0.3.10",
            "mkdocs-literate-nav==0.6.2",
        ),
    ),
    Source(
        "mkdocs-autorefs",
        "1.4.5",
        "Zensical, mkdocstrings",
        "https://mkdocstrings.github.io/autorefs/",
        ZENSICAL,
        ("zensical==0.0.73", "mkdocstrings-python==2.0.11", "markdown-callouts==0.4.0", "markdown-exec==1.12.1"),
    ),
    Source(
        "click",
        "8.5.1",
        "Sphinx, Pallets, MyST",
        "https://click.palletsprojects.com/en/stable/",
        SPHINX,
        (
            "sphinx==8.2.3",
            "myst-parser==4.0.1",
            "pallets-sphinx-themes==2.5.0",
            "sphinx-tabs==3.4.7",
            "sphinxcontrib-log-cabinet==1.0.1",
        ),
    ),
    Source(
        "attrs",
        "26.1.0",
        "Sphinx, Furo, MyST",
        "https://www.attrs.org/en/stable/",
        SPHINX,
        (
            "sphinx==8.2.3",
            "myst-parser==4.0.1",
            "furo==2025.12.19",
            "sphinx-notfound-page==1.1.0",
            "sphinxcontrib-towncrier==0.5.0a0",
            "towncrier==25.8.0",
            "cogapp==3.6.0",
        ),
    ),
    Source(
        "structlog",
        "26.1.0",
        "Sphinx, Book, MyST",
        "https://www.structlog.org/en/stable/",
        SPHINX,
        (
            "sphinx==8.2.3",
            "myst-parser==4.0.1",
            "sphinx-book-theme==1.1.4",
            "sphinx-copybutton==0.5.2",
            "sphinx-design==0.6.1",
            "sphinx-notfound-page==1.1.0",
            "sphinxcontrib-mermaid==1.0.0",
            "sphinxext-opengraph==0.13.0",
            "twisted==25.5.0",
        ),
    ),
    Source(
        "anyio",
        "4.16.0",
        "Sphinx, Read the Docs",
        "https://anyio.readthedocs.io/en/stable/",
        SPHINX,
        (
            "sphinx==8.2.3",
            "sphinx-rtd-theme==3.0.2",
            "sphinx-autodoc-typehints==3.2.0",
            "sphinx-tabs==3.4.7",
            "trio==0.32.0",
        ),
    ),
)


@dataclass(frozen=True)
class Row:
    """The result for one source."""

    source: Source
    pages: int
    anchors: int
    different: dict[str, dict[str, list[str]]]
    """By file: the ids that only the browser has, and the ids that only the manifest has."""
    looked_up: set[tuple[str, str]]
    """The file and the link of each link that is broken in the browser."""
    reported: set[tuple[str, str]]
    """The file and the link of each link that `trueref check` reports as broken."""
    in_markdown: list[str]
    """The messages of `trueref check` about the Markdown."""

    @property
    def is_same(self) -> bool:
        """Whether Trueref and the browser agree."""
        return not self.different and self.looked_up == self.reported

    def line(self) -> str:
        """The row of the table."""
        ids = sum(len(wrong["missed"]) + len(wrong["invented"]) for wrong in self.different.values())
        markdown = str(len(self.in_markdown)) if self.source.has_markdown else "-"
        cells = (
            f"{self.source.name} {self.source.version}",
            self.source.theme,
            self.pages,
            f"{self.anchors:,}",
            ids,
            len(self.looked_up),
            len(self.reported),
            markdown,
        )
        return f"| {' | '.join(map(str, cells))} |"


HEADER: Final = """\
| Source | Built with | Pages | Ids | Different | Broken: browser | `trueref check` | in Markdown |
|---|---|---|---|---|---|---|---|"""


def built(source: Source, work: Path) -> Path:
    """The folder of the sources, with the built docs in `site`. Docs that are already built are not built again."""
    project = work / source.name / "source"
    if not (project / "site" / "index.html").is_file():
        shutil.rmtree(work / source.name, ignore_errors=True)
        unpack(source, project)
        python = environment(source, project)
        # The build gets few variables, so that no setting of this machine changes its result.
        variables = {"PATH": f"{python.parent}:{os.environ['PATH']}", "HOME": str(work), "NO_MKDOCS_2_WARNING": "1"}
        run([python, *source.build], project, variables)
    return project


def unpack(source: Source, project: Path) -> None:
    """Downloads the source distribution and unpacks it."""
    archives = project.parent / "archive"
    archives.mkdir(parents=True)
    download = ("-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", source.name, "--dest", archives)
    run([sys.executable, *download, f"{source.name}=={source.version}"], project.parent)
    with tarfile.open(next(archives.glob("*.tar.gz"))) as archive:
        archive.extractall(archives, filter="data")
    next(path for path in archives.iterdir() if path.is_dir()).rename(project)
    for path in project.rglob("*"):
        # A symbolic link to a file that the archive does not have.
        if path.is_symlink() and not path.exists():
            path.unlink()


def environment(source: Source, project: Path) -> Path:
    """Makes an environment with the project, the packages of its docs, and Trueref for Markdown. Returns its Python."""
    folder = project.parent / "venv"
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    trueref = ("--editable", f"{ROOT}[mkdocs]") if source.has_markdown else ()
    run([python, "-m", "pip", "install", "--quiet", *source.requires, *trueref, project], project)
    return python


def run(command: list[str | Path], folder: Path, variables: dict[str, str] | None = None) -> str:
    """Runs a program to its end, and returns its output.

    Raises:
        SystemExit: The program failed.
    """
    completed = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=None if variables is None else os.environ | variables,
        capture_output=True,
        text=True,
        timeout=BUILD_SECONDS,
        check=False,
    )
    if completed.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{completed.stderr[-3000:]}")
    return completed.stdout


def compared(browser: Browser, source: Source, work: Path) -> Row:
    """Builds the docs of a source, indexes them, and compares Trueref with a browser."""
    project = built(source, work)
    site, index = project / "site", project.parent / "index"
    shutil.rmtree(index, ignore_errors=True)
    index_site(site, index=index, base_url=source.base_url, embedder="lexical")
    manifest = read_manifest(index)
    files = sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    checker = SlowChecker(browser, site, source.base_url)
    walked = walk_site(site, source.base_url)
    by_page = {page.page: page.file for page in walked.pages}
    return Row(
        source,
        pages=len(files),
        anchors=sum(len(manifest.anchors(page.page)) for page in manifest.pages()),
        different=differences(judge_of(browser), site, manifest, files),
        looked_up=checker.broken(),
        reported={(by_page[item.page], item.link) for item in SiteLinks(walked).broken() if not item.is_file},
        in_markdown=in_markdown(source, project, index) if source.has_markdown else [],
    )


def in_markdown(source: Source, project: Path, index: Path) -> list[str]:
    """The messages of `trueref check` about the Markdown, run in the environment with the extensions of the site."""
    python = project.parent / "venv" / "bin" / "python"
    command = [str(python), "-m", "trueref", "check", "docs", "--index", str(index), "--format", "json"]
    completed = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=BUILD_SECONDS, check=False)
    if completed.returncode not in (0, 1):
        sys.exit(f"The Markdown of {source.name} was not checked:\n{completed.stderr[-3000:]}")
    return [finding["message"] for finding in json.loads(completed.stdout)["findings"]]


def main() -> int:
    """Compares the sources that the arguments name, or all sources."""
    names = [source.name for source in SOURCES]
    parser = parser_of(__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(names)}")
    parser.add_argument("--work", type=Path, help="folder to work in, which is kept")
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(names):
        parser.error(f"no such source: {', '.join(sorted(unknown))}")
    chosen = [source for source in SOURCES if not arguments.names or source.name in arguments.names]
    browser_path = next(filter(None, map(shutil.which, (os.environ.get("TRUEREF_BROWSER", ""), "chromium"))), None)
    if browser_path is None:
        parser.error("no Chromium: name one in TRUEREF_BROWSER, or run scripts/ensure_browser.py")
    with tempfile.TemporaryDirectory() as temporary, launched(browser_path) as browser:
        rows = [compared(browser, source, (arguments.work or Path(temporary)).resolve()) for source in chosen]
    print("\n".join((HEADER, *(row.line() for row in rows))))
    for row in rows:
        for file, differences_of_file in row.different.items():
            print(f"{row.source.name}: {file}: {differences_of_file}")
        for file, link in sorted(row.looked_up ^ row.reported):
            by = "the browser" if (file, link) in row.looked_up else "trueref check"
            print(f"{row.source.name}: {file}: {link}: only {by} finds it broken")
    return 0 if all(row.is_same for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
