"""Looks up the vectors of chunks that already exist, and makes the missing ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from trueref_core.embedding.embedder import Embedder
from trueref_core.generations.served_generation import build_folder, verified_vectors
from trueref_core.records import Chunk, TextVectors
from trueref_plugin.build.build_plan import BuildPlan
from trueref_plugin.build.published_vectors import reused_vectors
from trueref_plugin.progress import Reporter


@dataclass(frozen=True, slots=True)
class ChunkVectors:
    """By the hash of a text: `existing` has the vectors that were made before, `missing` the texts without any."""

    existing: Mapping[str, TextVectors]
    missing: Mapping[str, str]


def look_up_vectors(
    plan: BuildPlan, chunks: Iterable[Chunk], embedder: Embedder, existing: Mapping[str, TextVectors], report: Reporter
) -> ChunkVectors:
    """Looks for the vectors of chunks: in `existing`, in the served generation, in a published index.

    Args:
        plan: The site as read, and the served generation.
        chunks: The chunks that were cut now.
        embedder: The embedder that the options name.
        existing: Vectors in memory, by the hash of their text. The result contains them too.
        report: Receives a note that says how many vectors come from a published index.

    Raises:
        IndexDamaged: The files of the served vectors changed after they were written.
    """
    # By hash, so that a text that several chunks share is embedded once. In the docs of uv, a sixth of the chunks have
    # the same text as another chunk.
    texts = {chunk.text_hash: chunk.embedded_text for chunk in chunks}
    vectors = {**existing, **_served_vectors(plan, embedder, texts.keys() - existing.keys())}
    # Last, because a published index may have to be downloaded: only texts without a vector in memory or on disk are
    # looked up there.
    if plan.options.reuse and not plan.options.full:
        missing = texts.keys() - vectors.keys()
        vectors |= reused_vectors(plan.options.reuse, embedder.name, embedder.dimensions, missing, report)
    return ChunkVectors(vectors, {text_hash: text for text_hash, text in texts.items() if text_hash not in vectors})


def embed(texts: Mapping[str, str], embedder: Embedder, report: Reporter) -> Iterator[tuple[str, TextVectors]]:
    """Makes the vectors of texts, given by their hashes, and yields those of each with its hash once they are made.

    One by one, because a preview stops between two texts when the writer saves again.
    """
    report.start("Embedding", len(texts))
    for text_hash, vectors in zip(texts, embedder.embed_chunks(texts.values()), strict=True):
        report.advance()
        yield text_hash, vectors
    report.finish()


def count_truncated(chunks: Iterable[Chunk], embedder: Embedder) -> int:
    """How many chunks have more text than the embedder reads."""
    # A build without changes cuts nothing, and should not wait for this import.
    from trueref_plugin.cutting.text_run import wordpieces_at_most

    texts = (chunk.embedded_text for chunk in chunks)
    # The upper bound is cheap, and the exact count needs the tokenizer. Nearly all chunks are below the limit by the
    # bound alone.
    may_be_long = (text for text in texts if wordpieces_at_most(text) > embedder.max_tokens)
    return sum(embedder.count_tokens(text) > embedder.max_tokens for text in may_be_long)


def _served_vectors(plan: BuildPlan, embedder: Embedder, text_hashes: Collection[str]) -> dict[str, TextVectors]:
    """The vectors that the served generation has for some texts; none if another embedder made them."""
    served = None if plan.options.full else plan.served
    if served is None or not served.vectors or served.embedder != embedder.name or not text_hashes:
        return {}
    return verified_vectors(build_folder(plan.options.index, served.id), text_hashes)
