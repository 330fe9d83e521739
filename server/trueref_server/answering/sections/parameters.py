"""Finds the parameters of a function: lists and tables with a title, and tables whose header names them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from trueref_core.text.table_rows import split_row, split_table
from trueref_server.answering.sections.section_blocks import items_of

if TYPE_CHECKING:
    from trueref_server.records import ExcerptBlock

MAX_PARAMETERS: Final = 60
"""The parameters of a function are one passage if they have at most this many words together. If they have more, each
parameter is a passage: its name with what it means, under the function that it belongs to."""

_PARAMETERS: Final = re.compile(
    r"(?:(?:other |keyword |positional |optional |required )?(?:parameters?|arguments?|args|params)|kwargs|attributes|"
    r"variables|fields|members)\W{0,2}",
    re.IGNORECASE,
)
"""The title above parameters: a field of Sphinx, or a section of a docstring as mkdocstrings names it."""


def names_parameters(term: str) -> bool:
    """Whether a term is the title of the parameters of a function, or of the attributes of a class."""
    return _PARAMETERS.fullmatch(term) is not None


def are_parameters(block: ExcerptBlock, words: int) -> bool:
    """Whether a block is a table of parameters without a title, as mkdocstrings makes it in its `spacy` style.

    Args:
        block: The block.
        words: The words of the passage that it begins: few parameters are one passage.
    """
    header = split_table(block.text)[0] if block.kind == "table" and words > MAX_PARAMETERS else []
    titles = split_row(header[0]) if header else []
    header_match = _PARAMETERS.match(next(filter(None, titles), ""))
    # Only with a header in capitals: pages of prose have tables of options too, whose rows a reader may want to
    # compare.
    return header_match is not None and header_match[0].isupper()


def entries_of(block: ExcerptBlock) -> list[str]:
    """The items of a list, or the rows of a table, each under the header."""
    if block.kind == "list":
        return items_of(block.text)
    header, rows = split_table(block.text)
    return ["\n".join([*header, row]) for row in rows] or [block.text]
