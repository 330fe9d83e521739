"""Follows the open elements of a page from tag to tag, as the parser does, as long as tags are closed in order.

HTML allows some end tags to be left out, and this module follows the rules for that (HTML standard, 13.1.2.4). For all
other disorder the parser has rules of repair, which this module does not know: a page that needs such a rule is odd. So
for every page that passes, this module counts at least as many open elements as the parser has, and a page within its
limits is within them in the parser too.
"""

from __future__ import annotations

from typing import Final

from trueref_plugin.reading.elements import is_inline_tag

MAX_DEPTH: Final = 150
"""Open elements. The limit also keeps the recursive walk within Python's stack."""
MAX_INLINE: Final = 24
"""Open inline elements: for each of them, reading searches everything inside it for a block."""
MAX_ROOTS: Final = 8
"""Tags of `html`, `head` and `body`: the parser adds the attributes of all of them to the first one."""

MISNESTED: Final = "its tags are not closed in order"
RAW_TEXT: Final = frozenset("script style textarea title xmp iframe noembed noframes".split())
"""Elements whose content is text up to their own end tag, even if it looks like tags."""

_VOID: Final = frozenset(
    "area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr".split()
)
_FORMATTING: Final = frozenset("a b big code em font i nobr s small strike strong tt u".split())
_HEADINGS: Final = frozenset(f"h{level}" for level in range(1, 7))
_BLOCKS: Final = _HEADINGS | frozenset(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form header "
    "hgroup listing main menu nav ol pre search section summary ul".split()
)
_ENDING_ALL: Final = frozenset(
    "article aside blockquote center details div dl fieldset figure footer header main nav ol pre section ul".split()
)
"""Elements whose end tag ends everything that is open inside them."""
# Elements whose start tag ends an open paragraph.
_CLOSING_P: Final = _BLOCKS | frozenset("dd dt hr li p plaintext table xmp".split())
_TABLE_PARTS: Final = {
    "td": frozenset(("tr", "tbody", "thead", "tfoot")),
    "th": frozenset(("tr", "tbody", "thead", "tfoot")),
    "tr": frozenset(("tbody", "thead", "tfoot")),
    **dict.fromkeys(("tbody", "thead", "tfoot", "caption", "colgroup", "col"), frozenset[str]()),
}
"""By part of a table: the parts that it may stand in."""
_IMPLIED: Final = frozenset("p li dt dd option optgroup td th tr tbody thead tfoot caption colgroup".split())
"""Elements whose end tag may be left out. The end tags of `rt` and `rp` may be left out too, but hardly anybody does
so: such a page is odd."""
_CLOSING_IMPLIED: Final = (
    _BLOCKS | frozenset(_TABLE_PARTS) | frozenset("li dt dd table select button object template".split())
)
"""Elements whose end tag also ends open elements of `_IMPLIED` inside them. The end tag of a `span` does not."""

_ENDED_BY_START: Final = {
    "li": (frozenset(("li",)), frozenset(("ul", "ol", "menu"))),
    "dt": (frozenset(("dt", "dd")), frozenset(("dl",))),
    "dd": (frozenset(("dt", "dd")), frozenset(("dl",))),
}
"""By item: the items that its start tag ends, and the lists that it does not reach beyond."""
_SCOPES: Final = frozenset(
    "applet button caption foreignobject html marquee object table td template th desc title mi mn mo ms mtext".split()
)
"""Elements that protect the elements around them: no tag inside them ends an element outside."""
_OUTLIVING: Final = _FORMATTING | _SCOPES | {"select", "form"}
"""Elements that the end tag of an element around them does not simply end: the parser opens some of them again."""
_NOT_NESTABLE: Final = frozenset(("a", "nobr", "button"))
"""Elements that cannot stand inside an element of the same name."""
_ROOTS: Final = frozenset(("html", "head", "body"))

_HTML_INSIDE: Final = {
    "svg": frozenset("foreignobject desc title".split()),
    "math": frozenset("mi mn mo ms mtext".split()),
}
"""By foreign language: the elements of it that hold HTML."""
_FOREIGN_ONLY: Final = frozenset[str]().union(*_HTML_INSIDE.values()) - {"title"}
_NOT_FOLLOWED: Final = frozenset("frameset annotation-xml mglyph malignmark".split())
"""Elements with rules of their own that no documentation has."""
_LEAVING_FOREIGN: Final = frozenset(
    "b big blockquote body br center code dd div dl dt em embed font h1 h2 h3 h4 h5 h6 head hr i img li listing menu "
    "meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var".split()
)
"""Tags that end SVG and MathML."""


class Nesting:
    """The open elements of a page. `open` and `close` return the reason why the page is odd, None if it is not."""

    def __init__(self) -> None:
        self.foreign = ""
        """`svg` or `math` if the next element belongs to one of them, else "". There, no element is void or raw
        text."""
        self._open: list[str] = []
        self._foreign: list[str] = []
        self._open_counts: dict[str, int] = {}
        self._inline = 0
        self._roots = 0

    @property
    def innermost(self) -> str:
        """The name of the innermost open element, "" if none is open."""
        return self._open[-1] if self._open else ""

    def holds(self, name: str) -> bool:
        """Whether an element of this name is open."""
        return bool(self._open_counts.get(name))

    def has_room(self, depth: int, inline: int) -> bool:
        """Whether `depth` more elements may be opened inside each other, `inline` of them inline elements."""
        return len(self._open) + depth <= MAX_DEPTH and self._inline + inline <= MAX_INLINE

    def is_void(self, name: str) -> bool:
        """Whether an element of this name, in lower or upper case, counts as one without content."""
        return bool(self.foreign) or name.lower() in _VOID

    def open(self, name: str, *, closes_itself: bool = False) -> str | None:
        """Handles a start tag, given in lower case."""
        if name in _NOT_FOLLOWED:
            return MISNESTED
        if self.foreign:
            if name in _LEAVING_FOREIGN:
                return MISNESTED
            inside = "" if name in _HTML_INSIDE[self.foreign] else self.foreign
            return None if closes_itself else self._push(name, inside)
        return self._open_html(name, closes_itself=closes_itself)

    def _open_html(self, name: str, *, closes_itself: bool) -> str | None:
        """Handles a start tag outside of SVG and MathML, and ends the elements that it ends."""
        if name in _TABLE_PARTS and not self._open_counts.get("table"):
            # Outside of a table the parser ignores the tag, except in a template.
            return MISNESTED if self._open_counts.get("template") else None
        if name in _ROOTS:
            self._roots += 1
            return f"it has more than {MAX_ROOTS} tags of html, head and body" if self._roots > MAX_ROOTS else None
        if name in _CLOSING_P and self._open_counts.get("p") and not self._end_open_item(frozenset(("p",)), _SCOPES):
            return MISNESTED
        if name in _ENDED_BY_START and not self._end_open_item(*_ENDED_BY_START[name]):
            return MISNESTED
        if name in _TABLE_PARTS and not self._end_table_parts(name):
            return MISNESTED
        if name == "a" and self._open and self._open[-1] == "a":
            self._pop()
        if name in _NOT_NESTABLE and self._open_counts.get(name):
            return MISNESTED
        # In a `select` the parser ignores most tags, but reads the text in them, which outside would be raw text.
        if name in _FOREIGN_ONLY or (name in RAW_TEXT and self._open_counts.get("select")):
            return MISNESTED
        if name in _VOID or (closes_itself and name in _HTML_INSIDE):
            return None
        if name == "option" and self._open and self._open[-1] == "option":
            self._pop()
        return self._push(name, name if name in _HTML_INSIDE else "")

    def close(self, name: str) -> str | None:
        """Handles an end tag, given in lower case. An end tag that ends nothing is ignored, as in the parser."""
        if self.foreign and name in ("p", "br"):
            return MISNESTED
        if not self._open_counts.get(name):
            # The end tag of a heading also ends a heading of another level.
            return MISNESTED if name in _HEADINGS and any(map(self._open_counts.get, _HEADINGS)) else None
        if name in _CLOSING_IMPLIED:
            while self._open[-1] != name and self._open[-1] in _IMPLIED:
                self._pop()
        if self._open[-1] != name and not (name in _ENDING_ALL and self._end_with_content(name)):
            return MISNESTED
        self._pop()
        return None

    def _push(self, name: str, foreign: str) -> str | None:
        """Opens an element. Returns the reason if it is nested too deep."""
        self._open.append(name)
        self._foreign.append(foreign)
        self.foreign = foreign
        self._open_counts[name] = self._open_counts.get(name, 0) + 1
        self._inline += not foreign and is_inline_tag(name)
        if len(self._open) > MAX_DEPTH:
            return f"its elements are nested more than {MAX_DEPTH} deep"
        if self._inline > MAX_INLINE:
            return f"its inline elements are nested more than {MAX_INLINE} deep"
        return None

    def _pop(self) -> None:
        """Ends the innermost element."""
        name, foreign = self._open.pop(), self._foreign.pop()
        self.foreign = self._foreign[-1] if self._foreign else ""
        self._open_counts[name] -= 1
        self._inline -= not foreign and is_inline_tag(name)

    def _end_open_item(self, ended: frozenset[str], limits: frozenset[str]) -> bool:
        """Ends the innermost open element with a name in `ended`; False if other elements are open inside it.

        An element beyond one of `limits` stays open.
        """
        if self._open and self._open[-1] == "p" and "p" not in ended:
            self._pop()
        if self._open and self._open[-1] in ended:
            self._pop()
            return True
        for name in reversed(self._open):
            if name in ended:
                return False
            if name in limits or name in _SCOPES:
                return True
        return True

    def _end_with_content(self, name: str) -> bool:
        """Ends everything inside the innermost element of a name; False if the parser would open some of it again."""
        index = len(self._open) - 1
        while self._open[index] != name:
            if self._open[index] in _OUTLIVING or self._foreign[index]:
                return False
            index -= 1
        while len(self._open) > index + 1:
            self._pop()
        return True

    def _end_table_parts(self, name: str) -> bool:
        """Ends the parts of a table that this part cannot stand in; False if other elements are open inside these."""
        parents = _TABLE_PARTS[name]
        while self._open[-1] in _IMPLIED and self._open[-1] not in parents:
            self._pop()
        return self._open[-1] == "table" or self._open[-1] in parents
