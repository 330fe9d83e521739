"""Makes the key of a cached answer: a digest of all that the answer depends on."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from trueref_core.version import __version__

if TYPE_CHECKING:
    from trueref_server.records import Question
    from trueref_server.settings import Settings

WITHOUT_EFFECT: Final = frozenset(
    {
        "allowed_origins",
        "body_timeout",
        "cache",
        "cache_answers",
        "cache_days",
        "embedding_threads",
        "host",
        "index",
        "max_answers",
        "max_answers_of_network",
        "max_body_bytes",
        "max_connections",
        "max_history",
        "max_history_characters",
        "max_question",
        "model_day_tokens",
        "model_key",
        "model_network_tokens",
        "model_seconds",
        "model_session_secret",
        "model_session_seconds",
        "port",
        "question_days",
        "rate_burst",
        "rate_clients",
        "rate_per_minute",
        "shutdown_seconds",
        "store",
        "store_days",
        "trusted_proxies",
    }
)
"""Settings that change who may ask, how often and at which address, but not the answer. Every other setting is part of
the key: if a new setting is forgotten here, cached answers are lost, but no wrong one is given."""


def settings_digest(settings: Settings) -> str:
    """A digest of the version of Trueref and of all settings that an answer depends on, as 64 hexadecimal digits.

    For `model_prompts` the texts of the templates count, since they may change while the folder keeps its name.
    """
    values = {option.name: getattr(settings, option.name) for option in fields(settings)}
    settings_of_key: dict[str, object] = {name: value for name, value in values.items() if name not in WITHOUT_EFFECT}
    settings_of_key["model_prompts"] = _templates(settings.model_prompts)
    return _digest((__version__, settings_of_key))


def cache_key(question: Question, generation: str, settings: str) -> str:
    """The key of an answer, as 64 hexadecimal digits.

    Args:
        question: The question with its conversation, page, version and language. White space is normalised by
            `normalized`.
        generation: The id of the generation that answers.
        settings: The digest that `settings_digest` returns.
    """
    return _digest((settings, generation, asdict(replace(question, text=normalized(question.text)))))


def normalized(text: str) -> str:
    """A question with normalised white space. Capitals stay, since `-I` is not `-i`.

    In a question of several lines the indentation stays, too: in a pasted traceback it tells a frame from a message.
    """
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    # Only questions of a single line lose their indentation.
    return " ".join(text.split()) if len(lines) < 2 else "\n".join([lines[0].lstrip(), *lines[1:]])


def _templates(folder: Path | None) -> dict[str, str]:
    """The texts of a site's own templates by file name; empty if there is no folder."""
    if folder is None or not folder.is_dir():
        return {}
    return {path.name: path.read_text(encoding="utf-8", errors="replace") for path in sorted(folder.glob("*.jinja"))}


def _digest(value: object) -> str:
    """The SHA-256 of a value as JSON with sorted keys, since the order of options in a file does not matter."""
    text = json.dumps(value, default=_json_value, sort_keys=True, ensure_ascii=False)
    # A lone surrogate, which a terminal may send, cannot be encoded in UTF-8, and must not fail an answer.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _json_value(value: object) -> object:
    """An option of a type that JSON does not have, as a text with the name of the type."""
    return f"{type(value).__name__} {value}"
