"""Trains the reader: whether a passage answers a question, both read together.

    python -m torch.distributed.run --nproc-per-node 2 training/train_reader.py EXAMPLES OUT [NAME ...]
        [--minutes 60] [--steps 0] [--share 1.0] [--rate 6e-5] [--seed 1]

EXAMPLES is what `training/collect_examples.py` wrote, and OUT the folder of the trained reader. The sites that are
named are left out, to be fitted to and tried on. Training begins with the shipped embedder, see
`training/reader_model.py`. It takes as many steps as are named, or as fit into the minutes. Every fifty steps the state
is written to OUT, and the same command goes on from there. Each process takes its share of the questions of a step, on
a thread of its own: on a busy machine two threads of one process wait for one another after every product.

For each question of a step the reader scores one passage that answers among seven that were found and do not, most of
them among those that it will have to choose from. What would be shown for a passage is what it reads. Two losses are
added: a softmax in which the passage that answers should win, and for each passage whether it answers. The second one
also has questions that the docs do not answer. A passage that shows a part of the answer counts as neither.

Not run by `make` or CI: it needs torch, see `scripts/make_model.py` for an environment.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import distributed
from torch.nn import functional

from reader_model import SHIPPED, Alone, Together, shipped_weights
from train_embedder import SEP, fastest_type

BATCH = 3
"""Questions of each process in a step."""

LIST = 8
"""Passages of a question in a step."""

HARD = 12
"""Passages, in the order of the signals that cost nothing, of which most wrong ones are: of such it will choose."""

EASY = 40
"""Passages from which the others come."""

QUESTION_TOKENS = 48
PASSAGE_TOKENS = 112
"""Wordpieces that are read of each, the two special ones included."""

EACH_WEIGHT = 0.4
"""What the second loss counts."""

UNREAD = {"near": 6.1, "nearest": 3.4, "behind": -8.1, "shared": 5.4, "room": 2.7, "deprecated": -1.6, "aside": -2.4}
"""The signals that cost nothing, as `trueref_server.answering.choice` weighs them."""


@dataclass(frozen=True)
class Listed:
    """A question with passages that answer it, if any, and those that do not, hardest first."""

    question: str
    right: list[str]
    wrong: list[str]


def read_listed(folder: Path, left_out: frozenset[str]) -> list[Listed]:
    """The questions of all sites but those that are left out."""
    collected = []
    for path in sorted(folder.glob("*.jsonl")):
        if path.stem not in left_out:
            for line in path.open(encoding="utf-8"):
                listed = _listed(json.loads(line))
                if len(listed.wrong) >= LIST:
                    collected.append(listed)
    return collected


def _listed(example: dict[str, Any]) -> Listed:
    ordered = sorted(example["passages"], key=before_reading, reverse=True)
    right = [read_as(passage) for passage in ordered if passage["answers"]]
    # Where no passage was found that answers, a chunk that does takes its place.
    right = right or [text["text"] for text in example["chunks"] if text["answers"]]
    wrong = [read_as(passage) for passage in ordered[:EASY] if not passage["recall"]]
    return Listed(example["question"], list(dict.fromkeys(right)), list(dict.fromkeys(wrong)))


def before_reading(passage: dict[str, Any]) -> float:
    """The score of a passage by the signals that cost nothing."""
    return float(sum(UNREAD[name] * value for name, value in passage["signals"].items()))


def read_as(passage: dict[str, Any]) -> str:
    """What is read of a passage: its headings, and what would be shown."""
    headings, _, _ = passage["text"].partition("\n")
    return f"{headings}\n{passage['shown']}"


def passages_of(listed: Listed, rng: random.Random) -> list[str]:
    """The passages of a question in a step; the first one answers where any does."""
    right = [rng.choice(listed.right)] if listed.right else []
    hard, easy = listed.wrong[:HARD], listed.wrong[HARD:]
    wrong = rng.sample(hard, min(len(hard), LIST - len(right) - min(2, len(easy))))
    wrong += rng.sample(easy, min(len(easy), LIST - len(right) - len(wrong)))
    return [*right, *wrong]


class Batches:
    """Texts as numbers, padded to one length."""

    def __init__(self) -> None:
        self.tokenizer = Tokenizer.from_str(gzip.decompress((SHIPPED / "tokenizer.json.gz").read_bytes()).decode())
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()

    def ids(self, text: str, most: int) -> list[int]:
        """The wordpieces of a text."""
        ids = self.tokenizer.encode(text[:2500]).ids
        return ids if len(ids) <= most else [*ids[: most - 1], SEP]

    def padded(self, texts: list[list[int]]) -> tuple[torch.Tensor, torch.Tensor]:
        """Wordpieces of texts and the mask of those that are there."""
        longest = max(map(len, texts))
        ids = torch.tensor([ids_of_text + [0] * (longest - len(ids_of_text)) for ids_of_text in texts])
        mask = torch.tensor([[1.0] * len(ids_of_text) + [0.0] * (longest - len(ids_of_text)) for ids_of_text in texts])
        return ids, mask


class Reader:
    """Both parts of the model. `masters` are the trained layers in full precision, by name."""

    def __init__(self) -> None:
        weights = shipped_weights()
        self.kind = fastest_type()
        self.batches = Batches()
        self.alone = Alone(weights).to(self.kind).eval()
        self.together = Together(weights).train()
        self.layers = dict(self.together.layers.named_parameters(prefix="layers"))
        self.masters = {
            name: weight.detach().clone().requires_grad_(True) for name, weight in self.together.named_parameters()
        }
        self.together.layers.to(self.kind)

    def scores(self, questions: list[str], passages: list[list[str]], groups: int = 2) -> list[torch.Tensor]:
        """The scores of the passages of each question; pairs are read in groups of like length."""
        question_ids = [self.batches.ids(text, QUESTION_TOKENS) for text in questions]
        pairs = [
            (at, self.batches.ids(text, PASSAGE_TOKENS))
            for at, of_question in enumerate(passages)
            for text in of_question
        ]
        order = sorted(range(len(pairs)), key=lambda at: len(pairs[at][1]))
        size = -(-len(order) // groups)
        scores: list[torch.Tensor] = [torch.empty(0)] * len(pairs)
        with torch.no_grad():
            ids, question_mask = self.batches.padded(question_ids)
            question = self.alone(ids, question_mask)
        for begin in range(0, len(order), size):
            group = order[begin : begin + size]
            ids, mask = self.batches.padded([pairs[at][1] for at in group])
            with torch.no_grad():
                passage = self.alone(ids, mask)
            of = torch.tensor([pairs[at][0] for at in group])
            read = self.together(question[of], question_mask[of], passage, mask)
            for at, score in zip(group, read, strict=True):
                scores[at] = score
        ends = torch.tensor([len(of_question) for of_question in passages]).cumsum(0).tolist()
        return [
            torch.stack(scores[end - len(of_question) : end]) for of_question, end in zip(passages, ends, strict=True)
        ]

    def take_gradients(self, processes: int) -> None:
        """Hand the mean of the gradients of all processes to the masters."""
        for name, weight in self.together.named_parameters():
            self.masters[name].grad = weight.grad.float()
            weight.grad = None
        if processes > 1:
            flat = torch.cat([weight.grad.flatten() for weight in self.masters.values()])
            distributed.all_reduce(flat)
            at = 0
            for weight in self.masters.values():
                weight.grad = (flat[at : at + weight.numel()] / processes).view_as(weight)
                at += weight.numel()

    @torch.no_grad()
    def take_weights(self) -> None:
        """Set the computing weights to the masters."""
        for name, weight in self.together.named_parameters():
            weight.copy_(self.masters[name])


def loss_of(reader: Reader, batch: list[Listed], rng: random.Random) -> torch.Tensor:
    """The loss of a step."""
    passages = [passages_of(listed, rng) for listed in batch]
    total = torch.zeros(())
    for listed, scores in zip(batch, reader.scores([listed.question for listed in batch], passages), strict=True):
        answers = torch.zeros(len(scores))
        if listed.right:
            answers[0] = 1.0
            total = total + functional.cross_entropy(scores[None], torch.tensor([0]), label_smoothing=0.02)
        total = total + EACH_WEIGHT * functional.binary_cross_entropy_with_logits(scores, answers)
    return total / len(batch)


def train(reader: Reader, listed: list[Listed], options: argparse.Namespace) -> None:
    """Train, print the loss, and keep the state in `options.out`."""
    rank, processes = (distributed.get_rank(), distributed.get_world_size()) if distributed.is_initialized() else (0, 1)
    slow = [weight for name, weight in reader.masters.items() if name.startswith("layers")]
    fast = [weight for name, weight in reader.masters.items() if not name.startswith("layers")]
    optimiser = torch.optim.AdamW(
        [{"params": slow, "weight_decay": 0.01}, {"params": fast, "weight_decay": 0.0}],
        lr=options.rate,
        betas=(0.9, 0.98),
    )
    state, step, spent = options.out / "state.pt", 0, 0.0
    if state.exists():
        step, spent, masters, optimiser_state = torch.load(state, weights_only=False)
        with torch.no_grad():
            for name, weight in reader.masters.items():
                weight.copy_(masters[name])
        optimiser.load_state_dict(optimiser_state)
        reader.take_weights()
    started, total = time.monotonic() - spent, 0.0
    order: list[Listed] = []
    # The same for all processes; each takes its own part of a step.
    shuffled = random.Random(options.seed + step)  # noqa: S311 - a draw that can be made again, nothing secret
    rng = random.Random(options.seed * 1000 + rank + step)  # noqa: S311
    while True:
        done = torch.tensor(
            step / options.steps if options.steps else (time.monotonic() - started) / (60 * options.minutes)
        )
        if processes > 1:
            distributed.broadcast(done, 0)
        if done >= 1:
            break
        # Rises over the first twentieth, then falls to nothing.
        pace = min(1.0, 20 * float(done) + 0.02) * (1 - float(done))
        optimiser.param_groups[0]["lr"], optimiser.param_groups[1]["lr"] = options.rate * pace, 20 * options.rate * pace
        if len(order) < BATCH * processes:
            order = shuffled.sample(listed, len(listed))
        drawn, order = order[: BATCH * processes], order[BATCH * processes :]
        loss = loss_of(reader, drawn[rank::processes], rng)
        loss.backward()
        reader.take_gradients(processes)
        torch.nn.utils.clip_grad_norm_(reader.masters.values(), 1.0)
        optimiser.step()
        optimiser.zero_grad()
        reader.take_weights()
        step, total = step + 1, total + loss.item()
        if step % 20 == 0 and rank == 0:
            print(
                f"step {step}, {time.monotonic() - started:.0f} s, {float(done):.0%}: loss {total / 20:.3f}", flush=True
            )
        if step % 20 == 0:
            total = 0.0
        if step % 50 == 0 and rank == 0:
            keep(reader, options.out, step, time.monotonic() - started, optimiser)
    if rank == 0:
        keep(reader, options.out, step, time.monotonic() - started, optimiser)
        print(f"{step} steps")


def keep(reader: Reader, out: Path, step: int, spent: float, optimiser: torch.optim.Optimizer) -> None:
    """Write the state and the weights; a stop while they are written leaves those before."""
    masters = {name: weight.detach() for name, weight in reader.masters.items()}
    for name, value in (("state.pt", (step, spent, masters, optimiser.state_dict())), ("reader.pt", masters)):
        torch.save(value, out / f"{name}.partial")
        (out / f"{name}.partial").replace(out / name)


def main() -> None:
    """Read the arguments, train, and write the reader."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("examples", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("left_out", nargs="*")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--rate", type=float, default=6e-5)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if "WORLD_SIZE" in os.environ:
        torch.set_num_threads(1)
        distributed.init_process_group("gloo")
    torch.manual_seed(options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    listed = read_listed(options.examples, frozenset(options.left_out))
    listed = random.Random(options.seed).sample(listed, int(len(listed) * options.share))  # noqa: S311
    reader = Reader()
    print(f"{len(listed)} questions; left out: {', '.join(options.left_out) or 'none'}; {reader.kind}", flush=True)
    train(reader, listed, options)


if __name__ == "__main__":
    main()
