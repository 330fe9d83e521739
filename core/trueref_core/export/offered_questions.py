"""Questions that a site answers, made of its headings: those that ask, and those that say what is done.

A reader who faces an empty field is offered some of them. "How do I change the fonts?" is made of the heading "Changing
the fonts". A heading that asks is taken as it stands, in any language. A heading that only names something gives no
question, since it does not tell what its section explains.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

import msgspec

from trueref_core.records import Anchor, Page, PageKind

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest

SITE_MOST: Final = 4
"""How many questions are offered."""
PAGE_MOST: Final = 3
"""How many of them are of the reader's page, if it has so many. The last one is of another page, to show that the docs
have more."""
PAGES_MOST: Final = 300
"""The file is fetched with the panel, so it holds the most central pages only: about 8 KB over the network."""
LONGEST: Final = 70
KINDS: Final[tuple[PageKind, ...]] = ("landing", "guide", "example", "reference")

ASKS: Final = frozenset(
    {"what", "why", "when", "where", "which", "who", "how", "can", "does", "do", "is", "are", "should"}
)
# What follows "What", "How" and their like in a question that lacks only its mark.
ASKS_ON: Final = frozenset({"is", "are", "do", "does", "can", "should", "will", "did", "has", "have"})

# Verbs that begin a heading about something that is done. Those of `NOUN_VERBS` are nouns as well ("Build options"), so
# that they count only before a word that follows verbs alone.
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
FOLLOWS_VERBS: Final = frozenset(
    "a an the your my all any another each every multiple several more other custom it them this that these up with "
    "from to in on as".split()
)
# Nouns that look like a verb in "-ing" with its object, and a heading over links that lead out of the docs.
NO_ACTIVITIES: Final = frozenset({"getting help", "building blocks", "writing style", "connect with us"})

JOINS: Final = frozenset({"and", "or", "&"})
# These words point to something that stands around the heading, so a question of them alone says nothing.
POINTS: Final = frozenset("all any it more one other others that them these they this those us".split())

_WORD = re.compile(r"[^\W\d_]+")


class OfferedQuestions(msgspec.Struct, frozen=True):
    """The file beside the widget: questions by page, and by language for pages that have few of their own."""

    pages: dict[str, list[str]]
    languages: dict[str, list[str]]


def offered_questions(manifest: Manifest, site: str | None = None) -> OfferedQuestions:
    """The questions of a site's pages. Hidden pages and drafts offer none."""
    shown = [page for page in manifest.pages(site) if page.kind in KINDS and not (page.hidden or page.draft)]
    shown.sort(key=lambda page: (KINDS.index(page.kind) > 1, -page.weight, -page.centrality, page.page))
    pages: dict[str, list[str]] = {}
    languages: dict[str, list[str]] = {}
    for page in shown[:PAGES_MOST]:
        questions = list(dict.fromkeys(_questions(page, manifest.anchors(page.page, page.site))))[:PAGE_MOST]
        if not questions:
            continue
        pages[page.page] = questions
        of_site = languages.setdefault(page.language.split("-")[0].lower(), [])
        # One of each page: they tell how much the docs explain.
        new = next((question for question in questions if question not in of_site), None)
        if new is not None and len(of_site) < SITE_MOST:
            of_site.append(new)
    return OfferedQuestions(pages, languages)


def question_of(heading: str, language: str = "") -> str:
    """The question that a heading answers, "" if it neither asks nor says what is done."""
    text = " ".join(heading.split()).rstrip("¶#. ")
    if len(text) > LONGEST:
        return ""
    if _asks(text):
        return text
    if "{" in text or " " not in text:
        return ""
    if language and not language.lower().startswith("en"):
        return ""
    first_word, _, object_words = text.partition(" ")
    word, follower = first_word.lower(), object_words.split()[0].lower()
    if follower == "started":
        # "Started" is no name here. Elsewhere a word keeps its capital, since it may be one ("Add a React Page").
        object_words = follower + object_words[len(follower) :]
    if word in ASKS and follower in ASKS_ON:
        return question if _asks(question := f"{text.rstrip('?')}?") else ""
    if word == "how" and follower == "to" and _names_something(object_words.partition(" ")[2].partition(" ")[2]):
        return f"How do I {_in_first_person(object_words.partition(' ')[2])}?"
    verb = _verb(word)
    if not verb or text.endswith(":") or text.lower() in NO_ACTIVITIES:
        return ""
    # "Adapting and rendering" gives no question: its second word may be a verb or a noun.
    if verb != word and follower in JOINS:
        return ""
    if verb in NOUN_VERBS and follower not in FOLLOWS_VERBS:
        return ""
    return f"How do I {verb} {_in_first_person(object_words)}?" if _names_something(object_words) else ""


def _questions(page: Page, anchors: Iterable[Anchor]) -> Iterator[str]:
    """Questions from the sections of a page, in their order, without deep ones."""
    for anchor in anchors:
        if anchor.kind == "heading" and 1 <= anchor.level <= 3 and not anchor.duplicate:
            question = question_of(anchor.text, page.language)
            if question:
                yield question


def _asks(text: str) -> bool:
    """Whether a text ends as a question does, and says what it is about.

    "What is covered?" says so only on its own page, and "What is CycloneDX?" says so anywhere.
    """
    words = text.split()
    names = not text.isascii() or len(words) > 3 or (len(words) == 3 and not words[-1].islower())
    return names and text.endswith(("?", "？", "؟"))


def _names_something(words: str) -> bool:
    """Whether the words behind a verb name something, and do not only point at it or join it to another word."""
    return any(word.lower() not in POINTS | FOLLOWS_VERBS for word in _WORD.findall(words))


def _verb(word: str) -> str:
    """The verb of "install" and of "installing", "" for any other word."""
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
    """A text that the docs address to the reader, as the reader would say it: `your site` becomes `my site`."""
    return re.sub(r"\b([Yy])our\b", lambda your: "My" if your[1] == "Y" else "my", text).rstrip("?")
