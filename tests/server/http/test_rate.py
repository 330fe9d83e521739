from __future__ import annotations

from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.connecting import PREFIX, connect

from trueref_server.http.client import client_network
from trueref_server.http.middleware.rate import TokenBuckets
from trueref_server.serving.app import RANGES_PER_QUESTION

PROXIES = (ip_network("10.0.0.0/8"), ip_network("::1/128"))


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def scope(client: str | None, forwarded: list[str]) -> dict[str, Any]:
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    return {"type": "http", "client": (client, 1) if client else None, "headers": headers}


@pytest.mark.parametrize(
    ("client", "forwarded", "network"),
    [
        ("192.0.2.77", [], "192.0.2.0/24"),
        ("2001:db8:1:2:3::4", [], "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.77", [], "192.0.2.0/24"),
        ("fe80::1%eth0", [], "fe80::/64"),
        (None, [], "unknown"),
        ("testclient", [], "unknown"),
        # Nobody but a trusted proxy may say who the client is.
        ("192.0.2.77", ["198.51.100.1"], "192.0.2.0/24"),
        ("10.1.1.1", ["198.51.100.1"], "198.51.100.0/24"),
        ("::1", ["198.51.100.1:4711"], "198.51.100.0/24"),
        ("::1", ["[2001:db8::1]:4711"], "2001:db8::/64"),
        # What the client wrote itself stands first and is not reached.
        ("10.1.1.1", ["203.0.113.9, 198.51.100.1"], "198.51.100.0/24"),
        ("10.1.1.1", ["203.0.113.9", "198.51.100.1, 10.2.2.2"], "198.51.100.0/24"),
        ("10.1.1.1", ["rubbish"], "10.1.1.0/24"),
        ("10.1.1.1", [""], "10.1.1.0/24"),
        # What stands before a hop without an address is the client's own claim, too.
        ("10.1.1.1", ["198.51.100.1, unknown"], "10.1.1.0/24"),
        ("10.1.1.1", ["198.51.100.1", "unix:"], "10.1.1.0/24"),
        ("10.1.1.1", ["198.51.100.1, _hidden, 10.2.2.2"], "10.2.2.0/24"),
    ],
)
def test_the_network_of_a_client_is_found_behind_trusted_proxies(
    client: str | None, forwarded: list[str], network: str
) -> None:
    assert client_network(scope(client, forwarded), PROXIES) == network


def test_forwarded_is_ignored_without_trusted_proxies() -> None:
    assert client_network(scope("10.1.1.1", ["198.51.100.1"]), ()) == "10.1.1.0/24"


def test_a_bucket_empties_and_refills_with_time() -> None:
    clock = Clock()
    buckets = TokenBuckets(burst=2, per_second=0.5, max_buckets=10, clock=clock)
    assert [buckets.take("a") for _ in range(3)] == [0, 0, 2]
    clock.now += 1.9
    assert buckets.take("a") == pytest.approx(0.1)
    clock.now += 0.2
    assert buckets.take("a") == 0
    assert buckets.take("b") == 0


def test_refused_requests_cost_nothing() -> None:
    clock = Clock()
    buckets = TokenBuckets(burst=1, per_second=1, max_buckets=10, clock=clock)
    buckets.take("a")
    assert {buckets.take("a") for _ in range(100)} == {1}
    clock.now += 1
    assert buckets.take("a") == 0


@given(st.lists(st.integers(0, 50), max_size=200))
def test_table_never_grows_over_its_bound(keys: list[int]) -> None:
    buckets = TokenBuckets(burst=2, per_second=1, max_buckets=7, clock=Clock())
    for key in keys:
        buckets.take(str(key))
        assert len(buckets) <= 7


def test_the_network_longest_unseen_is_forgotten() -> None:
    buckets = TokenBuckets(burst=1, per_second=1, max_buckets=2, clock=Clock())
    for key in ("a", "b", "a", "c"):
        buckets.take(key)
    assert buckets.take("a") > 0
    assert buckets.take("b") == 0


@pytest.mark.anyio
async def test_too_many_requests_are_refused_with_when_to_come_back(index: Path) -> None:
    async with connect(index, rate_burst=2, rate_per_minute=6) as client:
        statuses = [(await client.get(f"{PREFIX}/resolve?link=install/")).status_code for _ in range(3)]
        assert statuses == [200, 200, 429]
        refused = await client.get(f"{PREFIX}/search?q=dark")
        error = refused.json()["error"]
        assert error["code"] == "too-many-requests"
        assert 1 <= error["retry_after"] <= 10
        assert refused.headers["retry-after"] == str(error["retry_after"])


@pytest.mark.anyio
async def test_probes_and_widget_are_free_of_the_limit(index: Path) -> None:
    async with connect(index, rate_burst=1, rate_per_minute=1) as client:
        await client.get(f"{PREFIX}/search?q=dark")
        for path in ("healthz", "readyz", "openapi.json", "widget/none.js"):
            assert (await client.get(f"{PREFIX}/{path}")).status_code != 429


@pytest.mark.anyio
async def test_parts_of_documents_have_a_limit_of_their_own(index: Path) -> None:
    async with connect(index, rate_burst=1, rate_per_minute=1) as client:
        statuses = [(await client.get(f"{PREFIX}/documents/none")).status_code for _ in range(RANGES_PER_QUESTION + 1)]
        assert statuses == [404] * RANGES_PER_QUESTION + [429]
        assert (await client.get(f"{PREFIX}/search?q=dark")).status_code == 200


@pytest.mark.anyio
async def test_forwarded_clients_have_buckets_of_their_own(index: Path) -> None:
    async with connect(index, rate_burst=1, rate_per_minute=1, trusted_proxies="192.0.2.0/24") as client:
        for last in (1, 2):
            headers = {"x-forwarded-for": f"198.51.{last}.1"}
            assert (await client.get(f"{PREFIX}/search?q=dark", headers=headers)).status_code == 200
            assert (await client.get(f"{PREFIX}/search?q=dark", headers=headers)).status_code == 429
