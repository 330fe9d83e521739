from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.handmade import chunk

from trueref_server.records import Intent, Plan, Question
from trueref_server.retrieval.corpus import Section, Statistics
from trueref_server.retrieval.plan import make_plan

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


INTENTS: tuple[tuple[Intent, str], ...] = (
    ("how-to", "How do I put a logo in the header?"),
    ("how-to", "how to cache wheels between jobs"),
    ("how-to", "Is there any way to keep the menu open?"),
    ("how-to", "I want the footer to stay at the bottom"),
    ("how-to", "What is the best way to share settings between two sites?"),
    ("how-to", "What do I have to change before going offline?"),
    ("how-to", "What should I write into the file so that drafts stay hidden?"),
    ("how-to", "How can I clone over ssh instead of https?"),
    ("how-to", "Is it possible to have two sidebars?"),
    ("how-to", "How do I make the search work offline?"),
    ("definition", "What is a lock file?"),
    ("definition", "what's an annotation"),
    ("definition", "What are workspaces?"),
    ("definition", "What does instant loading mean?"),
    ("definition", "explain dependency groups"),
    ("definition", "How does the cache work?"),
    ("definition", "How do overrides and constraints interact?"),
    ("option", "What is the default cache folder?"),
    ("option", "What are the possible values of the log level?"),
    ("option", "Which environment variables are read at start?"),
    ("option", "a setting that turns off the footer"),
    ("option", "--no-progress"),
    ("option", "What does --no-progress do?"),
    ("option", "site_url meaning"),
    ("error", "error: could not compile `serde`"),
    ("error", "The build fails on the second run"),
    ("error", "Why is my favicon not showing?"),
    ("error", "why doesn't the menu open on a phone"),
    ("error", "What is wrong with my palette?"),
    ("error", "The sidebar does not show up"),
    ("error", "The search no longer works: ValueError: bad magic"),
    ("error", "Links in the footer are broken"),
    ("comparison", "What is the difference between a tag and a category?"),
    ("comparison", "toml vs yaml for settings"),
    ("comparison", "Should I use a theme or should I write my own?"),
    ("comparison", "When should I use a hook rather than a plugin?"),
    ("comparison", "pnpm compared to npm"),
    ("yes-no", "Does it run on Windows?"),
    ("yes-no", "Can the footer hold two columns?"),
    ("yes-no", "Is Python 3.8 supported?"),
    ("yes-no", "Can't I just copy the folder?"),
    ("yes-no", "Isn't there support for maps?"),
    ("other", "sidebar on the right"),
    ("other", "colours of the header"),
)


@pytest.mark.parametrize(("intent", "text"), INTENTS)
def test_intents(intent: Intent, text: str) -> None:
    assert plan(text).intent == intent


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
        ("I'm wondering whether menus can be hidden", "menus can be hidden"),
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
def test_nothing_else_is_dropped(text: str) -> None:
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
    ],
)
def test_identifiers_are_kept_whole(name: str) -> None:
    told = plan(f"Where does {name} belong, and what of ({name})?")
    assert told.identifiers == (name,)
    assert name in told.query


PYTHON = """After an update nothing starts:

Traceback (most recent call last):
  File "/home/me/site/run.py", line 12, in <module>
    main()
  File "/home/me/site/run.py", line 8, in main
    raise KeyError("nav")
KeyError: 'nav'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/usr/lib/python3.12/site-packages/app/load.py", line 90, in load
    return parse(text)
app.errors.SettingsError: The key nav is missing in settings.yml. See line 3.
"""
NODE = """Hi, `npm start` stops.
TypeError: Cannot read properties of undefined (reading 'sidebar')
    at loadSidebar (/srv/docs/node_modules/site/lib/sidebar.js:41:17)
    at async Promise.all (index 3)
    at Object.<anonymous> (/srv/docs/build.js:3:1)
    at node:internal/main/run_main_module:28:49
"""
NPM = """npm ERR! code ERESOLVE
npm ERR! ERESOLVE unable to resolve dependency tree
npm ERR! Found: react@18.0.0
"""
RUST = """cargo build says
error[E0433]: failed to resolve: use of undeclared crate `regex`
 --> src/main.rs:2:5
  |
2 | use regex::Regex;
  |     ^^^^^ use of undeclared crate
"""
PANIC = """thread 'main' panicked at src/main.rs:5:10:
index out of bounds: the len is 3 but the index is 5
stack backtrace:
   0: std::panicking::begin_panic
             at /rustc/library/std/src/panicking.rs:616:12
"""
OLD_PANIC = "thread 'main' panicked at 'no such table: pages', src/db.rs:10:5"
GO = """panic: runtime error: invalid memory address or nil pointer dereference

goroutine 1 [running]:
"""
JAVA = """Exception in thread "main" java.lang.IllegalStateException: No pages were read
    at com.example.Build.run(Build.java:41)
    at com.example.Main.main(Main.java:9)
"""
LOG = """The site is empty after a build, this is the log
INFO    -  Cleaning site directory
INFO    -  Building documentation to directory: /srv/site
WARNING -  Doc file 'a.md' contains a link 'b.md', but the target is not found
INFO    -  Documentation built in 0.41 seconds
"""
STAMPED = """2025-03-01 10:00:01 INFO starting up
2025-03-01 10:00:02 DEBUG read 14 pages
2025-03-01 10:00:03 ERROR Failed to open the index folder
[2025-03-01 10:00:04] INFO bye
"""


@pytest.mark.parametrize(
    ("text", "error", "gone", "kept"),
    [
        (PYTHON, "The key nav is missing in settings.yml", ("run.py", "Traceback", "handling"), "nothing starts"),
        (NODE, "Cannot read properties of undefined (reading 'sidebar')", ("node_modules", "Promise"), "npm start"),
        (NPM, "ERESOLVE unable to resolve dependency tree", (), "Found"),
        (RUST, "failed to resolve: use of undeclared crate `regex`", ("src/main.rs", "^^"), "cargo build says"),
        (PANIC, "index out of bounds: the len is 3 but the index is 5", ("std::panicking",), "panicked"),
        (OLD_PANIC, "no such table: pages", (), "panicked"),
        (GO, "runtime error: invalid memory address or nil pointer dereference", (), "goroutine"),
        (JAVA, "No pages were read", ("Build.java",), "Exception in thread"),
        (
            LOG,
            "Doc file 'a.md' contains a link 'b.md', but the target is not found",
            ("Cleaning", "0.41"),
            "The site is empty",
        ),
        (STAMPED, "Failed to open the index folder", ("starting", "14 pages", "bye", "2025"), "ERROR"),
        ("uv says error: No interpreter found. What now?", "No interpreter found", (), "What now?"),
        ("ERROR   -  Config value 'nav': not a list", "Config value 'nav': not a list", (), "ERROR"),
        ("I get this error:\n\nfolder is not empty", "folder is not empty", (), "folder"),
    ],
)
def test_error_messages_are_cut_to_their_telling_part(text: str, error: str, gone: tuple[str, ...], kept: str) -> None:
    told = plan(text)
    assert told.intent == "error"
    assert error in told.quoted
    assert kept in told.query
    assert [word for word in gone if word in told.query] == []


@pytest.mark.parametrize(
    "text",
    [
        "I get an error when I run this: app serve",
        "Is there error-handling for hooks?",
        "How are errors logged?",
        "warning signs in the margin",
        "What does the ErrorBoundary component do?",
    ],
)
def test_what_is_no_error_message(text: str) -> None:
    assert plan(text).quoted == ()


def test_prose_of_several_lines_is_kept() -> None:
    text = "At work we have a proxy.\n10:30 the build starts.\n...and then it stops.\n- a list\n  with more\nWhat can I do?"
    assert plan(text).query == " ".join(text.split())


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
    told = on_site(text)
    assert (wrong, meant) in told.repaired
    assert meant in told.query
    assert wrong not in told.query
    assert meant in told.words


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
    ],
)
def test_what_is_not_repaired(text: str) -> None:
    told = on_site(text, site(words=KNOWN + Counter({"plugs": 5, "should": 5})))
    assert told.repaired == ()
    assert told.query == text


def test_of_two_candidates_one_has_to_be_plainly_meant() -> None:
    assert on_site("holdes", site(words=Counter({"holder": 9, "holden": 9}))).repaired == ()
    assert on_site("holdes", site(words=Counter({"holder": 9, "holden": 4}))).repaired == ()
    assert on_site("holdes", site(words=Counter({"holder": 9, "holden": 3}))).repaired == (("holdes", "holder"),)
    assert on_site("holdes", site(words=Counter({"holder": 1}))).repaired == ()


def test_where_many_words_are_unknown_none_is_repaired() -> None:
    text = "pluggin enviroment navigaton dependancies"
    assert on_site(text).repaired == ()
    assert len(on_site(text.rpartition(" ")[0]).repaired) == 3


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        ("wie navigatione ich das pluggin zuerst", 0),  # German: more words are strange than nearly known
        ("que pluggin ahora kubernetes", 0),
        ("kubernetes pluggin", 1),  # one may be a product
        ("pluggin whole navigaton", 2),  # a common word is not strange
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
    ],
)
def test_identifiers_are_found_by_their_words(asked: str, alias: str) -> None:
    names = ("PageNotFound", "extra_css", "--cache-dir")
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
        ("After the build has finished, how do I upload a site?", ()),
        ("What is a workspace and how does it work?", ()),
        ("A page and a folder that have one name", ()),
        ("I know what a lock file does", ()),
        ("Does it run?", ()),
    ],
)
def test_parts_of_a_question(text: str, parts: tuple[str, ...]) -> None:
    assert plan(text).parts == parts


def test_a_long_complaint_has_at_most_four_parts() -> None:
    sentences = [f"Sentence number {number} complains about {'very ' * number}slow builds." for number in range(9)]
    assert plan(" ".join(sentences)).parts == tuple(sentences[-4:])


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Read a page in Python", "python"),
        ("a typescript example", "typescript"),
        ("Call it from JavaScript", "javascript"),
        ("set up js", "javascript"),
        ("parse it in C++", "cpp"),
        ("parse it in C#", "csharp"),
        ("a client written in Go", "go"),
        ("using R for plots", "r"),
        ("where does pyproject.toml live", ""),
        ("edit index.html", ""),
        ("the opencv-python wheel", ""),
        ("let it go", ""),
        ("how much less is it", ""),
        ("the shell plugin", ""),
        ("sections about art", ""),
        ("in my opinion", ""),
    ],
)
def test_the_language_of_code_that_is_asked_for(text: str, language: str) -> None:
    assert plan(text).code_language == language


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
def test_changes_asked_for_by_name_or_by_version(text: str, wanted: bool) -> None:
    assert plan(text).wants_releases is wanted


def test_synonyms_of_the_owner() -> None:
    synonyms = {"dark theme": ("slate",), "toc": ("table of contents", "outline")}
    found = [
        make_plan(Question(text), "en", synonyms=synonyms).synonyms
        for text in ("A dark theme?", "The TOC on the left", "dark colours of a theme", "tocsin")
    ]
    assert found == [("slate",), ("table of contents", "outline"), (), ()]


@pytest.mark.parametrize("text", ["", "   ", "?!", "\x00\x01", "the of and", "🙂"])
def test_what_says_nothing_has_no_terms(text: str) -> None:
    told = on_site(text)
    assert (told.terms, told.identifiers, told.parts, told.quoted) == ((), (), (), ())


@given(st.text(max_size=300))
def test_any_text_has_a_plan(text: str) -> None:
    told = on_site(text)
    assert len(told.terms) == len(told.words)
    assert "\n" not in told.query
