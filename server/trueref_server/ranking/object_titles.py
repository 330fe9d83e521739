"""Reads the titles of entries in references: finds the names in `async class acme.Kiln(heat)`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from trueref_core.text.identifiers import CODE
from trueref_server.ranking.verbatim import comparable_name

_NAME: Final = re.compile(r"[\w.$`-]{1,100}(?=\s?[(=]|:\s)")
"""Matches a name before its arguments, its default or its type: `relayhost (default: empty)`, `itersize: int`."""

_ARGUMENTS: Final = re.compile(r"\s?\(|\s[\[<{|]")
"""The beginning of the arguments behind the name of an entry: `fire(clay)`, `import limit [number | off]`."""

_OPTIONS: Final = re.compile(r"(?<![\w-])-{1,2}[A-Za-z][\w-]{0,80}")
"""Matches each option of a title that begins with one."""

_KINDS: Final = re.compile(
    r"(?:(?:abstract|async|class|classmethod|exception|final|function|interface|method|module|property|static|"
    r"staticmethod|struct|type) ){1,3}"
    r"(?=[\w.:$]{1,100}[(\[]|\w{1,100}: |(?=\w{0,100}[A-Z_.])[\w.:$]{1,100}\Z)"
)
"""Matches what references write before the name of an object: `class acme.Kiln(heat)`, `exception acme.TooHot`. A
heading such as `type checking` has no name."""

_LABELLED: Final = re.compile(
    r"(?:class|enum|event|exception|function|interface|method|module|object|property|struct|type): "
    r"['\"`]?([\w.$:#@/-]{1,100})['\"`]?(\(.{0,200})?",
    re.IGNORECASE,
)
"""Matches the title of an object with what kind it is and a colon before its name: `Class: Kiln`, `Event: 'close'`."""

_OWNER: Final = re.compile(r"(?<!\w)(\w{1,80})`?(?:\(.{0,200}\))?\Z")
"""Matches the last name of a title, which is that of a class or a module: `Class: Client`, `pkg.Client(host)`."""

MEMBER: Final = re.compile(r"(?<!\w)(\w{1,80})(?:\.|::|#)(\w{1,80}[?!]?)(?:\(\))?$")
"""Matches the last two parts of a name such as `pkg.Client.connect`, `Vec::push` or `String#upcase`."""

_MEMBER_TITLE: Final = re.compile(r"(?:(?:\w+ ){0,3}(?=\S{1,100}\())?`?[.#]?(\w+[?!]?)`?(?:[(:].*)?")
"""Matches the title of a member with its name: `connect`, `.connect(host)`, `static async connect(host)`."""

_DOTTED_NAME: Final = re.compile(
    r"^(?:\w+ ){0,3}`?@?(?:\w+(?:\.|::))+"
    r"(?!(?:js|ts|py|toml|json|ya?ml|html?|css|md|rst|txt|cfg|ini|conf|lock|sh)\b)(\w{2,})`?$"
)
"""A name such as `pkg.Client.connect`, or `class pkg.Client`, with its last part. Names of files are none."""

_CODE_FIRST: Final = re.compile(rf"^({CODE})(?= ?[:\u2013\u2014]| - )")
"""The code of a rule or of an error before its name: `E501 - Line too long`."""


def is_titled_by(title: str, names: Iterable[str]) -> bool:
    """Whether a title is one of some names, with or without its arguments, its default or its type."""
    return not names_in_title(title).isdisjoint(map(_bare_name, names))


def _bare_name(name: str) -> str:
    """A name without its dashes, backticks and parentheses: `--no-deps` is titled `no-deps` on some sites.

    Without the dot of a member, too: `.send(data)`.
    """
    return comparable_name(name).strip("-` ").removesuffix("()").lstrip(".")


def without_kind(title: str) -> str:
    """The title of an object without the words that say what kind of object it is: `static async`, or `Class:`."""
    if labelled := _LABELLED.fullmatch(title):
        return labelled[1] + (labelled[2] or "")
    kinds = _KINDS.match(title)
    return title[kinds.end() :] if kinds else title


@lru_cache(maxsize=20_000)
def names_in_title(title: str) -> frozenset[str]:
    """The names of what a title names, without what some sites write behind it: arguments, a default, or a type.

    `exception acme.errors.TooHot` has three names: `TooHot`, this name with its module, and the whole title, since a
    title such as `static IP` is a heading and no object. Of a title that begins with an option all its options are
    names, since a short form may come first: `-N, --pathspace <name>`.
    """
    if title.startswith(("-", "`-")):
        return frozenset(map(_bare_name, _OPTIONS.findall(title)))
    title_without_kind = without_kind(title)
    match = _NAME.match(title_without_kind)
    name = _bare_name(match[0] if match else title_without_kind)
    if title_without_kind == title:
        return frozenset({name})
    # What follows the dot of a number, as in `interface eth0.1`, is no name.
    last_part = name.rpartition(".")[2]
    own_name = last_part if last_part and not last_part[0].isdigit() else name
    return frozenset({_bare_name(title), name, own_name})


def name_of_entry(title: str) -> str:
    """The name in the title of an entry, without its arguments."""
    return _ARGUMENTS.split(title, maxsplit=1)[0]


def owners_of(titles: Iterable[str]) -> Iterator[str]:
    """The names of the classes and modules that some titles end with, and those of variables that are called so.

    Whoever writes `client.connect` or `httpServer.listen` means a variable that holds a `Client` or an `HttpServer`.
    """
    for title in titles:
        for owner in _OWNER.findall(title):
            yield from (owner, owner.lower(), owner[0].lower() + owner[1:])


def member_titled(title: str) -> str:
    """The name of the member whose title this is, without its arguments; "" if it is no such title."""
    match = _MEMBER_TITLE.fullmatch(title)
    return match[1] if match else ""


def last_part_of(title: str) -> str:
    """The last part of the dotted name that is a title: `connect` of `pkg.Client.connect`; "" if it is none."""
    match = _DOTTED_NAME.search(title)
    return match[1] if match else ""


def code_before_name(title: str) -> str:
    """The code of the rule or the error that a title names: `E501` of `E501 - Line too long`; "" if it names none."""
    match = _CODE_FIRST.match(title)
    return match[1] if match else ""
