"""From the blocks of a page to its chunks."""
