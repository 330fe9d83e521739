"""Where an excerpt may begin: not in the middle of a thought, nor with a text about an example that is not shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from trueref_server.answering.sections.announcements import COLONS

if TYPE_CHECKING:
    from trueref_server.answering.sections.passage import Passage

_OWN_OBJECT: Final = (
    r"(?!(?:this|that|these|those|it|its|them|their|doing (?:so|this|that)|"
    r"the (?:above|previous|preceding|same|former|latter|others?))\b)[\w`]"
)
"""A word that does not point back: `In addition to the usual options, ...` says itself to what something is added, and
`In addition, ...` does not."""

_CONTINUING: Final = re.compile(
    r"(?:this|that|these|those|it|its|they|them|their|he|she|such|"
    r"the (?:same|former|latter|above|following|previous|resulting|other)|"
    r"examples?:|(?:please )?note,?(?: also)?,? that|here|now,|to do so|in the above|"
    r"in (?:a|the) (?:case|situation|example) (?:like|as) (?:above|this|that|these|those|the above)|"
    rf"(?:instead|in addition|in contrast|similarly)(?! (?:of|to) {_OWN_OBJECT})|besides(?! {_OWN_OBJECT})|"
    r"however|therefore|thus|hence|otherwise|also|then|but|and|or|so|likewise|alternatively|"
    r"additionally|furthermore|moreover|finally|consequently|conversely|again|still|"
    r"in (?:this|that|these|those|such|both|either|other words|the same way|each)|"
    r"(?:for|as|by|with|to|from|at|on|of|after|before|unlike|like|because of|due to) (?:this|that|these|those|it|them)|"
    r"(?:for|as) (?:a )?(?:example|instance|result|such|mentioned|above|before)|"
    r"you (?:can|may|could|might|will|should|must|would) (?:also|then|now|still|instead|even|alternatively)|"
    r"we (?:can|may|could|will) (?:also|then|now|still|instead)|"
    r"if (?:so|not|this|that|it|they|these|those)|when (?:this|that|it|they)|once (?:this|that|it|done|you have done)|"
    r"(?:another|a second|a third|one more|the second|the third|the other|the last|next|second|third|lastly)|"
    r"(?:both|either|neither|each) (?:of (?:these|them|which)|approach|method|way|option)s?|"
    r"(?:the |a |an )?`[^`\n]{1,60}` (?:[a-z]{1,20} )?(?:is|are|can|may|will) also)\b(?![.-]\w)",
    re.IGNORECASE,
)
"""The beginning of a paragraph that continues the paragraph before it."""

_MID_SENTENCE: Final = re.compile(
    r"(?:where|which|whose|while|will|would|are|is|was|can|could|may|with|and|or|but|to|into|for|as|in|on|of|by|from|at|"
    r"the|an?)\b(?![.`(/_-])"
)
"""The beginning of a paragraph that goes on with a sentence around code, as small letters tell."""

_REFERRING_BACK: Final = re.compile(
    r"\A(?:[^.!?:\n]|[.!?:](?!\s)){0,200}?"
    r"(?:\b(?:(?:in|with|from|as|unlike|using|running) (?:the|this|our) (?:above|previous|preceding)|of the above) "
    r"(?:\w{1,20} )?(?:examples?|configuration|code|snippets?|commands?|scripts?|output)\b|"
    r"\b(?:the|our) (?:\w{1,20} )?(?:examples?|configuration|code|snippets?|commands?|scripts?) above\b(?! \d)|"
    r"\b(?:in|of|with|from) (?:this example|those (?:examples|commands|lines))\b)",
    re.IGNORECASE,
)
"""The beginning of a paragraph whose first sentence refers to an example before it: `So in the above example ...`."""


def may_begin(passages: Sequence[Passage], number: int) -> bool:
    """Whether an excerpt may begin with a passage. The first one always may: it follows the section's title."""
    passage = passages[number]
    if number == 0 or passage.begins:
        return True
    # What comes after the parameters of a function is about the function again, which the title names.
    if passages[number - 1].is_parameter and not passage.is_parameter:
        return True
    # Each part of a long definition has its term as a caption, and only the first part begins there.
    is_later_part = bool(passage.entry) and passage.entry == passages[number - 1].entry
    return not needs_previous(passage, is_later_part=is_later_part)


def needs_previous(passage: Passage, *, is_later_part: bool = False) -> bool:
    """Whether a passage is understood only with the text before it; a title of its own makes it understood alone."""
    block = passage.blocks[0]
    if block.kind == "code" or (block.caption and not is_later_part):
        return False
    goes_on = block.kind == "prose" and _MID_SENTENCE.match(block.text) is not None
    return goes_on or _CONTINUING.match(block.text) is not None


def refers_to_example(passage: Passage) -> bool:
    """Whether the first sentence of a passage refers to an example before it, and not to one that follows."""
    block = passage.blocks[0]
    is_text = block.kind not in ("code", "table") and not block.caption
    referring = _REFERRING_BACK.match(block.text) if is_text else None
    # `For the pattern, start with this example:` refers to what follows.
    return referring is not None and not (referring[0].endswith("this example") and block.text.endswith(COLONS))
