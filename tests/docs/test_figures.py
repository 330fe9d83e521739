"""The figures of the docs are those of the program, and a figure that two pages quote is the same on both."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.docs.program_figures import FIGURE_PHRASES, FigurePhrase

ROOT = Path(__file__).resolve().parent.parent.parent

BENCHMARKS, ERRORS = "docs/benchmarks.md", "docs/decisions/answer-errors.md"
QUOTED = [
    ("README.md", "64 % of the questions that the docs answer", ERRORS, "both development sites .643 and .783"),
    (
        "README.md",
        "for 78 %. On five others it is 50 % and 66 %",
        ERRORS,
        ".499 shown in the first card and .662 in three",
    ),
    ("docs/index.md", "64 % of the questions that the docs answer", ERRORS, "both development sites .643 and .783"),
    ("docs/index.md", "for 78 %. On five others it is 50 % and 66 %", ERRORS, ".499 shown in the first card and .662"),
    ("README.md", "for 42 % and 49 % on the two sites", "docs/static.md", "the open card | .42 | .49 |"),
    ("docs/index.md", "for 42 % and 49 % on the two sites", "docs/static.md", "the open card | .42 | .49 |"),
    ("docs/faq.md", "for 42 % and 49 % of the questions", "docs/static.md", "the open card | .42 | .49 |"),
    ("docs/faq.md", "with a server for 54 % and 72 %", "docs/static.md", "with a server | .54 | .72 |"),
    ("docs/decisions/shipped-model.md", "| all shown in the first card | .66 | .643 |", ERRORS, "sites .643 and .783"),
    ("docs/comparison.md", "for .53 and .39 of them", BENCHMARKS, "| .74 | .53 | .42 | .81 | .39 | .28 |"),
    ("docs/comparison.md", "Trueref for .96 and .77", BENCHMARKS, "| Trueref | .99 | .96 | .85 | .95 | .77 | .60 |"),
    ("docs/comparison.md", "finds the same three in .65 s", BENCHMARKS, "| trueref check | 3 of 3 | 0 | 0.65 | 1 |"),
    ("docs/comparison.md", "finds them in 90 s", BENCHMARKS, "| hyperlink 5.0.4 | 3 of 3 | 0 | 90.2 | 139 |"),
    (
        "docs/comparison.md",
        "10 s on top of the build with ten",
        BENCHMARKS,
        "| 3 of 3 | 10 | +9.91 on the build | 14 |",
    ),
    (
        "docs/decisions/check-site.md",
        "0.65 for the docs of Material",
        BENCHMARKS,
        "| trueref check | 3 of 3 | 0 | 0.65 |",
    ),
    (
        "docs/static.md",
        "with a server | .77 | .96 |",
        BENCHMARKS,
        "| section@5 | .958 (.90 to 1) | .772 (.67 to .88) |",
    ),
    (
        "docs/static.md",
        "with a server | .54 | .72 |",
        BENCHMARKS,
        "first card | .722 (.61 to .82) | .544 (.42 to .67) |",
    ),
    ("docs/static.md", "with a server | .67 | .88 |", BENCHMARKS, "together | .875 (.79 to .94) | .667 (.54 to .79) |"),
    (
        "docs/deploy.md",
        "400 MB for 10,000 chunks",
        BENCHMARKS,
        "| 1.0 s | 48 MB | 1.1 s | 0.9 s | 23 ms | 39 ms | .999 | 411 MB |",
    ),
    ("docs/deploy.md", "1.5 GB for a million", BENCHMARKS, "| 106 ms | 177 ms | .983 | 1,491 MB |"),
    ("docs/deploy.md", "takes 660 MB", "docs/quick-start.md", "| `pip install 'trueref[serve]'` | 660 MB |"),
    ("docs/install.md", "`export`: 38 MB", "docs/decisions/light-commands.md", "| 690 MB | 38 MB, of which"),
    (
        "docs/quick-start.md",
        "`pip install trueref` | 38 MB |",
        "docs/decisions/light-commands.md",
        "| 690 MB | 38 MB, of",
    ),
    (
        "docs/quick-start.md",
        "101 pages with 4,469 texts",
        "docs/decisions/build-time.md",
        "embedded | 4,469 | 9,316 | 3,411 |",
    ),
]
"""A phrase of a page with a figure that was measured, and where the measurement stands: who changes one, changes both."""


def stands_in(phrase: str, text: str) -> bool:
    """Whether a text has a phrase, and not as a part of longer words or numbers: `9 KB` is no part of `19 KB`."""
    return bool(re.search(rf"(?<![\w])(?<!\d[.,]){re.escape(phrase)}(?!\w|[.,]\d)", text))


def text_of(page: str) -> str:
    """A page on one line, so that a phrase is found wherever lines are broken."""
    return " ".join((ROOT / page).read_text(encoding="utf-8").split())


@pytest.mark.parametrize("row", FIGURE_PHRASES, ids=lambda row: f"{row.page}: {row}")
def test_a_figure_of_the_docs_is_the_one_of_the_program(row: FigurePhrase) -> None:
    assert stands_in(str(row), text_of(row.page))


@pytest.mark.parametrize(
    ("phrase", "is_there"),
    [
        ("9 KB", True),
        ("to 24", True),
        ("5 KB", False),
        ("1 KB", False),
        ("to 2", False),
        ("is 2", True),
        ("is 3", False),
    ],
)
def test_a_figure_is_not_taken_for_a_part_of_another_one(phrase: str, is_there: bool) -> None:
    assert stands_in(phrase, "From 9 KB to 24, 15 KB, 2,1 KB; it is 2. Or is 3.5 or (is 3,000)") == is_there


@pytest.mark.parametrize(("page", "phrase", "measured_on", "row"), QUOTED, ids=lambda text: text)
def test_a_figure_that_a_page_quotes_stands_on_the_page_where_it_was_measured(
    page: str, phrase: str, measured_on: str, row: str
) -> None:
    assert phrase in text_of(page)
    assert row in text_of(measured_on)
