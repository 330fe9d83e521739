from __future__ import annotations

import base64
import gzip
import hashlib
import inspect
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from tests.core.blocked import WITHOUT_NETWORK

from trueref_core.errors import TruerefError
from trueref_core.text.byte_pairs import BytePairs
from trueref_core.text.tokens import PIECES, RANKS, RANKS_SHA256, count_tokens, read_ranks

CACHE = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
"""What tiktoken calls the ranks of cl100k_base in its cache: the SHA-1 of their address."""


def test_counts_as_cl100k_does() -> None:
    assert count_tokens("") == 0
    assert count_tokens("hello world") == 2
    # As the tables in OpenAI's cookbook count them.
    assert count_tokens("antidisestablishmentarianism") == 6
    assert count_tokens("お誕生日おめでとう") == 9


def test_special_tokens_are_text() -> None:
    assert count_tokens("<|endoftext|>") > 1


def test_the_ranks_are_those_that_tiktoken_expects() -> None:
    from tiktoken_ext import openai_public

    source = inspect.getsource(openai_public.cl100k_base)
    assert RANKS_SHA256 in source
    assert PIECES in source
    published = b"".join(b"%s %d\n" % (base64.b64encode(token), rank) for token, rank in read_ranks(RANKS).items())
    assert hashlib.sha256(published).hexdigest() == RANKS_SHA256


@pytest.mark.parametrize("planted", ["file", "pipe"])
def test_a_cache_that_another_user_planted_is_not_read(tmp_path: Path, planted: str) -> None:
    """Of a pipe that nobody writes to, reading would never end."""
    for folder in (tmp_path, tmp_path / "data-gym-cache"):
        folder.mkdir(exist_ok=True)
        if planted == "pipe":
            os.mkfifo(folder / CACHE)
        else:
            (folder / CACHE).write_bytes(b"aGVsbG8= 0\n")
    before = sorted(tmp_path.rglob("*"))
    code = WITHOUT_NETWORK + "from trueref_core.text.tokens import count_tokens; print(count_tokens('hello world'))"
    for given in (
        {"TMPDIR": str(tmp_path)},
        {"TIKTOKEN_CACHE_DIR": str(tmp_path)},
        {"DATA_GYM_CACHE_DIR": str(tmp_path)},
    ):
        run = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ | given
        )
        assert run.stdout == "2\n"
    assert sorted(tmp_path.rglob("*")) == before


CUT_SHORT = gzip.compress(gzip.decompress(RANKS.read_bytes())[:-1], mtime=0)


@pytest.mark.parametrize("data", [None, b"", b"no gzip", gzip.compress(b"\x05hello", mtime=0), CUT_SHORT])
def test_missing_or_damaged_ranks_are_told_in_one_line(tmp_path: Path, data: bytes | None) -> None:
    path = tmp_path / "ranks.gz"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(
        TruerefError, match=r"^The token ranks ranks\.gz are missing or damaged\. Install trueref again\.$"
    ):
        read_ranks(path)


def test_without_tiktoken_the_count_is_the_same(root: Path) -> None:
    counter = BytePairs(PIECES, read_ranks(RANKS))
    seed = 13
    print(f"seed {seed}")
    chance = random.Random(seed)
    letters = "aabcdeEZ 0123 \n\r\t\u00a0\u2028\x1c\x1f\x85-_/'sd\u00e4\u00df\u4e2d\u6587\u0301\U0001f41d<|>"
    texts = ["".join(chance.choices(letters, k=chance.randrange(60))) for _ in range(3000)]
    texts += [path.read_text(encoding="utf-8") for path in sorted((root / "docs").glob("*.md"))]
    texts += ["", "a" * 20_000, "ab" * 9_000, " " * 5_000]
    assert [counter.count(text) for text in texts] == [count_tokens(text) for text in texts]
