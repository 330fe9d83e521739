"""How well marks tell what the sources do not say, on labelled sentences of a real small model."""

from __future__ import annotations

from collections import Counter

from scripts.fact_check import figures, labelled


def test_precision_and_recall_on_real_sentences() -> None:
    """Floors, a little below what was measured: see docs/decisions/model-answers.md."""
    found = list(labelled())
    counts = Counter(one.label for one in found)
    assert len(found) - counts["states-nothing"] >= 200
    assert set(counts) == {"supported", "unsupported", "states-nothing"}
    measured = figures(found)
    assert measured["precision"] >= 0.95
    assert measured["recall"] >= 0.45
    assert measured["false_marks"] <= 0.05


def test_sentences_are_those_of_the_answers_and_labelled_once() -> None:
    texts = Counter((one.text, one.reason) for one in labelled())
    assert all(text.strip() == text and len(text.split()) >= 4 for text, _ in texts)
