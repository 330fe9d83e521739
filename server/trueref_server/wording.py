"""The program's own sentences in an answer, in the reader's language.

They stand in one table with the words of the widget: `trueref_widget/languages/`, one file a language.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

import trueref_widget
from trueref_core.text.word_forms import ENGLISH, language_of

FOLDER: Final = Path(trueref_widget.__file__).parent / "languages"


class Table(msgspec.Struct, frozen=True):
    """A file of the table: what the button, the panel and the PDF viewer of the widget say, and the server."""

    pill: dict[str, str]
    widget: dict[str, str]
    pdf: dict[str, str]
    server: dict[str, str]


def sentences(language: str | None) -> Mapping[str, str]:
    """The server's sentences by name; English for a language that is not shipped, or if none is known.

    Args:
        language: A language tag such as `fr` or `pt-BR`, as a page has it in `html[lang]`.
    """
    # Without the region: the table has one file for a language.
    primary = language_of(language or "")
    return read_table(primary if primary in trueref_widget.LANGUAGES else ENGLISH).server


@cache
def read_table(language: str) -> Table:
    """The file of a language that is shipped."""
    return msgspec.json.decode((FOLDER / f"{language}.json").read_bytes(), type=Table)
