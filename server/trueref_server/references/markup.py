"""Finds where Markdown constructs end in a window of a text: brackets, destinations, citations, tags, fences.

Each function returns where a construct ends, None if that depends on text that is still to come, and -1 if there is no
such construct. A result other than None stays the same whatever text comes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import regex

MAX_MARKS = 64
"""At most this many marks are read in one label or destination, which bounds the work on a text of marks only."""

MAX_NESTING = 4
"""Brackets, or parentheses, may be nested this deep."""

LABEL_MARK = re.compile(r"\\.|[\[\]]|\n[ \t]*[\n`~#>|*+-]", re.DOTALL)
"""What counts in a label: an escaped character, a bracket, and a line break if another block may begin behind it."""

PAREN_MARK = re.compile(r"\\.|[()\n]", re.DOTALL)
"""What counts between the parentheses of a link: an escaped character, a parenthesis, and a line break."""

RUN_OR_LINE = re.compile(r"`+|\n")
"""A run of backticks, or the end of a line."""

TITLE = re.compile(r"""[ \t]+(?:"[^"]*"|'[^']*')[ \t]*\Z""")
"""The title behind the address of a link: `"Title"` or `'Title'`."""

NUMBERS = re.compile(r"\[?\s{0,3}\^?\d{1,3}(?:\s{0,3}(?:[,;]\s{0,3}\^?|[-\u2013])\d{1,3}){0,20}\s{0,3}\]?")
"""The label of a citation: numbers and ranges with commas between them, perhaps with `^` or in brackets."""

NUMBER = re.compile(r"(\d+)(?:\s*[-\u2013]\s*(\d+))?")
"""One number of a citation, or a range with its first and its last number."""

MAX_RANGE = 9
"""A range such as `1-3` cites at most this many sources."""

TAG = re.compile(r"<(/?[A-Za-z][A-Za-z0-9-]*|[!?])")
"""The beginning of a tag with its name, or of a comment, a declaration (`<!`) or a processing instruction (`<?`)."""

TAG_STOP = re.compile(r"<|\n[ \t]*\n")
"""What cannot be inside a tag: another `<`, or an empty line."""

TARGET = re.compile(
    r"""\s(?:href|src|srcset|action|data|poster|xlink:href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.I
)
"""An attribute that holds an address, with the address in double quotes, in single quotes, or without quotes."""

AUTOLINK = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*)>")
"""An address between angle brackets (https://spec.commonmark.org/0.31.2/#autolinks)."""

MAIL_AUTOLINK = re.compile(r"<([^\s<>@:]+@[^\s<>@:]+)>")
"""A mail address between angle brackets."""

PLACEHOLDER = re.compile(r"[^<>\n`|/\[\]]{1,80}")
"""Text between angle brackets that can be shown as code: short, on one line, without marks of Markdown or a slash."""

# https://html.spec.whatwg.org/multipage/indices.html#elements-3, the obsolete ones, and those of SVG and MathML that
# begin a foreign fragment.
ELEMENTS = frozenset(
    "a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote "
    "body br button canvas caption center cite code col colgroup command content data datalist dd del details dfn "
    "dialog dir div dl dt element em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 "
    "h5 h6 head header hgroup hr html i iframe image img input ins isindex kbd keygen label legend li link "
    "listing main map mark marquee math menu menuitem meta meter multicol nav nextid nobr noembed noframes "
    "noscript object ol optgroup option output p param picture plaintext portal pre progress q rb rp rt rtc ruby "
    "s samp script search section select shadow slot small source spacer span strike strong style sub summary sup "
    "svg table tbody td template textarea tfoot th thead time title tr track tt u ul use var video wbr xmp".split()
)
"""The names of HTML elements. `<name>` of any other name is a placeholder that an author wrote: `<file>`, `<key>`."""

DEFINITION = re.compile(
    r"\[([^\[\]\n]{1,300})\]:[ \t]*+(<[^<>\n]*>|(?=\S*[/.#:])\S++)[ \t]*+"
    r"""(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\))?[ \t]*+(?:\n|\Z)"""
)
"""The definition of a reference link on a line of its own, `[name]: address "title"`, from its bracket on.

An address without angle brackets has one of `/.#:`. Otherwise `[note]: text` would count as a definition.
"""

FENCE = regex.compile(r"([ \t]*+)((?:[-*+]|\d{1,9}[.)])[ \t]++)?+(`{3,}+|~{3,}+)([^`\n]*+)\n")
"""The line that opens a block of code: blanks, the mark of a list item if there is one, the fence, and the language."""

FENCE_BEGINNINGS = frozenset(" \t-*+`~")
"""The characters that a line with a fence may begin with, besides the number of a list item."""

CLOSING = regex.compile(r"[^\S\n]*+(`{3,}+|~{3,}+)[^\S\n]*+\n")
"""A line that may close a block of code: a fence and blanks, nothing else."""

LANGUAGE = re.compile(r"[\w+#.-]{1,40}")


@dataclass(frozen=True, slots=True)
class Fence:
    """The opening line of a block of code.

    `indent` are the columns before it, `marker` the mark of a list item that begins on the same line.
    """

    indent: int
    marker: str
    ticks: str
    language: str


def closing_bracket(window: str, at: int) -> int | None:
    """The bracket that closes the one at `at`; None if it is still to come, -1 if there is none."""
    return _closing(LABEL_MARK, {"[": 1, "]": -1}, window, at)


def closing_paren(window: str, at: int) -> int | None:
    """The parenthesis that closes the one at `at`, on the same line; None and -1 as for a bracket."""
    return _closing(PAREN_MARK, {"(": 1, ")": -1}, window, at)


def _closing(marks: re.Pattern[str], depths: Mapping[str, int], window: str, at: int) -> int | None:
    """The mark that closes the one at `at`; nested pairs are skipped."""
    depth = 0
    for count, mark in enumerate(marks.finditer(window, at)):
        # Bounded: a text of brackets only would be read once for each bracket.
        if mark[0][0] == "\n" or count > MAX_MARKS:
            return -1
        depth += depths.get(mark[0], 0)
        if depth == 0:
            return mark.start()
        if depth > MAX_NESTING:
            return -1
    return None


def closing_ticks(window: str, at: int, length: int) -> int | None:
    """Where the next run of `length` backticks begins, on the same line; None and -1 as for a bracket."""
    for mark in RUN_OR_LINE.finditer(window, at):
        if mark[0] == "\n":
            return -1
        if mark.end() - mark.start() == length:
            # At the end of the window more backticks may follow.
            return mark.start() if mark.end() < len(window) else None
    return None


def destination(inside: str) -> str:
    """The address between the parentheses of a link, without a title."""
    return TITLE.sub("", inside).strip()


def is_citation(label: str) -> bool:
    """Whether the text between two brackets is numbers of sources: `1`, `1, 2`, `1-3`, `^1`, `[1]`."""
    return NUMBERS.fullmatch(label) is not None


def numbers_of(label: str, source_numbers: Collection[int]) -> list[int]:
    """The numbers of a citation that are sources, in order, each once."""
    numbers: dict[int, None] = {}
    for first, last in NUMBER.findall(label):
        # Bounded: `1-999` would make a thousand numbers.
        range_end = min(int(last or first), int(first) + MAX_RANGE - 1)
        numbers |= dict.fromkeys(range(int(first), range_end + 1))
    return [number for number in numbers if number in source_numbers]


def tag_end(window: str, at: int) -> int | None:
    """The end of a tag, a comment, a declaration or an autolink. It may have several lines, but no empty one."""
    if window[at:] in ("<", "</"):
        return None
    if not TAG.match(window, at):
        return -1
    if window.startswith("<!--", at):
        end = window.find("-->", at)
        return end + 3 if end >= 0 else None
    end = window.find(">", at)
    stop = TAG_STOP.search(window, at + 1, end if end >= 0 else len(window))
    if stop:
        return -1
    return end + 1 if end >= 0 else None


def is_element(tag: str) -> bool:
    """Whether a tag is HTML, and not a placeholder such as `<file>`."""
    match = TAG.match(tag)
    assert match is not None
    return match[1].lstrip("/").lower() in ELEMENTS or not match[1][-1].isalnum() or "=" in tag


def target_of(tag: str) -> str | None:
    """The address that a tag links to or loads; None if it has none."""
    match = TARGET.search(tag)
    return next((value for value in match.groups() if value is not None), None) if match else None


def fence_at(window: str, *, is_complete: bool) -> tuple[Fence, int] | int | None:
    """The fence that opens at the start of the window and where its line ends; see the module for -1 and None."""
    # `regex` and not `re`: a partial match tells a line that may still become a fence from one that cannot.
    match = FENCE.match(window, partial=not is_complete)
    if match is None:
        return -1
    if match.partial:
        return None
    language = LANGUAGE.match(match[4].strip())
    marker = match[2] or ""
    indent = len((match[1] + marker).expandtabs(4))
    return Fence(indent, marker, match[3], language[0] if language else ""), match.end()


def closes(fence: Fence, window: str, *, is_complete: bool) -> int | None:
    """Where the next line ends, if it closes the fence; see the module for -1 and None."""
    match = CLOSING.match(window, partial=not is_complete)
    if match is None:
        return -1
    if match.partial:
        return None
    return match.end() if match[1][0] == fence.ticks[0] and len(match[1]) >= len(fence.ticks) else -1


def plain_label(label: str) -> str:
    """The words of a label on one line, without Markdown and HTML; "" if nothing is left."""
    text = re.sub(r"!\[([^\[\]]*)\]\([^()]*\)", r"\1", label)
    text = re.sub(r"<[^<>]*>", "", re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text))
    # A label that is code as a whole stays code. In any other a backtick may open code that contains the bracket.
    inner = text.strip().strip("`")
    is_code = text.strip() == f"`{inner}`" and "`" not in inner
    words = " ".join(re.sub(r"[\[\]<>\\`|]", " ", inner if is_code else text).split())
    return f"`{words}`" if is_code and words else words
