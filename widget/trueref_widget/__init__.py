"""The built widget as files, and the lines of HTML that put it on a page. Depends on nothing."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

__all__ = ["FILES", "STATIC", "WidgetOptions", "ask_server", "file_bytes", "inject", "snippet"]

STATIC: Path = Path(__file__).parent / "static"
"""The folder of the built files. The two of the PDF viewer are compressed in it, with `.gz` behind their names."""

LANGUAGES: tuple[str, ...] = ("de", "es", "fr", "it", "ja", "nl", "pl", "pt", "zh")
"""The languages besides English that the words of the widget and of the server are shipped in."""

FILES: tuple[str, ...] = (
    "trueref.js",
    "trueref-panel.js",
    "trueref-answers.js",
    "trueref-landing.js",
    "trueref-static.js",
    "trueref-pdf.js",
    "trueref-pdf-worker.js",
    *(f"trueref-{language}.js" for language in LANGUAGES),
)
"""The files a site must serve, side by side in one folder; pages name only the first."""

_ELEMENT = "<trueref-chat"
_SERVER = re.compile(r"""(<trueref-chat\b[^<>]{0,4000}?\sserver=)("[^"<>]*"|'[^'<>]*'|[^\s"'<>]+)""")
_SKIPPED_OR_END = re.compile(r"<!--|<(?:script|style|textarea|title)\b|</body\s*>", re.IGNORECASE | re.ASCII)
_BASE = re.compile(r"<base[\s/>]", re.IGNORECASE | re.ASCII)
_BEFORE_HTML = re.compile(r"\s+|<!--(?:-?>)?|<!|<\?", re.ASCII)
_ENDS_COMMENT = re.compile(r"--!?>")


@dataclass(frozen=True)
class WidgetOptions:
    """What the element on a page is told. An empty string leaves the widget's own default, except for `shortcut`."""

    server: str = "/_trueref"
    """Prefix of the answer server: a path on the same origin, or an absolute URL; empty if the files beside the site
    answer."""
    base: str = "./"
    """The site root relative to the page, for example `../../`."""
    assets: str = ""
    """The folder of the built files relative to the page; `{base}assets/trueref/` when empty."""
    lang: str = ""
    """Language of the words in the widget."""
    label: str = ""
    """Text of the pill and title of the panel."""
    shortcut: str = "i"
    """The letter that opens the panel together with Ctrl or Cmd; empty for none."""
    position: str = ""
    """`right` or `left`."""
    accent: str = ""
    """A CSS color; the theme's own accent when empty."""
    pdf: str = ""
    """`viewer`, or `link` for plain links to PDFs."""
    words: Mapping[str, str] = field(default_factory=dict[str, str])
    """Sentences by name that replace the built-in ones."""


def file_bytes(name: str) -> bytes:
    """Return the content of one of `FILES`, as a site must serve it.

    Raises:
        FileNotFoundError: The package has no such file.
    """
    compressed = STATIC / f"{name}.gz"
    return gzip.decompress(compressed.read_bytes()) if compressed.is_file() else (STATIC / name).read_bytes()


def snippet(options: WidgetOptions) -> str:
    """Return the HTML that puts the widget on a page."""
    attributes = {
        "server": options.server,
        "base": options.base,
        "lang": options.lang,
        "label": options.label,
        "position": options.position,
        "accent": options.accent,
        "pdf": options.pdf,
        "words": json.dumps(dict(options.words), ensure_ascii=False) if options.words else "",
    }
    written = [f'{name}="{escape(value)}"' for name, value in attributes.items() if value or name == "server"]
    if options.shortcut != "i":
        written.append(f'shortcut="{escape(options.shortcut)}"')
    assets = options.assets or f"{options.base}assets/trueref/"
    script = f'<script type="module" src="{escape(assets)}trueref.js"></script>'
    return f"{_ELEMENT} {' '.join(written)}></trueref-chat>{script}"


def inject(html: str, snippet: str) -> str:
    """Insert a snippet before the last `</body>` outside comments and scripts, or at the end if there is none.

    If a `<base>` is written anywhere in the page, the script stands before all of its elements. Its address counts from
    the page: behind a base that names another host, that host could put its own script in the place of ours. A page
    that already has the element comes back unchanged, so a second pass does no harm.
    """
    if _ELEMENT in html:
        return html
    end = _end_of_body(html)
    if _BASE.search(html) is None:
        return html[:end] + snippet + html[end:]
    # Which `<base>` counts, only a parser could tell: one in an attribute does not, and one in a title of an SVG does.
    begin = _begin_of_html(html)
    end = max(begin, end)
    element, tag, script = snippet.partition("<script")
    return html[:begin] + tag + script + html[begin:end] + element + html[end:]


def ask_server(html: str, server: str) -> str:
    """Return a page whose widget asks another server: the one that serves the page now."""
    return _SERVER.sub(lambda attribute: f'{attribute[1]}"{escape(server)}"', html, count=1)


def _begin_of_html(html: str) -> int:
    """Return where the first element can stand: behind the doctype, without which a browser would go by other rules.

    Each character is read once.
    """
    at = 1 if html.startswith("\ufeff") else 0
    while opening := _BEFORE_HTML.match(html, at):
        opens = opening.group()
        if opens == "<!--":
            closed = _ENDS_COMMENT.search(html, opening.end())
            if closed is None:
                return at
            at = closed.end()
        elif opens in ("<!", "<?"):
            # A doctype, or what browsers take for a comment: it ends at the first `>`, quoted or not.
            closed_at = html.find(">", opening.end())
            if closed_at < 0:
                return at
            at = closed_at + 1
        else:
            at = opening.end()
    return at


def _end_of_body(html: str) -> int:
    """Return where the last `</body>` starts, the length of the page for none.

    Each character is read once.
    """
    end = len(html)
    at = 0
    folded = html.lower() if html.isascii() else re.sub("[A-Z]+", lambda capitals: capitals[0].lower(), html)
    while tag := _SKIPPED_OR_END.search(folded, at):
        opens = tag.group()
        if opens.startswith("</"):
            end, at = tag.span()
            continue
        # `<!-->` is a whole comment.
        closing, start = ("-->", tag.start() + 2) if opens == "<!--" else (f"</{opens[1:]}", tag.end())
        closed = folded.find(closing, start)
        if closed < 0:
            break
        at = closed + len(closing)
    return end
