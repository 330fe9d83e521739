"""Signed anonymous sessions. Only a reader with one may have the model write: the endpoint is no free model for others.

A session is a random name, signed with the time and the client network. Nothing is stored: the server recognises its
own signature. It says nothing about a reader, and it is worth nothing on another network or after its time.
"""

from __future__ import annotations

import secrets
from typing import Final

SALT: Final = "trueref.session"
RANDOM_BYTES: Final = 9
SECRET_BYTES: Final = 32


class Sessions:
    """Issues sessions and recognises them.

    Args:
        secret: What they are signed with. "" makes one that lasts as long as the process.
        seconds: How long a session is good.
    """

    def __init__(self, secret: str, seconds: int) -> None:
        self.seconds = seconds
        # In memory: a file would lie beside an index that is copied to public places.
        self._secret = secret or secrets.token_hex(SECRET_BYTES)

    def issue(self, network: str) -> str:
        """A new session for a client network."""
        from itsdangerous import TimestampSigner

        return (
            TimestampSigner(self._secret, salt=f"{SALT} {network}").sign(secrets.token_urlsafe(RANDOM_BYTES)).decode()
        )

    def is_good(self, session: str, network: str) -> bool:
        """Whether a session was issued here to this network, and not too long ago."""
        from itsdangerous import BadSignature, TimestampSigner

        try:
            # The network is part of the salt, so that one session does not serve a net of machines.
            TimestampSigner(self._secret, salt=f"{SALT} {network}").unsign(session, max_age=self.seconds)
        except BadSignature:
            return False
        return True
