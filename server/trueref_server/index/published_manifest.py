"""The manifest as the server gives it to anyone: made once a generation, with a tag to ask for it again."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from trueref_core.export.published_site import published
from trueref_core.manifest.codec import encode_file

if TYPE_CHECKING:
    from trueref_core.generations.open_generation import OpenIndex


@dataclass(frozen=True, slots=True)
class PublishedManifest:
    """The bytes of the published manifest of a generation. `tag` is their entity tag."""

    generation: str
    body: bytes = field(repr=False)
    tag: str


def publish_manifest(index: OpenIndex) -> PublishedManifest:
    """The published manifest of an open index."""
    file = msgspec.structs.replace(index.manifest.rows(), history=index.manifest.history.entries)
    body = encode_file(published(file))
    # Not the id of the generation: another version of Trueref may publish other bytes of it.
    return PublishedManifest(index.generation.id, body, f'"{hashlib.sha256(body).hexdigest()[:20]}"')
