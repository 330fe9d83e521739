"""Reads the response of an endpoint: server-sent events with chunks of Chat Completions, or one JSON object.

Nothing of it is trusted: lines and streams have an end, what is no chunk is left out, and text that breaks off is told
from text that has ended.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

LINE_MOST: Final = 4 << 20
"""Bytes of an event. A token has some 300 around it; a whole answer in one event has its text, and little more."""

STREAM_MOST: Final = 64 << 20
"""Bytes of a stream: 200,000 tokens, most of which a model may have spent on thoughts."""

DONE: Final = b"[DONE]"
JSON: Final = "application/json"


class ModelFailure(Exception):
    """The model gave no answer. The message says why, for the log; it never holds the key.

    `is_refused` says that the endpoint did not take the request, so that it cost nothing.
    """

    def __init__(self, message: str, *, is_refused: bool = False) -> None:
        super().__init__(message)
        self.is_refused = is_refused


@dataclass(frozen=True, slots=True)
class ChunkContent:
    """The content of a chunk: text, the reason why the text ends, and numbers of tokens, 0 if it has none."""

    text: str = ""
    reason: str = ""
    sent: int = 0
    received: int = 0


class ChunkReader:
    """Takes the bytes of a response and gives what its chunks say.

    `is_done` is true if the endpoint said that its text has ended, `is_refused` if its model declined to answer.

    Args:
        media_type: The one of the response, without its parameters.
    """

    def __init__(self, media_type: str = "") -> None:
        self.is_done = False
        self.is_refused = False
        self._is_whole = media_type == JSON
        self._bytes = 0
        self._unfinished: list[bytes] = []
        self._unfinished_bytes = 0
        self._event: list[bytes] = []
        self._half = ""

    def push(self, data: bytes) -> list[ChunkContent]:
        """Take bytes, and give the chunks that are whole by now.

        Raises:
            ModelFailure: They are too many, no JSON, or say that something failed.
        """
        self._bytes += len(data)
        if self._bytes > STREAM_MOST:
            raise ModelFailure(f"it sent more than {STREAM_MOST >> 20} MB")
        if self._is_whole and not self._unfinished and data.lstrip().startswith((b"data:", b"event:", b":")):
            # A stream under the type of JSON.
            self._is_whole = False
        contents: list[ChunkContent] = []
        # Only what is new is looked through for ends of lines: a long line may come in small pieces.
        *ended, rest = [data] if self._is_whole else data.split(b"\n")
        for end in ended:
            line = b"".join((*self._unfinished, end))
            self._unfinished, self._unfinished_bytes = [], 0
            contents += self._line(line.rstrip(b"\r"))
        self._unfinished.append(rest)
        self._unfinished_bytes += len(rest)
        if self._unfinished_bytes + sum(map(len, self._event)) > LINE_MOST:
            raise ModelFailure(f"it sent an event of more than {LINE_MOST >> 20} MB")
        return contents

    def close(self) -> list[ChunkContent]:
        """Give what the end of the response leaves: some servers send no blank line behind the last event.

        Raises:
            ModelFailure: It is no JSON, or says that something failed.
        """
        rest = b"".join(self._unfinished)
        if self._is_whole:
            return list(self._chunk(rest)) if rest.strip() else []
        return [*self._line(rest.rstrip(b"\r")), *self._line(b"")]

    def _line(self, line: bytes) -> Iterator[ChunkContent]:
        """The event that a line of the stream completes: a blank line completes one."""
        if line.startswith(b"data:"):
            self._event.append(line[5:].removeprefix(b" "))
        elif not line and self._event:
            event, self._event = b"\n".join(self._event), []
            yield from self._chunk(event)

    def _chunk(self, event: bytes) -> Iterator[ChunkContent]:
        """The content of an event. Whatever follows the end of a text is not read."""
        if self.is_done or not event.strip():
            return
        if event.lstrip().startswith(DONE):
            self.is_done = True
            return
        try:
            chunk = _fields(json.loads(event.decode("utf-8", "replace")))
        except (ValueError, RecursionError) as error:
            raise ModelFailure("it sent what is no JSON, or broke off in it") from error
        if chunk.get("error"):
            raise ModelFailure("it says that it failed")
        choice = _fields(next(iter(_items(chunk.get("choices"))), None))
        # An endpoint that does not stream sends the message itself.
        message = _fields(choice.get("delta") or choice.get("message"))
        self.is_refused = self.is_refused or bool(message.get("refusal"))
        reason, usage = choice.get("finish_reason"), _fields(chunk.get("usage"))
        self.is_done = self._is_whole and bool(choice)
        yield ChunkContent(
            self._joined(_text_of(message.get("content"))),
            reason if isinstance(reason, str) else "",
            _count(usage.get("prompt_tokens")),
            _count(usage.get("completion_tokens")),
        )

    def _joined(self, text: str) -> str:
        """A text whose characters are whole: an endpoint may cut between the halves of an emoji."""
        text, self._half = self._half + text, ""
        # From the first to the last of the halves that come first.
        if "\ud800" <= text[-1:] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        # A half without the other one could not be sent to a reader.
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _fields(value: object) -> Mapping[str, Any]:
    """An object of JSON; an empty one for anything else."""
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


def _items(value: object) -> Sequence[object]:
    """A list of JSON; an empty one for anything else."""
    return cast("Sequence[object]", value) if isinstance(value, list) else ()


def _text_of(content: object) -> str:
    """The text of a message: a string, or a list of parts of which those of the type `text` are for the reader."""
    if isinstance(content, str):
        return content
    texts = (part.get("text") for part in map(_fields, _items(content)) if part.get("type") == "text")
    return "".join(text for text in texts if isinstance(text, str))


def _count(value: object) -> int:
    """A count of tokens, 0 for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
