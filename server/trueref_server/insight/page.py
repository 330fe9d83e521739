"""Makes the report as one HTML page that loads nothing else: no script, font or picture of another host."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from importlib.resources import files
from typing import Final, TypeVar

from trueref_core.text.printable import visible
from trueref_server.insight.pictures import Series, bar, stacked_bars, step_lines
from trueref_server.insight.report import InsightReport, QuestionGroup, ReportInterval, SectionFigures, SectionRef, Task

T = TypeVar("T")

# Whatever a reader wrote, a browser that shows this page loads nothing and runs nothing.
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

MAX_TASKS: Final = 10

MAX_SHOWN: Final = 15
"""A list shows at most this many entries unfolded. Without a limit a day of 500 questions had three lists of eighteen
screens."""

VERDICTS: Final = (
    ("Answered", "answered", "answered"),
    ("Nearest sections only", "closest", "closest"),
    ("Not found", "not-found", "not_found"),
    ("Failed", "failure", "failures"),
)
RATES: Final = (
    ("From the cache", "cache", "cache_rate"),
    ("Failed", "failure", "failure_rate"),
    ("References right", "accuracy", "accuracy"),
)
"""The series of the two pictures: name, CSS class, and field of `ReportInterval`."""


def report_page(report: InsightReport) -> str:
    """The report as an HTML page."""
    style = files("trueref_server.insight").joinpath("style.css").read_text(encoding="utf-8")
    parts = (
        _figures(report),
        _timeline(report),
        _tasks(report.tasks),
        _unanswered(report),
        _sections(report.sections),
        _badly_rated(report.badly_rated),
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>What readers asked</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        f'<h1>What readers asked</h1>\n<p class="quiet">{_time(report.since)} to {_time(report.until)}, UTC</p>\n'
        + "\n".join(parts)
        + "\n</main>\n</body>\n</html>\n"
    )


def percent(share: float | None) -> str:
    """A share as text, in percent; a dash for None."""
    return "–" if share is None else f"{share:.1%}"


def _figures(report: InsightReport) -> str:
    """The figures of the whole period."""
    totals = report.totals
    rated = totals.helpful + totals.unhelpful
    answered = totals.by_verdict.get("answer", 0)
    rows = (
        ("Questions answered", f"{totals.answers:,}"),
        ("Answered from the docs", percent(answered / totals.answers if totals.answers else None)),
        ("Failed", percent(totals.failure_rate)),
        ("From the cache", percent(totals.cache_rate)),
        ("References right", percent(totals.accuracy)),
        ("Found helpful", f"{percent(totals.helpful / rated)} of {rated:,}" if rated else "–"),
        ("Median time", "–" if totals.median_milliseconds is None else f"{totals.median_milliseconds:,.0f} ms"),
        ("95 % within", "–" if totals.slow_milliseconds is None else f"{totals.slow_milliseconds:,.0f} ms"),
    )
    cells = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in rows)
    return f'<dl class="figures">{cells}</dl>'


def _timeline(report: InsightReport) -> str:
    """The pictures over time, and the table of their numbers."""
    if not report.timeline:
        return "<p>Nothing was asked in this time.</p>"
    intervals = report.timeline
    counts, rates = (
        [Series(style, [getattr(interval, field) for interval in intervals]) for _, style, field in series]
        for series in (VERDICTS, RATES)
    )
    highest = max(
        interval.answered + interval.closest + interval.not_found + interval.failures for interval in intervals
    )
    unit = report.interval
    bars = stacked_bars(counts, f"Questions by {unit}, {highest} at most. The table below has the numbers.")
    lines = step_lines(rates, f"Shares by {unit}, from 0 to 100 %. The table below has the numbers.")
    squares = _legend((name, f'<rect class="{style}" width="24" height="12"/>') for name, style, _ in VERDICTS)
    dashes = _legend((name, f'<path class="line {style}" d="M0 6H24"/>') for name, style, _ in RATES)
    return (
        f"<h2>Over time</h2>\n{_figure(f'Questions by {unit}, up to {highest:,}', bars, squares, intervals)}"
        f"{_figure(f'Shares by {unit}, from 0 to 100 %', lines, dashes, intervals)}"
        f"<details><summary>The numbers</summary>{_numbers_table(intervals)}</details>"
    )


def _figure(title: str, picture: str, legend: str, intervals: Sequence[ReportInterval]) -> str:
    """A picture with its caption, the ends of its axis and its legend, which are text of the page."""
    axis = f"<span>{_time(intervals[0].start)}</span><span>{_time(intervals[-1].start)}</span>"
    caption = f'<figcaption class="quiet">{title}</figcaption>'
    return f'<figure>{caption}{picture}<div class="axis">{axis}</div>{legend}</figure>\n'


def _legend(entries: Iterable[tuple[str, str]]) -> str:
    """A list of names, each behind its colour."""
    items = "".join(
        f'<li><svg viewBox="0 0 24 12" aria-hidden="true">{shape}</svg>{name}</li>' for name, shape in entries
    )
    return f'<ul class="legend">{items}</ul>'


def _numbers_table(intervals: Sequence[ReportInterval]) -> str:
    """The table of the numbers that the pictures show."""
    heads = ("Begin (UTC)", *(name for name, _, _ in VERDICTS), "From the cache", "References right", "Helpful", "Not")
    rows = [
        (
            f"<time>{_time(interval.start)}</time>",
            *map(str, (interval.answered, interval.closest, interval.not_found, interval.failures)),
            percent(interval.cache_rate),
            percent(interval.accuracy),
            str(interval.helpful),
            str(interval.unhelpful),
        )
        for interval in intervals
    ]
    return _table("Questions over time", heads, rows)


def _tasks(tasks: Sequence[Task]) -> str:
    """The list of the first `MAX_TASKS` tasks."""
    if not tasks:
        return ""
    items = "".join(f"<li>{_text(task.what)}{_unnamed_sections(task)}</li>" for task in tasks[:MAX_TASKS])
    more = len(tasks) - MAX_TASKS
    more_line = f'<p class="quiet">The lists below, and the JSON, have {more} more.</p>' if more > 0 else ""
    return f"<h2>What to do</h2>\n<ol>{items}</ol>{more_line}"


def _unnamed_sections(task: Task) -> str:
    """The nearest sections of a task, unless its sentence names its section."""
    return _nearest_list(task.sections) if task.work != "revise" else ""


def _nearest_list(sections: Sequence[SectionRef]) -> str:
    """The nearest sections, as a list and not in one sentence: their titles may have commas."""
    items = "".join(f"<li>{_section_link(section)}</li>" for section in sections)
    return f'<div class="near">Nearest:<ul>{items}</ul></div>' if items else ""


def _unanswered(report: InsightReport) -> str:
    """The groups of questions that the docs do not answer."""
    title = "<h2>What the docs do not answer</h2>\n"
    without_text_note = ""
    if report.unanswered_without_text:
        without_text_note = (
            f"<p>{report.unanswered_without_text:,} more have no text here: set <code>question_days</code> to keep the "
            "texts of questions.</p>"
        )
    if not report.unanswered:
        return (
            f"{title}{without_text_note or '<p>Every question had an answer, and no answer was found unhelpful.</p>'}"
        )
    most_times = max(group.times for group in report.unanswered)
    items = [f"<li>{_group(group, most_times)}</li>" for group in report.unanswered]
    lead = '<p class="quiet">Questions that mean about the same stand together, most asked first.</p>'
    groups = _folded(items, lambda part: f'<ol class="groups">{"".join(part)}</ol>')
    return f"{title}{lead}{without_text_note}{groups}"


def _group(group: QuestionGroup, most_times: int) -> str:
    """A group of questions, with its wordings folded."""
    counts = [f"asked {group.times} {'times' if group.times > 1 else 'time'}"]
    counts += [f"not found {group.not_found}"] if group.not_found else []
    counts += [f"found unhelpful {group.unhelpful}"] if group.unhelpful else []
    questions = "".join(
        f'<li>{_text(wording.question)} <span class="quiet">({wording.times}, {_text(wording.verdict)})</span></li>'
        for wording in group.questions
    )
    nearest_list = _nearest_list(group.nearest)
    head = f'<h3>{_text(group.title)}</h3><p class="quiet">{", ".join(counts)}</p>{bar(group.times / most_times)}'
    if len(group.questions) == 1:
        return head + nearest_list
    return (
        f"{head}<details><summary>{len(group.questions)} wordings</summary><ul>{questions}</ul>{nearest_list}</details>"
    )


def _sections(sections: Sequence[SectionFigures]) -> str:
    """The table of the sections that answers lead to."""
    if not sections:
        return ""
    most_answers = max(figures.answers for figures in sections)
    rows = [
        (
            f"{_section_link(figures.section)}{bar(figures.answers / most_answers)}{_list(figures.questions[:3])}",
            f"{figures.answers:,}",
            percent(figures.mean_confidence),
        )
        for figures in sections
    ]
    heads = ("Section, and what was asked", "Answers", "Confidence")
    lead = "Sections by the number of answers that show them first."
    return f"<h2>Where answers lead</h2>\n{_folded(rows, lambda part: _table(lead, heads, part))}"


def _badly_rated(sections: Sequence[SectionFigures]) -> str:
    """The table of the sections that readers rate badly."""
    if not sections:
        return "<h2>Sections with bad ratings</h2>\n<p>None.</p>"
    rows = [
        (
            f"{_section_link(figures.section)}{_list(figures.reasons)}",
            str(figures.unhelpful),
            str(figures.helpful),
            percent(figures.unhelpful_at_least),
        )
        for figures in sections
    ]
    heads = ("Section, and what readers wrote", "Not helpful", "Helpful", "Bad, at least")
    lead = "Ratings of answers that show the section first, and of the section as a source."
    return f"<h2>Sections with bad ratings</h2>\n{_folded(rows, lambda part: _table(lead, heads, part))}"


def _folded(entries: Sequence[T], show: Callable[[Sequence[T]], str]) -> str:
    """The first entries of a list, and the others folded."""
    rest = entries[MAX_SHOWN:]
    more = f"<details><summary>{len(rest)} more</summary>{show(rest)}</details>" if rest else ""
    return show(entries[:MAX_SHOWN]) + more


def _table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table. Its cells are HTML already. All but the first of a row are numbers, which are aligned right."""
    style = ["", *[' class="number"'] * (len(heads) - 1)]
    head = "".join(f'<th scope="col"{style[column]}>{name}</th>' for column, name in enumerate(heads))
    body = "".join(
        f"<tr>{''.join(f'<td{style[column]}>{cell}</td>' for column, cell in enumerate(row))}</tr>" for row in rows
    )
    return (
        f'<div class="scroll" role="region" aria-label="{caption}" tabindex="0"><table><caption>{caption}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _section_link(section: SectionRef) -> str:
    """A link to a section by its title, with its file or page beside it."""
    name = _text(section.section or section.page or "Home")
    path = section.source_path or section.page
    path_html = f' <span class="quiet">{_text(path)}</span>' if path else ""
    # Only web addresses become links, since a base URL may have any other scheme.
    is_link = section.url.startswith(("https://", "http://"))
    return f'<a href="{escape(section.url)}">{name}</a>{path_html}' if is_link else f"{name}{path_html}"


def _list(texts: Sequence[str]) -> str:
    """Texts of readers as a list."""
    return f"<ul>{''.join(f'<li>{_text(text)}</li>' for text in texts)}</ul>" if texts else ""


def _text(text: str) -> str:
    """A text of a reader or of the docs, escaped for HTML, with invisible characters made visible."""
    return escape(visible(text))


def _time(timestamp: str) -> str:
    """A timestamp without seconds, `T` and `Z`."""
    return timestamp.replace("T", " ").removesuffix("Z")[:16]
