"""What is left of a question that an error was pasted into."""

from __future__ import annotations

import pytest

from trueref_server.question.plan import make_plan
from trueref_server.records import Plan, Question


def plan(text: str) -> Plan:
    return make_plan(Question(text), "en")


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
        (
            "    at async Kiln.fire (/srv/app/kiln.js:196:15)\nHeatError: The kiln is too hot",
            "HeatError: The kiln is too hot",
            ("async", "/srv", "196"),
            "HeatError",
        ),
        (
            "Error: ./app/kiln.tsx:12:5 You need a fan. at new Fan (file:///srv/fan.mjs:1:3) What now?",
            "kiln.tsx You need a fan.",
            ("./app", ":5", "new Fan", "fan.mjs"),
            "What now?",
        ),
        (
            "src/kiln.py:8: error: Cannot fire a wet bowl",
            "kiln.py error: Cannot fire a wet bowl",
            ("src", "8"),
            "error",
        ),
        ("how to publish 127.0.0.1:8080:80", "127.0.0.1:8080:80", (), "publish"),
        ("at kiln.yml:1:2 it stops", "at kiln.yml:1:2 it stops", (), "kiln"),
        (STAMPED, "Failed to open the index folder", ("starting", "14 pages", "bye", "2025"), "ERROR"),
        ("uv says error: No interpreter found. What now?", "No interpreter found", (), "What now?"),
        ("ERROR   -  Config value 'nav': not a list", "Config value 'nav': not a list", (), "ERROR"),
        ("I get this error:\n\nfolder is not empty", "folder is not empty", (), "folder"),
    ],
)
def test_error_messages_are_cut_to_their_telling_part(text: str, error: str, gone: tuple[str, ...], kept: str) -> None:
    query = plan(text).query
    assert error in query
    assert kept in query
    assert [word for word in gone if word in query] == []


def test_prose_of_several_lines_is_kept() -> None:
    text = "At work we have a proxy.\n10:30 the build starts.\n...and then it stops.\n- a list\n  with more\nWhat can I do?"
    assert plan(text).query == " ".join(text.split())
