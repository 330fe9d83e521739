"""Decides on each link by the manifest: it passes, gets the address that the manifest gives, or is removed."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from trueref_core.links.link_target import unlinked
from trueref_core.links.resolve import ResolveContext, resolve
from trueref_server.records import CheckedReference, Decision, extended

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest
    from trueref_core.records import Reference

ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
MOST_LINKS = 1000
"""Different links of one text that are looked up: one that nearly names a place takes a millisecond."""

MOST_NAMED = 2048
"""Characters of an address that are looked up; no page has one as long."""

# RFC 6761 and RFC 2606: the reader's own machine, and names kept for examples.
OWN_MACHINE = re.compile(r"(?:.{1,200}\.)?localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|0\.0\.0\.0")
EXAMPLE = re.compile(r"(?:.{1,200}\.)?(?:example|test|invalid|example\.(?:com|org|net))")


class Links:
    """Looks links up, each of them once. Relative ones are read as if they stood on `page`."""

    def __init__(self, manifest: Manifest, page: str | None = None) -> None:
        self._manifest = manifest
        self._context = ResolveContext(page=page)
        self._references: dict[str, Reference] = {}

    def check(self, written: str) -> CheckedReference:
        """The decision on a link as it is written in Markdown."""
        reference = self._look_up(written)
        # Addresses of other hosts go too: nothing here can say whether they resolve.
        if reference.href is None or reference.status in ("unlinked", "external"):
            return _checked(reference, "removed")
        return _checked(reference, "passed" if reference.status == "exact" else "corrected")

    def remove(self, written: str, reason: str) -> CheckedReference:
        """The decision on what is removed wherever it leads: an image, or a link in HTML."""
        return _checked(self._look_up(written), "removed", reason)

    def _look_up(self, written: str) -> Reference:
        """The verdict of the manifest on a link, each link looked up once."""
        link = _named_by(written)
        if link not in self._references:
            if len(self._references) == MOST_LINKS:
                return unlinked(link, f"A text has no more than {MOST_LINKS} links.")
            self._references[link] = resolve(self._manifest, link, self._context)
        return self._references[link]


def address_of(reference: Reference) -> str:
    """The address of a link that stays, for Markdown: absolute if the base URL is known."""
    address = reference.href if reference.url is None else reference.url
    # These end the address, or change it: `(`, `)` and the `&` of an entity.
    return (address or "./").replace("(", "%28").replace(")", "%29").replace("&", "%26")


def is_example(reference: Reference) -> bool:
    """Whether an address is nobody's page: one of the reader's own machine, or one that is kept for examples."""
    if reference.status != "external":
        return False
    try:
        host = urlsplit(reference.given).hostname or ""
    except ValueError:
        return False
    return bool(OWN_MACHINE.fullmatch(host) or EXAMPLE.fullmatch(host))


def _named_by(written: str) -> str:
    """The link that a Markdown destination names: without escapes, entities and angle brackets."""
    link = ESCAPED.sub(r"\1", unescape(written.strip()))[:MOST_NAMED]
    link = link[1:-1] if link.startswith("<") and link.endswith(">") else link
    # Renderers link `www.` without a scheme, and it is looked up as they would open it.
    return f"https://{link}" if link[:4].lower() == "www." else link


def _checked(reference: Reference, decision: Decision, reason: str = "") -> CheckedReference:
    """A verdict with what the gate makes of it."""
    return extended(CheckedReference, reference, reason=reason or reference.reason, decision=decision)
