"""The sizes of a chunk, in characters unless another unit is named. See `docs/decisions/chunks.md`.

If you change a size, the same page gets other chunks: raise `CUTTER_VERSION` in `trueref_core/version.py` by one.
"""

from __future__ import annotations

from typing import Final

TARGET: Final = 750
"""The size that a chunk should have. With titles and an overlap it fits into the 256 wordpieces that the embedder
reads."""
MINIMUM: Final = 200
"""A shorter text says too little to stand alone, unless it is complete, such as all text between two blocks of code."""
MAXIMUM: Final = 1000
"""The size includes the overlap. Code may be longer: half a block of code can be neither read nor copied."""
MIN_OVERLAP: Final = 100
MAX_OVERLAP: Final = 200
"""Room for the sentence that the next one refers to. A longer overlap would only repeat more text in the index."""
MAX_LEAD_IN: Final = 200
"""The length of a sentence that introduces a block of code. A longer text is a paragraph, which is in another chunk."""
MAX_VALID_ANCHORS: Final = 50
"""Ids of its section that a chunk lists at most. A generated page of options may have thousands of ids."""
MAX_CHILDREN: Final = 50
"""Subsections that a chunk lists at most: every chunk of a section repeats the list."""
MIN_TWIN: Final = 40
"""Shorter texts may be equal by chance, so they do not count as twins (see `twin_key`)."""

WORDPIECES: Final = 254
"""Wordpieces of a text that the shipped embedder reads: 256, less the two special tokens that it adds itself."""
MIN_WORDPIECES: Final = 96
"""Wordpieces that a text may have even if its titles are so long that they fill the window of the embedder."""
