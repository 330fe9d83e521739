"""Links: the target that a link names, whether it exists, and which target was meant if it does not."""
