"""Questions that consist of a topic that nearly all docs have: the page that is called so answers them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from scripts.worst_questions import counted_searches
from tests.server.handmade import chunk

from trueref_plugin.build.build import index_site
from trueref_server.corpus.corpus import Statistics, subject_words
from trueref_server.corpus.words import stems
from trueref_server.question.conversation import in_conversation
from trueref_server.question.openings import without_openings
from trueref_server.question.plan import make_plan
from trueref_server.question.usual_topics import TOPICS, title_value, usual_topic
from trueref_server.ranking.confidence import USUAL
from trueref_server.records import Answer, Question
from trueref_server.service import Service
from trueref_server.settings import Settings

SUBJECT = frozenset({"kiln"})
SENSOR = "Install the sensor before the shelves, and start it. Installing it takes an hour. Install its table as well. "
NOTICE = "These pages are for the version of the controller that has not come out so far, and may be wrong in parts. "
PAGES: dict[str, tuple[str, str, dict[str, str]]] = {
    "index.html": ("Kiln", "The controller fires clay in a kiln.", {}),
    "sensors.html": (
        "Sensors",
        SENSOR,
        {"Installing a sensor": SENSOR, "Changes to sensors": "Sensors change. Changes."},
    ),
    "setup.html": ("Installing Kiln", "Put the controller beside the wall, and join both with the red cable.", {}),
    "begin.html": ("First steps", "Fire an empty chamber once, and listen to the fan while it cools.", {}),
    "about.html": ("About", NOTICE, {"License": "Everything is under the terms of the old potters' agreement."}),
    "glazes.html": ("Glazes", NOTICE, {}),
    "fans.html": ("Fans", NOTICE, {}),
    "doors.html": ("Doors", NOTICE, {}),
    "why.html": ("Overview", NOTICE, {"Features": "The controller fires at night, when power is cheap for potters."}),
    "versions.html": ("Release notes", "Every version is here with the day on which it came out.", {}),
    "replies.html": ("Frequently asked questions", "", {"How long is a firing?": "Nine hours, and twelve in winter."}),
    "keys.html": ("Configuration", "The file has a key in each line.", {"max-heat": "The highest temperature of all."}),
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("usual")
    for name, (title, text, sections) in PAGES.items():
        parts = [f"<h1 id=top>{title}</h1><p>{text}</p>"]
        parts += [f"<h2 id=s{at}>{heading}</h2><p>{told}</p>" for at, (heading, told) in enumerate(sections.items())]
        path = folder / "site" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"<!doctype html><title>{title}</title><main>{''.join(parts)}</main>", encoding="utf-8")
    index_site(folder / "site", index=folder / "index")
    return folder / "index"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("how do I install it?", "setup.html"),
        ("installation", "setup.html"),
        ("quickstart", "begin.html"),
        ("how do I get started with kiln?", "begin.html"),
        ("what's new?", "versions.html"),
        ("changelog", "versions.html"),
        ("faq", "replies.html"),
        ("list of all settings", "keys.html"),
        ("is it free?", "about.html"),
        # The beginning of the page is a notice that others have too.
        ("what is it good for?", "why.html"),
        # No word of it is one that tells a topic.
        ("why should I use it?", "why.html"),
        # These ask for a part of the subject.
        ("how do I install a sensor?", "sensors.html"),
    ],
)
async def test_the_page_about_the_topic_answers(index: Path, text: str, page: str) -> None:
    service = Service(Settings(index=index))
    answer: Answer = await service.ask_whole(Question(text))
    await service.close()
    assert (answer.sources[0].page, answer.verdict) == (page, "answer")
    assert answer.citations == (1,)
    assert NOTICE.strip() not in [block.text for block in answer.excerpts[0].blocks]


@pytest.mark.anyio
async def test_docs_without_a_section_about_the_topic_are_searched_for_the_words_of_the_question(index: Path) -> None:
    service = Service(Settings(index=index))
    searched: dict[str, list[str]] = {}
    for text in ("changelog", "uninstall", "shelves"):
        with counted_searches() as searches:
            await service.ask_whole(Question(text))
        searched[text] = [words for words in searches if words]
    await service.close()
    assert searched == {
        "changelog": [f"changelog {TOPICS['changes'].searched}"],
        "uninstall": [f"uninstall {TOPICS['uninstall'].searched}", "uninstall"],
        "shelves": ["shelves"],
    }


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("how do I install it?", "install"),
        ("How can I download the kiln", "install"),
        ("installation guide", "install"),
        ("quickstart", "start"),
        ("How do I get started?", "start"),
        ("where is the FAQ", "faq"),
        ("what's new?", "changes"),
        ("recent changes", "changes"),
        ("kiln changelog", "changes"),
        ("faq page", "faq"),
        ("how do I upgrade to the latest version", "upgrade"),
        ("what are the system requirements?", "requirements"),
        ("supported Python versions", "requirements"),
        ("list of all settings", "settings"),
        ("list all available commands", "commands"),
        ("which Python version do I need?", "runtime"),
        ("what Node version is required", "runtime"),
        ("what's new in the latest version", "changes"),
        ("what licence does it have", "license"),
        ("is kiln free to use commercially?", "license"),
        ("does anyone know whether kiln is free?", "license"),
        ("do I have to pay for it", "license"),
        ("is it open source?", "license"),
        ("who made kiln?", "people"),
        ("who maintains this project", "people"),
        ("who are the maintainers", "people"),
        ("where can I report a bug", "bugs"),
        ("I found a bug, where do I report it", "bugs"),
        ("where do I file an issue", "bugs"),
        ("where can I get help?", "help"),
        ("how do I get help", "help"),
        ("where do I ask for help", "help"),
        ("why should I use kiln?", "purpose"),
        ("what is kiln good for", "purpose"),
        ("what do I need kiln for?", "purpose"),
        ("who is it for", "purpose"),
        ("how do I install this", "install"),
        ("alternatives to kiln", "alternatives"),
        ("does anyone know how to install kiln?", "install"),
        # More is asked for than a topic, or something else is.
        ("how do I install a sensor", ""),
        ("how do I install it on Windows", ""),
        ("how do I start the kiln", ""),
        ("settings", ""),
        ("what changes when the cone is larger", ""),
        # Commands, options and methods that are called like a topic.
        ("kiln install", ""),
        ("what does kiln upgrade do?", ""),
        ("what does --upgrade do", ""),
        ("`install`", ""),
        ("update()", ""),
        ("update", ""),
        ("kiln new", ""),
        # Docs with a section about help may have no chat.
        ("is there a mailing list or chat", ""),
        ("slack", ""),
        ("help forum", ""),
        ("community", ""),
        ("contact the team", ""),
        # It may be anything that the reader sees.
        ("who is this for", ""),
        ("why do I need this", ""),
        ("what is this used for", ""),
        ("who wrote this?", ""),
        ("who owns this", ""),
        # Objects of the docs, and what somebody has made.
        ("how do I download a page", ""),
        ("can I download the docs?", ""),
        ("how do I update the documentation", ""),
        ("where are my changes", ""),
        ("show history", ""),
        ("how do I get a new one", ""),
        ("new page", ""),
        ("free", ""),
        ("help", ""),
        ("kiln help", ""),
        ("why?", ""),
        ("who?", ""),
        ("how do I use kiln", ""),
        ("what do I need", ""),
        ("free a cone", ""),
        ("report a temperature", ""),
        ("who can open the kiln", ""),
        ("authors", ""),
        ("kiln", ""),
        ("", ""),
    ],
)
def test_a_question_is_about_a_topic_if_it_asks_for_nothing_else(text: str, name: str) -> None:
    assert usual_topic(without_openings(text), SUBJECT) == name


@pytest.mark.parametrize(
    ("name", "better", "worse"),
    [
        # The page, before a section of it, before one further down.
        ("install", ("guide/", (), "Installation"), ("guide/", ("Installation",), "Docker")),
        ("install", ("guide/", ("Installation",), "Docker"), ("guide/", ("Installation",), "Snap", 5)),
        # A section that names the subject, before one of another page.
        ("install", ("a/", ("First steps",), "Installing kiln"), ("a/", ("Sensors",), "Installation")),
        # A page near the root, before one deep in the docs.
        ("install", ("a/", ("Start",), "Installation"), ("a/b/c/", ("Start",), "Installation")),
        # One of many settings is no list of them, and a section about changes is no change log.
        ("settings", ("a/", (), "Settings reference"), ("a/", ("Settings reference",), "max-heat")),
        ("commands", ("a/", ("Command line",), "Available tool commands", 9), ("a/", (), "Command line")),
        ("changes", ("a/", ("Changelog",), "1.2.0"), ("a/", ("Cones",), "Changes")),
        ("bugs", ("a/", ("Bug reports",), "Bug tracker", 9), ("a/", ("Bug reports",), "Searching for solutions", 3)),
        # A page about the subject as a whole, before one about a part of it.
        ("install", ("a/", ("Getting started",), "Installation"), ("a/", ("Sensors",), "Installing")),
        ("license", ("a/", ("About Kiln",), "License"), ("a/", ("Writing a plugin",), "License")),
        ("license", ("a/", ("Common questions",), "Is Kiln free?"), ("a/", ("Writing a plugin",), "License")),
        ("rival", ("a/", ("FAQ",), "How does Kiln compare with ovens?"), ("a/", ("Cones",), "Comparison")),
        ("people", ("", ("Kiln(1) manual page",), "Authors"), ("man/cone/", ("CONE",), "AUTHORS")),
        ("bugs", ("a/", ("Help & support",), "I think I've got a bug"), ("man/cone/", ("CONE",), "Reporting bugs")),
    ],
)
def test_the_page_about_a_topic_comes_before_sections_about_it(
    name: str, better: tuple[str, tuple[str, ...], str], worse: tuple[str, tuple[str, ...], str]
) -> None:
    def value(page: str, breadcrumb: tuple[str, ...], title: str, position: int = 0) -> float:
        made = replace(chunk(page, "anchor", "Text.", position), breadcrumb=breadcrumb, title=title)
        return title_value(name, made, SUBJECT)

    assert 1 >= value(*better) > value(*worse) >= 0


@pytest.mark.parametrize(
    ("name", "breadcrumb", "title"),
    [
        ("license", ("Writing a plugin",), "License"),
        ("people", ("CONE",), "AUTHOR"),
        ("help", ("Cones",), "Support"),
        # A command that is called like a topic.
        ("help", ("Kiln-help(1) Manual Page",), "Name"),
        ("install", ("kiln-install(1)",), "Description"),
    ],
)
def test_a_section_about_a_part_of_the_subject_is_not_about_the_project(
    name: str, breadcrumb: tuple[str, ...], title: str
) -> None:
    made = replace(chunk("a/", "anchor", "Text.", 0), breadcrumb=breadcrumb, title=title)
    assert title_value(name, made, SUBJECT) == 0


def test_the_home_page_says_what_the_subject_is_if_no_section_does() -> None:
    home = replace(chunk("", "anchor", "Text.", 0), breadcrumb=(), title="Kiln 2.8 documentation")
    features = replace(home, breadcrumb=("Kiln 2.8 documentation",), title="Features")
    assert title_value("purpose", features, SUBJECT) > title_value("purpose", home, SUBJECT) >= USUAL
    assert title_value("license", home, SUBJECT) == 0
    assert title_value("purpose", replace(home, page="a/"), SUBJECT) == 0


def test_the_features_of_a_version_are_not_those_of_the_subject() -> None:
    made = replace(
        chunk("a/", "anchor", "Text.", 0), breadcrumb=("Changelog",), title="Features", page_kind="changelog"
    )
    assert title_value("purpose", made, SUBJECT) == 0
    assert title_value("purpose", replace(made, breadcrumb=("About",), page_kind="guide"), SUBJECT) > 0


def test_an_entry_with_the_name_of_a_topic_is_not_about_it() -> None:
    entry = replace(chunk("cli/", "upgrade", "Upgrades the table.", 0), kind="definition")
    assert title_value("upgrade", entry, SUBJECT) == 0


@pytest.mark.parametrize(
    ("name", "titles"),
    [
        ("install", ("Installation guide", "Installing Kiln", "How to install Kiln", "Downloads")),
        ("start", ("Getting started", "Quick start", "Kiln at a glance", "First steps", "Tutorial", "For beginners")),
        ("faq", ("FAQ", "Frequently Asked Questions (FAQ)")),
        ("changes", ("What's new", "Release notes", "Change log", "History", "News")),
        ("upgrade", ("How to upgrade", "Upgrading to a newer version", "Updating Kiln")),
        ("uninstall", ("Uninstalling", "How to uninstall Kiln")),
        ("requirements", ("System requirements", "Prerequisites", "Supported Python versions", "What do I need?")),
        ("settings", ("Configuration reference", "Settings", "All options", "Built-in settings reference")),
        ("commands", ("CLI reference", "Command line interface", "Commands", "Available tool commands")),
        ("runtime", ("Python version requirements", "Supported Node.js versions", "What do I need?")),
        ("license", ("License", "Licensing", "Is Kiln free?", "License and copyright")),
        ("people", ("Authors", "Maintainers & contributors", "Credits", "About us", "The history and purpose of Kiln")),
        ("bugs", ("Bug tracker", "Reporting bugs", "Report bugs", "I think I've got a bug!", "Bug reports")),
        (
            "help",
            ("Getting help", "Help & Support", "Support, questions, and feature requests", "Community", "Contact"),
        ),
        ("purpose", ("What is Kiln?", "Why Kiln?", "Why you should use Kiln", "Features", "Highlights", "About Kiln")),
        ("alternatives", ("Alternatives", "Comparison", "Comparing Kiln to other ovens", "Other useful projects")),
    ],
)
def test_titles_of_a_topic_are_found_by_the_words_that_are_searched(name: str, titles: tuple[str, ...]) -> None:
    searched = stems(TOPICS[name].searched)
    for title in titles:
        made = replace(chunk("a/", "", "Text.", 0), title=title, breadcrumb=())
        assert title_value(name, made, SUBJECT) > 0
        assert searched & stems(title)


def test_the_topic_of_a_conversation_comes_before_a_usual_one() -> None:
    statistics = Statistics(subjects={"docs": SUBJECT})
    plan = make_plan(Question("how do I install it?"), "en", statistics)
    assert plan.usual_topic == "install"
    assert TOPICS["install"].searched in plan.synonyms
    of_backend = in_conversation(plan, ("redis", "backend"), None, SUBJECT)
    assert (of_backend.usual_topic, of_backend.synonyms) == ("", ())
    of_subject = in_conversation(plan, ("kiln",), None, SUBJECT)
    assert (of_subject.usual_topic, of_subject.synonyms) == ("install", plan.synonyms)


def test_the_subject_is_the_name_in_the_title_of_the_home_page() -> None:
    titles = {
        "pipx \u2014 Install applications": {"pipx"},
        "Kiln: fire clay": {"kiln"},
        "Kiln 2 manual": {"kiln", "manual"},
    }
    for title, subject in titles.items():
        home = replace(chunk("", "", "Text.", 0), title=title, breadcrumb=())
        assert subject_words(home) == subject
    assert subject_words(chunk("a/", "", "Text.", 0)) == frozenset()


@pytest.mark.anyio
@pytest.mark.parametrize("asked", ["kiln", "glaze"])
async def test_of_several_sites_the_one_that_is_named_answers(tmp_path: Path, asked: str) -> None:
    for name, title in (("kiln", "Installation"), ("glaze", "Setting up")):
        site = tmp_path / name
        site.mkdir()
        for page, heading, text in (
            ("index.html", name.capitalize(), f"About {name} and what it is for."),
            ("begin.html", title, f"Put {name} beside the wall, and join the cable to the socket."),
            ("more.html", "More", f"Install {name} with the tool, and installing it takes an hour at most."),
        ):
            html = f"<!doctype html><title>{heading}</title><main><h1 id=top>{heading}</h1><p>{text}</p></main>"
            (site / page).write_text(html, encoding="utf-8")
        index_site(site, index=tmp_path / "index", name=name, base_url=f"https://{name}.example.org/")
    service = Service(Settings(index=tmp_path / "index"))
    answer = await service.ask_whole(Question(f"how do I install {asked}?"))
    await service.close()
    assert (answer.sources[0].url or "").startswith(f"https://{asked}.example.org/")
