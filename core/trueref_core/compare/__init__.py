"""Two states of a site compared: what moved, what was renamed, what is gone."""

__all__ = ["diff", "redirects"]
