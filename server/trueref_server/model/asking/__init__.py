"""Requests to a model: the numbered sources, the conversation, the prompt, the budget, the endpoint."""

__all__ = ["budget", "chunks", "endpoint", "numbered_sources", "prompt"]
