"""What stands in prose: words and marks, each read at the start of what is left of a window of the text."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from trueref_server.records import CheckedReference
from trueref_server.references import brackets, markup
from trueref_server.references.bare_addresses import split_word
from trueref_server.references.reference_links import Links, address_of, is_example
from trueref_server.references.view import Replace, View, Write
from trueref_server.references.writer import Writer

WWW_LETTERS = re.compile("www", re.IGNORECASE)
BLANKS = re.compile(r"[^\S\n]+")
# A word goes up to a blank or a mark.
WORD = re.compile(r"(?:[^\s\\`<>\[\]\u3010\u3011\"|!]|!(?!\[))+")
# Words without a mark, and the blanks behind them. What may begin or hold an address is left out, or looked for after.
PLAIN_WORDS = re.compile(r"(?:[^\s\\`<>\[\]\u3010\u3011!&@~{]++(?: ++|(?=\n)))+")
ADDRESS_REST = re.compile(r"[^\s)<>\[\]\"|`]*")

# A backslash before one of these is kept: without it they would mean something.
KEPT_ESCAPES = frozenset("\\[]*|~#>!")
ESCAPABLE = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
HTML_REASON = "HTML is removed."


def leading(pattern: re.Pattern[str], window: str) -> str:
    """The text of a pattern that the window begins with, "" if it begins with another one."""
    match = pattern.match(window)
    return match[0] if match else ""


def plain_run(window: str) -> str:
    """The words and blanks that the window begins with in which nothing is a mark or an address; most text is such.

    They are written as they stand, which costs a tenth of reading them word by word.
    """
    run = leading(PLAIN_WORDS, window)
    # Up to the word before an address: what holds one is read with care.
    for address in (run.find("://"), _own_name(run)):
        if address >= 0:
            run = run[: run.rfind(" ", 0, address) + 1]
    return run


def _own_name(run: str) -> int:
    """Where `www` begins, -1 if there is none."""
    match = WWW_LETTERS.search(run) if "www" in run.lower() else None
    return match.start() if match else -1


def write_word(word: str, writer: Writer, links: Links) -> list[CheckedReference]:
    """Write the parts of a word. Returns the decisions on its addresses."""
    decisions: list[CheckedReference] = []
    for part in split_word(word):
        if part.kind == "text":
            writer.text(part.text)
        elif part.kind == "mail":
            # A mail address becomes code, which no renderer links.
            _code(writer, part.text)
        elif part.kind == "disguised":
            writer.gap()
            decisions.append(links.remove(part.text, "An address in entities is removed."))
        else:
            checked = links.check(part.text)
            if checked.decision != "removed":
                address = address_of(checked)
                writer.link(address, address)
            elif is_example(checked):
                _code(writer, part.text)
            else:
                writer.gap()
            decisions.append(checked)
    return decisions


def _code(writer: Writer, text: str) -> None:
    """Write what no renderer is to link. If code would not hold it together, nothing."""
    writer.code(text) if writer.may_be_code(text) else writer.gap()


def read_mark(view: View) -> Replace | Write | None:
    """Read what begins with a mark; None if its end has still to come. A mark that begins nothing is text."""
    reader = READERS.get(view.window[view.at])
    return view.literal(view.at + 1) if reader is None else reader(view)


def _backslash(view: View) -> Replace | Write | None:
    """A backslash: kept before what would mean something without it."""
    at = view.at
    following = view.window[at + 1 : at + 2]
    if not following:
        return None if view.more else Replace(at + 1)
    if following == "`":
        return Replace(at + 2)
    if following == "<":
        return Write(at + 2, partial(view.writer.text, "<"))
    if following in KEPT_ESCAPES:
        return view.literal(at + 2)
    return Replace(at + 1) if following in ESCAPABLE else view.literal(at + 1)


def _ticks(view: View) -> Replace | Write | None:
    """Inline code, in marks that are closed; it becomes text if a table would cut it."""
    window, at = view.window, view.at
    begin = len(window) - len(window[at:].lstrip("`"))
    ticks = window[at:begin]
    # At the end of a text a run of backticks is whole.
    end = markup.closing_ticks(f"{window}\n" if not view.more else window, begin, len(ticks))
    if view.more and (begin == len(window) or end is None):
        return None
    if end is not None and end >= 0:
        content, behind = window[begin:end], end + len(ticks)
    elif view.final and "\n" not in window[begin:]:
        content = window[begin:].rstrip("`")
        behind = len(window)
    else:
        return Replace(begin)
    if not content.strip():
        return Replace(behind)
    if not view.writer.may_be_code(content):
        # Read again as prose: what was hidden in code is checked as everything else is.
        return Replace(behind, content)
    return Write(behind, partial(view.writer.code, content, ticks))


def _angle(view: View) -> Replace | Write | None:
    """An autolink, a placeholder, a tag, or a mere sign."""
    window, at = view.window, view.at
    if window.startswith("<=", at):
        if len(window) == at + 2 and view.more:
            return None
        # The blank is written too: a mark and what it might take in are not to meet.
        return view.literal(at + 3 if window.startswith("<= ", at) else at + 1)
    end = markup.tag_end(window, at)
    if end is None and view.more:
        return None
    if end is None and view.final and window[at:] not in ("<", "</"):
        return Replace(len(window), checked=_removed(window[at:], view.links))
    if end is None or end < 0:
        return view.literal(at + 1)
    tag = window[at:end]
    if match := markup.AUTOLINK.fullmatch(tag):
        return brackets.link(view, end, "", match[1])
    if match := markup.MAIL_AUTOLINK.fullmatch(tag):
        return _as_code(view, end, match[1])
    if not markup.is_element(tag) and markup.PLACEHOLDER.fullmatch(tag[1:-1]):
        return _as_code(view, end, tag)
    return Replace(end, checked=_removed(tag, view.links))


def _as_code(view: View, end: int, content: str) -> Replace | Write:
    """The text between angle brackets as code, if it is read as code."""
    if not view.writer.may_be_code(content):
        return Replace(end)
    return Write(end, partial(view.writer.code, content))


def _removed(tag: str, links: Links) -> tuple[CheckedReference, ...]:
    """The decision on the address of a tag that is removed, for the counts; none if it has none."""
    target = markup.target_of(tag)
    return () if target is None else (links.remove(target, HTML_REASON),)


READERS: dict[str, Callable[[View], Replace | Write | None]] = {
    "\\": _backslash,
    "`": _ticks,
    "<": _angle,
    "[": brackets.bracket,
    "!": brackets.image,
    "\u3010": brackets.broad,
}
