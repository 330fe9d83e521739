"""What an anchor may be called besides its id: by its heading's text, its dotted name, its version or its date.

Many ids are set by hand, or made by a rule that the site no longer uses, or have more in them than people write. Each
of these names counts on its page only, and only where one place has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final
from unicodedata import normalize

import regex

from trueref_core.matching.name_words import LONGEST, name_of
from trueref_core.records import CITED_ANCHORS, Anchor, AnchorKind

NOT_MEANT: Final = ""
"""Stands for a place that has a name too, and that no reader is sent to: it makes the name unclear."""

PARTS_MOST: Final = 8
"""Parts of a dotted name that are compared, from its end."""

_TITLED: Final[frozenset[AnchorKind]] = frozenset({"heading", "term"})

# What rules for slugs take out without leaving a separator; those of docutils and VitePress leave one.
_TAKEN_OUT = regex.compile(r"[^\p{L}\p{N}\p{M}\s_-]+")
_DIGIT = regex.compile(r"\d")
_LEADING_NUMBERS = regex.compile(r"\A[\W\d_]+")

_DOTTED = regex.compile(r"(?<![\w.])[^\W\d]\w*(?:\.[^\W\d]\w*)+\Z")
_CALLED = regex.compile(r"(?:[Cc]lass:? |new )?([^\W\d]\w*(?:\.[^\W\d]\w*)*)\(.*")
_WORD = regex.compile(r"[\p{L}\p{N}\p{M}]+")
_CAPITAL_INSIDE = regex.compile(r"\p{Ll}\p{Lu}")

_NUMBER = r"v?(?P<version>\d+(?:\.\d+)+(?:[-.]?(?:a|b|c|rc|alpha|beta|dev|post|pre)[-.]?\d*)?)"
_MONTH = r"\p{L}{3,12}\.?"
_DATE = rf"(?P<date>\d{{4}}-\d\d-\d\d|{_MONTH} \d\d?(?:st|nd|rd|th)?,? \d{{4}}|\d\d?\.? {_MONTH},? \d{{4}})"
_RELEASE = regex.compile(
    rf"(?:(?P<name>\p{{L}}[\p{{L}}\p{{N}}.]*+)[\s-])?\[?{_NUMBER}\]?(?:[\s,:–—-]{{1,3}}[(\[]?{_DATE}[)\]]?)?",
    regex.IGNORECASE,
)
_RELEASE_ID = regex.compile(r"(?:(?P<name>\p{L}+)-)?v?(?P<version>\d+(?:[.-]\d+)*)-(?P<date>\d{4}-\d\d-\d\d)")
# Before a version, these make it another thing: `Pre-1.0`, `Since 1.2`.
_RELATIONS: Final = frozenset("after before from in not post pre since to until".split())


class OtherNames:
    """The other names of the anchors of one page, prepared when they are first asked for.

    Each method gives the ids that a name may mean, with `NOT_MEANT` among them for places that are not cited.
    """

    def __init__(self, anchors: Iterable[Anchor] = ()) -> None:
        self._places = [(_id(anchor), anchor) for anchor in anchors]

    def titled(self, key: str) -> set[str]:
        """The anchors whose heading gives a key under some rule for slugs."""
        return self._by_title.get(key, set())

    def released(self, key: str) -> set[str]:
        """The anchors whose heading is of the version or the date, or of both."""
        return self._by_release.get(key, set())

    def ending(self, fragment: str, key: str) -> set[str]:
        """The anchors whose dotted name ends with these parts, from a whole part on.

        `Connect` and `connect` are two things to most languages. A fragment in another case is believed only where it
        can have been made by a rule for slugs, and where no other place has the name in any case.
        """
        entries = self._by_end.get(key)
        if not entries:
            return set()
        written = fragment.removesuffix("()")
        if "." in written:
            entries = [entry for entry in entries if entry[1].count(".") == written.count(".")]
        exact = {id_ for id_, end in entries if end == written}
        if exact:
            return exact
        ids = {id_ for id_, _ in entries}
        return ids if len(ids) > 1 or any(_may_stand_for(written, end) for _, end in entries) else set()

    @cached_property
    def _by_title(self) -> dict[str, set[str]]:
        # An id that is not cited is a name of its place all the same.
        ids = (
            (id_, name_of(anchor.anchor).key)
            for id_, anchor in self._places
            if id_ == NOT_MEANT and not anchor.duplicate
        )
        texts = (
            (id_, key) for id_, anchor in self._places if anchor.kind in _TITLED for key in title_keys(anchor.text)
        )
        return _grouped([*ids, *texts])

    @cached_property
    def _by_release(self) -> dict[str, set[str]]:
        headings = ((id_, anchor) for id_, anchor in self._places if anchor.kind == "heading")
        return _grouped(
            (id_, key)
            for id_, anchor in headings
            for key in release_keys(anchor.text) or release_keys(anchor.anchor, _RELEASE_ID)
        )

    @cached_property
    def _by_end(self) -> dict[str, list[tuple[str, str]]]:
        by_end: dict[str, list[tuple[str, str]]] = {}
        for id_, anchor in self._places:
            for end in ends_of(anchor):
                by_end.setdefault(name_of(end).key, []).append((id_, end))
        return by_end


def title_keys(text: str) -> set[str]:
    """The keys of all ids that the common rules for slugs make of a heading's text.

    Rules differ in what they put for a dot (`1.2` is `1-2` or `12`), in letters that ASCII has not, which some take
    out, and in numbers at the beginning, which docutils takes out. See `Name.key` for what makes no difference.
    """
    if len(text) > LONGEST:
        return set()
    forms = _slugged(text)
    forms |= {plain for form in forms if len(plain := _in_ascii(form)) * 2 >= len(form)}
    without = _LEADING_NUMBERS.sub("", text)
    if without != text and len(name_of(without).words) > 1:
        forms.add(without)
    return _keys(forms)


def release_keys(text: str, pattern: regex.Pattern[str] = _RELEASE) -> set[str]:
    """The keys under which people look for the heading of a release: its version, its date, or both.

    A version is whole or not there: `1.2` is no name of `1.2.0`, nor `2.0` of `12.0`.
    """
    if len(text) > LONGEST or not _DIGIT.search(text):
        return set()
    release = pattern.fullmatch(text.strip())
    if release is None or (release["name"] or "").lower() in _RELATIONS:
        return set()
    version, date = release["version"], release["date"]
    versions = [version, f"v{version}", *([f"{release['name']} {version}"] if release["name"] else [])]
    return _keys(
        form
        for name in (*versions, *(f"{form_of_version} {date}" for form_of_version in versions if date), date)
        if name
        for form in _slugged(name)
    )


def ends_of(anchor: Anchor) -> Iterator[str]:
    """The last parts of the dotted name that an id ends with, or that is called in the heading: the longest first.

    `client.connect` and `connect` of `pkg.client.connect`, which is among them itself where the id says more.
    """
    named = _DOTTED.search(anchor.anchor[-LONGEST:]) if "." in anchor.anchor else None
    is_called = not named and anchor.kind == "heading" and "(" in anchor.text
    called = _CALLED.fullmatch(anchor.text) if is_called else None
    name = named[0] if named else called[1] if called else ""
    parts = name.split(".")[-PARTS_MOST:] if name else []
    for start in range(len(parts)):
        yield ".".join(parts[start:])


def agree_in_case(fragment: str, anchor: str) -> bool:
    """Whether a fragment may be part of an id where that is a dotted name, in which case tells things apart.

    `Flask.route` is no part of `flask.Blueprint.route`, nor `types.Date` of `sql.types.DATE`.
    """
    if "." not in anchor or not _DOTTED.search(anchor[-LONGEST:]):
        return True
    words: set[str] = set(_WORD.findall(anchor))
    lowered: set[str] = (
        {word.lower() for word in words if _CAPITAL_INSIDE.search(word)} if fragment.islower() else set()
    )
    return words.union(lowered).issuperset(_WORD.findall(fragment))


def _may_stand_for(written: str, end: str) -> bool:
    """Whether a rule for slugs may have made a fragment of the end of a dotted name.

    The last part has to be right to the letter, and the others are in small letters: `client.connect` is
    `Client.connect`. `select` is no `Select`, but `readfile` is `readFile`, which nobody would take for another word.
    """
    last, written = end.rpartition(".")[2], written.replace("-", "_")
    if _CAPITAL_INSIDE.search(last) and written.islower():
        last = last.lower()
    before = written.removesuffix(last)
    is_lowered = before == before.lower() and bool(before.strip("_."))
    return written.endswith(last) and (is_lowered or not before)


def _slugged(text: str) -> set[str]:
    # Where no numbers meet it makes no difference to a key what stands between its words.
    return {text, _TAKEN_OUT.sub("", text)} if _DIGIT.search(text) else {text}


def _in_ascii(text: str) -> str:
    return text if text.isascii() else normalize("NFKD", text).encode("ascii", "ignore").decode()


def _keys(forms: Iterable[str]) -> set[str]:
    return {key for form in forms if (key := name_of(form).key)}


def _id(anchor: Anchor) -> str:
    return anchor.anchor if anchor.kind in CITED_ANCHORS and not anchor.duplicate else NOT_MEANT


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    groups: dict[str, set[str]] = {}
    for id_, key in pairs:
        groups.setdefault(key, set()).add(id_)
    return groups
