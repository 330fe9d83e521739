"""Finds combinations of keys in a question, such as `ctrl-c`, and the same combinations as docs write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

MAX_COMBINATIONS: Final = 4
"""The most combinations of a question that are looked for."""

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

_ANY_MODIFIER: Final = "|".join(_MODIFIERS.values())

_COMBINATION: Final = re.compile(
    rf"(?<![\w+-])((?:{_ANY_MODIFIER})(?:[+-](?:{_ANY_MODIFIER})){{0,2}})[+-]({_KEYS})(?![\w+-])", re.IGNORECASE
)
"""Matches a combination with its modifiers and its key."""

_SAME_KEYS: Final = ("enter|return", "esc|escape", "del|delete")
"""Keys that have two names."""

_BETWEEN: Final = r"`? ?[+-] ?`?"
"""What stands between two keys of a combination."""

_EMACS: Final[Mapping[str, str]] = {"ctrl": "C", "alt": "M"}
"""How Emacs, Readline and others shorten a modifier before a single key: `C-c`."""


def key_combinations(question: str) -> tuple[re.Pattern[str], ...]:
    """Patterns that match the combinations of keys in a question, in all the ways in which docs write them."""
    found = dict.fromkeys(match.groups() for match in _COMBINATION.finditer(question.lower()))
    return tuple(_pattern(modifiers, key) for modifiers, key in list(found)[:MAX_COMBINATIONS])


def _pattern(modifiers: str, key: str) -> re.Pattern[str]:
    """A pattern for one combination."""
    known = [_name_of(modifier) for modifier in re.split("[+-]", modifiers)]
    spelt = "".join(f"(?:{_MODIFIERS[name]}){_BETWEEN}" for name in known)
    names_of_key = next((names for names in _SAME_KEYS if key in names.split("|")), re.escape(key))
    forms = [rf"(?<![\w+-])(?i:{spelt}(?:{names_of_key}))(?!\w)"]
    if len(known) == 1 and len(key) == 1 and known[0] in _EMACS:
        # Not in a sequence: `C-c C-v` is another key than `C-c`.
        forms.append(rf"(?<![\w+-])(?<![CM]-\w ){_EMACS[known[0]]}-{re.escape(key)}(?!\w| [CM]-)")
    if known == ["ctrl"] and len(key) == 1:
        forms.append(rf"(?<![\w\[])\^{re.escape(key.upper())}(?!\w)")
    return re.compile("|".join(forms))


def _name_of(modifier: str) -> str:
    """The name of a modifier in `_MODIFIERS`."""
    return next(name for name, spellings in _MODIFIERS.items() if modifier in spellings.split("|"))
