"""Makes cases for `trueref eval` from the questions of readers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from trueref_server.insight.report import InsightReport
    from trueref_server.insight.tally import Tally


def cases_of(report: InsightReport, tally: Tally) -> bytes:
    """The cases as JSON Lines.

    Questions that the docs do not answer have no `gold` yet: they are cases of kind `unanswered`. Once a section
    answers such a question, set `answerable` and name the section. Questions whose answers readers found helpful are of
    kind `helpful` and name the cited sections: a change of the docs or the search must not lose these answers.
    """
    cases: list[dict[str, Any]] = [
        {
            "id": f"unanswered-{group_number:02}-{number:02}",
            "question": wording.question,
            "answerable": False,
            "gold": [],
            "kind": "unanswered",
        }
        for group_number, group in enumerate(report.unanswered, 1)
        for number, wording in enumerate(group.questions, 1)
    ]
    cases += [
        {
            "id": f"helpful-{number:02}",
            "question": question,
            "answerable": True,
            "gold": [{"page": source.page, "anchor": source.anchor} for source in answer.sources if source.is_cited],
            "kind": "helpful",
            **{name: value for name in ("page", "version", "language") if (value := getattr(answer, name))},
        }
        # Sorted, so that the same store gives the same file.
        for number, (question, answer) in enumerate(sorted(tally.helped.items()), 1)
        if any(source.is_cited for source in answer.sources)
    ]
    return b"".join(msgspec.json.encode(case) + b"\n" for case in cases)
