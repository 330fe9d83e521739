"""Cleans the characters of a text before it is read: one kind of line break, and nothing invisible."""

from __future__ import annotations

from collections.abc import Iterable


def _all(*ranges: tuple[int, int]) -> Iterable[int]:
    """All characters of some ranges, first and last included."""
    return (code for first, last in ranges for code in range(first, last + 1))


# Controls, and what changes how a text looks but not what it says: soft hyphens, zero-width spaces, overrides of the
# writing direction, tags. Joiners stay: several scripts need them.
INVISIBLE = tuple(
    _all(
        *((0x00, 0x08), (0x0B, 0x0C), (0x0E, 0x1F), (0x7F, 0x9F), (0xAD, 0xAD), (0x200B, 0x200B), (0x202A, 0x202E)),
        *((0x2060, 0x2060), (0x2066, 0x2069), (0xFEFF, 0xFEFF), (0xE0000, 0xE007F)),
    )
)
SEPARATORS = (0x2028, 0x2029)
# Half of a character, which no UTF-8 has.
SURROGATES = tuple(_all((0xD800, 0xDFFF)))

REPLACED = dict.fromkeys(INVISIBLE, "") | dict.fromkeys(SEPARATORS, "\n") | dict.fromkeys(SURROGATES, "\ufffd")


class Cleaner:
    """Cleans a text piece by piece. Wherever it is cut, the pieces joined are the same."""

    def __init__(self) -> None:
        self._after_return = False

    def clean(self, piece: str) -> str:
        """The next piece with one kind of line break, and without what nobody sees."""
        if not self._after_return and _is_clean(piece):
            return piece
        text = piece[1:] if self._after_return and piece[0] == "\n" else piece
        # A return at the end of a piece may be half of a line break, whose other half comes with the next piece.
        self._after_return = piece[-1] == "\r"
        return text.replace("\r\n", "\n").replace("\r", "\n").translate(REPLACED)


def _is_clean(piece: str) -> bool:
    """Whether no character needs a look: what is replaced is not printable, and neither is a return."""
    return piece.isprintable() or piece.replace("\n", "").replace("\t", "").isprintable()
