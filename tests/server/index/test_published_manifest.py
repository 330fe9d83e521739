"""`GET /manifest`: what anyone may read of the manifest, and asking for it again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from tests.server.connecting import PREFIX, connect
from tests.server.handmade import content, publish_demo

from trueref_core.export.manifest_schema import manifest_schema
from trueref_core.generations.publication import publish
from trueref_core.links.resolve import resolve
from trueref_core.manifest.lookup import Manifest

if TYPE_CHECKING:
    import httpx

pytestmark = pytest.mark.anyio

PATH = f"{PREFIX}/manifest"


async def test_the_served_manifest_fits_its_schema_and_resolves_links(client: httpx.AsyncClient) -> None:
    response = await client.get(PATH)
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    assert response.headers["cache-control"] == "public, max-age=0, must-revalidate"
    assert response.headers["x-content-type-options"] == "nosniff"
    Draft202012Validator(manifest_schema()).validate(response.json())
    assert resolve(Manifest.decode(response.content), "setup/colors/#dark-mode").status == "exact"


async def test_a_client_that_has_the_manifest_is_sent_it_no_second_time(client: httpx.AsyncClient) -> None:
    tag = (await client.get(PATH)).headers["etag"]
    again = await client.get(PATH, headers={"if-none-match": tag})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert (await client.get(PATH, headers={"if-none-match": '"other"'})).status_code == 200


async def test_hidden_pages_are_not_in_the_served_manifest_and_can_be_resolved(tmp_path: Path) -> None:
    made = content()
    pages = (replace(made.pages[0], hidden=True), replace(made.pages[1], draft=True), *made.pages[2:])
    publish(tmp_path, replace(made, pages=pages))
    async with connect(tmp_path) as client:
        assert (await client.get(PATH)).json()["pages"] == []
        # Links to them are valid all the same.
        verdict = (await client.get(f"{PREFIX}/resolve?link=install/%23with-pip")).json()
        assert verdict["status"] == "exact"


async def test_another_generation_has_another_tag(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trueref_server.index.live_index.CHECK_SECONDS", 0)
    publish_demo(tmp_path)
    async with connect(tmp_path) as client:
        first = await client.get(PATH)
        publish_demo(tmp_path, {"new/": {"": "A new page."}})
        second = await client.get(PATH, headers={"if-none-match": first.headers["etag"]})
    assert second.status_code == 200
    assert "new/" in {row["page"]["page"] for row in second.json()["pages"]}


async def test_without_an_index_there_is_no_manifest(tmp_path: Path) -> None:
    async with connect(tmp_path / "none") as client:
        response = await client.get(PATH)
    assert (response.status_code, response.json()["error"]["code"]) == (503, "index-unavailable")
