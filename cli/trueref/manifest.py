"""The manifest of a site as the library gives it: the one of the core, which also resolves links."""

from __future__ import annotations

from trueref_core.links.resolve import ResolveContext, resolve
from trueref_core.manifest import lookup
from trueref_core.records import Reference


# Resolving stands in links, which look anchors up in the manifest: the arrow goes one way, and only the library joins
# the two.
class Manifest(lookup.Manifest):
    """The pages and anchors of a site, by which links are resolved."""

    def resolve(self, link: str, context: ResolveContext | str | None = None) -> Reference:
        """What a link leads to. Never raises, whatever the link is.

        Args:
            link: As written: absolute, root-relative, relative, or a fragment.
            context: Where the link stands; a string is the page. Without it, relative links are taken from the root.
        """
        return resolve(self, link, context)
