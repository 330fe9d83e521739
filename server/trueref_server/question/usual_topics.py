"""Topics that nearly all docs have, and that each calls by a name of its own: installing, getting started, changes.

Somebody who types `faq` means the page `Frequently Asked Questions`, and `how do I install it?` means the docs' own
subject: no word of these questions tells which of many sections about installing something is meant.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final, Literal

from trueref_core.records import Chunk
from trueref_server.corpus.words import words

FILLERS: Final = frozenset(
    "how do does can could should would i we you one to the a an my our your is are there where find what which s "
    "please it this of for show me see docs documentation page guide guides and in on at with get getting section "
    "official".split()
)
"""Words that say nothing about the topic of a question or a title."""


OF_PAGE: Final = 0.85
AND_TITLED: Final = 0.1
PER_POSITION: Final = 0.03
MAX_POSITION: Final = 8
"""The value of a section of the page about a topic, what it gains if its own title is that of the topic too, and what
it loses for each chunk of the page that comes before it: the page's beginning says what the page is about."""

OF_SUBJECT: Final = 0.8
OF_SECTION: Final = 0.4
"""The value of a section that has the title on a page about something else, if the title names the subject of the docs,
and if it does not: `Using SQS` has a section `Installation`, too."""

PER_FOLDER: Final = 0.05
MAX_FOLDERS: Final = 5
"""What each folder of the page's address takes from a value: a page deep in the docs is about a part of the subject."""


@dataclass(frozen=True, slots=True)
class UsualTopic:
    """How a topic is asked for, and what sections about it are called, both without `FILLERS` and the subject's name.

    `searched` has words of the titles, by which these sections are found. `scope` says which sections are about the
    topic: those with the title `anywhere`; only those of a page with the title (`in page`),
    since nearly each page of a guide may have a section `Changes`; or of that page only sections with the title (`of
    page`), since one of many settings is no list of them.
    """

    asked: re.Pattern[str]
    titled: re.Pattern[str]
    searched: str
    scope: Literal["anywhere", "in page", "of page"] = "anywhere"


_ALL: Final = r"(?:(?:list|all|available|possible|supported) )+"
_LATEST: Final = r"(?: (?:latest|newest|newer|new)(?: (?:version|release))?)?"
_INSTALL: Final = (
    r"(?:install|installing|installation|download|downloads|downloading)(?: (?:instructions|steps|overview))?"
)
_CHANGES: Final = (
    r"change ?logs?|release notes|(?:change |recent )?changes|change history|new|whats new|history|releases|news"
)
_UPGRADE: Final = rf"(?:upgrade|update|upgrading|updating){_LATEST}"
_SETTINGS: Final = r"(?:(?:built in|core) )?(?:settings|options|configuration(?: defaults| options| settings| file)?)"
_COMMANDS: Final = (
    r"(?:(?:cli|tool|built in) )?(?:commands|subcommands|command line(?: tool| interface| reference)?|cli)"
)

TOPICS: Final[Mapping[str, UsualTopic]] = {
    "install": UsualTopic(re.compile(_INSTALL), re.compile(_INSTALL), "install installing installation download"),
    "start": UsualTopic(
        re.compile(r"started|quick ?start|tutorials?|first steps|beginners?|introduction"),
        re.compile(r"started|quick ?start|(?:basic |first )?tutorials?|first steps|beginners?|introduction|glance"),
        "getting started quickstart quick start first steps tutorial introduction",
    ),
    "faq": UsualTopic(
        re.compile(r"faqs?|(?:frequently asked|common) questions"),
        re.compile(r"faqs?|(?:frequently asked|common) questions(?: faqs?)?"),
        "faq frequently asked questions",
        scope="in page",
    ),
    "changes": UsualTopic(
        re.compile(_CHANGES), re.compile(_CHANGES), "changelog changes release notes history news", scope="in page"
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
        "commands command line cli reference",
        scope="of page",
    ),
}


def usual_topic(query: str, subject: AbstractSet[str]) -> str:
    """The name of the topic that a question consists of; "" if it asks for anything more.

    Args:
        query: The question.
        subject: The words by which the docs call their subject, such as `uv`.
    """
    bare = _bare(query, subject)
    return next((name for name, topic in TOPICS.items() if topic.asked.fullmatch(bare)), "")


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
    is_titled = [topic.titled.fullmatch(_bare(title, subject)) is not None for title in titles]
    if is_titled[0] and topic.scope == "of page":
        value = 0.0 if not is_titled[-1] else OF_PAGE if len(titles) == 1 else OF_PAGE + AND_TITLED
    elif is_titled[0]:
        in_page = OF_PAGE + AND_TITLED * is_titled[-1] - PER_POSITION * min(MAX_POSITION, chunk.position)
        value = 1.0 if len(titles) == 1 else in_page
    elif is_titled[-1] and topic.scope == "anywhere":
        value = OF_SECTION if subject.isdisjoint(words(chunk.title)) else OF_SUBJECT
    else:
        value = 0.0
    if not value:
        return 0.0
    return value - PER_FOLDER * min(MAX_FOLDERS, chunk.page.strip("/").count("/"))


def _bare(text: str, subject: AbstractSet[str]) -> str:
    """The words of a text in small letters, without fillers and the words of the subject."""
    return " ".join(word for word in words(text) if word not in FILLERS and word not in subject)
