"""Encodes reports. Names of files may hold bytes that are not UTF-8: they are written as escapes."""

from __future__ import annotations

from typing import cast

import msgspec


def encoded(document: object) -> str:
    """A document as one line of JSON."""
    try:
        return msgspec.json.encode(document).decode()
    except UnicodeEncodeError:
        return msgspec.json.encode(_shown(msgspec.to_builtins(document))).decode()


def shown(text: str) -> str:
    """A text as it can be written: a byte that is not UTF-8 stands there as an escape, as in other messages."""
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()


def _shown(value: object) -> object:
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, dict):
        return {shown(key): _shown(item) for key, item in cast("dict[str, object]", value).items()}
    return [_shown(item) for item in cast("list[object]", value)] if isinstance(value, list | tuple) else value
