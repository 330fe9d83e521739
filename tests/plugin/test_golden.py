"""Pages in the markup of each generator, and what is read of them, beside each other in `tests/golden/`.

The pages are made up. After a change in reading, write the texts again with

    TRUEREF_GOLDEN=1 .venv/bin/python -m pytest tests/plugin/test_golden.py

and look at each difference: only what a reader of the page would agree with is to be committed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from trueref_plugin.reading.parse import parse_page
from trueref_plugin.reading.parsed import ParsedPage

GOLDEN = Path(__file__).parent.parent / "golden"
PAGES = sorted(path.stem for path in GOLDEN.glob("*.html"))


def lines_of(parsed: ParsedPage) -> Iterator[str]:
    """A page as lines: the sections, each with its blocks, then anchors and links."""
    yield f"title {parsed.title!r}, content in {parsed.root}"
    yield from (f"{name} {value!r}" for name in parsed.head.__struct_fields__ if (value := getattr(parsed.head, name)))
    last = None
    for block in parsed.blocks:
        if block.section != last:
            section = parsed.sections[block.section]
            yield f"\n#{section.anchor}  {' > '.join((*section.breadcrumb, section.title))}"
            last = block.section
        kind = f"{block.kind} {block.code_language}".strip() + (", starts" if block.starts else "")
        kind += ("" if block.role == "text" else f", {block.role}") + (f", in {block.path}" if block.path else "")
        lines = [f"{block.header}  (header)"] if block.header else []
        yield "\n".join([f"  [{kind}]", *(f"    {line}" for line in (*lines, *block.text.split("\n")))])
    yield "\nanchors"
    for anchor in parsed.anchors:
        place = f"in #{parsed.sections[anchor.section].anchor}" if anchor.section >= 0 else "outside"
        yield f"  {anchor.anchor}  {anchor.kind} {anchor.level or ''} {anchor.text!r} {place}"
    yield "\nlinks"
    for link in parsed.links:
        yield f"  {link.target}  {link.text!r} in #{parsed.sections[link.section].anchor}"


@pytest.mark.parametrize("name", PAGES)
def test_whole_pages_are_read_as_the_golden_files_say(name: str) -> None:
    parsed = parse_page((GOLDEN / f"{name}.html").read_text(encoding="utf-8"))
    found, golden = "\n".join(lines_of(parsed)) + "\n", GOLDEN / f"{name}.txt"
    if os.environ.get("TRUEREF_GOLDEN"):
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")


def test_no_golden_text_is_left_over() -> None:
    assert sorted(path.stem for path in GOLDEN.glob("*.txt")) == PAGES
    assert len(PAGES) >= 7
