"""Names of an anchor besides its id: the text of its heading, the end of its dotted name, its version or its date.

They are needed because many ids are set by hand, or follow a rule that the site no longer uses, or are longer than what
people write. Such a name is looked up on its own page only, and means an anchor only if no other anchor has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final
from unicodedata import normalize

import regex

from trueref_core.matching.name_words import MAX_CHARACTERS, WORD, grouped, name_of
from trueref_core.records import CITED_ANCHORS, Anchor, AnchorKind

NOT_CITED: Final = ""
"""Stands for an anchor that has the name too, but that no reader is sent to. It makes the name ambiguous."""

MAX_PARTS: Final = 8
"""Most parts of a dotted name that are compared, counted from its end."""

_TITLED: Final[frozenset[AnchorKind]] = frozenset({"heading", "term"})

# Characters that most rules for slugs remove without a trace; those of docutils and VitePress put a separator there.
_REMOVED_IN_SLUGS = regex.compile(r"[^\p{L}\p{N}\p{M}\s_-]+")
_DIGIT = regex.compile(r"\d")
_LEADING_NUMBERS = regex.compile(r"\A[\W\d_]+")
"""Matches the number before a heading, with the signs around it: `2.1 ` of `2.1 Setup`."""

_DOTTED = regex.compile(r"(?<![\w.])[^\W\d]\w*(?:\.[^\W\d]\w*)+\Z")
"""Matches the dotted name at the end of an id: `pkg.Client.connect`, also behind `api-`."""

_CALLED = regex.compile(r"(?:[Cc]lass:? |new )?([^\W\d]\w*(?:\.[^\W\d]\w*)*)\(.*")
"""Matches a heading that is a call, with its name: `connect(timeout=5)`, `new Client()`, `class: pkg.Client(url)`."""

_CAPITAL_INSIDE = regex.compile(r"\p{Ll}\p{Lu}")
"""Matches a capital right behind a small letter, as in `readFile`."""

_NUMBER = r"v?(?P<version>\d+(?:\.\d+)+(?:[-.]?(?:a|b|c|rc|alpha|beta|dev|post|pre)[-.]?\d*)?)"
_MONTH = r"\p{L}{3,12}\.?"
_DATE = rf"(?P<date>\d{{4}}-\d\d-\d\d|{_MONTH} \d\d?(?:st|nd|rd|th)?,? \d{{4}}|\d\d?\.? {_MONTH},? \d{{4}})"
_RELEASE = regex.compile(
    rf"(?:(?P<name>\p{{L}}[\p{{L}}\p{{N}}.]*+)[\s-])?\[?{_NUMBER}\]?(?:[\s,:–—-]{{1,3}}[(\[]?{_DATE}[)\]]?)?",
    regex.IGNORECASE,
)
"""Matches the title of a release: a word or none, a version, and a date or none: `Version 1.2.0 (2019-07-13)`."""

_RELEASE_ID = regex.compile(r"(?:(?P<name>\p{L}+)-)?v?(?P<version>\d+(?:[.-]\d+)*)-(?P<date>\d{4}-\d\d-\d\d)")
"""Matches the id that generators make of such a title: `version-1-2-0-2019-07-13`."""

# A heading with one of these words before the version is not the heading of that release: `Pre-1.0`, `Since 1.2`.
_RELATIONS: Final = frozenset("after before from in not post pre since to until".split())


class OtherNames:
    """The other names of the anchors of one page; each look-up table is made when it is first needed.

    Each method returns the ids of the anchors that a name may mean, with `NOT_CITED` in place of the ids of anchors
    that are not cited.
    """

    def __init__(self, anchors: Iterable[Anchor] = ()) -> None:
        self._anchors = [(_cited_id(anchor), anchor) for anchor in anchors]

    def with_title(self, key: str) -> set[str]:
        """The anchors whose heading gives this key under some rule for slugs."""
        return set(self._by_title.get(key, ()))

    def with_release(self, key: str) -> set[str]:
        """The anchors whose heading has this version or date, or both."""
        return set(self._by_release.get(key, ()))

    def with_ending(self, fragment: str, key: str) -> set[str]:
        """The anchors whose dotted name ends with the parts of a fragment, compared as whole parts.

        `Connect` and `connect` are two names in most programming languages. So a fragment that differs in case means an
        anchor only if a rule for slugs can have made it, and if no other anchor has the name in any case.
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
        # The id of an anchor that is not cited is entered as well: it makes an equal title ambiguous.
        ids = (
            (name_of(anchor.anchor).key, id_)
            for id_, anchor in self._anchors
            if id_ == NOT_CITED and not anchor.duplicate
        )
        texts = (
            (key, id_) for id_, anchor in self._anchors if anchor.kind in _TITLED for key in title_keys(anchor.text)
        )
        return grouped([*ids, *texts])

    @cached_property
    def _by_release(self) -> dict[str, list[str]]:
        """The headings by the version or date in their title, or in their id if the title has none."""
        headings = ((id_, anchor) for id_, anchor in self._anchors if anchor.kind == "heading")
        return grouped(
            (key, id_)
            for id_, anchor in headings
            for key in release_keys(anchor.text) or release_keys(anchor.anchor, _RELEASE_ID)
        )

    @cached_property
    def _by_end(self) -> dict[str, list[tuple[str, str]]]:
        """The anchors by the ends of their dotted names, such as `run` for `Task.run`."""
        return grouped((name_of(end).key, (id_, end)) for id_, anchor in self._anchors for end in ends_of(anchor))


def title_keys(text: str) -> set[str]:
    """The keys of all ids that the common rules for slugs make from a heading's text.

    Rules differ in what they write for a dot (`1.2` becomes `1-2` or `12`), in letters outside of ASCII, which some
    remove, and in numbers at the beginning, which docutils removes. All other differences disappear in the key (see
    `ComparableName.key`).
    """
    if len(text) > MAX_CHARACTERS:
        return set()
    forms = _slug_forms(text)
    forms |= {plain for form in forms if len(plain := _in_ascii(form)) * 2 >= len(form)}
    unnumbered = _LEADING_NUMBERS.sub("", text)
    if unnumbered != text and len(name_of(unnumbered).words) > 1:
        forms.add(unnumbered)
    return _keys(forms)


def is_dated_release(title: str) -> bool:
    """Whether a title is a version with a date and nothing else, as in changelogs: `0.4.1 (2011-05-22)`."""
    release = _RELEASE.fullmatch(title.strip()) if len(title) <= MAX_CHARACTERS else None
    return release is not None and release["date"] is not None


def release_keys(text: str, pattern: regex.Pattern[str] = _RELEASE) -> set[str]:
    """The keys of the names that people use for the heading of a release: its version, its date, or both.

    A version is compared as a whole: `1.2` is no name of `1.2.0`, and `2.0` is no name of `12.0`.
    """
    if len(text) > MAX_CHARACTERS or not _DIGIT.search(text):
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
        for form in _slug_forms(name)
    )


def ends_of(anchor: Anchor) -> Iterator[str]:
    """The ends of the dotted name at the end of an id, or of the name called in a heading (`connect()`), longest first.

    For `pkg.client.connect` these are the name itself, `client.connect` and `connect`.
    """
    name = _dotted_or_called_name(anchor)
    parts = name.split(".")[-MAX_PARTS:] if name else []
    for start in range(len(parts)):
        yield ".".join(parts[start:])


def _dotted_or_called_name(anchor: Anchor) -> str:
    """The dotted name at the end of an id, else the name that a heading calls; "" if there is neither."""
    if "." in anchor.anchor and (dotted := _DOTTED.search(anchor.anchor[-MAX_CHARACTERS:])):
        return dotted[0]
    if anchor.kind == "heading" and "(" in anchor.text and (call := _CALLED.fullmatch(anchor.text)):
        return call[1]
    return ""


def agree_in_case(fragment: str, anchor: str) -> bool:
    """Whether a fragment agrees in case with an id that is a dotted name; True for other ids, where case is free.

    `Flask.route` is no part of `flask.Blueprint.route`, and `types.Date` is no part of `sql.types.DATE`.
    """
    if "." not in anchor or not _DOTTED.search(anchor[-MAX_CHARACTERS:]):
        return True
    words: set[str] = set(WORD.findall(anchor))
    lowered_words: set[str] = (
        {word.lower() for word in words if _CAPITAL_INSIDE.search(word)} if fragment.islower() else set()
    )
    return words.union(lowered_words).issuperset(WORD.findall(fragment))


def _may_stand_for(written: str, end: str) -> bool:
    """Whether a rule for slugs may have made a fragment from the end of a dotted name.

    The last part must agree in case; the parts before it may be in small letters. So `client.connect` may stand for
    `Client.connect`, but `select` does not stand for `Select`, which is another name. `readfile` may stand for
    `readFile`: a name like this without its inner capital is hardly a name of its own.
    """
    last, written = end.rpartition(".")[2], written.replace("-", "_")
    if _CAPITAL_INSIDE.search(last) and written.islower():
        last = last.lower()
    leading_parts = written.removesuffix(last)
    is_lowered = leading_parts == leading_parts.lower() and bool(leading_parts.strip("_."))
    return written.endswith(last) and (is_lowered or not leading_parts)


def _slug_forms(text: str) -> set[str]:
    """The forms of a text that give different keys, because rules for slugs treat punctuation differently."""
    # Only numbers can give different keys: the key of other words is the same with and without separators.
    return {text, _REMOVED_IN_SLUGS.sub("", text)} if _DIGIT.search(text) else {text}


def _in_ascii(text: str) -> str:
    """A text without accents and without letters outside of ASCII."""
    return text if text.isascii() else normalize("NFKD", text).encode("ascii", "ignore").decode()


def _keys(forms: Iterable[str]) -> set[str]:
    """The keys of texts, without empty ones."""
    return {key for form in forms if (key := name_of(form).key)}


def _cited_id(anchor: Anchor) -> str:
    """The id of an anchor that a reader may be sent to, `NOT_CITED` for any other."""
    return anchor.anchor if anchor.kind in CITED_ANCHORS and not anchor.duplicate else NOT_CITED
