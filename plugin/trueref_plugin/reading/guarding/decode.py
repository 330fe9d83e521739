"""Decodes the bytes of a page to text, as the HTML standard says."""

from __future__ import annotations

import codecs
import re

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_CHARSET = re.compile(rb"<meta[^<>]{0,256}charset\s{0,8}=\s{0,8}[\"']?([\w:.-]{1,40})", re.IGNORECASE)
_FALLBACK = "windows-1252"
# Codecs of Python that are not encodings of pages. In UTF-16 and UTF-32 a `meta` that is readable as ASCII cannot
# exist.
_NOT_OF_PAGES = ("undefined", "unicode", "raw-unicode", "idna", "punycode", "utf-7", "utf-16", "utf-32")


def decode_page(data: bytes) -> tuple[str, str]:
    """The text of a page and the encoding that it was decoded with.

    The first of these that fits decides: a byte order mark; the `meta charset` in the first 1,024 bytes; UTF-8; and
    windows-1252, which the HTML standard names as the fallback for western languages, and which can decode any byte.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, errors="replace"), encoding
    for encoding in (*_declared(data), "utf-8"):
        try:
            return data.decode(encoding), encoding
        except (LookupError, UnicodeError):
            continue
    return data.decode(_FALLBACK, errors="replace"), _FALLBACK


def _declared(data: bytes) -> tuple[str, ...]:
    """The encoding that a page names, as a tuple of one; empty if Python does not know it or no page can have it."""
    match = _CHARSET.search(data, 0, 1024)
    if match is None:
        return ()
    name = match[1].decode("ascii").lower()
    try:
        codec_name = codecs.lookup(name).name
    except (LookupError, UnicodeError):
        return ()
    return () if codec_name.startswith(_NOT_OF_PAGES) else (name,)
