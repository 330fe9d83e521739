"""Links: the target that a link names, whether that target exists, and which one was meant if it does not."""

__all__ = ["link_target", "resolve", "section_graph", "target_lookup"]
