"""Build time: read a finished site, cut it into chunks, embed and publish them. Never imports `trueref_server`."""

__all__ = ["build", "checking", "hosts", "progress", "site"]
