"""Versions in questions and titles: `what changed in 9.5.0?` asks for the section whose title is that version.

No search tells 9.5.0 from 9.5.1: neither is a word. A reader who only says which version they have asks for something
else.
"""

from __future__ import annotations

import re
from typing import Final

MAX_RELEASES: Final = 3
"""The most versions of one question that are looked for."""

OF_A_SERIES: Final = 0.5
"""How well a title that names 9.5.0 fits a question for 9.5, while a title with 9.5 itself counts 1."""

# A version is not part of an address, of a longer number, or of a range: 127.0.0.1:8000 is no version.
_VERSION: Final = (
    r"(?<![\w.:/@+-])v?(\d{1,4}\.\d{1,4}(?:\.\d{1,4})?(?:[-.]?(?:alpha|beta|dev|post|pre|rc|a|b)[-.]?\d{0,4})?)"
    r"(?![\w:/@+-]|\.\w)"
)
_VERSION_IN_TITLE: Final = re.compile(_VERSION, re.IGNORECASE)
_OF: Final = r"(?:the )?(?:version |release )?"
_NAME: Final = (
    r"(?:(?!(?:a|an|the|to|with|for|on|in|by|from|how|where|install|download|pin|use|using|need|get|upgrade|update|tag|"
    r"make|create|build|publish|want|run|find|enable|disable|deploy|yank|please)\b)[\w.-]{1,40} )?"
)
"""A name may come before a version and the word for its changes: `kiln 1.7.5 release`, but not `install 1.7.5
release`."""

_ASKED: Final = re.compile(
    rf"\b(?:changed|changes|new|fixed|fixes|added|removed|deprecated|different) (?:in|with|since) {_OF}{_VERSION}|"
    rf"\b(?:change ?logs?|release notes?|changes|news) (?:(?:of|for|in) )?{_OF}{_VERSION}|"
    rf"{_VERSION} (?:change ?logs?|release notes?|changes)\b|"
    # These are whole questions, but for a name: `the build fails with the 9.5.3 release` only says which version is
    # used.
    rf"^\W*{_NAME}{_VERSION} (?:release|(?:bug ?)?fixes|(?:new )?features)\W*$|"
    rf"^\W*{_NAME}(?:(?:bug ?|new )?(?:fixes|features)) (?:(?:in|of|for) )?{_OF}{_VERSION}\W*$|"
    rf"^\W*{_OF}{_VERSION}\W*$",
    re.IGNORECASE,
)
"""A text that asks in English for the changes of a version, or that names a version and nothing else."""


def releases_asked(text: str) -> tuple[str, ...]:
    """The versions whose changes a question asks for, in small letters, without the `v`; `MAX_RELEASES` at most."""
    versions_asked = (version.lower() for versions in _ASKED.findall(text) for version in versions if version)
    return tuple(dict.fromkeys(versions_asked))[:MAX_RELEASES]


def release_match(title: str, releases: tuple[str, ...]) -> float:
    """How well a title names a version that is asked for: 1 for the version itself, less for a patch of it, else 0."""
    if not releases:
        return 0.0
    versions_in_title = [version.lower() for version in _VERSION_IN_TITLE.findall(title)]
    if any(version in releases for version in versions_in_title):
        return 1.0
    series = tuple(f"{version}." for version in releases)
    return OF_A_SERIES if any(version.startswith(series) for version in versions_in_title) else 0.0
