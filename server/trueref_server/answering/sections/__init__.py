"""What a section says: its blocks as they stand on the page, and the passages that they make."""

__all__ = ["announcements", "histories", "passage", "passages", "section_blocks"]
