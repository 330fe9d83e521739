"""The gate between an answerer and a reader: no link leaves it that the manifest does not know."""

__all__ = ["gate", "reference_links"]
