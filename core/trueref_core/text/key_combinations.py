"""Finds combinations of keys in questions and in docs, which write them in many ways: `ctrl-c`, `Ctrl`+`C`, `C-c`.

A sequence such as `Ctrl+K Ctrl+S` is another command than its first combination, and is not looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain, pairwise, permutations
from typing import Final

MAX_COMBINATIONS: Final = 4
"""The most combinations of a question that are looked for."""

MAX_KEY_NAMES: Final = 32
"""The most combinations of a text that are its names: a table of keys has about as many in a chunk."""

_MODIFIERS: Final[Mapping[str, str]] = {
    "ctrl": "ctrl|control|ctl",
    "alt": "alt|option|opt|meta",
    "shift": "shift",
    "cmd": "cmd|command|⌘",
    "super": "super|win",
}
"""By modifier, the names that it has on keyboards."""

_KEYS: Final = "[a-z0-9]|f[0-9]{1,2}|tab|enter|return|space|esc|escape|del|delete|backspace|insert|up|down|left|right"
"""The keys that a modifier is pressed with."""

_SAME_KEYS: Final[Mapping[str, str]] = {"return": "enter", "escape": "esc", "delete": "del"}
"""Of keys that have two names, the second name with the first one."""

_EMACS: Final[Mapping[str, str]] = {"C": "ctrl", "M": "alt"}
"""How Emacs, Readline and others shorten a modifier before a single key, as in `C-c`."""

_BETWEEN: Final = r"(?:-|`? ?\+ ?`?)"
"""What stands between two keys of a combination. `The option - a list` is none."""

_ANY_MODIFIER: Final = "|".join(_MODIFIERS.values())

_SPELT: Final = re.compile(rf"(?<![\w+-])((?:(?:{_ANY_MODIFIER}){_BETWEEN}){{1,3}})({_KEYS})(?![\w+-])", re.IGNORECASE)
"""Matches a combination with its modifiers and its key."""

_SHORT: Final = re.compile(r"(?<![\w+-])(?<![CM]-\w )([CM])-([a-z0-9])(?!\w| [CM]-)|(?<![\w\[])\^([A-Z])(?!\w)")
"""Matches a combination such as `C-c`, which is no part of a sequence such as `C-c C-v`, and one such as `^C`."""


_WORD: Final = re.compile(
    r"(?:option|opt|meta|shift|command|super|win)-(?:[a-z0-9]|up|down|left|right|insert)", re.IGNORECASE
)
"""Matches a combination that is a word or the name of something more often: `shift-left`, `option-a`."""

_AROUND_KEYS: Final = " `<>"
"""What stands between the combinations of a sequence: `Ctrl+K Ctrl+S`."""


def key_names(text: str) -> tuple[str, ...]:
    """The combinations of keys in a text under one name for all ways to write them, each once: `ctrl-c`, `alt-f`."""
    names = [_name(match[1], match[2]) for match in _spelt(text)]
    for emacs, key, letter in _SHORT.findall(text):
        names.append(f"{_EMACS[emacs]}-{key}" if key else f"ctrl-{letter.lower()}")
    return tuple(dict.fromkeys(names))[:MAX_KEY_NAMES]


def key_name(text: str) -> str:
    """The name of a combination of keys if a text is one and nothing else; else ""."""
    is_one = _SPELT.fullmatch(text) or _SHORT.fullmatch(text)
    return next(iter(key_names(text)), "") if is_one else ""


def key_combinations(question: str) -> tuple[re.Pattern[str], ...]:
    """Patterns that match the combinations of keys in a question, in all the ways in which docs write them."""
    return tuple(map(key_pattern, key_names(question)[:MAX_COMBINATIONS]))


def written_combinations(question: str) -> list[str]:
    """The combinations of keys in a question as it writes them, each once."""
    matches = chain(_spelt(question), _SHORT.finditer(question))
    return list(dict.fromkeys(match[0] for match in matches))[:MAX_COMBINATIONS]


def key_pattern(name: str) -> re.Pattern[str]:
    """A pattern that matches a combination of keys, given by its name, in all ways to write it."""
    *modifiers, key = name.split("-")
    keys = "|".join([re.escape(key), *(other for other, first in _SAME_KEYS.items() if first == key)])
    orders = "|".join(
        "".join(f"(?:{_MODIFIERS[modifier]}){_BETWEEN}" for modifier in order) for order in permutations(modifiers)
    )
    forms = [rf"(?<![\w+-])(?i:(?:{orders})(?:{keys}))(?!\w)"]
    if len(modifiers) == 1 and len(key) == 1:
        # Not in a sequence: `C-c C-v` is another key than `C-c`.
        forms += (
            rf"(?<![\w+-])(?<![CM]-\w ){emacs}-{re.escape(key)}(?!\w| [CM]-)"
            for emacs, modifier in _EMACS.items()
            if modifier == modifiers[0]
        )
    if modifiers == ["ctrl"] and len(key) == 1:
        forms.append(rf"(?<![\w\[])\^{re.escape(key.upper())}(?!\w)")
    return re.compile("|".join(forms))


def _spelt(text: str) -> Iterator[re.Match[str]]:
    """The combinations in a text that are spelt out, without words and without those that stand in a sequence."""
    matches = [match for match in _SPELT.finditer(text) if not _WORD.fullmatch(match[0])]
    if not matches:
        return
    joins = [not text[first.end() : second.start()].strip(_AROUND_KEYS) for first, second in pairwise(matches)]
    for match, before, after in zip(matches, [False, *joins], [*joins, False], strict=True):
        if not before and not after:
            yield match


def _name(modifiers: str, key: str) -> str:
    """The name of a combination, its modifiers in the order of `_MODIFIERS`."""
    written = re.split(r"[`+ -]+", modifiers.lower())
    known = [name for name, spellings in _MODIFIERS.items() if not set(spellings.split("|")).isdisjoint(written)]
    lower_key = key.lower()
    return "-".join([*known, _SAME_KEYS.get(lower_key, lower_key)])
