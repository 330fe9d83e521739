"""From texts to vectors, whatever model makes them and whatever library runs it."""

__all__ = ["bundled_model", "embedder", "model_languages", "packed_wordpieces", "vocabulary", "word_vectors"]
