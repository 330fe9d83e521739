"""Checks that the sections and the spans that questions name exist in their site.

    python training/check_questions.py FOLDER [NAME ...]

FOLDER is the folder of `training/fetch_sites.py` with the sites. All questions are checked: written ones, real ones and
those from sheets. Prints one line for each fault, and exits with 1 if there is one.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from trueref_core.generations.served_generation import open_index
from trueref_server.evaluation.cases import Case, read_cases
from trueref_server.evaluation.span_finder import SpanFinder

QUESTIONS: Final = Path(__file__).with_name("questions")
REAL: Final = "real"
"""The folder of questions that users asked in public threads."""

BULK: Final = "bulk"
"""The folder of questions that were written from sheets of texts, one text at a time."""


def questions_of(site: str) -> list[Case]:
    """The questions of a site: those that were written for it, those that users asked, and those from sheets."""
    files = [QUESTIONS / f"{site}.jsonl", QUESTIONS / REAL / f"{site}.jsonl", QUESTIONS / BULK / f"{site}.jsonl"]
    return read_cases([file for file in files if file.exists()])


async def faults(index_folder: Path, cases: Sequence[Case]) -> list[str]:
    """The faults in the questions of one site, one line for each."""
    index = await open_index(index_folder)
    try:
        sections: dict[tuple[str, str], list[str]] = {}
        for chunk in (await index.chunks(index.rows.ids)).values():
            sections.setdefault((chunk.page, chunk.anchor), []).append(chunk.text)
    finally:
        await index.close()
    texts = {section: SpanFinder("\n".join(parts)) for section, parts in sections.items()}
    return [f"{case.id}: {fault}" for case in cases for fault in _faults(case, texts)]


def _faults(case: Case, texts: dict[tuple[str, str], SpanFinder]) -> Iterator[str]:
    """The faults in one question, given the texts of all sections by page and anchor."""
    if not case.answerable:
        if case.gold or case.nuggets:
            yield "is not answerable, and yet has sections or nuggets"
        return
    if not case.nuggets:
        yield "has no nuggets"
    gold = [texts[section.page, section.anchor] for section in case.gold if (section.page, section.anchor) in texts]
    for section in case.gold:
        if (section.page, section.anchor) not in texts:
            yield f"there is no section {section.page}#{section.anchor}"
    for number, nugget in enumerate(case.nuggets, 1):
        if not any(text.holds(span) for span in nugget for text in gold):
            yield f"no span of nugget {number} stands in its sections"
        for span in nugget:
            if not any(text.holds(span) for text in texts.values()):
                yield f"no page has the span {span!r}"


def main() -> None:
    """Checks the questions of the named sites, or of all sites without names."""
    sites = sorted({path.stem for path in QUESTIONS.rglob("*.jsonl")})
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    if unknown := set(options.names) - set(sites):
        parser.error(f"there are no questions for {', '.join(sorted(unknown))}")
    messages: list[str] = []
    for site in options.names or sites:
        index = options.folder.absolute() / site / "index"
        if not index.is_dir():
            parser.error(f"{index} does not exist; training/fetch_sites.py makes it")
        cases = questions_of(site)
        messages += asyncio.run(faults(index, cases))
        print(f"{site}: {len(cases)} questions, {sum(not case.answerable for case in cases)} not in the docs.")
    if messages:
        raise SystemExit("\n".join(messages))


if __name__ == "__main__":
    main()
