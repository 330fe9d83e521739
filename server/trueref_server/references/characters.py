"""Cleans the characters of a text before it is read: one kind of line break, and nothing invisible."""

from __future__ import annotations

CONTROLS = {*range(0x09), *range(0x0B, 0x0D), *range(0x0E, 0x20), *range(0x7F, 0xA0)}
# What changes how a text looks but not what it says: soft hyphens, zero-width spaces, overrides of the writing
# direction, tags. Joiners stay: several scripts need them.
INVISIBLE = {0xAD, 0x200B, *range(0x202A, 0x202F), 0x2060, *range(0x2066, 0x206A), 0xFEFF, *range(0xE0000, 0xE0080)}
SEPARATORS = (0x2028, 0x2029)
# Half of a character, which no UTF-8 has.
SURROGATES = range(0xD800, 0xE000)

REPLACED = (
    dict.fromkeys(CONTROLS | INVISIBLE, "") | dict.fromkeys(SEPARATORS, "\n") | dict.fromkeys(SURROGATES, "\ufffd")
)


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
