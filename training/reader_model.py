"""The reader: a question and a passage, each read by the lower layers of the embedder, and both together by the upper.

The embedder's lower layers and its word embeddings stay as they are shipped, so that the reader brings only its upper
layers and a small head. Both texts begin as the embedder reads them, and so a score begins as what the embedder says of
them: the cosine of the whole texts, and how well each word of the question is met by one of the passage's.

Needs torch, see `scripts/make_model.py` for an environment.
"""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn import functional

SHIPPED = Path(__file__).resolve().parent.parent / "core" / "trueref_core" / "models" / "MiniLM-L6-docs"
WIDTH, HEADS, INNER, LAYERS = 384, 12, 1536, 6
DROPPED = 0.1
"""The share of the dimensions that training drops of what each half of a layer adds."""

EPSILON = 1e-12
NO_ANSWER = -2.0
"""The score that a cross-encoder begins with: one passage of eight answers."""

COSINE_SCALE, WORDS_SCALE, BEGINNING = 6.0, 10.0, -10.0
"""What both similarities are multiplied by before training, and what is added to them."""


def weights_in_32_bits(file: Path) -> dict[str, torch.Tensor]:
    """The weights of a packed embedder in 32 bits, by their names in transformers, without "model."."""
    graph = onnx.load_from_string(gzip.decompress(file.read_bytes())).graph
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    weights = {
        name.removeprefix("model."): torch.tensor(value)
        for name, value in stored.items()
        if name.startswith("model.") and not name.endswith(("_quantized", "_scale", "_zero_point"))
    }
    for name in stored:
        if name.startswith("model.") and name.endswith("_quantized"):
            plain = name.removesuffix("_quantized")
            weights[plain.removeprefix("model.")] = torch.tensor(_in_32_bits(stored, plain))
    for node in graph.node:
        if node.op_type == "MatMulInteger" and node.input[1] in stored:
            # Named after the weight: /model/encoder/layer.0/attention/self/query/MatMul_quant.
            name = node.name.removeprefix("/model/").removesuffix("/MatMul_quant").replace("/", ".")
            plain = node.input[1].removesuffix("_quantized")
            weights[f"{name}.weight"] = torch.tensor(_in_32_bits(stored, plain).T.copy())
    return weights


def _in_32_bits(stored: dict[str, np.ndarray], name: str) -> np.ndarray:
    # Per channel: one scale for each column.
    whole = stored[f"{name}_quantized"].astype(np.float32) - stored[f"{name}_zero_point"].astype(np.float32)
    return np.asarray(whole * stored[f"{name}_scale"])


class Layer(nn.Module):
    """A layer of the model."""

    def __init__(self, weights: dict[str, torch.Tensor], at: int) -> None:
        super().__init__()
        prefix = f"encoder.layer.{at}."
        self.query, self.key, self.value, self.out = (
            _linear(weights, prefix + name)
            for name in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense")
        )
        self.inner = _linear(weights, prefix + "intermediate.dense")
        self.outer = _linear(weights, prefix + "output.dense")
        self.between = _norm(weights, prefix + "attention.output.LayerNorm")
        self.last = _norm(weights, prefix + "output.LayerNorm")

    def forward(self, state: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """The state after this layer.

        Args:
            state: Text, wordpiece, dimension.
            mask: Text, 1, 1, wordpiece: what is added to attention; see `added_to_attention`.
        """
        size = (state.shape[0], state.shape[1], HEADS, WIDTH // HEADS)
        query, key, value = (read(state).view(size).transpose(1, 2) for read in (self.query, self.key, self.value))
        # Written out, which the quantiser knows, and which trains a fifth faster on a processor than the fused one.
        attention = (query @ key.transpose(2, 3) * (WIDTH // HEADS) ** -0.5 + mask).softmax(-1)
        attended = attention @ value
        state = self.between(state + self._dropped(self.out(attended.transpose(1, 2).reshape(state.shape))))
        return self.last(state + self._dropped(self.outer(functional.gelu(self.inner(state)))))

    def _dropped(self, added: torch.Tensor) -> torch.Tensor:
        """What is added, in training without some dimensions, the same ones of all wordpieces of a text."""
        if not self.training:
            return added
        return added * functional.dropout(added.new_ones(added.shape[0], 1, WIDTH), DROPPED)


def _linear(weights: dict[str, torch.Tensor], name: str) -> nn.Linear:
    weight, bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
    layer = nn.Linear(weight.shape[1], weight.shape[0])
    layer.weight.data, layer.bias.data = weight.clone(), bias.clone()
    return layer


def _norm(weights: dict[str, torch.Tensor], name: str) -> nn.LayerNorm:
    layer = nn.LayerNorm(WIDTH, EPSILON)
    layer.weight.data, layer.bias.data = weights[f"{name}.weight"].clone(), weights[f"{name}.bias"].clone()
    return layer


class Alone(nn.Module):
    """Word embeddings and as many lower layers as are named: a text by itself. They are not trained."""

    def __init__(self, weights: dict[str, torch.Tensor], layers: int) -> None:
        super().__init__()
        self.words = nn.Embedding.from_pretrained(weights["embeddings.word_embeddings.weight"])
        self.positions = nn.Embedding.from_pretrained(weights["embeddings.position_embeddings.weight"])
        self.sort = nn.Embedding.from_pretrained(weights["embeddings.token_type_embeddings.weight"])
        self.norm = _norm(weights, "embeddings.LayerNorm")
        self.layers = nn.ModuleList(Layer(weights, at) for at in range(layers))
        self.requires_grad_(requires_grad=False)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, begin: int = 0) -> torch.Tensor:
        """The state of each wordpiece.

        Args:
            ids: Text, wordpiece.
            mask: The same; 1 where there is a wordpiece.
            begin: The position of the first wordpiece. Texts that do not begin at 0 are the second ones of a pair.
        """
        positions = torch.arange(begin, begin + ids.shape[1])
        sorts = torch.full_like(ids, int(begin > 0))
        state = self.norm(self.words(ids) + self.sort(sorts) + self.positions(positions))
        added = added_to_attention(mask, state.dtype)
        for layer in self.layers:
            state = layer(state, added)
        return state


def added_to_attention(mask: torch.Tensor, kind: torch.dtype) -> torch.Tensor:
    """What layers add to their attention for a mask: 0 where it is 1, and a large negative number where it is 0."""
    return ((1.0 - mask) * -1e4).to(kind)[:, None, None, :]


class Together(nn.Module):
    """The part that reads a question and a passage together, and returns how well the passage answers the question.

    It has the upper `layers` layers of the embedder, and a head that makes a score of their states.
    """

    def __init__(self, weights: dict[str, torch.Tensor], layers: int) -> None:
        super().__init__()
        # Added to the state of a wordpiece: one row for those of the question, one for those of the passage.
        self.side = nn.Parameter(torch.zeros(2, WIDTH))
        self.layers = nn.ModuleList(Layer(weights, at) for at in range(LAYERS - layers, LAYERS))
        self.hidden = nn.Linear(3 * WIDTH + 2, 128)
        self.score = nn.Linear(128, 1)
        nn.init.zeros_(self.score.weight)
        nn.init.constant_(self.score.bias, BEGINNING)
        self.scales = nn.Parameter(torch.tensor([COSINE_SCALE, WORDS_SCALE]))

    def forward(
        self, question: torch.Tensor, question_mask: torch.Tensor, passage: torch.Tensor, passage_mask: torch.Tensor
    ) -> torch.Tensor:
        """A score for each pair.

        Args:
            question: The states of questions after the lower layers: pair, wordpiece, dimension.
            question_mask: 1 where there is a wordpiece.
            passage: The same for passages.
            passage_mask: The same for passages.
        """
        length = question.shape[1]
        side = self.side.to(question.dtype)
        state = torch.cat([question + side[0], passage + side[1]], 1)
        added = added_to_attention(torch.cat([question_mask, passage_mask], 1), state.dtype)
        for layer in self.layers:
            state = layer(state, added)
        return self._head(state[:, :length].float(), question_mask, state[:, length:].float(), passage_mask)

    def _head(
        self, question: torch.Tensor, question_mask: torch.Tensor, passage: torch.Tensor, passage_mask: torch.Tensor
    ) -> torch.Tensor:
        question_mean, passage_mean = _mean(question, question_mask), _mean(passage, passage_mask)
        cosine = (question_mean * passage_mean).sum(-1, keepdim=True)
        words = _unit(question) @ _unit(passage).transpose(1, 2)
        nearest = (words + (passage_mask - 1.0)[:, None, :] * 4.0).amax(-1)
        # The first and last wordpiece, which are special, count as well: they are as near to every passage.
        max_sim = (nearest * question_mask).sum(-1, keepdim=True) / question_mask.sum(-1, keepdim=True)
        root = WIDTH**0.5
        seen = torch.cat(
            [question_mean * root, passage_mean * root, question_mean * passage_mean * WIDTH, cosine, max_sim], -1
        )
        learned = self.score(functional.gelu(self.hidden(seen)))
        return (learned + cosine * self.scales[0] + max_sim * self.scales[1]).squeeze(-1)


class OneText(nn.Module):
    """A cross-encoder: all layers read question and passage as one text, and a head makes a score of their states."""

    def __init__(self, weights: dict[str, torch.Tensor]) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer(weights, at) for at in range(LAYERS))
        self.hidden = nn.Linear(3 * WIDTH, WIDTH)
        self.score = nn.Linear(WIDTH, 1)
        nn.init.zeros_(self.score.weight)
        nn.init.constant_(self.score.bias, NO_ANSWER)

    def forward(
        self, question: torch.Tensor, question_mask: torch.Tensor, passage: torch.Tensor, passage_mask: torch.Tensor
    ) -> torch.Tensor:
        """A score for each pair; see `Together.forward`."""
        state = torch.cat([question, passage], 1)
        added = added_to_attention(torch.cat([question_mask, passage_mask], 1), state.dtype)
        for layer in self.layers:
            state = layer(state, added)
        length, state = question.shape[1], state.float()
        means = [_mean(state[:, :length], question_mask), _mean(state[:, length:], passage_mask)]
        seen = torch.cat([state[:, 0], *(mean * WIDTH**0.5 for mean in means)], -1)
        return self.score(functional.gelu(self.hidden(seen))).squeeze(-1)


class Words(nn.Module):
    """Late interaction with fewer dimensions: a map of the embedder's word vectors, and a scale of the score.

    It takes the place of `Together` if no layer reads both texts together.
    """

    def __init__(self, dimensions: int) -> None:
        super().__init__()
        self.map = nn.Linear(WIDTH, dimensions, bias=False)
        self.scale = nn.Parameter(torch.tensor(WORDS_SCALE))
        self.bias = nn.Parameter(torch.tensor(BEGINNING))

    @torch.no_grad()
    def begin_with_main_directions(self, states: torch.Tensor) -> None:
        """Begin with the directions in which word vectors differ most. `states` are those of some texts, a row each."""
        directions = torch.linalg.svd(states.T @ states)[0]
        self.map.weight.copy_(directions[:, : len(self.map.weight)].T)

    def forward(
        self, question: torch.Tensor, question_mask: torch.Tensor, passage: torch.Tensor, passage_mask: torch.Tensor
    ) -> torch.Tensor:
        """A score for each pair; see `Together.forward`."""
        asked, read = _unit(self.map(question.float())), _unit(self.map(passage.float()))
        nearest = (asked @ read.transpose(1, 2) + (passage_mask - 1.0)[:, None, :] * 4.0).amax(-1)
        # Without the two special wordpieces, the first one and the last.
        counted = functional.pad(question_mask[:, 2:], (1, 1))
        max_sim = (nearest * counted).sum(-1) / counted.sum(-1).clamp_min(1.0)
        return max_sim * self.scale + self.bias


def _unit(vectors: torch.Tensor) -> torch.Tensor:
    return vectors / vectors.norm(dim=-1, keepdim=True).clamp_min(1e-6)


def _mean(state: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return _unit((state * mask[..., None]).sum(1) / mask.sum(1, keepdim=True))
