"""What is shown by the form of passage that answers, so that a weak form is seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from trueref_server.evaluation.bootstrap import Interval, share_interval
from trueref_server.evaluation.figures import rounded
from trueref_server.evaluation.judgements import Judgement
from trueref_server.evaluation.risk import Floats


@dataclass(frozen=True, slots=True)
class Form:
    """The figure `shown` of the cases of one form; "" for those that name none."""

    form: str
    n: int
    shown: float
    interval: Interval


def by_form(judgements: Iterable[Judgement], seed: int) -> list[Form]:
    """The forms of the cases with nuggets, the one that is shown least first. Each is drawn apart from the others."""
    full: dict[str, list[bool]] = {}
    for judged in judgements:
        if judged.seen is not None:
            full.setdefault(judged.case.form, []).append(judged.seen.is_full)
    forms = [_form(form, np.array(values, dtype=np.float64), seed) for form, values in full.items()]
    return sorted(forms, key=lambda it: (it.shown, it.form))


def _form(form: str, full: Floats, seed: int) -> Form:
    return Form(form, len(full), rounded("shown", float(full.mean())), share_interval("shown", full, seed))
