"""A whole site as records: its pages, base URL, versions, redirects, kinds, and edges between pages."""
