"""Decides on each link by the manifest: it passes, gets the address that the manifest gives, or is removed."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from trueref_core.links.link_target import unlinked
from trueref_core.links.resolve import ResolveContext, resolve
from trueref_core.text.markdown_escapes import without_escapes
from trueref_server.records import CheckedReference, Decision, extended

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest
    from trueref_core.records import Reference

MAX_LINKS = 1000
"""At most this many different links of a text are looked up: a link that nearly names a place takes a millisecond."""

MAX_ADDRESS = 2048
"""At most this many characters of an address are looked up; no page has an address that long."""

# RFC 6761 and RFC 2606: the reader's own machine, and names reserved for examples.
OWN_MACHINE = re.compile(r"(?:.{1,200}\.)?localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|0\.0\.0\.0")
EXAMPLE = re.compile(r"(?:.{1,200}\.)?(?:example|test|invalid|example\.(?:com|org|net))")


class LinkDecisions:
    """Decides on links, and looks each one up once. Relative links are read as if they stood on `page`."""

    def __init__(self, manifest: Manifest, page: str | None = None) -> None:
        self._manifest = manifest
        self._context = ResolveContext(page=page)
        self._references: dict[str, Reference] = {}

    def check(self, written: str) -> CheckedReference:
        """The decision on a link as it is written in Markdown."""
        reference = self._look_up(written)
        # Links to other hosts are removed, too: nothing here knows whether they resolve.
        if reference.href is None or reference.status in ("unlinked", "external"):
            return _with_decision(reference, "removed")
        return _with_decision(reference, "passed" if reference.status == "exact" else "corrected")

    def remove(self, written: str, reason: str) -> CheckedReference:
        """The decision on a link that is removed wherever it leads: that of an image or of HTML."""
        return _with_decision(self._look_up(written), "removed", reason)

    def _look_up(self, written: str) -> Reference:
        """The reference of a link by the manifest. Each link is looked up once."""
        link = _target_of(written)
        if link not in self._references:
            if len(self._references) == MAX_LINKS:
                return unlinked(link, f"A text has no more than {MAX_LINKS} links.")
            self._references[link] = resolve(self._manifest, link, self._context)
        return self._references[link]


def address_of(reference: Reference) -> str:
    """The address of a link that stays, encoded for Markdown; absolute if the base URL is known."""
    address = reference.href if reference.url is None else reference.url
    # Unencoded, `(`, `)` and the `&` of an entity would end the address or change it.
    return (address or "./").replace("(", "%28").replace(")", "%29").replace("&", "%26")


def is_example(reference: Reference) -> bool:
    """Whether an address is no public page: one of the reader's own machine, or one reserved for examples."""
    if reference.status != "external":
        return False
    try:
        host = urlsplit(reference.given).hostname or ""
    except ValueError:
        return False
    return bool(OWN_MACHINE.fullmatch(host) or EXAMPLE.fullmatch(host))


def _target_of(written: str) -> str:
    """The link that a Markdown destination names: without escapes, entities and angle brackets."""
    link = without_escapes(unescape(written.strip()))[:MAX_ADDRESS]
    link = link[1:-1] if link.startswith("<") and link.endswith(">") else link
    # Renderers link `www.` without a scheme, so that it is looked up with the scheme that they would add.
    return f"https://{link}" if link[:4].lower() == "www." else link


def _with_decision(reference: Reference, decision: Decision, reason: str = "") -> CheckedReference:
    """A reference with the decision of the gate."""
    return extended(CheckedReference, reference, reason=reason or reference.reason, decision=decision)
