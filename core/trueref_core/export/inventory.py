"""A Sphinx inventory (version 2) of pages and anchors: `trueref.inv`, for intersphinx, MyST and mkdocstrings.

Four lines of header, then lines of `name domain:type priority uri title`, compressed. The format escapes nothing and
allows spaces in names, so that readers have to guess where a name ends: here no name has a space. mkdocstrings keeps
one entry for each name: here no name stands twice.
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
"""Bytes of a foreign inventory when unpacked: that of CPython has 2 million."""

_LABEL: Final = "std:label"
_PAGE: Final = "std:doc"
_HIDDEN_PRIORITY: Final = -1
"""Sphinx's own for labels and pages: not offered by its search."""
_BREAK: Final = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")
_CLASSES: Final = ("py:class", "py:exception")


@dataclass(frozen=True, slots=True)
class InventoryLine:
    """One line. `uri` is relative to the site's root, `title` what a link shows without a text of its own."""

    name: str
    type: str
    uri: str
    title: str

    @property
    def line(self) -> str:
        """The line as Sphinx reads it: the title is never empty, and `-` is the name."""
        priority = _HIDDEN_PRIORITY if self.type.startswith("std:") else 1
        # A last `$` stands for the name.
        uri = f"{self.uri[:-1]}%24" if self.uri.endswith("$") else self.uri
        title = " ".join(self.title.split())
        return f"{self.name} {self.type} {priority} {uri} {title if title and title != self.name else '-'}"


def entries(site: PublishedSite) -> list[InventoryLine]:
    """The entries of a site: its pages, its documented objects, its other anchors by page, and these by id alone.

    An id alone is a name if it is the only one of the site. Of two equal names the one that comes first here stays.
    """
    every = [*_pages(site), *_objects(site), *_labels(site), *_short_labels(site)]
    # Reversed, so that the first of equal names stays.
    first = {entry.name: entry for entry in reversed(every)}
    return sorted(first.values(), key=lambda entry: (entry.type, entry.name))


def encode_inventory(site: PublishedSite, foreign: Iterable[str] = ()) -> bytes:
    """The inventory of a site.

    Args:
        site: The site; its name and version stand in the header.
        foreign: Lines of another inventory of the same site. They stay as they are, and win over entries of that
            name in the same domain.
    """
    foreign_lines = list(foreign)
    foreign_keys = {key for line in foreign_lines if (key := _key(line)) is not None}
    added = [entry.line for entry in entries(site) if (_namespace(entry.type), entry.name) not in foreign_keys]
    project, version = (" ".join(text.split()) for text in (site.site.name, site.site.version))
    head = f"{HEADER}# Project: {project}\n# Version: {version}\n{COMPRESSED}"
    return head.encode() + zlib.compress("".join(f"{line}\n" for line in (*foreign_lines, *added)).encode(), 9)


def read_lines(data: bytes, source: str) -> list[str]:
    """The lines of an inventory, as they are. `source` names it in errors.

    Raises:
        OptionError: It is not an inventory of version 2, or holds more than `LARGEST` bytes.
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
        # mkdocstrings wants an address, so that of the root cannot be the empty one.
        yield InventoryLine(page_name(shown.page.page), _PAGE, shown.href or "./", shown.page.title)


def _objects(site: PublishedSite) -> Iterator[InventoryLine]:
    """A line for each documented object whose id is its full name."""
    for shown in site.pages:
        roles = {anchor.anchor: anchor.role for anchor in shown.anchors}
        for anchor in shown.anchors:
            if anchor.role and all(part.isidentifier() for part in anchor.anchor.split(".")):
                # No title: a reference shows the name, as written, and not a signature.
                yield InventoryLine(anchor.anchor, _role(anchor, roles), shown.hrefs[anchor.anchor], "")


def _labels(site: PublishedSite) -> Iterator[InventoryLine]:
    """A line for each anchor under a name that no other has: page and anchor."""
    for shown in site.pages:
        for anchor in shown.anchors:
            name = f"{page_name(shown.page.page)}#{_without_spaces(anchor.anchor)}"
            yield InventoryLine(name, _LABEL, shown.hrefs[anchor.anchor], anchor.text)


def _short_labels(site: PublishedSite) -> Iterator[InventoryLine]:
    """A line under its id alone for each anchor whose id is on one page only."""
    # Sphinx compares labels in small letters.
    counts = Counter(anchor.anchor.lower() for shown in site.pages for anchor in shown.anchors)
    for shown in site.pages:
        for anchor in shown.anchors:
            if counts[anchor.anchor.lower()] == 1:
                name = _without_spaces(anchor.anchor)
                yield InventoryLine(name, _LABEL, shown.hrefs[anchor.anchor], anchor.text)


def page_name(page: str) -> str:
    """The name of a page among Sphinx's documents: without `/`, `/index.html` or `.html`; the root is `index`."""
    name = page.removesuffix(".html").removesuffix("/index").rstrip("/")
    return _without_spaces(name) or "index"


def _role(anchor: ShownAnchor, roles: dict[str, str]) -> str:
    """The type of an object as Sphinx looks for it."""
    # mkdocstrings calls a method a function; Sphinx looks for it as a method of its class.
    owner = roles.get(anchor.anchor.rpartition(".")[0], "")
    return "py:method" if anchor.role == "py:function" and owner in _CLASSES else anchor.role


def _without_spaces(name: str) -> str:
    """A name with its spaces and control characters percent-encoded, so that a line has one reading."""
    return _BREAK.sub(lambda character: "".join(f"%{byte:02X}" for byte in character[0].encode()), name)


def _key(line: str) -> tuple[str, str] | None:
    """Domain or type, and name, of a line: the type is the first word with a colon before a number."""
    words = line.split()
    for at in range(1, len(words) - 2):
        if ":" in words[at] and words[at + 1].removeprefix("-").isdigit():
            return _namespace(words[at]), " ".join(words[:at])
    return None


def _namespace(entry_type: str) -> str:
    """The part of a type within which names are unique."""
    # A label and a page of one name are two things, a function and a method of one name are not.
    return entry_type if entry_type.startswith("std:") else entry_type.partition(":")[0]
