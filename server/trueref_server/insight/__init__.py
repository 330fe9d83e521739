"""The report for maintainers: which questions the docs do not answer, and what readers say of the answers."""

__all__ = ["exported_cases", "page", "report", "report_builder", "tally"]
