"""Makes questions that a site answers from its headings: from questions, and from headings that name an activity.

The widget offers some of them to a reader who has not asked yet. "How do I change the fonts?" is made of the heading
"Changing the fonts". A heading that is a question is used unchanged, in any language. A heading that only names a thing
gives no question, since it does not tell what its section explains.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

import msgspec

from trueref_core.records import Anchor, Page, PageKind

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest

MAX_SITE_QUESTIONS: Final = 4
"""How many questions the widget offers, and how many are kept for each language."""
MAX_PAGE: Final = 3
"""At most this many offered questions are from the reader's page, so that at least one is from another page and shows
that the docs have more."""
MAX_PAGES: Final = 300
"""Only this many pages are in the file, the most central ones: it is fetched with the panel, and so has about 8 KB over
the network."""
MAX_CHARACTERS: Final = 70
FIRST_KINDS: Final[tuple[PageKind, ...]] = ("landing", "guide")
KINDS: Final[tuple[PageKind, ...]] = (*FIRST_KINDS, "example", "reference")
"""The kinds of pages whose questions are offered. Those of `FIRST_KINDS` come before all others."""

QUESTION_WORDS: Final = frozenset(
    {"what", "why", "when", "where", "which", "who", "how", "can", "does", "do", "is", "are", "should"}
)
# The second word of a heading like "What is a theme", which lacks only its question mark.
AUXILIARY_VERBS: Final = frozenset({"is", "are", "do", "does", "can", "should", "will", "did", "has", "have"})

# Verbs that begin a heading about an activity. The verbs of `NOUN_VERBS` are nouns as well ("Build options"), so they
# count as verbs only before one of `WORDS_AFTER_VERBS`.
PLAIN_VERBS: Final = frozenset(
    "add adapt adjust allow apply attach avoid bring bundle call change choose clean combine configure connect "
    "convert create customize customise declare define delete deploy develop disable discover display edit embed "
    "enable ensure enter exclude expose extend find fix generate get give handle hide ignore import improve "
    "include initialize insert inspect install integrate invoke keep launch limit list load make manage measure "
    "merge migrate modify move obtain open organize override parse pass prepare prevent provide publish read "
    "rebuild redirect reduce register remove rename render replace reset resolve restrict retrieve reuse save "
    "send serve share show simplify skip specify split start stop store submit switch uninstall upgrade upload "
    "validate verify wrap write".split()
)  # fmt: skip
NOUN_VERBS: Final = frozenset(
    "access build cache check copy control debug document download export filter format group highlight host link lock "
    "log mount pin preview print query run search set sort style support test track update use view".split()
)
WORDS_AFTER_VERBS: Final = frozenset(
    "a an the your my all any another each every multiple several more other custom it them this that these up with "
    "from to in on as".split()
)
# Phrases that look like a verb in "-ing" with its object, and a heading above links that lead out of the docs.
NOT_ACTIVITIES: Final = frozenset({"getting help", "building blocks", "writing style", "connect with us"})

CONJUNCTIONS: Final = frozenset({"and", "or", "&"})
# These words point to something outside of the heading, so a question made of them alone says nothing.
POINTING_WORDS: Final = frozenset("all any it more one other others that them these they this those us".split())

_WORD = re.compile(r"[^\W\d_]+")


class OfferedQuestions(msgspec.Struct, frozen=True):
    """The file beside the widget: questions by page, and by language for pages that have few questions."""

    pages: dict[str, list[str]]
    languages: dict[str, list[str]]


def offered_questions(manifest: Manifest, site: str | None = None) -> OfferedQuestions:
    """The questions of a site's pages. Hidden pages and drafts offer none."""
    shown = [page for page in manifest.pages(site) if page.kind in KINDS and not (page.hidden or page.draft)]
    shown.sort(key=lambda page: (page.kind not in FIRST_KINDS, -page.weight, -page.centrality, page.page))
    pages: dict[str, list[str]] = {}
    languages: dict[str, list[str]] = {}
    for page in shown[:MAX_PAGES]:
        questions = list(dict.fromkeys(_questions(page, manifest.anchors(page.page, page.site))))[:MAX_PAGE]
        if not questions:
            continue
        pages[page.page] = questions
        of_language = languages.setdefault(page.language.split("-")[0].lower(), [])
        # At most one of each page, so that the questions show how much the docs cover.
        new_question = next((question for question in questions if question not in of_language), None)
        if new_question is not None and len(of_language) < MAX_SITE_QUESTIONS:
            of_language.append(new_question)
    return OfferedQuestions(pages, languages)


def question_of(heading: str, language: str = "") -> str:
    """The question that the section of a heading answers, "" if the heading is no question and names no activity.

    Args:
        heading: The text of the heading.
        language: The language of its page; "" counts as English. Only English headings that name an activity are used.
    """
    text = " ".join(heading.split()).rstrip("¶#. ")
    if len(text) > MAX_CHARACTERS:
        return ""
    if _is_question(text):
        return text
    if "{" in text or " " not in text:
        return ""
    if language and not language.lower().startswith("en"):
        return ""
    return _question_about_activity(text)


def _question_about_activity(text: str) -> str:
    """The question that an English heading of two words or more stands for, "" if it names no activity."""
    first_word, _, object_words = text.partition(" ")
    word, follower = first_word.lower(), object_words.split()[0].lower()
    if follower == "started":
        # "Getting Started" needs a small letter. Other words keep their capital, since they may be names ("Add a React
        # Page").
        object_words = follower + object_words[len(follower) :]
    if word in QUESTION_WORDS and follower in AUXILIARY_VERBS:
        return question if _is_question(question := f"{text.rstrip('?')}?") else ""
    if word == "how" and follower == "to" and _names_a_thing(object_words.partition(" ")[2].partition(" ")[2]):
        return f"How do I {_in_first_person(object_words.partition(' ')[2])}?"
    verb = _verb(word)
    if not verb or text.endswith(":") or text.lower() in NOT_ACTIVITIES:
        return ""
    # "Adapting and rendering" gives no question: its second word may be a verb or a noun.
    if verb != word and follower in CONJUNCTIONS:
        return ""
    if verb in NOUN_VERBS and follower not in WORDS_AFTER_VERBS:
        return ""
    return f"How do I {verb} {_in_first_person(object_words)}?" if _names_a_thing(object_words) else ""


def _questions(page: Page, anchors: Iterable[Anchor]) -> Iterator[str]:
    """The questions from the headings of a page down to the third level, in the order of the page."""
    for anchor in anchors:
        if anchor.kind == "heading" and 1 <= anchor.level <= 3 and not anchor.duplicate:
            question = question_of(anchor.text, page.language)
            if question:
                yield question


def _is_question(text: str) -> bool:
    """Whether a text ends with a question mark, and says what it is about to somebody who does not see its page.

    "What is covered?" does not say it, and "What is CycloneDX?" does.
    """
    words = text.split()
    names_subject = not text.isascii() or len(words) > 3 or (len(words) == 3 and not words[-1].islower())
    return names_subject and text.endswith(("?", "？", "؟"))


def _names_a_thing(words: str) -> bool:
    """Whether the words behind a verb name a thing, and are not only pronouns, articles and the like."""
    return any(word.lower() not in POINTING_WORDS | WORDS_AFTER_VERBS for word in _WORD.findall(words))


def _verb(word: str) -> str:
    """The verb of a word like "install" or "installing", "" if the word is none of these verbs."""
    verbs = PLAIN_VERBS | NOUN_VERBS
    if word in verbs:
        return word
    stem = word.removesuffix("ing")
    if stem == word or len(stem) < 2:
        return ""
    # installing, changing, setting
    doubled = stem[:-1] if stem[-1] == stem[-2] else stem
    return next((verb for verb in (stem, f"{stem}e", doubled) if verb in verbs), "")


def _in_first_person(text: str) -> str:
    """A text that addresses the reader, in the reader's own words: `your site` becomes `my site`."""
    return re.sub(r"\b([Yy])our\b", lambda your: "My" if your[1] == "Y" else "my", text).rstrip("?")
