"""Decides the kind of a page by a table of rules. The first rule that matches decides, and its `evidence` is kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from trueref_core.records import PageKind
from trueref_plugin.files.page_summary import PageSummary

API_OBJECTS: Final = 3
"""A page with at least this many documented objects is an API page, whatever its address. A guide may have one or
two."""

MANUAL_SECTIONS: Final = 40
"""A root page with at least this many sections is a manual on a single page, such as the readme of a package, and no
landing page. Landing pages have ten."""


@dataclass(frozen=True, slots=True)
class KindRule:
    """A rule for pages of one kind. `evidence` says in words what it looks for in a page.

    `matches` takes the segments of the page's address and the summary of the page.
    """

    kind: PageKind
    evidence: str
    matches: Callable[[tuple[str, ...], PageSummary], bool]


def _has_segment(*names: str) -> Callable[[tuple[str, ...], PageSummary], bool]:
    """The `matches` of a rule for pages whose address has one of these segments."""
    segment_names = frozenset(names)
    return lambda segments, _summary: not segment_names.isdisjoint(segments)


_RELEASE_PAGE: Final = re.compile(r"(?:change-?log|changes|release-?notes|releases?|whats-?new)[-.]?v?\d[\w.-]{0,30}")
"""Matches the name of a page about the changes of one version: `whatsnew-5.2`, `changelog_14`, `release-7.0.0`."""


def _is_release_page(segments: tuple[str, ...], _summary: PageSummary) -> bool:
    """The `matches` of the rule for pages about the changes of one version."""
    return bool(segments) and _RELEASE_PAGE.fullmatch(segments[-1]) is not None


_API_TITLE: Final = re.compile(r"(?<![\w-])api reference(?: manual| guide)?\Z", re.IGNORECASE)
"""Matches the title of an API reference: `Plugin API reference`. The title `Simple IPC API` may be that of a guide."""
_REFERENCE_TITLE: Final = re.compile(
    r"(?<![\w-])(?:cli|commands?|command[ -]line|config|configuration|options?|settings?|functions?|language|syntax) "
    r"reference(?: manual| guide)?\Z",
    re.IGNORECASE,
)
"""Matches the title of a reference: `Configuration reference`, but not `Pass by reference` or `Undefined reference`."""


_ABOUT_REFERENCES: Final = re.compile(
    r"(?:how|what|why|when|where)\b|\w+ing\b|(?!the\b)(?:\S+ )*(?:an?|the|your|our)\b", re.IGNORECASE
)
"""Matches the title of a guide about references: `Publish an API reference`, `What is a function reference`."""


def _has_title(pattern: re.Pattern[str]) -> Callable[[tuple[str, ...], PageSummary], bool]:
    """The `matches` of a rule for pages with such a title."""
    return lambda _segments, summary: (
        pattern.search(summary.title) is not None and _ABOUT_REFERENCES.match(summary.title) is None
    )


# The order decides. Rules for the content of a page come before rules for its path. `blog` and `changelog` come before
# `api` and `reference`, because `reference/changelog/` is a change log.
RULES: Final = (
    KindRule("redirect", "meta refresh to another page", lambda _segments, summary: bool(summary.head.redirect)),
    KindRule(
        "landing",
        f"root page with fewer than {MANUAL_SECTIONS} sections",
        lambda segments, summary: not segments and summary.sections < MANUAL_SECTIONS,
    ),
    # Before the rule for documented objects, because a change log may have many of them.
    KindRule("changelog", "name is that of a version's changes", _is_release_page),
    KindRule(
        "api",
        f"{API_OBJECTS} or more documented objects",
        lambda _segments, summary: summary.objects >= API_OBJECTS,
    ),
    KindRule("blog", "path names a blog", _has_segment("blog", "news", "posts")),
    KindRule(
        "changelog",
        "path names a change log",
        _has_segment(
            "changelog",
            "changelogs",
            "change-log",
            "changes",
            "release-notes",
            "releases",
            "history",
            "versionhistory",
            "version-history",
            "whats-new",
            "whatsnew",
        ),
    ),
    KindRule("api", "path names an API", _has_segment("api", "apidocs", "autoapi", "-autosummary")),
    KindRule("reference", "path names a reference", _has_segment("reference", "references", "ref")),
    KindRule(
        "example", "path names examples", _has_segment("example", "examples", "gallery", "cookbook", "recipes", "demos")
    ),
    # After the rules for the path, which an owner chooses for many pages at once.
    KindRule("api", "title names an API reference", _has_title(_API_TITLE)),
    KindRule("reference", "title names a reference", _has_title(_REFERENCE_TITLE)),
)


def page_kind(
    page: str, summary: PageSummary, chosen: Mapping[str, PageKind] | None = None, root: str = ""
) -> tuple[PageKind, str]:
    """The kind of a page and the evidence for it. A page that no rule matches is a guide.

    Args:
        page: Address of the page.
        summary: Summary of the page.
        chosen: Kinds by pattern of addresses, from an option. The first pattern that matches wins over all rules, but a
            redirect always remains a redirect.
        root: The folder of the page's version, "" if the site has no folders for versions.
    """
    if not summary.head.redirect:
        for pattern, kind in (chosen or {}).items():
            if fnmatchcase(page, pattern):
                return kind, f"option {pattern}"
    # The folder of a version does not count: `2.1/` is the landing page of a version, as `/` is the one of a site.
    language = summary.head.language
    names = [name for name in (_normalized(segment, language) for segment in page.split("/")) if name]
    segments = tuple(names[1:] if root else names)
    if len(segments) == 1 and _is_language(segments[0], language):
        segments = ()
    for rule in RULES:
        if rule.matches(segments, summary):
            return rule.kind, rule.evidence
    return "guide", "no other rule matched"


def _is_language(segment: str, language: str) -> bool:
    """Whether an address of one segment is the root of a language: `fr/` for a page in `fr-FR`."""
    return bool(language) and segment in (language.lower(), language.lower().partition("-")[0])


def _normalized(segment: str, language: str) -> str:
    """A segment of an address in lower case, with hyphens for underscores; "" for `index`.

    It has no `.html`, and no language of the page before that: `api.en.html`.
    """
    name = segment.lower().replace("_", "-").removesuffix(".html").removesuffix(".htm")
    base, dot, suffix = name.rpartition(".")
    if base and dot and _is_language(suffix, language):
        name = base
    return "" if name == "index" else name
