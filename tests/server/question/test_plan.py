from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.handmade import chunk

from trueref_server.corpus.corpus import Section, Statistics
from trueref_server.question.plan import make_plan
from trueref_server.records import Plan, Question

KNOWN = Counter(
    "authentication certificate choose color configure configuration dependency dependencies environment favicon "
    "highlighting installation navigation plugin repository seeds sidebar theme while".split()
    * 5
)
"""Words of a site, each in five sections."""


def plan(text: str, **about: str) -> Plan:
    return make_plan(Question(text, **about), "en")  # type: ignore[arg-type]


def site(*texts: str, aliases: tuple[str, ...] = (), words: Counter[str] | None = None) -> Statistics:
    """What is known of a site: texts of its sections, identifiers, and words with how many sections have them."""
    chunks = [chunk("a/", str(number), text, number) for number, text in enumerate(texts or ("nothing",))]
    statistics = Statistics.of([Section.of([replace(one, aliases=aliases)]) for one in chunks])
    statistics.words.update(words or {})
    return statistics


def on_site(text: str, statistics: Statistics | None = None) -> Plan:
    return make_plan(Question(text), "en", statistics or site(words=KNOWN))


OPTIONS: tuple[tuple[bool, str], ...] = (
    (False, "How do I put a logo in the header?"),
    (False, "how to cache wheels between jobs"),
    (False, "Is there any way to keep the menu open?"),
    (False, "I want the footer to stay at the bottom"),
    (False, "What do I have to change before going offline?"),
    (False, "What should I write into the file so that drafts stay hidden?"),
    (False, "How can I clone over ssh instead of https?"),
    (False, "Is it possible to have two sidebars?"),
    (False, "How do I make the search work offline?"),
    (False, "What is a lock file?"),
    (False, "what's an annotation"),
    (False, "What are workspaces?"),
    (False, "What does instant loading mean?"),
    (False, "explain dependency groups"),
    (False, "How does the cache work?"),
    (False, "How do overrides and constraints interact?"),
    (True, "What is the default cache folder?"),
    (True, "What are the possible values of the log level?"),
    (True, "Which environment variables are read at start?"),
    (True, "a setting that turns off the footer"),
    (True, "--no-progress"),
    (True, "What does --no-progress do?"),
    (True, "site_url meaning"),
    (False, "error: could not compile `serde`"),
    (False, "The build fails on the second run"),
    (False, "Why is my favicon not showing?"),
    (False, "why doesn't the menu open on a phone"),
    (False, "What is wrong with my palette?"),
    (False, "The sidebar does not show up"),
    (False, "The search no longer works: ValueError: bad magic"),
    (False, "Links in the footer are broken"),
    (False, "What is the difference between a tag and a category?"),
    (False, "Should I use a theme or should I write my own?"),
    (False, "When should I use a hook rather than a plugin?"),
    (False, "pnpm compared to npm"),
    (False, "Does it run on Windows?"),
    (False, "Can the footer hold two columns?"),
    (False, "Is Python 3.8 supported?"),
    (False, "Can't I just copy the folder?"),
    (False, "Isn't there support for maps?"),
    (False, "sidebar on the right"),
    (False, "colours of the header"),
)


@pytest.mark.parametrize(("asks", "text"), OPTIONS)
def test_a_question_is_known_to_ask_for_an_option_or_not(asks: bool, text: str) -> None:
    assert plan(text).wants_option is asks


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Hi, how do I hide the menu?", "how do I hide the menu?"),
        ("Hello everyone! How do I hide the menu? Thanks in advance!", "How do I hide the menu?"),
        ("hey there how do I hide the menu", "how do I hide the menu"),
        ("Good morning,\n\nhow do I hide the menu?\n\nKind regards", "how do I hide the menu?"),
        ("Dear all, hi, how do I hide the menu? Thank you.", "how do I hide the menu?"),
        ("how do I hide the menu thanks", "how do I hide the menu"),
        ("How do I hide the menu? Any help would be greatly appreciated. Cheers", "How do I hide the menu?"),
        ("I was wondering how to hide the menu", "how to hide the menu"),
        ("I'm wondering whether menus can be hidden", "is it so that menus can be hidden"),
        ("Quick question: are menus hidden?", "are menus hidden?"),
        ("Could someone please tell me how menus are hidden?", "how menus are hidden?"),
    ],
)
def test_courtesy_is_dropped(text: str, query: str) -> None:
    assert plan(text).query == query


@pytest.mark.parametrize(
    "text",
    [
        "hi-res images in the gallery",
        "hello world example does not build",
        "Hello, World! as a first page",
        "hello.html is not found",
        "Hidden pages",
        "dear-diary plugin",
        "Where is the thank-you page?",
        "How do I write thank you",
        "hi",
        "Thanks!",
        "Hello there, thanks",
        "Wie blende ich das Menü aus? Danke",
        "i have a question mark in my title",
        "cheers",
    ],
)
def test_words_that_only_look_like_courtesy_are_kept(text: str) -> None:
    assert plan(text).query == text


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ('The "Edit this page" link', ("Edit this page",)),
        ("Where does `site_url: x` go?", ("site_url: x",)),
        ("Where is “Table of contents” translated?", ("Table of contents",)),
        ("The button 'Copy to clipboard' is missing", ("Copy to clipboard",)),
        ("I don't see why it isn't there", ()),
        ("the users' pages aren't the owners' pages", ()),
        ('It says "no", and "ok"', ()),
        ("「設定ファイル」はどこですか", ("設定ファイル",)),
        ("« Modifier cette page »", ("Modifier cette page",)),
        ('"unclosed', ()),
    ],
)
def test_quoted_strings_are_kept_whole(text: str, quoted: tuple[str, ...]) -> None:
    assert plan(text).quoted == quoted


@pytest.mark.parametrize(
    "name",
    [
        "--no-deps",
        "foo.bar_baz",
        "APP_CACHE_DIR",
        "config.yml",
        "ModuleNotFoundError",
        "pkg::module",
        "extra_css",
        "-e",
        "String#upcase",
        "Acme::HotKiln#fire_once?",
    ],
)
def test_identifiers_are_kept_whole(name: str) -> None:
    planned = plan(f"Where does {name} belong, and what of ({name})?")
    assert planned.identifiers == (name,)
    assert name in planned.query


@pytest.mark.parametrize("text", ["issue #12", "the page#anchor", "C# version", "x.md#Install", "#tag", "https://A#b"])
def test_a_mark_of_a_fragment_makes_no_method(text: str) -> None:
    assert not [name for name in plan(text).identifiers if "#" in name]


@pytest.mark.parametrize(
    ("text", "wrong", "meant"),
    [
        ("How do I instal a pluggin?", "pluggin", "plugin"),
        ("enviroment of a job", "enviroment", "environment"),
        ("Where is the navigaton?", "navigaton", "navigation"),
        ("sytnax hightlighting", "hightlighting", "highlighting"),
        ("authetnication with a token", "authetnication", "authentication"),
        ("dependancies of a group", "dependancies", "dependencies"),
        ("the colour of a header", "colour", "color"),
    ],
)
def test_typos_are_repaired_by_the_words_of_the_site(text: str, wrong: str, meant: str) -> None:
    planned = on_site(text)
    assert (wrong, meant) in planned.repaired
    assert meant in planned.query
    assert wrong not in planned.query
    assert meant in planned.words


@pytest.mark.parametrize(
    "text",
    [
        "the whole menu",  # while: a word of English is none in error
        "it seems open",  # seeds
        "a language chooser",  # choose: another word with its ending
        "themed pages",  # theme
        "with Pluginn it builds",  # a name
        "where does `enviroment` go",  # quoted
        "pluggin.yml and --pluggin",  # identifiers
        "plugn",  # short
        "rheme of a site",  # not the first letter
        "pl2gin",  # no word
        "kubernetes",  # nothing near
        "shouldn't it build",
        "why doesnt it build",  # doesn, of `doesn't`
    ],
)
def test_a_word_that_may_be_meant_as_written_is_not_repaired(text: str) -> None:
    planned = on_site(text, site(words=KNOWN + Counter({"plugs": 5, "should": 5, "doesn": 5})))
    assert planned.repaired == ()
    assert planned.query == text


def test_of_two_candidates_one_has_to_be_plainly_meant() -> None:
    assert on_site("holdes", site(words=Counter({"holder": 9, "holden": 9}))).repaired == ()
    assert on_site("holdes", site(words=Counter({"holder": 9, "holden": 4}))).repaired == ()
    assert on_site("holdes", site(words=Counter({"holder": 9, "holden": 3}))).repaired == (("holdes", "holder"),)
    # A word of one section may be an error itself, unless it is a common word or another form of a word of the site.
    assert on_site("quaxles", site(words=Counter({"quaxler": 1}))).repaired == ()
    assert on_site("copmose", site(words=Counter({"compose": 1}))).repaired == (("copmose", "compose"),)
    forms = Counter({"uninstall": 9, "uninstalling": 1})
    assert on_site("unnistalling", site(words=forms)).repaired == (("unnistalling", "uninstalling"),)


def test_where_many_words_are_unknown_none_is_repaired() -> None:
    text = "pluggin enviroment navigaton dependancies"
    assert on_site(text).repaired == ()
    assert len(on_site(text.rpartition(" ")[0]).repaired) == 3


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        ("wie navigatione ich das pluggin zuerst", 0),  # German: more words are strange than nearly known
        ("que pluggin ahora kubernetes", 0),
        ("is het pluggin of niet te doen", 0),
        ("kubernetes pluggin", 1),  # one may be a product
        ("pluggin whole navigaton", 2),  # a common word is not strange
        ("hw to add teh pluggin evry tme wth jst", 0),  # plainly English or not: too little says so
        ("how to add teh pluggin evry tme wth jst", 1),  # in a hurry, short words are mistyped too
    ],
)
def test_a_question_of_mostly_strange_words_is_left_alone(text: str, repaired: int) -> None:
    assert len(on_site(text).repaired) == repaired


@given(st.text(alphabet="abcdeé", min_size=5, max_size=12), st.sampled_from(sorted(KNOWN)))
def test_a_repaired_word_is_one_of_the_site_and_near(word: str, known: str) -> None:
    statistics = site(words=KNOWN)
    for asked in (word, known[:-1], known[0] + known[2] + known[1] + known[3:]):
        for wrong, meant in on_site(asked, statistics).repaired:
            assert meant in KNOWN
            assert meant[0] == wrong[0]
            assert abs(len(meant) - len(wrong)) <= 2


@pytest.mark.parametrize(
    ("asked", "alias"),
    [
        ("page not found while building", "PageNotFound"),
        ("where is extra css given", "extra_css"),
        ("the cache dir of a job", "--cache-dir"),
        ("page_not_found", "PageNotFound"),
        ("what raises a pagenotfound", ""),
        ("set the C standard", "C_STANDARD"),
        ("set the C++ standard", ""),
    ],
)
def test_identifiers_are_found_by_their_words(asked: str, alias: str) -> None:
    names = ("PageNotFound", "extra_css", "--cache-dir", "C_STANDARD")
    read = on_site(asked, site("Text.", aliases=names))
    assert {*read.identifiers, *read.joined} & set(names) == ({alias} if alias else set())


@pytest.mark.parametrize(
    ("name", "parts"),
    [("PageNotFound", {"page", "not", "found"}), ("extra_css", {"extra", "css"}), ("site.nav_depth", {"nav", "depth"})],
)
def test_identifiers_are_asked_by_their_words_too(name: str, parts: set[str]) -> None:
    assert parts <= set(plan(f"where is {name}").words)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("How do I install it?", ()),
        (
            "How do I install the tool? Where are settings stored?",
            ("How do I install the tool?", "Where are settings stored?"),
        ),
        (
            "How do I install the tool and where are settings stored?",
            ("How do I install the tool", "where are settings stored?"),
        ),
        (
            "Which Python versions run, and can I pin one version?",
            ("Which Python versions run", "can I pin one version?"),
        ),
        (
            "Does the theme print pages; how does the footer look?",
            ("Does the theme print pages", "how does the footer look?"),
        ),
        # Half of a sentence needs one word, where it says all that it asks.
        (
            "What is a lockfile and where is the cache stored?",
            ("What is a lockfile", "where is the cache stored?"),
        ),
        ("How do I clear the cache and how do I publish?", ("How do I clear the cache", "how do I publish?")),
        ("How do I clear the cache and how do I publish it?", ()),
        ("How do I publish? Thanks for reading.", ()),
        ("After the build has finished, how do I upload a site?", ()),
        ("What is a workspace and how does it work?", ()),
        ("A page and a folder that have one name", ()),
        ("I know what a lock file does", ()),
        ("Does it run?", ()),
    ],
)
def test_a_question_is_split_into_its_parts(text: str, parts: tuple[str, ...]) -> None:
    assert plan(text).parts == parts


def test_a_long_complaint_has_at_most_four_parts() -> None:
    sentences = [f"Sentence number {number} complains about {'very ' * number}slow builds." for number in range(9)]
    assert plan(" ".join(sentences)).parts == tuple(sentences[-4:])


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("What is new in version 2.1?", True),
        ("since when is there a dark mode", True),
        ("Which release notes mention hooks?", True),
        ("breaking changes of the last year", True),
        ("hooks in v4.2", True),
        ("How do I allow pre-releases?", False),
        ("How do I release a package?", False),
        ("How do I pin a version?", False),
        ("Which Python do I get?", False),
    ],
)
def test_a_question_is_known_to_ask_for_changes_or_not(text: str, wanted: bool) -> None:
    assert plan(text).wants_releases is wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("how do I report a bug", True),
        ("my PR fails the linter", True),
        ("how often do new versions come out", True),
        ("will my new release break the code of others", False),
        ("how do I make it faster", False),
        ("give it a prefix", False),
    ],
)
def test_a_question_is_known_to_ask_how_to_take_part_or_not(text: str, wanted: bool) -> None:
    assert plan(text).wants_to_contribute is wanted


def test_synonyms_of_the_owner_are_found_as_whole_words() -> None:
    synonyms = {"dark theme": ("slate",), "toc": ("table of contents", "outline")}
    found = [
        make_plan(Question(text), "en", synonyms=synonyms).synonyms
        for text in ("A dark theme?", "The TOC on the left", "dark colours of a theme", "tocsin")
    ]
    assert found == [("slate",), ("table of contents", "outline"), (), ()]


@pytest.mark.parametrize("text", ["", "   ", "?!", "\x00\x01", "the of and", "🙂"])
def test_what_says_nothing_has_no_terms(text: str) -> None:
    planned = on_site(text)
    assert (planned.terms, planned.identifiers, planned.parts, planned.quoted) == ((), (), (), ())


@given(st.text(max_size=300))
def test_any_text_has_a_plan_of_one_line(text: str) -> None:
    planned = on_site(text)
    assert len(planned.terms) == len(planned.words)
    assert "\n" not in planned.query
