"""The type of a documented object (class, function, module), from the frame that the generator puts around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_MKDOCSTRINGS: Final = {
    "doc-module": "py:module",
    "doc-class": "py:class",
    "doc-function": "py:function",
    "doc-attribute": "py:attribute",
    "doc-type_alias": "py:type",
}
"""Roles by the class of the frame. mkdocstrings names no language there, and nearly always documents Python."""

_PARAMETERS: Final = {"doc-heading-parameter": "py:parameter", "doc-heading-type_parameter": "py:typeparameter"}
"""Roles by the class of a parameter's heading, since parameters have no frame. The inventory of mkdocstrings has the
same names."""

_OBJECT_TYPES: Final = frozenset(
    "module class exception function method classmethod staticmethod attribute property data type".split()
)
"""The kinds of Sphinx's Python domain."""


def object_role(node: LexborNode) -> str:
    """The role of the object whose id is on `node`, such as `py:class`; "" if nothing names it."""
    frame = node.parent
    if frame is None:
        return ""
    classes = (frame.attributes.get("class") or "").split()
    if frame.tag == "dl":
        # Sphinx, from version 4 on, writes two classes: the domain (`py`), then the kind.
        kinds = [name for name in classes if name in _OBJECT_TYPES]
        return f"py:{kinds[0]}" if kinds and classes[0] == "py" else ""
    heading_classes = (node.attributes.get("class") or "").split()
    if parameter := next((_PARAMETERS[name] for name in heading_classes if name in _PARAMETERS), ""):
        return parameter
    if "doc-object" in classes:
        return next((_MKDOCSTRINGS[name] for name in classes if name in _MKDOCSTRINGS), "")
    return ""
