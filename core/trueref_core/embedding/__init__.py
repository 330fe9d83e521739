"""From texts to vectors. Hides which model makes them, and what runs it."""

__all__ = ["bundled_model", "embedder", "model_languages", "vocabulary"]
