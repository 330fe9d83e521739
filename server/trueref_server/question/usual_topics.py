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
from trueref_server.corpus.corpus import HOME_PAGES
from trueref_server.corpus.words import words

FILLERS: Final = frozenset(
    "how do does can could should would i we you to the a an my our your is are there where find what which s please "
    "it this that so of for show me see and in on at with get getting".split()
)
"""Words that say nothing about the topic of a question or a title."""

_PAGES: Final = frozenset("docs documentation page guide guides section official".split())
"""Words for pages, which say nothing in a title either, nor at the end of a question: `installation guide`."""

_COMMANDS_TOO: Final = frozenset("install update upgrade uninstall download new history help".split())
"""Words that are commands of many programs as well. `uv install` and `update()` ask for the command."""

RIVAL: Final = "rival"
"""The topic of a question that compares the subject with something else. No words without a name ask for it."""

_OF_WHOLE: Final = frozenset(
    "welcome home overview about readme resources community contributing project manual more information "
    "faq faqs frequently asked common general questions".split()
)
"""Words of titles of pages about the docs' subject as a whole, besides those of the usual topics."""

_ASKED_HOW: Final = re.compile(r"\bhow\b", re.IGNORECASE)
_ASKED_WHAT_IS_NEW: Final = re.compile(r"\bwhat(?:['\u2019]?s| is| has been)\b", re.IGNORECASE)

_ASKED_WHETHER_FREE: Final = re.compile(r"\b(?:is|are|how)\b", re.IGNORECASE)
_ASKED_FOR_PERSON: Final = re.compile(r"\b(?:where|who|whom|need|any|there|get)\b", re.IGNORECASE)
_ASKED_WHAT_FOR: Final = re.compile(r"\b(?:what|who)\b.{1,80}\bfor\W{0,5}$", re.IGNORECASE)
"""The forms in which words that are commands or options as well ask for a topic: `is it free?`, `where is help?`."""

_OF_A_COMMAND: Final = re.compile(r"[`()]|--|\bwhat (?:does|do|did)\b(?! (?:i|we)\b)", re.IGNORECASE)
"""Code, the parentheses of a call, an option, or `what does ... do`: the question is about a command."""

_MANUAL_PAGE: Final = re.compile(r"\s{0,3}([\w.+-]{1,80})\s?\(\d[a-z]{0,2}\)", re.IGNORECASE)
"""Matches the title of a manual page, `kiln-help(1)`, up to the number of its part of the manual."""

_FORMS: Final[Mapping[str, re.Pattern[str]]] = {
    "update": _ASKED_HOW,
    "download": _ASKED_HOW,
    "new": _ASKED_WHAT_IS_NEW,
    "free": _ASKED_WHETHER_FREE,
    "help": _ASKED_FOR_PERSON,
    "support": _ASKED_FOR_PERSON,
}
"""By bare words that are names of commands and the like too, how a question with nothing else has to ask."""

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
"""The value of a section with the title on a page about something else, if the title names the subject of the docs; or
on a page about the subject as a whole, for a topic that is only about this."""

OF_HOME: Final = 0.77
"""The value of a section of the home page that is called by the subject's name alone, for the topic `purpose`: it says
what the subject is, in docs that have no section `Features`."""

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
    many settings is no list of them. `of subject`: those `in page`, and those with such a title on pages about the
    subject as a whole, since each manual page may have its author, and a guide to plugins theirs.
    """

    asked: re.Pattern[str]
    titled: re.Pattern[str]
    searched: str
    scope: Literal["anywhere", "in page", "of page", "of subject"] = "anywhere"


_ALL: Final = r"(?:(?:list|all|available|possible|supported) )+"
_LATEST: Final = r"(?: (?:latest|newest|newer|new)(?: (?:version|release))?)?"
_INSTALL: Final = (
    r"(?:install|installing|installation|download|downloads|downloading)(?: (?:instructions|steps|overview|guide))?"
)
_CHANGES_ASKED: Final = (
    r"change ?logs?|release (?:notes|history)|(?:recent|latest) changes|change history|releases|"
    r"(?:whats )?new(?: (?:latest|newest|current|last))?(?: (?:version|release))?"
)
_CHANGES: Final = r"change ?logs?|release notes|changes|change history|new|whats new|history|releases|news"
_UPGRADE: Final = rf"(?:upgrade|update|upgrading|updating){_LATEST}"
_SETTINGS: Final = r"(?:(?:built|core) )?(?:settings|options|configuration(?: defaults| options| settings| file)?)"
_COMMANDS: Final = r"(?:(?:cli|tool|built) )?(?:commands|subcommands|command line(?: tool| interface| reference)?|cli)"

_PROJECT: Final = r"(?:software|project|tool|library|package|framework|program)"
_OF_PROJECT: Final = rf"(?: (?:this )?{_PROJECT})?"
_LICENSE_ASKED: Final = (
    r"(?:under |have |use |used |software |project )*licen[cs](?:e|es|ed|ing)(?: (?:have|use|used|under|terms|type))*|"
    r"(?:really |completely )?free(?: (?:charge|software|open source))?(?: (?:use|used))?"
    r"(?: (?:commercial use|commercially|work|companies))?|open sourced?|have pay(?: use)?|(?:much )?cost(?: money|s)?|"
    r"(?:use|used) (?:commercially|commercial (?:product|project)s?)"
)
_PEOPLE: Final = r"(?:authors?|maintainers?|creators?|contributors|developers?|(?:core )?team)"
_PEOPLE_ASKED: Final = (
    r"who (?:made|makes|wrote|writes|maintain|maintains|maintaining|create|created|creates|develop|develops|developed|"
    rf"invented|started|owns|runs|behind|built|builds|{_PEOPLE}){_OF_PROJECT}|(?:maintainers|credits)"
)
_TROUBLE: Final = r"(?:bugs?|issues?|problems?|bug reports?)"
_BUGS_ASKED: Final = (
    rf"(?:found (?:bugs?|issues?) )?(?:report|file|submit|reporting|filing|raise)(?: new)?(?: {_TROUBLE})|"
    r"found (?:bugs?|issues?) (?:report|file)|(?:bug|issue) (?:tracker|reports?|reporting)"
)
_CHANNELS: Final = r"(?:mailing lists?|chat(?: rooms?)?|forums?|discord|slack|irc|community)"
_HELP_ASKED: Final = (
    r"(?:help )?(?:ask |look |looking |need |any |more |some |turn )*(?:help|support)(?: support)?|"
    r"ask (?:questions?|someone|somebody)"
)
"""Not with the name of a channel: docs with a section `Help` may have no chat."""

_PURPOSE_ASKED: Final = (
    r"why (?:use|using|want|need|choose|pick|care)(?: all)?|who (?:(?:use|meant|intended|made|need|needs) )?for|"
    r"who use|(?:good|used|useful|use|need|want|meant|intended) for|(?:purpose|point|motivation|philosophy)|"
    r"(?:main |key )?(?:features|benefits|advantages|highlights)(?: (?:of|using))*"
)
_ALIKE: Final = r"(?:alternatives?|competitors|similar (?:tools|projects|software|libraries|packages))"
_TITLED_PURPOSE: Final = (
    r"why(?: (?:use|using|choose|another|yet another)(?: \w+){0,3})?|what|about|overview|"
    r"(?:key |main )?features|highlights|motivation|introduction|philosophy|purpose|use cases|benefits"
)
_TITLED_ALIKE: Final = (
    rf"{_ALIKE}|comparisons?(?: (?:with|between))?(?: (?:others?|alternatives))?|"
    r"(?:comparing|compared|compares?)(?: \w+){0,4}|other(?: useful)? (?:tools|projects)|related(?: projects)?"
)
_RUNTIME: Final = r"(?:python|node(?: ?js)?|java|ruby|php|go|rust)"
_NEEDED: Final = r"(?:have )?(?:need|needs|needed|required?|requires|requirements?|supported?|supports|run|runs)"
_VERSION_NEEDED: Final = rf"(?:minimum )?(?:{_RUNTIME}(?: versions?)?|versions? {_RUNTIME}) {_NEEDED}(?: (?:run|use))?"

_BARE_THIS: Final = re.compile(rf"\bthis\b(?! {_PROJECT}\b)", re.IGNORECASE)
"""Matches `this` where it may stand for anything that the reader sees: `why do I need this?`."""

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
    "runtime": UsualTopic(
        re.compile(_VERSION_NEEDED),
        re.compile(
            rf"(?:supported|required|minimum) {_RUNTIME}(?: versions?)?|supported versions|need|"
            rf"{_RUNTIME}(?: versions?)? (?:requirements?|support|compatibility)"
        ),
        "supported required minimum version versions requirements support need",
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
    "license": UsualTopic(
        re.compile(_LICENSE_ASKED),
        re.compile(
            r"(?:(?:software|project) )?(?:licen[cs]e|licen[cs]ing)(?: (?:information|agreement|copyright))?|free"
        ),
        "license licence licensing licensed free",
        scope="of subject",
    ),
    "people": UsualTopic(
        re.compile(_PEOPLE_ASKED),
        re.compile(
            rf"{_PEOPLE}(?: {_PEOPLE})?|credits|acknowledge?ments?|about (?:us|authors?|team|project)|"
            r"history (?:purpose|project|origins?)"
        ),
        "authors author maintainers maintainer credits contributors developers creators team acknowledgments "
        "acknowledgements about us project history purpose",
        scope="of subject",
    ),
    "bugs": UsualTopic(
        re.compile(_BUGS_ASKED),
        re.compile(
            rf"(?:bug|issue) (?:tracker|reports?|reporting)|(?:report|reporting|filing|submitting)(?: new)? {_TROUBLE}|"
            r"(?:think ve |have )?(?:got|found) bug"
        ),
        "bug bugs issue tracker report reporting reports found",
        scope="of subject",
    ),
    "help": UsualTopic(
        re.compile(_HELP_ASKED),
        re.compile(
            r"(?:asking )?(?:help|support|community|questions)"
            r"(?: (?:help|support|questions|feature requests))*|"
            rf"contact(?: us| information)?|{_CHANNELS}|need help"
        ),
        "help support community contact questions asking mailing list chat forum",
        scope="of subject",
    ),
    "purpose": UsualTopic(
        re.compile(_PURPOSE_ASKED),
        re.compile(_TITLED_PURPOSE),
        "why what about features overview highlights motivation introduction philosophy purpose cases benefits",
        scope="of subject",
    ),
    "alternatives": UsualTopic(
        re.compile(rf"(?:any )?{_ALIKE}(?: (?:to|other))?|comparisons?(?: alternatives?)?|compare others?"),
        re.compile(_TITLED_ALIKE),
        "alternatives alternative comparison comparing similar other projects tools related",
        scope="of subject",
    ),
    # Asked with the name of another program: see `rivals`.
    RIVAL: UsualTopic(
        re.compile(r"(?!)"),
        re.compile(
            rf"{_TITLED_ALIKE}|(?:\w+ ){{0,2}}(?:versus|vs) \w+(?: \w+)?|{_TITLED_PURPOSE}",
        ),
        "alternatives comparison comparing versus vs features highlights why",
        scope="of subject",
    ),
}

_OF_ANY_SUBJECT: Final = FILLERS | _PAGES | {word for topic in TOPICS.values() for word in topic.searched.split()}
"""Words that name no part of a subject: those of usual topics, and words that say nothing."""


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
    form = _FORMS.get(bare)
    if form is not None and not form.search(query):
        return ""
    # `What is it good for?` asks for the purpose, and `how do I use it?` does not.
    if _ASKED_WHAT_FOR.search(query):
        bare = f"{bare} for"
    name = next((name for name, topic in TOPICS.items() if topic.asked.fullmatch(bare)), "")
    # Nobody installs a table of settings, but each has a purpose and an author.
    return "" if name in ("purpose", "people") and _BARE_THIS.search(query) else name


def is_of_subject(context: Iterable[str], subject: AbstractSet[str]) -> bool:
    """Whether words of a conversation or of a page name nothing but the subject of the docs or a usual topic."""
    return all(word in _OF_ANY_SUBJECT or word in subject or word.isdigit() for text in context for word in words(text))


def title_value(name: str, chunk: Chunk, subject: AbstractSet[str]) -> float:
    """How likely a section is the one about a usual topic, by its titles and its page, 0 to 1.

    Args:
        name: The name of the topic.
        chunk: The first chunk of the section.
        subject: See `usual_topic`.
    """
    # An entry `upgrade` describes a command of this name, and `Features` of a change log are those of one version.
    if chunk.kind == "definition" or (chunk.page_kind == "changelog" and name not in ("changes", "upgrade")):
        return 0.0
    topic = TOPICS[name]
    titles = [*dict.fromkeys([*chunk.breadcrumb, chunk.title])]
    # `kiln-help(1)` describes a command too, but `kiln(1)` is the subject.
    manual_page = _MANUAL_PAGE.match(titles[0])
    if manual_page and not subject >= set(words(manual_page[1])):
        return 0.0
    is_titled = [topic.titled.fullmatch(_bare_title(title, subject)) is not None for title in titles]
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
    # Of a guide to reporting bugs, the fifth step is no answer to where bugs are reported. Of the alternatives, the
    # fifth may be the one that is compared.
    is_at_beginning = topic.scope == "of subject" and topic is not TOPICS[RIVAL]
    if is_page_titled and is_at_beginning and chunk.position and not is_section_titled:
        return 0.0
    if is_page_titled:
        return OF_PAGE + AND_TITLED * is_section_titled - PER_POSITION * min(MAX_POSITION, chunk.position)
    if (
        topic in (TOPICS["purpose"], TOPICS[RIVAL])
        and chunk.page in HOME_PAGES
        and not _bare_title(chunk.title, subject)
    ):
        return OF_HOME
    if not is_section_titled or topic.scope not in ("anywhere", "of subject"):
        return 0.0
    if is_of_subject(chunk.breadcrumb, subject | _OF_WHOLE):
        return OF_SUBJECT
    if topic.scope == "of subject":
        return 0.0
    return OF_SECTION if subject.isdisjoint(words(chunk.title)) else OF_SUBJECT


def _bare_title(title: str, subject: AbstractSet[str]) -> str:
    """The words of a title by which a topic is known: `what` of `What is Kiln?`, which has no other."""
    of_title = [word for word in words(title) if not word.isdigit()]
    bare = _bare(of_title, subject | _PAGES)
    return "what" if not bare and of_title[:1] == ["what"] else bare


def _bare(text: Iterable[str], left_out: AbstractSet[str]) -> str:
    """The words of a text without fillers and without some others."""
    return " ".join(word for word in text if word not in FILLERS and word not in left_out)
