"""Makes the shipped file of the trained reader.

    python training/pack_reader.py TRAINED OUT [--bytes 650000]

TRAINED is the folder that `training/train_reader.py` wrote; OUT gets `reader.gz`. The model becomes two ONNX graphs
(opset 17), one that reads a text alone and one for both together, quantised to 8 bits per channel. What stands in the
embedder's file as well leaves a gap, and of a trained matrix the change is kept: the parts of its singular values that
carry most of it, over all matrices, as many as fit into the bytes named. Whoever ships another file changes the hash in
`trueref_core.embedding.reader_model` and makes `golden.json` again.

Not run by `make` or CI: it needs torch and onnx, see `scripts/make_model.py` for an environment.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
import onnx
import torch
from onnx import numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from reader_model import LAYERS, SHIPPED, TOGETHER, Alone, Together, shipped_weights

sys.path.insert(0, str(SHIPPED.parent.parent.parent))
from trueref_core.embedding.reader_model import Changed, Copied, ReaderFile

RANK_MOST = 96
GAP_LEAST = 256
"""Bytes from which it is worth looking for a tensor in the embedder's file."""

NAMES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "out": "attention.output.dense",
    "inner": "intermediate.dense",
    "outer": "output.dense",
}
"""What a layer calls its matrices here, and what the embedder calls them."""


@dataclass(frozen=True)
class Change:
    """The change of a matrix by its singular values, of outer dimension (rows in, columns out)."""

    left: torch.Tensor
    sizes: torch.Tensor
    right: torch.Tensor

    @property
    def cost(self) -> int:
        """The bytes that one singular value takes."""
        return self.left.shape[0] + self.right.shape[1] + 4


class AloneGraph(torch.nn.Module):
    """The lower layers, for texts that are not padded."""

    def __init__(self, alone: Alone) -> None:
        super().__init__()
        self.alone = alone

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """The state of each wordpiece."""
        return self.alone(ids, torch.ones_like(ids).float())


class TogetherGraph(torch.nn.Module):
    """The upper layers, for a pair that is not padded."""

    def __init__(self, together: Together) -> None:
        super().__init__()
        self.together = together

    def forward(self, question: torch.Tensor, passage: torch.Tensor) -> torch.Tensor:
        """The score."""
        return self.together(question, torch.ones_like(question[..., 0]), passage, torch.ones_like(passage[..., 0]))


def changes_of(trained: dict[str, torch.Tensor], weights: dict[str, torch.Tensor], room: int) -> dict[str, Change]:
    """The change of each trained matrix, by its name in the graph, all of them in as many bytes as there is room."""
    whole: dict[str, Change] = {}
    for at in range(TOGETHER):
        for name, called in NAMES.items():
            before = weights[f"encoder.layer.{LAYERS - TOGETHER + at}.{called}.weight"]
            change = (trained[f"layers.{at}.{name}.weight"] - before).T.contiguous()
            left, sizes, right = torch.svd_lowrank(change, q=RANK_MOST, niter=4)
            whole[f"layers.{at}/{name}"] = Change(left, sizes, right.T)
    steps = sorted(
        ((float(size) ** 2 / change.cost, name) for name, change in whole.items() for size in change.sizes),
        reverse=True,
    )
    ranks = dict.fromkeys(whole, 0)
    for _, name in steps:
        if room < whole[name].cost:
            break
        room -= whole[name].cost
        ranks[name] += 1
    print("ranks:", ", ".join(f"{name} {rank}" for name, rank in ranks.items()))
    return {
        name: Change(change.left[:, : ranks[name]], change.sizes[: ranks[name]], change.right[: ranks[name]])
        for name, change in whole.items()
    }


def exported(model: torch.nn.Module, given: tuple[torch.Tensor, ...], names: list[str]) -> onnx.ModelProto:
    """A model as ONNX in 8 bits, with lengths left open."""
    with tempfile.TemporaryDirectory() as folder:
        full, small = str(Path(folder) / "full.onnx"), str(Path(folder) / "small.onnx")
        torch.onnx.export(
            model.eval(),
            given,
            full,
            input_names=names,
            output_names=["out"],
            dynamic_axes={name: {1: f"{name}_tokens"} for name in names},
            opset_version=17,
            dynamo=False,
        )
        quantize_dynamic(full, small, weight_type=QuantType.QInt8, per_channel=True)
        return onnx.load(small)


def packed(trained: dict[str, torch.Tensor], room: int) -> ReaderFile:
    """The contents of the file."""
    weights = shipped_weights()
    source = gzip.decompress((SHIPPED / "model.onnx.gz").read_bytes())
    together = Together(weights)
    together.load_state_dict(trained)
    alone = exported(AloneGraph(Alone(weights)), (torch.tensor([[101, 2129, 2000, 102]]),), ["ids"])
    both = exported(TogetherGraph(together), (torch.randn(1, 4, 384), torch.randn(1, 7, 384)), ["question", "passage"])
    places = dict(_matrices(onnx.load_from_string(source)))
    graph, changed = _with_changes(both, changes_of(trained, weights, room), places, source)
    lower, copied = _with_gaps(alone.SerializeToString(), alone, source)
    upper, upper_copied = _with_gaps(graph, both, source)
    return ReaderFile(lower, upper, copied, upper_copied, changed)


def _matrices(model: onnx.ModelProto) -> Iterator[tuple[str, tuple[bytes, bytes]]]:
    """The bytes of the weights and scales of each matrix, by the place of its product in the model."""
    held = {tensor.name: tensor for tensor in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "MatMulInteger" and node.input[1] in held:
            plain = node.input[1].removesuffix("_quantized")
            name = node.name.strip("/").removesuffix("/MatMul_quant")
            found = (numpy_helper.to_array(held[f"{plain}_{part}"]).tobytes() for part in ("quantized", "scale"))
            yield name, (next(found), next(found))


def _with_changes(
    model: onnx.ModelProto, changes: dict[str, Change], places: dict[str, tuple[bytes, bytes]], source: bytes
) -> tuple[bytes, list[Changed]]:
    """The graph with a gap for each trained matrix, and what fills these."""
    graph = bytearray(model.SerializeToString())
    own = dict(_matrices(model))
    changed = []
    for name, change in changes.items():
        layer, _, matrix = name.partition("/")
        number = LAYERS - TOGETHER + int(layer.rpartition(".")[2])
        before = places[f"model/encoder/layer.{number}/{NAMES[matrix].replace('.', '/')}"]
        after = own[f"together/{layer}/{matrix}"]
        weights_to, scales_to = (_only(bytes(graph), part) for part in after)
        for begin, part in zip((weights_to, scales_to), after, strict=True):
            graph[begin : begin + len(part)] = bytes(len(part))
        left, right = change.left, change.right
        most_left, most_right = left.abs().amax(0).clamp_min(1e-9), right.abs().amax(1).clamp_min(1e-9)
        changed.append(
            Changed(
                rows=left.shape[0],
                columns=right.shape[1],
                weights_to=weights_to,
                scales_to=scales_to,
                weights=_only(source, before[0]),
                scales=_only(source, before[1]),
                rank=left.shape[1],
                left=_in_8_bits(left / most_left),
                right=_in_8_bits(right / most_right[:, None]),
                sizes=(change.sizes * most_left * most_right / 127**2).numpy().astype(np.float32).tobytes(),
            )
        )
    return bytes(graph), changed


def _in_8_bits(values: torch.Tensor) -> bytes:
    return np.rint(values.numpy() * 127).astype(np.int8).tobytes()


def _with_gaps(graph: bytes, model: onnx.ModelProto, source: bytes) -> tuple[bytes, list[Copied]]:
    """The graph with a gap for each tensor that the embedder's file has, and what fills these."""
    filled = bytearray(graph)
    copied = []
    for tensor in model.graph.initializer:
        data = tensor.raw_data
        # Zeros take no room, and are found anywhere.
        if len(data) < GAP_LEAST or not any(data) or data not in graph or data not in source:
            continue
        begin = graph.index(data)
        copied.append(Copied(begin, source.index(data), len(data)))
        filled[begin : begin + len(data)] = bytes(len(data))
    return bytes(filled), copied


def _only(data: bytes, part: bytes) -> int:
    """Where a part stands. Raises `ValueError` where it is missing or stands twice."""
    begin = data.index(part)
    if data.find(part, begin + 1) >= 0:
        raise ValueError("a tensor stands twice")
    return begin


def main() -> None:
    """Read the arguments and write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trained", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--bytes", type=int, default=650_000)
    told = parser.parse_args()
    told.out.mkdir(parents=True, exist_ok=True)
    data = msgspec.msgpack.encode(packed(torch.load(told.trained / "reader.pt", weights_only=False), told.bytes))
    # Without name and time, so that the same model gives the same bytes.
    small = gzip.compress(data, mtime=0)
    (told.out / "reader.gz").write_bytes(small)
    print(f"reader.gz: {len(small):,} bytes, sha256 {hashlib.sha256(data).hexdigest()}")


if __name__ == "__main__":
    main()
