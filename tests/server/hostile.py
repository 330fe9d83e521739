"""A model that wants a broken link to reach a reader: answers made of links in every syntax, cut and joined at random."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random

from markdown import Markdown
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser
from tests.server.hostile_syntax import FURTHER_SHAPES, FURTHER_TARGETS

from trueref_core.links.target_lookup import look_up_link
from trueref_core.manifest.lookup import Manifest

BASE = "https://docs.example.org/demo/"

ANSWERS = int(os.environ.get("TRUEREF_HOSTILE_ANSWERS") or 300)
"""Answers that are checked in each round; the long round checks `ALL_ANSWERS`."""
ALL_ANSWERS = 10_000

TARGETS = (
    *"setup/colors/ setup/colors/#dark-mode install/#with-pip install/#gr%C3%B6%C3%9Fe /install/ ../install/ install # "
    "setup/colors/#darkmode setup/colours/ setup/setup/colors/ install/install/#with-pip install/#with.pip nowhere/ "
    "setup.colors.dark_mode colors.md install.html#with_pip javascript:alert(1) JaVaScRiPt:alert(1) data:text/html,x "
    "vbscript:x //evil.example.net/ https://evil.example.net/a(b)c http:evil www.evil.example.net mailto:a@evil.net "
    "https://docs.example.org.evil.net/demo/install/ https://user@docs.example.org/demo/install/ http://[::1]/ \\\\evil "
    "https://docs.example.org/demo/install/#with-pip https://docs.example.org/demo/nowhere/ https://evil.net/?a=[1]&b=2 "
    "java&#115;cript:x https&colon;//evil.net http://localhost:8000/x ftp://evil.net/ https://evil.net/_a_*b*".split(),
    *FURTHER_TARGETS,
)

SHAPES = (
    "[{w}]({t})", '[{w}]({t} "{w}")', "[{w}](<{t}>)", "[{w}][{w}]", "[{w}][]", "[{w}]: {t}\n", "\n[{w}]: <{t}> '{w}'\n",
    "<{t}>", "{t}", "({t})", "**{t}**", "_{t}_", "![{w}]({t})", "![{w}][{w}]", "[![{w}]({t})]({t})", "[{w} [{w}]({t})]({t})",
    '<a href="{t}">{w}</a>', "<a href={t}>{w}", "<img src='{t}'>", "<script src={t}></script>", "<a\nhref='{t}'>", "<{w}>",
    "<!-- {t} -->", "<!-- {t}", "`{t}`", "`[{w}]({t})`", "``[{w}]({t})``", "`a | [{w}]({t})`", "| `{w} | [{w}]({t}) ` |\n",
    "| a | b |\n|---|---|\n| `{w} | [{w}]({t}) ` |\n", "\n```py\n[{w}]({t})\n```\n", "\n~~~\n[{w}]({t})\n~~~\n", "\n    [{w}]({t})\n",
    "\n- ```\n[{w}]({t})\n", "\n1. ```sh\n   {t}\n   ```\n", "\n> ```\n> [{w}]({t})\n", "\n   ```\n[{w}]({t})\n   ```\n", "\n    ```\n",
    "[1]", "[7]", "[1, 2]", "[[1]]", "[1]({t})", "[^1]", "\n[^1]: {t}\n", "[1]: {t}\n", "\u30101\u3011", "\u30109\u2020{t}\u3011", "*[{w}]: {t}\n",
    "[{w}](\n{t})", "[{w}\n{w}]({t})", "[{w}](https://", "](https://evil.net)", "]({t})", "[{w}", "\\[{w}]({t})", "[{w}\\]({t})", "!\\[{w}]({t})",
    "[{w}]({t}){{: href=https://evil.net }}", "<<b>a href={t}>", "www<b></b>.evil.net", "https:/<i>/evil.net", "www[.evil.net]({t})", "htt![]({t})ps://evil.net",
    "`{w}`{{: onclick=alert(1) href={t} }}", "*{w}*{{href={t}}}", "\n# {w} {{: onclick='{t}' }}\n", "\n{w}\n{{: style=x href=\"{t}\" }}\n",
    "\n- {w}\n{{ onclick={t} }}\n", "**{w}**\\{{: onclick={t} \\}}", "| a {{ onclick={t} }} |\n|---|\n| b {{ onclick={t} }} |\n",
    "www`", ".evil.net", "a@`", "@evil.net", "https:", "//evil.net", "&#104;ttps://evil.net", "https\\://evil.net", "www\\.evil.net", "a\\@evil.net",
    *FURTHER_SHAPES,
)  # fmt: skip
PROSE_SHAPES = tuple(shape for shape in SHAPES if "```" not in shape and "~~~" not in shape)
LETTERS = (
    *"[]()<>!`\\|~*_#:&;\"'\n\r\t .-=1a@/",
    "\0",
    "\u200b",
    "\u202e",
    "\n\n",
    "\ud800",
    "\u3002",
    "``",
    "\n---|---\n",
)
WORDS = (
    "dark mode",
    "a",
    "1",
    "kiln.fire",
    "`x`",
    "*b*",
    "x|y",
    "a]b",
    "<b>",
    "https://evil.net",
    "\U0001f600",
    "w" * 70,
)


def hostile_answer(random: Random) -> str:
    """An answer of up to forty pieces, some of them cut short, now and then with an endless line."""
    pieces: list[str] = []
    for _ in range(random.randint(1, 40)):
        roll = random.random()
        if roll < 0.3:
            pieces.append("".join(random.choices(LETTERS, k=random.randint(1, 4))))
        elif roll < 0.45:
            pieces.append(random.choice((" ", "\n", "\n\n", " and ", "- ", "1. ", "> ")))
        elif roll < 0.455:
            pieces.append(random.choice(("x", "[", "(", "`", "<", "https://evil.net/", "[x](", "![")) * 900)
        else:
            # Most of what follows an open fence is code, where nothing can be wrong.
            shapes = SHAPES if random.random() < 0.2 else PROSE_SHAPES
            shape = random.choice(shapes).format(w=random.choice(WORDS), t=random.choice(TARGETS))
            pieces.append(shape[: random.randint(1, len(shape))] if random.random() < 0.1 else shape)
    return "".join(pieces)


STATEMENT_ENDS = (".", "\u3002", "! ", ". ", ".\n", ":", "?", "\u3002[1]", " [2].", " [1]. ", ",", ".* ", ".] ")


def hostile_statements(random: Random, statements: Sequence[str]) -> str:
    """An answer in which sentences of the sources, which get citations, stand against links of every syntax."""
    pieces: list[str] = []
    for _ in range(random.randint(1, 8)):
        pieces.append(random.choice(statements) + random.choice(STATEMENT_ENDS))
        for _ in range(random.randint(0, 3)):
            word = random.choice((*WORDS, *statements))
            pieces.append(random.choice(PROSE_SHAPES).format(w=word, t=random.choice(TARGETS)))
        if random.random() < 0.2:
            pieces.append("".join(random.choices((*LETTERS, "(nowhere/)", "[a](", "{: href=x }"), k=3)))
    return "".join(pieces)


RECORDED = Path(__file__).parent / "model" / "fact_check" / "sentences.jsonl"


RAW = Path(__file__).parent / "references" / "recorded.jsonl"


def recorded_answers() -> list[str]:
    """What a real small model wrote about our docs: raw answers, and the sentences that were kept of labelled ones."""
    lines = RECORDED.read_text(encoding="utf-8").splitlines()
    labelled = ["\n".join(sentence["text"] for sentence in json.loads(line)["sentences"]) for line in lines]
    return [*labelled, *raw_answers()]


def raw_answers() -> list[str]:
    """Answers as they came, most of them to prompts that ask for links: see `tests/llm/record_answers.py`."""
    return [json.loads(line)["text"] for line in RAW.read_text(encoding="utf-8").splitlines()]


COMMON_MARK = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
EXTENSIONS = ("tables", "fenced_code", "footnotes", "attr_list", "abbr", "md_in_html", "def_list")


def renderings(text: str) -> list[str]:
    """A text as HTML, by the two families of renderers: CommonMark with tables and HTML, and Python-Markdown."""
    return [COMMON_MARK.render(text), Markdown(extensions=EXTENSIONS).convert(text)]


ADDRESSES = ("href", "src", "srcset", "action", "formaction", "data", "poster", "xlink:href", "background", "cite")
LOADING = "img,script,iframe,object,embed,style,link,meta,base,form,svg,math,video,audio,source,input,button"
TRAILING = "?!.,:*_~)]"
RUNS_SCRIPT = re.compile(r"on", re.IGNORECASE)
BARE = re.compile(r"(?<![a-z0-9])((?:https?://|www\.)[a-z0-9][^\s<>]*)|[\w.+-]@[\w-]+\.[\w-]", re.IGNORECASE)


def broken_links(html: str, manifest: Manifest) -> list[str]:
    """What a reader could follow or load that does not land: addresses, elements, and text that is linked by itself."""
    tree = LexborHTMLParser(html)
    found = [node.html or "" for node in tree.css(LOADING) if node.parent is not None and node.parent.tag != "head"]
    for node in tree.css("*"):
        found += [f"{name}={value}" for name, value in node.attributes.items() if value and RUNS_SCRIPT.match(name)]
        for name in ADDRESSES:
            # An attribute without a value has None here, and leads to the page itself.
            address = node.attributes[name] or "" if name in node.attributes else None
            if address is not None and not lands(address, manifest):
                found.append(f"{name}={address}")
    for node in tree.css("code, pre, a"):
        node.decompose()
    # A link may stay text where marks are nested too deeply for a renderer. Linked by itself it lands all the same.
    bare = BARE.finditer(tree.text(separator="\n") if tree.body else "")
    return [*found, *(match[0] for match in bare if not match[1] or not lands(match[1].rstrip(TRAILING), manifest))]


def lands(address: str, manifest: Manifest) -> bool:
    """Whether a browser that follows an address arrives at the page and at the anchor that it names."""
    return address.startswith(BASE) and look_up_link(manifest, address) == "place"
