"""The sidecar: a JSON file with what only the generator knows of its pages (`trueref index --pages FILE`)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from trueref_core.errors import OptionError
from trueref_core.records import Page

SIDECAR_VERSION: Final = 1


class PageFacts(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a generator knows of one page. `file` is the output file, relative to the site, with forward slashes.

    `source` is the source file, relative to the project. `hidden`: the author excluded the page from the search.
    `language` and `version` are "" if the generator does not know them.
    """

    file: str
    source: str = ""
    hidden: bool = False
    draft: bool = False
    language: str = ""
    version: str = ""


class Sidecar(msgspec.Struct, frozen=True, omit_defaults=True):
    """The content of a sidecar file: the facts of each page, and the number of the file's format."""

    pages: tuple[PageFacts, ...] = ()
    sidecar: int = SIDECAR_VERSION


def facts_of(page: Page) -> PageFacts:
    """The facts that a generator gave for a page in an earlier build, restored from the record of the page."""
    # `told` names the facts that came from the generator. A language or version that the page itself names is read from
    # the page again in every build.
    return PageFacts(
        page.file,
        source=page.source_path,
        hidden=page.hidden_by == "search exclusion",
        draft=page.draft,
        language=page.language if "language" in page.told else "",
        version=page.version if "version" in page.told else "",
    )


def read_sidecar(path: Path) -> dict[str, PageFacts]:
    """The facts in a sidecar, by output file.

    Raises:
        OptionError: The file is missing, is not JSON of this form, or has another format number.
    """
    try:
        sidecar = msgspec.json.decode(path.read_bytes(), type=Sidecar)
    except OSError as error:
        raise OptionError(f"The pages file {path} cannot be read: {error.strerror or error}.") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise OptionError(f"The pages file {path} is not the JSON that the plugins write: {error}.") from error
    if sidecar.sidecar != SIDECAR_VERSION:
        raise OptionError(
            f"The pages file {path} has format {sidecar.sidecar}; this version of Trueref reads {SIDECAR_VERSION}."
        )
    return {facts.file: facts for facts in sidecar.pages}
