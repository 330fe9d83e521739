"""The word whose meaning a question asks for, and what says it."""

from __future__ import annotations

import pytest

from trueref_server.question.meaning import defines, reads_as_entry, says_meaning, word_asked_for


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("what does steal mean in the cpu section", "steal"),
        ("What does `busy wait` stand for?", "busy wait"),
        ("what is the VIRT column?", "virt"),
        ("what's iowait in the first line", "iowait"),
        ("what's the meaning of iowait?", "iowait"),
        ("You are in 'detached HEAD' state. what does that mean", ""),
        ("what is the exit status?", "exit status"),
        ("what does the exit status mean?", "exit"),
        ("what is it", ""),
        ("what is the default value of queue.size", ""),
        ("what is the best way to run this at night", ""),
        ("how do I see steal", ""),
    ],
)
def test_a_question_asks_what_a_word_means(question: str, word: str) -> None:
    assert word_asked_for(question) == word


@pytest.mark.parametrize(
    "text",
    [
        "- idle: nothing to do at all\n- steal (Linux): the time of another guest",
        "- steal: (Linux): the time of another guest",
        "| Name | Meaning |\n| steal | the time of another guest |",
        "`steal` – the time of another guest",
        "Steal is the time of another guest.",
    ],
)
def test_a_line_says_what_a_word_means(text: str) -> None:
    assert says_meaning("steal", "", text)


def test_a_line_that_only_begins_with_a_word_does_not_say_what_it_means() -> None:
    assert not says_meaning("steal", "", "Steal alerts are off. By default steal: is in no log.\nsteal: off")
    assert says_meaning("steal", "steal", "The time of another guest.")
    assert not says_meaning("steal", "steal alerts", "They are off.")
    assert not says_meaning("steal", "", "Steal is considered high from 10 on, and not shown below.")


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("kiln", "A kiln is a furnace for clay."),
        ("kiln", "All pots are fired. The kiln is the furnace for that."),
        ("kilns", "A `kiln` is a furnace for clay."),
        ("kiln", "Kilns are furnaces which fire clay."),
        ("kiln", "The kiln tool lets you fire clay."),
        ("kiln", "The kiln(8) command is a wrapper."),
        ("kiln", "Clay is fired in a furnace called a kiln."),
        ("kiln file", 'A module with firings is called "kiln file" (a recipe for the kiln).'),
        ("sub-firing", "Sub firings are firings of a part."),
        ("kiln", "- kiln is used to fire clay"),
    ],
)
def test_a_sentence_says_what_a_thing_is(word: str, text: str) -> None:
    assert defines(word, text)


@pytest.mark.parametrize(
    "text",
    [
        "The kiln is considered cold below 30 degrees.",
        "A kiln is not a toy, and is never left alone.",
        "The kiln is a required part of the set.",
        "Heat the kiln, which is a furnace.",
        "A kiln door is a heavy part.",
        "A kiln is a kiln: kilns heat kilns.",
        "It is a function called kiln-door.",
        "The kilns are hot for a day.",
        "A script called kiln door is there.",
        "A kiln package is a package with kilns.",
        "The kiln is an example of what is hot.",
        "A kiln is an instance of an oven.",
    ],
)
def test_a_sentence_about_a_thing_does_not_say_what_it_is(text: str) -> None:
    assert not defines("kiln", text)


@pytest.mark.parametrize(
    ("text", "is_entry"),
    [
        ("A furnace for clay. It is hot.", True),
        ("A furnace in which clay is fired.", True),
        ("A furnace is hot.", False),
        ("A furnace with a door and a long chimney is fired by hand.", False),
        ("A furnace that has a door is fired by hand.", False),
        ("Any furnace for clay.", False),
    ],
)
def test_an_entry_says_what_a_thing_is_without_a_verb(text: str, is_entry: bool) -> None:
    assert reads_as_entry(text) == is_entry
