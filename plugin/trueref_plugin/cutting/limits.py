"""The sizes of a chunk, in characters unless another unit is named. See `docs/decisions/chunks.md`.

Whoever changes one makes other chunks of the same page: `CUTTER_VERSION` in `trueref_core/version.py` goes one up.
"""

from __future__ import annotations

from typing import Final

TARGET: Final = 750
"""Titles and an overlap fit beside it into the 256 wordpieces that the embedder reads."""
MINIMUM: Final = 200
"""Less says too little to stand alone. Not for a unit that is complete: all text between two blocks of code, say."""
MAXIMUM: Final = 1000
"""Including overlap. Code is exempt: half a block of code can be neither read nor copied."""
OVERLAP_LEAST: Final = 100
OVERLAP_MOST: Final = 200
"""The sentence that the next one leans on fits in. More would be the same text twice in what is searched."""
LEAD_IN_MOST: Final = 200
"""What introduces a block of code is a sentence. A longer one is a paragraph, which has a chunk of its own."""
VALID_ANCHORS_MOST: Final = 50
"""Ids of its section that a chunk names. A generated page of options may have thousands."""
CHILDREN_MOST: Final = 50
"""Sections under its own that a chunk names: each chunk of a section names them again."""
TWIN_LEAST: Final = 40
"""Shorter texts agree by chance, so they say the same as no other."""

WORDPIECES: Final = 254
"""What the shipped embedder reads of a text: 256 less the two marks it adds itself."""
WORDPIECES_LEAST: Final = 96
"""Left for the text even where titles are so long that they fill the embedder's window."""
