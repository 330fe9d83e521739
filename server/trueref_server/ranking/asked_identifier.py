"""An identifier that a question asks for: which texts have it, and which texts explain it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Final

from trueref_core.text.block_marks import read_marks
from trueref_core.text.identifiers import is_sign_name
from trueref_core.text.key_combinations import key_name, key_pattern
from trueref_server.ranking.object_titles import without_kind
from trueref_server.ranking.verbatim import comparable_name, keeps_case

if TYPE_CHECKING:
    from trueref_core.records import Chunk
    from trueref_server.corpus.corpus import Section

_BEFORE_NAME: Final = r"(?<![A-Za-z0-9_-])"
_AFTER_NAME: Final = r"(?![A-Za-z0-9_-]|[.:/]{1,2}[A-Za-z0-9_])"
"""What stands around an identifier that is no part of a longer one: `--reinstall` is no part of `--reinstall-package`,
and `pkg.Client` none of `pkg.Client.connect`. Other scripts than Latin need no space around it."""

_BEFORE_SIGNS: Final = r"(?<![^\s`'\"(|\u2018\u201c])"
_AFTER_SIGNS: Final = r"(?![^\s`'\")|.,:;\u2019\u201d])"
"""The same for a name of signs such as `&&`: a space, a quotation mark, a bracket, or the end of a sentence."""

_OPENING: Final = r"[('\"\u2018\u201c]?"
"""What may stand before a name of signs at the beginning of a line: `($?) Expands to ...`."""

_LINE_START: Final = (
    r"(?m:^)[^\S\n]{0,8}(?:\| |- |\d{1,5}\. )?(?:the )?(?:option |setting |flag )?"
    r"(?:`?-{1,2}\w[\w-]{0,40}`?(?:, | / )){0,2}`?\.?(?:[A-Za-z_]\w{0,60}(?:\.|::)){0,5}"
)
"""The beginning of a line, up to the identifier that it explains: an option may have its short form before it, and a
member its owner or a dot."""

OTHER_NAME: Final = (
    r"(?:equivalent to|(?:the )?same as|(?:an? )?(?:alias|synonym|short|shorthand|alternate spelling) (?:of|for))\b"
)
"""What says that something is only another name."""

_NO_OTHER_NAME: Final = rf"(?![^\w\n]{{0,9}}(?:\w{{1,12}} )?(?:is |are |has )?{OTHER_NAME})"
"""What does not follow an identifier that a line explains: that it is another name of something."""

_SAYS_MORE: Final = (
    r"(?!\W{1,3}(?:\w{1,20} ){0,2}(?:was|were|been) (?:added|introduced|removed|renamed)\b)"
    "(?=(?:[^\\w\\n]{1,10}\\w+){3}|[^\\n]{0,9}[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{6})"
)
"""What follows an identifier that a line explains: at least three words, or six characters in a script without spaces,
and not merely that it `was added in 2.0`."""


def is_wordless(name: str) -> bool:
    """Whether a name has no word that can be searched for: it consists of signs, or is a combination of keys."""
    return is_sign_name(name) or bool(key_name(name))


@dataclass(frozen=True)
class AskedIdentifier:
    """An identifier as it is written in a question, with the patterns that find it in texts.

    Texts are given as they are written and in small letters, since only of options with a single letter the case
    counts: of several identifiers a text is put into small letters once.
    """

    name: str

    def is_in(self, text: str, lower_text: str) -> bool:
        """Whether a text has the identifier as a whole word."""
        return self._pattern.search(text if self._keeps_case else lower_text) is not None

    def is_explained(self, written: tuple[str, str], in_lower_case: tuple[str, str]) -> bool:
        """Whether a title begins with the identifier, or a line begins with it and says something about it.

        Args:
            written: The titles of a text, a line for each, and the text.
            in_lower_case: The same in small letters.
        """
        titles, text = written if self._keeps_case else in_lower_case
        in_title, in_line = self._explaining
        return bool(in_title.search(titles) or in_line.search(text))

    @cached_property
    def _keeps_case(self) -> bool:
        """Whether the case of the identifier counts."""
        return keeps_case(self.name) or bool(key_name(self.name))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """Matches the identifier as a whole word; if its case does not count, in small letters."""
        if name := key_name(self.name):
            return re.compile(f"(?:{key_pattern(name).pattern})")
        before, after = (_BEFORE_SIGNS, _AFTER_SIGNS) if is_sign_name(self.name) else (_BEFORE_NAME, _AFTER_NAME)
        return re.compile(before + re.escape(comparable_name(self.name)) + after)

    @cached_property
    def _explaining(self) -> tuple[re.Pattern[str], re.Pattern[str]]:
        """The patterns of a title and of a line that explain the identifier."""
        start, end = _LINE_START, _NO_OTHER_NAME + _SAYS_MORE
        if self._keeps_case:
            start, end = f"(?i:{start})", f"(?i:{end})"
        name = self._pattern.pattern
        if is_sign_name(self.name):
            name = _OPENING + name
        # Keys stand behind the name of the command that they run: `search-history (C-r)`.
        in_title = name if key_name(self.name) else start + name
        return re.compile(in_title), re.compile(start + name + end)


def titles_and_text(section: Section) -> tuple[str, str]:
    """The titles of a section, a line for each, and its text without code.

    The terms of its definitions are titles too: what they mean stands below them.
    """
    texts = [chunk for chunk in section.chunks if chunk.kind != "code"]
    titles = [without_kind(section.chunks[0].title), *chain.from_iterable(map(_terms, texts))]
    return "\n".join(titles), "\n".join(chunk.text for chunk in texts)


def _terms(chunk: Chunk) -> Iterator[str]:
    marks = read_marks(chunk)
    ends = [*(mark.offset for mark in marks[1:]), len(chunk.text)]
    # A chunk in which no block begins has no marks.
    for mark, end in zip(marks, ends, strict=False):
        if mark.role == "term":
            yield chunk.text[mark.offset : end].strip()
