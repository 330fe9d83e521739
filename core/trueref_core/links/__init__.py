"""Links: the target that a link names, whether it exists, and which target was meant if it does not."""

__all__ = ["link_target", "resolve", "section_graph", "target_lookup"]
