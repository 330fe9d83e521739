"""Requests to servers of this machine, however long they take.

`httpx.get` and its like load the certificates of all authorities before each request, also of one without encryption:
that costs the processor more than most answers do, and again each time that a server is asked whether it has started.
"""

from __future__ import annotations

from functools import partial

import httpx

get = partial(httpx.get, timeout=None, verify=False)
post = partial(httpx.post, timeout=None, verify=False)
