from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trueref_server.evaluation.span_finder import SpanFinder, beginning, words


def many(count: int, word: str = "w") -> str:
    return " ".join(f"{word}{n}" for n in range(count))


@pytest.mark.parametrize(
    ("text", "span", "is_held"),
    [
        ("Set `dark_mode` to true.", "set dark_mode to TRUE", True),
        ("Set `dark_mode` to true.", "set dark mode", False),
        ("Set dark mode", "et dark", False),
        ("Set dark mode", "dark mod", False),
        ("theme:\n  name: material", "theme: name: material", True),
        ("pip install --no-deps .", "pip install no-deps", True),
        ("| key | value |\n| --- | --- |", "key value", True),
        ("It is stored [1] in the cache.", "stored in the cache", True),
        ("It is stored [12][3] in the cache.", "stored in the cache", True),
        ("handle_list = [404]", "handle_list = [404]", True),
        ("args[a]", "args a", True),
        ("long\u200bname of ¶ it", "longname of it", True),
        ("Die Größe", "GRÖSSE", False),
        ("Die Größe", "größe", True),
        ("設定を変更", "設定を変更", True),
        ("", "a", False),
    ],
)
def test_a_text_holds_a_span(text: str, span: str, is_held: bool) -> None:
    assert SpanFinder(text).holds(span) is is_held


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a b\n\nc", "a b c"),
        (many(200), many(180)),
        (f"{many(100)}\n{many(100, 'v')}\nu", f"{many(100)} {many(80, 'v')}"),
        # The first block of code has room of its own.
        (f"{many(180)}\n```toml\na = 1\n```\nmore", f"{many(180)} a = 1"),
        (f"{many(200)}\n```\nx\n```", f"{many(180)} x"),
        ("```\n" + "\n".join(f"l{n}" for n in range(30)) + "\n```", many(25, "l")),
        # A further one counts as words.
        (f"```\na\n```\n{many(179)}\n```\nb c\n```", f"a {many(179)} b"),
        # A block that is not closed ends with the text.
        (f"{many(180)}\n```\nx", f"{many(180)} x"),
        ("``` is a fence", ""),
        ("a ``` b", "a ``` b"),
    ],
)
def test_the_beginning_of_a_text_is_kept(text: str, kept: str) -> None:
    assert beginning(text).split() == kept.split()


TEXTS = st.text(st.sampled_from("aBc_1é \n`[]¶\u200b-"), max_size=60) | st.text(max_size=60)


@given(TEXTS, TEXTS)
def test_spans_are_rows_of_words(text: str, span: str) -> None:
    inside, row = words(re.sub(r"\[\d+\]", " ", text)), words(span)
    expected = any(inside[at : at + len(row)] == row for at in range(len(inside) - len(row) + 1))
    # A span without a word is refused where it is read.
    assert SpanFinder(text).holds(span) is expected or not row


@given(TEXTS, st.integers(0, 50), st.integers(0, 50))
def test_a_piece_of_a_text_is_held(text: str, start: int, length: int) -> None:
    row = words(text)
    piece = row[start % (len(row) or 1) :][:length]
    assert SpanFinder(" ".join(row)).holds(" ".join(piece)) or not piece


@given(TEXTS)
def test_the_beginning_of_a_short_text_is_all_of_it(text: str) -> None:
    unfenced = "\n".join(line for line in text.split("\n") if not line.startswith("```"))
    assert words(beginning(text)) == words(unfenced)


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "piece", ["a ", "a", "[1", "[1]", "[" * 5, "```\n", "```\na\n", "\n", "\u200b", "¶ a", "ab " * 9 + "c "]
)
def test_any_text_takes_linear_time(piece: str) -> None:
    """A million characters take a second; in quadratic time they would not end within the limit of a test."""
    text = piece * (1_000_000 // len(piece))
    finder = SpanFinder(beginning(text) + text)
    assert not finder.holds(text[: len(text) // 2] + " z")
    assert not finder.holds("ab " * 3_000 + "z")


@pytest.fixture(scope="module")
def scorer(shared: Path) -> ModuleType:
    """The script that counts nuggets."""
    spec = importlib.util.spec_from_file_location("scorer", shared / "nuggets.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.shared
@given(text=TEXTS | st.lists(st.sampled_from([many(90), "```", "```py", "a b", "", *["l"] * 5])).map("\n".join))
def test_texts_are_cut_and_read_as_the_scorer_does(text: str, scorer: ModuleType) -> None:
    assert beginning(text) == scorer.first_words(text, 180)
    assert words(text) == scorer.words(text)
