"""Removes what stands before a question and only asks: `does anyone know whether`, `my boss wants me to`.

Such phrases are full of words that are topics elsewhere (`know`, `best`, `find`): as words of the question they led to
other sections, and a refusal named `boss` as missing. Only whole phrases at the beginning count, and only where the
question goes on behind them, so that `best practices` and `find renames` keep their words.
"""

from __future__ import annotations

import re
from typing import Final

from trueref_server.corpus.words import content_words

MAX_OPENINGS: Final = 3
"""How many phrases are removed at most, as of `sorry if this is basic, but does anyone know how to ...`."""

_ME: Final = r"(?: to)?(?: me| us)"
_SOMEONE: Final = r"(?:you|some(?:one|body)|any(?:one|body))(?: (?:here|of you|out there))?"
_CAN_YOU: Final = rf"(?:can|could|would|will) {_SOMEONE}(?: please| kindly)?"
_I_AM: Final = r"i(?:['\u2019]m| am|m)(?: (?:just|still|really|very|so|a bit|a little|totally|completely)){0,2}"
_I_HAVE: Final = r"i(?:['\u2019]ve| have|ve)(?: (?:just|already))?"
_CHIEF: Final = r"(?:my|our|the) (?:boss|manager|team lead|supervisor|colleagues?|coworkers?|customers?|teacher)"
_HARD: Final = r"(?:struggling|stuck|having (?:trouble|difficulty|difficulties|a hard time|a lot of trouble))"
_TIME: Final = (
    r"(?: (?:for|since|over|all|the|whole|half|a|an|two|three|many|several|few|past|last|"
    r"hours?|days?|ages|weeks?|morning|evening|now)){0,5}"
)
_ABOUT: Final = r"(?:about|on|regarding|concerning)"
_FIND_OUT: Final = r"(?:know|find out|find|figure out|work out|understand|learn|see|tell)"
_INFORMATION: Final = r"(?:info|information|documentation|docs|details)"

_CONJUNCTION: Final = re.compile(r"^(?:so|but|and|well|ok(?:ay)?|also),? ", re.IGNORECASE)
"""What may stand before an opening: `so, does anyone know how ...`."""

_SMALL_TALK: Final = re.compile(
    r"^(?:(?:(?:sorry|apologies)(?: (?:if|for|but)\b[^,.;:?!]{0,80}[,.;:]|,)(?: but)?)|"
    r"(?:this is |just |i have )?(?:a |an |another |one )?(?:really |very |probably |maybe )?"
    r"(?:quick|simple|basic|noob|newbie|beginner|dumb|stupid|silly|general|short) question(?: here)?[:,.;]|"
    r"(?:newbie|noob|beginner) here[:,.;]|please help[:,.;])\s{1,5}",
    re.IGNORECASE,
)
"""An excuse or an announcement before a question, with the sign that ends it."""

_I_WANT: Final = (
    r"(?:i (?:just |really )?(?:want(?:ed)?|need(?:ed)?|would like|wish|have) to|i['\u2019]d like to|"
    rf"{_I_AM} (?:trying|struggling|hoping) to|{_I_HAVE} been (?:trying|struggling){_TIME} to|"
    rf"(?:{_I_HAVE} |i )?spent{_TIME} trying to)"
)
_WANT_WHETHER: Final = re.compile(rf"^{_I_WANT} {_FIND_OUT} (?:if|whether) ", re.IGNORECASE)
"""This may ask for a fact, or for a way to learn it each time."""

_TELL_WHETHER: Final = re.compile(rf"^{_CAN_YOU} tell (?:if|whether) ", re.IGNORECASE)
"""This asks for a way to learn it, and `can you tell me if` for a fact."""

_ONLY_ASKS: Final = (
    rf"^(?:(?:(?:{_I_AM} |i was (?:just )?|just )?(?:wondering|curious)(?: about)?|"
    rf"{_I_AM} (?:not sure|unsure|confused(?: about| as to)?|{_HARD})|{_I_WANT} {_FIND_OUT}|"
    rf"i (?:really |just |still )?(?:do not|don['\u2019]?t|can ?not|can['\u2019]?t|couldn['\u2019]?t) {_FIND_OUT}|"
    rf"{_CHIEF} (?:wants?|needs?|would like|asked|told)(?: me| us)? to {_FIND_OUT}|"
    rf"(?:do|does) {_SOMEONE} (?:happen to )?know|(?:is there )?any(?:one|body) know|"
    rf"(?:do {_SOMEONE} have |is there )?any (?:idea|ideas|clue|hints?|tips?)(?: {_ABOUT}| as to| of)?|"
    rf"{_CAN_YOU} (?:tell|explain|show|teach|help)(?:{_ME})?(?: {_FIND_OUT})?|"
    rf"(?:please |pls )?(?:tell|show|explain){_ME}|please explain|"
    rf"i have no (?:idea|clue)|is there any (?:chance|possibility))"
    r"[,:]? )"
)
_TO_WHETHER: Final = re.compile(rf"{_ONLY_ASKS}(?:if|whether|that) ", re.IGNORECASE)
_TO_QUESTION: Final = re.compile(
    rf"{_ONLY_ASKS}(?=(?:how|what|where|why|which|who|when|can|could|do|does|is|are|should|would|will)\b)",
    re.IGNORECASE,
)
"""What stands before a question that is complete by itself: `does anyone know how`, and `I'm not sure whether`. Of the
latter, words stay by which it is a question: without them a statement would be left, which nothing tells from
keywords."""

_TO_VERB: Final = re.compile(
    rf"^(?:what(?:['\u2019]?s| is| are| would be) (?:the |a |an )?(?:most )?"
    r"(?:best|better|good|right|correct|proper|recommended|easiest|simplest|quickest|fastest|preferred|usual|easy|"
    r"simple) (?:way|ways|approach|method)(?: for me)? to|"
    rf"(?:what (?:are|would be) the (?:necessary |required |right )?steps|what do i (?:have|need) to (?:know|do)) to|"
    rf"(?:please |{_CAN_YOU} )?help (?:me|us)(?: to)?(?! (?:with|on|out|please|about)\b)) (?=\w)",
    re.IGNORECASE,
)
"""What stands before a verb: what the verb says is wanted."""

_TRYING: Final = re.compile(
    rf"^(?:{_I_AM} (?:{_HARD}(?: trying)?) to|{_I_HAVE} been (?:trying|struggling){_TIME} to|"
    rf"(?:{_I_HAVE} |i )?spent{_TIME} trying to) (?=\w)",
    re.IGNORECASE,
)
_CHIEF_WANTS: Final = re.compile(
    rf"^{_CHIEF} (?:wants?|needs?|would like|asked|told) (?:me|us) to (?=\w)", re.IGNORECASE
)
_WHETHER_POSSIBLE: Final = re.compile(
    r"^(?:(?:is (?:it|this)|is it so that (?:it|this)(?: is|['\u2019]?s)) (?:even |at all |somehow )?possible"
    r"(?: for me)? to|"
    r"is there (?:any|a|some) (?:chance|possibility|good way|easy way|simple way|better way)(?: for me)? to|"
    rf"would it be possible to|(?:{_I_AM} )?looking for (?:a|some|any|the best|an easy|a simple|a good) way to) (?=\w)",
    re.IGNORECASE,
)
_WHETHER_ALLOWED: Final = re.compile(r"^is it (?:ok|okay|fine|alright|all right) (?:for me )?to (?=\w)", re.IGNORECASE)

_TO_NOUN: Final = re.compile(
    rf"^(?:(?:please |{_CAN_YOU} )?tell (?:me|us) (?:more |something |everything |all )?about|"
    rf"{_CAN_YOU} (?:explain(?:{_ME})?|(?:tell|show|teach){_ME})|please explain(?:{_ME})?|"
    rf"i(?: would|['\u2019]d) like to (?:know|learn|hear) (?:more |something )?about|"
    rf"i (?:want|need) to (?:know|learn|understand) (?:more |something )?about|"
    rf"what do i (?:have|need) to know about|"
    rf"(?:i have |i['\u2019]ve got )?(?:a|some|another|one) (?:quick |short |small )?questions? {_ABOUT}|"
    rf"quick question {_ABOUT}|"
    rf"i need (?:some |any |a bit of )?(?:help|assistance|advice|{_INFORMATION})(?: (?:with|understanding|{_ABOUT}))|"
    rf"(?:please |{_CAN_YOU} )?help (?:me |us )?(?:with|understand)|"
    rf"{_I_AM} (?:confused|lost|{_HARD}|wondering|curious) (?:with|by|about|on)|"
    rf"(?:{_I_AM} )?{_HARD}(?: with|(?= \w{{2,30}}ing\b))|"
    rf"(?:where (?:can|do) i find |{_I_AM} looking for |looking for )(?:some |any |more )?{_INFORMATION} {_ABOUT}|"
    rf"i (?:really |just |still )?(?:do not|don['\u2019]?t) understand) (?=[\w`\"'])",
    re.IGNORECASE,
)
"""What stands before nothing but a topic: `can someone explain ...`."""

_OF_METHOD: Final = re.compile(
    r"^((?:how (?:can|do|could|should|would) (?:i|we|you|one)|how to) )(?:find out|tell) "
    r"(?:if|whether) ",
    re.IGNORECASE,
)
_FIND_OUT_WHETHER: Final = re.compile(r"^find out (?:if|whether) ", re.IGNORECASE)
"""These ask for a way to learn something, which remains, in words that are no topic."""

_TO_REASON: Final = re.compile(
    r"^what(?:['\u2019]?s| is| could be| might be) the (?:reason|cause)(?: that| why| for why) ", re.IGNORECASE
)


def without_openings(text: str) -> str:
    """A question without the phrases before it that only ask; unchanged if nothing else tells its topic.

    Args:
        text: The question in one line, without greetings.
    """
    bare = text
    for _ in range(MAX_OPENINGS):
        shorter = _without_opening(bare)
        if shorter == bare or not content_words(shorter):
            break
        bare = shorter
    return bare


def _without_opening(text: str) -> str:
    """A question without the phrase at its beginning, or with a plain one in its place."""
    asking = _CONJUNCTION.sub("", text, count=1)
    for phrase, plain in (
        (_SMALL_TALK, ""),
        (_WANT_WHETHER, "i want to know if "),
        (_TELL_WHETHER, "how do i know if "),
        (_TO_WHETHER, "is it so that "),
        (_TO_QUESTION, ""),
        (_TO_REASON, "why "),
        (_WHETHER_POSSIBLE, "is there a way to "),
        (_WHETHER_ALLOWED, "can i "),
        (_FIND_OUT_WHETHER, "how do i know if "),
        (_OF_METHOD, r"\1know if "),
        (_TRYING, "i am trying to "),
        (_CHIEF_WANTS, "i want to "),
        (_TO_VERB, "how do i "),
        (_TO_NOUN, ""),
    ):
        if phrase.match(asking):
            return phrase.sub(plain, asking, count=1)
    return text
