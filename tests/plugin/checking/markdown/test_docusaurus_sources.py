"""The sources of a Docusaurus site are checked as Docusaurus reads them. `tests/e2e` does it with a real build."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from tests.plugin.checking.sites import page, verdicts, write_files
from tests.work import is_linear

from trueref_core.errors import IndexMissing
from trueref_plugin.build.build import index_site
from trueref_plugin.checking.check import check
from trueref_plugin.checking.findings import CheckReport
from trueref_plugin.checking.markdown.docusaurus_sources import DocusaurusProject
from trueref_plugin.checking.markdown.mdx_links import MdxReader
from trueref_plugin.checking.markdown.project_loading import load_project
from trueref_plugin.reading.guarding.guard import GuardedReader

BASE = "https://kettle.example/manual/"

SIDECAR = ".docusaurus/docusaurus-plugin-trueref/pages.json"

PAGES = {
    "docs/index.html": ("docs/intro.mdx", '<h1>Kettle</h1><h2 id="set-temperature">Set the temperature</h2>'),
    "docs/guides/cleaning/index.html": ("docs/02-guides/01-cleaning.mdx", '<h1>Care</h1><h2 id="descale">Descale</h2>'),
    "docs/1.0/guides/care/index.html": (
        "versioned_docs/version-1.0/02-guides/01-cleaning.md",
        '<h1>Care</h1><h2 id="rinse">Rinse</h2>',
    ),
    "blog/2026/05/04/cream/index.html": ("blog/2026-05-04-cream.mdx", '<h1>Cream</h1><h2 id="how">How</h2>'),
    "fr/docs/index.html": (
        "i18n/fr/docusaurus-plugin-content-docs/current/intro.mdx",
        '<h1>Bouilloire</h1><h2 id="régler">Régler</h2>',
    ),
}

SOURCES = {
    "docusaurus.config.js": 'throw new Error("nobody runs this");\n',
    "docs/intro.mdx": "---\nslug: /\ntitle: Kettle\n---\n\n## Set the temperature {#set-temperature}\n",
    "docs/02-guides/01-cleaning.mdx": "---\ntitle: Care\n---\n\n## Descale\n",
    "versioned_docs/version-1.0/02-guides/01-cleaning.md": "---\nid: care\n---\n\n# Care\n\n## Rinse\n",
    "blog/2026-05-04-cream.mdx": "# Cream\n\n## How\n",
    "i18n/fr/docusaurus-plugin-content-docs/current/intro.mdx": "---\nslug: /\n---\n\n# Bouilloire\n\n## Régler\n",
    "static/img/kettle.png": "png",
    "static/manual.pdf": "pdf",
    "docs/02-guides/pot.png": "png",
    "node_modules/some/README.md": "[x](gone.md)\n",
}


def project(root: Path, files: dict[str, str] | None = None, *, sidecar: bool = True) -> Path:
    """A Docusaurus site as a build leaves it, with its index. The index knows sources only from the sidecar."""
    head = '<link rel="canonical" href="{}">'
    built: dict[str, str | bytes] = {
        f"build/{file}": page(f"<main>{body}</main>", head.format(BASE + file.removesuffix("index.html")))
        for file, (_, body) in PAGES.items()
    }
    write_files(root, {**SOURCES, **built, **(files or {})})
    rows = ", ".join(f'{{"file": "{file}", "source": "{source}"}}' for file, (source, _) in PAGES.items())
    pages = root / SIDECAR if sidecar else None
    if pages is not None:
        write_files(root, {SIDECAR: f'{{"sidecar": 1, "pages": [{rows}]}}'})
    index_site(root / "build", index=root / ".trueref", base_url=BASE, embedder="lexical", pages=pages)
    return root


@pytest.fixture(scope="module", params=["sidecar", "names"])
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return project(tmp_path_factory.mktemp("kettle"), sidecar=request.param == "sidecar")


def checked(root: Path, text: str, name: str = "docs/02-guides/new.mdx") -> CheckReport:
    write_files(root, {name: text})
    try:
        return check([root / name])
    finally:
        (root / name).unlink()


LINKS: list[tuple[str, tuple[str, str | None] | None]] = [
    ("./01-cleaning.mdx#descale", None),
    ("01-cleaning.mdx", None),
    ("02-guides/01-cleaning.mdx", None),
    ("/02-guides/01-cleaning.mdx#descale", None),
    ("docs/intro.mdx", None),
    ("../intro.mdx#set-temperature", None),
    ("@site/docs/intro.mdx#set-temperature", None),
    ("@site/versioned_docs/version-1.0/02-guides/01-cleaning.md#rinse", None),
    ("@site/blog/2026-05-04-cream.mdx#how", None),
    ("/docs/guides/cleaning#descale", None),
    ("/docs/1.0/guides/care#rinse", None),
    ("/manual/docs/guides/cleaning/", None),
    ("../guides/cleaning#descale", None),
    ("https://kettle.example/manual/docs/guides/cleaning#descale", None),
    ("/img/kettle.png", None),
    ("pathname:///manual.pdf", None),
    ("./pot.png", None),
    ("@site/static/manual.pdf", None),
    ("./01-cleaning.mdx#descal", ("missing-anchor", "./01-cleaning.mdx#descale")),
    ("@site/docs/intro.mdx#set_temperature", ("missing-anchor", "@site/docs/intro.mdx#set-temperature")),
    ("/02-guides/01-cleaning.mdx#descal", ("missing-anchor", "/02-guides/01-cleaning.mdx#descale")),
    ("/docs/guides/cleaning#descal", ("missing-anchor", "/docs/guides/cleaning#descale")),
    ("./cleaning.mdx", ("missing-page", None)),
    ("./gone.mdx", ("missing-page", None)),
    ("/docs/guides/gone", ("missing-page", None)),
    ("@site/docs/gone.mdx", ("missing-page", None)),
    ("./gone.png", ("missing-file", None)),
    ("/img/gone.png", ("missing-file", None)),
]


@pytest.mark.parametrize(("link", "expected"), LINKS)
def test_a_link_lands_where_docusaurus_leads_it(
    built: Path, link: str, expected: tuple[str, str | None] | None
) -> None:
    report = checked(built, f"# New\n\nSee [this]({link}).\n")
    assert report.checked == 1, report
    findings = [(found.kind, found.location.line, found.location.column) for found in report.findings]
    assert findings == ([(expected[0], 3, 12)] if expected else [])
    if expected is not None and expected[1] is not None:
        assert [found.correction for found in report.findings] == [expected[1]]


def test_a_translation_counts_from_its_locale(built: Path) -> None:
    name = "i18n/fr/docusaurus-plugin-content-docs/current/neuf.mdx"
    report = checked(built, "[a](/docs/#régler) [b](./intro.mdx#régler) [c](/docs/1.0/guides/care)\n", name)
    assert [found.link for found in report.findings] == ["/docs/1.0/guides/care"]


def test_a_heading_written_since_the_last_build_counts(built: Path) -> None:
    text = "# New\n\n[a](#by-hand) [b](#two-words) [c](#two-words-1) [d](#x) [e](#no)\n\n## Hand {#by-hand}\n\n"
    text += '## Two *words*!\n\n## Two words\n\n<span id="x" />\n'
    assert verdicts(checked(built, text)) == [("missing-anchor", "#no")]


NOT_LINKS = """\
import Link from "@docusaurus/Link";
export const where = "[x](./gone.mdx)";

# New

{/* [x](./gone.mdx) */}

<!-- [x](./gone.mdx) -->

`[x](./gone.mdx)` and

```md
[x](./gone.mdx)
```
"""


def test_what_stands_in_code_and_comments_is_no_link(built: Path) -> None:
    report = checked(built, NOT_LINKS)
    assert (report.checked, report.findings, report.skipped) == (0, (), {})


IN_JSX = """\
# New

<Tabs>
  <TabItem value="a" label={<b>A</b>}>

    An indented [link](./gone-1.mdx).

  </TabItem>
</Tabs>

:::tip[Title]

A [link](./gone-2.mdx) in a box.

:::

<Card to="/docs/gone-3" items={[1, 2]} /> and <Link to="/docs/gone-4">one</Link>

<iframe src="https://example.com/video" />

After it, https://kettle.example/manual/gone-5 and [six][ref].

[ref]: ./gone-6.mdx

| a |
| --- |
| [x](./gone-7.mdx) |
"""


def test_links_in_elements_boxes_and_tables_are_links(built: Path) -> None:
    report = checked(built, IN_JSX)
    assert re.findall(r"gone-(\d)", " ".join(found.link for found in report.findings)) == list("1234567")
    assert report.skipped == {"other-site": 1}


def test_skipped_links_are_counted_by_their_reason(built: Path) -> None:
    text = "[a](https://example.com) [b](mailto:a@example.com) [c](/docs/${x}) [d](../x) [e](#y) [f](../intro.mdx)\n"
    report = checked(built, text, "docs/02-guides/_part.mdx")
    assert (report.checked, report.findings) == (1, ())
    assert report.skipped == {"other-site": 1, "other-scheme": 1, "template": 1, "no-page": 2}


def test_a_folder_of_a_docusaurus_project_is_taken_for_its_sources(built: Path) -> None:
    report = check([built / "docs"])
    assert report.findings == ()
    assert report.taken[0].endswith("docusaurus.config.js (Docusaurus): 2 files.")
    assert "docs is taken for Markdown sources of " in report.taken[0]
    # The programs that a site is built with have their own documentation.
    assert check([built]).findings == ()


def test_without_an_index_the_message_names_the_build(tmp_path: Path) -> None:
    write_files(tmp_path, SOURCES)
    with pytest.raises(IndexMissing, match="npm run build"):
        check([tmp_path / "docs"])


@pytest.mark.parametrize("has_index", [True, False])
def test_findings_of_a_built_site_are_in_its_sources(tmp_path: Path, has_index: bool) -> None:
    """By the index, else by the list that the plugin left, and `--fix` writes there."""
    body = '<main><h1>Cream</h1><h2 id="how">How</h2><a href="/manual/docs/guides/cleaning#descal">x</a></main>'
    text = "# Cream\n\n## How\n\n[x](@site/docs/02-guides/01-cleaning.mdx#descal)\n"
    canonical = f'<link rel="canonical" href="{BASE}blog/2026/05/04/cream/">'
    root = project(
        tmp_path, {"build/blog/2026/05/04/cream/index.html": page(body, canonical), "blog/2026-05-04-cream.mdx": text}
    )
    if not has_index:
        (root / ".trueref").rename(root / "elsewhere")
    (found,) = check([root / "build"]).findings
    assert (Path(found.location.file).name, found.location.line, found.location.column) == (
        "2026-05-04-cream.mdx",
        5,
        5,
    )
    assert found.correction == "@site/docs/02-guides/01-cleaning.mdx#descale"
    assert check([root / "build"], fix=True).findings == ()
    assert "01-cleaning.mdx#descale)" in (root / "blog/2026-05-04-cream.mdx").read_text()


ADDRESSES = {
    "docs/intro.md": "docs/intro",
    "docs/index.md": "docs/",
    "docs/guides/README.md": "docs/guides/",
    "docs/guides/guides.mdx": "docs/guides/",
    "docs/01-a/2 - b.md": "docs/a/b",
    "docs/2021-11-news.md": "docs/2021-11-news",
    "docs/7.0-notes.md": "docs/7.0-notes",
    "versioned_docs/version-2.0/a.md": "docs/2.0/a",
    "blog/2026-05-04-cream.mdx": "blog/2026/05/04/cream",
    "blog/2026-05-04-cream/index.md": "blog/2026/05/04/cream",
    "blog/2026/05/04/cream.md": "blog/2026/05/04/cream",
    "src/pages/about.md": "about",
    "docs/_part.mdx": None,
}


@pytest.mark.parametrize(("source", "address"), ADDRESSES.items())
def test_the_page_of_a_source_follows_the_defaults_of_docusaurus(
    tmp_path: Path, source: str, address: str | None
) -> None:
    (tmp_path / "docusaurus.config.ts").touch()
    found = load_project(tmp_path / "docusaurus.config.ts").page_of(source)
    assert (found.rstrip("/") if found is not None else None) == (address.rstrip("/") if address is not None else None)


@pytest.mark.parametrize(
    "text",
    [
        "{/*",
        "import a\n",
        "<iframe />\n\n",
        "---\n",
        "](",
        "{#",
        "export const a\n\n",
        '<a href="',
        'to="',
        "`",
        "# a\n",
    ],
)
def test_mdx_is_read_in_linear_time(tmp_path: Path, text: str) -> None:
    with GuardedReader() as guarded:
        assert is_linear(MdxReader(DocusaurusProject(None, tmp_path), guarded).read_text, text)


def test_a_pipe_among_the_sources_is_not_waited_for(tmp_path: Path) -> None:
    root = project(tmp_path, {"build/new/index.html": page('<a href="gone/">x</a>')}, sidecar=False)
    os.mkfifo(root / "docs" / "pipe.md")
    assert verdicts(check([root / "build"])) == [("missing-page", "gone/")]
