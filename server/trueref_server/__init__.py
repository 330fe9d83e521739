"""Question time: search an index, answer from it, and serve both over HTTP. Never imports `trueref_plugin`."""

__all__ = ["answering", "evaluation", "insight", "records", "service", "serving", "settings", "store"]
