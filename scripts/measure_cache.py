"""Compares the time to the first byte of a cached answer with that of a new answer, for each kind of cache.

    python -m scripts.measure_cache INDEX [REDIS]

Starts a server on 127.0.0.1 for each kind of cache. Asks every question once, and at once five times more over the
same connection, so that both are measured at the same load of the machine, and prints the medians. Of the five times
the shortest counts, because other work on the machine can take longer than a cached answer. REDIS is the address of an
empty Redis server to which answers may be written. Exits with 1 if at the median of the questions a cached answer takes
more than the share `MOST` of the time of a new one.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import httpx
from scripts.arguments import index_folder, parser_of
from scripts.running_server import running_server

MOST: Final = 0.05
AGAIN: Final = 5
QUESTIONS: Final = (
    "How do I install Trueref?",
    "What is a generation?",
    "How do I run it behind nginx?",
    "How do I check links in CI?",
    "Where is the index stored?",
    "How do I use it with Docusaurus?",
    "What does trueref diff print?",
    "How can I exclude a page?",
    "How do I change the prefix?",
    "How does the rate limit work?",
    "Can a language model write the answers?",
    "How are PDFs indexed?",
    "How do I serve several versions?",
    "What does readyz say?",
    "Which data is kept?",
)


def main() -> int:
    """Measures each kind of cache. Returns the exit code."""
    parser = parser_of(__doc__)
    parser.add_argument("index", type=index_folder)
    parser.add_argument("redis", nargs="?")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        caches = {"memory": "memory", "sqlite": f"sqlite:///{folder}/answers.db"}
        caches |= {"redis": options.redis} if options.redis else {}
        shares = [measure(options.index, name, cache) for name, cache in caches.items()]
    return 1 if max(shares) > MOST else 0


def measure(index: Path, name: str, cache: str) -> float:
    """Prints the medians of one cache, and returns the median of the share that a cached answer takes of a new one."""
    with running_server(index, CACHE=cache, RATE_PER_MINUTE="0") as api, httpx.Client(timeout=120) as client:
        # The first answer of a process loads what all later answers use.
        client.post(f"{api}/ask", json={"question": "What is Trueref?"}).raise_for_status()
        # Not all new answers first and then all cached ones: the load of the machine may change between the two.
        pairs = [
            (
                first_byte(client, api, question),
                min(first_byte(client, api, question) for _ in range(AGAIN)),
            )
            for question in QUESTIONS
        ]
    made, kept = (statistics.median(times) for times in zip(*pairs, strict=True))
    share = statistics.median(again / first for first, again in pairs)
    print(f"{name:7} first byte, median of {len(QUESTIONS)}: made {made:7.1f} ms, kept {kept:5.2f} ms ({share:.1%})")
    return share


def first_byte(client: httpx.Client, api: str, question: str) -> float:
    """Milliseconds from the request to the first byte of the stream's body."""
    started = time.perf_counter()
    with client.stream("POST", f"{api}/ask", json={"question": question, "stream": True}) as response:
        response.raise_for_status()
        pieces = response.iter_raw()
        next(pieces)
        spent = (time.perf_counter() - started) * 1000
        for _ in pieces:
            pass
    return spent


if __name__ == "__main__":
    sys.exit(main())
