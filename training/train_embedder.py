"""Trains the embedder on questions about documentation: the vectors of whole texts, and those of their words.

    python training/train_embedder.py EXAMPLES WEIGHTS OUT [NAME ...] [--epochs 3] [--rate 4e-5] [--seed 1]
        [--steps N] [--share 0.5] [--sites N] [--dropout 0.05] [--pairs FILE --pair-steps N] [--ranked]

EXAMPLES is the folder that `training/collect_examples.py` wrote, WEIGHTS the folder of the model with which training
begins (all-MiniLM-L6-v2, see `scripts/make_model.py`), and OUT the folder of the trained model. The named sites are
left out, and so are the sites that are only used for measuring. Every 25 steps the state is written to OUT, and the
same command continues from there. `--steps` sets the number of steps, which otherwise follows from `--epochs`.
`--share` trains on a part of the questions of every site.

With `--pairs` (the file that `training/collect_pairs.py` wrote), `--pair-steps` steps on pairs come before the
questions. In each of them, the first text of each of 32 pairs should be nearest to the second text of the same pair, by
the cosine of whole texts.

A step trains on twelve questions. `--sites` is the number of sites that they come from. A search has to distinguish
texts of one site, which is harder than to distinguish texts of different sites. For each question the model reads one
passage that answers, three that were found and do not answer (some of them in a section that answers), and one chunk
that answers. The loss is the sum of two softmax losses in which the text that answers should win: by the cosine of
whole texts against all texts of the step, and by late interaction against the passages, as
`trueref_server.ranking.late_interaction` compares them. Word embeddings are not trained: they are half of the weights,
and the questions of thirty sites have few of the words.

With `--ranked` the model is trained to improve the order of sections that the program has: see `ranking_loss_of`. It
takes the sections that the search found for each question, with what the other signals of ranking give them, and
begins with a model that was trained on questions before.

Neither `make` nor CI runs this script, because it needs torch and transformers: see `scripts/make_model.py` for an
environment.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch

from embedder_model import Reader
from examples import LEFT_OUT
from losses import loss_of, pairs_loss_of, ranking_loss_of
from training_data import BATCH, RankedQuestion, Trained, draw, read_examples, read_pairs, read_ranked

PAIRS = 32
"""How many pairs a step has. The second texts of the other pairs are the wrong answers."""

KEPT_EVERY = 25
"""The number of steps after which the state is written."""

WORDS_SCALE = 25.0
"""The factor for late interaction at the beginning of training. It is trained too."""


class Keeper:
    """Writes the state of a training to a file, so that an interruption loses at most 25 steps."""

    def __init__(self, file: Path, reader: Reader, scale: torch.nn.Parameter, optimiser: torch.optim.Optimizer) -> None:
        self.file = file
        self.reader = reader
        self.scale = scale
        self.optimiser = optimiser

    def keep(self, step: int, rng: random.Random) -> None:
        """Writes the state after a step. If that is interrupted, the state before is kept."""
        weights = {name: weight.detach() for name, weight in self.reader.masters.items()}
        partial = self.file.with_suffix(".partial")
        torch.save((step, weights, self.scale.detach(), self.optimiser.state_dict(), rng.getstate()), partial)
        partial.replace(self.file)

    @torch.no_grad()
    def restore(self, rng: random.Random) -> int:
        """Restores the written state, if there is one, and returns the number of steps that were done."""
        if not self.file.exists():
            return 0
        step, weights, scale, optimiser, numbers = torch.load(self.file, weights_only=False)
        for name, weight in self.reader.masters.items():
            weight.copy_(weights[name])
        self.scale.copy_(scale)
        self.optimiser.load_state_dict(optimiser)
        rng.setstate(numbers)
        self.reader.take_weights()
        return int(step)


@dataclass(frozen=True)
class Course:
    """The settings of a training: the steps on questions and those on pairs, the highest learning rate, and the seed.

    `sites` is the number of sites from which the questions of a step come, 0 for any. `ranked` says whether the
    questions train the order of sections.
    """

    steps: int
    pair_steps: int
    rate: float
    seed: int
    sites: int
    ranked: bool


def train(
    reader: Reader,
    examples: list[Trained] | list[RankedQuestion],
    pairs: list[tuple[str, str]],
    out: Path,
    course: Course,
) -> None:
    """Trains on pairs and then on questions, and writes the state to `out`."""
    rng = random.Random(course.seed)  # noqa: S311 - a draw that can be made again, nothing secret
    torch.manual_seed(course.seed)

    def questions_loss(scale: torch.Tensor) -> torch.Tensor:
        batch = draw(examples, course.sites, rng)
        return (ranking_loss_of if course.ranked else loss_of)(reader, batch, rng, scale)

    # Pairs have a random generator of their own, so that with and without them the same questions are drawn.
    pairs_rng = random.Random(course.seed)  # noqa: S311 - as above
    if course.pair_steps:
        stage(
            reader,
            out / "pairs.pt",
            course.pair_steps,
            course.rate,
            pairs_rng,
            lambda _: pairs_loss_of(reader, pairs_rng.sample(pairs, PAIRS)),
        )
    stage(reader, out / ("ranked.pt" if course.ranked else "state.pt"), course.steps, course.rate, rng, questions_loss)


def stage(
    reader: Reader,
    file: Path,
    steps: int,
    rate: float,
    rng: random.Random,
    loss: Callable[[torch.Tensor], torch.Tensor],
) -> None:
    """Does the steps of one kind with their own optimiser, prints the loss, and writes the state to a file."""
    scale = torch.nn.Parameter(torch.tensor(math.log(WORDS_SCALE)))
    weights = list(reader.masters.values())
    optimiser = torch.optim.AdamW([{"params": weights, "weight_decay": 0.01}, {"params": [scale], "lr": 1e-2}], lr=rate)
    keeper = Keeper(file, reader, scale, optimiser)
    first_step = keeper.restore(rng)
    total, started = 0.0, time.monotonic()
    for step in range(first_step, steps):
        # The learning rate rises during the first tenth of the steps, and then falls to zero.
        optimiser.param_groups[0]["lr"] = rate * min(1.0, 10 * (step + 1) / steps) * (steps - step) / steps
        step_loss = loss(scale)
        step_loss.backward()
        reader.take_gradients()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimiser.step()
        optimiser.zero_grad()
        reader.take_weights()
        total += step_loss.item()
        if (step + 1) % 10 == 0:
            pace = (time.monotonic() - started) / (step + 1 - first_step)
            print(
                f"{file.stem}, step {step + 1} of {steps}: loss {total / 10:.3f}, {pace:.1f} s a step",
                flush=True,
            )
            total = 0.0
        if (step + 1) % KEPT_EVERY == 0 or step + 1 == steps:
            keeper.keep(step + 1, rng)


def main() -> None:
    """Reads the arguments, trains, and writes the model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("examples", type=Path)
    parser.add_argument("weights", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("left_out", nargs="*")
    parser.add_argument("--epochs", type=float, default=3.0)
    parser.add_argument("--rate", type=float, default=4e-5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--sites", type=int, default=0)
    parser.add_argument("--dropout", type=float, default=0.05)
    parser.add_argument("--pairs", type=Path)
    parser.add_argument("--pair-steps", type=int, default=0)
    parser.add_argument("--ranked", action="store_true")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    reader = Reader(options.weights, options.dropout)
    left_out = LEFT_OUT.union(options.left_out)
    read = read_ranked if options.ranked else read_examples
    examples = read(options.examples, left_out, options.share, options.seed)
    pairs = read_pairs(options.pairs) if options.pairs else []
    print(
        f"{len(examples)} questions, {len(pairs)} pairs; left out: {', '.join(sorted(left_out))}; seed {options.seed}"
    )
    # `--steps 0` is a valid choice: then only pairs are trained on.
    steps = int(options.epochs * len(examples) / BATCH) if options.steps is None else options.steps
    if not examples and options.steps != 0:
        sys.exit(f"{options.examples} has no questions to train on. Collect them with training/collect_examples.py.")
    train(
        reader,
        examples,
        pairs,
        options.out,
        Course(steps, options.pair_steps, options.rate, options.seed, options.sites, options.ranked),
    )
    reader.model.float()
    reader.model.load_state_dict(reader.state())
    reader.model.save_pretrained(options.out)
    (options.out / "tokenizer.json").write_bytes((options.weights / "tokenizer.json").read_bytes())


if __name__ == "__main__":
    main()
