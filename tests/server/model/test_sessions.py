"""Who may have the model write: sessions that the server signed, on their network and for their time."""

from __future__ import annotations

from pathlib import Path

import pytest
from itsdangerous import TimestampSigner
from tests.server.connecting import PREFIX, connect, events_of
from tests.server.model.test_answerer import ASK, GOOD, QUESTION, answering, ask, saying

from trueref_server.model.sessions import Sessions

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("secret", ["", "the same in all processes"])
async def test_with_sessions_a_model_answers_only_who_has_one(index: Path, secret: str) -> None:
    options = {"model_session_seconds": 60, "model_session_secret": secret} if secret else {"model_session_seconds": 60}
    body = {"question": QUESTION}
    async with answering(index, saying(GOOD), **options) as (client, model):
        refused = await client.post(ASK, json=body)
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "no-session")
        streamed = await client.post(ASK, json=body | {"stream": True})
        assert [(name, data["error"]["code"]) for name, data in events_of(streamed.text)] == [("error", "no-session")]
        issued = (await client.post(f"{PREFIX}/session")).json()
        assert issued["seconds"] == 60
        for session in (
            issued["session"][:-1],
            issued["session"] + "x",
            "a.b.c",
            "",
            "\u00e9",
            Sessions("", 60).issue("x"),
        ):
            assert (await client.post(ASK, json=body | {"session": session})).status_code == 403, session
        assert model.asked == []
        assert (await ask(client, session=issued["session"]))["mode"] == "model"
        assert len(model.asked) == 1
    async with answering(index, saying(GOOD), **options) as (client, _):
        response = await client.post(ASK, json=body | {"session": issued["session"]})
        # A restart forgets a secret that it made itself.
        assert response.status_code == (200 if secret else 403)


async def test_without_a_model_no_session_is_needed(index: Path) -> None:
    async with connect(index, model_session_seconds=60) as client:
        assert (await client.post(f"{PREFIX}/session")).json() == {"session": "", "seconds": 0}
        assert (await ask(client))["mode"] == "extractive"
        assert (await ask(client, session="old"))["mode"] == "extractive"


def test_a_session_is_good_on_its_network_and_for_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = Sessions("secret", 100)
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda _: 1_000_000)
    session = sessions.issue("192.0.2.0/24")
    assert sessions.issue("192.0.2.0/24") != session
    assert Sessions("secret", 100).is_valid(session, "192.0.2.0/24")
    assert not Sessions("another", 100).is_valid(session, "192.0.2.0/24")
    assert not sessions.is_valid(session, "198.51.100.0/24")
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda _: 1_000_101)
    assert not sessions.is_valid(session, "192.0.2.0/24")
