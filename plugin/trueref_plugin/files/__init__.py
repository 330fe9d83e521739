"""The files of a finished site, and what is remembered of them from one build to the next."""
