"""The embedder as it is trained: its weights in full precision, and how it reads a batch of texts.

Needs torch and transformers, see `scripts/make_model.py` for an environment.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch.nn import functional
from transformers import AutoModel

CLS, SEP = 101, 102


@dataclass(frozen=True)
class Read:
    """Texts as the model reads them.

    `whole` has a vector of length 1 for each text (text, dimension). `words` has a vector for each wordpiece (text,
    wordpiece, dimension). `real` is 1 for wordpieces of the text, and 0 for special tokens and padding (text,
    wordpiece).
    """

    whole: torch.Tensor
    words: torch.Tensor
    real: torch.Tensor


def fastest_type() -> torch.dtype:
    """The faster one of float32 and bfloat16 on this processor, measured by a multiplication."""
    seconds = {torch.float32: math.inf, torch.bfloat16: math.inf}
    for kind in (torch.float32, torch.bfloat16):
        left, right = torch.ones(256, 384, dtype=kind), torch.ones(384, 384, dtype=kind)
        # The shortest of many times, because other programs may use the processor during some of them.
        for _ in range(60):
            started = time.perf_counter()
            left @ right
            seconds[kind] = min(seconds[kind], time.perf_counter() - started)
    return min(seconds, key=seconds.__getitem__)


class Reader:
    """The model with its tokenizer. `masters` are the trained weights in full precision.

    The model computes in bfloat16 if the processor supports that. On other processors that would take forty times as
    long.
    """

    def __init__(self, weights: Path, dropout: float = 0.0) -> None:
        self.tokenizer = Tokenizer.from_file(str(weights / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.model = AutoModel.from_pretrained(weights, dtype=torch.float32, attn_implementation="eager")
        for name, weight in self.model.named_parameters():
            weight.requires_grad_("word_embeddings" not in name and "pooler" not in name)
        for module in self.model.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = dropout
        self.masters = {
            name: weight.detach().clone().requires_grad_(True)
            for name, weight in self.model.named_parameters()
            if weight.requires_grad
        }
        self._frozen = {name: weight.clone() for name, weight in self.model.state_dict().items()}
        self.model.to(fastest_type())
        self.model.train()

    def read(self, texts: list[str], max_tokens: int) -> Read:
        """Reads texts in one batch, at most `max_tokens` wordpieces of each. They should have about the same length."""
        ids = [self._ids(text, max_tokens) for text in texts]
        longest = max(map(len, ids))
        padded = torch.tensor([ids_of_text + [0] * (longest - len(ids_of_text)) for ids_of_text in ids])
        mask = torch.tensor([[1.0] * len(ids_of_text) + [0.0] * (longest - len(ids_of_text)) for ids_of_text in ids])
        state = self.model(padded, attention_mask=mask).last_hidden_state.float()
        mean = (state * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        real = mask * (padded != CLS) * (padded != SEP)
        return Read(functional.normalize(mean, dim=-1), functional.normalize(state, dim=-1), real)

    def read_sorted(self, texts: list[str], max_tokens: int) -> Read:
        """Reads texts of any length in three batches by length, and returns them in their order."""
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        cuts = [0, len(order) * 2 // 5, len(order) * 7 // 10, len(order)]
        groups = [order[begin:end] for begin, end in pairwise(cuts) if end > begin]
        reads = [self.read([texts[at] for at in group], max_tokens) for group in groups]
        longest = max(read.words.shape[1] for read in reads)
        back = torch.tensor([at for group in groups for at in group]).argsort()
        words = [functional.pad(read.words, (0, 0, 0, longest - read.words.shape[1])) for read in reads]
        real = [functional.pad(read.real, (0, longest - read.real.shape[1])) for read in reads]
        return Read(torch.cat([read.whole for read in reads])[back], torch.cat(words)[back], torch.cat(real)[back])

    def take_gradients(self) -> None:
        """Moves the gradients of the computing weights to the masters."""
        for name, weight in self.model.named_parameters():
            if weight.requires_grad:
                self.masters[name].grad = weight.grad.float()
                weight.grad = None

    @torch.no_grad()
    def take_weights(self) -> None:
        """Copies the masters to the computing weights."""
        for name, weight in self.model.named_parameters():
            if weight.requires_grad:
                weight.copy_(self.masters[name])

    def state(self) -> dict[str, torch.Tensor]:
        """All weights in full precision."""
        return {**self._frozen, **{name: weight.detach() for name, weight in self.masters.items()}}

    def _ids(self, text: str, max_tokens: int) -> list[int]:
        """The ids of at most `max_tokens` wordpieces of a text, with the special tokens."""
        ids = self.tokenizer.encode(text[:4000]).ids
        return ids if len(ids) <= max_tokens else [*ids[: max_tokens - 1], SEP]
