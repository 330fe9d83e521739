"""The child that parses odd pages: it is ended when it takes too long, and the next page has a new one."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator

import pytest
from tests.plugin.pages import page
from tests.plugin.processor_time import children, spent

from trueref_plugin.reading.guarding import guard
from trueref_plugin.reading.guarding.child import PageRefused
from trueref_plugin.reading.guarding.guard import GuardedReader
from trueref_plugin.reading.parse import parse_page

PLAIN = page('<h1 id="x">X</h1><p>a</p><p class="mine">b</p>')
ATTRIBUTES = page("<p " + " ".join(f"a{number}" for number in range(70_000)) + ">x</p>")
NESTED = page("<div>" * 100_000)


@pytest.fixture
def guarded(monkeypatch: pytest.MonkeyPatch) -> Iterator[GuardedReader]:
    monkeypatch.setattr(guard, "SECONDS_A_PAGE", 1)
    with GuardedReader() as reader:
        yield reader


@pytest.mark.parametrize("selector", [None, ".mine"])
def test_the_child_reads_what_this_process_reads(guarded: GuardedReader, selector: str | None) -> None:
    assert guarded.read_in_child(parse_page, PLAIN, selector) == parse_page(PLAIN, selector)


@pytest.mark.parametrize("html", [ATTRIBUTES, NESTED], ids=["attributes", "nested"])
def test_a_page_that_takes_too_long_is_refused_and_the_next_is_read(guarded: GuardedReader, html: str) -> None:
    others = children()
    assert guarded.read_in_child(parse_page, PLAIN, None).title == "X"
    (child,) = children() - others
    before = spent([child])
    with pytest.raises(PageRefused, match=r"^it took the parser more than [23]\.\d s$"):
        guarded.read_in_child(parse_page, html, None)
    assert child not in children(), "it goes on"
    assert spent() - before < 8
    assert guarded.read_in_child(parse_page, PLAIN, None).title == "X"


def stopped(reader: GuardedReader) -> int:
    """The child of a reader, which gets no processor until it is told to go on."""
    others = children()
    reader.read_in_child(parse_page, PLAIN, None)
    (child,) = children() - others
    os.kill(child, signal.SIGSTOP)
    # On a busy machine one of its threads may still answer a request before all of them stand still.
    os.waitpid(child, os.WUNTRACED)
    return child


def test_a_page_that_waits_for_the_processor_is_read(guarded: GuardedReader) -> None:
    """On a busy machine pages were left out that take a second on another one."""
    go_on = threading.Timer(2.5, os.kill, (stopped(guarded), signal.SIGCONT))
    go_on.start()
    assert guarded.read_in_child(parse_page, PLAIN, None).title == "X"
    go_on.join()


def test_a_child_that_never_gets_the_processor_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "SECONDS_A_PAGE", 0.1)
    with GuardedReader() as reader:
        child = stopped(reader)
        with pytest.raises(PageRefused, match=r"^it took the parser more than 0\.1 s$"):
            reader.read_in_child(parse_page, PLAIN, None)
        with pytest.raises(ProcessLookupError):
            os.kill(child, 0)


def test_a_page_deeper_than_the_stack_of_this_process_is_read(guarded: GuardedReader) -> None:
    html = page("<div>" * 2_000 + "deep" + "</div>" * 2_000)
    assert [block.text for block in guarded.read_in_child(parse_page, html, None).blocks] == ["deep"]


def test_a_page_with_lone_surrogates_is_read(guarded: GuardedReader) -> None:
    html = page("<p>a\ud800b</p>".encode("utf-8", "replace").decode())
    assert guarded.read_in_child(parse_page, html, None).blocks[0].text == "a?b"


def test_a_child_that_dies_is_replaced(guarded: GuardedReader) -> None:
    others = children()
    assert guarded.read_in_child(parse_page, PLAIN, None).title == "X"
    (child,) = children() - others
    os.kill(child, signal.SIGKILL)
    with pytest.raises(PageRefused, match=r"^the parser crashed on it$"):
        guarded.read_in_child(parse_page, PLAIN, None)
    assert guarded.read_in_child(parse_page, PLAIN, None).title == "X"


def test_the_child_ends_with_its_reader() -> None:
    others = children()
    with GuardedReader() as reader:
        reader.read_in_child(parse_page, PLAIN, None)
        assert len(children() - others) == 1
    assert children() == others


def test_no_child_is_started_for_ordinary_pages() -> None:
    others = children()
    with GuardedReader() as reader:
        assert reader.read(parse_page, PLAIN, None).title == "X"
        assert children() == others
