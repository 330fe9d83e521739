"""Reads definitions that their author only indented: a short paragraph as the term, and a quotation as its description.

Sphinx makes quotations of what is indented behind a blank line: the manuals of Varnish and Buildbot describe so most of
their variables and parameters.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.elements import children, directly_behind, first_element
from trueref_plugin.reading.entries import EntryReader
from trueref_plugin.reading.inline import inline_text
from trueref_plugin.reading.markup.clean import is_dropped
from trueref_plugin.reading.walk import BlockReader, Walk

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from trueref_core.records import ChunkKind

_MIN_TERMS: Final = 3
"""How many such terms stand in one element at least. A single one may be the name of the person who is quoted."""
_MAX_WORDS: Final = 8
"""Words of a term at most."""
_WITHIN_SENTENCE: Final = re.compile(
    r"(?:and|or|but|then|which|that|where|when|with|without|to|into|in|on|at|by|for|from|of|is|are|was|will|would|can|"
    r"as|if|it|this|the|an?)\s"
)
"""Matches the beginning of a part of a sentence, whose other parts stand in the quotations."""
_ENDS: Final = (".", "!", "?", ",", ";", "\u2026", "\u3002")
"""What sentences and parts of them end with."""


class QuotedDefinitionReader(BlockReader):
    """Reads such terms and descriptions that follow each other as the entries of one list, like those of a `dl`."""

    def __init__(self) -> None:
        self._terms: dict[int, frozenset[int]] = {}
        """By element (`mem_id`): the terms in it. This is remembered, so that its children are looked at once."""

    def takes(self, node: LexborNode, classes: Collection[str]) -> bool:  # noqa: ARG002 # its neighbours tell
        """See `BlockReader`."""
        parent = node.parent
        if node.tag != "p" or parent is None or _description_of(node) is None:
            return False
        if parent.mem_id not in self._terms:
            terms = frozenset(child.mem_id for child in children(parent) if _is_term(child))
            self._terms[parent.mem_id] = terms if len(terms) >= _MIN_TERMS else frozenset()
        return node.mem_id in self._terms[parent.mem_id]

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:  # noqa: ARG002 # a definition is its own kind
        """See `BlockReader`."""
        outer, section = walk.page.enter(), walk.page.current_section
        entries = EntryReader(walk, node)
        term: LexborNode | None = node
        while term is not None and self.takes(term, ()):
            description = _description_of(term)
            if description is None:
                break
            entries.read_entry(term, description)
            walk.skip(term)
            walk.skip(description)
            term = directly_behind(description)
        walk.page.leave(outer)
        walk.page.current_section = section


def _is_term(node: LexborNode) -> bool:
    """Whether a node is a paragraph of a few words, and no sentence, with its description behind it."""
    if node.tag != "p" or _description_of(node) is None or is_dropped(node):
        return False
    text = inline_text(node)
    is_short = 0 < len(text.split()) <= _MAX_WORDS
    return is_short and ":" not in text and not text.endswith(_ENDS) and _WITHIN_SENTENCE.match(text) is None


def _description_of(term: LexborNode) -> LexborNode | None:
    """The quotation right behind a paragraph, as Sphinx writes it: with a box in it. None if it is something else."""
    quotation = directly_behind(term)
    if quotation is None or quotation.tag != "blockquote" or is_dropped(quotation):
        return None
    box = first_element(quotation)
    return quotation if box is not None and box.tag == "div" else None
