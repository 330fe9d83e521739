from __future__ import annotations

import pytest
from tests.plugin.pages import page

from trueref_core.records import PageKind
from trueref_plugin.files.page_summary import summarize
from trueref_plugin.reading.parse import parse_page
from trueref_plugin.site.page_kinds import RULES, page_kind

PLAIN = page("<p>a</p>")
OBJECTS = page("".join(f'<h2 id="{name}" class="doc-heading">{name}</h2>' for name in "abc"))
TWO_OBJECTS = page("".join(f'<h2 id="{name}" class="doc-heading">{name}</h2>' for name in "ab"))
MANUAL = page("".join(f'<h2 id="s{number}">Section {number}</h2><p>a</p>' for number in range(40)))
HOME = page("".join(f'<h2 id="s{number}">Section {number}</h2><p>a</p>' for number in range(39)))
STUB = page("", '<meta http-equiv="refresh" content="0; url=../">')


@pytest.mark.parametrize(
    ("address", "html", "expected"),
    [
        ("handbook/setup/", PLAIN, ("reference", "option handbook/*")),
        ("handbook/new/", PLAIN, ("reference", "option handbook/*")),
        ("blog/new/", PLAIN, ("changelog", "option *new/")),
        ("handbook/old/", STUB, ("redirect", "meta refresh to another page")),
        ("elsewhere/", PLAIN, ("guide", "no other rule matched")),
    ],
)
def test_a_kind_that_the_owner_gives_goes_before_the_rules(address: str, html: str, expected: tuple[str, str]) -> None:
    given: dict[str, PageKind] = {"handbook/*": "reference", "*new/": "changelog"}
    assert page_kind(address, summarize(parse_page(html)), given) == expected


@pytest.mark.parametrize(
    ("address", "html", "kind"),
    [
        # each rule, and the nearest page that it is not for
        ("old/", STUB, "redirect"),
        ("", STUB, "redirect"),
        ("old/", page("", '<meta http-equiv="refresh" content="30">'), "guide"),
        ("", PLAIN, "landing"),
        ("index.html", PLAIN, "landing"),
        ("index.html", HOME, "landing"),
        ("index.html", MANUAL, "guide"),
        ("home/", PLAIN, "guide"),
        ("guide/", OBJECTS, "api"),
        ("guide/", TWO_OBJECTS, "guide"),
        ("blog/2026/first/", PLAIN, "blog"),
        ("news.html", PLAIN, "blog"),
        ("blogging/", PLAIN, "guide"),
        ("changelog/", PLAIN, "changelog"),
        ("about/release-notes.html", PLAIN, "changelog"),
        ("CHANGES.html", PLAIN, "changelog"),
        ("versionhistory.html", PLAIN, "changelog"),
        ("change_log/", PLAIN, "changelog"),
        ("whats_new/", PLAIN, "changelog"),
        ("version/", PLAIN, "guide"),
        ("whatsnew-5.2.html", PLAIN, "changelog"),
        ("whats_new_3_0.html", PLAIN, "changelog"),
        ("history/changelog-2.1.html", OBJECTS, "changelog"),
        ("changelog_14/", PLAIN, "changelog"),
        ("announce/release-7.0.0rc1.html", PLAIN, "changelog"),
        ("release-notes-v2/", PLAIN, "changelog"),
        ("release-process/", PLAIN, "guide"),
        ("changelog-format/", PLAIN, "guide"),
        ("git-whatchanged.html", PLAIN, "guide"),
        ("changelog.html", OBJECTS, "api"),
        ("blog/changelog/", PLAIN, "blog"),
        ("change/", PLAIN, "guide"),
        ("api/", PLAIN, "api"),
        ("apidocs/x.html", PLAIN, "api"),
        ("apiary/", PLAIN, "guide"),
        ("reference/cli/", PLAIN, "reference"),
        ("reference/api/", PLAIN, "api"),
        ("preferences/", PLAIN, "guide"),
        ("examples/one/", PLAIN, "example"),
        ("gallery.html", PLAIN, "example"),
        ("exampled/", PLAIN, "guide"),
        ("setup/index.html", PLAIN, "guide"),
        ("plugin.html", page("<h1>Plugin API reference</h1>"), "api"),
        ("ipc.html", page("<h1>Simple IPC API</h1>"), "guide"),
        ("examples/plugin.html", page("<h1>API Reference</h1>"), "example"),
        ("usage/", page("<h1>Command-Line Reference</h1>"), "reference"),
        ("files/", page("<h1>Configuration reference guide</h1>"), "reference"),
        ("usage/", page("<h1>Pass by reference</h1>"), "guide"),
        ("usage/", page("<h1>How options reference files</h1>"), "guide"),
        ("usage/", page("<h1>The CLI reference</h1>"), "reference"),
        ("usage/", page("<h1>Publish an API reference</h1>"), "guide"),
        ("usage/", page("<h1>Migrating the API reference</h1>"), "guide"),
        ("usage/", page("<h1>What is a function reference</h1>"), "guide"),
        ("api.en.html", PLAIN, "api"),
        ("api.fr.html", PLAIN, "guide"),
        ("index.en.html", PLAIN, "landing"),
        ("reference.en/cli.html", PLAIN, "reference"),
        (".en.html", PLAIN, "guide"),
    ],
)
def test_the_kind_of_a_page_follows_from_a_rule(address: str, html: str, kind: str) -> None:
    found, evidence = page_kind(address, summarize(parse_page(html)))
    known = {(rule.kind, rule.evidence) for rule in RULES} | {("guide", "no other rule matched")}
    assert found == kind
    assert (found, evidence) in known


@pytest.mark.parametrize(
    ("address", "language", "root", "kind"),
    [
        ("1.0/", "en", "1.0", "landing"),
        ("1.0/", "en", "", "guide"),
        ("1.0/setup/", "en", "1.0", "guide"),
        ("fr/", "fr-FR", "", "landing"),
        ("fr/index.html", "fr", "", "landing"),
        ("pt_BR/", "pt-BR", "", "landing"),
        ("2.1/de/", "de", "2.1", "landing"),
        ("fr/", "en", "", "guide"),
        ("fr/", "", "", "guide"),
        ("fr/setup/", "fr", "", "guide"),
    ],
)
def test_the_first_page_of_a_version_or_language_is_a_landing_page(
    address: str, language: str, root: str, kind: PageKind
) -> None:
    html = f'<html lang="{language}">{PLAIN}'
    assert page_kind(address, summarize(parse_page(html)), None, root)[0] == kind
