"""What the store tells a maintainer: what the docs do not answer, and what readers say of the answers."""

__all__ = ["exported_cases", "page", "report", "report_builder", "tally"]
