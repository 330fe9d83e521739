"""Topics that nearly all docs have, and that each calls by a name of its own: installing, getting started, changes.

Somebody who types `faq` means the page `Frequently Asked Questions`, and `how do I install it?` means the docs' own
subject: no word of these questions tells which of many sections about installing something is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from trueref_core.records import Chunk
from trueref_server.corpus.words import words

FILLERS: Final = frozenset(
    "how do does can could should would i we you to the a an my our your is are there where find what which s please "
    "it this of for show me see and in on at with get getting".split()
)
"""Words that say nothing about the topic of a question or a title."""

_PAGES: Final = frozenset("docs documentation page guide guides section official".split())
"""Words for pages, which say nothing in a title either, nor at the end of a question: `installation guide`."""

_COMMANDS_TOO: Final = frozenset("install update upgrade uninstall download new history".split())
"""Words that are commands of many programs as well. `uv install` and `update()` ask for the command."""

_ASKED_HOW: Final = re.compile(r"\bhow\b", re.IGNORECASE)
_ASKED_WHAT_IS_NEW: Final = re.compile(r"\bwhat(?:['\u2019]?s| is| has been)\b", re.IGNORECASE)

_OF_A_COMMAND: Final = re.compile(r"[`()]|--|\bwhat (?:does|do|did)\b", re.IGNORECASE)
"""Code, the parentheses of a call, an option, or `what does ... do`: the question is about a command."""

# How well a section is about a topic, from 0 to 1 (`docs/decisions/ranking.md`).

OF_PAGE: Final = 0.85
"""The value of a section of the page about a topic."""

AND_TITLED: Final = 0.1
"""What such a section gains if its own title is that of the topic too."""

PER_POSITION: Final = 0.03
"""What it loses for each chunk of the page before it: the beginning of a page says what the page is about."""

MAX_POSITION: Final = 8
"""The most chunks before it that count."""

OF_SUBJECT: Final = 0.8
"""The value of a section with the title on a page about something else, if the title names the subject of the docs."""

OF_SECTION: Final = 0.4
"""Its value if the title does not name the subject: `Using SQS` has a section `Installation`, too."""

PER_FOLDER: Final = 0.05
"""What each folder of the page's address takes from a value: a page deep in the docs is about a part of the subject."""

MAX_FOLDERS: Final = 5
"""The most folders that count."""


@dataclass(frozen=True, slots=True)
class UsualTopic:
    """How a topic is asked for, and what sections about it are called, both without `FILLERS` and the subject's name.

    `searched` has words of the titles, by which these sections are found. `scope` says which sections are about the
    topic. `anywhere`: all with such a title. `in page`: all of a page with such a title, since nearly each page of a
    guide may have a section `Changes`. `of page`: those with such a title on a page with such a title, since one of
    many settings is no list of them.
    """

    asked: re.Pattern[str]
    titled: re.Pattern[str]
    searched: str
    scope: Literal["anywhere", "in page", "of page"] = "anywhere"


_ALL: Final = r"(?:(?:list|all|available|possible|supported) )+"
_LATEST: Final = r"(?: (?:latest|newest|newer|new)(?: (?:version|release))?)?"
_INSTALL: Final = (
    r"(?:install|installing|installation|download|downloads|downloading)(?: (?:instructions|steps|overview|guide))?"
)
_CHANGES_ASKED: Final = (
    r"change ?logs?|release (?:notes|history)|(?:recent|latest) changes|change history|new|whats new|releases"
)
_CHANGES: Final = r"change ?logs?|release notes|changes|change history|new|whats new|history|releases|news"
_UPGRADE: Final = rf"(?:upgrade|update|upgrading|updating){_LATEST}"
_SETTINGS: Final = r"(?:(?:built|core) )?(?:settings|options|configuration(?: defaults| options| settings| file)?)"
_COMMANDS: Final = r"(?:(?:cli|tool|built) )?(?:commands|subcommands|command line(?: tool| interface| reference)?|cli)"

TOPICS: Final[Mapping[str, UsualTopic]] = {
    "install": UsualTopic(re.compile(_INSTALL), re.compile(_INSTALL), "install installing installation download"),
    "start": UsualTopic(
        re.compile(r"started|quick ?start|tutorials?|first steps|beginners?|introduction"),
        re.compile(r"started|quick ?start|(?:basic |first )?tutorials?|first steps|beginners?|introduction|glance"),
        "getting started quickstart quick start first steps tutorial introduction beginners glance",
    ),
    "faq": UsualTopic(
        re.compile(r"faqs?|(?:frequently asked|common) questions"),
        re.compile(r"faqs?|(?:frequently asked|common) questions(?: faqs?)?"),
        "faq frequently asked questions",
        scope="in page",
    ),
    "changes": UsualTopic(
        re.compile(_CHANGES_ASKED),
        re.compile(_CHANGES),
        "changelog changes release notes history news new",
        scope="in page",
    ),
    "upgrade": UsualTopic(re.compile(_UPGRADE), re.compile(_UPGRADE), "upgrade upgrading update updating"),
    "uninstall": UsualTopic(
        re.compile(r"uninstall|uninstalling|uninstallation"),
        re.compile(r"uninstall|uninstalling|uninstallation"),
        "uninstall uninstalling uninstallation",
    ),
    "requirements": UsualTopic(
        re.compile(
            r"(?:(?:system|minimum|hardware) )?requirements|prerequisites|(?:supported|minimum)(?: \w+)? versions?"
        ),
        re.compile(r"(?:(?:system|minimum|version) )?requirements|prerequisites|supported(?: \w+)? versions|need"),
        "requirements prerequisites supported versions need",
    ),
    "settings": UsualTopic(
        re.compile(rf"{_ALL}{_SETTINGS}"),
        re.compile(rf"(?:{_ALL})?{_SETTINGS}(?: reference)?"),
        "settings configuration options reference",
        scope="of page",
    ),
    "commands": UsualTopic(
        re.compile(rf"{_ALL}{_COMMANDS}"),
        re.compile(rf"(?:{_ALL})?{_COMMANDS}(?: reference)?"),
        "commands subcommands command line cli reference",
        scope="of page",
    ),
}


def usual_topic(query: str, subject: AbstractSet[str]) -> str:
    """The name of the topic that a question consists of; "" if it asks for anything more, or for a command.

    Args:
        query: The question.
        subject: The words by which the docs call their subject, such as `uv`.
    """
    if _OF_A_COMMAND.search(query):
        return ""
    asked = words(query)
    if any(before in subject and word in _COMMANDS_TOO for before, word in pairwise(asked)):
        return ""
    # `How do I download a page?` asks for more than `installation guide` does.
    before_page = _bare(asked[:-1], subject) if asked and asked[-1] in _PAGES else ""
    bare = before_page if before_page and before_page not in _COMMANDS_TOO else _bare(asked, subject)
    if (bare in ("update", "download") and not _ASKED_HOW.search(query)) or (
        bare == "new" and not _ASKED_WHAT_IS_NEW.search(query)
    ):
        return ""
    return next((name for name, topic in TOPICS.items() if topic.asked.fullmatch(bare)), "")


def is_of_subject(context: Iterable[str], subject: AbstractSet[str]) -> bool:
    """Whether words of a conversation or of a page name nothing but the subject of the docs or a usual topic."""
    known = subject | FILLERS | _PAGES | {word for topic in TOPICS.values() for word in topic.searched.split()}
    return all(word in known for text in context for word in words(text))


def title_value(name: str, chunk: Chunk, subject: AbstractSet[str]) -> float:
    """How likely a section is the one about a usual topic, by its titles and its page, 0 to 1.

    Args:
        name: The name of the topic.
        chunk: The first chunk of the section.
        subject: See `usual_topic`.
    """
    # An entry `upgrade` describes a command of this name.
    if chunk.kind == "definition":
        return 0.0
    topic = TOPICS[name]
    titles = [*dict.fromkeys([*chunk.breadcrumb, chunk.title])]
    is_titled = [topic.titled.fullmatch(_bare(words(title), subject | _PAGES)) is not None for title in titles]
    value = _value_by_titles(topic, is_titled, chunk, subject)
    # Only a section that may be about the topic loses something for the folders of its page.
    return value - PER_FOLDER * min(MAX_FOLDERS, chunk.page.strip("/").count("/")) if value else 0.0


def _value_by_titles(topic: UsualTopic, is_titled: Sequence[bool], chunk: Chunk, subject: AbstractSet[str]) -> float:
    """How likely a section is the one about a topic by its titles alone, 0 to 1.

    `is_titled` says of each title, from that of the page to that of the section, whether it is one of the topic.
    """
    is_whole_page = len(is_titled) == 1
    is_page_titled, is_section_titled = is_titled[0], is_titled[-1]
    if is_page_titled and topic.scope == "of page":
        if not is_section_titled:
            return 0.0
        return OF_PAGE if is_whole_page else OF_PAGE + AND_TITLED
    if is_page_titled and is_whole_page:
        return 1.0
    if is_page_titled:
        return OF_PAGE + AND_TITLED * is_section_titled - PER_POSITION * min(MAX_POSITION, chunk.position)
    if is_section_titled and topic.scope == "anywhere":
        return OF_SECTION if subject.isdisjoint(words(chunk.title)) else OF_SUBJECT
    return 0.0


def _bare(text: Iterable[str], left_out: AbstractSet[str]) -> str:
    """The words of a text without fillers and without some others."""
    return " ".join(word for word in text if word not in FILLERS and word not in left_out)
