"""A name is found in a text in any spelling, and only whole."""

from __future__ import annotations

import pytest
from tests.work import is_linear

from trueref_server.ranking.name_in_text import has_any


@pytest.mark.parametrize(
    ("name", "text", "is_there"),
    [
        ("keep_alive", "Set keepAliveTimeout.", True),
        ("keepalive", "Set keepAliveTimeout.", True),
        ("--keep-alive", "An HTTPKeepAlive, or none.", True),
        ("--keep-alive", "Many keepalives.", True),
        ("keepAlive", "A KEEP_ALIVE_TIME.", True),
        ("--keep-al", "Set keepAliveTimeout.", False),
        ("--live", "Set keepAliveTimeout.", False),
        ("HTTP/3", "It speaks HTTP/3.", True),
        ("HTTP/3", "It speaks http3 (QUIC).", True),
        ("HTTP/3", "It answers HTTP 301.", False),
        ("HTTP/3", "It speaks HTTP/2.", False),
        ("HTTP/3", "Any HTTP 3xx, of http%3A%2F%2F.", False),
        ("base64", "The base64Encoder.", True),
        ("C++", "Written in C++.", True),
        ("C++", "Written in C.", False),
        ("C#", "Code of C, and of C++.", False),
        ("C#", "`C#` of others", True),
    ],
)
def test_a_name_is_found_whole_in_any_spelling(name: str, text: str, is_there: bool) -> None:
    assert has_any([name], [text]) is is_there
    assert has_any(["other_name", name], ["Another text.", text]) is is_there


@pytest.mark.parametrize("piece", ["a", "a___", "aA", "aa "])
def test_the_time_for_a_name_grows_with_the_text(piece: str) -> None:
    assert is_linear(lambda text: has_any(["a" * 20 + "b"], [text, "ab"]), piece, "a" * 20 + "bc")
