"""What became of the pages and anchors of one manifest in a later one, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ChangeKind = Literal["added", "vanished", "renamed", "moved", "redirected"]


@dataclass(frozen=True, slots=True)
class Location:
    """A page of a site, or with `anchor` a place on it."""

    page: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one page or anchor.

    `page` and `anchor` say where it was, or for what was added where it is; `anchor` is "" for a page. `text` is the
    title or heading. `successor` is where it is now, and `proof` says in words why: both are empty where nothing proves
    it. A page that was redirected has a successor unless the redirect leaves the site. `hidden` marks what is valid to
    link to and never published.
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
        """Whether links to it lead nowhere now, and nothing says where they should."""
        return self.change == "vanished"


@dataclass(frozen=True, slots=True)
class Difference:
    """All changes from one manifest to another, by site, page and place on the page; a page before its anchors.

    The anchors of a page that was added or lost are not listed besides it, but for those that are elsewhere now.
    """

    changes: tuple[Change, ...]

    @property
    def lost(self) -> tuple[Change, ...]:
        """What vanished without successor or redirect."""
        return tuple(change for change in self.changes if change.is_lost)
