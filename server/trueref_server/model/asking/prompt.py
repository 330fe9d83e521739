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

MESSAGES_MOST: Final = 10
TOKENS_MOST: Final = 4000
"""How much of the conversation a model reads: messages, and cl100k tokens of all of them together."""

Message = dict[str, str]
"""One message of Chat Completions: its `role` and its `content`."""


class Prompts:
    """The templates of the system message and of the question, those of a folder before our own.

    Args:
        folder: May hold `system.jinja`, `question.jinja` and `follow_up.jinja`; None for ours.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    def check(self) -> None:
        """Render all templates once.

        Raises:
            OptionError: The folder is not there, or a template is not one, or asks for what is not given.
        """
        if self._folder is not None and not self._folder.is_dir():
            raise OptionError(f"model_prompts: there is no folder {self._folder}. Create it, or leave the option out.")
        # With a made-up source, when the server starts: a mistake in a template must not wait for the first reader.
        example = ModelSource(1, "Page › Section", "guide", "1.0", "Text.")
        self.messages("Docs", Question("Question?"), [example])
        self._rendered(FOLLOW_UP, {"question": "Question?", "sources": [example]})

    def follow_up(self, question: Question, sources: Sequence[ModelSource]) -> str:
        """The message that brings what was found after a first pass.

        Raises:
            OptionError: A template of the site cannot be rendered.
        """
        return self._rendered(FOLLOW_UP, {"question": question.text, "sources": sources})

    def _rendered(self, name: str, values: Mapping[str, object]) -> str:
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
            # An exchange without its answer, as a client may send it, has a question only.
            if exchange.answer:
                messages.append({"role": "assistant", "content": exchange.answer})
        return [*messages, {"role": "user", "content": self._rendered(QUESTION, values)}]

    @cached_property
    def _environment(self) -> Environment:
        """Jinja's environment: the site's templates come before ours, and a value that is not given is an error."""
        from jinja2 import Environment, FileSystemLoader, StrictUndefined

        folders = [folder for folder in (self._folder, TEMPLATES) if folder is not None]
        # What is rendered is read by a model, not by a browser: nothing is escaped for HTML.
        return Environment(loader=FileSystemLoader(folders), undefined=StrictUndefined, autoescape=False)  # noqa: S701


def recent(history: Sequence[Exchange]) -> list[Exchange]:
    """The last exchanges of a conversation, oldest first. One that does not fit ends them: never half a pair."""
    latest_first: list[Exchange] = []
    left = TOKENS_MOST
    # From the end: a follow-up leans on what was said last.
    for exchange in reversed(history[-(MESSAGES_MOST // 2) :]):
        left -= count_tokens(exchange.question) + count_tokens(exchange.answer)
        if left < 0:
            break
        latest_first.append(exchange)
    return latest_first[::-1]
