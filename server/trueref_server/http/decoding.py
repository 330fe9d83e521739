"""Decodes bodies and parameters into typed messages. An error names the field that is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

from trueref_server.http.responses.error_responses import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request

T = TypeVar("T")
_FIELDS_HINT = "The fields are listed in openapi.json."


async def read_json(request: Request, message: type[T]) -> T:
    """Decode the body of a request.

    Raises:
        Refusal: 415 for another content type, 400 for what is not JSON, 422 for JSON of another shape.
    """
    # A page of another site can send a form or plain text without a CORS preflight, but not this type.
    content_type = request.headers.get("content-type", "")
    if content_type.partition(";")[0].strip().lower() != "application/json":
        raise Refusal(415, f"The content type is {content_type[:100] or 'missing'}, not application/json.")
    body = await request.body()
    try:
        return msgspec.json.decode(body, type=message)
    except msgspec.ValidationError as error:
        raise Refusal(422, f"The body does not fit: {error}.", _FIELDS_HINT) from error
    # A body of brackets may be nested deeper than the decoder can go.
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refusal(400, f"The body is not JSON: {error}.") from error


def read_query(request: Request, message: type[T]) -> T:
    """Decode the parameters of a request. The last of repeated values counts; unknown parameters are ignored.

    Raises:
        Refusal: 422 for a missing parameter or a wrong value.
    """
    try:
        return msgspec.convert(dict(request.query_params), message, strict=False)
    except msgspec.ValidationError as error:
        raise Refusal(422, f"The parameters do not fit: {error}.", _FIELDS_HINT) from error
