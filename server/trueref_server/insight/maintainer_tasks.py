"""The tasks that a report gives to a maintainer, or to an agent that works on the docs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from trueref_server.insight.report import QuestionGroup, SectionFigures, Task

MIN_GROUP: Final = 2
"""A group asked at least this often becomes a task: the question of a single reader may be about something else."""
MIN_RATED: Final = 2
"""A section with at least this many bad ratings becomes a task."""


def tasks_of(unanswered: Sequence[QuestionGroup], badly_rated: Sequence[SectionFigures]) -> tuple[Task, ...]:
    """The tasks: groups of questions first, the most asked first, then sections that readers rate badly."""
    group_tasks = [_group_task(group) for group in unanswered if group.times >= MIN_GROUP]
    section_tasks = [_section_task(figures) for figures in badly_rated if figures.unhelpful >= MIN_RATED]
    return (*group_tasks, *section_tasks)


def _group_task(group: QuestionGroup) -> Task:
    """A task for a group: write a section if most of its questions found nothing, else improve the nearest."""
    questions = tuple(wording.question for wording in group.questions)
    how_often = f"asked {group.times} times"
    if group.not_found * 2 >= group.times:
        what = f"The docs say nothing on “{group.title}” ({how_often}). Write a section that answers its questions."
        return Task("write", what, group.nearest, questions, ())
    what = f"The nearest sections do not answer “{group.title}” ({how_often}). Improve one of them, or write a new one."
    return Task("improve", what, group.nearest, questions, ())


def _section_task(figures: SectionFigures) -> Task:
    """A task for a section that readers rate badly: revise it."""
    rated = figures.helpful + figures.unhelpful
    what = f"{figures.unhelpful} of {rated} readers were not helped by “{figures.section.section}”. Revise it."
    return Task("revise", what, (figures.section,), figures.questions, figures.reasons)
