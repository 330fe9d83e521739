"""How well questions find their sections: cases and results in, figures, intervals, misses and limits out."""

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
    "risk",
    "template",
]
