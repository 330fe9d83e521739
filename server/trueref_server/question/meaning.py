"""Finds the word whose meaning an English question asks for, as in `what does steal mean?`, and texts that say it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from trueref_core.text.sentences import split_sentences
from trueref_server.corpus.words import content_words
from trueref_server.question.pointing import points_to_unnamed

MAX_DEFINED: Final = 30_000
"""The most characters of a text in which a sentence is looked for that says what a word means."""

MAX_ENTRY: Final = 1000
"""The most characters of a text in which its first sentence is looked for."""

MAX_BEFORE: Final = 40
"""The most characters before the name of a thing at which a sentence begins that says what it is."""

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

_NO_MEANING: Final = r"(?!(?:not|only|now|also|already|always|never|still|then|being|(?!used\b)\w{2,20}ed)\b)"
"""What does not follow `is` where a text says what a thing is: `A kiln is considered cold when ...`."""

_NOT_SUCH: Final = (
    r"(?:same|required|optional|mandatory|new|good|bad|only|first|last|next|default|following|example|instance|case)\b"
)
"""What does not follow `is a` there: `A glaze is a required part.` and `A glaze is an example of glass.` say what it is
for another thing."""

_IS: Final = (
    rf"(?:is|are) (?:\w{{2,20}}ly |just )?(?:an?|the|any) (?!{_NOT_SUCH})|(?:is|are) used (?:to|for)\b|"
    r"are (?:\w{1,20} ){0,2}\w{1,20}s (?:that|which|where|whose|who|for|of|with|used)\b|"
    r"means?\b|refers? to\b|stands? for\b|denotes?\b|represents?\b|consists? of\b|"
    r"provides? an?\b|(?:lets?|allows?|enables?) (?:you|us|users)\b"
)
"""What follows a thing in a sentence that says what it is, or what it is for."""

_AS_ENTRY: Final = re.compile(r"An? (?=\S)")
"""The beginning of a text that says what a thing is without naming it: `A furnace for clay.`."""

_VERB: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|can|cannot|may|must|will|should|would|does|contains?|provides?|requires?)\b"
)
_CLAUSE: Final = re.compile(r"\b(?:which|that|whose|where|when|who|if)\b")
"""Verbs that sentences have, and words that begin a clause with a verb of its own."""

_BEGINS: Final = re.compile(
    r"(?:^[^\S\n]{0,8}(?:[-*|] |\d{1,5}\. )?|(?<=[.!?:] ))(?:(?:the|an?|each|every) )?" + rf"[`*_{_QUOTES}]{{0,3}}\Z",
    re.MULTILINE,
)
_CALLED: Final = re.compile(
    r"\b(?:called|known as|referred to as|termed) (?:(?:the|an?) )?" + rf"[`*_{_QUOTES}]{{0,3}}\Z"
)
"""What stands before the name of a thing at the beginning of a sentence, and where something is called so."""

_KIND: Final = r"(?: (?:tool|command|program|daemon|utility|library))?"
"""The kind of a thing behind its name: `The kiln tool`. A kiln module is no kiln."""


_SAYS: Final = re.compile(rf"[`*_{_QUOTES}]{{0,3}}(?: ?\([^)\n]{{1,60}}\))?{_KIND} (?:{_IS})")
_BEHIND_CALLED: Final = re.compile(
    rf"[`*_{_QUOTES}]{{0,3}}(?:[.,;:)]|$| (?:is|are|that|which|and|or|in|on|for|to|by|can|will|\())", re.MULTILINE
)
"""What stands behind the name of a thing where a sentence says what it is, and where something is called so."""


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


def defines(word: str, text: str) -> bool:
    """Whether a sentence of a text says what a thing is, in the singular or the plural.

    It begins with the thing (`A glaze is a layer of glass.`), or calls something so (`This layer is called a glaze.`).

    Args:
        word: The word for the thing in small letters.
        text: The text.
    """
    # In small letters, so that the name is looked for as it is: this is asked of every section that is ranked.
    lower_text, name = text[:MAX_DEFINED].lower(), _name(word)
    return any(_is_defined_at(found, name, lower_text) for found in name.finditer(lower_text))


def _is_defined_at(found: re.Match[str], name: re.Pattern[str], lower_text: str) -> bool:
    """Whether what stands around the name of a thing, with the name, says what it is."""
    start, end = found.span()
    before = max(0, start - MAX_BEFORE)
    said = _SAYS.match(lower_text, end)
    if said and _BEGINS.search(lower_text, before, start):
        # `A glaze is a glaze that ...` says nothing.
        repeated = name.match(lower_text, said.end())
        if not repeated or lower_text[repeated.end() : repeated.end() + 1].isalnum():
            return True
    return bool(_BEHIND_CALLED.match(lower_text, end) and _CALLED.search(lower_text, before, start))


def reads_as_entry(text: str) -> bool:
    """Whether a text below the title of a thing begins as an entry of a dictionary does: `A furnace for clay.`.

    Its first sentence has no verb but those of its clauses: `A furnace with a door is hot.` is a sentence about one.
    """
    if not _AS_ENTRY.match(text):
        return False
    sentence = next((text[start:end] for start, end in split_sentences(text[:MAX_ENTRY])), "")
    return len(_VERB.findall(sentence)) <= len(_CLAUSE.findall(sentence))


@lru_cache(maxsize=100)
def _patterns(word: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The patterns of a caption that is a word, and of the beginning of a line that says what it is."""
    name = rf"[`*]{{0,3}}{re.escape(word)}[`*]{{0,3}}(?: ?\([^)\n]{{1,40}}\))?"
    mark = r"[^\S\n]{0,8}(?:[-*|] |\d{1,5}\. )?(?:(?:the|an?) )?"
    verb = rf"(?:(?:is|are) {_NO_MEANING}|(?:means?|stands? for|indicates?|denotes?) )"
    joint = rf"(?:: |:?\n|:?[`*]{{1,3}} | [\u2013\u2014=|-] | {verb})"
    three_words = r"[^\w\n]{0,9}\w+(?:[^\w\n]{1,9}\w+){2}"
    return (
        re.compile(rf"^{name}$", re.IGNORECASE | re.MULTILINE),
        re.compile(rf"^{mark}{name}{joint}(?={three_words})", re.IGNORECASE | re.MULTILINE),
    )


@lru_cache(maxsize=100)
def _name(word: str) -> re.Pattern[str]:
    """The pattern of a word in small letters, in the singular or the plural.

    It begins with the letters of the word: so it is found many times as fast as one with what stands before.
    """
    spelt = r"[\s-]".join(map(re.escape, re.split(r"[\s-]+", word)))
    return re.compile(rf"{spelt[:-1]}s?" if re.search(r"[^s]s$", word) else rf"{spelt}(?:e?s)?")
