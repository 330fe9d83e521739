"""From the bytes of a built page to its anchors, sections and blocks."""
