"""A word with a hyphen or a space and the same without are one word, if the docs have only one of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.server.handmade import chunk
from tests.work import is_linear

from trueref_server.corpus.corpus import Section, Statistics
from trueref_server.corpus.words import compounds, hyphenated, numbered
from trueref_server.question.plan import make_plan
from trueref_server.ranking.weighted_question import WeightedQuestion
from trueref_server.records import Plan, Question

DOCS = (
    "Alerts by e-mail, or none. Ein Überhitzungs-Schutz. The lock is re-entrant, and re-added by a re-try.",
    "A plugin in a plug. Eine Schlüsseldatei. A setup. The null of a notnull, not of others.",
    "That plugin is in a plug, in the setup. Die Schlüsseldatei. Not a null, and no notnull. The mouse-wheel. [a-z] k-v",
    "Each plugin has a name. The add-on is an addon. Not a null. Any addon. The log is read. Reinstall it, or it re-installs.",
)


def planned(text: str, language: str = "en") -> Plan:
    chunks = [chunk("a/", str(number), of_docs, number) for number, of_docs in enumerate(DOCS)]
    return make_plan(Question(text, language=language), "en", Statistics.of([Section.of([one]) for one in chunks]))


@pytest.mark.parametrize(
    ("text", "written", "meant"),
    [
        ("How do I get an email?", "email", "e-mail"),
        ("Can I get an Email?", "email", "e-mail"),  # a name, whose letters are right
        ("where are emails sent to", "emails", "e-mails"),
        ("install a plug-in", "plug-in", "plugin"),
        ("Plug-In order", "plug-in", "plugin"),
        ("is it reentrant", "reentrant", "re-entrant"),
        ("Wo ist der überhitzungsschutz?", "überhitzungsschutz", "überhitzungs-schutz"),
        ("Wo liegt die Schlüssel-Datei?", "schlüssel-datei", "schlüsseldatei"),
    ],
)
def test_the_spelling_of_the_docs_is_taken(text: str, written: str, meant: str) -> None:
    plan = planned(text)
    assert plan.repaired == ((written, meant),)
    assert meant in plan.query.lower()
    assert plan.read_as == plan.query != text


@pytest.mark.parametrize(
    "text",
    [
        "is an e-mail sent",  # as the docs write it
        "which plugin is it",
        "a re-start of it",  # neither is there
        "--plug-in",  # an option
        "what does `plug-in` do",  # quoted
        "what does `email` do",
        "a not-null column",  # the docs have its parts more often
        "an addon, or an add-on",  # they have both
        "how do I read the log",  # another word with the stem of a word that has a hyphen
        "the re-adding of it",
        "it reinstalls all",  # they have another form of it without
        "azk kv az",  # no words: [a-z] and k-v
        "mousewheels are mice-wheels",
    ],
)
def test_a_word_that_is_not_the_same_is_left(text: str) -> None:
    plan = planned(text)
    hyphens = [pair for pair in plan.repaired if "-" in "".join(pair)]
    assert hyphens == ([("mousewheels", "mouse-wheels")] if "mouse" in text else [])


NUMBERS = (
    "Files are in UTF-8. `encode(utf8)`. The connection uses HTTP/2. Hashes are sha256, or SHA-2-256.",
    "Text is UTF-8 here (HTTP/1.1). See RFC/3339. The hash is sha256. Pass --depth-1, in lib/python-3/site.",
    "Write UTF-8. A file of base64, or base-64. A step-2 and a step2.",
)


def about_numbers(text: str) -> Plan:
    chunks = [chunk("a/", str(at), of_docs, at) for at, of_docs in enumerate(NUMBERS)]
    return make_plan(Question(text, language="en"), "en", Statistics.of([Section.of([one]) for one in chunks]))


@pytest.mark.parametrize(
    ("text", "written", "meant"),
    [
        ("how do I write utf8", "utf8", "utf-8"),  # the code of one page has it as one word
        ("Is the file in UTF8?", "utf8", "utf-8"),
        ("does it support http2", "http2", "http/2"),
        ("the rfc3339 format", "rfc3339", "rfc/3339"),
        ("a hash of SHA-256", "sha-256", "sha256"),
    ],
)
def test_a_name_with_a_number_is_spelt_as_the_docs_spell_it(text: str, written: str, meant: str) -> None:
    plan = about_numbers(text)
    assert plan.repaired == ((written, meant),)
    assert meant in plan.query


@pytest.mark.parametrize(
    "text",
    [
        "text in UTF-8",  # as the docs write it
        "what is sha256",
        "does `http2` exist",  # quoted
        "pass --utf8",  # an option
        "what does --encoding=utf8 do",  # the value of an option
        "open utf8.py",  # a file
        "the step2 of base64",  # both spellings are as frequent
        "a depth1, or python3",  # parts of options and paths
        "http1",  # HTTP/1.1 is another version
        "utf16 and HTTP/3",  # neither is there
    ],
)
def test_another_name_with_a_number_is_left(text: str) -> None:
    assert about_numbers(text).repaired == ()


def test_names_with_numbers_are_told_from_paths_and_options() -> None:
    assert numbered("UTF-8, HTTP/2. (SHA-1) HTTP/1.1 --a-1 a/bc-2 SHA-2-256 x-1 2-3") == {"utf-8", "http/2", "sha-1"}


@pytest.mark.parametrize("piece", ["a-1", "ab-1 ", "ab/", "abc", "1-", "a-1/"])
def test_the_time_for_names_with_numbers_grows_with_the_text(piece: str) -> None:
    assert is_linear(numbered, piece, longest=80_000)


TITLES = (
    "Switch to dark mode",
    "Color schemes",
    "Die Überhitzung messen",
    "Client.get request",
    "The key press",
    "GitHub Actions (beta)",
)


def with_titles(text: str) -> Plan:
    chunks = [
        replace(chunk("a/", str(at), "Any text, and a keypress.", at), title=title) for at, title in enumerate(TITLES)
    ]
    return make_plan(Question(text, language="en"), "en", Statistics.of([Section.of([one]) for one in chunks]))


@pytest.mark.parametrize(
    ("text", "written", "meant"),
    [
        ("darkmode toggle", "darkmode", "dark mode"),
        ("where are the Colorschemes", "colorschemes", "color schemes"),
        ("another colorscheme", "colorscheme", "color scheme"),
        ("is there a darkmode?", "darkmode", "dark mode"),
        ("überhitzungmessen", "überhitzungmessen", "überhitzung messen"),
        ("run it in githubactions", "githubactions", "github actions"),
    ],
)
def test_a_word_that_titles_write_as_two_is_read_as_two(text: str, written: str, meant: str) -> None:
    plan = with_titles(text)
    assert plan.repaired == ((written, meant),)
    assert plan.read_as == plan.query
    assert meant in plan.query
    assert set(meant.split()) <= set(plan.words) or "ü" in meant


@pytest.mark.parametrize(
    "text",
    [
        "a keypress",  # the text has it as one word
        "`darkmode` in the file",  # quoted
        "--darkmode",  # an option
        "switchto",  # a stop word is no part
        "getrequest",  # a part of a name
        "modeswitch",  # no neighbours in this order
    ],
)
def test_other_words_are_not_divided(text: str) -> None:
    assert with_titles(text).repaired == ()


def test_three_words_of_a_question_are_spelt_otherwise_at_most() -> None:
    assert len(planned("email emails reentrant mousewheel mousewheels plug-in").repaired) == 3


def test_nothing_is_said_to_be_read_otherwise_that_is_not() -> None:
    """A mistyped word with an accent was looked for without it, and the reader was shown the question as it was."""
    plan = planned("schlüsseldatai")
    assert plan.repaired == (("schlüsseldatai", "schlusseldatei"),)
    assert plan.read_as == "schlusseldatei"
    assert planned("was ist ein überhitzungs-schutz").read_as == ""


@pytest.mark.parametrize("piece", ["a-", "é-", "-", "a-b-c-d ", "a", "--a-"])
def test_the_time_for_words_with_hyphens_grows_with_the_text(piece: str) -> None:
    assert is_linear(hyphenated, piece, longest=80_000)


@pytest.mark.parametrize("piece", ["ab ", "abc ", "abc", "abc-", "a.b "])
def test_the_time_for_neighbours_in_titles_grows_with_the_text(piece: str) -> None:
    assert is_linear(compounds, piece, longest=80_000)


def test_neighbours_in_titles_are_told_from_stop_words_and_names() -> None:
    assert compounds("Dark mode of the site map") == {"darkmode": "dark mode", "sitemap": "site map"}
    assert compounds("Client.get request, run pip-tools now, a b cde fgh()") == {}


def test_words_with_hyphens_are_told_from_options_and_letters() -> None:
    assert hyphenated("e-mail --no-cache x-- a-b Ctrl-C") == {"email": "e-mail", "ctrlc": "ctrl-c"}


KILN_DOCS = (
    "Der Brenner steht auf dem Boden. Die Kurven zeigen die Temperatur. Die Glasur ist trocken, und über dem Ofen. Die Größe.",
    "Eine Kurve hat drei Stufen. Die Brenner werden geprüft. Ein Ofen ändert die Größe der Glasuren. Das Steuergerät.",
)


@pytest.mark.parametrize(
    ("text", "language", "read_as"),
    [
        # A compound that the docs have not, of two words that they have.
        ("Wo sind die Glasurkurven?", "de", "Wo sind die Glasur Kurven?"),
        ("brennerkurve ändern", "de", "brenner kurve ändern"),
        ("Was zeigt die Ofengröße?", "de-AT", "Was zeigt die Ofen Größe?"),
        ("Brennerskurve", "de", "Brenners Kurve"),
        # Umlauts that are transcribed.
        ("was aendert die groesse", "de", "was ändert die grösse"),
        ("steuergeraet", "de", "steuergerät"),
        # Nothing is read otherwise that the docs have, whose parts they have not, or that has a preposition for a part.
        ("Wo steht das Steuergerät?", "de", ""),
        ("Wo steht der Glasurschrank?", "de", ""),
        ("überkurve", "de", ""),
        ("Glasurkurve", "fr", ""),
        ("wo ist das steuergeraet", "nl", ""),
    ],
)
def test_german_words_are_read_as_the_docs_have_them(text: str, language: str, read_as: str) -> None:
    chunks = [replace(chunk("a/", str(n), of_docs, n), language="de") for n, of_docs in enumerate(KILN_DOCS)]
    statistics = Statistics.of([Section.of([one]) for one in chunks])
    assert make_plan(Question(text, language=language), "de", statistics).read_as == read_as


WITH_PARTICLES = (
    "The signup form. Users login here, and a fallback is the setup of a non-stop plugin.",
    "After signup, the login page. The setup has a fallback. A nonuser, non at all.",
    "Nobody signs anything. A rollout is rare. Logging is on.",
    "Logging of a kiln.",
    "The logging of others.",
)


def about_verbs(text: str, language: str = "en") -> Plan:
    chunks = [chunk("a/", str(at), of_docs, at) for at, of_docs in enumerate(WITH_PARTICLES)]
    return make_plan(Question(text, language=language), "en", Statistics.of([Section.of([one]) for one in chunks]))


@pytest.mark.parametrize(
    ("text", "with_particle"),
    [
        ("where do users land after they sign up", (("sign", "signup"),)),
        ("signing up fails", (("signing", "signup"),)),
        ("who is logged in", (("logged", "login"),)),
        ("set up the form, then log in", (("set", "setup"), ("log", "login"))),
        ("it falls back to English", (("falls", "fallback"),)),
        ("logging in to a kiln", (("logging", "login"),)),
        ("users that log in", (("log", "login"),)),
        ("logging in JSON", ()),  # more sections have `logging` than `login`
        ("the log in reverse order", ()),  # a noun
        ("roll out a release", ()),  # one section has the word: it may be an error
        ("log out", ()),  # no section has it
        ("y/n on Jenkins", ()),  # `n` is no verb
        ("get in", ()),
        ("the signup form", ()),
    ],
)
def test_the_word_that_docs_make_of_a_verb_and_its_particle_is_asked_for_too(
    text: str, with_particle: tuple[tuple[str, str], ...]
) -> None:
    plan = about_verbs(text)
    assert plan.with_particle == with_particle
    assert {joined for _, joined in with_particle} <= {*plan.words} & {*plan.synonyms}
    # What the reader typed stays as it is.
    assert plan.repaired == ()
    assert plan.query == text


def test_particles_are_those_of_english() -> None:
    assert about_verbs("log in", "de").with_particle == ()


def test_a_verb_and_the_word_with_its_particle_count_as_one_word() -> None:
    statistics = Statistics.of([Section.of([chunk("a/", "", text, 0)]) for text in WITH_PARTICLES])
    terms = WeightedQuestion(about_verbs("sign up form"), statistics).terms("en")
    weigh = WeightedQuestion(about_verbs("form"), statistics).weight
    assert terms == {"sign": weigh("sign") / 2, "signup": weigh("signup") / 2, "form": weigh("form")}
