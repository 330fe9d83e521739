"""A question as it was typed on the command line."""

from __future__ import annotations

from trueref.options import settings_of
from trueref_core.errors import OptionError
from trueref_server.records import Question


def question_of(text: str) -> Question:
    """The question, stripped.

    Raises:
        OptionError: It is empty, or longer than the server would take it.
    """
    text = text.strip()
    longest = settings_of().max_question
    if not text:
        raise OptionError("The question is empty. Ask with at least one word.")
    if len(text) > longest:
        raise OptionError(f"The question has {len(text)} characters, more than {longest}. Ask in fewer words.")
    return Question(text)
