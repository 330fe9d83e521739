from __future__ import annotations

import pytest

from trueref_core.export.offered_questions import question_of


@pytest.mark.parametrize(
    ("heading", "question"),
    [
        ("How do I change the fonts?", "How do I change the fonts?"),
        ("Comment démarrer le site ?", "Comment démarrer le site ?"),
        ("如何更改字体？", "如何更改字体？"),
        ("What is a chunk", "What is a chunk?"),
        ("Why are links minted", "Why are links minted?"),
        ("How to add a theme", "How do I add a theme?"),
        ("Install the package", "How do I install the package?"),
        ("Installing the package ¶", "How do I install the package?"),
        ("Changing the colors", "How do I change the colors?"),
        ("Adapting and Rendering", ""),
        ("Adding & removing users", ""),
        ("Add and remove users", "How do I add and remove users?"),
        ("Setting up your site", "How do I set up my site?"),
        ("Getting started", "How do I get started?"),
        ("Getting Started", "How do I get started?"),
        ("Create your first React Page", "How do I create my first React Page?"),
        ("Run the server", "How do I run the server?"),
        ("Writing plugins", "How do I write plugins?"),
        ("Build options", ""),
        ("Testing strategy", ""),
        ("Use cases", ""),
        ("Building blocks", ""),
        ("Configuration", ""),
        ("Install", ""),
        ("String formats", ""),
        ("Getting them", ""),
        ("How to get them", ""),
        ("How to log in", ""),
        ("Set up another one", ""),
        ("What is CycloneDX?", "What is CycloneDX?"),
        ("What is covered?", ""),
        ("Why not?", ""),
        ("Add one:", ""),
        ("Install 1.2", ""),
        ("Add " + "very " * 20 + "much", ""),
        ("GET /users/{id}", ""),
    ],
)
def test_a_heading_becomes_a_question_or_nothing(heading: str, question: str) -> None:
    assert question_of(heading) == question


def test_a_heading_that_names_a_task_becomes_a_question_in_english_only() -> None:
    assert question_of("Installer le paquet", "fr") == ""
    assert question_of("Add fonts", "fr") == ""
    assert question_of("Wie ändere ich die Farben?", "de") == "Wie ändere ich die Farben?"
    assert question_of("Add fonts", "en-GB") == "How do I add fonts?"
