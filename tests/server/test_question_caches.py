"""Questions are not kept: a cache for the words and texts of the docs would fill with questions that nobody asks again."""

from __future__ import annotations

from itertools import islice, permutations
from typing import TYPE_CHECKING

import pytest
from scripts.measured_server import memory
from tests.server.connecting import PREFIX

from trueref_server.corpus.words import LONGEST_WORD, stem, stems
from trueref_server.ranking.title_words import title_words_of

if TYPE_CHECKING:
    import httpx

WORDS = "switch dark mode palette toggle".split()


@pytest.mark.anyio
async def test_questions_of_known_words_add_nothing_to_the_caches(client: httpx.AsyncClient) -> None:
    orders = [" ".join(order) for order in islice(permutations(WORDS), 60)]
    questions = [*orders[:30], *(f"How do I {order}?" for order in orders[:30])]
    other_questions = [*orders[30:], *(f"How do I {order}?" for order in orders[30:])]

    # Other tests may have filled them, and a full cache does not grow.
    for cache in (stems, title_words_of):
        cache.cache_clear()
    await _ask(client, questions)
    cached = memory().cached
    await _ask(client, other_questions)

    # Not even one in ten of them: a text that is shown for the first time may come into a cache.
    assert memory().cached - cached < len(other_questions) // 10


def test_a_question_of_one_long_word_is_not_kept() -> None:
    cached = memory().cached
    numbers = [f"{number:0{LONGEST_WORD + 1}x}" for number in range(100)]
    assert [stem(number) for number in numbers] == numbers
    assert memory().cached == cached
    longest = ("ab" * LONGEST_WORD)[: LONGEST_WORD - len("ing")] + "ing"
    assert stem(longest) == longest.removesuffix("ing")


async def _ask(client: httpx.AsyncClient, questions: list[str]) -> None:
    for question in questions:
        (await client.post(f"{PREFIX}/ask", json={"question": question})).raise_for_status()
