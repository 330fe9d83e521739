"""A file that the docs say to create or to copy is shown whole, and other long code is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from trueref_server.answering.excerpts.code_excerpt import MAX_LINES
from trueref_server.answering.excerpts.excerpt import MAX_WORDS, excerpt
from trueref_server.answering.excerpts.relevance import Relevance
from trueref_server.answering.sections.passage import Passage
from trueref_server.records import ExcerptBlock

ASKED = Relevance({"step": 1.0}, (), "en")
STEPS = 38
WORKFLOW = "\n".join(
    ["on: push", "", "jobs:", *(f"  - run: step {number} of the deployment" for number in range(STEPS))]
)
"""40 lines and a blank one."""


def workflow(lead: str, text: str = WORKFLOW) -> Passage:
    return Passage("code", (ExcerptBlock("prose", lead), ExcerptBlock("code", text)))


@pytest.mark.parametrize(
    ("lead", "is_whole"),
    [
        ("At the root, create a new workflow, and copy and paste the following contents:", True),
        ("Create a file named `.gitlab-ci.yml` in your repository with these lines:", True),
        ("Put this into `docker-compose.yml`:", True),
        ("Create `.github/workflows/ci.yml` with:", True),
        ("First, add the following to `mkdocs.yml`:", True),
        ("It is built at each push, by a file with the following contents:", True),
        ("Save it as a file under `spiders`. It is read at start:", False),
        ("The contents of the folder are these. A step looks so:", False),
        ("The contents of the response are as follows:", False),
        ("This makes a shallow copy of the list:", False),
        ("Do not copy and paste this, it fails:", False),
        ("To write the output to a file, use:", False),
        ("Make sure the file is closed:", False),
        ("A special case of content tabs is this:", False),
        ("A workflow has steps:", False),
    ],
)
def test_a_file_that_is_to_be_copied_is_shown_whole(lead: str, is_whole: bool) -> None:
    section = [workflow(lead)]
    shown = excerpt(section, 0, ASKED)[-1].text
    assert (shown == WORKFLOW) is is_whole
    # A longer one is cut all the same.
    longer = [workflow(lead, f"{WORKFLOW}\n  - run: a last step")]
    assert excerpt(longer, 0, ASKED)[-1].text != longer[0].blocks[-1].text


def test_one_file_of_an_excerpt_is_shown_whole() -> None:
    lead = ExcerptBlock("prose", "Create `a.yml` with the following contents:")
    file = ExcerptBlock("code", WORKFLOW)
    steps = Passage("steps", (lead, file, replace(lead, text="Then create `b.yml` with these lines:"), file))
    first, second = (block.text for block in excerpt([steps], 0, ASKED) if block.kind == "code")
    assert first == WORKFLOW
    assert second.count("\n") < MAX_LINES + 2
    # What is no code is cut as ever, whatever introduces it.
    long = ExcerptBlock("prose", "A step is run. " * MAX_WORDS)
    assert excerpt([Passage("paragraph", (lead, long))], 0, ASKED)[-1].text != long.text
