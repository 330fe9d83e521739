"""From the bytes of a page to its text, as the HTML standard decodes it."""

from __future__ import annotations

import codecs
import re

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_CHARSET = re.compile(rb"<meta[^<>]{0,256}charset\s{0,8}=\s{0,8}[\"']?([\w:.-]{1,40})", re.IGNORECASE)
_FALLBACK = "windows-1252"
# Codecs of Python that are no encodings of pages. In UTF-16 and UTF-32 a `meta` that is readable as ASCII cannot exist.
_NOT_OF_PAGES = ("undefined", "unicode", "raw-unicode", "idna", "punycode", "utf-7", "utf-16", "utf-32")


def decode_page(data: bytes) -> tuple[str, str]:
    """The text of a page and the encoding that it was decoded with.

    A byte order mark decides, then the `meta charset` of the first 1,024 bytes, then UTF-8, then windows-1252, the
    fallback of the HTML standard for western languages, which takes every byte.
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
    """The encoding that a page names, if Python knows it and a page can have it."""
    match = _CHARSET.search(data, 0, 1024)
    if match is None:
        return ()
    name = match[1].decode("ascii").lower()
    try:
        codec_name = codecs.lookup(name).name
    except (LookupError, UnicodeError):
        return ()
    return () if codec_name.startswith(_NOT_OF_PAGES) else (name,)
