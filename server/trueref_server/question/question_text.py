"""Finds what a question consists of: greetings, quotations, names, several questions, and pasted logs."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from trueref_core.text.sentences import split_sentences
from trueref_server.corpus.words import content_words

MAX_QUOTED: Final = 5
MIN_QUOTED: Final = 3
"""The most quotations that are looked for, and the fewest characters of each."""

MIN_PASTED: Final = 3
"""A text with a traceback or a log is cut to the lines that name the problem if it has at least this many lines."""

MAX_COURTESIES: Final = 3
"""How many greetings before a question, and how many thanks after it, are removed at most."""

_ADDRESSED: Final = r" (?:there|all|everyone|everybody|team|folks|guys)\b"
# `hi-res`, `hello.html` and `hello world` are no greetings.
_GREETING: Final = re.compile(
    rf"^(?:(?:hi|hello(?![\s,]{{0,3}}world\b)|hey)(?:{_ADDRESSED})?(?:[,.!:;]{{0,3}}(?:\s{{1,5}}|$)(?:[-–—]\s{{1,5}})?)|"
    rf"(?:greetings|dear|good (?:morning|afternoon|evening|day))(?:{_ADDRESSED}\s{{1,5}}|"
    rf"(?:{_ADDRESSED})?[,.!:;]{{1,3}}\s{{1,5}}))",
    re.IGNORECASE,
)
# One phrase of thanks at a time: repeating a pattern that may begin and end with spaces takes exponential time.
_THANKS: Final = re.compile(
    r"(?:(?:^|[\s,.!?;-])(?:thanks(?: (?:in advance|a lot|so much))?|thank you (?:in advance|very much|so much)|"
    r"many thanks|please help(?: me)?|any help (?:is|would be)(?: \w{1,12})? appreciated)|"
    r"(?:^|[\n,.!?;-]\s{0,5})(?:thank you|cheers|thx|tia|(?:kind|best) regards))[\s,.!]{0,5}$",
    re.IGNORECASE,
)
"""Thanks and wishes at the end of a text."""

_ACKNOWLEDGED: Final = re.compile(
    r"^(?:ok(?:ay)?|alright|yes|yeah|yep|no|nope|sure|(?:good)?bye|good (?:morning|afternoon|evening|day)|"
    r"(?:that(?:'s| is| was) )?(?:great|perfect|cool|nice|awesome|good|helpful)|got it|understood|i see|"
    r"(?:that |it )?makes sense|sounds good|(?:that|it) (?:works|worked|helps|helped)(?: now)?)"
    r"\b[\s,.!]{0,5}",
    re.IGNORECASE,
)
"""An acknowledgement of an answer at the beginning of a text: `ok`, `that makes sense`."""

_THANKED: Final = re.compile(
    r"^(?:thanks|thank (?:you|u)|thx)(?: (?:again|a lot|a bunch|so much|very much|in advance))?(?: for"
    r" (?:that|this|(?:all )?(?:the|your)(?: quick)? (?:help|answers?|info|tips?|hints?|reply|explanation)))?"
    r"\b[\s,.!]{0,5}",
    re.IGNORECASE,
)
"""Thanks for an answer at the beginning of a text."""

_QUOTED: Final = re.compile(
    r"`([^`\n]{1,200})`|\"([^\"\n]{1,200})\"|“([^”\n]{1,200})”|«([^»\n]{1,200})»|「([^」\n]{1,200})」|"
    r"(?<!\w)'([^'\n]{1,200})'(?!\w)"
)
"""A quotation, whose text is the only group that matched."""

_NAME: Final = re.compile(r"[^\W\d_][\w'’-]{0,60}")
"""A word that may be a name: `names` looks at its capitals."""

_LOCATION: Final = re.compile(
    r"^\s*(?:File \"|Traceback\b|During handling of|The above exception|stack backtrace:|note: run with|-->|"
    r"\.{3}(?:\s*$| \d)|[\^~|=-][\^~|=\s-]*$|\d{1,5} ?\||= (?:note|help):|"
    r"at (?:async |new )?(?:\S{1,200} )?\S{0,300}(?::\d{1,7}\)?|\))\s*$|(?:INFO|DEBUG|TRACE)\b)|^\s+\d{1,5}: "
)
"""The beginning of a line of a traceback or a log that names no problem: it says where something happened, or that
something went well."""

_PLACE: Final = re.compile(
    r"((?<!\S)at (?:async |new )?(?:[\w.$<>\[\]#]{1,200} )?)?\(?"
    r"(?<![^\s('\"`])(?:[^\s()'\"`]{0,300}[/\\])?([^\s()'\"`/\\]{0,100}\.[a-z]{1,5}):\d{1,7}(?::\d{1,7}\b(?::(?!\S))?|:(?=\s))\)?",
    re.IGNORECASE,
)
"""A place in a file: before a message, as in `src/kiln.py:3:`, or after `at`, in a frame of a stack (group 1), as in
`at fire (/srv/app/kiln.js:3:14)`. Group 2 is the name of the file.

Inputs of a single line glue a pasted error and its stack together."""

_STAMP: Final = re.compile(r"^\s*\[?\d{1,4}[-:/.]\d{2}[-:/.]\d{2,4}[\dT:.,+Z ]{0,30}\]?\s{0,5}")
"""The time at the beginning of a line of a log."""

_CAUSE: Final = re.compile(r"^\s+Caused by\b", re.IGNORECASE)
_QUIET: Final = re.compile(r"\[?(?:INFO|DEBUG|TRACE)\b", re.IGNORECASE)
"""The level of a line of a log that reports no problem."""

_QUESTION_WORD: Final = r"(?:how|what|where|why|which|who|when)\b"
_VERB_FIRST: Final = r"(?:do|does|did|can|could|should|would|is|are|will|to)\b"
_JOINT: Final = re.compile(
    r"[,;]?\s(?:and|or|but|then)(?:,? (?:also|then|if so,?))?\s"
    rf"(?={_QUESTION_WORD}|{_VERB_FIRST} (?:i|we|it|there|they|you)\b)|"
    rf"[,;:]\s(?=(?:also,? )?{_QUESTION_WORD} {_VERB_FIRST})",
    re.IGNORECASE,
)
"""What stands between two questions in one sentence."""

_ASKS: Final = re.compile(
    rf"(?:and |or |but |then |also,? ){{0,2}}(?:{_QUESTION_WORD}|{_VERB_FIRST} (?:i|we|there|you)\b)", re.IGNORECASE
)
"""The beginning of a question in English, perhaps behind a conjunction."""

_BEHIND_TOPIC: Final = re.compile(r":\s(?=(?:how|what|where|why|which|who)\b)", re.IGNORECASE)
"""What stands between a topic and a question about it: `scripts: what runs first`. `when` may begin a circumstance."""

MAX_TOPIC: Final = 6
"""The most content words of a topic that stands before several questions."""

_SETTING: Final = re.compile(
    r"(?:so |and )?(?:(?:we|i)(?:'m| are| am)? (?:use|run|using|running)|with|using|(?:we|i) have"
    r"(?! (?:\w{1,20}ed|been|read|got|seen|found|done|made|no|some|to|never|just|already|not|only|spent|put)\b))"
    r" (?!(?:it|its|this|that|these|those|them|which|all)\b)",
    re.IGNORECASE,
)
"""The beginning of a sentence that says with what somebody works: `We use docker.`, `I have two kilns.`."""

_NO_TOPIC: Final = re.compile(
    r"\b(?:(?:an?|one|two|three|four|some|few|several|quick|first|second|more|other|my|our|the|following) "
    r"(?:\w{1,20} )?(?:questions?|problems?|issues?|requests?|doubts?|errors?)|^questions?|trouble|idea|help|"
    r"is|are|was|were|does|did|do|am|can|cannot|could|will|keeps?|fails?|failed|\w{1,8}n['’]t)\b",
    re.IGNORECASE,
)
"""Words of a sentence that announces a question, or tells a symptom, and names no topic."""

_WHETHER: Final = re.compile(r"(?:can|could|do|does|is|are|will|has|have)\s", re.IGNORECASE)
"""The beginning of a question that is answered by yes or no."""

_SUBORDINATE_CLAUSE: Final = re.compile(
    r"(?:and |but |so )?(?:after|although|as|because|before|given|if|once|since|though|until|when|while)\b",
    re.IGNORECASE,
)
"""The beginning of a subordinate clause that gives the circumstances of a question."""

_WANTED: Final = re.compile(
    r"\b(?:how (?:do|can|could|should|would) (?:i|we|you|one)|how to|(?:is it|would it be) possible to|"
    r"(?:a|any) way to|(?:can|could|may|should) (?:i|we|you|one)|"
    r"(?:i|we) (?:want|need|would like|tried|try|am trying|are trying) to) "
    r"(?:(?:also|just|easily|properly|best|globally) )?"
    r"(change|set|configure|use|make|get|customi[sz]e|define|specify|modify|adjust|tell|control|handle|create|add|"
    r"enable|do|have|put|write)\b",
    re.IGNORECASE,
)
"""A phrase that says what a question wants, with its verb as group 1. Docs may use any other verb for it."""

_HOW: Final = r"(?:please )?(?:how (?:to|(?:do|can|could|should) (?:i|we|you)) )?"
_NO_VERB: Final = r"(?!(?:an?|all|any|his|her|it|its|mind|my|our|that|the|their|these|this|those|want|your)\b)"
_UNWANTED: Final = re.compile(
    rf"^{_HOW}(?:do not|don['\u2019]?t|never) {_NO_VERB}(\w{{3,30}})|"
    rf"^how (?:to|(?:do|can|could|should) (?:i|we|you)) not {_NO_VERB}(\w{{3,30}})|"
    rf"^{_HOW}(?:avoid|prevent|stop|without) (?:(?:[\w-]{{1,30}} ){{0,4}}from )?(\w{{2,30}}ing)\b|"
    r"\b(?:i|we) (?:do not|don['\u2019]?t) want (?:[\w-]{1,30} ){0,3}to (\w{3,30})",
    re.IGNORECASE,
)
"""The beginning of what somebody does not want. The verb is the only group that matches. Behind `avoid` only a form in
`-ing` counts, since a noun is as likely: `avoid the cache`."""


_LEFT_OUT: Final = re.compile(
    r"\bwithout (?:(?:an?|any|all|the|its|their|my|our|having|needing|need|to) ){0,3}([^,.;:?!()\n]{2,80})",
    re.IGNORECASE,
)
"""What a question wants to do without, as the only group: `without its dependencies`."""

MAX_LEFT_OUT: Final = 3
"""The most words of what is left out. Behind them stands something else: `without a clone of the other folder`."""


def without_courtesy(text: str) -> str:
    """A question without greetings and thanks; unchanged if it consists of nothing else."""
    bare = text.strip()
    for _ in range(MAX_COURTESIES):
        bare = _GREETING.sub("", bare)
    for _ in range(MAX_COURTESIES):
        # A question mark before the thanks ends the question, and stays.
        bare = _THANKS.sub(lambda match: "?" if match[0].startswith("?") else "", bare).rstrip()
    return bare if any(character.isalnum() for character in bare) else text.strip()


def is_courtesy(text: str) -> bool:
    """Whether a text greets, thanks or acknowledges in English, and asks nothing: `ok, thanks!`."""
    remaining = f"{text.strip()} "
    for _ in range(MAX_COURTESIES):
        for courtesy in (_GREETING, _ACKNOWLEDGED, _THANKED, _THANKS):
            remaining = courtesy.sub("", remaining)
    return remaining != f"{text.strip()} " and not any(character.isalnum() for character in remaining)


def without_log_noise(text: str) -> str:
    """A question without places in files, and with a pasted log cut to its prose and the lines that name the error."""
    # The other lines of a pasted log have paths and values of the reader's machine, which no page of the docs has.
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < MIN_PASTED or not any(map(_is_location, lines)):
        return _without_places(text)
    prose_lines = [_STAMP.sub("", line) for line in lines if not _is_location(line) and not _is_quoted_code(line)]
    return _without_places("\n".join(prose_lines) or lines[-1])


def _without_places(text: str) -> str:
    """A text without frames of a stack, and of other places in files the names of these; unchanged if nothing is left.

    Docs may name the file: `layout.tsx`, `settings.yml`. Its folders and lines are those of the reader.
    """
    remaining = _PLACE.sub(lambda match: "" if match[1] else match[2], text)
    return remaining if len(content_words(remaining)) > 1 else text


def _is_location(line: str) -> bool:
    """Whether a line of a traceback or a log says where something happened, or that all went well."""
    stamp = _STAMP.match(line)
    return bool(_LOCATION.match(line) or (stamp and _QUIET.match(line, stamp.end())))


def _is_quoted_code(line: str) -> bool:
    """Whether a line of a traceback quotes code or a value: it is indented, and is no `Caused by`."""
    return line.startswith((" ", "\t")) and not _CAUSE.match(line)


def quotations(text: str) -> tuple[str, ...]:
    """The quotations in a question, in backticks or quotation marks."""
    quotes = (next(filter(None, match.groups())).strip() for match in _QUOTED.finditer(text))
    return tuple(dict.fromkeys(quote for quote in quotes if len(quote) >= MIN_QUOTED))[:MAX_QUOTED]


def names(text: str) -> tuple[str, ...]:
    """The words of a question that are written like names: with a capital, and not at the start of a sentence."""
    starts = {start for start, _ in split_sentences(text)}
    matches = (match for match in _NAME.finditer(text) if match.start() not in starts)
    return tuple(dict.fromkeys(match[0] for match in matches if match[0] != match[0].lower()))


def split_clauses(sentence: str) -> tuple[str, ...]:
    """A sentence cut where a new question begins: `how do I build it, and where does it go?` is cut in two."""
    joints = [match.span() for match in _JOINT.finditer(sentence)]
    # If the sentence begins with a subordinate clause, the first joint only ends that clause: `after a build, how do I
    # ...` is one question.
    cuts = [(0, 0), *joints[bool(_SUBORDINATE_CLAUSE.match(sentence)) :], (len(sentence), len(sentence))]
    pieces = (sentence[end:start].strip(" ,;") for (_, end), (start, _) in pairwise(cuts))
    return tuple(piece for piece in pieces if piece)


def wanting_verbs(text: str) -> tuple[str, ...]:
    """The verbs of `How do I change ...` and the like, in small letters: they tell little about the topic."""
    return tuple(dict.fromkeys(match[1].lower() for match in _WANTED.finditer(text)))


def unwanted_verb(text: str) -> str:
    """The verb of what an English question does not want, as in `don't overwrite a file that is there`; "" without one.

    Args:
        text: The question in one line.
    """
    match = _UNWANTED.search(text)
    return next(filter(None, match.groups()), "").lower() if match else ""


def left_out(text: str) -> tuple[str, ...]:
    """The content words of what an English question wants to do without, as in `without its dependencies`.

    Args:
        text: The question in one line.
    """
    match = _LEFT_OUT.search(text)
    return tuple(content_words(match[1])[:MAX_LEFT_OUT]) if match else ()


def asks_whether(text: str) -> bool:
    """Whether a question begins like one that is answered by yes or no: `can I use postgres?`."""
    return _WHETHER.match(text) is not None


def asked_in(part: str) -> str:
    """The question in a part, without a topic and a colon before it; "" if the part asks nothing: see `is_asking`."""
    topic = _BEHIND_TOPIC.search(part)
    if topic is not None and _ASKS.match(part) is None:
        return part[topic.end() :]
    return part if is_asking(part) else ""


def topic_before(text: str) -> str:
    """The topic in what stands before several questions: `fonts:`, `We use docker.`; "" if there is none.

    Small talk and symptoms are none: with `I searched for hours.` before it, each of the questions found less.
    """
    sentences = (text[start:end].strip(" ,;") for start, end in split_sentences(text))
    return " ".join(sentence for sentence in sentences if _is_topic(sentence))


def _is_topic(sentence: str) -> bool:
    """Whether a sentence is nothing but the topic of the questions behind it."""
    if _NO_TOPIC.search(sentence) or not 0 < len(content_words(sentence)) <= MAX_TOPIC:
        return False
    return sentence.endswith((":", "\uff1a")) or _SETTING.match(sentence) is not None


def is_asking(part: str) -> bool:
    """Whether a part asks something itself, by English words or a question mark, and gives no symptom or reason."""
    return part.rstrip().endswith(("?", "\uff1f")) or _ASKS.match(part) is not None
