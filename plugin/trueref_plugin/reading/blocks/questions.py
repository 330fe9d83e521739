"""Reads a list of questions with their answers: each question is a term, and its answer the description of the term."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.elements import children, first_line, has_class
from trueref_plugin.reading.inline import inline_text
from trueref_plugin.reading.markup.clean import clean_text, is_dropped
from trueref_plugin.reading.markup.containers import DEFINITIONS
from trueref_plugin.reading.targets import is_citable
from trueref_plugin.reading.walk import BlockReader, Walk

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from trueref_core.records import ChunkKind

_QUESTION_MARKS: Final = ("?", "\uff1f", "\u061f")
"""What a question ends with: also in Chinese and Japanese, and in Arabic."""

_MAX_QUESTION: Final = 300
"""Characters of a question at most. A longer text that ends with a question mark is a paragraph."""

_NAMED: Final = "[id], a[name]"
"""Selects the elements that a link can lead to."""

_QUESTIONS_OF_ASCIIDOC: Final = "qanda"
"""The class of the element around a list of questions: AsciiDoc. These need not end with a question mark."""


class QuestionReader(BlockReader):
    """Reads an `ol` in which every item begins with a question on a line of its own, and goes on with its answer.

    As a list with numbers it would be taken for steps, which are shown together.
    """

    def takes(self, node: LexborNode, classes: Collection[str]) -> bool:  # noqa: ARG002 # the items tell
        """See `BlockReader`."""
        if node.tag != "ol":
            return False
        items = list(_items(node))
        if node.parent is not None and has_class(node.parent, _QUESTIONS_OF_ASCIIDOC):
            return bool(items)
        return len(items) > 1 and all(map(_is_answered_question, items))

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:  # noqa: ARG002 # a definition is its own kind
        """See `BlockReader`."""
        page, outer_section = walk.page, walk.page.current_section
        container, outer = page.name_container(DEFINITIONS), page.enter()
        for number, item in enumerate(_items(node), 1):
            page.enter(f"{container}.{number}")
            _read_item(walk, item, outer_section)
            page.leave(outer)
        page.current_section = outer_section


def _read_item(walk: Walk, item: LexborNode, outer_section: int) -> None:
    """Reads a question as a term, and a section if it has an id. What follows it is the answer."""
    page = walk.page
    page.current_section = outer_section
    page.record_section(item)
    question = first_line(item)
    candidates = [item, *(named for part in question if part.tag != "-text" for named in (part, *part.css(_NAMED)))]
    # The mark of a footnote has an id too, so that the footnote can lead back to it.
    anchors = (node for node in candidates if is_citable(node, walk.unreachable) and not is_dropped(node))
    anchor = next(anchors, None)
    for part in question:
        page.record_section_of_ids(part)
        for inner in children(part) if part.tag == "p" else (part,):
            page.text.add(inner)
    text = page.take_text()
    if anchor is not None:
        page.open_section(anchor, "term", 0, _text_of(question), outer_section)
    elif text:
        page.add_block("definition", text, role="term")
    for child in islice(children(item), len(question), None):
        walk.child(child, "definition")
    page.flush("definition")


def _items(node: LexborNode) -> Iterator[LexborNode]:
    """The items of a list."""
    return (child for child in children(node) if child.tag == "li" and not is_dropped(child))


def _text_of(question: Iterable[LexborNode]) -> str:
    """The text of a question on one line, without backticks around code."""
    shown = (part for part in question if part.tag == "-text" or not is_dropped(part))
    return clean_text("".join(part.text() if part.tag == "-text" else inline_text(part) for part in shown))


def _is_answered_question(item: LexborNode) -> bool:
    """Whether an item begins with a question, and has something behind it."""
    question = first_line(item)
    text = _text_of(question)
    if not text.endswith(_QUESTION_MARKS) or len(text) > _MAX_QUESTION:
        return False
    following = islice(children(item), len(question), None)
    # Not the text of the elements: in nested lists, each would be read once for every list around it.
    return any(part.tag != "br" and (part.tag != "-text" or part.text().strip()) for part in following)
