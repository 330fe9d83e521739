"""What the owner of the site adds to the scores of pages: of the server's settings, and of the build."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trueref_core.page_weights import page_weight

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest

PageAt = tuple[str, str]
"""Site and page."""


@dataclass(frozen=True, slots=True)
class Owner:
    """Weights of both places. `patterns` are those of the settings, `pages` those of the build, where it gave one."""

    patterns: Mapping[str, float] = field(default_factory=dict[str, float])
    pages: Mapping[PageAt, float] = field(default_factory=dict[PageAt, float])

    def weight(self, page: PageAt) -> float:
        """What is added to each section of a page, from -1 to 1."""
        return page_weight(page[1], self.patterns, self.pages.get(page, 0.0))


def weights_of(manifest: Manifest) -> dict[PageAt, float]:
    """The weights that the builds gave to pages of a generation."""
    return {(page.site, page.page): page.weight for page in manifest.pages() if page.weight}
