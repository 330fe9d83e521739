"""Texts that stand in a `pre` with their line breaks, as in manuals that are converted from plain text."""

from __future__ import annotations

import pytest
from tests.plugin.pages import kinds
from tests.work import is_linear

TEXT = (
    "When the proxy runs in this mode, both the request and the response are\nread, so that it is possible to "
    'match "anything" found in them :\n\n  [CON1] [REQ1] ... [RESP1] [CLO1]\n\n  [CON2]\n \nThe length need not be known '
    "in this case, since the connection is\nclosed by the server (see <a href='#b'>below</a>).\n"
)


@pytest.mark.parametrize("start", ["<pre>", '<pre class="text">', '<div class="row"><div><pre class="text">'])
def test_a_text_in_a_pre_is_prose_and_what_is_laid_out_in_it_is_code(start: str) -> None:
    assert kinds(start + TEXT) == [
        (
            "prose",
            "When the proxy runs in this mode, both the request and the response are read, so that it is possible to match "
            '"anything" found in them :',
        ),
        ("code", "[CON1] [REQ1] ... [RESP1] [CLO1]\n\n[CON2]"),
        (
            "prose",
            "The length need not be known in this case, since the connection is closed by the server (see below).",
        ),
    ]


CODE = [
    f'<pre class="example">{TEXT}</pre>',
    f'<pre class="code text">{TEXT}</pre>',
    "<pre>RED\n\nGREEN\n\nBLUE</pre>",
    "<pre>IDENTIFICATION DIVISION\n    PROGRAM KILN\n\nDATA DIVISION\n    HEAT PIC 9.\n\nPROCEDURE DIVISION\n    STOP RUN.</pre>",
    "<pre>sudo apt-get install the server\nRun the server now and wait for it to start\nPress the key to stop the server.</pre>",
    f"<pre><code>{TEXT}</code></pre>",
    f"<pre><span></span>{TEXT}</pre>",
    f'<div class="listingblock"><div class="content"><pre>{TEXT}</pre></div></div>',
    "<pre>The proxy runs in this mode, as one line says.</pre>",
    "<pre>Usage: run [options] FILE\nRuns FILE with -x and --long-option=VALUE.</pre>",
    "<pre>SELECT name FROM people\nWHERE id = 1 AND age &gt; 3 ORDER BY name.</pre>",
    "<pre>Reads all of the files\nthat it finds there.\n\n$ run --all *.txt | sort | uniq -c | sort -rn | head -20\n$ run --one a.txt b.txt</pre>",
]


@pytest.mark.parametrize("body", CODE)
def test_code_stays_code(body: str) -> None:
    assert [kind for kind, _ in kinds(body)] == ["code"]


@pytest.mark.parametrize(
    "piece",
    [
        "\n ",
        "\n",
        "A",
        "a-",
        "((",
        "A word here. ",
        " ",
        "- a\n",
        "A:\n ",
        "NAME\n",
        "NAME\n\n",
        "a\n\n",
        "  a  B.\n",
        "a(1)  ",
    ],
)
def test_a_pre_is_read_in_linear_time(piece: str) -> None:
    assert is_linear(lambda text: kinds(f"<pre>{text}"), piece, "x", longest=20_000)
