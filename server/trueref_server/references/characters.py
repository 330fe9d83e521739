"""Cleans a text before it is read: one kind of line break, and no invisible characters."""

from __future__ import annotations

CONTROLS = {*range(0x09), *range(0x0B, 0x0D), *range(0x0E, 0x20), *range(0x7F, 0xA0)}
# Characters that change the look of a text and not its meaning: soft hyphens, zero-width spaces, overrides of the
# writing direction, tags. Joiners stay, since several scripts need them.
INVISIBLE = {0xAD, 0x200B, *range(0x202A, 0x202F), 0x2060, *range(0x2066, 0x206A), 0xFEFF, *range(0xE0000, 0xE0080)}
SEPARATORS = (0x2028, 0x2029)
# Half of a character, which UTF-8 cannot encode.
SURROGATES = range(0xD800, 0xE000)

REPLACED = (
    dict.fromkeys(CONTROLS | INVISIBLE, "") | dict.fromkeys(SEPARATORS, "\n") | dict.fromkeys(SURROGATES, "\ufffd")
)


class Cleaner:
    """Cleans a text piece by piece. The cleaned text does not depend on where the pieces are cut."""

    def __init__(self) -> None:
        self._after_return = False

    def clean(self, piece: str) -> str:
        """The next piece, with one kind of line break and without invisible characters."""
        if not self._after_return and _is_clean(piece):
            return piece
        text = piece[1:] if self._after_return and piece[0] == "\n" else piece
        # A carriage return at the end of a piece may be the first half of a line break.
        self._after_return = piece[-1] == "\r"
        return text.replace("\r\n", "\n").replace("\r", "\n").translate(REPLACED)


def _is_clean(piece: str) -> bool:
    """Whether a piece can stay as it is: carriage returns and all characters that are replaced are unprintable."""
    return piece.isprintable() or piece.replace("\n", "").replace("\t", "").isprintable()
