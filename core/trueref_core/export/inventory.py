"""A Sphinx inventory (version 2) of pages and anchors: `trueref.inv`, for intersphinx, MyST and mkdocstrings.

Four lines of header are followed by compressed lines of `name domain:type priority uri title`. The format escapes
nothing and allows spaces in names, so readers have to guess where a name ends: no name written here has a space.
mkdocstrings keeps one entry for each name: no name is written twice here.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from trueref_core.errors import OptionError
from trueref_core.export.published_site import PublishedSite, ShownAnchor

HEADER: Final = "# Sphinx inventory version 2\n"
COMPRESSED: Final = "# The remainder of this file is compressed using zlib.\n"
LARGEST: Final = 64 * 1024 * 1024
"""Most bytes of another tool's inventory after unpacking. That of CPython has 2 million."""

_LABEL: Final = "std:label"
_PAGE: Final = "std:doc"
_HIDDEN_PRIORITY: Final = -1
"""The priority that Sphinx gives to labels and pages, which its own search does not offer."""
_SPACE_OR_CONTROL: Final = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")
_CLASS_ROLES: Final = ("py:class", "py:exception")


@dataclass(frozen=True, slots=True)
class InventoryLine:
    """One line. `uri` is relative to the site's root. `title` is what a link shows that has no text of its own."""

    name: str
    type: str
    uri: str
    title: str

    @property
    def line(self) -> str:
        """The line as Sphinx reads it. A title that is empty or equal to the name is written as `-`."""
        priority = _HIDDEN_PRIORITY if self.type.startswith("std:") else 1
        # Sphinx replaces a `$` at the end by the name.
        uri = f"{self.uri[:-1]}%24" if self.uri.endswith("$") else self.uri
        title = " ".join(self.title.split())
        return f"{self.name} {self.type} {priority} {uri} {title if title and title != self.name else '-'}"


def entries(site: PublishedSite) -> list[InventoryLine]:
    """The entries of a site: its pages, its documented objects, all anchors as `page#id`, and anchors by id alone.

    An anchor is entered by id alone if no other anchor of the site has the id. Of two entries with the same name, the
    one that comes first in this list is kept.
    """
    all_entries = [*_pages(site), *_objects(site), *_labels(site), *_short_labels(site)]
    # Reversed, so that the first entry of each name is kept.
    first_by_name = {entry.name: entry for entry in reversed(all_entries)}
    return sorted(first_by_name.values(), key=lambda entry: (entry.type, entry.name))


def encode_inventory(site: PublishedSite, foreign: Iterable[str] = ()) -> bytes:
    """The inventory of a site.

    Args:
        site: The site. Its name and version are written into the header.
        foreign: Lines of another tool's inventory of the same site. They are written unchanged, and replace entries
            that have the same name in the same domain.
    """
    foreign_lines = list(foreign)
    foreign_keys = {key for line in foreign_lines if (key := _key_of_line(line)) is not None}
    added = [entry.line for entry in entries(site) if (_namespace(entry.type), entry.name) not in foreign_keys]
    project, version = (" ".join(text.split()) for text in (site.site.name, site.site.version))
    head = f"{HEADER}# Project: {project}\n# Version: {version}\n{COMPRESSED}"
    return head.encode() + zlib.compress("".join(f"{line}\n" for line in (*foreign_lines, *added)).encode(), 9)


def read_lines(data: bytes, source: str) -> list[str]:
    """The lines of an inventory, unchanged. `source` names the file in errors.

    Raises:
        OptionError: The file is not an inventory of version 2, or has more than `LARGEST` bytes when unpacked.
    """
    first_line, *other_lines = data.split(b"\n", 4)
    unpack = zlib.decompressobj()
    try:
        if first_line.rstrip() != HEADER.strip().encode() or len(other_lines) < 4:
            raise OptionError(f"{source} is not a Sphinx inventory of version 2. Name the file objects.inv of a site.")
        text = unpack.decompress(other_lines[3], LARGEST).decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise OptionError(f"{source} is damaged: it cannot be unpacked ({error}). Build it again.") from error
    if unpack.unconsumed_tail:
        raise OptionError(f"{source} holds more than {LARGEST} bytes. Name the file objects.inv of a site.")
    return [line for line in text.splitlines() if line.strip()]


def _pages(site: PublishedSite) -> Iterator[InventoryLine]:
    """A line for each page, which Sphinx finds as a document."""
    for shown in site.pages:
        # mkdocstrings needs an address that is not empty, so the root is written as `./`.
        yield InventoryLine(page_name(shown.page.page), _PAGE, shown.href or "./", shown.page.title)


def _objects(site: PublishedSite) -> Iterator[InventoryLine]:
    """A line for each documented object whose id is its full name."""
    for shown in site.pages:
        roles = {anchor.anchor: anchor.role for anchor in shown.anchors}
        for anchor in shown.anchors:
            if anchor.role and all(part.isidentifier() for part in anchor.anchor.split(".")):
                # Without a title, a reference shows the name as written, and not a signature.
                yield InventoryLine(anchor.anchor, _sphinx_role(anchor, roles), shown.hrefs[anchor.anchor], "")


def _labels(site: PublishedSite) -> Iterator[InventoryLine]:
    """A line for each anchor under the name `page#id`, which no other anchor has."""
    for shown in site.pages:
        for anchor in shown.anchors:
            name = f"{page_name(shown.page.page)}#{_without_spaces(anchor.anchor)}"
            yield InventoryLine(name, _LABEL, shown.hrefs[anchor.anchor], anchor.text)


def _short_labels(site: PublishedSite) -> Iterator[InventoryLine]:
    """A line for each anchor whose id no other anchor of the site has, under the id alone."""
    # Counted in small letters, in which Sphinx compares labels.
    counts = Counter(anchor.anchor.lower() for shown in site.pages for anchor in shown.anchors)
    for shown in site.pages:
        for anchor in shown.anchors:
            if counts[anchor.anchor.lower()] == 1:
                name = _without_spaces(anchor.anchor)
                yield InventoryLine(name, _LABEL, shown.hrefs[anchor.anchor], anchor.text)


def page_name(page: str) -> str:
    """The name of a page as a document of Sphinx: without `/`, `/index.html` or `.html`; `index` for the root."""
    name = page.removesuffix(".html").removesuffix("/index").rstrip("/")
    return _without_spaces(name) or "index"


def _sphinx_role(anchor: ShownAnchor, roles: dict[str, str]) -> str:
    """The type of a documented object by which Sphinx looks it up."""
    # mkdocstrings calls a method a function; Sphinx looks for it as a method of its class.
    owner = roles.get(anchor.anchor.rpartition(".")[0], "")
    return "py:method" if anchor.role == "py:function" and owner in _CLASS_ROLES else anchor.role


def _without_spaces(name: str) -> str:
    """A name with its spaces and control characters percent-encoded, so that a line can be read in one way only."""
    return _SPACE_OR_CONTROL.sub(lambda character: "".join(f"%{byte:02X}" for byte in character[0].encode()), name)


def _key_of_line(line: str) -> tuple[str, str] | None:
    """The namespace and name of a line; None for a line that has no type.

    Names may contain spaces: the type is the first word with a colon in it that has a number behind it.
    """
    words = line.split()
    for at in range(1, len(words) - 2):
        if ":" in words[at] and words[at + 1].removeprefix("-").isdigit():
            return _namespace(words[at]), " ".join(words[:at])
    return None


def _namespace(entry_type: str) -> str:
    """The part of a type within which names are unique: the domain, or the whole type in the domain `std`."""
    # A label and a page may share a name. A function and a method of the same name are the same object.
    return entry_type if entry_type.startswith("std:") else entry_type.partition(":")[0]
