"""Reads passages together with a question, in English, and says how well each answers."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import TYPE_CHECKING

from trueref_core.embedding.reader_model import ReaderModel
from trueref_core.text.word_forms import ENGLISH, language_of
from trueref_server.corpus.words import has_spaces

if TYPE_CHECKING:
    from trueref_server.ranking.signals import Asked


class PassageReader:
    """The reader of the package, loaded when it first reads. May be asked from several threads."""

    def __init__(self) -> None:
        self._model: ReaderModel | None = None
        self._lock = Lock()

    def scores(self, asked: Asked, texts: Sequence[str]) -> list[float] | None:
        """How well each of some texts answers, in logarithms of odds; None in a language that it was not trained on.

        Raises:
            EmbedderError: Its file is missing or damaged.
        """
        plan = asked.plan
        if language_of(plan.language) not in ("", ENGLISH) or not has_spaces(plan.query):
            return None
        return self.load().scores(plan.query, texts)

    def load(self) -> ReaderModel:
        """The model, which is loaded the first time. Raises `EmbedderError` where its file is missing or damaged."""
        with self._lock:
            self._model = self._model or ReaderModel()
            return self._model
