"""Digests of content: equal content has the same digest on every machine and in every build."""

from __future__ import annotations

from hashlib import blake2b

_BYTES = 16
"""128 bits: no two of a hundred million texts have the same digest by chance."""


def digest_of_bytes(data: bytes) -> str:
    """A 128-bit digest of the content of a file, in hexadecimal."""
    return blake2b(data, digest_size=_BYTES).hexdigest()


def digest(*parts: str) -> str:
    """A 128-bit digest of several strings, in hexadecimal. None of them holds a zero byte, so each end is clear."""
    # File names may hold bytes that are not UTF-8, which Python reads as lone surrogates.
    return digest_of_bytes("\0".join(parts).encode("utf-8", "surrogatepass"))
