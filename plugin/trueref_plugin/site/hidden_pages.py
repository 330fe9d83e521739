"""Decides which pages are never searched or cited, and why: drafts, excluded pages, lists, indexes, source code.

An author says it by the build or in the page. What generators make of the other pages is known by its name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from trueref_plugin.options import BuildOptions
    from trueref_plugin.reading.parsed import Head
    from trueref_plugin.sidecar import PageFacts

_GENERATED_PAGES: Final = frozenset(("404", "genindex", "py-modindex"))
"""Names of pages that generators make from the other pages, in any folder. They never answer a question."""

_LISTS_OF_JAVADOC: Final = frozenset(
    "index-all allclasses-index allpackages-index overview-tree package-tree package-use serialized-form".split()
)
"""Names of pages that Javadoc makes so. On sites of other generators they may be names of other pages."""

_LISTS_OF_DOXYGEN: Final = re.compile(
    r"(?:functions|globals|namespacemembers)(?:_\w+)?|annotated|classes|files|hierarchy|inherits|namespaces|graph_legend"
)
"""Matches the names of pages that Doxygen makes so."""

_INDEX_OF_DOCBOOK: Final = re.compile(r"ix\d\d")
"""Matches the name of the index that DocBook makes of a book: `ix01`."""

_SOURCE_CODE: Final = frozenset(("_modules", "src-html"))
"""Folders with the source of whole modules: that of Sphinx's extension viewcode, which the search of Sphinx leaves out
too, and that of Javadoc."""

_SOURCE_OF_DOXYGEN: Final = "_source"
"""The end of the name of a page on which Doxygen shows the source of a file."""


def reason_to_hide(page: str, file: str, facts: PageFacts, head: Head, options: BuildOptions) -> str:
    """The reason why a page is never searched or cited, "" if there is none."""
    # If there are several reasons, the first of them in this order is given.
    if facts.draft:
        return "draft"
    if facts.hidden:
        return "search exclusion"
    # A redirect has `noindex` so that search engines list its target instead. Redirects are never searched anyway.
    if head.noindex and not head.redirect:
        return "noindex"
    if head.template:
        return "template"
    if head.listing:
        return "list of pages"
    if any(fnmatchcase(page, pattern) or fnmatchcase(facts.source, pattern) for pattern in options.exclude):
        return "option"
    folders, _, name = file.removesuffix(".html").removesuffix("/index").rpartition("/")
    if _is_generated(name, folders.split("/"), head.generator, file):
        return "error page" if name == "404" else "generated page"
    is_source = head.generator.startswith("Doxygen") and name.endswith(_SOURCE_OF_DOXYGEN)
    return "source code" if is_source or not _SOURCE_CODE.isdisjoint(file.split("/")) else ""


def _is_generated(name: str, folders: Sequence[str], generator: str, file: str) -> bool:
    """Whether a generator made a page from the other pages: a list, an index, a page for errors.

    Args:
        name: Name of the page, without a suffix.
        folders: The folders that it is in.
        generator: What made the page, "" if it does not say.
        file: The file of the page.
    """
    # In a site of another generator than Sphinx, a page `search` that is not at the root may be written by an author.
    is_search = name == "search" and ("sphinx" in generator.lower() or file == "search.html")
    if is_search or name in _GENERATED_PAGES or _INDEX_OF_DOCBOOK.fullmatch(name) or name.startswith("."):
        return True
    if generator.startswith("javadoc"):
        return name in _LISTS_OF_JAVADOC or "class-use" in folders
    return generator.startswith("Doxygen") and _LISTS_OF_DOXYGEN.fullmatch(name) is not None
