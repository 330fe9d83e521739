"""From a question to the sections that may answer it: plan, search, rank, gather."""
