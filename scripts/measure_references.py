"""Measures what it costs to check the links of an answer while it streams.

    python scripts/measure_references.py INDEX

Answers are 1,000 characters of the docs themselves, with three links: right, nearly right, and invented, in several
syntaxes. They come in pieces of four characters, as from a model. The figures are milliseconds of processor time.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path
from random import Random

from trueref_core.generations.served_generation import read_manifest, read_texts
from trueref_core.manifest.lookup import Manifest
from trueref_server.references.gate import Gate
from trueref_server.references.reference_links import Links

ANSWERS = 1000
LENGTH = 1000
LINKS = 3
PIECE = 4
SYNTAXES = ("[the section]({})", "<{}>", "{}", "[`option`]({})", "![figure]({})")


def main() -> None:
    """Print how long the gate took."""
    index = Path(sys.argv[1])
    manifest, texts = read_manifest(index), [text for text in read_texts(index).values() if len(text) > LENGTH]
    hrefs = [
        manifest.href(page.page, anchor.anchor) for page in manifest.pages() for anchor in manifest.anchors(page.page)
    ]
    random = Random(20261122)  # noqa: S311 - Nothing is kept secret with it.
    answers = [_answer(random, random.choice(texts), hrefs, manifest) for _ in range(ANSWERS)]
    _spend(manifest, answers[0])
    spent = sorted(_spend(manifest, answer) for answer in answers)
    p95 = spent[int(len(spent) * 0.95)]
    print(f"{ANSWERS} answers, {len(hrefs)} anchors: p50 {statistics.median(spent):.2f} ms, p95 {p95:.2f} ms")


def _answer(random: Random, text: str, hrefs: list[str], manifest: Manifest) -> str:
    begin = random.randrange(len(text) - LENGTH + 1)
    words = text[begin : begin + LENGTH].split(" ")
    for _ in range(LINKS):
        link = _link(random, random.choice(hrefs), manifest)
        words.insert(random.randrange(len(words) + 1), random.choice(SYNTAXES).format(link))
    return " ".join(words)


def _link(random: Random, href: str, manifest: Manifest) -> str:
    """A right link, one with a letter too few, one with a segment twice, or one to another host."""
    at = random.randrange(len(href)) if href else 0
    altered = (href, href, href[:at] + href[at + 1 :], f"{href.partition('/')[0]}/{href}")
    return random.choice((*(manifest.url_of(None, each) or each for each in altered), "https://example.net/docs/"))


def _spend(manifest: Manifest, answer: str) -> float:
    gate = Gate(Links(manifest), sources=range(1, 6))
    started = time.process_time()
    for at in range(0, len(answer), PIECE):
        gate.push(answer[at : at + PIECE])
    gate.close()
    return (time.process_time() - started) * 1000


if __name__ == "__main__":
    main()
