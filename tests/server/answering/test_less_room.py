"""Excerpts that share their screen with others, as the cards of a comparison do, have less room."""

from __future__ import annotations

from tests.server.answering.test_excerpt import asking, paragraph

from trueref_server.answering.excerpts.excerpt import excerpt


def test_an_excerpt_with_less_room_begins_where_it_can_be_understood() -> None:
    section = [
        paragraph(f"The kiln has a fan. {'It turns. ' * 25}".strip()),
        paragraph(f"It is loud at night. {'It hums. ' * 20}".strip()),
        paragraph("The door is red. " * 20),
    ]
    relevance = asking("loud", "night")
    shown = excerpt(section, 1, relevance, room=60)
    assert [block.text for block in shown] == [section[0].text, section[1].text]
    # A passage that can begin an excerpt keeps to the room.
    assert sum(len(block.text.split()) for block in excerpt(section, 2, relevance, room=40)) <= 40


def test_an_excerpt_with_less_room_says_more_than_one_line() -> None:
    details, others = paragraph("Raise this in a kiln. " * 20), paragraph("The door is red. " * 20)
    relevance = asking("fail")
    section = [paragraph("A failure that was foreseen."), details, others]
    assert [block.text for block in excerpt(section, 0, relevance, room=90)] == [section[0].text, details.text]
    # What fills a third of the room is enough.
    section = [paragraph("A failure that was foreseen. " * 7), details, others]
    assert [block.text for block in excerpt(section, 0, relevance, room=90)] == [section[0].text]
