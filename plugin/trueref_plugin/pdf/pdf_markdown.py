"""The text of a PDF as Markdown: a heading for each of its pages, which no line of the text can be taken for."""

from __future__ import annotations

from itertools import groupby

from trueref_core.documents import page_of_anchor
from trueref_core.export.marked_files import page_heading
from trueref_plugin.markdown.markdown_page import block_markdown
from trueref_plugin.markdown.markdown_text import inline
from trueref_plugin.reading.parsed import ParsedPage


def pdf_markdown(parsed: ParsedPage) -> str:
    """A PDF as Markdown: its title, and its pages in order, those without text too."""
    blocks = {index: list(found) for index, found in groupby(parsed.blocks, key=lambda block: block.section)}
    parts = [f"# {inline(parsed.title)}"]
    for index, section in enumerate(parsed.sections):
        number = page_of_anchor(section.anchor)
        if number is not None:
            parts.append(page_heading(number))
            parts.extend(block_markdown(block) for block in blocks.get(index, ()))
    return "\n\n".join(parts) + "\n"
