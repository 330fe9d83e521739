"""Broken PDFs: every one is read or refused with a reason, none ends the build, none takes longer than a page may.

TRUEREF_MUTATIONS says how many.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from tests.conftest import SEED
from tests.plugin.pdfs import framed, picture, write_pdf
from tests.plugin.processor_time import children, spent

from trueref_plugin.pdf.pdf_guard import SECONDS_A_PAGE, SECONDS_TO_OPEN, GuardedPdfs
from trueref_plugin.pdf.pdf_parse import parse_pdf
from trueref_plugin.reading.guarding.child import PageRefused

FILES = int(os.environ.get("TRUEREF_MUTATIONS") or 150)
WORDS = (
    b"/Length",
    b"/Kids",
    b"/Count",
    b"/Filter",
    b"/Type",
    b"obj",
    b"endstream",
    b"xref",
    b"/Pages",
    b"R",
    b"<<",
    b">>",
)
REASONS = (
    "it is damaged",
    "it is protected",
    "it took the parser",
    "the parser crashed on it",
    "it needs too much memory",
)


def originals(folder: Path) -> list[bytes]:
    """Files of several kinds."""
    many = [[f"Line {line} of page {page}." for line in range(30)] for page in range(6)]
    return [
        write_pdf(folder / "a.pdf", [["One page."]], title="One").read_bytes(),
        write_pdf(folder / "b.pdf", many, draw=framed, bookmarks=[(1, "A"), (3, "B")]).read_bytes(),
        write_pdf(folder / "c.pdf", [[], ["x"]], draw=picture).read_bytes(),
        write_pdf(folder / "d.pdf", [["secret"]], password="x").read_bytes(),
    ]


def mutated(chance: random.Random, data: bytes) -> bytes:
    """A file with a few changes of its bytes, of its numbers, or of its structure."""
    made = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 4))):
        at = chance.randrange(len(made))
        kind = chance.randrange(6)
        if kind == 0:
            made[at] = chance.randrange(256)
        elif kind == 1:
            del made[at : at + chance.randint(1, 200)]
        elif kind == 2:
            made[at:at] = made[(start := chance.randrange(len(made))) : start + chance.randint(1, 400)]
        elif kind == 3:
            made[at : at + 1] = str(chance.choice((-1, 0, 1, 2**31, 2**63, 10**9))).encode()
        elif kind == 4:
            word = chance.choice(WORDS)
            found = made.find(word, at)
            if found >= 0:
                made[found : found + len(word)] = chance.choice(WORDS)
        else:
            del made[at:]
        if not made:
            return b"%PDF"
    return bytes(made)


@pytest.mark.timeout(60 + FILES)
def test_broken_files_are_read_or_refused(tmp_path: Path) -> None:
    chance, whole = random.Random(SEED), originals(tmp_path)
    slowest, refused, seen, others = 0.0, list[str](), set[int](), children()
    with GuardedPdfs() as guarded:
        for number in range(FILES):
            data = mutated(chance, chance.choice(whole))
            before = spent(children() - others)
            try:
                opened = guarded.open(data)
                found, _ = parse_pdf(f"{number}.pdf", opened, list(guarded.pages(opened)))
                assert len(found.sections) == opened.pages + 1
            except PageRefused as error:
                refused.append(str(error))
            running = children() - others
            slowest = max(slowest, spent(running) - before)
            seen |= running
    print(f"{FILES} files: {len(refused)} refused, {len(seen)} children, the slowest took {slowest:.2f} s")
    assert 0 < len(refused) < FILES
    assert all(reason.startswith(REASONS) for reason in refused), refused
    assert slowest < SECONDS_TO_OPEN + SECONDS_A_PAGE
