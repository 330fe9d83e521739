"""Tells in linear time whether a page is safe to parse in this process (ordinary) or not (odd).

Nothing can interrupt the parser. It takes 4 s for 50,000 attributes on one tag, and more than 10 s for 100,000 nested
elements: the time grows with the square of these numbers (`docs/decisions/guarded-child.md`). If tags are closed out of
order, it copies elements: `<div><b><i></div>` puts a `b` and an `i` into every paragraph that follows. The limits are
far above what documentation has, and far below what takes long. A page over a limit is not refused: the guarded child
parses it.
"""

from __future__ import annotations

import re
from typing import Final

from trueref_plugin.reading.guarding.nesting import RAW_TEXT, Nesting
from trueref_plugin.reading.guarding.ordinary_runs import pass_over

MAX_BYTES: Final = 4_000_000
MAX_ATTRIBUTES: Final = 256
MAX_ATTRIBUTE_TEXT: Final = 20_000
"""Characters in the attributes of an element with content: reading searches them once for each child of the element."""

# Matches a comment, a tag up to its end, or anything else that browsers read as a comment, by the states of the HTML
# standard (13.2.5): white space is five characters, `=` before a name is part of the name, and a tag or comment without
# an end goes on to the end of the page. All quantifiers are possessive: nothing is tried twice, so the time is linear.
_TAG = re.compile(
    r"""<(?:
        !--(?:-?>|(?:[^-]++|-(?!-!?>))*+(?:--!?>|\Z))
        |(/?)([a-zA-Z][^\t\n\f\r />]*+)
         ((?:[\t\n\f\r /]*+(?:=?[^\t\n\f\r />=]++|=)
             (?:[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\t\n\f\r >"'][^\t\n\f\r >]*+)?+)?+)*+)
         ([\t\n\f\r /]*+)(?:>|\Z)
        |[!?/][^>]*+>?
    )""",
    re.VERBOSE,
)
_QUOTED_VALUE = re.compile(r"\"[^\"]*+\"|'[^']*+'")
_ATTRIBUTE_SEPARATOR = re.compile(r"[\s/]+")
_UNCOUNTED_LENGTH = 2 * MAX_ATTRIBUTES
"""In a text of at most this many characters there cannot be too many attributes, so they need not be counted."""

_RAW_ENDS = {name: re.compile(rf"</{name}(?=[\t\n\f\r />])", re.IGNORECASE) for name in RAW_TEXT}


def why_odd(html: str) -> str | None:
    """The reason why a page is not safe to parse in this process, for a message; None for an ordinary page."""
    if len(html) > MAX_BYTES:
        return f"it has {len(html):,} characters"
    nesting = Nesting()
    position = 0
    while (match := _TAG.search(html, pass_over(html, position, nesting))) is not None:
        position = match.end()
        closes, name, attributes, end = match.groups()
        if name is None:
            if nesting.foreign and html.startswith("<![CDATA[", match.start()):
                return "it has a CDATA section"
            continue
        if len(attributes) > _UNCOUNTED_LENGTH and (
            reason := _attributes_odd(attributes, is_void=nesting.is_void(name))
        ):
            return reason
        # Only ASCII: `lower` would turn the Kelvin sign into a `k`, and the parser does not.
        name = name.lower() if name.isascii() else name
        is_raw = not closes and name in RAW_TEXT and not nesting.foreign
        reason = nesting.close(name) if closes else nesting.open(name, closes_itself=end.endswith("/"))
        if reason is not None:
            return reason
        if is_raw:
            ends = _RAW_ENDS[name].search(html, position)
            if ends is None:
                return None
            if name == "script" and _is_escaped(html, position, ends.start()):
                return "it has a script within a script"
            position = ends.start()
    return None


def _attributes_odd(attributes: str, *, is_void: bool) -> str | None:
    """The reason why the attributes of a tag are not safe to parse, None if they are."""
    # Quoted values are removed first: the `d` of an SVG path is one attribute, however many numbers it has.
    outside = _QUOTED_VALUE.sub("", attributes)
    if max(len(_ATTRIBUTE_SEPARATOR.split(outside)), outside.count("=")) > MAX_ATTRIBUTES:
        return f"a tag has more than {MAX_ATTRIBUTES} attributes"
    if len(attributes) > MAX_ATTRIBUTE_TEXT and not is_void:
        return f"a tag has more than {MAX_ATTRIBUTE_TEXT:,} characters of attributes"
    return None


def _is_escaped(html: str, start: int, end: int) -> bool:
    """Whether a script may go on after its end tag: within `<!--`, one `<script` needs one `</script>` more."""
    comment = html.find("<!--", start, end)
    return comment >= 0 and "<script" in html[comment:end].lower()
