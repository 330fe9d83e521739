"""Makes the report from the entries of the store."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

from trueref_server.insight.grouping import group_questions
from trueref_server.insight.maintainer_tasks import tasks_of
from trueref_server.insight.report import (
    AskedText,
    InsightReport,
    QuestionGroup,
    ReportInterval,
    SectionFigures,
    SectionRef,
    Totals,
)
from trueref_server.insight.tally import (
    HOURLY_UP_TO,
    IntervalTally,
    NamedSection,
    QuestionTally,
    SectionTally,
    Tally,
    timestamp,
)

if TYPE_CHECKING:
    from trueref_core.embedding.embedder import Embedder
    from trueref_core.manifest.lookup import Manifest
    from trueref_server.store.database import Database

MAX_GROUPS: Final = 50
MAX_SECTIONS: Final = 30
MAX_TEXTS: Final = 10
"""At most this many questions of a group, and questions and reasons of a section, are listed."""
MAX_NEAREST: Final = 3


def count_entries(database: Database, since: int, until: int) -> Tally:
    """Read and count the entries of a period from `since` to `until`, in milliseconds since the epoch.

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
    """The length of the intervals into which a period is divided."""
    return "hour" if until - since <= HOURLY_UP_TO else "day"


def build_report(
    tally: Tally, since: int, until: int, embedder: Embedder | None = None, manifest: Manifest | None = None
) -> InsightReport:
    """The report on the entries that were counted.

    Args:
        tally: The counted entries of the period.
        since: The beginning of the period, in milliseconds since the epoch.
        until: The end of the period, in milliseconds since the epoch.
        embedder: Compares questions by meaning; None compares them by their words.
        manifest: Gives the source file and the address of a section; None if there is no index.
    """
    unanswered = _groups(tally, embedder, manifest)
    sections = [_section(key, section, manifest) for key, section in tally.sections.items()]
    frequent = sorted(
        (section for section in sections if section.answers),
        key=lambda figures: (-figures.answers, _order_key(figures.section)),
    )
    badly_rated = sorted(
        (section for section in sections if section.unhelpful),
        # By the lower bound of the share, so that one bad rating of one does not come before nine of ten.
        key=lambda figures: (-figures.unhelpful_at_least, -figures.unhelpful, _order_key(figures.section)),
    )
    return InsightReport(
        since=timestamp(since),
        until=timestamp(until),
        interval=interval_of(since, until),
        totals=_totals(tally),
        timeline=tuple(_interval(start, interval) for start, interval in tally.timeline()),
        unanswered=unanswered,
        unanswered_without_text=tally.without_text,
        sections=tuple(frequent[:MAX_SECTIONS]),
        badly_rated=tuple(badly_rated[:MAX_SECTIONS]),
        tasks=tasks_of(unanswered, badly_rated[:MAX_SECTIONS]),
    )


def _totals(tally: Tally) -> Totals:
    """The counts of the whole period, summed over its intervals."""
    intervals = tally.intervals.values()
    verdicts: Counter[str] = sum((interval.verdicts for interval in intervals), Counter[str]())
    answers = verdicts.total()
    failures, cached, checked, wrong = (
        sum(getattr(interval, name) for interval in intervals) for name in ("failures", "cached", "checked", "wrong")
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
        helpful=sum(interval.helpful for interval in intervals),
        unhelpful=sum(interval.unhelpful for interval in intervals),
        median_milliseconds=statistics.median(times) if times else None,
        slow_milliseconds=times[math.ceil(0.95 * len(times)) - 1] if times else None,
    )


def _interval(start: str, interval: IntervalTally) -> ReportInterval:
    """The counts and shares of one interval."""
    answers = interval.verdicts.total()
    return ReportInterval(
        start=start,
        answered=interval.verdicts["answer"],
        closest=interval.verdicts["closest"],
        not_found=interval.verdicts["not-found"],
        failures=interval.failures,
        failure_rate=share(interval.failures, answers + interval.failures),
        cached=interval.cached,
        cache_rate=share(interval.cached, answers),
        accuracy=share(interval.checked - interval.wrong, interval.checked),
        helpful=interval.helpful,
        unhelpful=interval.unhelpful,
    )


def _groups(tally: Tally, embedder: Embedder | None, manifest: Manifest | None) -> tuple[QuestionGroup, ...]:
    """The questions without an answer in groups by meaning, most asked first."""
    texts = list(tally.unanswered)
    names = [site.name for site in manifest.sites if site.name] if manifest is not None else []
    groups = group_questions([(text, tally.unanswered[text].times) for text in texts], embedder, names)
    return tuple(
        _group([(texts[index], tally.unanswered[texts[index]]) for index in group], manifest)
        for group in groups[:MAX_GROUPS]
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
            for text, member in members[:MAX_TEXTS]
        ),
        nearest=tuple(_reference(key, manifest) for key, _ in nearest.most_common(MAX_NEAREST)),
    )


def _section(key: NamedSection, section: SectionTally, manifest: Manifest | None) -> SectionFigures:
    """The figures of a section: how many answers led to it, and what readers said of them."""
    return SectionFigures(
        section=_reference(key, manifest),
        answers=section.answers,
        mean_confidence=round(section.confidence / max(1, section.answers), 3),
        helpful=section.helpful,
        unhelpful=section.unhelpful,
        unhelpful_at_least=round(share_lower_bound(section.unhelpful, section.helpful + section.unhelpful), 3),
        questions=tuple(text for text, _ in section.questions.most_common(MAX_TEXTS)),
        # Each reason once, the latest first.
        reasons=tuple(dict.fromkeys(reversed(section.reasons)))[:MAX_TEXTS],
    )


def _reference(key: NamedSection, manifest: Manifest | None) -> SectionRef:
    """A section with its file and address, as far as the index knows them."""
    page, anchor, section = key
    indexed_page = manifest.page(page) if manifest is not None else None
    if manifest is None or indexed_page is None:
        return SectionRef(page, anchor, section)
    url = manifest.url_of(indexed_page.site, manifest.href(page, anchor, indexed_page.site))
    return SectionRef(page, anchor, section, indexed_page.source_path or "", url or "")


def _order_key(section: SectionRef) -> tuple[str, str]:
    """The order of sections with equal figures."""
    return section.page, section.anchor


def share(part: int, whole: int) -> float | None:
    """A share rounded to four digits; None if the whole is 0."""
    return round(part / whole, 4) if whole else None


def share_lower_bound(part: int, whole: int) -> float:
    """The lower bound of a share with 95 % confidence: lower for one of one than for nine of ten.

    Source: Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
    """
    # A rounding error would make it a little more than 0.
    if not part:
        return 0.0
    quantile = 1.96
    rate = part / whole
    spread = quantile * math.sqrt(rate * (1 - rate) / whole + quantile * quantile / (4 * whole * whole))
    return max(0.0, (rate + quantile * quantile / (2 * whole) - spread) / (1 + quantile * quantile / whole))
