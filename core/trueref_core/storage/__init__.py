"""Files on disk that are there whole or not at all, and known to be the ones that were written."""
