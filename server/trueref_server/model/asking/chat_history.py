"""How much of the conversation a model reads: the last messages, in whole pairs, within a budget of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from trueref_core.text.tokens import count_tokens
from trueref_server.records import Exchange

MESSAGES_MOST: Final = 10
TOKENS_MOST: Final = 4000
"""cl100k tokens of all messages together."""


def recent(history: Sequence[Exchange]) -> list[Exchange]:
    """The last exchanges of a conversation, oldest first. One that does not fit ends them: never half a pair."""
    latest_first: list[Exchange] = []
    left = TOKENS_MOST
    # From the end: a follow-up leans on what was said last.
    for exchange in reversed(history[-(MESSAGES_MOST // 2) :]):
        left -= count_tokens(exchange.question) + count_tokens(exchange.answer)
        if left < 0:
            break
        latest_first.append(exchange)
    return latest_first[::-1]
