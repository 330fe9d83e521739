"""The commands where an index holds several sites."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.cli.running import run
from tests.plugin.build.test_many_sites import Sites

from trueref_plugin.build.build import index_site


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Sites:
    """Two sites in one index, and a third one beside it."""
    sites = Sites(tmp_path_factory.mktemp("sites"))
    sites.build("one", version="1.0")
    sites.build("two")
    return sites


@pytest.fixture
def sites(made: Sites, tmp_path: Path) -> Sites:
    """The same, to be changed."""
    shutil.copytree(made.folder, tmp_path / "copy")
    copied = Sites.__new__(Sites)
    copied.folder, copied.index = tmp_path / "copy", tmp_path / "copy" / "index"
    return copied


def test_info_has_a_line_for_each_site(made: Sites) -> None:
    lines = run("info", "--index", made.index).stdout.splitlines()
    assert lines[-2].split(maxsplit=2)[1:] == ["one", "7 pages, version 1.0, en, https://one.example/"]
    assert lines[-1].split(maxsplit=2)[1:] == ["two", "7 pages, en, https://two.example/"]
    info = json.loads(run("info", "--index", made.index, "--json").stdout)
    assert [(site["name"], site["pages"]) for site in info["sites"]] == [("one", 7), ("two", 7)]


def test_a_site_is_added_to_an_index_and_dropped_again(sites: Sites) -> None:
    arguments: list[str | Path] = [
        "--index",
        sites.index,
        "--name",
        "three",
        "--embedder",
        "lexical",
        "--exports",
        "manifest",
    ]
    done = run("index", sites.folder / "three", *arguments)
    assert done.returncode == 0
    assert "trueref: The site 'three' is added to the index, which holds the sites 'one', 'two'." in done.stderr
    exported = json.loads((sites.folder / "three" / "assets" / "trueref" / "manifest.json").read_bytes())
    assert [site["name"] for site in exported["sites"]] == ["three"]
    done = run("index", "--drop", "one", "--index", sites.index)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith(f"Dropped one from the index at {sites.index}. It holds three, two now, generation ")
    assert sites.names == ["three", "two"]


def test_a_site_is_dropped_from_no_index_without_making_one(tmp_path: Path) -> None:
    done = run("index", "--drop", "one", "--index", tmp_path / "none")
    assert (done.returncode, done.stderr.startswith("trueref: No index at ")) == (2, True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["index"], "Missing argument 'SITE': the folder of a built site."),
        (["index", "site", "--drop", "one"], "SITE is built and --drop takes a site away: give one of them."),
        (["index", "--drop", "four", "--index"], "The index holds no site 'four'. It holds: 'one', 'two'."),
        (["resolve", "a/", "--site", "four", "--index"], "The index holds no site 'four'. It holds: 'one', 'two'."),
        (["path", "a", "b", "--site", "four", "--index"], "The index holds no site 'four'. It holds: 'one', 'two'."),
        (["path", "p1.html", "p0.html", "--index"], "A relative link needs the site on which it stands"),
        (["export", "--format", "json", "--index"], "Name it: 'one', 'two'."),
    ],
)
def test_a_wrong_name_of_a_site_is_told_without_a_traceback(made: Sites, arguments: list[str], message: str) -> None:
    done = run(*arguments, *([made.index] if arguments[-1] == "--index" else []))
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_link_is_resolved_in_the_site_that_it_belongs_to(made: Sites) -> None:
    def found(link: str, *arguments: str) -> tuple[str | None, str | None, str]:
        result = json.loads(run("resolve", link, *arguments, "--json", "--index", made.index).stdout)
        return result["site"], result["url"], result["status"]

    assert found("https://two.example/p1.html#part") == ("two", "https://two.example/p1.html#part", "exact")
    assert found("p1.html", "--site", "one") == ("one", "https://one.example/p1.html", "exact")
    assert found("#part", "--site", "two", "--page", "p2.html")[1] == "https://two.example/p2.html#part"
    # The site is none of those that have the page.
    assert found("p1.html") == (None, None, "unlinked")


def test_a_path_stays_within_one_site(made: Sites) -> None:
    done = run("path", "p3.html#part", "p0.html#title", "--site", "two", "--index", made.index)
    assert done.stdout == (
        'from     https://two.example/p3.html#part\nlink to  https://two.example/p0.html#title by "home"\n'
    )
    done = run("path", "https://one.example/p1.html", "https://two.example/p1.html", "--index", made.index)
    assert (done.returncode, done.stderr) == (1, "No link in the texts leads there.\n")


def test_diff_compares_the_one_site_of_an_index_that_is_named(sites: Sites) -> None:
    (sites.folder / "two" / "p6.html").unlink()
    done = run("diff", sites.index, sites.folder / "two")
    assert done.returncode == 2
    assert "is one site, and the index holds several. Name the one to compare: --site of 'one', 'two'." in done.stderr
    done = run("diff", sites.index, sites.folder / "two", "--site", "two")
    assert (done.returncode, done.stdout) == (1, "p6.html  vanished\n1 vanished.\n")


def test_check_decides_a_link_to_another_site_of_the_index_by_its_pages(sites: Sites) -> None:
    """A link to the address of another site of the index is decided by that site's pages."""
    sites.write("one", "p1", '<a href="https://two.example/none.html">gone</a> <a href="p0.html#part">here</a>')
    arguments: list[str | Path] = [sites.folder / "one", "--index", sites.index, "--base-url", "https://one.example/"]
    done = run("check", *arguments)
    assert done.returncode == 1
    assert done.stdout.count("https://two.example/none.html") == 1
    assert "1 of" in done.stderr
    assert run("check", sites.folder / "one", "--base-url", "https://one.example/").returncode == 0


def test_a_question_is_answered_from_the_version_that_is_named_or_the_newest(tmp_path: Path) -> None:
    for version, tool in (("1.0", "glue"), ("2.0", "screws")):
        site = tmp_path / version
        (site / "fix").mkdir(parents=True)
        html = f'<html lang="en"><title>Fix</title><main><h1 id="fix">Fix</h1><p>The kettle is fixed with {tool}.</p></main>'
        (site / "fix" / "index.html").write_text(html)
        index_site(
            site,
            index=tmp_path / "index",
            name=f"docs-{version}",
            version=version,
            base_url=f"https://kettle.example/{version}/",
            embedder="lexical",
        )
    index, question = ("--index", tmp_path / "index"), "What is the kettle fixed with?"
    assert "screws" in run("ask", question, *index).stdout
    assert "glue" in run("ask", question, *index, "--version", "1.0").stdout
    for given, version in ((("--version", "1.0"), "1.0"), ((), "2.0")):
        found = json.loads(run("search", "kettle", *index, *given, "--json").stdout)["results"]
        assert [result["site"] for result in found] == [f"docs-{version}"]
    printed = run("ask", question, *index, "--version", "7", "--language", "en", "--page", "fix/").stdout
    assert printed.startswith("These docs have no version 7. From version 2.0:")
