"""The sizes of a chunk, in characters unless another unit is named. See `docs/decisions/chunks.md`.

If you change one, the same page gets other chunks: raise `CUTTER_VERSION` in `trueref_core/version.py` by one.
"""

from __future__ import annotations

from typing import Final

TARGET: Final = 750
"""With titles and an overlap this fits into the 256 wordpieces that the embedder reads."""
MINIMUM: Final = 200
"""A shorter text says too little to stand alone, unless it is complete: all text between two blocks of code, say."""
MAXIMUM: Final = 1000
"""Including overlap. Code is exempt: half a block of code can be neither read nor copied."""
OVERLAP_LEAST: Final = 100
OVERLAP_MOST: Final = 200
"""Room for the sentence that the next one refers to. More would only put the same text twice into the index."""
LEAD_IN_MOST: Final = 200
"""A block of code is introduced by a sentence. A longer text is a paragraph, which has a chunk of its own."""
VALID_ANCHORS_MOST: Final = 50
"""Ids of its section that a chunk lists at most. A generated page of options may have thousands."""
CHILDREN_MOST: Final = 50
"""Subsections that a chunk lists at most: every chunk of a section repeats the list."""
TWIN_LEAST: Final = 40
"""Shorter texts are equal by chance, so they do not count as twins."""

WORDPIECES: Final = 254
"""Wordpieces of a text that the shipped embedder reads: 256 less the two marks that it adds itself."""
WORDPIECES_LEAST: Final = 96
"""Wordpieces that are left for the text even if the titles are so long that they fill the embedder's window."""
