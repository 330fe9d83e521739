"""Other names of an anchor besides its id: the text of its heading, its dotted name, its version or its date.

Many ids are set by hand, or made by a rule that the site no longer uses, or are longer than what people write. Such a
name only counts on its page, and only if a single anchor has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final
from unicodedata import normalize

import regex

from trueref_core.matching.name_words import LONGEST, grouped, name_of
from trueref_core.records import CITED_ANCHORS, Anchor, AnchorKind

NOT_MEANT: Final = ""
"""Stands for an anchor that has the name too, but that no reader is sent to: it makes the name ambiguous."""

PARTS_MOST: Final = 8
"""Parts of a dotted name that are compared, from its end."""

_TITLED: Final[frozenset[AnchorKind]] = frozenset({"heading", "term"})

# Characters that rules for slugs remove without leaving a separator. The rules of docutils and VitePress leave one.
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
# A heading with one of these before the version is not that of the release: `Pre-1.0`, `Since 1.2`.
_RELATIONS: Final = frozenset("after before from in not post pre since to until".split())


class OtherNames:
    """The other names of the anchors of one page, prepared when they are first needed.

    Each method returns the ids that a name may mean, with `NOT_MEANT` among them for anchors that are not cited.
    """

    def __init__(self, anchors: Iterable[Anchor] = ()) -> None:
        self._places = [(_id(anchor), anchor) for anchor in anchors]

    def titled(self, key: str) -> set[str]:
        """The anchors whose heading has this key under some rule for slugs."""
        return set(self._by_title.get(key, ()))

    def released(self, key: str) -> set[str]:
        """The anchors whose heading has this version or date, or both."""
        return set(self._by_release.get(key, ()))

    def ending(self, fragment: str, key: str) -> set[str]:
        """The anchors whose dotted name ends with these parts; only whole parts count.

        `Connect` and `connect` are two things in most languages. A fragment in another case only counts if a rule for
        slugs can have made it, and if no other anchor has the name in any case.
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
    def _by_title(self) -> dict[str, list[str]]:
        """The anchors by the keys of their titles."""
        # The id of an anchor that is not cited counts as a name as well: it makes an equal title ambiguous.
        ids = (
            (name_of(anchor.anchor).key, id_)
            for id_, anchor in self._places
            if id_ == NOT_MEANT and not anchor.duplicate
        )
        texts = (
            (key, id_) for id_, anchor in self._places if anchor.kind in _TITLED for key in title_keys(anchor.text)
        )
        return grouped([*ids, *texts])

    @cached_property
    def _by_release(self) -> dict[str, list[str]]:
        """The headings by the version or date in their title, or in their id if the title has none."""
        headings = ((id_, anchor) for id_, anchor in self._places if anchor.kind == "heading")
        return grouped(
            (key, id_)
            for id_, anchor in headings
            for key in release_keys(anchor.text) or release_keys(anchor.anchor, _RELEASE_ID)
        )

    @cached_property
    def _by_end(self) -> dict[str, list[tuple[str, str]]]:
        """The anchors by the last parts of their names, such as `run` for `Task.run`."""
        return grouped((name_of(end).key, (id_, end)) for id_, anchor in self._places for end in ends_of(anchor))


def title_keys(text: str) -> set[str]:
    """The keys of all ids that the common rules for slugs make from a heading's text.

    Rules differ in what they write for a dot (`1.2` is `1-2` or `12`), in letters outside of ASCII, which some remove,
    and in numbers at the beginning, which docutils removes. Other differences are gone in the key (see `Name.key`).
    """
    if len(text) > LONGEST:
        return set()
    forms = _slugged(text)
    forms |= {plain for form in forms if len(plain := _in_ascii(form)) * 2 >= len(form)}
    without = _LEADING_NUMBERS.sub("", text)
    if without != text and len(name_of(without).words) > 1:
        forms.add(without)
    return _keys(forms)


def is_dated_release(title: str) -> bool:
    """Whether a title is a version with a date and nothing else, as change logs have them: `0.4.1 (2011-05-22)`."""
    release = _RELEASE.fullmatch(title.strip()) if len(title) <= LONGEST else None
    return release is not None and release["date"] is not None


def release_keys(text: str, pattern: regex.Pattern[str] = _RELEASE) -> set[str]:
    """The keys by which people name the heading of a release: its version, its date, or both.

    A version only counts as a whole: `1.2` is no name of `1.2.0`, nor `2.0` of `12.0`.
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
    """The last parts of the dotted name at the end of an id, or of the name that a heading calls: the longest first.

    For `pkg.client.connect` these are the name itself, `client.connect` and `connect`.
    """
    named = _DOTTED.search(anchor.anchor[-LONGEST:]) if "." in anchor.anchor else None
    is_called = not named and anchor.kind == "heading" and "(" in anchor.text
    called = _CALLED.fullmatch(anchor.text) if is_called else None
    name = named[0] if named else called[1] if called else ""
    parts = name.split(".")[-PARTS_MOST:] if name else []
    for start in range(len(parts)):
        yield ".".join(parts[start:])


def agree_in_case(fragment: str, anchor: str) -> bool:
    """Whether a fragment agrees in case with an id that is a dotted name, since there case matters.

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
    """Whether a rule for slugs may have made a fragment from the end of a dotted name.

    The last part must agree in case, and the others may be in small letters: `client.connect` is `Client.connect`.
    `select` is not `Select`, but `readfile` is `readFile`, which cannot be a word of its own.
    """
    last, written = end.rpartition(".")[2], written.replace("-", "_")
    if _CAPITAL_INSIDE.search(last) and written.islower():
        last = last.lower()
    before = written.removesuffix(last)
    is_lowered = before == before.lower() and bool(before.strip("_."))
    return written.endswith(last) and (is_lowered or not before)


def _slugged(text: str) -> set[str]:
    """The forms of a text that differ in key, because rules for slugs treat punctuation differently."""
    # Only numbers matter here: the key of other words is the same with and without separators.
    return {text, _TAKEN_OUT.sub("", text)} if _DIGIT.search(text) else {text}


def _in_ascii(text: str) -> str:
    """A text without accents and without letters outside of ASCII."""
    return text if text.isascii() else normalize("NFKD", text).encode("ascii", "ignore").decode()


def _keys(forms: Iterable[str]) -> set[str]:
    """The keys of texts that have one."""
    return {key for form in forms if (key := name_of(form).key)}


def _id(anchor: Anchor) -> str:
    """The id of an anchor that a link may lead to, `NOT_MEANT` for any other."""
    return anchor.anchor if anchor.kind in CITED_ANCHORS and not anchor.duplicate else NOT_MEANT
