"""Reads blocks of code: their text and their language, as current highlighters write them."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.code_text import CODE_TABLE, code_text
from trueref_plugin.reading.elements import class_names, first_element, has_class
from trueref_plugin.reading.markup.clean import clean_text
from trueref_plugin.reading.walk import BlockReader, Walk

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from trueref_core.records import ChunkKind

_LANGUAGE = re.compile(r"(?:^|\s)(?:language|highlight-source|highlight|lang|hl)-([\w+#.-]{1,40})")
_BARE_CLASSES: Final = frozenset(("sourceCode", "code", "src"))
"""Classes of a `pre` that has its language as a class of its own: Pandoc and Quarto, docutils, Org (`src-sh`)."""
_BARE_LANGUAGES: Final = frozenset(
    "ada apache asm awk bash bat bibtex c clojure cmake console cpp c++ cs csharp css csv dart diff docker dockerfile "
    "elixir elm erlang fortran fsharp go graphql groovy haskell hcl html http ini java javascript js json jsx julia "
    "kotlin latex less lisp lua make makefile markdown matlab md nginx nix objc ocaml octave perl php postgresql "
    "powershell prolog proto protobuf ps1 py pycon python python3 r rb rego ruby rst rust sass scala scheme scss sh "
    "shell sql swift tcl tex terraform toml ts tsx typescript vb verilog vhdl vim vue xml yaml yml zig zsh".split()
)
"""Names of languages that are recognised in a class without a prefix. Other classes say how code looks."""
_ATTRIBUTES: Final = ("data-language", "data-lang")
_NO_LANGUAGE: Final = frozenset(
    {"default", "text", "none", "plaintext", "plain", "txt", "ipynb", "wrapper", "fallback"}
)
_FRAMES: Final = frozenset("div figure table tbody tr td code".split())
"""Elements that highlighters put around a block; the language may stand on any of them."""
_PROTOTYPE: Final = "memproto"
"""The class of the element that Doxygen puts around the declaration of a member."""
_SIGNATURES: Final = frozenset(("type-signature", "member-signature"))
"""Classes of the element with the declaration of a class or of a member: Javadoc, which wrote a `pre` up to version 15.
"""
_DECLARATIONS: Final = _SIGNATURES | {_PROTOTYPE}
_MAX_FRAMES: Final = 10
"""Elements that are searched for the language of a block, at most: the block itself, its `code`, and frames around it.
A highlighted block has at most six frames, if its line numbers stand in a table."""


class CodeReader(BlockReader):
    """Reads a `pre` as one block. Doxygen and Scribble write code without a `pre`."""

    tags = frozenset(("pre",))

    def __init__(self) -> None:
        self._frame_answers: dict[int, bool] = {}
        """By element around code (`mem_id`): whether it holds a single block. This is remembered, so that an element
        with a thousand blocks is searched once and not a thousand times."""

    def takes(self, node: LexborNode, classes: Collection[str]) -> bool:
        """See `BlockReader`."""
        if node.tag == "table":
            return CODE_TABLE in classes
        if node.tag != "div":
            return node.tag in self.tags
        first = first_element(node) if "fragment" in classes else None
        return not _DECLARATIONS.isdisjoint(classes) or (first is not None and has_class(first, "line"))

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:  # noqa: ARG002 # code is its own kind
        """See `BlockReader`."""
        walk.page.record_section_of_ids(node)
        if has_class(node, _PROTOTYPE):
            # A prototype is a table, with a cell for each part of its line.
            text, language = clean_text(node.text(separator=" ")), self._language(node)
        elif node.tag == "div" and not _SIGNATURES.isdisjoint(class_names(node)):
            text, language = "\n".join(filter(None, map(clean_text, node.text().split("\n")))), "java"
        else:
            text, language = code_text(node), self._language(node)
        if text:
            walk.page.add_block("code", text, code_language=language)

    def _language(self, node: LexborNode) -> str:
        """The language of a `pre`, named by itself, its `code` or a frame around it; "" if none of them names it."""
        for candidate in self._frames(node):
            attributes = candidate.attributes
            in_attributes = (attributes.get(name) or "" for name in _ATTRIBUTES)
            names = (*_LANGUAGE.findall(attributes.get("class") or ""), *in_attributes, _bare_language(candidate))
            # Words such as `text` say that the code is not highlighted. A frame around it may still name its language.
            language = next((name for name in names if name and name.lower() not in _NO_LANGUAGE), "")
            if language:
                return language.lower()
        return ""

    def _frames(self, node: LexborNode) -> list[LexborNode]:
        """The elements that may name the language of a block, the block itself first."""
        inner = node.css_first("code")
        frames = [node] if inner is None else [node, inner]
        ancestor = node.parent
        while ancestor is not None and ancestor.tag in _FRAMES and len(frames) < _MAX_FRAMES:
            if not self._is_frame(ancestor):
                break
            frames.append(ancestor)
            ancestor = ancestor.parent
        return frames

    def _is_frame(self, element: LexborNode) -> bool:
        """Whether an element around code holds a single block, looked up if it was asked before."""
        key = element.mem_id
        if key not in self._frame_answers:
            self._frame_answers[key] = _has_one_block(element)
        return self._frame_answers[key]


def _bare_language(node: LexborNode) -> str:
    """The language that is a class of its own, "" if there is none."""
    classes = class_names(node)
    if (node.tag == "pre" and not _BARE_CLASSES.isdisjoint(classes)) or (node.tag == "code" and len(classes) == 1):
        names = (name.removeprefix("src-") for name in classes)
        return next((name for name in names if name.lower() in _BARE_LANGUAGES), "")
    return ""


def _has_one_block(frame: LexborNode) -> bool:
    """Whether an element holds a single block of code. An element with several blocks is not a frame."""
    # If line numbers stand in a table, Pygments writes them into a `pre` of their own.
    return len(frame.css("pre:not(.lineno)")) <= 1 or frame.css_first(".linenos") is not None
