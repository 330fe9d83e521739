"""Trains the embedder on questions about documentation: the vectors of whole texts, and those of their words.

    python training/train_embedder.py EXAMPLES WEIGHTS OUT [NAME ...] [--epochs 3] [--rate 4e-5] [--seed 1]
        [--steps N] [--share 0.5] [--sites N] [--dropout 0.05] [--pairs FILE --pair-steps N]

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

Neither `make` nor CI runs this script, because it needs torch and transformers: see `scripts/make_model.py` for an
environment.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch.nn import functional
from transformers import AutoModel

from examples import LEFT_OUT
from training_data import BATCH, Trained, draw, read_examples, read_pairs

WRONG = 3
"""How many passages that do not answer are read for each question."""

QUESTION_TOKENS = 64
TEXT_TOKENS = 128
"""How many wordpieces of a text are read. Nine of ten passages have no more, and the longest text decides the time."""

PAIRS = 32
"""How many pairs a step has. The second texts of the other pairs are the wrong answers."""

PAIR_TOKENS = 96
"""How many wordpieces of a text of a pair are read."""

KEPT_EVERY = 25
"""The number of steps after which the state is written."""

COSINE_SCALE = 20.0
"""The factor of cosines of whole texts before the softmax, as in the first training of the model."""

WORDS_SCALE = 25.0
"""The factor for late interaction at the beginning of training. It is trained too."""

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

    def read_sorted(self, texts: list[str], max_tokens: int = TEXT_TOKENS) -> Read:
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


def texts_of(example: Trained, rng: random.Random) -> list[str]:
    """The texts of a question in a step: a passage that answers, passages that do not, and a chunk that answers."""
    near = min(len(example.wrong_near), rng.choice([WRONG // 2, (WRONG + 1) // 2]))
    # Passages of the sections that were found first are the hardest to distinguish from one that answers.
    chances = [1 / (3 + at) for at in range(len(example.wrong))]
    wrong = rng.sample(example.wrong_near, near) + rng.choices(example.wrong, chances, k=WRONG - near)
    return [rng.choice(example.right), *wrong, rng.choice(example.right_chunks)]


def loss_of(reader: Reader, batch: list[Trained], rng: random.Random, scale: torch.Tensor) -> torch.Tensor:
    """The loss of a step. `scale` is the logarithm of the factor for late interaction."""
    groups = [texts_of(example, rng) for example in batch]
    texts = [text for group in groups for text in group]
    width = WRONG + 2
    right_passages = torch.arange(len(batch)) * width
    right_chunks = right_passages + width - 1
    questions, read = reader.read([example.question for example in batch], QUESTION_TOKENS), reader.read_sorted(texts)
    also_right = torch.tensor([[text in example.also_right for text in texts] for example in batch])
    cosines = questions.whole @ read.whole.T * COSINE_SCALE
    loss = _softmax(cosines, also_right, right_chunks) + 0.5 * _softmax(cosines, also_right, right_passages)
    passages = torch.tensor([at for at in range(len(texts)) if at % width != width - 1])
    late_scores = torch.einsum("qad,pbd->qpab", questions.words, read.words[passages])
    late_scores = late_scores.masked_fill(read.real[passages][None, :, None, :] == 0, -1.0).amax(-1)
    late_scores = (late_scores * questions.real[:, None, :]).sum(-1) / questions.real.sum(-1)[:, None]
    return loss + _softmax(late_scores * scale.exp(), also_right[:, passages], torch.arange(len(batch)) * (width - 1))


def pairs_loss_of(reader: Reader, batch: list[tuple[str, str]]) -> torch.Tensor:
    """The loss of a step of pairs. A text in two pairs is right for both, so it is not a wrong answer for either."""
    firsts, seconds = [pair[0] for pair in batch], [pair[1] for pair in batch]
    questions = reader.read_sorted(firsts, QUESTION_TOKENS).whole
    answers = reader.read_sorted(seconds, PAIR_TOKENS).whole
    also_right = torch.tensor(
        [[first == question or second == answer for question, answer in batch] for first, second in batch]
    )
    return _softmax(questions @ answers.T * COSINE_SCALE, also_right, torch.arange(len(batch)))


def _softmax(scores: torch.Tensor, also_right: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """The cross entropy in which the text `right` should win. Other texts that are also right do not count."""
    rows = torch.arange(len(right))
    ignored = also_right.clone()
    ignored[rows, right] = False
    return functional.cross_entropy(scores.masked_fill(ignored, -1e4), right)


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

    `sites` is the number of sites from which the questions of a step come, 0 for any.
    """

    steps: int
    pair_steps: int
    rate: float
    seed: int
    sites: int


def train(reader: Reader, examples: list[Trained], pairs: list[tuple[str, str]], out: Path, course: Course) -> None:
    """Trains on pairs and then on questions, and writes the state to `out`."""
    rng = random.Random(course.seed)  # noqa: S311 - a draw that can be made again, nothing secret
    torch.manual_seed(course.seed)

    def questions_loss(scale: torch.Tensor) -> torch.Tensor:
        return loss_of(reader, draw(examples, course.sites, rng), rng, scale)

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
    stage(reader, out / "state.pt", course.steps, course.rate, rng, questions_loss)


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
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    reader = Reader(options.weights, options.dropout)
    left_out = LEFT_OUT.union(options.left_out)
    examples = read_examples(options.examples, left_out, options.share, options.seed)
    pairs = read_pairs(options.pairs) if options.pairs else []
    print(
        f"{len(examples)} questions, {len(pairs)} pairs; left out: {', '.join(sorted(left_out))}; seed {options.seed}"
    )
    # `--steps 0` is a valid choice: then only pairs are trained on.
    steps = int(options.epochs * len(examples) / BATCH) if options.steps is None else options.steps
    train(
        reader,
        examples,
        pairs,
        options.out,
        Course(steps, options.pair_steps, options.rate, options.seed, options.sites),
    )
    reader.model.float()
    reader.model.load_state_dict(reader.state())
    reader.model.save_pretrained(options.out)
    (options.out / "tokenizer.json").write_bytes((options.weights / "tokenizer.json").read_bytes())


if __name__ == "__main__":
    main()
