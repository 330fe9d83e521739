"""Makes the report from the entries of the store."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

from trueref_server.insight.grouping import group_questions
from trueref_server.insight.report import (
    AskedText,
    InsightReport,
    QuestionGroup,
    ReportInterval,
    SectionFigures,
    SectionRef,
    Totals,
)
from trueref_server.insight.tally import HOURS_UP_TO, NamedSection, QuestionTally, SectionTally, Slice, Tally, timestamp
from trueref_server.insight.tasks import tasks_of

if TYPE_CHECKING:
    from trueref_core.embedding.embedder import Embedder
    from trueref_core.manifest.lookup import Manifest
    from trueref_server.store.database import Database

GROUPS_MOST: Final = 50
SECTIONS_MOST: Final = 30
TEXTS_MOST: Final = 10
"""Questions of a group, and questions and reasons of a section, that are listed."""
NEAREST_MOST: Final = 3


def count_entries(database: Database, since: int, until: int) -> Tally:
    """Read and count what the store has of a period, both in milliseconds since the epoch.

    Raises:
        StoreError: The database cannot be read.
    """
    tally = Tally(interval_of(since, until), database.ratings(since))
    for answer in database.answers(since):
        tally.add(answer)
    for failure in database.failures(since):
        tally.add_failure(failure)
    return tally


def interval_of(since: int, until: int) -> Literal["hour", "day"]:
    """How long the parts of a period are."""
    return "hour" if until - since <= HOURS_UP_TO else "day"


def build_report(
    tally: Tally, since: int, until: int, embedder: Embedder | None = None, manifest: Manifest | None = None
) -> InsightReport:
    """The report on what was counted.

    Args:
        tally: The entries of the period.
        since: Its beginning, in milliseconds since the epoch.
        until: Its end.
        embedder: Compares questions by meaning; without one they are compared by their words.
        manifest: Says in which file a section is written.
    """
    unanswered = _groups(tally, embedder, manifest)
    sections = [_section(key, section, manifest) for key, section in tally.sections.items()]
    frequent = sorted(
        (section for section in sections if section.answers), key=lambda each: (-each.answers, _name(each.section))
    )
    bad = sorted(
        (section for section in sections if section.unhelpful),
        # By the lower bound of the share: one reader of one does not come before nine of ten.
        key=lambda each: (-each.unhelpful_at_least, -each.unhelpful, _name(each.section)),
    )
    return InsightReport(
        since=timestamp(since),
        until=timestamp(until),
        interval=interval_of(since, until),
        totals=_totals(tally),
        timeline=tuple(_interval(start, part) for start, part in tally.timeline()),
        unanswered=unanswered,
        unanswered_without_text=tally.without_text,
        sections=tuple(frequent[:SECTIONS_MOST]),
        badly_rated=tuple(bad[:SECTIONS_MOST]),
        tasks=tasks_of(unanswered, bad[:SECTIONS_MOST]),
    )


def _totals(tally: Tally) -> Totals:
    """The counts of the whole period, summed over its slices."""
    parts = tally.slices.values()
    verdicts: Counter[str] = sum((part.verdicts for part in parts), Counter[str]())
    answers = verdicts.total()
    failures, cached, checked, wrong = (
        sum(getattr(part, name) for part in parts) for name in ("failures", "cached", "checked", "wrong")
    )
    times = sorted(tally.milliseconds)
    return Totals(
        answers=answers,
        by_verdict=dict(sorted(verdicts.items())),
        by_mode=dict(sorted(tally.modes.items())),
        by_fallback=dict(sorted(tally.fallbacks.items())),
        failures=failures,
        failure_rate=share(failures, answers + failures),
        cached=cached,
        cache_rate=share(cached, answers),
        checked=checked,
        corrected=tally.corrected,
        removed=tally.removed,
        accuracy=share(checked - wrong, checked),
        marks=tally.marks,
        helpful=sum(part.helpful for part in parts),
        unhelpful=sum(part.unhelpful for part in parts),
        median_milliseconds=statistics.median(times) if times else None,
        slow_milliseconds=times[math.ceil(0.95 * len(times)) - 1] if times else None,
    )


def _interval(start: str, part: Slice) -> ReportInterval:
    """The counts and shares of one slice."""
    answers = part.verdicts.total()
    return ReportInterval(
        start=start,
        answered=part.verdicts["answer"],
        closest=part.verdicts["closest"],
        not_found=part.verdicts["not-found"],
        failures=part.failures,
        failure_rate=share(part.failures, answers + part.failures),
        cached=part.cached,
        cache_rate=share(part.cached, answers),
        accuracy=share(part.checked - part.wrong, part.checked),
        helpful=part.helpful,
        unhelpful=part.unhelpful,
    )


def _groups(tally: Tally, embedder: Embedder | None, manifest: Manifest | None) -> tuple[QuestionGroup, ...]:
    """The questions without an answer in groups by meaning, most asked first."""
    texts = list(tally.unanswered)
    names = [site.name for site in manifest.sites if site.name] if manifest is not None else []
    groups = group_questions([(text, tally.unanswered[text].times) for text in texts], embedder, names)
    return tuple(
        _group([(texts[at], tally.unanswered[texts[at]]) for at in group], manifest) for group in groups[:GROUPS_MOST]
    )


def _group(members: Sequence[tuple[str, QuestionTally]], manifest: Manifest | None) -> QuestionGroup:
    """One group: its title is the question that was asked most."""
    nearest: Counter[NamedSection] = sum((member.sections for _, member in members), Counter[NamedSection]())
    return QuestionGroup(
        title=members[0][0],
        times=sum(member.times for _, member in members),
        not_found=sum(member.not_found for _, member in members),
        unhelpful=sum(member.unhelpful for _, member in members),
        questions=tuple(
            AskedText(
                text,
                member.times,
                member.verdict,
                round(member.confidence, 3),
                member.unhelpful,
                timestamp(member.last),
            )
            for text, member in members[:TEXTS_MOST]
        ),
        nearest=tuple(_reference(key, manifest) for key, _ in nearest.most_common(NEAREST_MOST)),
    )


def _section(key: NamedSection, section: SectionTally, manifest: Manifest | None) -> SectionFigures:
    """The figures of a section: how many answers led to it, and what readers said of them."""
    return SectionFigures(
        section=_reference(key, manifest),
        answers=section.answers,
        mean_confidence=round(section.confidence / max(1, section.answers), 3),
        helpful=section.helpful,
        unhelpful=section.unhelpful,
        unhelpful_at_least=round(at_least(section.unhelpful, section.helpful + section.unhelpful), 3),
        questions=tuple(text for text, _ in section.questions.most_common(TEXTS_MOST)),
        # Each once, the latest first.
        reasons=tuple(dict.fromkeys(reversed(section.reasons)))[:TEXTS_MOST],
    )


def _reference(key: NamedSection, manifest: Manifest | None) -> SectionRef:
    """A section with its file and address, as far as the index knows them."""
    page, anchor, section = key
    indexed_page = manifest.page(page) if manifest is not None else None
    if manifest is None or indexed_page is None:
        return SectionRef(page, anchor, section)
    url = manifest.url_of(indexed_page.site, manifest.href(page, anchor, indexed_page.site))
    return SectionRef(page, anchor, section, indexed_page.source_path or "", url or "")


def _name(section: SectionRef) -> tuple[str, str]:
    """The key that orders sections with equal figures."""
    return section.page, section.anchor


def share(part: int, whole: int) -> float | None:
    """A share with four digits, None of nothing."""
    return round(part / whole, 4) if whole else None


def at_least(part: int, whole: int) -> float:
    """The lower bound of a share, with 95 % confidence: of one reader of one it says less than of nine of ten.

    Source: Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
    """
    # Rounding would make a little more than nothing of it.
    if not part:
        return 0.0
    quantile = 1.96
    rate = part / whole
    spread = quantile * math.sqrt(rate * (1 - rate) / whole + quantile * quantile / (4 * whole * whole))
    return max(0.0, (rate + quantile * quantile / (2 * whole) - spread) / (1 + quantile * quantile / whole))
