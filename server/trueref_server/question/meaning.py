"""Finds the word whose meaning an English question asks for, as in `what does steal mean?`, and texts that say it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from trueref_server.corpus.words import content_words
from trueref_server.question.pointing import points_to_unnamed

MAX_WORDS: Final = 3
"""The most words of what is asked for. What is longer is a clause, which no list explains."""

_BEFORE: Final = r"(?:(?:the|an?) )?(?:(?:word|term|column|field|value) )?"
"""What may stand between the question and the word: an article, and what kind of word it is."""

_AFTER: Final = r"(?: (?:columns?|fields?|values?|propert(?:y|ies)|entry|status|state|symbol))?"
"""What may stand between the word and `mean`: the thing in the docs whose name it is."""

_AT_END: Final = r"(?: (?:columns?|fields?|symbol))?"
"""The same at the end of a question, where it may be part of the term: `what is the exit status?`."""

_MEANING: Final = (
    re.compile(rf"\bwhat (?:does|do|did) {_BEFORE}(.{{1,60}}?){_AFTER} (?:mean|stand for)\b", re.IGNORECASE),
    re.compile(rf"\bmeaning of {_BEFORE}(.{{1,60}}?){_AT_END}(?: (?:in|on|of) .*|\W*)$", re.IGNORECASE),
    re.compile(rf"^what(?:'s|’s|s| is| are) {_BEFORE}(.{{1,60}}?){_AT_END}(?: (?:in|on) .*|\W*)$", re.IGNORECASE),
)
"""Questions for a meaning, with what is to be explained."""

_QUOTES: Final = "`'\"‘’“”"


def word_asked_for(query: str) -> str:
    """The word or the few words whose meaning a question asks for, in small letters; "" if it asks for none.

    Args:
        query: The question in one line.
    """
    for pattern in _MEANING:
        if match := pattern.search(query):
            word = match[1].strip(f"{_QUOTES} ").lower()
            is_term = content_words(word) and len(word.split()) <= MAX_WORDS and not points_to_unnamed(word)
            return word if is_term else ""
    return ""


def says_meaning(word: str, captions: str, text: str) -> bool:
    """Whether one of the captions is a word, or a line of a text begins with the word and goes on to say what it is.

    Args:
        word: The word in small letters.
        captions: The captions of the text, a line for each.
        text: The text.
    """
    in_caption, in_line = _patterns(word)
    return bool(in_caption.search(captions) or in_line.search(text))


@lru_cache(maxsize=100)
def _patterns(word: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The patterns of a caption that is a word, and of the beginning of a line that says what it is."""
    name = rf"[`*]{{0,3}}{re.escape(word)}[`*]{{0,3}}(?: ?\([^)\n]{{1,40}}\))?"
    mark = r"[^\S\n]{0,8}(?:[-*|] |\d{1,5}\. )?(?:(?:the|an?) )?"
    joint = r"(?:: |:?\n|:?[`*]{1,3} | [\u2013\u2014=|-] | (?:is|are|means?|stands? for|indicates?|denotes?) )"
    three_words = r"[^\w\n]{0,9}\w+(?:[^\w\n]{1,9}\w+){2}"
    return (
        re.compile(rf"^{name}$", re.IGNORECASE | re.MULTILINE),
        re.compile(rf"^{mark}{name}{joint}(?={three_words})", re.IGNORECASE | re.MULTILINE),
    )
