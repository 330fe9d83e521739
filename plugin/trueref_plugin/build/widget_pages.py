"""Puts the widget on the pages of a built site, for generators without a plugin of ours."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from trueref_core.errors import SiteError
from trueref_plugin.build.site_assets import replace_in_site, write_assets
from trueref_plugin.files.site_files import find_files, read_page
from trueref_plugin.options import check_server_url
from trueref_widget import WidgetOptions, ask_server, inject, snippet

NO_SERVER: Final = "none"
"""Given instead of the address of a server if the widget searches files beside the pages."""

_ERROR_PAGE: Final = "404.html"
"""The page that hosts show for every missing address. It is shown at any depth, so relative links do not work in it."""
_REDIRECT: Final = re.compile(rb"http-equiv\s*=\s*[\"']?refresh", re.IGNORECASE)
_HEAD_BYTES: Final = 4096
"""Only this much of a page is searched for a redirect: pages that only redirect are shorter."""


def put_widget_on_pages(site: Path, server: str, base_url: str | None) -> str:
    """Writes the widget's files into a site and its element into every page. Returns a sentence about what was done.

    A page that already has the element keeps it, and is only changed if its widget asks another server.

    Args:
        site: The folder of the built site, which is changed in place.
        server: Address of the answer server, or `none` if the files beside the pages answer.
        base_url: Where the site is published. The links of 404.html begin with the path of this address.

    Raises:
        OptionError: The address cannot be used from a page.
        SiteError: The site cannot be read or written.
    """
    if server != NO_SERVER:
        check_server_url(server)
    server_address = "" if server == NO_SERVER else server
    # Listed before anything is written, so that a folder which is not a site stays unchanged.
    pages = find_files(site).pages
    try:
        write_assets(site)
        page_counts = Counter(_put_widget(site, page, server_address, base_url) for page in pages)
    except OSError as error:
        message = f"The widget cannot be put on the pages of {site} ({error.strerror or error})."
        raise SiteError(f"{message} Free its disk or its permissions, or leave out --widget.") from error
    unchanged_note = f" {page_counts[False]:,} had it already." if page_counts[False] else ""
    return f"The widget was put on {page_counts[True]:,} pages.{unchanged_note}"


def _put_widget(site: Path, page: str, server: str, base_url: str | None) -> bool | None:
    """Puts the widget on a page. Returns whether that changed it; None for a redirect or a file that cannot be read."""
    try:
        body = read_page(site, page).data
    except OSError:
        # For example a symbolic link to nothing or out of the site. The build that follows reports it.
        return None
    # Nobody stays on a redirect, and a script in it would only delay the next page.
    if _REDIRECT.search(body[:_HEAD_BYTES]):
        return None
    root = urlsplit(base_url or "").path.rstrip("/") + "/"
    base = root if page == _ERROR_PAGE else "../" * page.count("/") or "./"
    widget = snippet(WidgetOptions(server=server, base=base))
    # Bytes that are not UTF-8 stay unchanged, so that the encoding of the page need not be known.
    html = body.decode("utf-8", "surrogateescape")
    edited_body = ask_server(inject(html, widget), server).encode("utf-8", "surrogateescape")
    if edited_body == body:
        return False
    # Resolved, so that a page that is a symbolic link inside the site stays a link.
    replace_in_site(site, (site / page).resolve(), edited_body)
    return True
