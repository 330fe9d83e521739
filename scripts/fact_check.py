"""Measures how well the check of facts finds claims that the sources do not support, on sentences of a small model.

    python -m scripts.fact_check [--misses]

The sentences are real outputs of SmolLM2-135M for questions about the docs of this project, stored with the sections
that the model read. A person read each sentence beside its sections and labelled it, by the rules in
`tests/server/model/fact_check/README.md`. It is right to mark a sentence if no section supports it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scripts.arguments import parser_of

from trueref_server.model.asking.numbered_sources import ModelSource
from trueref_server.model.checking.answer_checker import AnswerChecker
from trueref_server.model.checking.lines import AnswerLine

FOLDER = Path(__file__).parents[1] / "tests/server/model/fact_check"


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """A sentence with its label, the reason for the label, and the marks that the check gives it.

    `is_second` is true for the sentences of every second answer, so that the figures of both halves can be compared.
    """

    text: str
    label: str
    reason: str
    marks: tuple[str, ...]
    is_second: bool


def labelled() -> Iterator[LabelledSentence]:
    """The sentences of the data set, each checked when it comes, as in a stream."""
    for at, line in enumerate((FOLDER / "sentences.jsonl").read_text(encoding="utf-8").splitlines()):
        answer = json.loads(line)
        sources = [
            ModelSource(source["n"], source["place"], source["kind"], "", source["text"])
            for source in answer["sources"]
        ]
        checker = AnswerChecker(sources, answer["question"])
        for sentence in answer["sentences"]:
            findings = checker.check(AnswerLine(sentence["text"], is_code=False))[1]
            codes = tuple(finding.code for finding in findings)
            yield LabelledSentence(sentence["text"], sentence["label"], sentence["reason"], codes, at % 2 == 1)


def figures(sentences: list[LabelledSentence]) -> dict[str, float]:
    """Precision and recall of the marks, and the share of supported sentences that are marked."""
    unsupported, supported = (
        [sentence for sentence in sentences if sentence.label == label] for label in ("unsupported", "supported")
    )
    true_marks, false_marks = (sum(bool(sentence.marks) for sentence in group) for group in (unsupported, supported))
    return {
        "precision": true_marks / max(1, true_marks + false_marks),
        "recall": true_marks / max(1, len(unsupported)),
        "false_marks": false_marks / max(1, len(supported)),
    }


def main() -> None:
    """Prints the figures, the marks by label and reason, and with `--misses` the sentences that the check got wrong."""
    parser = parser_of(__doc__)
    parser.add_argument("--misses", action="store_true", help="print the sentences that the check got wrong, too")
    options = parser.parse_args()
    sentences = list(labelled())
    counts = Counter(sentence.label for sentence in sentences)
    print(f"{len(sentences)} sentences: {', '.join(f'{count} {label}' for label, count in sorted(counts.items()))}")
    second = [sentence for sentence in sentences if sentence.is_second]
    for name, part in (("all", sentences), ("of every second answer", second)):
        print(f"{name}: {', '.join(f'{figure} {value:.2f}' for figure, value in figures(part).items())}")
    for (label, reason), count in sorted(Counter((sentence.label, sentence.reason) for sentence in sentences).items()):
        marked = sum(
            bool(sentence.marks) for sentence in sentences if (sentence.label, sentence.reason) == (label, reason)
        )
        print(f"  {label:<12} {reason:<12} {marked:>4} of {count:>4} marked")
    if options.misses:
        for sentence in sentences:
            if bool(sentence.marks) != (sentence.label == "unsupported") and sentence.label != "states-nothing":
                print(f"{sentence.label} ({sentence.reason}) {list(sentence.marks)}: {sentence.text}")


if __name__ == "__main__":
    main()
