"""Measures how well questions find their sections: it makes figures, intervals and misses of cases and results."""

__all__ = [
    "bootstrap",
    "case_runs",
    "cases",
    "evaluation_report",
    "gold",
    "judgements",
    "nuggets",
    "outcomes",
    "required_figures",
    "risk_coverage",
    "template",
]
