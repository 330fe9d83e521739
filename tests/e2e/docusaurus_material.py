"""What is asked, linked and planted on the Docusaurus example, and how its places are looked at in a browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.e2e.browsing import LANDED, Reader, without_text_fragment
from tests.e2e.docusaurus import BASE

if TYPE_CHECKING:
    from playwright.sync_api import Locator

QUESTIONS = {
    "How do I remove limescale?": "docs/guides/cleaning#remove-limescale",
    "At how many degrees do I steep green tea?": "docs/#set-temperature",
    "What does E3 on the display mean?": "docs/guides/display#errors",
    "Does the filter stand a dishwasher?": "docs/guides/cleaning#wash-the-filter",
    "How many hours does a cold brew need in the fridge?": "docs/guides/th%C3%A9#infusion-%C3%A0-froid",
}

# Every address of the site that its pages link to, as the browser shows it after a click.
SHOWN = """html => [...new DOMParser().parseFromString(html, "text/html").querySelectorAll("a[href]")]
  .map(it => it.getAttribute("href"))"""

# What stands in a closed fold or behind another tab has no box, or an empty one: it would count as seen.
THERE = f"""() => {{
  const {{found, seen}} = ({LANDED})();
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  return found && seen && (!location.hash || target.checkVisibility());
}}"""

REDIRECTS = {
    "start": "docs/",
    "docs/descale": "docs/guides/cleaning",
    "docs/guides/limescale": "docs/guides/cleaning",
    "docs/howto/cleaning": "docs/guides/cleaning",
    "docs/howto/display": "docs/guides/display",
    "docs/howto/hidden": "docs/guides/hidden",
    "docs/howto/thé": "docs/guides/thé",
}


def as_shown(address: str, name: str) -> str:
    """How a build shows an address that is written as the one with `trailingSlash` left out shows it."""
    page, mark, anchor = address.partition("#")
    slash = {"true": "/", "false": ""}.get(name, "/" if page.endswith("/") else "")
    return (page.rstrip("/") + slash if page else page) + mark + anchor


def follow(reader: Reader, source: Locator) -> None:
    """Follows a source, and waits until its place is on screen: the router scrolls when the page is drawn.

    A page of another locale is loaded, and the server then adds the slash of its folder.
    """
    href = source.get_attribute("href")
    assert href is not None
    assert href.startswith(reader.origin + BASE)
    source.click()
    # The router takes the click, and knows nothing of text fragments; a page that is loaded keeps them.
    page, mark, anchor = without_text_fragment(href).partition("#")
    reader.page.wait_for_url(re.compile(f"{re.escape(page)}/?{re.escape(mark + anchor)}(?:#?:~:.*)?$"))
    reader.page.wait_for_function(THERE)
    assert "Not Found" not in reader.page.title()


PLANTED = """\
# Planted

[one](./cleaning.mdx#remove_limescale) [two](@site/docs/intro.mdx#set_temperature) [three](/docs/guides/cleaning#wash_the_filter)
[four](/docs/guides/gone) [five](./gone.mdx) <a href="/docs/">six</a> [right](guides/cleaning.mdx)
"""

BROKEN = [
    "./cleaning.mdx#remove_",
    "@site/docs/intro",
    "/docs/guides/cleaning#wash_",
    "/docs/guides/gone",
    "./gone.mdx",
]

FIXED = [
    "./cleaning.mdx#remove-limescale",
    "@site/docs/intro.mdx#set-temperature",
    "/docs/guides/cleaning#wash-the-filter",
]
