"""The key of a kept answer: a digest of all that it depends on. Questions with one key have the same answer."""

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
"""Settings that change who may ask, how often and at which address, but not what is answered. Every other setting is
part of the key: if a new setting is forgotten here, a cached answer is lost, and no wrong one is given."""


def settings_digest(settings: Settings) -> str:
    """A digest of the version of Trueref and of all settings that an answer depends on, as 64 hexadecimal digits.

    For `model_prompts` the text of the templates counts, which may change while their folder keeps its name.
    """
    values = {option.name: getattr(settings, option.name) for option in fields(settings)}
    used: dict[str, object] = {name: value for name, value in values.items() if name not in WITHOUT_EFFECT}
    used["model_prompts"] = _templates(settings.model_prompts)
    return _digest((__version__, used))


def cache_key(question: Question, generation: str, settings: str) -> str:
    """The key of an answer, as 64 hexadecimal digits.

    Args:
        question: What is asked, with its conversation, page, version and language. Spaces count as `normalized` has it.
        generation: The id of the generation that answers.
        settings: What `settings_digest` gives.
    """
    return _digest((settings, generation, asdict(replace(question, text=normalized(question.text)))))


def normalized(text: str) -> str:
    """A question with its spaces put in order. Capitals stay, since `-I` is not `-i`.

    In a question of several lines the indentation stays too: in a pasted traceback it tells a frame from a message.
    """
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    # Only questions of a single line lose their indentation.
    return " ".join(text.split()) if len(lines) < 2 else "\n".join([lines[0].lstrip(), *lines[1:]])


def _templates(folder: Path | None) -> dict[str, str]:
    """The texts of a site's own templates by the names of their files; none without such a folder."""
    if folder is None or not folder.is_dir():
        return {}
    return {path.name: path.read_text(encoding="utf-8", errors="replace") for path in sorted(folder.glob("*.jinja"))}


def _digest(value: object) -> str:
    """The SHA-256 of a value as JSON. Its keys are sorted: options in another order in a file are the same options."""
    text = json.dumps(value, default=_plain, sort_keys=True, ensure_ascii=False)
    # A lone surrogate, which a terminal may send, has no UTF-8 of its own and must not break an answer.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _plain(value: object) -> object:
    """An option of a type that JSON does not know, as a value that it does, with the name of the type."""
    return f"{type(value).__name__} {value}"
