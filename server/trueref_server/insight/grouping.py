"""Groups questions by meaning."""

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

QUESTIONS_MOST: Final = 2000
"""Different questions that are compared; the time grows with their number times that of the groups."""
NEAR: Final = {"meaning": 0.36, "words": 0.24}
"""The least cosine to the middle of a group, by what is compared; docs/decisions/insight.md has how it was chosen."""


def group_questions(
    questions: Sequence[tuple[str, int]], embedder: Embedder | None, names: Sequence[str] = ()
) -> list[list[int]]:
    """Put questions that mean about the same into one group.

    The most asked come first and begin groups; each of the others joins the group whose middle it is nearest to, or
    begins one. Then all are assigned once more, since the middles have moved. The result does not depend on chance.

    Args:
        questions: Different questions, and how often each was asked.
        embedder: The index's own. Without one, questions are compared by their words.
        names: Those of the sites. Left in, "install Kiln" would be nearer to "remove Kiln" than to "set it up".

    Returns:
        Groups of positions in `questions`, most asked first, and within a group the same. Questions past the
        first two thousand have no group.
    """
    # The most asked first, then by text: which question begins a group must not depend on the order of the store.
    order = sorted(range(len(questions)), key=lambda at: (-questions[at][1], questions[at][0]))[:QUESTIONS_MOST]
    if not order:
        return []
    # With the names left in, .60 of the pairs that were put together belonged together, and 1.0 without
    # (`docs/decisions/insight.md`).
    texts = [_without(names, questions[at][0]) for at in order]
    vectors = _by_words(texts) if embedder is None else np.stack(list(embedder.embed(texts)))
    near = NEAR["words" if embedder is None else "meaning"]
    # Greedy: no library and no chance, and the most asked question of a group is its title by construction.
    groups = _assigned(vectors, _middles(vectors, near), near)
    positions = [[order[at] for at in group] for group in groups]
    return sorted(positions, key=lambda group: (-sum(questions[at][1] for at in group), order.index(group[0])))


def _without(names: Sequence[str], text: str) -> str:
    """A text without the names in it, unless it has nothing else."""
    if not names:
        return text
    alternatives = "|".join(map(re.escape, names))
    other_words = re.sub(rf"\b(?:{alternatives})\b", " ", text, flags=re.IGNORECASE)
    return other_words if re.search(r"\w", other_words) else text


def _middles(vectors: Vectors, near: float) -> Vectors:
    """The middles of the groups that form when every vector joins the nearest or begins one."""
    sums, middles = [vectors[0]], [vectors[0]]
    for vector in vectors[1:]:
        cosines = np.stack(middles) @ vector
        best = int(np.argmax(cosines))
        if cosines[best] >= near:
            sums[best] = sums[best] + vector
            middles[best] = _unit(sums[best])
        else:
            sums.append(vector)
            middles.append(vector)
    return np.stack(middles)


def _assigned(vectors: Vectors, middles: Vectors, near: float) -> list[list[int]]:
    """Every vector in the group of the nearest middle; one that is near to none stands alone."""
    cosines = vectors @ middles.T
    groups: dict[int, list[int]] = {}
    alone = len(middles)
    for at, row in enumerate(cosines):
        best = int(np.argmax(row))
        groups.setdefault(best if row[best] >= near else alone + at, []).append(at)
    return list(groups.values())


def _by_words(texts: Sequence[str]) -> Vectors:
    """One row of length 1 for each text, by the stems of its words: the rarer, the longer."""
    stems_of_texts = [content_stems(text) for text in texts]
    counts = Counter(stem for each in stems_of_texts for stem in each)
    column = {stem: at for at, stem in enumerate(sorted(counts))}
    rows = np.zeros((len(texts), max(1, len(column))), np.float32)
    for row, each in zip(rows, stems_of_texts, strict=True):
        for stem in each:
            row[column[stem]] = math.log(1 + len(texts) / counts[stem])
    return np.stack([_unit(row) for row in rows])


def _unit(vector: Vectors) -> Vectors:
    """A vector at length 1, so that a product is a cosine; zeros stay."""
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector
