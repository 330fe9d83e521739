"""Counts the tokens of a text as chat models count them. Needs no network, and uses no cache."""

from __future__ import annotations

import base64
import gzip
import hashlib
import zlib
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from trueref_core.errors import TruerefError

RANKS: Final = Path(__file__).parents[1] / "encodings" / "cl100k_base.tokens.gz"
RANKS_SHA256: Final = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
"""The sum of the file as it is published, with ranks. Source: `cl100k_base` in tiktoken_ext/openai_public.py, which
names its origin."""

PIECES: Final = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]"
    r"|\s+(?!\S)|\s"
)
"""The pattern that splits a text before pairs are merged. Source: the same function."""


def count_tokens(text: str) -> int:
    """The number of cl100k tokens of a text.

    `<|endoftext|>` and its like count as plain characters, since documentation writes about them.

    Raises:
        TruerefError: The ranks are missing or damaged. Nothing is ever fetched.
    """
    return _counter()(text)


@cache
def _counter() -> Callable[[str], int]:
    """The function that counts, made once."""
    if find_spec("tiktoken") is None:
        from trueref_core.text.byte_pairs import BytePairs

        return BytePairs(PIECES, read_ranks(RANKS)).count
    # Not `tiktoken.get_encoding`: that downloads the ranks, and keeps them in a folder that all users of a machine
    # share: another user may have put other ranks there, or a file that blocks whoever reads it.
    from tiktoken import Encoding

    encoding = Encoding("cl100k_base", pat_str=PIECES, mergeable_ranks=read_ranks(RANKS), special_tokens={})
    return lambda text: len(encoding.encode_ordinary(text))


def read_ranks(path: Path) -> dict[bytes, int]:
    """The rank of each token by its bytes. Raises `TruerefError` if the file is not the one that was shipped."""
    try:
        tokens = gzip.decompress(path.read_bytes()).split(b"\n")
    except (OSError, EOFError, zlib.error):
        tokens = []
    # The rank of a token is its place in the file. Written out they make a third of it, and the plain installation has
    # to stay below 40 MB.
    published = b"".join(b"%s %d\n" % (token, rank) for rank, token in enumerate(tokens))
    if hashlib.sha256(published).hexdigest() != RANKS_SHA256:
        raise TruerefError(f"The token ranks {path.name} are missing or damaged. Install trueref again.")
    return {base64.b64decode(token): rank for rank, token in enumerate(tokens)}
