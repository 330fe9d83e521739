"""How well questions find their sections: cases and results in, figures, intervals, misses and limits out."""
