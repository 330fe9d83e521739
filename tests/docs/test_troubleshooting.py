"""The page on troubleshooting quotes messages as the program writes them."""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")

SYMPTOMS = {
    "The first build takes long",
    "The panel says that the server cannot be reached",
    "The button is on no page",
    "Links of an answer lead to the wrong host or folder",
    "429, too many questions",
    "Answers are outdated after the docs were rebuilt",
    "It says that it is not in these docs, and it is",
    "The answer is from an old version or a change log",
    "A link is corrected or unlinked",
}
"""The headings that describe what somebody sees, and quote no message."""


def plain(text: str) -> str:
    """A text in one line, without the backticks in which messages put what they name."""
    return " ".join(text.replace("`", "").split())


def quoted() -> set[str]:
    """The messages of the page: headings, and code that begins with a capital letter and has several words."""
    headings = {plain(heading) for heading in re.findall(r"^### (.*)$", PAGE, re.MULTILINE)}
    spans = {plain(span) for span in re.findall(r"`([A-Z][a-z]*\s[^`]*)`", PAGE)}
    return (headings | spans) - SYMPTOMS


@cache
def texts_of_program() -> list[str]:
    """The texts in the code and the widget; a value that is put into a text when the program runs is `…` in them."""
    texts = list(json.loads((ROOT / "widget/trueref_widget/languages/en.json").read_text("utf-8"))["widget"].values())
    for folder in ("cli", "core", "plugin", "server"):
        for path in (ROOT / folder).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            docstrings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
            for node in ast.walk(tree):
                if node in docstrings:
                    continue
                if isinstance(node, ast.JoinedStr):
                    parts = [part.value if isinstance(part, ast.Constant) else "…" for part in node.values]
                    texts.append("".join(map(str, parts)))
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    texts.append(node.value)
    return [plain(re.sub(r"\{[\w!]*\}|%s", "…", text)).casefold() for text in texts]


@pytest.mark.parametrize("message", sorted(quoted()))
def test_a_quoted_message_is_one_of_the_program(message: str) -> None:
    parts = [re.escape(part.strip()) for part in message.casefold().split("…")]
    pattern = re.compile(".*".join(parts))
    assert any(pattern.search(text) for text in texts_of_program())


def test_every_symptom_that_is_listed_is_a_heading() -> None:
    assert {plain(heading) for heading in re.findall(r"^### (.*)$", PAGE, re.MULTILINE)} >= SYMPTOMS
