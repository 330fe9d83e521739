"""`mkdocs serve` with the plugin: it answers on the same origin, follows edits, and ends without leftovers."""

from __future__ import annotations

import json
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest
from tests import local_http
from tests.plugin.projects import (
    HOOKS,
    PREFIX,
    Preview,
    Project,
    has_vectors,
    make,
    previewing,
    widget_attributes,
)
from tests.waiting import wait_until

from trueref_core.generations.served_generation import read_generation

BUNDLED = {"embedder": "bundled"}
FOUND_SECONDS = 2.0
DRAFT = {"draft.md": "# Plans\n\n## Quagga plans\n\nThe quagga is to come back.\n"}

pytestmark = [pytest.mark.slow]


def ask(preview: Preview, question: str) -> dict[str, Any]:
    response = local_http.post(f"{preview.origin}{PREFIX}/ask", json={"question": question})
    answer: dict[str, Any] = response.raise_for_status().json()
    return answer


def leftovers(project: Project) -> list[str]:
    """What a build or a preview should have taken away."""
    unfinished = [path.name for path in (project.index / "builds").iterdir() if path.name.startswith(".")]
    return unfinished + [path.name for path in (project.folder / "tmp").glob("mkdocs_*")]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = make(tmp_path, DRAFT)
    project.configure(BUNDLED, draft_docs="draft.md", site_url="https://docs.example.org/animals/")
    return project


# Long by its steps: each edit follows the one before in one preview, which takes seconds to start.
def test_a_preview_answers_and_follows_edits(project: Project) -> None:
    with previewing(project) as preview:
        # Full text answers as soon as anything does: vectors take longer than the first page.
        first = wait_until(lambda: preview.search("stripes"))[0]
        assert (first["page"], first["anchor"]) == ("zebras/", "stripes")

        html = preview.get("/animals/far/away/lions/")
        assert html is not None
        written = widget_attributes(html.text)
        assert (written["server"], written["base"]) == (PREFIX, "../../../")
        assert (
            local_http.get(f"{preview.origin}/animals/far/away/lions/../../../assets/trueref/trueref.js").status_code
            == 200
        )
        missing = preview.get("/animals/none/")
        assert missing is not None
        assert widget_attributes(missing.text)["base"] == "/animals/"

        wait_until(lambda: has_vectors(project))
        answer = ask(preview, "Which colour are the stripes of a zebra?")
        assert answer["sources"][0]["href"] == "zebras/#stripes"
        # Not the address of the preview: the index may be used elsewhere.
        assert answer["sources"][0]["url"] == "https://docs.example.org/animals/zebras/#stripes"
        # A preview's pages are always those of the index, also when it is published again with vectors.
        build = preview.get("/animals/assets/trueref/build.json")
        assert build is not None
        assert build.json() == {"generation": ""}
        # Exports are of a site that is deployed; a preview gives its manifest at its own address.
        exported = preview.get("/animals/assets/trueref/manifest.json")
        assert exported is not None
        assert exported.status_code == 404
        served = preview.get(f"{PREFIX}/manifest")
        assert served is not None
        assert "draft/" not in {row["page"]["page"] for row in served.json()["pages"]}

        assert preview.get("/animals/draft/") is not None
        assert "draft/" not in {result["page"] for result in preview.search("quagga")}

        project.write({"zebras.md": "# Zebras\n\n## Enemies\n\nHyenas hunt zebras at dusk.\n"})
        # Vectors find something near for any word: only the new section tells that the edit is in.
        wait_until(lambda: "enemies" in {result["anchor"] for result in preview.search("hyenas")})
        assert "stripes" not in {result["anchor"] for result in preview.search("stripes")}
        wait_until(lambda: has_vectors(project))

        assert preview.end(signal.SIGINT) == 0
        log = preview.log.read_text()
        assert "Traceback" not in log
        assert "WARNING -  trueref" not in log
        assert "No server_url" not in log
    assert leftovers(project) == []


def test_a_save_is_shown_before_it_is_indexed_and_answers_soon_after(tmp_path: Path) -> None:
    """One page of twenty: the reload never waits for the index, and the answer follows. How fast: scripts/measure.py."""
    pages = {f"p{n}.md": f"# Animal {n}\n\n## Habits\n\nAnimal {n} sleeps {n} hours.\n" for n in range(17)}
    project = make(tmp_path, pages)
    project.configure(hooks=[str(HOOKS / "waiting_cut.py")])
    with previewing(project) as preview:
        wait_until(lambda: preview.search("habits"))
        opened = preview.get("/livereload/0/0")
        assert opened is not None
        project.write({"p10.md": "# Animal 10\n\n## Habits\n\nThe quagga sleeps standing.\n"})
        # Answers when the browsers are to load again: nothing can have been published until then.
        reloaded = preview.get(f"/livereload/{opened.text}/1")
        assert reloaded is not None
        assert int(reloaded.text) > int(opened.text)
        shown = preview.get("/p10/")
        assert shown is not None
        assert "The quagga sleeps standing." in shown.text
        assert preview.log.read_text().count("Index published") == 1
        # What was served before still answers, and says that something newer is to come.
        assert ask(preview, "How long does animal 11 sleep?")["updating"]
        assert "p10/" in {source["page"] for source in ask(preview, "How many hours does animal 10 sleep?")["sources"]}
        (tmp_path / "go").touch()
        question = "How does the quagga sleep?"
        wait_until(lambda: "quagga sleeps standing" in ask(preview, question)["text"])
        assert ask(preview, question)["sources"][0]["href"] == "p10/#habits"
        wait_until(lambda: not ask(preview, question)["updating"])
        wait_until(lambda: preview.log.read_text().count("Index published") == 2)
        assert preview.end(signal.SIGINT) == 0
        assert "Traceback" not in preview.log.read_text()


@pytest.mark.long
def test_a_save_is_found_by_its_words_within_two_seconds_of_the_rebuild(tmp_path: Path) -> None:
    """Of a site with vectors: what is saved is found before, or with, the vectors of its texts.

    Seconds of the processors are counted, since others may be busy on the same machine; `scripts/measure.py save` goes by
    the clock.
    """
    text = "# Animal {n}\n\n## Habits of animal {n}\n\nAnimal {n} sleeps {n} hours.\n"
    project = make(tmp_path, {f"p{n}.md": text.format(n=n) for n in range(97)})
    project.configure(BUNDLED)
    waits: list[float] = []
    with previewing(project) as preview:
        wait_until(lambda: preview.search("habits"))
        wait_until(lambda: has_vectors(project))
        for number, word in enumerate(("quagga", "tarpan", "aurochs")):
            before = preview.get("/livereload/0/0")
            assert before is not None
            project.write({f"p{number}.md": f"# Animal\n\n## The {word}\n\nThe {word} was brown behind.\n"})
            # Answers when the site was rebuilt.
            reloaded = preview.get(f"/livereload/{before.text}/1")
            assert reloaded is not None
            rebuilt = preview.processor_seconds()
            wait_until(lambda word=word: f"the-{word}" in {found["anchor"] for found in preview.search(word)})  # type: ignore[misc]
            waits.append(preview.processor_seconds() - rebuilt)
            wait_until(lambda: has_vectors(project))
        assert preview.end(signal.SIGINT) == 0
    # The best of three, since the first one warms up; not nothing, which would be another process than the preview.
    assert 0 < min(waits) < FOUND_SECONDS, waits


@pytest.mark.long
def test_a_preview_of_a_built_site_publishes_nothing(project: Project) -> None:
    """The address of the preview is not part of the index, so build and preview share a generation."""
    (project.folder / "docs" / "draft.md").unlink()
    project.write({"zebras.md": "# Zebras\n\n## Counting the stripes\n\n## Finding the stripes\n\nLook.\n"})
    project.run()
    built = read_generation(project.index)
    with previewing(project) as preview:
        wait_until(lambda: preview.search("stripes"))
        assert "Index unchanged" in preview.log.read_text()
        offered = preview.get("/animals/assets/trueref/questions.json")
        assert offered is not None
        assert offered.json()["pages"] == {"zebras/": ["How do I find the stripes?"]}
        assert preview.end(signal.SIGINT) == 0
    assert read_generation(project.index) == built
    assert "Index unchanged" in project.run()


@pytest.mark.long
def test_a_preview_of_a_site_without_an_address_gives_no_urls(tmp_path: Path) -> None:
    project = make(tmp_path)
    project.run()
    with previewing(project) as preview:
        assert wait_until(lambda: preview.search("stripes"))[0]["url"] is None
        assert "Index unchanged" in preview.log.read_text()
        assert preview.end(signal.SIGINT) == 0


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_preview_that_ends_while_it_embeds_leaves_full_text_served(project: Project, number: signal.Signals) -> None:
    """Whatever it was doing: it ends, full text stays served, and the next build finishes the work."""
    animals = ("zebra", "lion", "okapi", "hyena", "giraffe")
    text = "".join(f"## Animal {n}\n\nThe {animals[n % 5]} number {n} is {n} years old.\n\n" for n in range(600))
    project.write({"many.md": f"# Many\n\n{text}"})
    with previewing(project) as preview:
        wait_until(lambda: preview.search("okapi"))
        assert not has_vectors(project)
        assert preview.end(number) == (0 if number == signal.SIGINT else -signal.SIGTERM)
        assert "Traceback" not in preview.log.read_text()
    assert not has_vectors(project)
    if number == signal.SIGINT:
        assert leftovers(project) == []
    assert project.ask("zebra number 400").sources[0].page == "many/"


@pytest.mark.long
def test_a_mistake_made_under_a_preview_is_one_line(project: Project) -> None:
    """The site is shown as before, the preview goes on, and the next save mends it."""
    project.configure()
    config = project.folder / "mkdocs.yml"
    good = config.read_text()
    with previewing(project) as preview:
        wait_until(lambda: preview.search("stripes"))
        config.write_text(json.dumps(json.loads(good) | {"plugins": [{"trueref": {"embedder": "no/such-model"}}]}))
        wait_until(lambda: "no/such-model" in preview.log.read_text())
        assert preview.search("stripes")
        config.write_text(good)
        project.write({"zebras.md": "# Zebras\n\n## Enemies\n\nHyenas hunt zebras at dusk.\n"})
        wait_until(lambda: preview.search("hyenas"))
        assert preview.end(signal.SIGINT) == 0
        assert "Traceback" not in preview.log.read_text()


def test_a_preview_that_cannot_answer_shows_no_widget(tmp_path: Path) -> None:
    """Without live reload MkDocs lets no plugin answer."""
    with previewing(make(tmp_path), "--no-livereload") as preview:
        page = wait_until(lambda: preview.get("/zebras/"))
        assert page is not None
        assert "Stripes" in page.text
        assert "<trueref-chat" not in page.text
        assert preview.end(signal.SIGINT) == 0


@pytest.mark.long
def test_a_preview_whose_index_goes_away_makes_it_again_with_the_next_save(tmp_path: Path) -> None:
    """A build that cannot be indexed says so in one line; the site is shown, and the next build makes the index again."""
    project = make(tmp_path)
    with previewing(project) as preview:
        wait_until(lambda: preview.search("stripes"))
        shutil.rmtree(project.index)
        project.index.write_text("not a folder")
        project.write({"zebras.md": "# Zebras\n\nGone.\n"})
        wait_until(lambda: "ERROR   -  trueref: " in preview.log.read_text())
        page = preview.get("/zebras/")
        assert page is not None
        assert "Gone." in page.text
        script = preview.get("/assets/trueref/trueref.js")
        assert script is not None
        assert script.status_code == 200
        project.index.unlink()
        project.write({"zebras.md": "# Zebras\n\n## Enemies\n\nHyenas hunt zebras at dusk.\n"})
        wait_until(lambda: preview.search("hyenas"))
        assert preview.end(signal.SIGINT) == 0
        assert "Traceback" not in preview.log.read_text()
