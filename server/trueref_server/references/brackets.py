"""Reads what begins with a bracket: links, images, citations and definitions.

Each function returns None if its decision depends on text that is still to come.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Literal

from trueref_server.references import markup
from trueref_server.references.bare_addresses import is_address_like
from trueref_server.references.reference_links import address_of, is_example
from trueref_server.references.view import Replace, View, WindowEnd, Write

ADDRESS_MARK = re.compile(r"[/.#:]")
"""A character that makes a word the beginning of an address, and not a remark in parentheses."""

BLANK = re.compile(r"\s")
LENTICULAR_END = "\u3011"
LENTICULAR_CITATION = re.compile(r"\u3010([^\u3010\u3011\n\u2020]*)(?:\u2020[^\u3010\u3011\n]*)?\u3011")
"""A citation in lenticular brackets, `\u3010 \u3011`: numbers, and perhaps a dagger with the name of the source."""

MAX_LENTICULAR = 100
"""At most this many characters are read for the end of a citation in lenticular brackets."""

HALF_CITATION = re.compile(r"\[\[?[\d\s,;^]*\Z")
"""A citation that the end of the text cuts off: `[1`, `[1, `, `[[2`."""

IMAGE_REASON = "Images are removed."
CUT_REASON = "The text ends, or goes to the next line, in the middle of the link."


def lenticular_citation(view: View) -> Replace | Write | None:
    """A citation in the lenticular brackets that some models write: a number, perhaps a dagger and a name."""
    window, at = view.window, view.at
    if view.sources is None:
        return view.literal(at + 1)
    if LENTICULAR_END not in window[at : at + MAX_LENTICULAR]:
        if len(window) - at >= MAX_LENTICULAR or view.window_end is WindowEnd.FULL:
            return view.literal(at + 1)
        return None if view.is_open else Replace(len(window))
    match = LENTICULAR_CITATION.match(window, at)
    if match is None or not markup.is_citation(match[1]):
        return view.literal(at + 1)
    return _citation(view, match.end(), match[1])


def bracket(view: View) -> Replace | Write | None:
    """A link, a citation or a definition."""
    window, at = view.window, view.at
    closing = markup.closing_bracket(window, at)
    if closing is None:
        return _unclosed(view)
    if closing < 0:
        return view.literal(at + 1)
    following = window[closing + 1 : closing + 2]
    if not following and view.is_open:
        return None
    label = window[at + 1 : closing]
    if following == "(":
        return _inline_link(view, label, closing + 1)
    # A citation comes before a definition: `[1]` cites a source, even if a definition has the name `1`.
    if view.sources is not None and markup.is_citation(label):
        return _citation(view, closing + 1, label)
    if following == "[":
        return _reference_link(view, label, closing + 1)
    if following == ":" and view.writer.lead and (definition := _definition(view)) is not False:
        return definition
    return _defined_link(view, closing + 1, label, label) or view.literal(at + 1)


def _unclosed(view: View) -> Replace | Write | None:
    """A bracket that nothing closes. It is text, but half of a citation at the end of the text is dropped."""
    if view.is_open:
        return None
    if not view.is_final:
        return view.literal(view.at + 1)
    # Half of a citation says nothing to a reader, and would be read as text.
    half = HALF_CITATION.match(view.window, view.at)
    return Replace(half.end() if half else view.at + 1)


def _inline_link(view: View, label: str, opening: int) -> Replace | Write | None:
    """A link with its address in parentheses."""
    window = view.window
    closing = markup.closing_paren(window, opening)
    if closing is None and view.is_open:
        return None
    is_citation = view.sources is not None and markup.is_citation(label)
    if closing is None or closing < 0:
        return _cut_off(view, f"[{label}]" if is_citation else label, opening + 1)
    target = markup.destination(window[opening + 1 : closing])
    # In Markdown no address has a blank, so that these brackets and parentheses are text.
    if BLANK.search(target) and target[0] != "<":
        return view.literal(view.at + 1)
    if is_citation:
        # A citation leads to its source, so that the address which the model wrote is checked and left out.
        return Replace(closing + 1, f"[{label}]", (view.links.check(target),))
    return link(view, closing + 1, label, target)


def _cut_off(view: View, words: str, begin: int) -> Replace | Write | None:
    """A link whose parenthesis does not close on its line. If an address follows, only the words stay."""
    end = _blank_after(view.window, begin)
    if end == len(view.window) and view.is_open:
        return None
    target = view.window[begin:end]
    if not view.is_final and not ADDRESS_MARK.search(target):
        return view.literal(view.at + 1)
    is_cut = end == len(view.window) and not view.is_final
    # The rest of the address, at the beginning of the next text, is dropped.
    return Replace(end, "" if is_cut else words, (view.links.remove(target, CUT_REASON),), is_cut=is_cut)


def _blank_after(window: str, at: int) -> int:
    """The position of the next blank, or of the end."""
    match = BLANK.search(window, at)
    return match.start() if match else len(window)


def _reference_link(view: View, label: str, opening: int) -> Replace | Write | None:
    """A link whose address is defined elsewhere: `[label][name]` or `[name][]`."""
    closing = markup.closing_bracket(view.window, opening)
    if closing is None and view.is_open:
        return None
    if closing is None or closing < 0:
        return view.literal(view.at + 1)
    name = view.window[opening + 1 : closing]
    return _defined_link(view, closing + 1, label, name or label) or view.literal(view.at + 1)


def _defined_link(view: View, end: int, label: str, name: str) -> Replace | Write | None:
    """A link whose address a definition gives; None if no definition of the name is known."""
    target = view.definitions.get(_definition_key(name))
    return None if target is None else link(view, end, label, target)


def _definition(view: View) -> Replace | Literal[False] | None:
    """The definition of a reference link; False if the line is none."""
    window, at = view.window, view.at
    if "\n" not in window[at:] and not view.is_final:
        return None if view.is_open else False
    match = markup.DEFINITION.match(window, at)
    return Replace(match.end(), definitions={_definition_key(match[1]): match[2]}) if match else False


def _definition_key(name: str) -> str:
    """The name of a definition for look-ups, in which case and the number of spaces do not count."""
    return " ".join(name.split()).casefold()


def link(view: View, end: int, label: str, target: str) -> Replace | Write:
    """A link if its target resolves, else its words."""
    checked = view.links.check(target)
    if checked.decision == "removed":
        # An example address in angle brackets is put back, and decided on when it is read again as a bare address.
        return Replace(end, label, (checked,)) if label or not is_example(checked) else Replace(end, target)
    address = address_of(checked)
    # Some renderers would link an address in a label, so that the checked address replaces such a label.
    words = markup.plain_label(label)
    shown = address if not words or is_address_like(words) else words
    return Write(end, partial(view.writer.link, shown, address), (checked,))


def _citation(view: View, end: int, label: str) -> Replace | Write:
    """The numbers of a citation that are sources; nothing if none of the numbers is."""
    numbers = markup.numbers_of(label, view.sources or ())
    if not numbers:
        return Replace(end)
    return Write(end, partial(view.writer.citations, numbers))


def image(view: View) -> Replace | Write | None:
    """An image, which is removed. A bracket follows the exclamation mark."""
    window, at = view.window, view.at
    closing = markup.closing_bracket(window, at + 1)
    if closing is None:
        return None if view.is_open else Replace(len(window)) if view.is_final else view.literal(at + 1)
    if closing < 0:
        return view.literal(at + 1)
    following = window[closing + 1 : closing + 2]
    if not following and view.is_open:
        return None
    if following != "(":
        name = window[at + 2 : closing]
        return Replace(closing + 1) if _definition_key(name) in view.definitions else view.literal(at + 1)
    end = markup.closing_paren(window, closing + 1)
    if end is None and view.is_open:
        return None
    if end is None or end < 0:
        end = _blank_after(window, closing + 1)
        if end == len(window) and view.is_open:
            return None
        return Replace(end, is_cut=end == len(window) and not view.is_final)
    target = markup.destination(window[closing + 2 : end])
    return Replace(end + 1, checked=(view.links.remove(target, IMAGE_REASON),))
