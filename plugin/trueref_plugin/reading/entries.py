"""Reads the entries of a list of definitions: terms with their descriptions. A term with an id becomes a section."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.elements import (
    children,
    first_element,
    has_class,
    is_inline,
    next_element,
    previous_element,
)
from trueref_plugin.reading.inline import inline_text
from trueref_plugin.reading.markup.clean import clean_code, is_dropped
from trueref_plugin.reading.markup.containers import DEFINITIONS
from trueref_plugin.reading.targets import anchors_before_term, is_citable, own_anchor

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from trueref_core.records import AnchorKind
    from trueref_plugin.reading.walk import Walk

_INSIDE_BRACKETS: Final = re.compile(r"(?<=[(\[]) |,? (?=[)\]])")
"""Matches what parameters on lines of their own leave behind an opening bracket, and before a closing one."""
_OBJECT_CLASSES: Final = ("sig", "sig-object")
_MAX_TERM: Final = 200
"""Characters of a term at most if it is code. Of a longer one, such as a type of Nim with all its values, the first
line is the title of the section."""
_WORDS_OF_LINE: Final = 5
"""Words of a line at least. `Keyword arguments:` and `On Windows only:` are labels of entries."""
_PLAIN_END: Final = re.compile(r"(?<![\w`-])[a-z]{1,20},? [a-z]{1,20},?$")
"""Matches two words in small letters at the end of a line, as in a sentence that goes on."""
_NEVER_LAST: Final = frozenset("a an the and or but nor than".split())
"""English words with which neither a name nor a phrase ends, and no sentence that is complete."""
_SELDOM_LAST: Final = frozenset(
    "to in on at by for from with between into onto over under about after before when while if until unless as of "
    "this these those all any no not that which whose whether must will would can could may might should is are was "
    "were be been has have its their your our every each".split()
)
"""English words with which a phrase may end, as `the file to write to` and `where the file is` do."""
_PARAMETER: Final = re.compile(r"\*{0,2}[\w.-]{1,80} \([^:]{1,200}\) ?: ")
"""Matches the name and the type of a parameter in a docstring: `timeout (int): `. A colon alone does not show a
parameter: `error: the lock is held` is a term in a list of messages."""
_WHOLE_LINE: Final = 40
"""Characters of a line at least that its author broke at the edge of the page. `kiln fire all pots in` is no such."""
_MAX_SHARING: Final = 20
"""Options that may stand between an option and the description that they share."""
_OPTION: Final = re.compile(
    r"[\"'\u2018\u201c]?(?:[-\u2013\u2014\u2212]{1,2}(?:[^\W_]|[?#@])|/[A-Za-z?](?![\w/-])|\+[A-Za-z])"
)
"""Matches the beginning of an option, such as `-o`, `--out`, `/s` of Windows or `+x`, and no path. Texinfo quotes them,
and programs that set quotation marks make one dash of two."""


class EntryReader:
    """Reads the entries of one list. An entry is one or more terms with their descriptions."""

    def __init__(self, walk: Walk, node: LexborNode) -> None:
        self._walk = walk
        self._page = walk.page
        self._outer_section = walk.page.current_section
        self._outer = walk.page.enter()
        # Sphinx up to version 4 writes footnotes as a definition list.
        self._is_footnotes = has_class(node, "footnote") or has_class(node, "citation")
        self._container = ""
        self._entries = 0
        self._is_described = True
        """Whether the last term has a description, so that the next one begins another entry."""
        self._open_section: int | None = None
        """The section of the last term with an id, as long as it has no description; None if there is none."""
        self._goes_on = False
        """Whether the description that follows begins in the middle of a sentence: see `_breaks_off`."""
        self._are_options = True
        """Whether all terms since the last description are options."""
        self._around: LexborNode | None = None
        """The `div` around the term that is read next, if it may be cited."""

    def read(self, node: LexborNode) -> None:
        """Reads the terms and descriptions below a list, or below a `div` in it."""
        for child in children(node):
            if is_dropped(child):
                self._page.record_section_of_ids(child)
            elif child.tag == "dt":
                self._page.flush("definition")
                self._open_term(child)
            elif child.tag == "dd":
                if not self._goes_on:
                    self._page.flush("definition")
                self._read_description(child)
            elif child.tag == "div":
                # HTML allows a `div` around a term and its descriptions. Nim puts the id of the term on it.
                self._page.record_section(child)
                first = first_element(child)
                is_entry = first is not None and first.tag == "dt"
                self._around = child if is_entry and is_citable(child, self._walk.unreachable) else None
                self.read(child)
            else:
                self._walk.child(child, "definition")
        self._page.flush("definition")

    def read_entry(self, term: LexborNode, description: LexborNode) -> None:
        """Reads a term and its description, which stand in no list."""
        self._open_term(term)
        self._read_description(description)

    def _read_description(self, node: LexborNode) -> None:
        """Reads a description. Headings in it are headings of its entry, if the entry is a section."""
        self._is_described = True
        self._open_section = None
        self._are_options = True
        self._page.record_section(node)
        with self._walk.enclosed():
            if self._page.current_section != self._outer_section:
                self._walk.begin_headings_below(self._page.current_section, ends_at_headings_around=True)
            if self._goes_on:
                self._finish_sentence(node)
            self._walk.children(node, "definition")

    def _finish_sentence(self, description: LexborNode) -> None:
        """Adds the first paragraph of a description to the line before it, with which it is one paragraph."""
        self._goes_on = False
        self._page.text.separate()
        begin = _beginning(description)
        if begin is not None and begin.tag == "p":
            self._page.record_section_of_ids(begin)
            self._walk.children(begin, "definition")
            self._walk.skip(begin)

    def _open_term(self, node: LexborNode) -> None:
        """Begins the section of a term that has an id. Other terms belong to the section around the list.

        A term without an id that shares its description with the one before it, such as another signature of the same
        function, belongs to the section of that one. So does the long name of an option, with or without an id.
        """
        page = self._page
        # Sphinx up to version 3 gives a class only to the name in the signature of an object.
        is_object = any(has_class(node, name) for name in _OBJECT_CLASSES) or node.css_first(".descname") is not None
        breaks_off = not is_object and _breaks_off(node)
        is_line = not is_object and (breaks_off or _is_line(node))
        self._open_entry(is_no_entry=is_object or is_line)
        around, self._around = self._around, None
        # The terms of an index have ids too: LaTeX2HTML.
        is_cited = not self._is_footnotes and page.role != "furniture"
        anchor_node = (own_anchor(node, self._walk.unreachable) or around) if is_cited else None
        before = anchors_before_term(node) if is_cited and anchor_node is None else []
        named = (own_anchor(part, self._walk.unreachable) for part in before)
        anchor_node = anchor_node or next((part for part in named if part is not None), None)
        self._are_options = self._are_options and _is_option(node)
        is_shared = anchor_node is None or (self._are_options and _is_described_option(node))
        shared_section = self._open_section if is_shared else None
        page.current_section = self._outer_section if shared_section is None else shared_section
        if self._is_footnotes and page.is_among_footnotes():
            self._walk.enter_footnote(node)
        page.record_section_of_ids(node)
        self._goes_on = breaks_off and anchor_node is None
        if self._goes_on:
            for part in children(node):
                page.text.add(part)
            return
        page.text.add(node)
        text = page.take_text()
        kind: AnchorKind = "object" if is_object else "term"
        if anchor_node is not None and shared_section is not None:
            page.cite_in_section(anchor_node, kind, _title_of(node), _MAX_TERM)
        elif anchor_node is not None:
            self._begin_section(node, anchor_node, kind)
            for part in before:
                if part.mem_id not in page.cited:
                    page.record_section_of_ids(part)
        elif text:
            # Without an id no link can lead to the term, so it stays a line of the section around it.
            starts = shared_section is None and not is_line
            page.add_block("definition", text, starts=starts, role="text" if is_line else "term")

    def _begin_section(self, node: LexborNode, anchor_node: LexborNode, kind: AnchorKind) -> None:
        """Begins the section of a term, to which the id of `anchor_node` leads."""
        # Texinfo begins a definition with its kind, and with `: ` if the kind is empty.
        title = _title_of(node).removeprefix(": ")
        declaration = node.css_first("pre") if len(title) > _MAX_TERM else None
        lines = clean_code(declaration.text()) if declaration is not None else title
        self._page.open_section(anchor_node, kind, 0, lines.partition("\n")[0], self._outer_section)
        self._open_section = self._page.current_section
        if declaration is not None:
            self._page.add_block("code", lines)

    def _open_entry(self, *, is_no_entry: bool) -> None:
        """Begins an entry, but for documented objects and for lines that only look like terms."""
        self._page.leave(self._outer)
        if is_no_entry or self._is_footnotes:
            return
        self._container = self._container or self._page.name_container(DEFINITIONS)
        self._entries += self._is_described
        self._is_described = False
        self._page.enter(f"{self._container}.{self._entries}")


def _is_line(term: LexborNode) -> bool:
    """Whether a term is a line of the text, such as `The variables come from two sources:`, and no name.

    Docutils reads a line as a term if the text below it is indented and no empty line stands between them, as in many
    docstrings.
    """
    text = inline_text(term)
    return term.id is None and text.endswith(":") and len(text.split()) >= _WORDS_OF_LINE


def _breaks_off(term: LexborNode) -> bool:
    """Whether a term is the first line of a paragraph, and its description the other lines, which the author indented.

    `timeout (int): How many seconds to wait for the` is no term, and `answer of the kiln.` does not describe it. Many
    docstrings are written so, without the name of a section that a tool would know.
    """
    begin = _beginning(next_element(term))
    before = previous_element(term)
    if begin is None or (before is not None and before.tag == "dt") or term.id is not None:
        return False
    if term.css_first("[id], a[name], dl") is not None:
        return False
    line = inline_text(term)
    last = line.rpartition(" ")[2]
    if len(line.split()) < _WORDS_OF_LINE:
        return False
    if last in _NEVER_LAST:
        return True
    if _PLAIN_END.search(line) is None:
        return False
    is_whole = len(line) >= _WHOLE_LINE and (last.endswith(",") or last in _SELDOM_LAST)
    text = begin.text().lstrip() if begin.tag == "-text" else inline_text(begin)
    return (is_whole or _PARAMETER.match(line) is not None) and text[:1].islower()


def _beginning(description: LexborNode | None) -> LexborNode | None:
    """The text or the paragraph that a description begins with; None if it begins otherwise, or is no description.

    What readers do not see is no part of it.
    """
    if description is None or description.tag != "dd" or is_dropped(description):
        return None
    begin = next(filter(_is_shown, children(description)), None)
    is_text = begin is not None and (begin.tag in ("-text", "p") or is_inline(begin))
    return begin if is_text else None


def _is_shown(part: LexborNode) -> bool:
    """Whether a part of a description is text, or an element that belongs to the text."""
    return bool((part.text_content or "").strip()) if part.tag == "-text" else not is_dropped(part)


def _is_option(term: LexborNode) -> bool:
    """Whether a term is an option of a command. Other terms with ids of their own are names that links mean."""
    return _OPTION.match(inline_text(term)) is not None


def _is_described_option(option: LexborNode) -> bool:
    """Whether a description follows an option, behind at most a few more. A list may have nothing but terms."""
    following = next_element(option)
    for _ in range(_MAX_SHARING):
        if following is None or following.tag != "dt" or not _is_option(following):
            break
        following = next_element(following)
    return following is not None and following.tag == "dd"


def _title_of(term: LexborNode) -> str:
    """The text of a term on one line. Sphinx writes long signatures with a line for each parameter, in a list."""
    text = inline_text(term)
    return _INSIDE_BRACKETS.sub("", text) if term.css_first("dl") is not None else text
