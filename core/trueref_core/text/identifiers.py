"""Finds identifiers in a text, so that `--no-deps`, `foo.bar_baz` and `FooBar` are found whole and by their parts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

MAX_ALIASES: Final = 64

CODE: Final = r"[A-Za-z]{1,6}\d{3,6}"
"""The pattern of the code of a rule or of an error, such as `E501` or `TS2345`. With fewer digits it is more often a
name: `utf8`."""

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


def _is_constant(name: str) -> bool:
    """Whether a name is in capitals with a hyphen inside, such as `X-HEADER`."""
    return "-" in name.strip("-") and name.isupper()
