"""What the first question costs over the network on a large site without a server, counted by the browser."""

from __future__ import annotations

import gzip
import random
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import pytest
from tests.conftest import SEED
from tests.e2e.browsing import Reader
from tests.e2e.hosting import QuietHandler, static_host

from trueref_plugin.build.build import index_site

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.timeout(600)]

SECTIONS = 2000
ON_A_PAGE = 20
WORDS = 120
"""Of a section; of the development sites' sections half have fewer than 50."""

VOCABULARY = 8000
"""Different words. The development sites have 6,000 and 9,000."""

MAX_BYTES = 300_000


class Compressing(QuietHandler):
    """Files as nearly every host sends them: texts are compressed."""

    def send_head(self) -> BytesIO | BinaryIO | None:
        """The response without its body, which is compressed where it is no page: the page was loaded before."""
        file = Path(self.translate_path(self.path))
        if file.suffix not in (".js", ".json"):
            return super().send_head()
        data = gzip.compress(file.read_bytes())
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(file)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        return BytesIO(data)


def write_site(folder: Path, chance: random.Random) -> str:
    """A site with so many sections, and a question for one of them."""
    folder.mkdir()
    syllables = [consonant + vowel for consonant in "bdfgklmnprstvw" for vowel in "aeiou"]
    made = {"".join(chance.choices(syllables, k=chance.randint(2, 4))) for _ in range(2 * VOCABULARY)}
    words = sorted(made)[:: len(made) // VOCABULARY][:VOCABULARY]
    chance.shuffle(words)
    # As in any text, the second word is half as common as the first.
    weights = [1 / rank for rank in range(1, len(words) + 1)]

    def text(count: int) -> str:
        return " ".join(chance.choices(words, weights, k=count))

    for page in range(SECTIONS // ON_A_PAGE):
        sections = "".join(
            f"<h2 id=s{number}>{text(4)}</h2>" + f"<p>{text(WORDS // 2)}.</p>" * 2 for number in range(ON_A_PAGE)
        )
        (folder / f"{page}.html").write_text(f"<!doctype html><title>{text(3)}</title><main>{sections}</main>")
    asked = f"{text(4)} {words[1000]} {words[3000]} {words[6000]}"
    (folder / "asked.html").write_text(
        f"<!doctype html><title>Asked</title><main><h1 id=asked>{asked}</h1><p>{text(WORDS)}."
    )
    return f"How do I {asked}?"


def test_the_first_question_on_a_large_site_loads_at_most_300_kb(browser: Browser, tmp_path: Path) -> None:
    question = write_site(tmp_path / "site", random.Random(SEED))
    index_site(tmp_path / "site", index=tmp_path / "index", embedder="lexical", widget="none")
    with static_host(tmp_path / "site", Compressing) as origin:
        tab = Reader(browser, origin)
        tab.goto("7.html")
        tab.open()
        tab.page.wait_for_load_state("networkidle")
        session = tab.context.new_cdp_session(tab.page)
        session.send("Network.enable")  # pyright: ignore[reportUnknownMemberType] # Playwright does not type it
        loaded: list[float] = []

        def count(event: dict[str, Any]) -> None:
            loaded.append(event["encodedDataLength"])

        session.on("Network.loadingFinished", count)
        exchange = tab.ask(question)
        tab.page.wait_for_load_state("networkidle")
        assert (tab.places(exchange).first.get_attribute("href") or "").endswith("asked.html#asked")
        print(f"{sum(loaded) / 1000:.0f} KB in {len(loaded)} files for the first question")
        assert 0 < sum(loaded) <= MAX_BYTES
        tab.close()
    assert (tab.errors, tab.foreign) == ([], [])
