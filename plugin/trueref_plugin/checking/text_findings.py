"""Findings of any text: absolute addresses in known sites, and relative links that are written as in Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from trueref_core.addresses import host_of
from trueref_core.links.link_target import SCHEME
from trueref_core.links.resolve import ResolveContext
from trueref_core.links.target_lookup import look_up_link
from trueref_core.manifest.lookup import Manifest
from trueref_plugin.checking.findings import FileLocation, Finding, FindingKind, SkipKind
from trueref_plugin.checking.known_manifests import page_of_source
from trueref_plugin.checking.link_positions import LineIndex
from trueref_plugin.checking.markdown.link_candidates import candidates, whole_address
from trueref_plugin.checking.site_findings import make_finding, shown_path

PLAIN_TEXT: Final = ("", ".txt")
"""Suffixes of files whose relative links count from the root of the site, because the format has no rule for links."""

# Marks of templates: a program fills in the address, so it is not known before.
_TEMPLATE: Final = ("{", "$")


def text_links(text: str) -> Iterator[tuple[str, int]]:
    """Everything in a text that looks like a link, and its position. Takes time in proportion to the text."""
    for candidate in candidates(text):
        link = text[candidate.start : candidate.end]
        if link.lower().startswith(("http://", "https://")):
            yield whole_address(link), candidate.start
        elif _is_relative(text, candidate.start, link):
            yield link, candidate.start


def text_findings(
    path: Path, text: str, manifest: Manifest, site: str | None
) -> tuple[list[Finding], int, Counter[SkipKind]]:
    """The findings of a file that is not Markdown, the number of checked links, and by reason that of skipped links.

    If the manifest names the file as the source of a page, its relative links count from that page. In plain text they
    count from the root of the site. In other files relative links are not checked.
    """
    hosts = {urlsplit(known_site.base_url).hostname for known_site in manifest.sites if known_site.base_url}
    context = _context(path, manifest, site)
    lines = LineIndex(text)
    findings: list[Finding] = []
    checked = 0
    skipped: Counter[SkipKind] = Counter()
    for link, at in text_links(text):
        if skip_reason := _why_skipped(link, hosts, has_page=context is not None):
            skipped[skip_reason] += 1
            continue
        checked += 1
        landing = look_up_link(manifest, link, context or ResolveContext())
        if landing in ("nothing", "page-top"):
            kind: FindingKind = "missing-page" if landing == "nothing" else "missing-anchor"
            line, column = lines.line_and_column(at)
            location = FileLocation(shown_path(path), line, column)
            findings.append(make_finding(manifest, kind, location, link, context or ResolveContext()))
    return findings, checked, skipped


def _why_skipped(link: str, hosts: Collection[str | None], *, has_page: bool) -> SkipKind | None:
    """Why a link is not checked; None if it is."""
    if any(mark in link for mark in _TEMPLATE):
        return "template"
    if SCHEME.match(link):
        return None if host_of(link) in hosts else "other-site"
    return None if has_page else "no-page"


def _context(path: Path, manifest: Manifest, site: str | None) -> ResolveContext | None:
    """The context of links in a file; None if its relative links cannot be resolved."""
    if folder_and_page := page_of_source(manifest, path):
        page = folder_and_page[1]
        return ResolveContext(page.site, page.page, page.source_path)
    return ResolveContext(site) if site is not None and path.suffix.lower() in PLAIN_TEXT else None


def _is_relative(text: str, start: int, link: str) -> bool:
    """Whether the text in brackets is a relative link."""
    # `x[i](a)` in code is a call, so only a text that looks like the path of a page counts as a link.
    if not text.startswith("](", max(start - 2, 0)) or any(character.isspace() for character in link):
        return False
    path = link.partition("#")[0]
    return not SCHEME.match(link) and path.endswith(("/", ".md", ".html"))
