"""A page with thirty broken links, each in a form of its own, among two hundred look-alikes in code."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.plugin.checking.sites import BASE

# Where the destination stands there is a `@`; `#` stands for a number of its own.
LINKS = (
    "Text [text](@) goes on.",
    "Text [text](<@>) goes on.",
    'Text [text](@ "A title") goes on.',
    "Text [text]( @ 'A (title)' ) goes on.",
    "Some **bold [text](@)** and more.",
    "- An item [text](@)\n- Another",
    "1. An item [text](@)\n2. Another",
    "- An item\n\n    - One in it [text](@)",
    "> A quote [text](@).",
    "!!! note\n\n    A note [text](@).",
    '??? tip "Details"\n\n    Hidden [text](@).',
    '=== "One"\n\n    A tab [text](@).\n\n=== "Two"\n\n    Another.',
    "| A | B |\n| --- | --- |\n| [text](@) | x |",
    "A note[^note#].\n\n[^note#]: It says [text](@).",
    "See [text][ref#].\n\n[ref#]: @",
    'See [text][ref#] too.\n\n[ref#]: <@>\n    "A title"',
    "See [ref#] as well.\n\n  [ref#]: @ (title)",
    "[text](@){ .button }",
    "### A heading [text](@)",
    'Text <a class="x" href="@">x</a> goes on.',
    "<div>\n<a href='@'>x</a>\n</div>",
    "<div markdown>\n\nText [text](@).\n\n</div>",
    "Term\n:   A definition [text](@).",
    "[![alt](img/zebra.png)](@)",
    "[a [nested] text](@)",
    "[`code`](@) and `code`",
    "[fine](index.md) and [text](@) and [fine](animals/lion.md).",
    "[a text\nover two lines](@)",
    "Text <%> goes on.",
    "Text % goes on.",
)

LOOK_ALIKES = (
    "```\n[x](@)\n```",
    "```md\n[x#]: @\n```",
    '~~~\n<a href="@">x</a>\n~~~',
    "Text `[x](@)` goes on.",
    "Text ``[x](@) ` `` goes on.",
    "Text:\n\n    [x](@)\n",
    "<!-- [x](@) -->",
    '<!--\n[x#]: @\n<a href="@">x</a>\n-->',
    '=== "Tab"\n\n    ```md\n    [x](@)\n    ```',
    "!!! note\n\n    ```md\n    [x](@)\n    ```",
    "- An item\n\n    ```md\n    [x](@)\n    ```",
    "Text \\[x](@) goes on.",
    "<pre>[x](@)</pre>",
    "[unused#]: @",
    "| A | B |\n| --- | --- |\n| `[x](@)` | x |",
    "<script>var x = '<a href=\"@\">x</a>';</script>",
    "Text [x] (@) goes on.",
    "````md\n```\n[x](@)\n```\n````",
    'Text `<a href="@">` goes on.',
    "#### A heading with `[x](@)`",
)

# As written, and as corrected: mistakes that plainly mean one place.
MISTAKES = (
    ("animals/lion.md#mane_of_a_lion", "animals/lion.md#mane-of-a-lion"),
    ("animals/lion.md#mane-of-a-loin", "animals/lion.md#mane-of-a-lion"),
    ("animals/zebra.md#mane-of-a-lion", "animals/lion.md#mane-of-a-lion"),
    ("animals/Lion.md#mane-of-a-lion", "animals/lion.md#mane-of-a-lion"),
    ("lion.md#mane-of-a-lion", "animals/lion.md#mane-of-a-lion"),
    ("animals/lion#Mane-of-a-lion", "../animals/lion/#mane-of-a-lion"),
)
ABSOLUTE = (f"{BASE}animals/lion/#mane_of_a_lion", f"{BASE}animals/lion/#mane-of-a-lion")
# HTML counts from the address of the page.
RAW = ("../animals/lion/#mane_of_a_lion", "../animals/lion/#mane-of-a-lion")


@dataclass(frozen=True)
class Planted:
    """A source, its broken links by line as they are written, and the source with all of them corrected."""

    text: str
    broken: list[tuple[int, str]]
    corrected: str


def planted(seed: int = 1, look_alikes: int = 200) -> Planted:
    """All links once, the look-alikes in turn, in an order by chance."""
    chance = random.Random(seed)
    pieces: list[tuple[str, str, str]] = []
    for number, form in enumerate(LINKS):
        wrong, right = ABSOLUTE if "%" in form else RAW if "href=" in form else MISTAKES[number % len(MISTAKES)]
        mark = "%" if "%" in form else "@"
        piece = form.replace("#", str(number)) if "ref#" in form or "note#" in form else form
        pieces.append((piece.replace(mark, wrong), wrong, piece.replace(mark, right)))
    for number in range(look_alikes):
        form = LOOK_ALIKES[number % len(LOOK_ALIKES)]
        piece = form.replace("x#", f"x{number}").replace("unused#", f"unused{number}")
        piece = piece.replace("@", f"animals/lion.md#fake_{number}")
        pieces.append((piece, "", piece))
    chance.shuffle(pieces)
    front = '---\ntitle: Planted\ndescription: "[x](animals/lion.md#fake_title)"\n---\n\n# Planted\n\n'
    text = corrected = front
    broken: list[tuple[int, str]] = []
    for piece, wrong, right in pieces:
        if wrong:
            broken.append((text.count("\n") + piece[: piece.index(wrong)].count("\n") + 1, wrong))
        # Between lists and what is indented there has to be something that ends them.
        text += f"{piece}\n\nBetween.\n\n"
        corrected += f"{right}\n\nBetween.\n\n"
    return Planted(text, broken, corrected)
