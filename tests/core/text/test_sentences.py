from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.work import is_linear

from trueref_core.text.sentences import split_sentences


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\n \n", []),
        ("One. Two.", ["One.", "Two."]),
        ("One! Two? Three", ["One!", "Two?", "Three"]),
        ("Edit mkdocs.yml. Then build.", ["Edit mkdocs.yml.", "Then build."]),
        ("Needs 1.2.3 or newer. See foo.bar(x).", ["Needs 1.2.3 or newer.", "See foo.bar(x)."]),
        ("See https://a.org/b.c?d=e.f. Then go.", ["See https://a.org/b.c?d=e.f.", "Then go."]),
        ("Use `a. B. C` here. Done.", ["Use `a. B. C` here.", "Done."]),
        ("Use ``a ` b. C`` now. Done.", ["Use ``a ` b. C`` now.", "Done."]),
        ("A stray ` stays. Next.", ["A stray ` stays.", "Next."]),
        ("Themes, e.g. Material, i.e. one vs. two.", ["Themes, e.g. Material, i.e. one vs. two."]),
        (
            "Tabs, lists, etc. are fine. Tabs etc. Then more.",
            ["Tabs, lists, etc. are fine.", "Tabs etc.", "Then more."],
        ),
        ("Ask Dr. Who about No. 5. Is it? No. Stop.", ["Ask Dr. Who about No. 5.", "Is it?", "No.", "Stop."]),
        ("By J. R. Doe. Next.", ["By J. R. Doe.", "Next."]),
        ("1. Install it.\n2. Run it.", ["1. Install it.", "2. Run it."]),
        ("It is Python 3. Then more.", ["It is Python 3.", "Then more."]),
        ("Wait ... what? Well... Yes.", ["Wait ... what?", "Well...", "Yes."]),
        (
            "Use for i in … ; do. Or a … | B, or [A ... ]. Yes … No.",
            ["Use for i in … ; do.", "Or a … | B, or [A ... ].", "Yes …", "No."],
        ),
        ('He said "Stop." Then (he left.) End.', ['He said "Stop."', "Then (he left.)", "End."]),
        ("第一句。第二句！第三句", ["第一句。", "第二句！", "第三句"]),
        ("यह पहला वाक्य है। यह दूसरा है॥", ["यह पहला वाक्य है।", "यह दूसरा है॥"]),
        ("یہ پہلا ہے۔ کیا یہ دوسرا ہے؟ ہاں", ["یہ پہلا ہے۔", "کیا یہ دوسرا ہے؟", "ہاں"]),
        ("ပထမ။ ဒုတိယ။", ["ပထမ။", "ဒုတိယ။"]),
        ("ទីមួយ។ទីពីរ។", ["ទីមួយ។", "ទីពីរ។"]),
        ("他说：「好。」然后走。", ["他说：「好。」", "然后走。"]),
        ("A heading\n\nA line\nand its rest.\n \nLast", ["A heading", "A line\nand its rest.", "Last"]),
        ("Open `a\n\nb` is not code. Yes.", ["Open `a", "b` is not code.", "Yes."]),
    ],
)
def test_a_text_is_cut_where_its_sentences_end(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@given(st.text(st.sampled_from("aB1 .!?…。।؟`\n\t-()\"'中e.g"), max_size=80) | st.text(max_size=80))
def test_spans_cover_the_text_in_order(text: str) -> None:
    covered = set[int]()
    end_before = 0
    for start, end in split_sentences(text):
        assert end_before <= start < end <= len(text)
        assert not text[start].isspace()
        assert not text[end - 1].isspace()
        covered.update(range(start, end))
        end_before = end
    assert all(at in covered for at, character in enumerate(text) if not character.isspace())


@given(st.text(st.sampled_from("ab. !`"), max_size=60))
def test_inline_code_is_never_cut(inner: str) -> None:
    code = "```" + inner.replace("`", "'") + "```"
    text = f"Before. {code} after. End."
    assert sum(code in sentence for sentence in sentences(text)) == 1


@pytest.mark.parametrize(
    "piece", [".", "`", "a. ", "`a", "\n", "\n ", "``` ", "e.g. ", "。", "।", "...", ".x", "1. ", ". ", "`a``b"]
)
def test_sentences_are_found_in_linear_time(piece: str) -> None:
    assert is_linear(split_sentences, piece, "x", longest=100_000)
