"""Texts that are laid out with spaces: manual pages, and manuals in plain text, in a `pre`."""

from __future__ import annotations

from html import escape

import pytest
from tests.plugin.pages import kinds
from tests.plugin.reading.test_block_roles import rows

MANUAL = """<pre>
KILN(1)                                                                KILN(1)

<b>NAME</b>
       kiln - heats clay

<b>SYNOPSIS</b>
       <b>kiln</b> [<b>-q</b>] <i>file</i>

<b>DESCRIPTION</b>
       The  <b>kiln</b>(1) command heats what is in the given file, and waits until
       it has cooled down.

       Options:

       <b>-h</b> <i>heat</i>
              The heat of the kiln, in degrees that are shown as they are read
              from the file.

              Give it twice to heat both kilns at once:

                  kiln -h 900 -h 800 pots

       <b>-q</b>

       <b>--quiet</b>
              Print nothing.

       <b>-v</b>     Print more.

       The order of these options does not matter.

SEE ALSO
       oven(1), heats bread

                                                                       KILN(1)
</pre>"""


def test_a_manual_page_has_headings_paragraphs_and_entries() -> None:
    assert rows(MANUAL) == [
        ("furniture", "prose", "", "KILN(1) KILN(1)"),
        ("heading", "prose", "", "NAME"),
        ("text", "prose", "", "kiln - heats clay"),
        ("heading", "prose", "", "SYNOPSIS"),
        ("text", "code", "", "kiln [-q] file"),
        ("heading", "prose", "", "DESCRIPTION"),
        (
            "text",
            "prose",
            "",
            "The kiln(1) command heats what is in the given file, and waits until it has cooled down.",
        ),
        ("text", "prose", "", "Options:"),
        ("term", "definition", "d1.1", "-h heat"),
        (
            "text",
            "definition",
            "d1.1",
            "The heat of the kiln, in degrees that are shown as they are read from the file.",
        ),
        ("text", "definition", "d1.1", "Give it twice to heat both kilns at once:"),
        ("text", "code", "d1.1", "kiln -h 900 -h 800 pots"),
        ("term", "definition", "d1.2", "-q"),
        ("term", "definition", "d1.2", "--quiet"),
        ("text", "definition", "d1.2", "Print nothing."),
        ("term", "definition", "d1.3", "-v"),
        ("text", "definition", "d1.3", "Print more."),
        ("text", "prose", "", "The order of these options does not matter."),
        ("heading", "prose", "", "SEE ALSO"),
        ("text", "code", "", "oven(1), heats bread"),
        ("furniture", "prose", "", "KILN(1)"),
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "Heats the clay that is in the direc-\n       tory of the kiln.",
            "Heats the clay that is in the directory of the kiln.",
        ),
        ("The well-known kiln heats a well-\n       known clay.", "The well-known kiln heats a well-known clay."),
        ("Give it the option -h, or --no-\n       heat for all.", "Give it the option -h, or --no- heat for all."),
    ],
)
def test_divided_words_of_a_manual_page_are_put_together(text: str, shown: str) -> None:
    manual = f"<pre>NAME\n       kiln - heats clay\n\nDESCRIPTION\n       {text}\n\nBUGS\n       None are known so far.</pre>"
    assert ("prose", shown) in kinds(manual)


LEAD = "All that stands below this line is a part of the text, and\nso it is read as one.\n\n"


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        (
            "What it does :\n  - it heats the clay, as long as there\n    is some left;\n  - it cools down.",
            [
                ("prose", "What it does :"),
                ("list", "- it heats the clay, as long as there is some left;\n- it cools down."),
            ],
        ),
        (
            "  1. heat it for as long as it takes\n\n  2. wait until it is cold",
            [("list", "1. heat it for as long as it takes\n2. wait until it is cold")],
        ),
        (
            "What it heats is called an all-\npurpose clay by those who use it.",
            [("prose", "What it heats is called an all-purpose clay by those who use it.")],
        ),
        (
            "Note: it is hot for an hour or two, so\n      do not open it.",
            [("prose", "Note: it is hot for an hour or two, so do not open it.")],
        ),
        (
            "     OK   The kiln is ready to be opened, since it has\n          cooled down.",
            [("definition", "OK"), ("definition", "The kiln is ready to be opened, since it has cooled down.")],
        ),
        (
            "  -h <heat> the heat of the kiln, in degrees that are shown\n            as they are read.",
            [("code", "-h <heat> the heat of the kiln, in degrees that are shown\n          as they are read.")],
        ),
        (
            "<heat> is how hot the kiln is, in degrees that are shown\n       as they are read.\n"
            "one    is the first of all kilns, which is\n       the oldest.",
            [
                ("definition", "<heat>"),
                ("definition", "is how hot the kiln is, in degrees that are shown as they are read."),
                ("definition", "one"),
                ("definition", "is the first of all kilns, which is the oldest."),
            ],
        ),
        (
            "Heat the kiln until it is hot, and let it cool\n     down.",
            [("code", "Heat the kiln until it is hot, and let it cool\n     down.")],
        ),
        (
            "one       the first kiln of all\ntwo       the second of the kilns.",
            [("code", "one       the first kiln of all\ntwo       the second of the kilns.")],
        ),
        ("    kiln -h 900 pots\n        --quiet", [("code", "kiln -h 900 pots\n    --quiet")]),
        ("kiln.\n  heat 900", [("code", "kiln.\n  heat 900")]),
        ("o forno envia uma mensagem", [("code", "o forno envia uma mensagem")]),
        ("o  it heats\no  it cools", [("list", "- it heats\n- it cools")]),
    ],
)
def test_the_parts_of_a_text(text: str, blocks: list[tuple[str, str]]) -> None:
    assert kinds(f"<pre>{LEAD * 2}{escape(text)}</pre>")[2:] == blocks


def test_a_text_that_the_page_calls_text_may_be_a_single_line_that_is_no_sentence() -> None:
    assert kinds('<pre class="text">Set the heat</pre>') == [("prose", "Set the heat")]
    assert kinds('<pre class="prettyprint arguments">Set the heat</pre>') == [("prose", "Set the heat")]
    assert kinds('<pre class="prettyprint">Set the heat</pre>') == [("code", "Set the heat")]
    assert kinds('<pre class="text">set heat=900</pre>') == [("code", "set heat=900")]
