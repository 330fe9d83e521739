"""Groups the blocks of a section into passages by what they are in: a panel, a list, an admonition, a definition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from trueref_core.text.sentences import ALWAYS_END
from trueref_core.text.table_rows import count_words
from trueref_server.answering.sections.parameters import (
    MAX_PARAMETERS,
    are_parameters,
    entries_of,
    names_parameters,
)
from trueref_server.answering.sections.passage import Panel, Passage, PassageKind
from trueref_server.answering.sections.section_blocks import (
    SectionBlock,
    blocks_by_item,
    definition_inside,
    entry_of,
    frame_of,
    panels_of,
)
from trueref_server.records import ExcerptBlock

MAX_TOGETHER: Final = 150
"""The most words of an admonition or a definition that is one passage; a longer one is split into the passages inside
it."""

MAX_LIST: Final = 360
"""The most words of a list with code or boxes in its items that is one passage, as many as two screens have. A longer
one is a passage for each item, since the best two or three of its items are not beside each other."""

SENTENCE_ENDS: Final = (".", "!", "?", *ALWAYS_END)
"""The ends of a caption that is a sentence, and is shown where the picture was."""


class Grouping:
    """Groups blocks into passages by the panel, list, admonition or definition that they are in.

    A title becomes the caption of what follows it, and the caption of a frame that of the text in the frame.
    """

    def __init__(self) -> None:
        self._caption = ""
        # Captions of the frames around the next block, such as `Example 1` and `app.rb`, each with its frame.
        self._of_frames: list[tuple[str, str]] = []
        self._frames_with_text: frozenset[str] = frozenset()
        self._begins = False
        self._headings: list[tuple[tuple[str, ...], str]] = []
        self._question = ""

    def read(self, blocks: Sequence[SectionBlock]) -> list[Passage]:
        """The passages of some blocks, before paragraphs are joined to what they introduce."""
        self._frames_with_text = frozenset(
            step for block in blocks if block.role in ("text", "links") for step in block.path
        )
        passages: list[Passage] = []
        labels: dict[tuple[str, str], str] = {}
        for (panels, container), group in groupby(blocks, key=lambda block: (panels_of(block), _container_of(block))):
            members = list(group)
            entry = entry_of(container, members)
            # The first labels are those of the panels themselves: labels of tabs inside a panel come after its own.
            labels_of_group = (block.text.replace("`", "") for block in members if block.role == "label")
            for panel in panels:
                if panel not in labels:
                    labels[panel] = next(labels_of_group, "")
            named = tuple(Panel(*panel, labels[panel]) for panel in panels)
            inner_passages = self._of_container(container, members)
            passages.extend(replace(inner, entry=inner.entry or entry, panels=named) for inner in inner_passages)
        return passages

    def _of_container(self, container: str, group: list[SectionBlock]) -> Iterator[Passage]:
        """The passages of one list, admonition or definition: a single one if it is short enough."""
        kind = _KINDS.get(container[:1])
        if kind is None:
            for number, passage in enumerate(self._by_block(group)):
                yield from _split_parameters(passage, f"{passage.chunk}.{number}")
            return
        if kind == "definition" and _is_long_group(group, container):
            yield from self._of_group(container, group)
            return
        if kind == "list" and _is_long_list(group):
            for item in blocks_by_item(group, container):
                yield from self._of_item(container, item)
            return
        inner = list(self._by_block(group))
        if not inner:
            return
        # A list of text alone is one passage at any length: `excerpt` cuts it between items.
        word_limit = (
            MAX_PARAMETERS if kind == "definition" and names_parameters(inner[0].blocks[0].caption) else MAX_TOGETHER
        )
        if kind in ("list", "steps") or sum(passage.words for passage in inner) <= word_limit:
            blocks = tuple(block for passage in inner for block in passage.blocks)
            if kind == "admonition" and blocks[0].kind != "code":
                blocks = (replace(blocks[0], kind="admonition"), *blocks[1:])
            yield replace(inner[0], kind=kind, blocks=blocks)
        elif kind == "definition":
            # Each part gets the term: without it nobody could tell what the part belongs to.
            term = inner[0].blocks[0].caption
            captioned = (_with_caption(passage, term) for passage in inner)
            yield from _parameters(captioned, container) if names_parameters(term) else captioned
        else:
            yield from inner

    def _of_group(self, container: str, group: Sequence[SectionBlock]) -> Iterator[Passage]:
        """The passages of a definition that has definitions inside it, such as `Options` with an entry for each option.

        Each of these is a definition of its own. Without this, the text of one stood under the term of another.
        """
        term = next((_plain(block) for block in group if block.role == "term" and block.path[-1] == container), "")
        for inner_container, members in groupby(group, key=lambda block: definition_inside(block, container)):
            for passage in self._of_container(inner_container or container, list(members)):
                yield (
                    replace(passage, entry=passage.entry or inner_container)
                    if inner_container
                    else _with_caption(passage, term)
                )

    def _of_item(self, container: str, item: list[SectionBlock]) -> Iterator[Passage]:
        """The passages of one item of a long list: a single one if it is short enough, else also one for each box."""
        if _words_of(item) > MAX_TOGETHER:
            for inner_container, members in groupby(item, key=lambda block: _container_inside(block, container)):
                yield from self._of_container(inner_container, list(members))
        elif inner := list(self._by_block(item)):
            yield replace(inner[0], kind="list", blocks=tuple(block for passage in inner for block in passage.blocks))

    def _by_block(self, group: Sequence[SectionBlock]) -> Iterator[Passage]:
        """A passage for each block that has text; a heading or title before the block becomes its caption."""
        for block in group:
            frame = frame_of(block) if block.role == "caption" else ""
            if block.role == "heading":
                self._begin_part(block)
            elif frame and frame in self._frames_with_text:
                self._of_frames.append((frame, _plain(block)))
            elif frame and not block.text.endswith(SENTENCE_ENDS):
                # The name of a picture, which is not shown: without it the name says nothing.
                continue
            elif not frame and block.role not in ("text", "links"):
                self._caption = " · ".join(filter(None, (self._caption, _plain(block))))
            else:
                yield self._passage(block)

    def _passage(self, block: SectionBlock) -> Passage:
        """The passage of a block, with the caption that was read before it."""
        # If the code in an admonition has a title of its own, the caption has both titles.
        of_frames = (caption for frame, caption in self._of_frames if frame in block.path)
        caption = " · ".join(filter(None, (self._caption, *of_frames)))
        begins, is_titled = self._begins or not block.adjoins, self._begins and block.adjoins
        heading = self._question or self._heading_of(block)
        self._caption, self._of_frames, self._begins, self._question = "", [], False, ""
        shown = ExcerptBlock(block.kind, block.text, caption, block.code_language)
        return Passage(_kind_of(block), (shown,), block.chunk, begins=begins, is_titled=is_titled, heading=heading)

    def _begin_part(self, block: SectionBlock) -> None:
        """Takes a heading without an address: what follows inside the same boxes and panels stands below it."""
        heading, depth = _plain(block), len(block.path)
        if block.is_question:
            self._question = heading
        else:
            self._headings = [(path, text) for path, text in self._headings if len(path) < depth]
            self._headings.append((block.path, heading))
        self._caption, self._of_frames, self._begins = heading, [], True

    def _heading_of(self, block: SectionBlock) -> str:
        """The last heading before a block in the boxes and panels that the block is in; "" if there is none."""
        return next((text for path, text in reversed(self._headings) if block.path[: len(path)] == path), "")


def _is_long_group(blocks: Sequence[SectionBlock], container: str) -> bool:
    """Whether a definition has definitions inside it, and is too long to be one passage.

    A list of parameters is none, even if a parameter has a definition inside it: the list itself is split.
    """
    own_blocks = [block for block in blocks if not definition_inside(block, container)]
    is_list_of_parameters = any(block.role == "text" for block in own_blocks) and any(
        names_parameters(_plain(block)) for block in own_blocks if block.role == "term"
    )
    inner_terms = (_plain(block) for block in blocks if block.role == "term" and block not in own_blocks)
    limit = MAX_PARAMETERS if any(map(names_parameters, inner_terms)) else MAX_TOGETHER
    return _words_of(blocks) > limit and len(own_blocks) < len(blocks) and not is_list_of_parameters


def _is_long_list(blocks: Sequence[SectionBlock]) -> bool:
    """Whether a list is longer than two screens, and has code or boxes in its items.

    Such a list is a reference or a guide in the form of a list, such as the keys of a file with an example for each.
    """
    return _words_of(blocks) > MAX_LIST and any(block.kind != "list" for block in blocks if block.role == "text")


def _words_of(blocks: Sequence[SectionBlock]) -> int:
    return sum(count_words(block.text) for block in blocks if block.kind != "code")


def _plain(block: SectionBlock) -> str:
    """The text of a title as a caption: that is not Markdown, so the backticks around a term are removed."""
    return block.text.replace("`", "")


def _split_parameters(passage: Passage, container: str) -> Iterable[Passage]:
    """A passage; if it is a table of parameters, one for each of them."""
    is_split = are_parameters(passage.blocks[0], passage.words)
    return _parameters([passage], container) if is_split else [passage]


def _parameters(passages: Iterable[Passage], container: str) -> Iterator[Passage]:
    """The passages of a description of parameters, whose lists and tables are split: one passage for each parameter.

    What follows a parameter and is no list or table belongs to it: its example, say.
    """
    last_parameter: Passage | None = None
    for number, passage in enumerate(passages):
        first, *others = passage.blocks
        if first.kind in ("list", "table"):
            if last_parameter is not None:
                yield last_parameter
            *earlier_parameters, last_parameter = (
                replace(
                    passage,
                    blocks=(replace(first, text=text),),
                    entry=f"{container}:{number}.{row_number}",
                    is_parameter=True,
                )
                for row_number, text in enumerate(entries_of(first))
            )
            yield from earlier_parameters
            last_parameter = replace(last_parameter, blocks=(*last_parameter.blocks, *others))
        elif last_parameter is not None:
            last_parameter = replace(last_parameter, blocks=(*last_parameter.blocks, *passage.blocks))
        else:
            yield passage
    if last_parameter is not None:
        yield last_parameter


def _with_caption(passage: Passage, caption: str) -> Passage:
    """A passage with a caption on its first block, if that has none."""
    first, *others = passage.blocks
    return passage if first.caption else replace(passage, blocks=(replace(first, caption=caption), *others))


_KINDS: Final[dict[str, PassageKind]] = {"a": "admonition", "o": "steps", "l": "list", "d": "definition"}
"""The kind of passage that the blocks of a container make up, by the first letter of its step in the path."""


def _container_of(block: SectionBlock) -> str:
    """The outermost step of a path whose blocks together make one passage; "" if there is none."""
    return next((step for step in block.path if step[:1] in _KINDS), "")


def _container_inside(block: SectionBlock, container: str) -> str:
    """The outermost step of a path inside a container whose blocks together make one passage; "" if there is none."""
    return _container_of(replace(block, path=block.path[block.path.index(container) + 1 :]))


def _kind_of(block: SectionBlock) -> PassageKind:
    """The kind of the passage that a block makes by itself."""
    if block.kind == "prose":
        return "paragraph"
    if block.kind == "list":
        return "steps" if block.text[:1].isdigit() else "list"
    return block.kind
