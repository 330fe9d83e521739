"""The program's own sentences in an answer, in the reader's language.

They are in one table with the words of the widget: `trueref_widget/languages/` has one file for each language.
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


class WordingTable(msgspec.Struct, frozen=True):
    """One file of the table: the words of the widget's button, panel and PDF viewer, and those of the server."""

    pill: dict[str, str]
    widget: dict[str, str]
    pdf: dict[str, str]
    server: dict[str, str]


def sentences(language: str | None) -> Mapping[str, str]:
    """The server's sentences by name; English if the language is unknown or has no file.

    Args:
        language: A language tag such as `fr` or `pt-BR`, as a page has it in `html[lang]`.
    """
    # Without the region: one file serves all regions of a language.
    primary = language_of(language or "")
    return read_table(primary if primary in trueref_widget.LANGUAGES else ENGLISH).server


@cache
def read_table(language: str) -> WordingTable:
    """The table of a language that has a file."""
    return msgspec.json.decode((FOLDER / f"{language}.json").read_bytes(), type=WordingTable)
