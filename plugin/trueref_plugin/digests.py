"""Names for content: the same content has the same name on every machine and in every build."""

from __future__ import annotations

from hashlib import blake2b

_BYTES = 16
"""128 bits: of a hundred million texts no two have the same name by chance."""


def digest_of_bytes(data: bytes) -> str:
    """A 128-bit name for the content of a file, in hexadecimal."""
    return blake2b(data, digest_size=_BYTES).hexdigest()


def digest(*parts: str) -> str:
    """A 128-bit name for some strings, in hexadecimal. Where one ends counts: no string of ours holds a zero byte."""
    # Names of files may hold bytes that are not UTF-8, which Python reads as lone surrogates.
    return digest_of_bytes("\0".join(parts).encode("utf-8", "surrogatepass"))
