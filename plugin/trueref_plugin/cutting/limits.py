"""The sizes of a chunk, in characters unless another unit is named. Source: the design, section 4, "Cut"."""

from __future__ import annotations

from typing import Final

TARGET: Final = 750
MINIMUM: Final = 200
"""Not for a unit that is complete: all the text between two code blocks, say."""
MAXIMUM: Final = 1000
"""Including overlap. Code is exempt: a block of code is never cut."""
OVERLAP_LEAST: Final = 100
OVERLAP_MOST: Final = 200
LEAD_IN_MOST: Final = 200
VALID_ANCHORS_MOST: Final = 50
CHILDREN_MOST: Final = 50
"""Sections under its own that a chunk names: each chunk of a section names them again."""
TWIN_LEAST: Final = 40
"""Shorter texts agree by chance, so they say the same as no other."""

WORDPIECES: Final = 254
"""What the shipped embedder reads of a text: 256 less the two marks it adds itself."""
WORDPIECES_LEAST: Final = 96
"""Left for the text even where titles are so long that they fill the embedder's window."""
