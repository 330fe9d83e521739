"""The Markdown twin of each page, beside its HTML: `setup/colors/index.html.md`.

The name is that of the file with `.md` behind it, as llmstxt.org proposes: it follows from the page, and no two pages
get the same name, as `colors.html` and `colors/index.html` would with `colors.md`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from trueref_core.export.published_site import PublishedSite


def twins(site: PublishedSite, texts: Mapping[tuple[str, str], str]) -> Iterator[tuple[str, bytes]]:
    """The files, relative to the site's root, with their bytes.

    Args:
        site: The site.
        texts: By site and page, the pages as Markdown; one without a text has no twin.
    """
    for shown in site.pages:
        text = texts.get((shown.page.site, shown.page.page), "")
        if text:
            yield f"{shown.page.file}.md", text.encode()
