"""Counts the tokens of a text in the encoding `cl100k_base` of chat models, without network or downloaded files."""

from __future__ import annotations

import base64
import gzip
import hashlib
import zlib
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Final

from trueref_core.errors import TruerefError

RANKS: Final = Path(__file__).parents[1] / "encodings" / "cl100k_base.tokens.gz"
RANKS_SHA256: Final = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
"""The SHA-256 of the file of tokens and ranks as OpenAI publishes it. Source: `cl100k_base` in
tiktoken_ext/openai_public.py, which has the address of that file."""

TOKENS: Final = 100_256
"""The number of tokens of the encoding."""

PIECES: Final = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]"
    r"|\s+(?!\S)|\s"
)
"""The pattern of the pieces that a text is split into before pairs are merged. Source: the same function."""


def count_tokens(text: str) -> int:
    """The number of cl100k tokens of a text.

    `<|endoftext|>` and its like count as plain characters, since documentation writes about them.

    Raises:
        TruerefError: The shipped file of ranks is missing or damaged. It is never downloaded.
    """
    return _counter()(text)


@cache
def _counter() -> Callable[[str], int]:
    """The function that counts tokens, made once."""
    if find_spec("tiktoken") is None:
        from trueref_core.text.byte_pairs import BytePairs

        return BytePairs(PIECES, read_ranks(RANKS)).count
    # Not `tiktoken.get_encoding`, which downloads the ranks and keeps them in a folder that all users of a machine
    # share. Another user may have put other ranks there, or a file on which every read blocks.
    from tiktoken import Encoding

    encoding = Encoding("cl100k_base", pat_str=PIECES, mergeable_ranks=read_ranks(RANKS), special_tokens={})
    return lambda text: len(encoding.encode_ordinary(text))


def read_ranks(path: Path) -> dict[bytes, int]:
    """The rank of each token by its bytes. Raises `TruerefError` if the file is not the one that was shipped."""
    try:
        tokens = _tokens_of(gzip.decompress(path.read_bytes()))
    except (OSError, EOFError, zlib.error):
        tokens = []
    published = b"".join(b"%s %d\n" % (base64.b64encode(token), rank) for rank, token in enumerate(tokens))
    if hashlib.sha256(published).hexdigest() != RANKS_SHA256:
        raise TruerefError(f"The token ranks {path.name} are missing or damaged. Install trueref again.")
    return {token: rank for rank, token in enumerate(tokens)}


def _tokens_of(packed: bytes) -> list[bytes]:
    """The tokens of the shipped file, which has the lengths of all of them and then their bytes.

    A token's rank is its place. Ranks and base64, as published, would add half of this to the file, and a plain
    installation is to be small.
    """
    ends = accumulate(packed[:TOKENS], initial=TOKENS)
    return [packed[start:end] for start, end in pairwise(ends)]
