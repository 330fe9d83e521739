"""Reads the response of an endpoint: server-sent events with chunks of Chat Completions, or one JSON object.

The response is not trusted: events and streams have a greatest length, JSON that is no chunk is ignored, and a text
that breaks off is told apart from one that has ended.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

MAX_EVENT: Final = 4 << 20
"""The most bytes of an event. An event of one token has about 300; one with a whole answer has little more than its
text."""

MAX_STREAM: Final = 64 << 20
"""The most bytes of a stream: 200,000 tokens of about 300 bytes each, since the reasoning of a model may be streamed
too."""

DONE: Final = b"[DONE]"
JSON: Final = "application/json"


class ModelFailure(Exception):
    """The model gave no answer. The message says why, for the log; it never holds the key.

    `is_refused` is true if the endpoint did not accept the request, so that it cost nothing.
    """

    def __init__(self, message: str, *, is_refused: bool = False) -> None:
        super().__init__(message)
        self.is_refused = is_refused


@dataclass(frozen=True, slots=True)
class ChunkContent:
    """The text of a chunk, the reason for the end of the text, and the counts of tokens; "" and 0 if it has none."""

    text: str = ""
    reason: str = ""
    sent: int = 0
    received: int = 0


class ChunkReader:
    """Reads chunks from the bytes of a response.

    `is_done` is true if the endpoint said that its text has ended, `is_refused` if its model declined to answer.

    Args:
        media_type: The media type of the response, without parameters.
    """

    def __init__(self, media_type: str = "") -> None:
        self.is_done = False
        self.is_refused = False
        self._is_json = media_type == JSON
        self._bytes = 0
        self._unfinished: list[bytes] = []
        self._unfinished_bytes = 0
        self._event_lines: list[bytes] = []
        self._half_character = ""

    def push(self, data: bytes) -> list[ChunkContent]:
        """Take bytes, and return the content of the chunks that are complete by now.

        Raises:
            ModelFailure: The bytes are too many or are not JSON, or the endpoint reports an error.
        """
        self._bytes += len(data)
        if self._bytes > MAX_STREAM:
            raise ModelFailure(f"it sent more than {MAX_STREAM >> 20} MB")
        if self._is_json and not self._unfinished and data.lstrip().startswith((b"data:", b"event:", b":")):
            # Some endpoints send an event stream with the media type of JSON.
            self._is_json = False
        contents: list[ChunkContent] = []
        # Line breaks are searched for in the new bytes only: a long line in small pieces would take quadratic time
        # otherwise.
        *line_ends, rest = [data] if self._is_json else data.split(b"\n")
        for line_end in line_ends:
            line = b"".join((*self._unfinished, line_end))
            self._unfinished, self._unfinished_bytes = [], 0
            contents += self._take_line(line.rstrip(b"\r"))
        self._unfinished.append(rest)
        self._unfinished_bytes += len(rest)
        if self._unfinished_bytes + sum(map(len, self._event_lines)) > MAX_EVENT:
            raise ModelFailure(f"it sent an event of more than {MAX_EVENT >> 20} MB")
        return contents

    def close(self) -> list[ChunkContent]:
        """Return the last content at the end of the response: some servers send no blank line after the last event.

        Raises:
            ModelFailure: The rest is not JSON, or the endpoint reports an error.
        """
        rest = b"".join(self._unfinished)
        if self._is_json:
            return list(self._chunk(rest)) if rest.strip() else []
        return [*self._take_line(rest.rstrip(b"\r")), *self._take_line(b"")]

    def _take_line(self, line: bytes) -> Iterator[ChunkContent]:
        """Take a line of the stream. A blank line ends an event, whose content is yielded."""
        if line.startswith(b"data:"):
            self._event_lines.append(line[5:].removeprefix(b" "))
        elif not line and self._event_lines:
            event, self._event_lines = b"\n".join(self._event_lines), []
            yield from self._chunk(event)

    def _chunk(self, event: bytes) -> Iterator[ChunkContent]:
        """The content of an event; nothing after the end of the text is read."""
        if self.is_done or not event.strip():
            return
        if event.lstrip().startswith(DONE):
            self.is_done = True
            return
        try:
            chunk = _fields(json.loads(event.decode("utf-8", "replace")))
        except (ValueError, RecursionError) as error:
            raise ModelFailure("it sent invalid or incomplete JSON") from error
        if chunk.get("error"):
            raise ModelFailure("it says that it failed")
        choice = _fields(next(iter(_items(chunk.get("choices"))), None))
        # An endpoint that does not stream sends the message itself.
        message = _fields(choice.get("delta") or choice.get("message"))
        self.is_refused = self.is_refused or bool(message.get("refusal"))
        reason, usage = choice.get("finish_reason"), _fields(chunk.get("usage"))
        self.is_done = self._is_json and bool(choice)
        yield ChunkContent(
            self._join_halves(_message_text(message.get("content"))),
            reason if isinstance(reason, str) else "",
            _count(usage.get("prompt_tokens")),
            _count(usage.get("completion_tokens")),
        )

    def _join_halves(self, text: str) -> str:
        """A text of whole characters: an endpoint may cut between the two surrogates of an emoji."""
        text, self._half_character = self._half_character + text, ""
        # The range of the high surrogates, which come first in a pair.
        if "\ud800" <= text[-1:] <= "\udbff":
            text, self._half_character = text[:-1], text[-1]
        # A surrogate without its partner cannot be encoded as UTF-8, so it becomes U+FFFD.
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _fields(value: object) -> Mapping[str, Any]:
    """A JSON object; an empty mapping for any other value."""
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


def _items(value: object) -> Sequence[object]:
    """A JSON array; an empty sequence for any other value."""
    return cast("Sequence[object]", value) if isinstance(value, list) else ()


def _message_text(content: object) -> str:
    """The text of a message: a string, or a list of parts. Only parts of the type `text` are for the reader."""
    if isinstance(content, str):
        return content
    texts = (part.get("text") for part in map(_fields, _items(content)) if part.get("type") == "text")
    return "".join(text for text in texts if isinstance(text, str))


def _count(value: object) -> int:
    """A count of tokens; 0 for any other value."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
