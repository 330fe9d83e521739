"""Tells what the parts of a text are that is laid out with spaces and line breaks, as manuals in plain text are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

_BLANK_LINES: Final = re.compile(r"\n(?:[^\S\n]*+\n)++")
_WORD: Final = re.compile(r"[(\"'“‘]{0,2}[^\W\d_]++(?:[-'’/][^\W\d_]++){0,4}[)\"'”’.,:;?!]{0,3}")
"""Matches a word of a sentence, with the punctuation around it."""

_ENDS: Final = (".", ":", "?", "!", '."', ".)")
_LEAST_WORDS: Final = 6
"""Words of a paragraph at least. A shorter line of code may look like a sentence."""
_WORDS_OF_ALL: Final = 0.8
"""Of all that stands between spaces in a paragraph, this share is words at least."""
_WORDS_OF_TEXT: Final = 0.6
"""The same for a description and an item, and where the page says that it is text: these may name options and files."""

_HEADING: Final = re.compile(r"[A-Z][A-Z]++(?:[ /&,-]{1,3}[A-Z]++){0,7}(?:\(S\))?")
"""Matches the title of a section of a manual page, which stands at the left edge above text that does not."""
_RUNNING_HEAD: Final = re.compile(r"(\S{1,80}\(\w{1,8}\)) {2,}+(?:\S.{0,200}\S {2,})?\1| {30,}+\S{1,80}\(\w{1,8}\)")
"""Matches the first line of a manual page, with its name at both edges, and the last one of some."""
_NAME: Final = "NAME"
"""The heading above the name of a manual page and what it is, which is no sentence."""
_LETTER_MARK: Final = "o"
_ITEM: Final = re.compile(rf"( *)([-*•{_LETTER_MARK}]|\d{{1,3}}[.)]) +(?=\S)")
_INLINE_TERM: Final = re.compile(r" *(\S(?:[^ ]| (?! )){0,60}?)  +(?=\S)")
"""Matches a term and the gap between it and its description on the same line."""
_HYPHENATED: Final = re.compile(r"(?<![\w-])\w++-\w++(?![\w-])")
_DIVIDED: Final = re.compile(r"(?<![\w-])(\w{0,60}[^\W\d_])-\n([^\W\d_]\w*+)")
"""Matches a word that is divided by a hyphen at the end of a line."""

_HEADINGS_OF_MANUAL: Final = 3
"""Headings of a whole manual page at least."""
_USUAL_HEADINGS: Final = frozenset((_NAME, "SYNOPSIS", "DESCRIPTION"))
"""Headings of which a manual page has one at least. Other lines in capitals may be of COBOL, or names of variables."""

_MAX_TERM_LINES: Final = 2
_MAX_TERM: Final = 60
"""Lines of a term at most, and characters of one that stands beside its description."""
_ENDS_SENTENCE: Final = re.compile(r"(?<!\.)\.$")

PartKind = Literal["paragraph", "heading", "entry", "item", "layout", "furniture"]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of such a text.

    `term` is that of an entry, and the mark of an item. `indent` is where its first line begins, and `inner` where the
    text of an entry or an item begins.
    """

    kind: PartKind
    text: str
    term: str = ""
    indent: int = 0
    inner: int = 0

    @property
    def is_wrapped(self) -> bool:
        """Whether it is a paragraph of several lines, or a description of several lines."""
        return self.kind in ("paragraph", "entry") and "\n" in self.text


def parts_of(text: str, *, is_named_text: bool = False) -> list[Part]:
    """The parts of a text in their order.

    `is_named_text`: the page says that it is text. Then its lines need not end like sentences.
    """
    blocks = [block.split("\n") for block in _BLANK_LINES.split(text) if block]
    parts = [part for block in blocks for part in _parts_of_block(block, is_named_text=is_named_text)]
    for number in range(len(parts) - 2, -1, -1):
        part, following = parts[number], parts[number + 1]
        if following.kind == "entry" and part.indent == following.indent and _is_bare_term(part):
            # Options that share a description stand above each other.
            parts[number] = Part("entry", "", part.text.strip(), part.indent, following.inner)
    return parts


def is_manual(parts: Iterable[Part]) -> bool:
    """Whether parts are those of a whole manual page."""
    headings = [part.text for part in parts if part.kind == "heading"]
    return len(headings) >= _HEADINGS_OF_MANUAL and not _USUAL_HEADINGS.isdisjoint(headings)


def with_whole_words(parts: Sequence[Part]) -> list[Part]:
    """The parts, with words put together that a hyphen and the end of a line divide.

    Programs that set manual pages divide words. In other texts, and if the whole word stands elsewhere with its hyphen,
    the hyphen belongs to the word.
    """
    hyphenated = {word for part in parts for word in _HYPHENATED.findall(part.text)} if is_manual(parts) else None

    def whole(match: re.Match[str]) -> str:
        word = f"{match[1]}-{match[2]}"
        return word if hyphenated is None or word in hyphenated else match[1] + match[2]

    return [part if part.kind == "layout" else replace(part, text=_DIVIDED.sub(whole, part.text)) for part in parts]


def _is_bare_term(part: Part) -> bool:
    """Whether a part is a single line that is no sentence."""
    return part.kind == "layout" and "\n" not in part.text and not part.text.endswith(_ENDS)


def _parts_of_block(lines: Sequence[str], *, is_named_text: bool) -> Iterator[Part]:
    """The parts of the lines between two blank lines."""
    if _RUNNING_HEAD.fullmatch(lines[0]):
        yield Part("furniture", lines[0])
        lines = lines[1:]
    elif _HEADING.fullmatch(lines[0]) and all(line.startswith(" ") for line in lines[1:]):
        yield Part("heading", lines[0])
        if lines[0] == _NAME:
            yield Part("paragraph", "\n".join(line.strip() for line in lines[1:]))
            return
        lines = lines[1:]
    announced = _announced(lines)
    for block in (lines[: -len(announced)], announced) if announced else (lines,):
        if block:
            yield from _items(block) or _entries_or_text(block, is_named_text=is_named_text) or [_layout(block)]


def _entries_or_text(lines: Sequence[str], *, is_named_text: bool) -> list[Part]:
    """The entries that lines are, or the paragraph; none if they are neither."""
    # A gap in a single line stands behind a term. In more lines it may come from spreading the text to both edges.
    flat = _flat(lines, is_named_text=is_named_text) if len(lines) > 1 or _entry(lines) is None else None
    return [flat] if flat is not None else _entries(lines)


def _announced(lines: Sequence[str]) -> Sequence[str]:
    """The lines behind the first one that ends with a colon, if they stand further right or begin a list; else none."""
    end = next((number for number, line in enumerate(lines, 1) if line.endswith(":")), len(lines))
    is_list = end < len(lines) and _ITEM.match(lines[end]) is not None
    return lines[end:] if is_list or all(_indent(line) > _indent(lines[end - 1]) for line in lines[end:]) else ()


def _flat(lines: Sequence[str], *, is_named_text: bool) -> Part | None:
    """Lines that all begin at the same place, if they are text. After a label such as `Note:`, they begin behind it."""
    outer, indent = _indent(lines[0]), _indent(lines[-1])
    is_labelled = indent > outer and lines[0][:indent].endswith(": ")
    if (indent != outer and not is_labelled) or any(_indent(line) != indent for line in lines[1:]):
        return None
    text = "\n".join(line.strip() for line in lines)
    is_text = _is_sentence(text, may_begin_small=is_named_text and len(lines) > 1)
    if is_named_text and text[:1].isupper():
        is_text = is_text or text.endswith(":") or _share_of_words(text) >= _WORDS_OF_TEXT
    return Part("paragraph", text, "", outer, outer) if is_text and not _is_in_columns(lines) else None


def _is_in_columns(lines: Sequence[str]) -> bool:
    """Whether all of several lines have a gap that ends at the same place."""
    gaps = [_INLINE_TERM.match(line) for line in lines]
    return len(lines) > 1 and len({gap.end() if gap is not None else -number for number, gap in enumerate(gaps)}) == 1


def _items(lines: Sequence[str]) -> list[Part]:
    """The items of a list, none if the lines are anything else."""
    marks = [_ITEM.match(line) for line in lines]
    first = marks[0]
    if first is None:
        return []
    starts = [number for number, mark in enumerate(marks) if mark is not None and mark[1] == first[1]]
    items = [_item(lines[start:end]) for start, end in pairwise([*starts, len(lines)])]
    found = [item for item in items if item is not None]
    # A single `o` may be a word of Portuguese or Italian.
    is_list = first[2] != _LETTER_MARK or len(found) > 1
    return found if len(found) == len(items) and is_list else []


def _item(lines: Sequence[str]) -> Part | None:
    """An item of a list, None if its lines do not begin below its text."""
    mark = _ITEM.match(lines[0])
    if mark is None or any(_indent(line) != mark.end() for line in lines[1:]):
        return None
    text = "\n".join(line[mark.end() :] for line in lines)
    is_number = mark[2][0].isdigit()
    is_text = _share_of_words(text) >= _WORDS_OF_TEXT
    return Part("item", text, mark[2] if is_number else "-", len(mark[1]), mark.end()) if is_text else None


def _entries(lines: Sequence[str]) -> list[Part]:
    """The entries of a list of terms, none if the lines are anything else."""
    single = _entry(lines)
    if single is not None:
        return [single]
    starts = [number for number, line in enumerate(lines) if _indent(line) == _indent(lines[0])]
    found = [entry for start, end in pairwise([*starts, len(lines)]) if (entry := _entry(lines[start:end])) is not None]
    return found if len(found) == len(starts) > 1 else []


def _entry(lines: Sequence[str]) -> Part | None:
    """A term with its description, which stands further right: beside the term, or below it."""
    outer, inner = _indent(lines[0]), _indent(lines[-1])
    if len(lines) == 1:
        gap = _INLINE_TERM.match(lines[0])
        return _entry_of(gap[1], lines, outer, gap.end()) if gap is not None else None
    if inner <= outer:
        return None
    term = _term_beside(lines[0], inner)
    if term and all(_indent(line) == inner for line in lines[1:]):
        return _entry_of(term, lines, outer, inner)
    term_lines = next(number for number, line in enumerate(lines) if _indent(line) != outer)
    described = lines[term_lines:]
    if term_lines > _MAX_TERM_LINES or any(_indent(line) != inner for line in described):
        return None
    return _entry_of(" ".join(line.strip() for line in lines[:term_lines]), described, outer, inner)


def _term_beside(line: str, inner: int) -> str:
    """The term that stands on a line before what begins at `inner`, "" if none does.

    A single space may end any word. It ends a term if this is no word, such as `<name>`.
    """
    before, behind = line[:inner], line[inner : inner + 1]
    term = before.strip()
    is_apart = before.endswith("  ") or (before.endswith(" ") and " " not in term and not term.isalpha())
    return term if is_apart and not behind.isspace() and len(term) <= _MAX_TERM else ""


def _entry_of(term: str, described: Sequence[str], outer: int, inner: int) -> Part | None:
    """An entry, None if what would describe the term is no text. On a single line, it has to begin like a sentence."""
    text = "\n".join(line[inner:] for line in described)
    is_text = text.endswith(_ENDS) and _share_of_words(text) >= _WORDS_OF_TEXT
    is_text = is_text and (text[:1].isupper() or "\n" in text)
    return Part("entry", text, term, outer, inner) if is_text and not _ENDS_SENTENCE.search(term) else None


def _layout(lines: Sequence[str]) -> Part:
    """Lines that are kept as they are laid out."""
    return Part("layout", "\n".join(lines), "", min(map(_indent, lines)))


def _indent(line: str) -> int:
    """How many spaces a line begins with."""
    return len(line) - len(line.lstrip(" "))


def _is_sentence(text: str, *, may_begin_small: bool) -> bool:
    """Whether a text is whole sentences, or a few words that announce what follows.

    `may_begin_small`: a small letter may begin the text, as it does where a paragraph goes on behind an example.
    """
    if text.endswith(":") and "\n" not in text and _share_of_words(text[:-1]) == 1:
        return True
    if not (text[:1].isupper() or (may_begin_small and text[:1].isalpha())) or not text.endswith(_ENDS):
        return False
    return len(text.split()) >= _LEAST_WORDS and _share_of_words(text) >= _WORDS_OF_ALL


def _share_of_words(text: str) -> float:
    """How much of what stands between spaces is words."""
    words = text.split()
    return sum(map(bool, map(_WORD.fullmatch, words))) / max(1, len(words))
