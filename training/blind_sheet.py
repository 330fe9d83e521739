"""Makes a blind test of the marked passages: writes a sheet to pick passages from, and counts the right picks.

    python training/blind_sheet.py write EXAMPLES SHEET [NAME ...] [--most 30] [--seed 1]
    python training/blind_sheet.py count EXAMPLES PICKS [--seed 1]

EXAMPLES is the folder that `training/collect_examples.py` wrote. SHEET gets up to `--most` questions of each named
site, or of all sites without names (`real/flask` is a name for the real questions of a site). Each question has six
passages in random order: one that is marked as answering, and five others that were found. A person picks without
knowing the mark. PICKS has a line for each question: its id, and the number of the passage that answers, 0 for none.
The order of passages only depends on the seed, the id and the passages, so that counting needs no stored key.

If another passage is picked, the question is wrong, or that passage answers too and its span is missing in the nuggets.
"""

from __future__ import annotations

import argparse
import math
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from examples import QUESTIONS, Example, Text
from trueref_server.evaluation.cases import Case, read_cases
from trueref_server.evaluation.span_finder import SpanFinder, words

WRONG: Final = 5
"""How many passages are shown beside the one that answers: those that share the most words with the question."""

SHORTEST: Final = 60
MAX_CHARACTERS: Final = 400
"""Characters of a passage. A shorter one, such as a heading alone, cannot be judged; a longer one is cut."""

_BEGINNING: Final = re.compile(r"\n+|(?<=[.:;!?]) ")
"""The place between the end of a sentence or a line and the next one."""


@dataclass(frozen=True)
class Choice:
    """A question and the passages to pick from. `right` is the number of the marked passage, from 1."""

    id: str
    question: str
    passages: tuple[str, ...]
    right: int


def choice_of(case: Case, example: Example, seed: int) -> Choice | None:
    """The passages to pick from for a question; None if too few were found.

    The passage that answers has to contain a span itself, since nothing is shown around it. If no found passage does, a
    part with a span is taken from a longer passage, or from a chunk of a section that answers.
    """
    spans = [span for nugget in case.nuggets for span in nugget]
    answering = [text.text[:MAX_CHARACTERS] for text in example.passages if text.answers and _is_long_enough(text)]
    answering_with_span = [text for text in answering if _holds_any(text, spans)]
    right = max(answering_with_span, key=len, default="") or _around_span([*example.passages, *example.chunks], spans)
    wrong = dict.fromkeys(text.text[:MAX_CHARACTERS] for text in example.passages if _may_be_wrong(text, spans))
    if not right or len(wrong) < WRONG:
        return None
    passages = [right, *_nearest(case.question, list(wrong))[:WRONG]]
    random.Random(f"{seed} {case.id}").shuffle(passages)  # noqa: S311 - an order, and no secret
    return Choice(case.id, case.question, tuple(passages), passages.index(right) + 1)


def _around_span(texts: Sequence[Text], spans: Sequence[str]) -> str:
    """`MAX_CHARACTERS` characters with a span, from the first text that answers; "" if there are none.

    They begin with a sentence or a line, like the passages that were found. Otherwise the beginning would show which
    passage is marked.
    """
    parts = (
        text.text[start : start + MAX_CHARACTERS]
        for text in texts
        if text.answers
        for start in (0, *(match.end() for match in _BEGINNING.finditer(text.text)))
    )
    return next((part for part in parts if len(part) >= SHORTEST and _holds_any(part, spans)), "")


def _is_long_enough(text: Text) -> bool:
    return len(text.text) >= SHORTEST


def _holds_any(text: str, spans: Sequence[str]) -> bool:
    """Whether a text has any of the spans."""
    finder = SpanFinder(text)
    return any(finder.holds(span) for span in spans)


def _may_be_wrong(text: Text, spans: Sequence[str]) -> bool:
    """Whether a passage may be shown as one that does not answer: it is not marked, and has no span."""
    finder = SpanFinder(text.text)
    return _is_long_enough(text) and not text.answers and not any(finder.holds(span) for span in spans)


def _nearest(question: str, passages: Sequence[str]) -> list[str]:
    """Passages, ordered by the words that they share with a question. Words that few passages have count more."""
    words_of = {passage: set(words(passage)) for passage in passages}
    passage_counts = Counter(word for of_passage in words_of.values() for word in of_passage)
    weight = {
        word: math.log(len(passages) / passage_counts[word]) for word in set(words(question)) if passage_counts[word]
    }
    scores = {
        passage: math.fsum(weight.get(word, 0.0) for word in of_passage) for passage, of_passage in words_of.items()
    }
    return sorted(passages, key=lambda passage: -scores[passage])


def choices_of(folder: Path, seed: int) -> dict[str, list[Choice]]:
    """The choices of each site that has examples in a folder, in the order of its questions."""
    names = sorted(path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.jsonl"))
    return {name: _choices(folder / f"{name}.jsonl", QUESTIONS / f"{name}.jsonl", seed) for name in names}


def _choices(examples_file: Path, questions: Path, seed: int) -> list[Choice]:
    cases = {case.id: case for case in read_cases([questions])}
    examples = [msgspec.json.decode(line, type=Example) for line in examples_file.read_bytes().splitlines()]
    candidates = (choice_of(cases[example.id], example, seed) for example in examples if example.id in cases)
    return [choice for choice in candidates if choice]


def sheet(choices: Sequence[Choice]) -> str:
    """The choices as text, without the numbers of the marked passages."""
    return "\n".join(f"## {choice.id}\n{choice.question}\n{''.join(_numbered(choice))}" for choice in choices)


def _numbered(choice: Choice) -> Iterator[str]:
    for number, passage in enumerate(choice.passages, 1):
        yield f"  {number}. {' '.join(passage.split())}\n"


def read_picks(path: Path) -> dict[str, int]:
    """The picked number for each question; lines that begin with `#` are notes."""
    lines = [line.split() for line in path.read_text("utf-8").splitlines() if line.strip() and not line.startswith("#")]
    return {name: int(number) for name, number in lines}


def table(choices: Mapping[str, Sequence[Choice]], picks: Mapping[str, int]) -> str:
    """A table of how many picks were the marked passage, with a row for each site and one for all sites."""
    rows = ["| Site | Questions | Marked passage picked | Share |", "|---|---|---|---|"]
    total, agreed = 0, 0
    for site, site_choices in choices.items():
        picked = [choice for choice in site_choices if choice.id in picks]
        agreed_here = sum(picks[choice.id] == choice.right for choice in picked)
        if picked:
            rows.append(f"| {site} | {len(picked)} | {agreed_here} | {_share(agreed_here, len(picked))} |")
            total, agreed = total + len(picked), agreed + agreed_here
    return "\n".join([*rows, f"| all | {total} | {agreed} | {_share(agreed, total)} |"])


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.2f}".removeprefix("0") if whole else "-"


def _write(examples: Path, out: Path, names: Sequence[str], most: int, seed: int) -> None:
    written: list[Choice] = []
    for name, choices in choices_of(examples, seed).items():
        if names and name not in names:
            continue
        sample = random.Random(f"{seed} {name}").sample(range(len(choices)), min(most, len(choices)))  # noqa: S311
        drawn = set(sample)
        written += [choice for number, choice in enumerate(choices) if number in drawn]
    out.write_text(sheet(written), "utf-8")
    print(f"{len(written)} questions to pick for.")


def _count(examples: Path, picks_file: Path, seed: int) -> None:
    picks = read_picks(picks_file)
    choices = choices_of(examples, seed)
    by_id = {choice.id: choice for of_site in choices.values() for choice in of_site}
    if unknown := sorted(picks.keys() - by_id.keys()):
        raise SystemExit(f"There is nothing to pick from for {', '.join(unknown)}. Take these lines away.")
    for name, number in picks.items():
        if number != by_id[name].right:
            print(f"{name}: picked {number}, marked {by_id[name].right}. {by_id[name].question}")
    print(table(choices, picks))


def main() -> None:
    """Writes a sheet, or counts the picks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["write", "count"])
    parser.add_argument("examples", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--most", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.what == "write":
        _write(options.examples, options.file, options.names, options.most, options.seed)
    else:
        _count(options.examples, options.file, options.seed)


if __name__ == "__main__":
    main()
