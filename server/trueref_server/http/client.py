"""Finds the client network of a request, behind trusted proxies."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING

from starlette.datastructures import Headers

from trueref_server.settings import Network

if TYPE_CHECKING:
    from starlette.types import Scope

IPAddress = IPv4Address | IPv6Address

# By IP version. An IPv6 subscriber has a whole /64. In IPv4 the neighbours of a /24 count as one client.
PREFIX_LENGTHS = {4: 24, 6: 64}

UNKNOWN = "unknown"


def client_network(scope: Scope, trusted: Sequence[Network]) -> str:
    """The network of the client, such as `192.0.2.0/24`.

    `X-Forwarded-For` is read from its end, where the nearest proxy wrote, as long as the addresses are those of trusted
    proxies. The next one is the client; what stands before it is the client's own claim. If a proxy wrote no address,
    such as `unknown`, the client counts as that proxy.
    """
    client = scope.get("client")
    address = _address(client[0]) if client else None
    # Without trusted proxies the header is the client's own claim, with which it could choose its rate limit.
    hops = ",".join(Headers(scope=scope).getlist("x-forwarded-for")).split(",") if trusted else []
    while address is not None and hops and any(address in network for network in trusted):
        hop = _address(hops.pop())
        if hop is None:
            break
        address = hop
    if address is None:
        return UNKNOWN
    return str(ip_network((address, PREFIX_LENGTHS[address.version]), strict=False))


def _address(text: str) -> IPAddress | None:
    """An address as headers write it, perhaps with a port, brackets or a zone; None for any other text."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    # A dual-stack socket shows IPv4 clients as ::ffff:192.0.2.1.
    return getattr(address, "ipv4_mapped", None) or address
