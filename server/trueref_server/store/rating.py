"""What a reader says of an answer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rating:
    """What a reader sends. `source` is the number of a source, None for the answer as a whole."""

    answer_id: str
    helpful: bool
    source: int | None = None
    reason: str = ""
    comment: str = ""
