"""Prints the results of commands: text of 80 columns for people, JSON for programs."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click
import msgspec

from trueref_core.addresses import href_of
from trueref_core.errors import OptionError
from trueref_core.text.printable import MAX_SHOWN, shortened, visible
from trueref_core.text.table_rows import begins_row

if TYPE_CHECKING:
    from trueref_core.compare.diff import Change, Difference, Location
    from trueref_core.export.marked_files import TextOrigin
    from trueref_core.links.section_graph import Step
    from trueref_core.manifest.lookup import Manifest
    from trueref_core.records import Reference
    from trueref_server.records import Answer, SearchResult, Source
    from trueref_server.service import Explanation

WIDEST = 80
"""Most columns of wrapped text."""
SOURCES_FIRST = 5
"""How many sources of an answer are printed without `--all`: as many as the widget shows before it is unfolded."""
MIN_FENCE = 3
"""The fewest backticks that begin a block of code in Markdown."""
CHANGE_COLOURS = {"vanished": "red", "moved": "yellow", "renamed": "yellow", "redirected": "green", "added": "green"}


def print_json(value: object) -> None:
    r"""Print a value as one line of JSON, with escapes such as `\udcff` in place of bytes that are not UTF-8."""
    try:
        line = msgspec.json.encode(value)
    except UnicodeEncodeError:
        # An argument or a line of stdin may have such bytes, which Python reads as lone surrogates.
        line = msgspec.json.encode(_without_surrogates(msgspec.to_builtins(value)))
    click.echo(line)


def print_answer(answer: Answer, *, with_all_cards: bool = False) -> None:
    """Print an answer with its sources and related sections.

    With `with_all_cards`, the cards and sources that the widget shows only when they are opened are printed too.
    """
    from trueref_server.answering.answer_markdown import write

    _print_markdown(answer.text)
    for card in answer.excerpts if with_all_cards else ():
        # The text of the answer already has the passages of the open cards.
        if card.n not in answer.citations:
            click.echo()
            _print_markdown(write(card.blocks, card.n))
    if answer.sources:
        click.echo()
    _print_sources(answer.sources, are_all_shown=with_all_cards)
    if answer.more:
        click.echo("\nSee also:")
    for source in answer.more:
        _print_source(source)


def _print_sources(sources: Sequence[Source], *, are_all_shown: bool) -> None:
    """Print sources under the names of their kinds; only the first `SOURCES_FIRST` unless all are to be shown."""
    from trueref_server.answering.attribution import by_kind

    grouped = by_kind(sources)
    shown = grouped if are_all_shown else grouped[:SOURCES_FIRST]
    for kind, group in groupby(shown, key=lambda source: source.kind_name):
        if kind:
            click.echo(f"{one_line(kind)}:")
        for source in group:
            _print_source(source)
    if omitted := len(grouped) - len(shown):
        noun, pronoun = ("source", "it") if omitted == 1 else ("sources", "them")
        click.echo(f"{omitted} more {noun}: --all prints {pronoun}.")


def _print_source(source: Source) -> None:
    """Print a source: its number, the titles from the page down to it, and its address."""
    click.echo(f"[{source.n}] {click.style(one_line(_path_of(source.breadcrumb, source.section)), bold=True)}")
    click.echo(f"    {click.style(_shown_address(source.url, source.href), fg='cyan')}")


def print_results(results: Sequence[SearchResult]) -> None:
    """Print search results, best first."""
    for number, result in enumerate(results, 1):
        path = one_line(_path_of(result.breadcrumb, result.section or result.title))
        click.echo(f"{number:>2}. {click.style(path, bold=True)}")
        click.echo(f"    {click.style(_shown_address(result.url, result.href), fg='cyan')}")
        click.echo(_wrap(one_line(result.snippet), "    "))


def print_explanation(explanation: Explanation) -> None:
    """Print how a question was read and which sections were found."""
    click.echo()
    for name, value in _reading_lines(explanation):
        if value:
            click.echo(f"{name}: {one_line(value)}")
    click.echo(f"confidence: {explanation.draft.confidence:.3f}")
    sections_read = (
        f"{section.page}#{section.anchor} {'whole' if section.is_whole else 'preview'} {section.tokens}"
        for section in explanation.context
    )
    click.echo(one_line(f"read, in tokens: {', '.join(sections_read) or 'nothing'}"))
    for number, hit in enumerate(explanation.hits, 1):
        address = f"{hit.page}#{hit.anchor}" if hit.anchor else hit.page or "/"
        # Most sections are found by the question itself. The search is printed only for a section that another search
        # found.
        found_by = "" if hit.retrieval_type == "search" else f" ({hit.retrieval_type}: {hit.retrieval_query})"
        click.echo(f"{number:>2}. {hit.score:.4f} {one_line(address + found_by)}")
        if hit.signals:
            signals = ", ".join(f"{name} {value:.4g}" for name, value in sorted(hit.signals.items()))
            click.echo(_wrap(signals, "    "))
        if hit.twins:
            click.echo(_wrap(f"the same: {', '.join(f'{page}#{anchor}' for _, page, anchor in hit.twins)}", "    "))


def _reading_lines(explanation: Explanation) -> Iterable[tuple[str, str]]:
    """The plan of a question and the gaps after the first round of searches, as names and values."""
    plan, gaps = explanation.plan, explanation.gaps
    return (
        ("query", plan.query),
        ("read as", plan.read_as),
        ("asks for an option", "yes" if plan.wants_option else ""),
        ("terms", ", ".join(plan.terms)),
        ("identifiers", ", ".join(plan.identifiers)),
        ("perhaps", ", ".join(plan.joined)),
        ("quoted", ", ".join(plan.quoted)),
        ("parts", " | ".join(plan.parts)),
        ("repaired", ", ".join(f"{wrong} to {meant}" for wrong, meant in plan.repaired)),
        ("synonyms", ", ".join(plan.synonyms)),
        ("asks for changes", "yes" if plan.wants_releases else ""),
        ("searched once more for", ", ".join([*gaps.parts, *gaps.terms, *gaps.identifiers])),
    )


def print_reference(reference: Reference) -> None:
    """Print the verdict on one link: status, link, and where it leads or should lead."""
    target = reference.url or reference.href or reference.suggestion
    arrow = f" -> {one_line(target)}" if target and target != reference.given else ""
    reason = f" ({one_line(reference.reason)})" if reference.reason and reference.status != "exact" else ""
    click.echo(f"{reference.status:<16}  {one_line(reference.given)}{arrow}{reason}")


def print_pages(located: TextOrigin) -> None:
    """Print the numbers of pages, one in each line, with the address of the page or else of its document, if known."""
    for number in located.pages:
        href = next((href for href in located.hrefs if href.endswith(f"={number}")), "") or "".join(located.hrefs[:1])
        click.echo(f"{number}  {one_line(href)}" if href else str(number))


MOVES = {"start": "from", "down": "down to", "up": "up to", "on": "on to", "link": "link to"}
"""The words printed before each step of a path, by its move."""


def print_path(manifest: Manifest, site: str | None, steps: Sequence[Step]) -> None:
    """Print a path through the docs, one step in each line."""
    for step in steps:
        href = manifest.href(step.page, step.anchor, site)
        words = f' by "{one_line(step.text)}"' if step.move == "link" and step.text else ""
        address = click.style(_shown_address(manifest.url_of(site, href), href), fg="cyan")
        click.echo(f"{MOVES[step.move]:<8} {address}{words}")


def print_difference_json(difference: Difference) -> None:
    """Print a JSON object with the number of lost pages and anchors, and all changes. A successor has an `href` too."""
    changes = [
        msgspec.to_builtins(change) | {"successor": _successor_fields(change.successor)}
        for change in difference.changes
    ]
    print_json({"lost": len(difference.lost), "changes": changes})


def print_difference(difference: Difference) -> None:
    """Print the changes for people, by site and page. Added anchors are only counted."""
    sites = {change.site for change in difference.changes}
    for (site, page), changes_of_page in groupby(difference.changes, key=lambda change: (change.site, change.page)):
        _print_page(f"{site}: {page or '/'}" if len(sites) > 1 else page or "/", list(changes_of_page))
    # In the order of `CHANGE_COLOURS`, which begins with the worst.
    counts = Counter[str](change.change for change in difference.changes)
    summary = ", ".join(f"{count} {kind}" for kind in CHANGE_COLOURS if (count := counts[kind]))
    click.echo(f"{summary}." if summary else "No page and no anchor differs.")


def print_table(rows: Iterable[Sequence[str]]) -> None:
    """Print rows in columns as wide as their widest cell."""
    lines = [[one_line(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for cells in lines:
        click.echo("  ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True)).rstrip())


def write_output(data: bytes, path: Path | None, *, is_text: bool) -> None:
    """Write a whole file, or print it.

    Args:
        data: The bytes.
        path: The file, which is written completely or not at all; None for standard output.
        is_text: Whether a terminal can show the bytes.

    Raises:
        OptionError: The file cannot be written, or the bytes would go to a terminal that cannot show them.
    """
    if path is None:
        stream = sys.stdout.buffer
        # A terminal may take compressed bytes for commands.
        if stream.isatty() and not is_text:
            raise OptionError("This is binary, and not for a terminal. Name a file with -o, or pipe it.")
        stream.write(data)
        stream.flush()
        return
    from trueref_core.storage.atomic_files import replace_file

    try:
        # A device or a pipe cannot be replaced, so it is written to. For a symbolic link, its target is replaced.
        target = path.resolve()
        if target.exists() and not target.is_file():
            target.write_bytes(data)
        else:
            replace_file(target, data)
    except OSError as error:
        raise OptionError(f"The file {path} cannot be written: {error.strerror or error}.") from error


def one_line(text: str) -> str:
    """A text on one line of limited length, with escapes in place of characters that are commands to a terminal."""
    # Shortened before characters are escaped, so that no escape is cut.
    return visible(shortened(" ".join(text.split()), MAX_SHOWN))


def _without_surrogates(value: object) -> object:
    """A value of lists, dictionaries and plain values, with escapes in place of lone surrogates in its texts."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {name: _without_surrogates(part) for name, part in cast("dict[str, object]", value).items()}
    if isinstance(value, list | tuple):
        return [_without_surrogates(part) for part in cast("Sequence[object]", value)]
    return value


def _print_page(page: str, changes: list[Change]) -> None:
    """Print the changes of one page: that of the page itself first, then those of its anchors."""
    of_page = [change for change in changes if not change.anchor]
    of_anchors = [change for change in changes if change.anchor]
    for change in of_page:
        click.echo(_change_line(click.style(one_line(page), bold=True), change))
    if not of_page:
        click.echo(click.style(one_line(page), bold=True))
    for change in of_anchors:
        # Added anchors break no link, so they are only counted below.
        if change.change != "added":
            click.echo("  " + _change_line(one_line(f"#{change.anchor}"), change))
    if added := sum(change.change == "added" for change in of_anchors):
        click.echo(f"  {added} {'anchor' if added == 1 else 'anchors'} added")


def _change_line(name: str, change: Change) -> str:
    """A change on one line, with its successor and the proof for it."""
    kind = click.style(change.change, fg=CHANGE_COLOURS[change.change])
    if change.successor is None:
        return f"{name}  {kind}"
    # On the same page, the fragment alone is enough.
    is_on_same_page = change.anchor and change.successor.page == change.page
    address = (
        f"#{change.successor.anchor}"
        if is_on_same_page
        else href_of(change.successor.page, change.successor.anchor) or "/"
    )
    return f"{name} -> {one_line(address)}  {kind}: {one_line(change.proof)}"


def _successor_fields(location: Location | None) -> dict[str, str] | None:
    """The fields of a successor for JSON, with its `href`."""
    if location is None:
        return None
    return {**msgspec.to_builtins(location), "href": href_of(location.page, location.anchor)}


def _print_markdown(text: str) -> None:
    """Print Markdown: prose wrapped, code blocks and tables as they are."""
    from trueref_server.answering.answer_markdown import unescape

    # Code is printed unchanged, so that it can be copied: wrapped code would not run.
    # A block of code about Markdown has fences of its own: it ends at one that is as long as the first.
    fence = ""
    for line in visible(text, allowed="\n\t").split("\n"):
        mark = line.strip()
        ticks = mark[: len(mark) - len(mark.lstrip("`"))]
        if fence or len(ticks) >= MIN_FENCE or not mark:
            click.echo(line)
        else:
            # The text escapes signs of Markdown for the widget. Here it is plain text.
            plain_line = unescape(line)
            click.echo(plain_line if begins_row(line) else _wrap(plain_line, ""))
        if fence:
            fence = "" if mark == fence else fence
        elif len(ticks) >= MIN_FENCE:
            fence = ticks


def _wrap(text: str, indent: str) -> str:
    """A text wrapped to the width of the terminal, at most `WIDEST` columns."""
    # Long words are not cut, since an address in two parts cannot be opened from the terminal.
    width = min(WIDEST, shutil.get_terminal_size().columns)
    return textwrap.fill(
        text,
        max(width, 20),
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _path_of(breadcrumb: Sequence[str], section: str) -> str:
    """The titles above a section and its own, each once."""
    return " > ".join(dict.fromkeys(part for part in (*breadcrumb, section) if part))


def _shown_address(url: str | None, href: str) -> str:
    """An address for people: absolute if that is known, and `./` for the root of a site without base URL."""
    return one_line(url or href or "./")
