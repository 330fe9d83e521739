"""Trains the embedder on questions to documentation: the vectors of whole texts, and those of their words.

    python training/train_embedder.py EXAMPLES WEIGHTS OUT [NAME ...] [--epochs 3] [--rate 4e-5] [--seed 1]
        [--steps N] [--share 0.5] [--sites N] [--dropout 0.05] [--pairs FILE --pair-steps N]

EXAMPLES is what `training/collect_examples.py` wrote, WEIGHTS the folder of the model that training begins with
(all-MiniLM-L6-v2, see `scripts/make_model.py`), and OUT the folder of the trained one. The sites that are named are
left out, and so are those that only ever measure. Every 25 steps the state is written to OUT, and the same command goes
on from there. `--steps` sets the steps rather than what follows from the epochs, and `--share` trains on a part of
every site's questions.

With `--pairs` (what `training/collect_pairs.py` wrote) as many steps as `--pair-steps` says go before the questions. In
each the first text of 32 pairs should be nearest to the second one of its own pair, by the cosine of whole texts.

A step takes a dozen questions, with `--sites` of so many sites: a search tells texts of one site apart, and texts of
other sites are easy to tell. For each the model reads one passage that answers, three that were found and do not
(some of a right section), and one chunk that answers. Two losses are added, each a softmax in which the text that
answers should win: by the cosine of whole texts against all texts of the step, and by late interaction against the
passages, as `trueref_server.ranking.late_interaction` compares them. Word embeddings are kept as they are: they are
half of the weights, and questions of thirty sites have few of the words.

Not run by `make` or CI: it needs torch and transformers, see `scripts/make_model.py` for an environment.
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
"""Passages that do not answer, for each question."""

QUESTION_TOKENS = 64
TEXT_TOKENS = 128
"""Wordpieces that are read of a text. Nine passages of ten have no more, and time grows with the longest."""

PAIRS = 32
"""Pairs a step, each the text that all others of the step are told from."""

PAIR_TOKENS = 96
"""Wordpieces that are read of a text of a pair."""

KEPT_EVERY = 25
"""Steps between two states that are written."""

COSINE_SCALE = 20.0
"""What cosines of whole texts are multiplied by, as in the first training of the model."""

WORDS_SCALE = 25.0
"""The same for late interaction at the beginning; it is trained."""

CLS, SEP = 101, 102


@dataclass(frozen=True)
class Read:
    """Texts as the model reads them.

    `whole` has a vector of length 1 for each text. `words` has one for each wordpiece (text, wordpiece, dimension), and
    `real` is 1 for those that are of the text, not special and not padding.
    """

    whole: torch.Tensor
    words: torch.Tensor
    real: torch.Tensor


def fastest_type() -> torch.dtype:
    """The type of numbers that this processor multiplies faster."""
    seconds = {torch.float32: math.inf, torch.bfloat16: math.inf}
    for kind in (torch.float32, torch.bfloat16):
        left, right = torch.ones(256, 384, dtype=kind), torch.ones(384, 384, dtype=kind)
        # The best of many: other programs may have the processor for some of them.
        for _ in range(60):
            started = time.perf_counter()
            left @ right
            seconds[kind] = min(seconds[kind], time.perf_counter() - started)
    return min(seconds, key=seconds.__getitem__)


class Reader:
    """The model with its tokenizer. `masters` are the trained weights in full precision.

    It computes in bfloat16 if the processor has that. On other processors that would take forty times as long.
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

    def read(self, texts: list[str], most: int) -> Read:
        """Read texts of like length in one go."""
        ids = [self._ids(text, most) for text in texts]
        longest = max(map(len, ids))
        padded = torch.tensor([ids_of_text + [0] * (longest - len(ids_of_text)) for ids_of_text in ids])
        mask = torch.tensor([[1.0] * len(ids_of_text) + [0.0] * (longest - len(ids_of_text)) for ids_of_text in ids])
        state = self.model(padded, attention_mask=mask).last_hidden_state.float()
        mean = (state * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        real = mask * (padded != CLS) * (padded != SEP)
        return Read(functional.normalize(mean, dim=-1), functional.normalize(state, dim=-1), real)

    def read_sorted(self, texts: list[str], most: int = TEXT_TOKENS) -> Read:
        """Read texts of any length, in three groups by length, and give them in their order."""
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        cuts = [0, len(order) * 2 // 5, len(order) * 7 // 10, len(order)]
        groups = [order[begin:end] for begin, end in pairwise(cuts) if end > begin]
        reads = [self.read([texts[at] for at in group], most) for group in groups]
        longest = max(read.words.shape[1] for read in reads)
        back = torch.tensor([at for group in groups for at in group]).argsort()
        words = [functional.pad(read.words, (0, 0, 0, longest - read.words.shape[1])) for read in reads]
        real = [functional.pad(read.real, (0, longest - read.real.shape[1])) for read in reads]
        return Read(torch.cat([read.whole for read in reads])[back], torch.cat(words)[back], torch.cat(real)[back])

    def take_gradients(self) -> None:
        """Hand the gradients of the computing weights to the masters."""
        for name, weight in self.model.named_parameters():
            if weight.requires_grad:
                self.masters[name].grad = weight.grad.float()
                weight.grad = None

    @torch.no_grad()
    def take_weights(self) -> None:
        """Set the computing weights to the masters."""
        for name, weight in self.model.named_parameters():
            if weight.requires_grad:
                weight.copy_(self.masters[name])

    def state(self) -> dict[str, torch.Tensor]:
        """All weights in full precision."""
        return {**self._frozen, **{name: weight.detach() for name, weight in self.masters.items()}}

    def _ids(self, text: str, most: int) -> list[int]:
        ids = self.tokenizer.encode(text[:4000]).ids
        return ids if len(ids) <= most else [*ids[: most - 1], SEP]


def texts_of(example: Trained, rng: random.Random) -> list[str]:
    """The texts that a question is trained on in a step: one right passage, wrong ones, and last one right chunk."""
    near = min(len(example.wrong_near), rng.choice([WRONG // 2, (WRONG + 1) // 2]))
    # Passages of the sections that were found first are the hardest to tell from one that answers.
    chances = [1 / (3 + at) for at in range(len(example.wrong))]
    wrong = rng.sample(example.wrong_near, near) + rng.choices(example.wrong, chances, k=WRONG - near)
    return [rng.choice(example.right), *wrong, rng.choice(example.right_chunks)]


def loss_of(reader: Reader, batch: list[Trained], rng: random.Random, scale: torch.Tensor) -> torch.Tensor:
    """The loss of a step; `scale` is the logarithm of what late interaction is multiplied by."""
    each = [texts_of(example, rng) for example in batch]
    texts = [text for group in each for text in group]
    width = WRONG + 2
    passage = torch.arange(len(batch)) * width
    chunk = passage + width - 1
    questions, read = reader.read([example.question for example in batch], QUESTION_TOKENS), reader.read_sorted(texts)
    also_right = torch.tensor([[text in example.also_right for text in texts] for example in batch])
    cosines = questions.whole @ read.whole.T * COSINE_SCALE
    loss = _softmax(cosines, also_right, chunk) + 0.5 * _softmax(cosines, also_right, passage)
    only = torch.tensor([at for at in range(len(texts)) if at % width != width - 1])
    met = torch.einsum("qad,pbd->qpab", questions.words, read.words[only])
    met = met.masked_fill(read.real[only][None, :, None, :] == 0, -1.0).amax(-1)
    met = (met * questions.real[:, None, :]).sum(-1) / questions.real.sum(-1)[:, None]
    return loss + _softmax(met * scale.exp(), also_right[:, only], torch.arange(len(batch)) * (width - 1))


def pairs_loss_of(reader: Reader, batch: list[tuple[str, str]]) -> torch.Tensor:
    """The loss of a step of pairs. A text that stands in two pairs is right for both and so is no other for either."""
    firsts, seconds = [pair[0] for pair in batch], [pair[1] for pair in batch]
    questions = reader.read_sorted(firsts, QUESTION_TOKENS).whole
    answers = reader.read_sorted(seconds, PAIR_TOKENS).whole
    also_right = torch.tensor(
        [[first == question or second == answer for question, answer in batch] for first, second in batch]
    )
    return _softmax(questions @ answers.T * COSINE_SCALE, also_right, torch.arange(len(batch)))


def _softmax(scores: torch.Tensor, also_right: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Cross entropy in which the right text should win; others that are right as well do not count."""
    rows = torch.arange(len(right))
    others = also_right.clone()
    others[rows, right] = False
    return functional.cross_entropy(scores.masked_fill(others, -1e4), right)


class Keeper:
    """Keeps the state of a training in a file, so that a stop costs at most 25 steps."""

    def __init__(self, file: Path, reader: Reader, scale: torch.nn.Parameter, optimiser: torch.optim.Optimizer) -> None:
        self.file = file
        self.reader = reader
        self.scale = scale
        self.optimiser = optimiser

    def keep(self, step: int, rng: random.Random) -> None:
        """Write the state after a step; a stop while it is written leaves the one before."""
        weights = {name: weight.detach() for name, weight in self.reader.masters.items()}
        partial = self.file.with_suffix(".partial")
        torch.save((step, weights, self.scale.detach(), self.optimiser.state_dict(), rng.getstate()), partial)
        partial.replace(self.file)

    @torch.no_grad()
    def restore(self, rng: random.Random) -> int:
        """Take up the state that was kept, if any, and give the number of steps that were taken."""
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
    """How a training goes: its steps, of questions and of pairs before them, the highest rate and the seed.

    `sites` is of how many sites the questions of a step are, 0 for any.
    """

    steps: int
    pair_steps: int
    rate: float
    seed: int
    sites: int


def train(reader: Reader, examples: list[Trained], pairs: list[tuple[str, str]], out: Path, course: Course) -> None:
    """Train on pairs and then on questions, and keep the state in `out`."""
    rng = random.Random(course.seed)  # noqa: S311 - a draw that can be made again, nothing secret
    torch.manual_seed(course.seed)

    def questions_loss(scale: torch.Tensor) -> torch.Tensor:
        return loss_of(reader, draw(examples, course.sites, rng), rng, scale)

    # Pairs have numbers of their own, so that the questions are drawn alike with and without them.
    of_pairs = random.Random(course.seed)  # noqa: S311 - as above
    if course.pair_steps:
        stage(
            reader,
            out / "pairs.pt",
            course.pair_steps,
            course.rate,
            of_pairs,
            lambda _: pairs_loss_of(reader, of_pairs.sample(pairs, PAIRS)),
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
    """Take the steps of one kind, with an optimiser of its own, print the loss, and keep the state in a file."""
    scale = torch.nn.Parameter(torch.tensor(math.log(WORDS_SCALE)))
    weights = list(reader.masters.values())
    optimiser = torch.optim.AdamW([{"params": weights, "weight_decay": 0.01}, {"params": [scale], "lr": 1e-2}], lr=rate)
    keeper = Keeper(file, reader, scale, optimiser)
    begin = keeper.restore(rng)
    total, started = 0.0, time.monotonic()
    for step in range(begin, steps):
        # Rises over the first tenth, then falls to nothing.
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
            each = (time.monotonic() - started) / (step + 1 - begin)
            print(f"{file.stem}, step {step + 1} of {steps}: loss {total / 10:.3f}, {each:.1f} s a step", flush=True)
            total = 0.0
        if (step + 1) % KEPT_EVERY == 0 or step + 1 == steps:
            keeper.keep(step + 1, rng)


def main() -> None:
    """Read the arguments, train, and write the model."""
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
    # No steps on questions are a choice too: the pairs alone.
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
