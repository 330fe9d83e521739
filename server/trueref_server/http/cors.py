"""Which other sites may ask: the origins of the settings, and no credentials."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.middleware.cors import CORSMiddleware

from trueref_server.http.error_responses import error_response

if TYPE_CHECKING:
    from starlette.datastructures import Headers
    from starlette.responses import Response


class Cors(CORSMiddleware):
    """Starlette's, with its refusal in the shape of all other errors."""

    def preflight_response(self, request_headers: Headers) -> Response:
        """Answer a browser that asks what another site may send."""
        response = super().preflight_response(request_headers)
        if response.status_code == 200:
            return response
        hint = "Add the origin of the site to TRUEREF_ALLOWED_ORIGINS."
        headers = {name: value for name, value in response.headers.items() if not name.startswith("content-")}
        message = bytes(response.body).decode()
        return error_response(400, message, hint=hint, code="origin-not-allowed", headers=headers)
