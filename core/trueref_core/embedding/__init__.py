"""From texts to vectors. Hides which model makes them, and what runs it."""
