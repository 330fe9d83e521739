"""The text of a run of inline elements, with code in backticks as in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.clean import clean_text, is_dropped

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

CODE_TAGS: Final = frozenset({"code", "kbd", "samp", "tt"})
LINE_BREAK: Final = "\n"


class InlineText:
    """Collects the text of inline elements, and the links among them, until it is taken."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self.links: list[tuple[str, str]] = []
        """Target as written and text of each link since the last `take`."""

    def add(self, node: LexborNode) -> None:
        """Adds a text node or an inline element with all it holds."""
        tag = node.tag
        if tag == "-text":
            # A line break in the source is white space; only `br` ends a line.
            self._parts.append((node.text_content or "").replace("\n", " "))
        elif tag == "br":
            self._parts.append(LINE_BREAK)
        elif tag is not None and not tag.startswith("-"):
            attributes = node.attributes
            if is_dropped(tag, attributes):
                return
            if tag in CODE_TAGS:
                self._add_code(node)
            else:
                self._add_children(node)
            target = attributes.get("href") if tag == "a" else None
            if target is not None:
                self.links.append((target, clean_text(node.text())))

    def add_text(self, text: str) -> None:
        """Adds text that stands in no node."""
        self._parts.append(text)

    def take(self) -> str:
        """The text collected so far, cleaned; the collector is empty afterwards. Links stay until they are read."""
        text = "".join(self._parts)
        self._parts.clear()
        return "\n".join(line for line in map(clean_text, text.split(LINE_BREAK)) if line)

    def _add_children(self, node: LexborNode) -> None:
        child = node.first_child
        while child is not None:
            self.add(child)
            child = child.next

    def _add_code(self, node: LexborNode) -> None:
        text = clean_text(visible_text(node))
        # Code that holds a backtick stands bare: a reader copies it more safely than a doubled fence.
        self._parts.append(text if not text or "`" in text else f"`{text}`")
        child_links = [link for link in node.css("a") if link.attributes.get("href")]
        self.links.extend((link.attributes["href"] or "", text) for link in child_links)


def visible_text(node: LexborNode) -> str:
    """All text below a node, less what is dropped, as it stands in the source."""
    parts: list[str] = []
    child = node.first_child
    while child is not None:
        tag = child.tag
        if tag == "-text":
            parts.append(child.text_content or "")
        elif tag == "br":
            parts.append("\n")
        elif tag is not None and not tag.startswith("-") and not is_dropped(tag, child.attributes):
            parts.append(visible_text(child))
        child = child.next
    return "".join(parts)


def inline_text(node: LexborNode) -> str:
    """The cleaned text of one element, on one line, without marks for code: a title, a term, a label."""
    return clean_text(visible_text(node))
