"""The changes of pages and anchors from one manifest to a later one, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ChangeKind = Literal["added", "vanished", "renamed", "moved", "redirected"]


@dataclass(frozen=True, slots=True)
class Location:
    """A page of a site, or an anchor on it if `anchor` is not ""."""

    page: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """The change of one page or anchor.

    `page` and `anchor` are the earlier address of the page or anchor, or its present address if it was added; `anchor`
    is "" for a page. `text` is the title or heading. `successor` is the present address, and `proof` says in words what
    proves it; without a proof they are None and "". A page that is redirected has a successor unless the redirect
    leaves the site. `hidden` marks pages and anchors that are valid to link to and never published.
    """

    site: str
    page: str
    anchor: str
    change: ChangeKind
    text: str = ""
    successor: Location | None = None
    proof: str = ""
    hidden: bool = False

    @property
    def is_lost(self) -> bool:
        """Whether links to the page or anchor lead nowhere now, and no successor is known."""
        return self.change == "vanished"


@dataclass(frozen=True, slots=True)
class Difference:
    """All changes from one manifest to another, in the order of sites and pages, a page before its anchors.

    The anchors of a page that was added or lost are not listed, except those that have moved to another page.
    """

    changes: tuple[Change, ...]

    @property
    def lost(self) -> tuple[Change, ...]:
        """The pages and anchors that vanished without successor or redirect."""
        return tuple(change for change in self.changes if change.is_lost)
