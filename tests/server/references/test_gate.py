from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache, partial
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.conftest import SEED
from tests.server.handmade import content
from tests.server.hostile import (
    ALL_ANSWERS,
    ANSWERS,
    BASE,
    LETTERS,
    SHAPES,
    TARGETS,
    WORDS,
    broken_links,
    hostile_answer,
    raw_answers,
    recorded_answers,
    renderings,
)
from tests.work import is_linear, lines_run

from trueref_core.manifest.lookup import Manifest
from trueref_server.references.characters import REPLACED
from trueref_server.references.gate import Gate, check_text
from trueref_server.references.reference_links import MAX_LINKS, LinkDecisions

SHORT = 120
"""Characters up to which an answer is cut at every place."""

MAX_PENDING = 2048


@cache
def manifest() -> Manifest:
    made = content()
    return Manifest("g", made.sites, made.pages, made.anchors)


def passed(text: str, sources: int | None = 2, page: str | None = None) -> str:
    return check_text(manifest(), text, sources=sources, page=page).text


COLORS = f"{BASE}setup/colors/"
PIP = f"{BASE}install/#with-pip"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Links that the manifest knows, in every syntax.
        ("[Colors](setup/colors/)", f"[Colors]({COLORS})"),
        ('[Colors](<setup/colors/> "Title")', f"[Colors]({COLORS})"),
        (f"See {PIP}.", f"See [{PIP}]({PIP})."),
        (f"<{PIP}>", f"[{PIP}]({PIP})"),
        ("[pip][p]\n\n[P]: install/#with-pip 'Title'\n", f"[pip]({PIP})\n\n"),
        ("[p]: install/#with-pip\n[p] and [p][]", f"[p]({PIP}) and [p]({PIP})"),
        ("[`--no-deps`](install/#with-pip)", f"[`--no-deps`]({PIP})"),
        ("[two\nlines](install/#with-pip)", f"[two lines]({PIP})"),
        ("[![a picture](a.png)](setup/colors/)", f"[a picture]({COLORS})"),
        ("[https://evil.net](setup/colors/)", f"[{COLORS}]({COLORS})"),
        # Corrected.
        ("[pip](install/#with_pip)", f"[pip]({PIP})"),
        ("[pip](/install/index.html#with-pip)", f"[pip]({PIP})"),
        ("[pip](install/#none)", f"[pip]({BASE}install/)"),
        # Removed: the words stay.
        ("[a](https://evil.net) [b](nowhere/) [c](javascript:alert(1))", "a b c"),
        ("[a](setup/setup/colors/) and [b](install/install/)", "a and b"),
        ("[kiln.fire](api/#kiln.fire)", "kiln.fire"),
        (f"[a](https://user@{BASE[8:]}install/)", "a"),
        ("Go to https://evil.net/a_(b), or www.evil.net.", "Go to, or."),
        ("x ![alt](setup/colors/) y ![alt](https://evil.net/t.gif)", "x y"),
        ('<a href="setup/colors/">a</a><br/>b<!-- c --><img\nsrc=x>', "ab"),
        # Not a link for anybody: the reader's own machine, mail addresses, placeholders.
        ("Open http://localhost:8000/x now", "Open `http://localhost:8000/x` now"),
        ("to me@example.org, or @you", "to `me@example.org`, or @you"),
        ("run `it` on <file>", "run `it` on `<file>`"),
        ("a < b and c <= d", "a < b and c <= d"),
        # Code.
        ("`[a](https://evil.net)`", "`[a](https://evil.net)`"),
        ("```py title='x'\n[a](https://evil.net)\n```\n[a](b/)", "```py\n[a](https://evil.net)\n```\na"),
        ("1. ```sh\n   pip x\n   ```\n2. b", "1. \n```sh\npip x\n```\n2. b"),
        ("~~~\n```\n[a](b/)\n~~~~\n[a](b/)", "~~~\n```\n[a](b/)\n~~~\na"),
        ("a ` b\n[c](d/) ` e", "a b\nc ` e`"),
        ("| a | b |\n|---|---|\n| `x | [y](https://evil.net) ` |", "| a | b |\n|---|---|\n| x | y  |"),
        ("`--format <json|text>`", "`--format <json|text>`"),
        # Citations.
        ("[1] [1,2] [1, 2] [[1]] \u30101\u3011 [^2] \u30101\u2020source\u3011", "[1] [1][2] [1][2] [1] [1] [2] [1]"),
        ("so [3]. And [0], [1-9] too [3]", "so. And, [1][2] too"),
        ("[1](setup/colors/) [2](https://evil.net)", "[1] [2]"),
        ("[1]: as\nsee [1]: as", "[1] : as\nsee [1]: as"),
        ("[^[1]: x\n\ny", "[^[1] : x\n\ny"),
        ("`a[3]`", "`a[3]`"),
        # Cut off.
        ("[a](https://docs.exam", "a"),
        ("see https://docs.example.org/demo/inst", "see"),
        ("a [lab", "a lab"),
        ("a [1", "a"),
        ("a `cod", "a `cod`"),
        ("a <a href='x", "a"),
        ("a ![alt](x", "a"),
        ("```py\na = 1", "```py\na = 1\n```\n"),
        ("```py\na\n``", "```py\na\n``\n```\n"),
        # What removal would join.
        ("www<b></b>.evil.net htt<i>ps://evil.net", ""),
        ("<<b>a href=x>", "< a href=x>"),
        ("!<b></b>[a](setup/colors/)", ""),
        ("C:\\x \\<b>", r"C:\x < b>"),
        ("&#104;ttps://evil.net https\\://evil.net", ""),
        ("[a](setup/colors/){: href=x }", f"[a]({COLORS}) {{: href=x \\}}"),
        ("`a`{: onclick=alert(1) }", r"`a`{: onclick=alert(1) \}"),
        ("# a {: onclick='b}' }", r"# a {: onclick='b\}' \}"),
        (r"*a*\{href=b\}", r"*a*{href=b\}"),
        ("[*a*{b=c} `{d=e}`](install/#with-pip)", f"[*a*{{b=c\\}} {{d=e\\}}]({PIP})"),
        ("{prefix}/ask = b\n{c} }", "{prefix}/ask = b\n{c} }"),
        # Deeper than renderers read links.
        (f"{'![' * 9} {PIP}\n\nb", f"{'![' * 8}!\\[ [{PIP}]({PIP})\n\nb"),
        ("[[x] " * 9 + "\n\n[b] c", "[[x] " * 7 + "[\\[x] \\[\\[x] \n\n[b] c"),
        # What nobody sees.
        ("a\0\u200b\u202eb\r\nc\rd", "ab\nc\nd"),
    ],
)
def test_the_gate_lets_out_only_links_that_land(text: str, expected: str) -> None:
    assert passed(text) == expected


def test_links_are_read_on_their_page() -> None:
    assert passed("[a](#dark-mode)", page="setup/colors/") == f"[a]({COLORS}#dark-mode)"
    assert passed("[a](#dark-mode)") == "a"


def test_decisions_are_told_in_order() -> None:
    found = check_text(manifest(), "[a](install/#with_pip) ![b](x.png) [c](setup/colors/) https://evil.net/")
    decisions = [(reference.given, reference.decision) for reference in found.references]
    assert decisions == [
        ("install/#with_pip", "corrected"),
        ("x.png", "removed"),
        ("setup/colors/", "passed"),
        ("https://evil.net/", "removed"),
    ]
    assert (found.counts.checked, found.counts.corrected, found.counts.removed) == (4, 1, 2)


def test_without_a_count_of_sources_numbers_in_brackets_stay() -> None:
    assert passed("[1] [7] \u30101\u3011 a[3]", sources=None) == "[1] [7] \u30101\u3011 a[3]"


def test_a_bounded_number_of_links_of_a_text_is_looked_up() -> None:
    """A long text of links that nearly name a place would take seconds."""
    text = "".join(f"[a](setup/color{n}/)\n" for n in range(MAX_LINKS)) + "[b](setup/colors/) [a](setup/color0/)"
    found = check_text(manifest(), text)
    assert found.text.endswith("b a")
    assert "no more than" in found.references[-2].reason
    assert "no more than" not in found.references[-1].reason


def in_pieces(pieces: list[str], sources: int | None) -> str:
    """What leaves where a text comes in pieces; nothing waits longer than it may."""
    gate = Gate(LinkDecisions(manifest()), None if sources is None else range(1, sources + 1))
    out: list[str] = []
    for piece in pieces:
        out.append(gate.push(piece))
        # What is unread may hold half a character.
        assert len(gate.pending.encode(errors="surrogatepass")) <= MAX_PENDING
    return "".join([*out, gate.close()])


FRAGMENTS = st.one_of(
    st.sampled_from(LETTERS),
    st.builds(
        lambda shape, word, target: shape.format(w=word, t=target), *map(st.sampled_from, (SHAPES, WORDS, TARGETS))
    ),
    st.text(max_size=8),
)


@given(st.lists(FRAGMENTS, max_size=8).map("".join), st.sampled_from([None, 2]))
@example("\r\n[a](install/)", 2)
@example("<!-- a --></b>", 2)
@example("a" * 70 + "[[![1](b)](c)[[1]][`x`](\nhttp", 2)
@example("say www.evil.net and wWw.evil.net or a://b c\nd www\n", None)
def test_what_the_gate_lets_out_does_not_depend_on_the_pieces(text: str, sources: int | None) -> None:
    whole = in_pieces([text], sources)
    assert in_pieces(list(text), sources) == whole
    for at in range(0, len(text), max(1, len(text) // 20)):
        assert in_pieces([text[:at], text[at:]], sources) == whole


def parts(first: int, last: int, number: int) -> list[range]:
    """A range in so many parts of about the same length."""
    return [
        range(first + (last - first) * n // number, first + (last - first) * (n + 1) // number) for n in range(number)
    ]


@pytest.mark.parametrize(
    "seeds",
    [
        *parts(0, ANSWERS, 4),
        *(pytest.param(seeds, marks=pytest.mark.long) for seeds in parts(ANSWERS, max(ANSWERS, ALL_ANSWERS), 20)),
    ],
    ids=str,
)
def test_no_answer_of_a_hostile_model_has_a_link_that_does_not_land(seeds: range) -> None:
    links = 0
    for seed in seeds:
        random = Random(f"{SEED} {seed}")
        links += check_answer(hostile_answer(random), random.choice((None, 2)), random)
    assert links >= len(seeds) / 4


def test_no_recorded_answer_of_a_real_model_has_a_link_that_does_not_land() -> None:
    recorded = recorded_answers()
    assert len(recorded) >= 50
    for text in recorded:
        for sources in (None, 2):
            check_answer(text, sources, Random(f"{SEED} {text}"))


@pytest.mark.parametrize(
    "share", [pytest.param(share, marks=pytest.mark.long) if share else share for share in range(8)]
)
def test_no_raw_answer_depends_on_where_it_is_cut_in_two(share: int) -> None:
    """At every place of it; each eighth place of a share, and the first of these in the short round."""
    for text in raw_answers():
        whole = in_pieces([text], 2)
        for at in range(share, len(text), 8):
            assert in_pieces([text[:at], text[at:]], 2) == whole, (text, at)


def check_answer(text: str, sources: int | None, random: Random) -> int:
    """Cut an answer, at every place where it is short and at random where it is long; the links that it is left with."""
    whole = in_pieces([text], sources)
    for pieces in cuts(text, random):
        assert in_pieces(pieces, sources) == whole, (text, pieces)
    links = 0
    for out in {whole, check_text(manifest(), text, sources=sources).text}:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rendered = renderings(out)
        assert [broken_links(html, manifest()) for html in rendered] == [[], []], text
        links += rendered[0].count("<a ")
    return links


def cuts(text: str, random: Random) -> Iterator[list[str]]:
    yield at_random(text, random)
    if len(text) <= SHORT:
        yield list(text)
        for at in range(1, len(text)):
            yield [text[:at], text[at:]]


def test_no_character_that_the_gate_replaces_is_printable() -> None:
    """A piece of printable characters is taken as it is."""
    assert not any(map(str.isprintable, map(chr, REPLACED)))


def at_random(text: str, random: Random) -> list[str]:
    pieces: list[str] = []
    while text:
        size = random.choice((1, 1, 2, 3, 5, 17, 400))
        pieces.append(text[:size])
        text = text[size:]
    return pieces


@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "[x](",
        "[x]([",
        "![",
        "`",
        "` `` ",
        "<",
        "<a ",
        "<!--",
        "https://",
        "&#",
        "\\",
        "(",
        "~",
        "\u3010",
        "[ ]",
        "x@",
    ],
)
def test_the_work_of_the_gate_grows_with_the_length_alone(piece: str) -> None:
    """Twice the text, about twice the lines that run, whatever the text is."""
    half, whole = (lines_run(partial(in_pieces, [piece * (size // len(piece))], 2)) for size in (8_000, 16_000))
    assert whole <= 2.5 * half


@pytest.mark.parametrize("piece", ["[1] ", "\u30101\u3011"])
def test_citations_on_one_line_take_time_in_proportion_to_their_number(piece: str) -> None:
    """Each looked at the whole line before it, in one call of C that counts as one line of the program."""
    assert is_linear(lambda text: in_pieces([text], 2), piece, longest=128_000)
