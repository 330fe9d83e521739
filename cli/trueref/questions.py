"""A question as it was typed on the command line."""

from __future__ import annotations

from trueref.options import settings_of
from trueref_core.errors import OptionError
from trueref_server.records import Question


def question_of(
    text: str, page: str | None = None, version: str | None = None, language: str | None = None
) -> Question:
    """The question, stripped.

    Args:
        text: What was typed.
        page: The page that it is asked from; None for none.
        version: The version that is asked; None for that of the page, or the current one.
        language: The language to be answered in; None for that of the page, or the site's.

    Raises:
        OptionError: It is empty, or longer than the server would take it.
    """
    text = text.strip()
    longest = settings_of().max_question
    if not text:
        raise OptionError("The question is empty. Ask with at least one word.")
    if len(text) > longest:
        raise OptionError(f"The question has {len(text)} characters, more than {longest}. Ask in fewer words.")
    return Question(text, page=page, version=version, language=language)
