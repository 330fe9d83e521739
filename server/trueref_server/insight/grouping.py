"""Groups questions by meaning, with a greedy clustering by cosine."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from trueref_server.corpus.words import content_stems

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trueref_core.embedding.embedder import Embedder

    Vectors = NDArray[np.float32]

MAX_QUESTIONS: Final = 2000
"""At most this many questions are grouped: the time grows with their number times the number of groups."""
MIN_COSINE: Final = {"meaning": 0.36, "words": 0.24}
"""A question joins a group if its cosine to the group's centroid is at least this, with vectors of meaning and of
words. docs/decisions/insight.md tells how the values were chosen."""


def group_questions(
    questions: Sequence[tuple[str, int]], embedder: Embedder | None, names: Sequence[str] = ()
) -> list[list[int]]:
    """Put questions that mean about the same into one group.

    From the most asked question on, each joins the group with the nearest centroid, or begins a group if none is near
    enough. Then all are assigned once more, since the centroids have moved. The result is the same each time.

    Args:
        questions: Questions, no two the same, each with the number of times that it was asked.
        embedder: The embedder of the index; None compares questions by their words.
        names: The names of the sites, which are left out of the comparison: otherwise "install Kiln" would be nearer to
            "remove Kiln" than to "set it up".

    Returns:
        Groups of positions in `questions`: the most asked group first, and in a group the most asked question first.
        Questions beyond the `MAX_QUESTIONS` most asked are in no group.
    """
    # The most asked first, then by text: which question begins a group must not depend on the order of the store.
    order = sorted(range(len(questions)), key=lambda index: (-questions[index][1], questions[index][0]))[:MAX_QUESTIONS]
    if not order:
        return []
    # With the names, .60 of the pairs in a group belonged together; without them, all did
    # (`docs/decisions/insight.md`).
    texts = [_without_names(names, questions[index][0]) for index in order]
    vectors = _word_vectors(texts) if embedder is None else np.stack(list(embedder.embed(texts)))
    min_cosine = MIN_COSINE["words" if embedder is None else "meaning"]
    # Greedy clustering needs no library and no random numbers, and gives each group its most asked question first.
    groups = _assign(vectors, _centroids(vectors, min_cosine), min_cosine)
    # From positions among the texts to positions in `questions`.
    position_groups = [[order[index] for index in group] for group in groups]
    return sorted(
        position_groups,
        key=lambda group: (-sum(questions[position][1] for position in group), order.index(group[0])),
    )


def _without_names(names: Sequence[str], text: str) -> str:
    """A text without the names in it, unless it has nothing else."""
    if not names:
        return text
    alternatives = "|".join(map(re.escape, names))
    other_words = re.sub(rf"\b(?:{alternatives})\b", " ", text, flags=re.IGNORECASE)
    return other_words if re.search(r"\w", other_words) else text


def _centroids(vectors: Vectors, min_cosine: float) -> Vectors:
    """The centroids of the groups that form if each vector joins the nearest group or begins one."""
    sums, centroids = [vectors[0]], [vectors[0]]
    for vector in vectors[1:]:
        cosines = np.stack(centroids) @ vector
        nearest = int(np.argmax(cosines))
        if cosines[nearest] >= min_cosine:
            sums[nearest] = sums[nearest] + vector
            centroids[nearest] = _unit(sums[nearest])
        else:
            sums.append(vector)
            centroids.append(vector)
    return np.stack(centroids)


def _assign(vectors: Vectors, centroids: Vectors, min_cosine: float) -> list[list[int]]:
    """Groups of vectors by nearest centroid; a vector that is near to none is a group of its own."""
    cosines = vectors @ centroids.T
    groups: dict[int, list[int]] = {}
    first_single = len(centroids)
    for index, row in enumerate(cosines):
        nearest = int(np.argmax(row))
        groups.setdefault(nearest if row[nearest] >= min_cosine else first_single + index, []).append(index)
    return list(groups.values())


def _word_vectors(texts: Sequence[str]) -> Vectors:
    """A unit vector for each text, with a weight for each stem of its words: the rarer the stem, the larger."""
    stems_of_texts = [content_stems(text) for text in texts]
    counts = Counter(stem for stems in stems_of_texts for stem in stems)
    column = {stem: index for index, stem in enumerate(sorted(counts))}
    rows = np.zeros((len(texts), max(1, len(column))), np.float32)
    for row, stems in zip(rows, stems_of_texts, strict=True):
        for stem in stems:
            row[column[stem]] = math.log(1 + len(texts) / counts[stem])
    return np.stack([_unit(row) for row in rows])


def _unit(vector: Vectors) -> Vectors:
    """A vector scaled to length 1, so that a dot product is a cosine; a zero vector stays as it is."""
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector
