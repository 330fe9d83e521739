"""Compares passages with a question word by word: by what the index has of their chunks, or by reading them now.

The index has the vectors of the wordpieces of each line of a chunk, so that no model runs to compare a passage. The
lines of a passage are looked up among those of its section. Some are not there: lines that are put together from
several, and those behind the beginning of a long chunk, which is all that the embedder reads. A passage with too many
such lines is read by the embedder when it competes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from trueref_core.embedding.packed_wordpieces import LETTER_OR_DIGIT, unpack

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from trueref_core.records import Chunk
    from trueref_server.answering.candidates import PassageCandidate
    from trueref_server.ranking.late_interaction import LateInteraction
    from trueref_server.ranking.weighted_question import WeightedQuestion

    Bits = NDArray[np.uint8]
    """Packed wordpieces, a row for each, as `unpack` gives those of a line."""

    Comparable = str | Bits
    """What a passage is compared by: its packed wordpieces, or the text that the embedder has to read."""

MIN_COVERED: Final = 0.6
"""The least share of the characters of a passage that have to be in lines whose wordpieces the index has. Lines of
signs alone, such as the one below the header of a table, are not counted."""


class PassageComparison:
    """Compares the passages of an answer with its question and the parts of it. Only one thread may use it.

    Args:
        late: Compares words, and reads what the index does not have.
        stored: The packed wordpieces of chunks by chunk id.
    """

    def __init__(self, late: LateInteraction, stored: Mapping[str, bytes]) -> None:
        self._late = late
        self._stored = stored
        self._lines_by_chunk: dict[str, dict[str, Bits]] = {}

    def comparable(self, candidate: PassageCandidate) -> Comparable:
        """What a passage and its headings are compared by."""
        stored = self._wordpieces(candidate)
        return candidate.text_with_headings if stored is None else stored

    def similarities(self, question: WeightedQuestion, passages: Sequence[Comparable]) -> list[float] | None:
        """How similar each passage is to the words of a question, see `LateInteraction.max_sim`."""
        return self._late.max_sim(question, passages)

    def _wordpieces(self, candidate: PassageCandidate) -> Bits | None:
        """The wordpieces of a passage and its headings; None if too few of its lines have any in the index."""
        import numpy as np

        chunks = candidate.section.hit.in_page_order
        at = next(at for at, chunk in enumerate(chunks) if chunk.id == candidate.passage.chunk)
        # The chunk in which the passage begins comes first: others may have the same line.
        from_its_own = [*chunks[at:], *chunks[:at]]
        lines = filter(LETTER_OR_DIGIT.search, dict.fromkeys(line.strip() for line in candidate.text.split("\n")))
        found = {line: self._line(line, from_its_own) for line in lines}
        covered = sum(len(line) for line, bits in found.items() if bits is not None)
        # Of a long table only the header and one row compete, and without the row nothing of it would be compared.
        needed = MIN_COVERED if candidate.text == candidate.passage.text else 1.0
        if not covered or covered < needed * sum(map(len, found)):
            return None
        titles = (chunks[at].embedded_text.partition("\n")[0].strip(), candidate.passage.heading.strip())
        found |= {title: self._line(title, from_its_own) for title in titles}
        return np.concatenate([bits for bits in found.values() if bits is not None])

    def _line(self, line: str, chunks: Sequence[Chunk]) -> Bits | None:
        """The wordpieces of a line in the first of some chunks that has it; None if none has it."""
        return next((lines[line] for lines in map(self._lines_of, chunks) if line in lines), None)

    def _lines_of(self, chunk: Chunk) -> dict[str, Bits]:
        """The wordpieces of each line of a chunk, by the line without white space around it."""
        if chunk.id not in self._lines_by_chunk:
            self._lines_by_chunk[chunk.id] = self._read_lines(chunk)
        return self._lines_by_chunk[chunk.id]

    def _read_lines(self, chunk: Chunk) -> dict[str, Bits]:
        """The wordpieces of the lines of a chunk; none if the index has none of this text."""
        packed = unpack(self._stored.get(chunk.id, b""), self._late.embedder.dimensions) or []
        lines: dict[str, Bits] = {}
        # The embedder reads no more than the beginning of a long chunk.
        for line, bits in zip(chunk.embedded_text.split("\n"), packed, strict=False):
            lines.setdefault(line.strip(), bits)
        return lines
