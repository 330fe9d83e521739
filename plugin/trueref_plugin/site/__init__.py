"""A whole site as records: its pages, base URL, versions, redirects, kinds, and edges between pages."""

__all__ = ["base_url", "centrality", "page_edges", "redirects", "site_reader"]
