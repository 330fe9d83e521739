"""Errors that a user can do something about. Each message has the value or file that is wrong, and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

REBUILD: Final = "Build it again with `mkdocs build`, or `trueref index SITE`."
"""The end of the message for every index that cannot be used: the next build replaces it."""


class TruerefError(Exception):
    """Base of all these errors. The command line prints the message and exits with 2.

    A message has one line. Only a message about several wrong options has a line for each of them.
    """


class SiteError(TruerefError):
    """The site folder cannot be read as a built documentation site."""


class OptionError(TruerefError):
    """An option has a value that cannot be used."""


class IndexFault(TruerefError):
    """Base of all errors of an index on disk."""


class IndexMissing(IndexFault):
    """There is no index in the folder, or nothing was published in it yet."""


class IndexDamaged(IndexFault):
    """A file of the generation is missing or differs from what was published."""


class IndexIncompatible(IndexFault):
    """The index was written by another schema version, or made with another embedder than the caller uses."""


class IndexLocked(IndexFault):
    """Another build is writing to the index."""


class IndexUnwritable(IndexFault):
    """The index folder cannot be written: no permission, or the disk is full."""


class ExtraMissing(TruerefError):
    """A package of an extra is not installed, such as one that indexing and answering need."""


class EmbedderError(TruerefError):
    """The embedder is unknown, its files are damaged, or its vectors are not the expected ones."""


def unknown_site(name: str, names: Iterable[str]) -> OptionError:
    """The error for a name that none of the sites of an index has. `names` are the names that they have."""
    # In quotes, since a name may be a title of several words.
    return OptionError(f"The index holds no site {name!r}. It holds: {', '.join(map(repr, names))}.")
