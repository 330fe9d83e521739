"""The build of an index, from a site folder to a published generation, and what a build writes into the site."""

__all__ = ["build", "preview", "server_parts", "site_assets", "site_exports", "site_removal", "widget_pages"]
