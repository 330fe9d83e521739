"""Trains the reader: whether a passage answers a question, both read together.

    python training/train_reader.py EXAMPLES OUT [NAME ...] [--steps 900] [--share 1.0] [--rate 1e-4] [--seed 1]
        [--together 3 | --one-text | --words 96] [--threads 1] [--pairs FILE --pair-steps N]

EXAMPLES is what `training/collect_examples.py` wrote, and OUT the folder of the trained reader. The sites that are
named are left out, to be fitted to, and so are those that only ever measure. Training begins with the shipped embedder,
see `training/reader_model.py`. Every fifty steps the state is written to OUT, and the same command goes on from there.

For each question of a step the reader scores one passage that answers among seven that were found and do not, most of
them among those that it will have to choose from. What would be shown for a passage is what it reads. Two losses are
added: a softmax in which the passage that answers should win, and for each passage whether it answers. The second one
also has questions that the docs do not answer. A passage that shows a part of the answer counts as neither. For most
questions the softmax begins with what the signals that cost nothing say: the reader is to learn what they do not.

With `--pairs` (what `training/collect_pairs.py --wrong` wrote) as many steps as `--pair-steps` says go before the
questions, each pair with texts of its site that are near and do not belong to it.

With `--one-text` question and passage are one text, which all six layers read and learn to read: a cross-encoder, as
such models are usually made. Its score begins as that of no answer, and not as a comparison of two texts.

With `--words` no layer reads together. All six layers stay as they are, and what is trained is a map of their word
vectors to so many dimensions, for late interaction.

Not run by `make` or CI: it needs torch, see `scripts/make_model.py` for an environment.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from embedder_model import SEP, fastest_type
from examples import LEFT_OUT
from reader_model import LAYERS, SHIPPED, Alone, OneText, Together, Words, weights_in_32_bits

BATCH = 8
"""Questions of a step."""

LIST = 8
"""Passages of a question in a step."""

HARD = 12
"""Passages, in the order of the signals that cost nothing, of which most wrong ones are: of such it will choose."""

EASY = 40
"""Passages from which the others come."""

BEGUN_WITH = 300
"""Passages whose words say in which directions word vectors differ most."""

QUESTION_TOKENS = 48
PASSAGE_TOKENS = 112
"""Wordpieces that are read of each, the two special ones included."""

GROUP = 16
"""Texts, or pairs of them, of like length that are read in one go."""

EACH_WEIGHT = 0.4
"""What the second loss counts."""

WITH_SIGNALS = 0.7
"""The share of questions whose softmax begins with the signals."""

WEIGHTS_BEFORE_COMPARISON = {
    "near": 6.1,
    "nearest": 3.4,
    "behind": -8.1,
    "shared": 5.4,
    "room": 2.7,
    "deprecated": -1.6,
    "points": -4.0,
    "aside": -2.4,
}
"""The signals that cost nothing, as `trueref_server.answering.choice` weighs them."""

Signalled = tuple[str, float]
"""A text with what the signals that cost nothing say of it."""


@dataclass(frozen=True)
class Listed:
    """A question with passages that answer it, if any, and those that do not, hardest first."""

    question: str
    right: list[Signalled]
    wrong: list[Signalled]
    is_signalled: bool


def read_listed(folder: Path, left_out: frozenset[str]) -> list[Listed]:
    """The questions of all sites but those that are left out, real ones among them."""
    collected = []
    for path in sorted(folder.rglob("*.jsonl")):
        if path.stem not in left_out:
            for line in path.open(encoding="utf-8"):
                listed = _listed(json.loads(line))
                if len(listed.wrong) >= LIST:
                    collected.append(listed)
    return collected


def _listed(example: dict[str, Any]) -> Listed:
    ordered = sorted(example["passages"], key=before_reading, reverse=True)
    right = [(read_as(passage), before_reading(passage)) for passage in ordered if passage["answers"]]
    # If no passage was found that answers, a chunk that does takes its place.
    chunks = [] if right else [(text["text"], 0.0) for text in example["chunks"] if text["answers"]]
    wrong = [(read_as(passage), before_reading(passage)) for passage in ordered[:EASY] if not passage["recall"]]
    return Listed(example["question"], right or chunks, list(dict(wrong).items()), is_signalled=not chunks)


def read_pairs(file: Path) -> list[Listed]:
    """The pairs of a file that have texts that do not belong to them."""
    rows = map(json.loads, file.read_text("utf-8").splitlines())
    return [
        Listed(row["question"], [(row["answer"], 0.0)], [(text, 0.0) for text in row["wrong"]], is_signalled=False)
        for row in rows
        if len(row["wrong"]) >= LIST - 1
    ]


def before_reading(passage: dict[str, Any]) -> float:
    """The score of a passage by the signals that cost nothing."""
    return float(sum(weight * passage["signals"][name] for name, weight in WEIGHTS_BEFORE_COMPARISON.items()))


def read_as(passage: dict[str, Any]) -> str:
    """What is read of a passage: its headings, and what would be shown."""
    headings, _, _ = passage["text"].partition("\n")
    return f"{headings}\n{passage['shown']}"


def passages_of(listed: Listed, rng: random.Random) -> list[Signalled]:
    """The passages of a question in a step; the first one answers if any does."""
    right = [rng.choice(listed.right)] if listed.right else []
    hard, easy = listed.wrong[:HARD], listed.wrong[HARD:]
    wrong = rng.sample(hard, min(len(hard), LIST - len(right) - min(2, len(easy))))
    wrong += rng.sample(easy, min(len(easy), LIST - len(right) - len(wrong)))
    return [*right, *wrong]


class Reader:
    """Both parts of the model. `masters` are the trained layers in full precision, by name.

    As many of the last layers as `together` says read question and passage together, and are trained. What the others
    make of a text is kept: they are not trained, and a text comes again and again. With `words` no layer is trained,
    but a map of word vectors to so many dimensions. With `is_one_text` all layers read both as one text.
    """

    def __init__(self, together: int, words: int = 0, *, is_one_text: bool = False) -> None:
        weights = weights_in_32_bits(SHIPPED / "model.onnx.gz")
        self.kind = fastest_type()
        self.tokenizer = Tokenizer.from_str(gzip.decompress((SHIPPED / "tokenizer.json.gz").read_bytes()).decode())
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.is_one_text = is_one_text
        self.alone = Alone(weights, 0 if is_one_text else LAYERS - together).to(self.kind).eval()
        self.together: Words | OneText | Together
        if words:
            self.together = Words(words)
        elif is_one_text:
            self.together = OneText(weights)
        else:
            self.together = Together(weights, together)
        self.together.train()
        self.masters = {
            name: weight.detach().clone().requires_grad_(True) for name, weight in self.together.named_parameters()
        }
        if isinstance(self.together, Together | OneText):
            self.together.layers.to(self.kind)
        self._states: dict[str, torch.Tensor] = {}

    def scores(self, questions: list[str], passages: list[list[str]]) -> list[torch.Tensor]:
        """The scores of the passages of each question; pairs are read in groups of like length."""
        self._read(questions, QUESTION_TOKENS)
        # A fixed place, so that what is kept of a passage serves it beside every question.
        begins_at = QUESTION_TOKENS if self.is_one_text else 0
        self._read([text for of_question in passages for text in of_question], PASSAGE_TOKENS, begins_at)
        pairs = [(at, text) for at, of_question in enumerate(passages) for text in of_question]
        order = sorted(range(len(pairs)), key=lambda at: len(self._states[pairs[at][1]]))
        scores: list[torch.Tensor] = [torch.empty(0)] * len(pairs)
        for begin in range(0, len(order), GROUP):
            group = order[begin : begin + GROUP]
            question = _padded([self._states[questions[pairs[at][0]]] for at in group])
            passage = _padded([self._states[pairs[at][1]] for at in group])
            for at, score in zip(group, self.together(*question, *passage), strict=True):
                scores[at] = score
        ends = torch.tensor([len(of_question) for of_question in passages]).cumsum(0).tolist()
        return [
            torch.stack(scores[end - len(of_question) : end]) for of_question, end in zip(passages, ends, strict=True)
        ]

    @torch.no_grad()
    def begin_with_main_directions(self, texts: list[str]) -> None:
        """Begin the map of word vectors with the directions in which those of some texts differ most."""
        assert isinstance(self.together, Words)
        self._read(texts, PASSAGE_TOKENS)
        self.together.begin_with_main_directions(torch.cat([self._states[text] for text in texts]).float())
        self.masters["map.weight"].copy_(self.together.map.weight)

    @torch.no_grad()
    def _read(self, texts: list[str], most: int, begins_at: int = 0) -> None:
        """Read with the lower layers what they have not read; `begins_at` is the position of the first wordpiece."""
        ids = {text: self._ids(text, most) for text in texts if text not in self._states}
        order = sorted(ids, key=lambda text: len(ids[text]))
        for begin in range(0, len(order), GROUP):
            group = order[begin : begin + GROUP]
            padded, mask = _padded([torch.tensor(ids[text]) for text in group])
            for text, state in zip(group, self.alone(padded, mask, begins_at), strict=True):
                self._states[text] = state[: len(ids[text])].clone()

    def _ids(self, text: str, most: int) -> list[int]:
        ids = self.tokenizer.encode(text[:2500]).ids
        return ids if len(ids) <= most else [*ids[: most - 1], SEP]

    def take_gradients(self) -> None:
        """Hand the gradients of the computing weights to the masters."""
        for name, weight in self.together.named_parameters():
            self.masters[name].grad = weight.grad.float()
            weight.grad = None

    @torch.no_grad()
    def take_weights(self, masters: dict[str, torch.Tensor] | None = None) -> None:
        """Set the computing weights to the masters, and before these to the ones that are given."""
        for name, weight in self.together.named_parameters():
            if masters:
                self.masters[name].copy_(masters[name])
            weight.copy_(self.masters[name])


def _padded(texts: list[torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
    """Texts of one length, and 1 where there is a wordpiece."""
    ones = [torch.ones(len(text)) for text in texts]
    return pad_sequence(texts, batch_first=True), pad_sequence(ones, batch_first=True)


def loss_of(reader: Reader, batch: list[Listed], rng: random.Random) -> torch.Tensor:
    """The loss of a step."""
    drawn = [passages_of(listed, rng) for listed in batch]
    texts = [[text for text, _ in passages] for passages in drawn]
    total = torch.zeros(())
    for listed, passages, scores in zip(
        batch, drawn, reader.scores([listed.question for listed in batch], texts), strict=True
    ):
        answers = torch.zeros(len(scores))
        if listed.right:
            answers[0] = 1.0
            with_signals = listed.is_signalled and rng.random() < WITH_SIGNALS
            begin = torch.tensor([signals * with_signals for _, signals in passages])
            total = total + functional.cross_entropy((scores + begin)[None], torch.tensor([0]), label_smoothing=0.02)
        total = total + EACH_WEIGHT * functional.binary_cross_entropy_with_logits(scores, answers)
    return total / len(batch)


def train(reader: Reader, listed: list[Listed], file: Path, steps: int, options: argparse.Namespace) -> None:
    """Take steps, print the loss, and keep the state in a file."""
    slow = [weight for name, weight in reader.masters.items() if name.startswith("layers")]
    fast = [weight for name, weight in reader.masters.items() if not name.startswith("layers")]
    groups = [{"params": slow, "weight_decay": 0.01}, {"params": fast, "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, lr=options.rate, betas=(0.9, 0.98))
    begin = restore(reader, file, optimiser)
    order: list[Listed] = []
    rng = random.Random(options.seed + begin)  # noqa: S311 - a draw that can be made again, nothing secret
    total, started = 0.0, time.monotonic()
    for step in range(begin, steps):
        # Rises over the first twentieth, then falls to nothing.
        pace = min(1.0, 20 * (step + 1) / steps) * (steps - step) / steps
        optimiser.param_groups[0]["lr"], optimiser.param_groups[1]["lr"] = options.rate * pace, 10 * options.rate * pace
        order = order if len(order) >= BATCH else [*order, *rng.sample(listed, len(listed))]
        drawn, order = order[:BATCH], order[BATCH:]
        loss = loss_of(reader, drawn, rng)
        loss.backward()
        reader.take_gradients()
        torch.nn.utils.clip_grad_norm_(reader.masters.values(), 1.0)
        optimiser.step()
        optimiser.zero_grad()
        reader.take_weights()
        total += loss.item()
        if (step + 1) % 50 == 0 or step + 1 == steps:
            each = (time.monotonic() - started) / (step + 1 - begin)
            print(
                f"{file.stem}, step {step + 1} of {steps}: loss {total / (step % 50 + 1):.3f}, {each:.1f} s a step",
                flush=True,
            )
            total = 0.0
            keep(reader, file, step + 1, optimiser)


def keep(reader: Reader, file: Path, step: int, optimiser: torch.optim.Optimizer) -> None:
    """Write the state and the weights; a stop while they are written leaves those before."""
    masters = {name: weight.detach() for name, weight in reader.masters.items()}
    for path, value in ((file, (step, masters, optimiser.state_dict())), (file.with_name("reader.pt"), masters)):
        torch.save(value, path.with_suffix(".partial"))
        path.with_suffix(".partial").replace(path)


def restore(reader: Reader, file: Path, optimiser: torch.optim.Optimizer) -> int:
    """Take up the state that was kept, if any, and give the number of steps that were taken."""
    if not file.exists():
        return 0
    step, masters, state = torch.load(file, weights_only=False)
    optimiser.load_state_dict(state)
    reader.take_weights(masters)
    return int(step)


def main() -> None:
    """Read the arguments, train, and write the reader."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("examples", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("left_out", nargs="*")
    parser.add_argument("--steps", type=int, default=900)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--seed", type=int, default=1)
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--together", type=int, default=3)
    kind.add_argument("--one-text", action="store_true")
    kind.add_argument("--words", type=int, default=0, metavar="DIMENSIONS")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--pairs", type=Path)
    parser.add_argument("--pair-steps", type=int, default=0)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    left_out = LEFT_OUT.union(options.left_out)
    listed = read_listed(options.examples, left_out)
    listed = random.Random(options.seed).sample(listed, int(len(listed) * options.share))  # noqa: S311
    pairs = read_pairs(options.pairs) if options.pairs else []
    reader = Reader(0 if options.words else options.together, options.words, is_one_text=options.one_text)
    if options.words:
        reader.begin_with_main_directions([each.right[0][0] for each in listed if each.right][:BEGUN_WITH])
    print(
        f"{len(listed)} questions, {len(pairs)} pairs; left out: {', '.join(sorted(left_out))}; {reader.kind}",
        flush=True,
    )
    if options.pair_steps:
        train(reader, pairs, options.out / "pairs.pt", options.pair_steps, options)
    train(reader, listed, options.out / "state.pt", options.steps, options)


if __name__ == "__main__":
    main()
