"""The manifest of a site for users of the library: that of the core, with a method that resolves links."""

from __future__ import annotations

from trueref_core.links.resolve import ResolveContext, resolve
from trueref_core.manifest import lookup
from trueref_core.records import Reference


# The core's manifest cannot have this method: `trueref_core.links` imports it, so the imports would form a circle.
class Manifest(lookup.Manifest):
    """The pages and anchors of a site, by which links are resolved."""

    def resolve(self, link: str, context: ResolveContext | str | None = None) -> Reference:
        """The verdict on a link: where it leads, or should lead. Any text is accepted as a link.

        Args:
            link: As written: absolute, root-relative, relative, or a fragment.
            context: Where the link stands; a string is the page. Without it, relative links count from the root.

        Raises:
            IndexDamaged: The anchors of an index, which are read when they are needed, are missing or damaged.
        """
        return resolve(self, link, context)
