"""The readers of all kinds of blocks. A new kind is a module of this folder, and a row here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from trueref_plugin.reading.blocks.bold_lines import BoldLineReader
from trueref_plugin.reading.blocks.code import CodeReader
from trueref_plugin.reading.blocks.definitions import DefinitionReader
from trueref_plugin.reading.blocks.docstrings import DocstringReader
from trueref_plugin.reading.blocks.doxygen_members import DoxygenMemberReader
from trueref_plugin.reading.blocks.indented_entries import IndentedEntryReader
from trueref_plugin.reading.blocks.linked_names import LinkedNameReader
from trueref_plugin.reading.blocks.lists import ListReader
from trueref_plugin.reading.blocks.named_items import NamedItemReader, NamedListReader
from trueref_plugin.reading.blocks.named_lines import NamedLineReader
from trueref_plugin.reading.blocks.pdoc_objects import PdocObjectReader
from trueref_plugin.reading.blocks.preformatted import PreformattedReader
from trueref_plugin.reading.blocks.questions import QuestionReader
from trueref_plugin.reading.blocks.quoted_definitions import QuotedDefinitionReader
from trueref_plugin.reading.blocks.rdoc_methods import RdocMethodReader
from trueref_plugin.reading.blocks.scribble_entries import ScribbleEntryReader
from trueref_plugin.reading.blocks.signatures import SignatureReader
from trueref_plugin.reading.blocks.tables import TableReader
from trueref_plugin.reading.blocks.tabs import MixedSetReader, RoleTabReader, TabbedSetReader
from trueref_plugin.reading.walk import BlockReader

BLOCK_READERS: Final[tuple[Callable[[], BlockReader], ...]] = (
    # Before code: a signature may be a `pre`.
    SignatureReader,
    # Before code: such a text is a `pre` too.
    PreformattedReader,
    CodeReader,
    # Before tables: such an entry is a table.
    ScribbleEntryReader,
    # Before lists: a list with the role of tabs is the row of their labels.
    RoleTabReader,
    # Before lists: a list of questions is a list.
    QuestionReader,
    # Before lists: such entries stand in a list.
    NamedItemReader,
    NamedListReader,
    ListReader,
    # Before tables: the terms of groff stand in tables.
    IndentedEntryReader,
    TableReader,
    DefinitionReader,
    QuotedDefinitionReader,
    TabbedSetReader,
    MixedSetReader,
    DocstringReader,
    DoxygenMemberReader,
    PdocObjectReader,
    RdocMethodReader,
    LinkedNameReader,
    # Before lines without a name: a bold line with a name begins a section.
    NamedLineReader,
    BoldLineReader,
)
"""The readers of all kinds of blocks. The first one that takes an element reads it. Every page gets new readers,
because some readers remember elements of their page."""
