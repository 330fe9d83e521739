"""Pages and anchors of a generation: the look-up, the files they are written to, what earlier builds had."""
