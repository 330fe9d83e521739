"""Simulates the readers of one day with a real server: questions, follow-ups and ratings, to try `trueref report`.

    python -m scripts.simulate_day INDEX STORE.db [--questions 500] [--seed 1]

Starts `trueref serve` on 127.0.0.1 with this store and a cache in SQLite, and asks the questions of
simulated_questions.toml, some of them often and most of them seldom. One of three readers rates the answer: it is
helpful if its first section is on a page that answers. In the end the times in the store are stretched over 24 hours,
so that the report shows a day.
"""

from __future__ import annotations

import random
import sqlite3
import tempfile
import time
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
from scripts.arguments import index_folder, parser_of
from scripts.running_server import running_server

QUESTIONS: Final = Path(__file__).with_name("simulated_questions.toml")
SPREAD_MILLISECONDS: Final = 86_400_000 - 600_000
"""Ten minutes less than a day, so that a report of one day includes all questions."""
STRETCH: Final = "UPDATE trueref_{table} SET at = ? + CAST((min(at, ?) - ?) * ? AS INTEGER)"
RATES: Final = 1 / 3
GIVES_A_REASON: Final = 0.4
FOLLOWS_UP: Final = 0.08
REASONS: Final = {
    "wrong": ("It is about something else.", "This does not answer my question.", "I wanted another page."),
    "missing": ("I could not find it in the docs.", "Please document this.", "Not helpful, nothing about it."),
}


@dataclass(frozen=True, slots=True)
class Topic:
    """Questions about one topic, and the pages that answer them; no pages if the docs do not answer them."""

    pages: tuple[str, ...]
    weight: float
    questions: tuple[str, ...]


def main() -> None:
    """Simulates the day, and prints how many questions had each outcome."""
    parser = parser_of(__doc__)
    parser.add_argument("index", type=index_folder)
    parser.add_argument("store", type=Path)
    parser.add_argument("--questions", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    counts = simulate(options.index, options.store.resolve(), options.questions, random.Random(options.seed))  # noqa: S311 (a game of chance)
    stretch(options.store)
    print(", ".join(f"{name} {number}" for name, number in sorted(counts.items())))


def read_topics() -> list[Topic]:
    """The topics in simulated_questions.toml."""
    rows = tomllib.loads(QUESTIONS.read_text(encoding="utf-8"))["topic"]
    return [Topic(tuple(row["pages"]), row["weight"], tuple(row["questions"])) for row in rows]


def simulate(index: Path, store: Path, questions: int, rng: random.Random) -> Counter[str]:
    """Asks and rates, and returns how often each outcome occurred."""
    counts: Counter[str] = Counter()
    topics = read_topics()
    with tempfile.TemporaryDirectory() as folder:
        settings = {
            "STORE": f"sqlite:///{store}",
            "QUESTION_DAYS": "30",
            "CACHE": f"sqlite:///{folder}/answers.db",
            "RATE_PER_MINUTE": "0",
        }
        with running_server(index, **settings) as api, httpx.Client(base_url=api, timeout=120) as client:
            previous_exchange: dict[str, str] | None = None
            for topic in rng.choices(topics, [topic.weight for topic in topics], k=questions):
                # The first wording is drawn twice as often, as the one that most readers use.
                question = rng.choice((topic.questions[0], *topic.questions))
                history = [previous_exchange] if previous_exchange is not None and rng.random() < FOLLOWS_UP else []
                answer = ask(client, question, history)
                counts[answer["verdict"]] += 1
                counts["cached"] += answer["cached"]
                if rng.random() < RATES:
                    is_helpful = rate(client, topic, answer, rng)
                    counts["helpful" if is_helpful else "not helpful"] += 1
                previous_exchange = {"question": question, "answer": answer["text"][:500]}
    return counts


def ask(client: httpx.Client, question: str, history: list[dict[str, str]]) -> dict[str, Any]:
    """Asks a question, and returns the whole answer."""
    response = client.post("/ask", json={"question": question, "history": history})
    response.raise_for_status()
    answer: dict[str, Any] = response.json()
    return answer


def rate(client: httpx.Client, topic: Topic, answer: dict[str, Any], rng: random.Random) -> bool:
    """Rates an answer as the widget does: first whether it helped, then perhaps a reason. Returns whether it helped."""
    first = answer["sources"][0]["page"] if answer["sources"] else None
    is_helpful = answer["verdict"] == "answer" and first in topic.pages
    feedback: dict[str, Any] = {"answer_id": answer["answer_id"], "helpful": is_helpful}
    client.post("/feedback", json=feedback).raise_for_status()
    if not is_helpful and rng.random() < GIVES_A_REASON:
        reason = rng.choice(REASONS["wrong" if topic.pages else "missing"])
        client.post("/feedback", json=feedback | {"reason": reason}).raise_for_status()
    return is_helpful


def stretch(store: Path) -> None:
    """Spreads the times in the store evenly over the day that ends now."""
    end = int(time.time() * 1000)
    with sqlite3.connect(store) as rows:
        first, last = rows.execute("SELECT min(at), max(at) FROM trueref_answers").fetchone()
        factor = SPREAD_MILLISECONDS / max(1, last - first)
        for table in ("answers", "ratings", "failures"):
            rows.execute(STRETCH.format(table=table), (end - SPREAD_MILLISECONDS, last, first, factor))
    rows.close()


if __name__ == "__main__":
    main()
