"""Reads a whole site as records: its pages with their kinds, versions and redirects, its base URL, and its links."""

__all__ = ["base_url", "centrality", "page_edges", "redirects", "site_reader"]
