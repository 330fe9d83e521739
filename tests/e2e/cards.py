"""Answers made by hand, one for each kind of block, and a server's stream that carries them to the widget."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Route
    from tests.e2e.browsing import Reader

Json = dict[str, Any]

PAYLOAD = '<img src="x" onerror="window.hit=1"><script>window.hit=2</script> [a](javascript:hit) javascript:hit'


def source(n: int, section: str, page: str, *breadcrumb: str) -> Json:
    """A source on a page of the docs."""
    crumbs = list(breadcrumb) or ["Configuration"]
    return {"n": n, "title": crumbs[0], "section": section, "breadcrumb": crumbs, "page": page, "href": f"{page}#texts"}


def block(kind: str, text: str, decides: str = "", *, caption: str = "", code_language: str = "") -> Json:
    """A block whose highlight is where `decides` stands in it."""
    at = text.index(decides)
    highlight = [at, at + len(decides)] if decides else None
    return {"kind": kind, "text": text, "caption": caption, "code_language": code_language, "highlight": highlight}


PROSE = block(
    "prose",
    "Every sentence 😀 that a reader sees can be replaced. Give the `words` under `widget`, by the names in the table "
    "below; a word that is not given stays as it is.\n\nThe text of the button itself is `label`.",
    "Give the `words` under `widget`, by the names in the table below; a word that is not given stays as it is.",
)
BLOCKS = {
    "paragraph": [PROSE],
    "list": [
        block(
            "list",
            "- `label` is the text of the button.\n- `shortcut` is the letter that opens it:\n  - with Ctrl\n  - with "
            "Cmd on a Mac,\n    and nowhere else\n- `position` says on which side it stands.",
            "`shortcut` is the letter that opens it:",
        )
    ],
    "table": [
        block("prose", "These options are given under `widget`:"),
        block(
            "table",
            "| Name | Default | What it does |\n| --- | --- | --- |\n| `label` | Ask the docs | The text |\n"
            "| `shortcut` | `i` | The letter that opens the panel |\n| `position` | `right` | `right` \\| `left` |",
            "| `shortcut` | `i` | The letter that opens the panel |",
        ),
    ],
    "code": [
        block("prose", "The text of the button is an option:"),
        block(
            "code",
            "plugins:\n  - search\n  …\n  - trueref:\n      widget:\n        label: Ask the handbook, which is rather a "
            "long line\n        position: left\n…",
            "        label: Ask the handbook, which is rather a long line",
            caption="mkdocs.yml",
            code_language="yaml",
        ),
    ],
    "admonition": [
        block("prose", "The widget is on every page."),
        block(
            "admonition",
            "Without `server_url` the widget is there only while you write. A public site needs a server of its own.",
            "A public site needs a server of its own.",
            caption="Only while you write",
        ),
    ],
    "definition": [block("definition", "`--no-deps`\n\nIgnore dependencies.", "Ignore dependencies.")],
}


def answer(*blocks: Json, **changed: Any) -> Json:
    """An answer with one open card, two folded ones and further sections."""
    excerpts = [
        {"n": 1, "caption": "Give the words under widget.", "blocks": list(blocks or BLOCKS["paragraph"])},
        {
            "n": 2,
            "caption": "Install the package with `pip install trueref`, add the plugin, and build the site as you "
            "always did before; nothing else is needed on any machine that has Python.",
            "blocks": BLOCKS["code"],
        },
        {"n": 3, "caption": "A short telling line.", "blocks": BLOCKS["list"]},
    ]
    return {
        "answer_id": "a",
        "text": "Give the words under widget.",
        "excerpts": excerpts,
        "sources": [
            source(1, "Texts", "configuration/", "Configuration", "The widget"),
            source(2, "Installation", "quick-start/", "Docker"),
            source(3, "Installation", "deploy/", "Docker"),
        ],
        "more": [source(4, "Style", "configuration/", "Configuration"), source(5, "Exports", "exports/", "Exports")],
        "citations": [1],
        "verdict": "answer",
        "note": "",
        "read_as": "",
        "generation": "",
    } | changed


NOT_FOUND = answer(
    excerpts=[], sources=[], citations=[], verdict="not-found", text="This does not seem to be in these docs."
)
CLOSEST = answer(verdict="closest", read_as="How do I change the label?", note="This is from version 1.2.")
WRITTEN = answer(
    excerpts=[], more=[], mode="model", text="Set **words** [1].\n\n```yaml\nwords: {}\n```\n\n- one [2]\n- two [9]"
)
HOSTILE = answer(
    *[block(kind, PAYLOAD, caption=PAYLOAD, code_language=PAYLOAD) for kind in ("prose", "code", "admonition")],
    block("list", f"- {PAYLOAD}"),
    block("table", f"| {PAYLOAD} |\n| --- |\n| {PAYLOAD} |"),
    read_as=PAYLOAD,
    note=PAYLOAD,
    more=[source(4, PAYLOAD, "configuration/") | {"href": "javascript:hit"}],
)


def answers_with(reader: Reader, given: Json) -> None:
    """Lets every question in this tab be answered with one answer, streamed as the server does."""
    events = [("sources", {"sources": given["sources"]}), ("delta", {"text": given["text"]}), ("done", given)]
    body = "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in events)

    def fulfil(route: Route) -> None:
        route.fulfill(body=body, content_type="text/event-stream")

    reader.page.unroute("**/_trueref/ask")
    reader.page.route("**/_trueref/ask", fulfil)
