"""Reads a question: what to search for, and which of its words tell its topic."""

from __future__ import annotations

from trueref_core.identifiers import identifiers
from trueref_server.records import Plan, Question
from trueref_server.retrieval.words import telling_stems


def make_plan(question: Question, site_language: str = "") -> Plan:
    """The plan of a question. A question without telling words has no terms and finds nothing.

    Args:
        question: What is asked.
        site_language: That of the docs, for a question that is in none of its own.
    """
    language = question.language or site_language
    text = " ".join(question.text.split())
    return Plan(
        question=question,
        query=text,
        terms=telling_stems(text, language),
        identifiers=tuple(dict.fromkeys(identifiers(text))),
        language=language,
    )
