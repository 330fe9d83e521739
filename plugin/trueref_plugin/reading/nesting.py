"""Follows the tags of a page as the parser nests them, as far as they are closed in order.

HTML lets some end tags be left out, and these rules are followed (the standard, 13.1.2.4). For all else there are rules
of repair, which this module does not know: a page that needs one is odd. What it keeps is then never less than what the
parser has open: that holds for pages whose tags are closed in order, and no others get past it.
"""

from __future__ import annotations

from typing import Final

MAX_DEPTH: Final = 150
"""Also keeps the recursive walk within Python's stack."""
MAX_INLINE: Final = 24
"""Elements of a line of text inside each other: each is asked whether a block is anywhere in it."""
MAX_ROOTS: Final = 8
"""Tags of `html`, `head` and `body`: the parser gives the attributes of all to the first."""

MISNESTED: Final = "its tags are not closed in order"
RAW_TEXT: Final = frozenset("script style textarea title xmp iframe noembed noframes".split())
"""Elements that hold text up to their own end tag, whatever stands in it."""

_VOID: Final = frozenset(
    "area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr".split()
)
_FORMATTING: Final = frozenset("a b big code em font i nobr s small strike strong tt u".split())
_INLINE: Final = _FORMATTING | frozenset(
    "abbr acronym bdi bdo cite data del dfn ins kbd label mark q samp slot span sub sup time var".split()
)
_HEADINGS: Final = frozenset(f"h{level}" for level in range(1, 7))
_BLOCKS: Final = _HEADINGS | frozenset(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form header "
    "hgroup listing main menu nav ol pre search section summary ul".split()
)
_ENDING_ALL: Final = frozenset(
    "article aside blockquote center details div dl fieldset figure footer header main nav ol pre section ul".split()
)
"""Elements whose end tag ends all that is open in them."""
_CLOSING_P: Final = _BLOCKS | frozenset("dd dt hr li p plaintext table xmp".split())
_PARTS: Final = {
    "td": frozenset(("tr", "tbody", "thead", "tfoot")),
    "th": frozenset(("tr", "tbody", "thead", "tfoot")),
    "tr": frozenset(("tbody", "thead", "tfoot")),
    **dict.fromkeys(("tbody", "thead", "tfoot", "caption", "colgroup", "col"), frozenset[str]()),
}
"""By part of a table: the parts that it stands in."""
_IMPLIED: Final = frozenset("p li dt dd option optgroup td th tr tbody thead tfoot caption colgroup".split())
"""Elements whose end tag may be left out. It may for `rt` and `rp` too, but who leaves it out?"""
_CLOSING_IMPLIED: Final = (
    _BLOCKS | frozenset(_PARTS) | frozenset("li dt dd table select button object template".split())
)
"""Elements whose end tag ends such elements in them. That of a `span` does not."""

_ITEMS: Final = {
    "li": (frozenset(("li",)), frozenset(("ul", "ol", "menu"))),
    "dt": (frozenset(("dt", "dd")), frozenset(("dl",))),
    "dd": (frozenset(("dt", "dd")), frozenset(("dl",))),
}
"""By item: the items that it ends, and the lists around it."""
_SCOPES: Final = frozenset(
    "applet button caption foreignobject html marquee object table td template th desc title mi mn mo ms mtext".split()
)
"""Elements through which nothing in them ends what is around them."""
_GOING_ON: Final = _FORMATTING | _SCOPES | {"select", "form"}
_NOT_IN_ITSELF: Final = frozenset(("a", "nobr", "button"))
_ROOTS: Final = frozenset(("html", "head", "body"))

_HTML_INSIDE: Final = {
    "svg": frozenset("foreignobject desc title".split()),
    "math": frozenset("mi mn mo ms mtext".split()),
}
"""By foreign language, the elements of it that hold HTML."""
_FOREIGN_ONLY: Final = frozenset[str]().union(*_HTML_INSIDE.values()) - {"title"}
_NOT_FOLLOWED: Final = frozenset("frameset annotation-xml mglyph malignmark".split())
"""What has rules of its own, and is in no documentation."""
_LEAVING: Final = frozenset(
    "b big blockquote body br center code dd div dl dt em embed font h1 h2 h3 h4 h5 h6 head hr i img li listing menu "
    "meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var".split()
)
"""Tags that end SVG and MathML."""


class Nesting:
    """What is open at a place of a page. `open` and `close` tell why the page is odd, None for an ordinary one."""

    def __init__(self) -> None:
        self.foreign = ""
        """`svg` or `math` where the next element is one of theirs: they have no void elements and no raw text."""
        self._open: list[str] = []
        self._foreign: list[str] = []
        self._count: dict[str, int] = {}
        self._inline = 0
        self._roots = 0

    def is_void(self, name: str) -> bool:
        """Whether an element of this name holds nothing that is read, in whatever letters."""
        return bool(self.foreign) or name.lower() in _VOID

    def open(self, name: str, *, closes_itself: bool = False) -> str | None:
        """Takes a start tag, in small letters."""
        if name in _NOT_FOLLOWED:
            return MISNESTED
        if self.foreign:
            if name in _LEAVING:
                return MISNESTED
            inside = "" if name in _HTML_INSIDE[self.foreign] else self.foreign
            return None if closes_itself else self._push(name, inside)
        return self._open_html(name, closes_itself=closes_itself)

    def _open_html(self, name: str, *, closes_itself: bool) -> str | None:
        """Takes a start tag outside of SVG and MathML, and ends what it ends."""
        if name in _PARTS and not self._count.get("table"):
            # The parser ignores it, but not in a template.
            return MISNESTED if self._count.get("template") else None
        if name in _ROOTS:
            self._roots += 1
            return f"it has more than {MAX_ROOTS} tags of html, head and body" if self._roots > MAX_ROOTS else None
        if name in _CLOSING_P and self._count.get("p") and not self._ends(frozenset(("p",)), _SCOPES):
            return MISNESTED
        if name in _ITEMS and not self._ends(*_ITEMS[name]):
            return MISNESTED
        if name in _PARTS and not self._ends_parts(name):
            return MISNESTED
        if name == "a" and self._open and self._open[-1] == "a":
            self._pop()
        if name in _NOT_IN_ITSELF and self._count.get(name):
            return MISNESTED
        # A list of choices ignores most tags, but not what they would hide.
        if name in _FOREIGN_ONLY or (name in RAW_TEXT and self._count.get("select")):
            return MISNESTED
        if name in _VOID or (closes_itself and name in _HTML_INSIDE):
            return None
        if name == "option" and self._open and self._open[-1] == "option":
            self._pop()
        return self._push(name, name if name in _HTML_INSIDE else "")

    def close(self, name: str) -> str | None:
        """Takes an end tag, in small letters. One that ends nothing is ignored, as the parser does."""
        if self.foreign and name in ("p", "br"):
            return MISNESTED
        if not self._count.get(name):
            # The end tag of one heading ends another.
            return MISNESTED if name in _HEADINGS and any(map(self._count.get, _HEADINGS)) else None
        if name in _CLOSING_IMPLIED:
            while self._open[-1] != name and self._open[-1] in _IMPLIED:
                self._pop()
        if self._open[-1] != name and not (name in _ENDING_ALL and self._ends_simply(name)):
            return MISNESTED
        self._pop()
        return None

    def _push(self, name: str, foreign: str) -> str | None:
        self._open.append(name)
        self._foreign.append(foreign)
        self.foreign = foreign
        self._count[name] = self._count.get(name, 0) + 1
        self._inline += name in _INLINE or "-" in name
        if len(self._open) > MAX_DEPTH:
            return f"its elements are nested more than {MAX_DEPTH} deep"
        if self._inline > MAX_INLINE:
            return f"more than {MAX_INLINE} elements of a line are nested"
        return None

    def _pop(self) -> None:
        name = self._open.pop()
        self._foreign.pop()
        self.foreign = self._foreign[-1] if self._foreign else ""
        self._count[name] -= 1
        self._inline -= name in _INLINE or "-" in name

    def _ends(self, ended: frozenset[str], around: frozenset[str]) -> bool:
        """Ends the innermost element of some names, if one is open; False where others are open in it."""
        if self._open and self._open[-1] == "p" and "p" not in ended:
            self._pop()
        if self._open and self._open[-1] in ended:
            self._pop()
            return True
        for name in reversed(self._open):
            if name in ended:
                return False
            if name in around or name in _SCOPES:
                return True
        return True

    def _ends_simply(self, name: str) -> bool:
        """Ends what is open in the innermost element of a name, unless some of it would go on after that."""
        at = len(self._open) - 1
        while self._open[at] != name:
            if self._open[at] in _GOING_ON or self._foreign[at]:
                return False
            at -= 1
        while len(self._open) > at + 1:
            self._pop()
        return True

    def _ends_parts(self, name: str) -> bool:
        """Ends the parts of a table that a part cannot stand in; False where other elements are open in them."""
        kept = _PARTS[name]
        while self._open[-1] in _IMPLIED and self._open[-1] not in kept:
            self._pop()
        return self._open[-1] == "table" or self._open[-1] in kept
