"""Decides the kind of a page by one table of rules: the first that fits counts, and its name is kept as evidence."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from trueref_core.records import PageKind
from trueref_plugin.files.page_summary import PageSummary

API_OBJECTS: Final = 3
"""A page with this many documented objects is an API page, whatever its address. One or two stand in guides too."""


@dataclass(frozen=True, slots=True)
class Rule:
    """`evidence` says in words what was seen; `matches` is given the page's path segments and summary."""

    kind: PageKind
    evidence: str
    matches: Callable[[tuple[str, ...], PageSummary], bool]


def _has_segment(*names: str) -> Callable[[tuple[str, ...], PageSummary], bool]:
    """A rule that matches pages whose path has one of some segments."""
    segment_names = frozenset(names)
    return lambda segments, _summary: not segment_names.isdisjoint(segments)


_OF_A_VERSION: Final = re.compile(r"(?:change-?log|changes|release-?notes|releases?|whats-?new)[-.]?v?\d[\w.-]{0,30}")
"""The name of a page that tells what changed in one version: `whatsnew-5.2`, `changelog_14`, `release-7.0.0`."""


def _is_of_a_version(segments: tuple[str, ...], _summary: PageSummary) -> bool:
    return bool(segments) and _OF_A_VERSION.fullmatch(segments[-1]) is not None


# The order decides. What a page is by its content goes before what its path says; `blog` and `changelog` go before
# `api` and `reference`, since `reference/changelog/` is a change log.
RULES: Final = (
    Rule("redirect", "meta refresh to another page", lambda _segments, summary: bool(summary.head.redirect)),
    Rule("landing", "root page", lambda segments, _summary: not segments),
    # Before the objects: a change log names many.
    Rule("changelog", "name is that of a version's changes", _is_of_a_version),
    Rule(
        "api",
        f"{API_OBJECTS} or more documented objects",
        lambda _segments, summary: summary.objects >= API_OBJECTS,
    ),
    Rule("blog", "path names a blog", _has_segment("blog", "news", "posts")),
    Rule(
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
    Rule("api", "path names an API", _has_segment("api", "apidocs", "autoapi", "-autosummary")),
    Rule("reference", "path names a reference", _has_segment("reference", "references", "ref")),
    Rule(
        "example", "path names examples", _has_segment("example", "examples", "gallery", "cookbook", "recipes", "demos")
    ),
)


def page_kind(
    page: str, summary: PageSummary, chosen: Mapping[str, PageKind] | None = None, root: str = ""
) -> tuple[PageKind, str]:
    """The kind of a page and the evidence for it; a page that no rule knows is a guide.

    Args:
        page: Its address.
        summary: Its summary.
        chosen: Kinds by pattern of addresses, as an option names them. The first pattern that fits wins over all rules,
            except that a redirect always is one.
        root: The folder of its version of the site, "" if the site is not divided into such folders.
    """
    if not summary.head.redirect:
        for pattern, kind in (chosen or {}).items():
            if fnmatchcase(page, pattern):
                return kind, f"option {pattern}"
    # The folder of a version is no part of the path: `2.1/` is the landing page of a version, as `/` is of a site.
    names: list[str] = [name for name in map(_plain, page.split("/")) if name]
    segments = tuple(names[1:] if root else names)
    if len(segments) == 1 and _is_language(segments[0], summary.head.language):
        segments = ()
    for rule in RULES:
        if rule.matches(segments, summary):
            return rule.kind, rule.evidence
    return "guide", "no other rule matched"


def _is_language(segment: str, language: str) -> bool:
    """Whether a path is the root of a language: `fr/` for a page in `fr-FR`."""
    return bool(language) and segment in (language.lower(), language.lower().partition("-")[0])


def _plain(segment: str) -> str:
    """A segment of a path in small letters, with hyphens and without suffix, "" for `index`."""
    name = segment.lower().replace("_", "-").removesuffix(".html").removesuffix(".htm")
    return "" if name == "index" else name
