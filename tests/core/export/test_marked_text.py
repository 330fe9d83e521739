"""Marked text: any piece of it tells the pages that it is of."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.work import is_linear

from trueref_core.export.marked_text import TOKENS_BETWEEN, marked_text, pages_of
from trueref_core.text.tokens import count_tokens

MARK = re.compile(r"^--- Page (\d+) ---$", re.MULTILINE)

# Among them everything that could be taken for a mark, or for a part of one.
WORDS = (
    *(
        "the",
        "page",
        "Page 7",
        "line 5 --- so",
        "--- Page 3 ---",
        "--- page 4 ---x",
        "<<9>>",
        "--no-deps",
        "e 2 —",
        "5",
    ),
    *(
        "-- Page 1 --",
        "— Page 8 —",
        "中文字",
        "e\u0301a",
        "value 3 --flag",
        "12 ---",
        "-",
        "---",
        "٣",
        "Pag",
        "--- Pages",
        "a.\n\nB",
    ),
)
text = st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join)
long_text = st.builds(
    lambda words, times: " ".join(words * times), st.lists(st.sampled_from(WORDS), min_size=1), st.integers(1, 400)
)
documents = st.lists(st.one_of(text, text, long_text), min_size=1, max_size=6)


def owners(marked: str) -> list[tuple[int, int, int]]:
    """The texts between marks, as start, end and page."""
    marks = list(MARK.finditer(marked))
    ends = [*(mark.start() for mark in marks[1:]), len(marked)]
    return [(mark.end(), end, int(mark[1])) for mark, end in zip(marks, ends, strict=True)]


def covered(marked: str, start: int, end: int, *, sign: str) -> set[int]:
    """The pages of which a slice has a character that `sign` matches."""
    inner = ((max(start, a), min(end, b), page) for a, b, page in owners(marked))
    return {page for a, b, page in inner if a < b and re.search(sign, marked[a:b])}


@given(documents, st.data())
def test_any_slice_tells_its_pages(pages: list[str], data: st.DataObject) -> None:
    marked = marked_text(enumerate(pages, 1))
    start = data.draw(st.integers(0, len(marked)))
    end = data.draw(st.integers(start, len(marked)))
    piece = marked[start:end]
    at_start = next((int(mark[1]) for mark in reversed(list(MARK.finditer(marked))) if mark.start() <= start), None)
    found = set(pages_of(piece, at_start))
    least, most = (covered(marked, start, end, sign=sign) for sign in (r"[^\W\d_]", r"\S"))
    if most:
        assert least <= found <= most
    # Without being told it says less, and never anything else; all of it where there is a whole mark.
    alone = set(pages_of(piece))
    if most:
        assert alone <= most
    if MARK.search(piece) and least:
        assert least <= alone


def test_a_text_that_begins_like_a_mark_tells_its_page_wherever_it_is_cut() -> None:
    marked = marked_text([(1, "--- Python 3"), (2, "- Pip")])
    first, second = marked.index("Python"), marked.index("Pip")
    assert [pages_of(marked[:end]) for end in range(first + 1, first + 9)] == [(1,)] * 8
    assert [pages_of(marked[second - 25 : end]) for end in (second + 1, second + 2)] == [(1, 2)] * 2


@given(documents)
def test_the_whole_text_has_the_pages_that_have_words(pages: list[str]) -> None:
    marked = marked_text(enumerate(pages, 1))
    with_words = {number for number, page in enumerate(pages, 1) if page.strip()}
    assert set(pages_of(marked)) == (with_words or set(range(1, len(pages) + 1)))


@given(documents)
def test_marks_are_at_page_starts_and_never_further_apart_than_400_tokens(pages: list[str]) -> None:
    marked = marked_text(enumerate(pages, 1))
    numbers = [int(mark[1]) for mark in MARK.finditer(marked)]
    assert list(dict.fromkeys(numbers)) == list(range(1, len(pages) + 1))
    assert numbers == sorted(numbers)
    for start, end, _ in owners(marked):
        # Blanks at a cut are counted with the word before or after it.
        assert count_tokens(marked[start:end].strip()) <= TOKENS_BETWEEN + 5


@given(documents)
def test_only_signs_that_would_be_marks_are_changed(pages: list[str]) -> None:
    marked = marked_text(enumerate(pages, 1))
    words = [word for start, end, _ in owners(marked) for word in marked[start:end].replace(":", "").split()]
    # `<<9>>` is `< <9>>` there.
    assert "".join(words) == "".join("".join(page.split()) for page in pages).replace(":", "")


@pytest.mark.parametrize(
    ("piece", "pages"),
    [
        ("--- Page 5 ---\n\ntext", (5,)),
        ("text\n\n--- Page 6 ---\n\nmore", (5, 6)),
        ("text\n--- Page 6 ---\nmore", (6,)),
        ("text\r\n\r\n--- Page 6 ---\r\n\r\nmore", (5, 6)),
        ("-- Page 5 ---\ntext", (5,)),
        ("- Page 5 ---\ntext", (5,)),
        ("Page 57 ---\ntext", (57,)),
        ("age 57 ---\ntext", (57,)),
        ("e 57 ---\ntext", (57,)),
        (" 57 ---\ntext", ()),
        ("7 ---\ntext", ()),
        ("---\ntext", ()),
        ("text\n\n--- Page 12 -", (11,)),
        ("text\n\n--- Page 12", ()),
        ("text\n\n--- Pag", ()),
        ("— Page 5 —\ntext", (5,)),
        ("– Page 5 –\ntext", (5,)),
        ("------ page   5 ------ text", (5,)),
        ("---Page 5---\ntext", (5,)),
        ("- - - Page 5 - - -\ntext", (5,)),
        ("--- PAGE 5 ---\ntext", (5,)),
        ("---\u00a0Page\u00a05\u00a0---\ntext", (5,)),
        ("--- Page ٥ ---\ntext", ()),
        ("--- Seite 5 ---\ntext", ()),
        ("<<5>>\ntext\n<<6>>\nmore", (5, 6)),
        ("text <<6>> more", (5, 6)),
        ("--- Page 5 ---", (5,)),
        ("--- Page 1 ---\ntext", (1,)),
        ("text\n\n--- Page 1 ---\n\nmore", (1,)),
        ("text", ()),
        ("", ()),
    ],
)
def test_a_piece_tells_its_pages(piece: str, pages: tuple[int, ...]) -> None:
    assert pages_of(piece) == pages


@pytest.mark.parametrize(
    ("piece", "pages"),
    [
        ("text", (3,)),
        ("", ()),
        ("7 ---\ntext", (3,)),
        # All blanks were made one: whether a page begins there is not known.
        ("text --- Page 6 --- more", (3, 6)),
        # The piece itself says that it begins with page 5.
        ("text\n\n--- Page 6 ---\n\nmore", (5, 6)),
    ],
)
def test_the_page_before_the_first_mark_may_be_told(piece: str, pages: tuple[int, ...]) -> None:
    assert pages_of(piece, before=3) == pages


@pytest.mark.parametrize("piece", ["- ", "-", "--- Page ", "e 5 ", " ", "<<5"])
def test_reading_and_writing_take_linear_time(piece: str) -> None:
    assert is_linear(pages_of, piece, longest=100_000)
    assert is_linear(lambda text: marked_text([(1, text)]), piece, longest=50_000)
