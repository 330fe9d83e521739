"""Broken pages made of real ones, by chance that can be had again."""

from __future__ import annotations

import random
import tarfile
from collections.abc import Callable, Sequence

from tests.conftest import ROOT, SEED, SHARED

Mutation = Callable[[random.Random, bytes, Sequence[bytes]], bytes]

NESTING = (
    "div",
    "b",
    "a href=x",
    "ul><li",
    "table><tr><td",
    "section",
    "font",
    "blockquote",
    "svg><g",
    "details",
    "h2",
)
"""Tags to be nested, less their outer brackets."""

UNCLOSED = (
    *("<!--", "<!-", "<!", "<?", "</", "<![CDATA[", "<script>", "<style>", "<textarea>", "<title>", "<plaintext>"),
    *("<template>", "<svg>", "<math>", "<noscript>", "<iframe>", "<select>", "<frameset>", "<head>", "<body id=late>"),
    *('<p id="', "<p id='x", "<p id=x", "<a name=", "<table>", "<ruby><rt>", "<svg><foreignObject>", "<math><mi>"),
)
"""What swallows the rest of a page, or turns it into something else."""

HEADS = (
    '<link rel="canonical" href="http://[">',
    '<link rel="canonical" href="https://example.org:port/a/">',
    '<link rel="canonical" href="https://example.org/%ff/%">',
    '<meta http-equiv="refresh" content="0; url=//[">',
    '<meta http-equiv="refresh" content="0; url=https://example.org:99999/#%ff">',
    '<meta http-equiv="refresh" content="">',
    '<base href="http://[">',
    '<meta charset="utf-16">',
    '<meta charset="shift_jis">',
    '<meta charset="nonsense">',
    '<html lang="\x00">',
    '<meta name="generator" content="">',
)
"""What a reader of the head has to make sense of."""

IDS = (
    "",
    " ",
    "%",
    "%25",
    "%zz",
    "#",
    "a b",
    "__x",
    "\ufffe",
    "e\u0301",
    "\u202e",
    "👩\u200d🚀",
    "x" * 5000,
    "&#0;",
    "&#xD800;",
    "&amp",
)
"""Values of ids that stand on no page."""


def originals() -> list[bytes]:
    """Pages to break: the committed ones, and some of the development sites where they are there."""
    tests = ROOT / "tests"
    pages = [path.read_bytes() for path in sorted([*tests.glob("sites/odd/*.html"), *tests.glob("golden/*.html")])]
    for archive in sorted(SHARED.glob("*.site.tar.xz")):
        with tarfile.open(archive) as files:
            members = [member for member in files if member.name.endswith(".html")]
            chosen = random.Random(SEED).sample(members, 20)
            pages += [stream.read() for member in chosen if (stream := files.extractfile(member))]
    return pages


def mutated(chance: random.Random, page: bytes, others: Sequence[bytes]) -> bytes:
    """A page with one to four things broken. `others` gives slices that belong elsewhere."""
    for mutation in chance.choices(MUTATIONS, k=chance.choice((1, 1, 2, 4))):
        page = mutation(chance, page, others)
    return page


def _flip(chance: random.Random, page: bytes, others: Sequence[bytes]) -> bytes:
    flipped = bytearray(page)
    for _ in range(chance.choice((1, 5, 50)) if page else 0):
        flipped[chance.randrange(len(page))] ^= 1 << chance.randrange(8)
    return bytes(flipped)


def _cut_short(chance: random.Random, page: bytes, others: Sequence[bytes]) -> bytes:
    return page[: _place(chance, page)]


def _cut_tag(chance: random.Random, page: bytes, others: Sequence[bytes]) -> bytes:
    """A tag or the end of one is gone."""
    start = page.find(b"<", _place(chance, page))
    return page[:start] + page[start + chance.choice((1, 2, 8, 40)) :] if start >= 0 else page


def _nest(chance: random.Random, page: bytes, others: Sequence[bytes]) -> bytes:
    tags = f"<{chance.choice(NESTING)}>" * chance.choice((5, 60, 140, 160, 1000, 5000))
    return _inserted(chance, page, tags.encode())


def _huge_attribute(chance: random.Random, page: bytes, others: Sequence[bytes]) -> bytes:
    name = chance.choice(("id", "class", "title", "href", "name", "content", "d"))
    return _inserted(chance, page, f'<a {name}="{"x/&amp;" * chance.choice((10, 2000, 50_000))}">'.encode())


def _many_attributes(chance: random.Random, page: bytes, others: Sequence[bytes]) -> bytes:
    names = " ".join(f"a{number}" for number in range(chance.choice((20, 250, 300, 3000))))
    return _inserted(chance, page, f"<p {names} id=many>".encode())


def _nul(chance: random.Random, page: bytes, others: Sequence[bytes]) -> bytes:
    for _ in range(chance.choice((1, 3, 30))):
        page = _inserted(chance, page, b"\0")
    return page


def _mix_encodings(chance: random.Random, page: bytes, others: Sequence[bytes]) -> bytes:
    at = _place(chance, page)
    rest = page[at:].decode("utf-8", "replace")
    kind = chance.randrange(4)
    if kind == 0:
        return chance.choice((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")) + page
    if kind == 1:
        return page[:at] + rest.encode(chance.choice(("utf-16", "cp1252", "shift_jis", "utf-7")), "replace")
    if kind == 2:
        return rest.encode("utf-16")
    return _inserted(chance, page, b"\xff\xc3\xed\xa0\x80\xf4\x90\x80\x80")


def _leave_open(chance: random.Random, page: bytes, others: Sequence[bytes]) -> bytes:
    return _inserted(chance, page, chance.choice(UNCLOSED).encode())


def _repeat(chance: random.Random, page: bytes, others: Sequence[bytes]) -> bytes:
    piece = _slice(chance, page)
    return _inserted(chance, page, piece * chance.choice((1, 2, 10)))


def _mingle(chance: random.Random, page: bytes, others: Sequence[bytes]) -> bytes:
    return _inserted(chance, page, _slice(chance, chance.choice(others)))


def _odd_head(chance: random.Random, page: bytes, others: Sequence[bytes]) -> bytes:
    at = page.find(b"<head>") + 6
    return page[:at] + chance.choice(HEADS).encode() + page[at:]


def _odd_id(chance: random.Random, page: bytes, others: Sequence[bytes]) -> bytes:
    tag = chance.choice(("h2", "p", "dt", "tr", "section", "svg", "a"))
    return _inserted(
        chance, page, f'<{tag} {chance.choice(("id", "name"))}="{chance.choice(IDS)}">odd</{tag}>'.encode()
    )


MUTATIONS: tuple[Mutation, ...] = (
    *(_flip, _cut_short, _cut_tag, _nest, _huge_attribute, _many_attributes, _nul, _mix_encodings, _leave_open),
    *(_repeat, _mingle, _odd_head, _odd_id),
)


def _place(chance: random.Random, page: bytes) -> int:
    return chance.randrange(len(page) + 1)


def _slice(chance: random.Random, page: bytes) -> bytes:
    start = _place(chance, page)
    return page[start : start + chance.choice((20, 500, 5000))]


def _inserted(chance: random.Random, page: bytes, piece: bytes) -> bytes:
    # Half of the pieces between two tags, where they are markup and not the middle of some word or value.
    at = _place(chance, page)
    if chance.random() < 0.5:
        at = max(0, page.find(b"<", at))
    return page[:at] + piece + page[at:]
