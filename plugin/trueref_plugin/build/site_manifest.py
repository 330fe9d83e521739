"""The manifest of a built site that no index was made of."""

from __future__ import annotations

from pathlib import Path

from trueref_core.manifest.lookup import Manifest
from trueref_plugin.files.read_cache import Reads
from trueref_plugin.options import BuildOptions
from trueref_plugin.progress import Reporter
from trueref_plugin.site.site_reader import read_site


def manifest_of_site(site: Path, earlier: Manifest | None = None) -> Manifest:
    """Reads a built site, without cutting or embedding it and without writing anything.

    Args:
        site: Folder with the built HTML.
        earlier: What only a build knows of the same pages: their source files, and which of them are hidden.

    Raises:
        SiteError: The folder is missing or holds no HTML.
    """
    name = earlier.sites[0].name if earlier is not None and len(earlier.sites) == 1 else None
    # Nothing is written, so where the index would lie does not matter.
    content = read_site(BuildOptions(site=site, index=site, name=name), Reporter(), earlier, Reads(None, None))
    anchors = [anchor for page in content.pages for anchor in content.anchors(page.page)]
    return Manifest("", [content.site], content.pages, anchors)
