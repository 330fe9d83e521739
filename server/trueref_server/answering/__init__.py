"""From evidence to an answer whose every source is a row of the manifest."""
