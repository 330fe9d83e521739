"""Finds identifiers in a text, so that `--no-deps`, `foo.bar_baz` and `FooBar` are found whole and by their parts.

Manuals of languages, shells and markup have names that consist of signs, such as `&&`, `[[` and `!!!`. Since they have
no letter or digit, a search for words leaves them out, and they have a word of their own that stands for them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

from trueref_core.text.inline_code import split_code

MAX_ALIASES: Final = 64

CODE: Final = r"[A-Za-z]{1,6}\d{3,6}"
"""The pattern of the code of a rule or of an error, such as `E501` or `TS2345`. With fewer digits it is more often a
name: `utf8`."""

MAX_SIGN_NAMES: Final = 16
"""The most names of signs that a chunk is searched by."""

MAX_SIGNS: Final = 6
"""The most characters of a name of signs. What is longer is a line that was drawn."""

PUNCTUATION: Final = frozenset(
    ". .. ... , ; : ? ! ?? !! ?! ( ) - -- --- -> => & / | + * = # \" ' ` ) :) ;) :-) < >".split()
)
"""Signs that stand between words, and are no names there."""

_SIGN_NAME: Final = re.compile(rf"(?![-|]\Z)[!-/:-@\[-`{{-~]{{1,{MAX_SIGNS}}}")
"""Matches a name of signs: the printable characters of ASCII without letters, digits and spaces. A single `-` or `|` is
none, since they mark items and cells in the text of chunks."""

_QUOTED_SIGNS: Final = re.compile(
    rf"""(?:(?<=\s)|^)[("'\u2018\u201c]([!-/:-@\[-`{{-~]{{2,{MAX_SIGNS}}})[)"'\u2019\u201d](?=[\s.,:;]|$)"""
)
"""Matches a name of signs in quotation marks or in brackets."""

_AROUND_SIGN_NAME: Final = "`'\"\u2018\u2019\u201c\u201d"
"""What a reader writes around a name of signs to mark it."""

# A name of ASCII word characters with separators inside. The bounds keep matching linear on `a.a.a.a...`.
_CANDIDATE = re.compile(r"-{0,2}[A-Za-z_@][A-Za-z0-9_]{0,80}(?:[.:/\-]{1,2}[A-Za-z0-9_]{1,80}){0,12}")
# Signs of an identifier: a dash in front, a separator other than a hyphen, a capital after a small letter.
_IDENTIFIER_SIGN = re.compile(r"^-|[_.:/]|[a-z][A-Z]")
_CODED = re.compile(rf"(?<![\w./-]){CODE}(?![\w./-])")
_SEPARATORS = re.compile(r"[^A-Za-z0-9]+")
_CAMEL_CASE_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


def identifiers(text: str) -> Iterable[str]:
    """The identifiers of a text in order, with repetitions: names with a separator, leading dash or inner capital."""
    for match in _CANDIDATE.finditer(text):
        name = match[0]
        if _IDENTIFIER_SIGN.search(name) or _is_constant(name):
            yield name


def codes(text: str) -> list[str]:
    """The codes of rules and errors in a text, in order. Behind a name they are none: `x509` in `x509::Certificate`."""
    spans = [match.span() for match in _CANDIDATE.finditer(text) if _IDENTIFIER_SIGN.search(match[0])]
    matches = _CODED.finditer(text)
    return [match[0] for match in matches if not any(start <= match.start() < end for start, end in spans)]


def is_coded(name: str) -> bool:
    """Whether a name is nothing but the code of a rule or of an error."""
    return _CODED.fullmatch(name) is not None


def parts(name: str) -> list[str]:
    """The words of an identifier: `--no-deps` is no, deps; `FooBar_baz` is Foo, Bar, baz."""
    return [part for word in _SEPARATORS.split(name) for part in _CAMEL_CASE_WORD.findall(word)]


def aliases(texts: Iterable[str]) -> tuple[str, ...]:
    """The identifiers of texts and the parts of these, each once, in order, at most 64."""
    names: dict[str, None] = {}
    for name in (name for text in texts for name in identifiers(text)):
        names[name] = None
        names.update(dict.fromkeys(part for part in parts(name) if len(part) > 1))
        if len(names) >= MAX_ALIASES:
            break
    return tuple(names)[:MAX_ALIASES]


def is_sign_name(text: str) -> bool:
    """Whether a text is a name of signs and nothing else."""
    return _SIGN_NAME.fullmatch(text) is not None


def sign_names(text: str) -> Iterable[str]:
    """The names of signs that a text in Markdown explains or uses, in order, with repetitions.

    These are lines and pieces of inline code that are nothing but such names, and names of at least two signs that are
    words of inline code, such as `[[` in `[[ expression ]]`, or that stand in quotation marks or brackets elsewhere:
    `($?)`. A single sign there may be anything.
    """
    for line in text.split("\n"):
        for at, part in enumerate(split_code(line)):
            is_code = at % 2 == 1
            words = part.strip("`").split()
            if all(map(is_sign_name, words)) and (is_code or part == line):
                yield from words
            elif is_code:
                yield from (word for word in words if len(word) > 1 and is_sign_name(word))
            else:
                yield from (name for name in _QUOTED_SIGNS.findall(part) if name not in PUNCTUATION)


def sign_aliases(texts: Iterable[str]) -> tuple[str, ...]:
    """The names of signs of some texts, each once, in order, at most `MAX_SIGN_NAMES`."""
    return tuple(dict.fromkeys(name for text in texts for name in sign_names(text)))[:MAX_SIGN_NAMES]


def asked_sign_names(text: str, known: Collection[str], *, has_topic: bool) -> list[str]:
    """The names of signs in a question, each once, in order.

    Of a question that has a topic only those that are marked as code: `python >= 3.8` asks for no operator.

    Args:
        text: The question.
        known: The names of signs that the docs have.
        has_topic: Whether the question has words that tell its topic.
    """
    names: dict[str, None] = {}
    for word in text.split() if known else ():
        # The mark at the end of the question, as in `what is &&?`, is tried as a part of the name first.
        candidates = (word.strip(_AROUND_SIGN_NAME), word.rstrip("?.,:").strip(_AROUND_SIGN_NAME))
        name = next((name for name in candidates if name in known and is_sign_name(name)), "")
        is_marked = word[0] in _AROUND_SIGN_NAME and not name.startswith(word[0])
        if name and (is_marked or not has_topic):
            names[name] = None
    return list(names)


def sign_term(name: str) -> str:
    """A name of signs as a word that can be searched for: `signs-26-26` for `&&`."""
    return "-".join(["signs", *(f"{ord(sign):x}" for sign in name)])


def sign_terms(names: Iterable[str]) -> list[str]:
    """The words that are searched for in place of those of some names that consist of signs."""
    return [sign_term(name) for name in names if is_sign_name(name)]


def _is_constant(name: str) -> bool:
    """Whether a name is in capitals with a hyphen inside, such as `X-HEADER`."""
    return "-" in name.strip("-") and name.isupper()
