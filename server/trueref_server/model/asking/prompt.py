"""Makes the messages for a model from templates, which a site may replace by its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from trueref_core.errors import OptionError
from trueref_core.text.tokens import count_tokens
from trueref_server.model.asking.numbered_sources import ModelSource
from trueref_server.records import Exchange, Question

if TYPE_CHECKING:
    from jinja2 import Environment

SYSTEM: Final = "system.jinja"
QUESTION: Final = "question.jinja"
FOLLOW_UP: Final = "follow_up.jinja"
TEMPLATES: Final = Path(__file__).parent / "templates"

MAX_MESSAGES: Final = 10
MAX_TOKENS: Final = 4000
"""A model reads at most this many messages of the conversation, with this many cl100k tokens in all."""

Message = dict[str, str]
"""One message of Chat Completions: its `role` and its `content`."""


class Prompts:
    """Renders the templates of the messages. A template in the site's folder replaces the server's own.

    Args:
        folder: May hold `system.jinja`, `question.jinja` and `follow_up.jinja`; None to use the server's own only.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    def check(self) -> None:
        """Render all templates once.

        Raises:
            OptionError: The folder does not exist, or a template is invalid or uses an unknown variable.
        """
        if self._folder is not None and not self._folder.is_dir():
            raise OptionError(f"model_prompts: there is no folder {self._folder}. Create it, or leave the option out.")
        # Rendered with a made-up source when the server starts, so that a mistake in a template shows before the first
        # question.
        example = ModelSource(1, "Page › Section", "guide", "1.0", "Text.")
        self.messages("Docs", Question("Question?"), [example])
        self._rendered(FOLLOW_UP, {"question": "Question?", "sources": [example]})

    def follow_up(self, question: Question, sources: Sequence[ModelSource]) -> str:
        """The message that gives the model the sources of the follow-up search.

        Raises:
            OptionError: A template of the site cannot be rendered.
        """
        return self._rendered(FOLLOW_UP, {"question": question.text, "sources": sources})

    def _rendered(self, name: str, values: Mapping[str, object]) -> str:
        """The text of a template with these values; an `OptionError` if the template cannot be used."""
        from jinja2 import TemplateError

        try:
            return self._environment.get_template(name).render(values)
        except (TemplateError, OSError, UnicodeDecodeError) as error:
            raise OptionError(f"model_prompts: a template in {self._folder} cannot be used: {error}") from error

    def messages(
        self, site: str, question: Question, sources: Sequence[ModelSource], read_as: str = ""
    ) -> list[Message]:
        """The conversation as Chat Completions take it: the rules, the last exchanges, the sources and the question.

        Raises:
            OptionError: A template of the site cannot be rendered.
        """
        values = {"site": site, "question": question.text, "sources": sources, "read_as": read_as}
        messages = [{"role": "system", "content": self._rendered(SYSTEM, values)}]
        for exchange in recent(question.history):
            messages.append({"role": "user", "content": exchange.question})
            # A client may send an exchange without its answer.
            if exchange.answer:
                messages.append({"role": "assistant", "content": exchange.answer})
        return [*messages, {"role": "user", "content": self._rendered(QUESTION, values)}]

    @cached_property
    def _environment(self) -> Environment:
        """Jinja's environment: the site's templates come before the server's, and an unknown variable is an error."""
        from jinja2 import Environment, FileSystemLoader, StrictUndefined

        folders = [folder for folder in (self._folder, TEMPLATES) if folder is not None]
        # A model reads the result, not a browser, so that nothing is escaped for HTML.
        return Environment(loader=FileSystemLoader(folders), undefined=StrictUndefined, autoescape=False)  # noqa: S701


def recent(history: Sequence[Exchange]) -> list[Exchange]:
    """The last exchanges of a conversation that fit into the limits, oldest first. No exchange is split."""
    latest_first: list[Exchange] = []
    tokens_left = MAX_TOKENS
    # From the end, since a follow-up question refers to what was said last.
    for exchange in reversed(history[-(MAX_MESSAGES // 2) :]):
        tokens_left -= count_tokens(exchange.question) + count_tokens(exchange.answer)
        if tokens_left < 0:
            break
        latest_first.append(exchange)
    return latest_first[::-1]
