"""Reads the words and marks of prose. A mark is a character that may begin a link, code, a tag or an image."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from trueref_core.text.markdown_escapes import ESCAPABLE
from trueref_server.records import CheckedReference
from trueref_server.references import brackets, markup
from trueref_server.references.bare_addresses import split_word
from trueref_server.references.reference_links import LinkDecisions, address_of, is_example
from trueref_server.references.view import Replace, View, Write
from trueref_server.references.writer import Writer

WWW_LETTERS = re.compile("www", re.IGNORECASE)
BLANKS = re.compile(r"[^\S\n]+")
"""Blanks on one line."""

WORD = re.compile(r"(?:[^\s\\`<>\[\]\u3010\u3011\"|!]|!(?!\[))+")
"""A word, which ends before a blank or a mark. An exclamation mark is one only if a bracket follows: an image."""

PLAIN_WORDS = re.compile(r"(?:[^\s\\`<>\[\]\u3010\u3011!&@~{]++(?: ++|(?=\n)))+")
"""Words without a mark, with the blanks behind them. Marks of addresses end the match, or are searched for in it."""

ADDRESS_REST = re.compile(r"[^\s)<>\[\]\"|`]*")
"""The rest of an address whose beginning was dropped with the text before it."""

KEPT_ESCAPES = frozenset("\\[]*|~#>!")
"""A backslash before one of these is kept: without it the character might be markup."""

HTML_REASON = "HTML is removed."


def leading(pattern: re.Pattern[str], window: str) -> str:
    """The match of a pattern at the beginning of the window; "" if there is none."""
    match = pattern.match(window)
    return match[0] if match else ""


def plain_run(window: str) -> str:
    """The words at the beginning of the window that have no mark and no address, with the blanks behind them.

    Most text is such. It is written as it is, which costs a tenth of reading it word by word.
    """
    run = leading(PLAIN_WORDS, window)
    # The run ends before a word with an address, which is read on its own.
    for address in (run.find("://"), _www_start(run)):
        if address >= 0:
            run = run[: run.rfind(" ", 0, address) + 1]
    return run


def _www_start(run: str) -> int:
    """Where `www` begins; -1 if there is none."""
    match = WWW_LETTERS.search(run) if "www" in run.lower() else None
    return match.start() if match else -1


def write_word(word: str, writer: Writer, links: LinkDecisions) -> list[CheckedReference]:
    """Write the parts of a word. Returns the decisions on its addresses."""
    decisions: list[CheckedReference] = []
    for part in split_word(word):
        if part.kind == "text":
            writer.text(part.text)
        elif part.kind == "mail":
            # A mail address becomes code, which no renderer links.
            _write_as_code(writer, part.text)
        elif part.kind == "disguised":
            writer.gap()
            decisions.append(links.remove(part.text, "An address in entities is removed."))
        else:
            checked = links.check(part.text)
            if checked.decision != "removed":
                address = address_of(checked)
                writer.link(address, address)
            elif is_example(checked):
                _write_as_code(writer, part.text)
            else:
                writer.gap()
            decisions.append(checked)
    return decisions


def _write_as_code(writer: Writer, text: str) -> None:
    """Write a text as code, so that no renderer links it; nothing, if it would not be read as code."""
    if writer.may_be_code(text):
        writer.code(text)
    else:
        writer.gap()


def read_mark(view: View) -> Replace | Write | None:
    """Read what begins with a mark; None if its end is still to come. A mark that begins nothing is text."""
    reader = READERS.get(view.window[view.at])
    return view.literal(view.at + 1) if reader is None else reader(view)


def _backslash(view: View) -> Replace | Write | None:
    """A backslash, which is kept before a character that might be markup without it."""
    at = view.at
    following = view.window[at + 1 : at + 2]
    if not following:
        return None if view.is_open else Replace(at + 1)
    if following == "`":
        return Replace(at + 2)
    if following == "<":
        return Write(at + 2, partial(view.writer.text, "<"))
    if following in KEPT_ESCAPES:
        return view.literal(at + 2)
    return Replace(at + 1) if following in ESCAPABLE else view.literal(at + 1)


def _inline_code(view: View) -> Replace | Write | None:
    """Inline code. If it is open at the end of the text it is closed; if a table would cut it, it is read as prose."""
    window, at = view.window, view.at
    begin = len(window) - len(window[at:].lstrip("`"))
    ticks = window[at:begin]
    # At the end of the text a run of backticks is complete.
    end = markup.closing_ticks(f"{window}\n" if not view.is_open else window, begin, len(ticks))
    if view.is_open and (begin == len(window) or end is None):
        return None
    if end is not None and end >= 0:
        content, behind = window[begin:end], end + len(ticks)
    elif view.is_final and "\n" not in window[begin:]:
        content = window[begin:].rstrip("`")
        behind = len(window)
    else:
        return Replace(begin)
    if not content.strip():
        return Replace(behind)
    if not view.writer.may_be_code(content):
        # Read again as prose, so that what stood in code is checked like everything else.
        return Replace(behind, content)
    return Write(behind, partial(view.writer.code, content, ticks))


def _angle_bracket(view: View) -> Replace | Write | None:
    """An autolink, a placeholder, a tag, or a less-than sign."""
    window, at = view.window, view.at
    if window.startswith("<=", at):
        if len(window) == at + 2 and view.is_open:
            return None
        # The blank is written, too, so that the sign does not stand right before text that would make a tag of it.
        return view.literal(at + 3 if window.startswith("<= ", at) else at + 1)
    end = markup.tag_end(window, at)
    if end is None and view.is_open:
        return None
    if end is None and view.is_final and window[at:] not in ("<", "</"):
        return Replace(len(window), checked=_removed_address(window[at:], view.links))
    if end is None or end < 0:
        return view.literal(at + 1)
    tag = window[at:end]
    if match := markup.AUTOLINK.fullmatch(tag):
        return brackets.link(view, end, "", match[1])
    if match := markup.MAIL_AUTOLINK.fullmatch(tag):
        return _as_code(view, end, match[1])
    if not markup.is_element(tag) and markup.PLACEHOLDER.fullmatch(tag[1:-1]):
        return _as_code(view, end, tag)
    return Replace(end, checked=_removed_address(tag, view.links))


def _as_code(view: View, end: int, content: str) -> Replace | Write:
    """The text between angle brackets as code; nothing, if it would not be read as code."""
    if not view.writer.may_be_code(content):
        return Replace(end)
    return Write(end, partial(view.writer.code, content))


def _removed_address(tag: str, links: LinkDecisions) -> tuple[CheckedReference, ...]:
    """The decision on the address of a tag that is removed, for the counts; empty if the tag has no address."""
    target = markup.target_of(tag)
    return () if target is None else (links.remove(target, HTML_REASON),)


READERS: dict[str, Callable[[View], Replace | Write | None]] = {
    "\\": _backslash,
    "`": _inline_code,
    "<": _angle_bracket,
    "[": brackets.bracket,
    "!": brackets.image,
    "\u3010": brackets.lenticular_citation,
}
