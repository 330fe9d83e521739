"""Digests of content: equal content has the same digest on every machine and in every build."""

from __future__ import annotations

from hashlib import blake2b

_DIGEST_BYTES = 16
"""128 bits: that two of a hundred million texts have the same digest by chance has a probability of about 1e-23."""


def digest_of_bytes(data: bytes) -> str:
    """A 128-bit digest of the content of a file, in hexadecimal."""
    return blake2b(data, digest_size=_DIGEST_BYTES).hexdigest()


def digest(*parts: str) -> str:
    """A 128-bit digest of several strings, in hexadecimal. A zero character separates them, so none may contain it."""
    # The name of a file may have bytes that are not UTF-8. Python reads these as lone surrogates.
    return digest_of_bytes("\0".join(parts).encode("utf-8", "surrogatepass"))
