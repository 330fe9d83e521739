"""Finds words that point to something which a question does not name, such as "it" or "there", in English.

A question takes from the conversation before it only what it points to. Most pointing words point only in some places:
in `hide it on one page`, `it` points to something and `one` does not.
"""

from __future__ import annotations

import re
from typing import Final

from trueref_server.corpus.words import content_words, is_bare_identifier

ANTECEDENT: Final = 2
"""A clause with at least this many content words may be what a later clause points to: `I built a wheel, where is
it?`."""

FRAGMENT_UNDER: Final = 3
"""A question with fewer content words than this may be the end of an earlier question."""

# `Is it possible to ...` points to nothing, nor does `is it so that ...`, which stands for `does anyone know whether`.
_IT: Final = (
    r"it(?!(?: is|'s)? (?:possible(?= \w)|so(?= that )|(?:make sense|matter)(?= \w)|"
    r"(?:safe|necessary|required|better|best|worth|recommended|allowed|useful|easy|ok(?:ay)?)(?= (?:to|that|if)\b)))"
)
# `How does one add a page?` asks how anybody does it, and `on one page` counts pages.
_ONE: Final = (
    r"(?<!\bdo )(?<!\bdoes )(?<!\bcan )(?<!\bcould )(?<!\bshould )(?<!\bwould )(?<!\bmust )"
    r"one(?=\W*$|[,.;:!?]| (?:is|are|was|does|do|did|can|could|should|will|would|has|to|for|from|in|on|at|with|"
    r"without|when|if|and|too|again|instead|later|only|that|which|per|then|of (?:them|these|those))\b)"
)
# `A script that needs numpy` points to nothing.
_THAT: Final = r"that(?=\W*$| (?:one|for|with|in|on|to|off|from|by|only|be|without|all|per|when|if|at|of)\b)"
_NAMELESS: Final = rf"(?:{_IT}|its|these|those|this|them|they|their|theirs|{_ONE}|ones|{_THAT})"

_POINTS: Final = re.compile(rf"\b(?:{_NAMELESS}|same|instead(?! of\b))\b", re.IGNORECASE)
"""The words that point to something, wherever they stand in a text."""

_POINTS_BACK: Final = re.compile(
    rf"\b(?:{_NAMELESS}|mine|ours|yours|instead(?! of\b)|same(?=\W*$| (?:for|with|in|on|thing|way)\b)|"
    r"(?:too|either|both|above)(?=\W*$)|(?:what|where|how|who|\w{2,5}(?:thing|body|one)) else)\b|"
    r"(?:^\W*|\b(?:why|what|when|where|how(?: (?:long|often|much|many|far|big|large|fast|slow|soon|well|safe))?) )"
    r"(?:is|was|does|did|can|will|would) that\b|"
    r"\b(?:like|about|of|for|with|without|after|before|than|in) that\b(?! \w+ing\b)|"
    # `Is there a way` points to nothing.
    r"\b(?:from|in|over|up|out) there\b|\bthere(?=\W*$| (?:too|instead|as well)\b)",
    re.IGNORECASE,
)
"""The words by which a whole question points to what was said before it. They are more than those of `_POINTS`, since
a question may also compare (`what else?`), and some words point only at certain places of a question."""

_PREPOSITION: Final = r"(?:from|into|to|with|without|within|via|by|for|in|on|under)"

_ELLIPSIS: Final = re.compile(
    r"^\W*(?:what about|how about|what if|same|in that case|why(?=(?: not| so)?\W*$))\b|"
    # A question that begins in the middle: `from a local folder?`, but not `With Docker the build stops`.
    rf"^\W*{_PREPOSITION} (?:an?|the|my|our|another|other|all|no)"
    r" [^\s?]+(?: [^\s?]+){0,2}\W*$",
    re.IGNORECASE,
)
"""A question that leaves out what an earlier one has said: `what about fonts?`, `why not?`."""

_GOES_ON: Final = re.compile(r"^\W*(?:(?:and|also|but|or|so|then|now|plus|ok(?:ay)?)\b\W*)+", re.IGNORECASE)
"""The beginning of a question that continues an earlier one, whether or not the earlier one is needed to understand
it."""

_CLAUSE: Final = re.compile(
    r"[,;.:!?]\s|\s(?:and|or|but|then|(?<!\bis it )so|when|where|if|as|than|since|because|while|until|before|after|"
    r"without(?= \w+ing\b))\s",
    re.IGNORECASE,
)
"""What stands between two clauses of a text."""

# `Where does uv store its cache?` itself says whose cache, and `prepared on its own` means alone.
_OWNED: Final = re.compile(
    r"\b(?:does|do|did|can|could|will|would|should) (?!(?:it|they|i|we|you|one|this|that|these|those|there)\b)"
    r"(?:(?:the|an?|my|each|every) )?[\w-]{1,40} (?:[\w-]{1,40} ){1,3}(?:its|their)\b|"
    r"\b(?:on|by|of) (?:its|their) own\b",
    re.IGNORECASE,
)

ASKING: Final = ("?", "\uff1f")
"""Question marks, the second that of Chinese and Japanese."""

_PREPOSITION_ALONE: Final = re.compile(rf"^\W*(?!to\b){_PREPOSITION}\b(?: [^\s?]+){{1,3}}\W*$", re.IGNORECASE)
"""A text that is nothing but a preposition with one to three words: `on GitLab`."""

_PREPOSITION_FIRST: Final = re.compile(
    rf"^\W*(?:(?:what about|how about|what if|and|also|but|or|so|then|now|plus)\b\W*)*{_PREPOSITION}\b", re.IGNORECASE
)
_WHOLE: Final = re.compile(
    r"^\W*(?:how|what|where|why|which|who|when|whose|do|does|did|can|could|should|would|will|is|are|was|has|have|may|"
    r"must)\b",
    re.IGNORECASE,
)
"""The beginning of a whole question in English."""


def points_to_unnamed(text: str) -> bool:
    """Whether a text points to something that it does not name: `How do I remove it?`."""
    return _points_outside(text, _POINTS)


def goes_on(text: str) -> bool:
    """Whether a question continues what was said before it, by a word such as `So` or `Now` at its beginning."""
    return _GOES_ON.match(text) is not None


def refers_to_earlier(text: str) -> bool:
    """Whether a question is understood only with what was said before it: `and with Docker?`, but not `docker`.

    `And how do I deploy to AWS Lambda?` continues the conversation too, but is understood without it.
    """
    if _ELLIPSIS.search(text) or lacks_own_topic(text):
        return True
    opening = _GOES_ON.match(text)
    if opening is None:
        return False
    continuation = text[opening.end() :]
    return not (_is_whole(continuation) and content_words(continuation)) or bool(_ELLIPSIS.search(continuation))


def lacks_own_topic(text: str) -> bool:
    """Whether a question has a word that points to something before it, or has no content word at all.

    `And how do I change it?` has such a word. `What about fonts?` has none: it continues the last topic or begins
    another one.
    """
    return _points_outside(text, _POINTS_BACK) or not content_words(text)


def begins_with_preposition(text: str) -> bool:
    """Whether a question begins with a preposition: it names a place or a purpose, and no thing (`and for code?`)."""
    return _PREPOSITION_FIRST.match(text) is not None


def is_fragment(text: str) -> bool:
    """Whether a question that refers to nothing may be the end of an earlier question: `docker?`, `on GitLab`.

    Such a question has no verb. Only English question words are known here, so that only English questions are
    recognised as whole.
    """
    may_end_a_question = _PREPOSITION_ALONE.match(text) or (
        text.rstrip().endswith(ASKING) and not is_bare_identifier(text)
    )
    return bool(may_end_a_question) and not _is_whole(text) and len(set(content_words(text))) < FRAGMENT_UNDER


def _is_whole(text: str) -> bool:
    """Whether a text begins like a whole question in English."""
    return _WHOLE.match(text) is not None


def _points_outside(text: str, pointers: re.Pattern[str]) -> bool:
    """Whether a text has a pointing word whose antecedent is not in an earlier clause of the same text.

    An earlier clause counts as the antecedent if it has enough content words: `I built a wheel, where is it?` points to
    nothing outside of the text.
    """
    text = _OWNED.sub(" ", text)
    content_word_count = start = 0
    for end, next_start in [*(match.span() for match in _CLAUSE.finditer(text)), (len(text), len(text))]:
        clause = text[start:end]
        if pointers.search(clause):
            return content_word_count < ANTECEDENT
        content_word_count += len(content_words(clause))
        start = next_start
    return False
