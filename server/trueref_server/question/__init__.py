"""A question as it is understood: its words, what it leans on, what it is after, whom it is asked for."""
