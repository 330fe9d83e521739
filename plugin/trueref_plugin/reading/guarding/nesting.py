"""Follows the tags of a page as the parser nests them, as far as they are closed in order.

HTML lets some end tags be left out, and those rules are followed (the standard, 13.1.2.4). For anything else the parser
has rules of repair, which this module does not know: a page that needs one is odd. So for every page that passes, at
least those elements are counted here that the parser has open, which is what the limits are for.
"""

from __future__ import annotations

from typing import Final

MAX_DEPTH: Final = 150
"""Also keeps the recursive walk within Python's stack."""
MAX_INLINE: Final = 24
"""Inline elements inside each other: for each of them, reading searches everything in it for a block."""
MAX_ROOTS: Final = 8
"""Tags of `html`, `head` and `body`: the parser adds the attributes of all of them to the first."""

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
"""Elements whose end tag may be left out. That of `rt` and `rp` may be too, but hardly anybody does so: such a page is
odd."""
_CLOSING_IMPLIED: Final = (
    _BLOCKS | frozenset(_PARTS) | frozenset("li dt dd table select button object template".split())
)
"""Elements whose end tag also ends open elements of `_IMPLIED` in them. That of a `span` does not."""

_ITEMS: Final = {
    "li": (frozenset(("li",)), frozenset(("ul", "ol", "menu"))),
    "dt": (frozenset(("dt", "dd")), frozenset(("dl",))),
    "dd": (frozenset(("dt", "dd")), frozenset(("dl",))),
}
"""By item: the items that its start tag ends, and the lists beyond which it ends none."""
_SCOPES: Final = frozenset(
    "applet button caption foreignobject html marquee object table td template th desc title mi mn mo ms mtext".split()
)
"""Elements that shield what is around them: no tag inside them ends an element outside."""
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
"""Elements with rules of their own that no documentation has."""
_LEAVING: Final = frozenset(
    "b big blockquote body br center code dd div dl dt em embed font h1 h2 h3 h4 h5 h6 head hr i img li listing menu "
    "meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var".split()
)
"""Tags that end SVG and MathML."""


class Nesting:
    """The open elements. `open` and `close` return the reason why a page is odd, None while it is ordinary."""

    def __init__(self) -> None:
        self.foreign = ""
        """`svg` or `math` if the next element belongs to one of them, else "". In these no element is void or raw text.
        """
        self._open: list[str] = []
        self._foreign: list[str] = []
        self._count: dict[str, int] = {}
        self._inline = 0
        self._roots = 0

    @property
    def innermost(self) -> str:
        """The name of the element that the next one stands in, "" if none is open."""
        return self._open[-1] if self._open else ""

    def holds(self, name: str) -> bool:
        """Whether an element of this name is open."""
        return bool(self._count.get(name))

    def has_room(self, depth: int, inline: int) -> bool:
        """Whether so many more elements, and so many of a line among them, may be open at once."""
        return len(self._open) + depth <= MAX_DEPTH and self._inline + inline <= MAX_INLINE

    def is_void(self, name: str) -> bool:
        """Whether an element of this name, in small or capital letters, has no content."""
        return bool(self.foreign) or name.lower() in _VOID

    def open(self, name: str, *, closes_itself: bool = False) -> str | None:
        """Handles a start tag, given in small letters."""
        if name in _NOT_FOLLOWED:
            return MISNESTED
        if self.foreign:
            if name in _LEAVING:
                return MISNESTED
            inside = "" if name in _HTML_INSIDE[self.foreign] else self.foreign
            return None if closes_itself else self._push(name, inside)
        return self._open_html(name, closes_itself=closes_itself)

    def _open_html(self, name: str, *, closes_itself: bool) -> str | None:
        """Handles a start tag outside of SVG and MathML, and ends the elements that it ends."""
        if name in _PARTS and not self._count.get("table"):
            # Outside of a table the parser ignores the tag, except in a template.
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
        # In a `select` the parser ignores most tags, but not the text that such an element would hide.
        if name in _FOREIGN_ONLY or (name in RAW_TEXT and self._count.get("select")):
            return MISNESTED
        if name in _VOID or (closes_itself and name in _HTML_INSIDE):
            return None
        if name == "option" and self._open and self._open[-1] == "option":
            self._pop()
        return self._push(name, name if name in _HTML_INSIDE else "")

    def close(self, name: str) -> str | None:
        """Handles an end tag, given in small letters. One that ends nothing is ignored, as the parser does."""
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
        """Opens an element. Gives the reason if that is too deep."""
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
        """Ends the innermost element."""
        name = self._open.pop()
        self._foreign.pop()
        self.foreign = self._foreign[-1] if self._foreign else ""
        self._count[name] -= 1
        self._inline -= name in _INLINE or "-" in name

    def _ends(self, ended: frozenset[str], around: frozenset[str]) -> bool:
        """Ends the innermost open element with one of the names `ended`, if any. False if others are open inside it."""
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
        """Ends what is open inside the innermost element of a name; False if the parser would open some of it again."""
        at = len(self._open) - 1
        while self._open[at] != name:
            if self._open[at] in _GOING_ON or self._foreign[at]:
                return False
            at -= 1
        while len(self._open) > at + 1:
            self._pop()
        return True

    def _ends_parts(self, name: str) -> bool:
        """Ends the parts of a table that this part cannot stand in; False if other elements are open inside them."""
        parents = _PARTS[name]
        while self._open[-1] in _IMPLIED and self._open[-1] not in parents:
            self._pop()
        return self._open[-1] == "table" or self._open[-1] in parents
