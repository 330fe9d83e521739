"""Signed anonymous sessions. The model writes only for a reader with a session, so that others cannot use it for free.

A session is a random name, signed with the time and the client network. Nothing is stored: the server recognises its
own signature. A session says nothing about the reader, and is not valid on another network or after its time.
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
        secret: The key that signs sessions; "" for a random one that is valid as long as the process runs.
        seconds: How long a session is valid.
    """

    def __init__(self, secret: str, seconds: int) -> None:
        self.seconds = seconds
        # Not in a file: it would lie beside the index, which may be copied to a public place.
        self._secret = secret or secrets.token_hex(SECRET_BYTES)

    def issue(self, network: str) -> str:
        """A new session for a client network."""
        from itsdangerous import TimestampSigner

        return (
            TimestampSigner(self._secret, salt=f"{SALT} {network}").sign(secrets.token_urlsafe(RANDOM_BYTES)).decode()
        )

    def is_valid(self, session: str, network: str) -> bool:
        """Whether this server issued a session to this network, and the session has not expired."""
        from itsdangerous import BadSignature, TimestampSigner

        try:
            # The network is part of the salt, so that one session does not serve machines in other networks.
            TimestampSigner(self._secret, salt=f"{SALT} {network}").unsign(session, max_age=self.seconds)
        except BadSignature:
            return False
        return True
