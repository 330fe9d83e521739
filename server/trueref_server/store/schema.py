"""The tables of the store. Their names begin with `trueref_`, since the database may have other tables."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Identity,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)

VERSION: Final = 1
"""The version of the tables below. A change of them raises the number and adds a step to `upgrades.py`."""

METADATA: Final = MetaData()

SCHEMA: Final = Table("trueref_schema", METADATA, Column("version", Integer, primary_key=True))

ANSWERS: Final = Table(
    "trueref_answers",
    METADATA,
    Column("answer_id", String(32), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("generation", String(128), nullable=False),
    Column("turn", Integer, nullable=False),
    Column("page", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("verdict", String(16), nullable=False),
    Column("mode", String(16), nullable=False),
    Column("fallback", String(32), nullable=False),
    Column("confidence", Float, nullable=False),
    Column("cached", Boolean, nullable=False),
    Column("milliseconds", Float, nullable=False),
    Column("checked", Integer, nullable=False),
    Column("corrected", Integer, nullable=False),
    Column("removed", Integer, nullable=False),
    Column("marks", Integer, nullable=False),
    Column("question", Text),
    Index("trueref_answers_at", "at"),
)

SOURCES: Final = Table(
    "trueref_sources",
    METADATA,
    Column("answer_id", String(32), ForeignKey(ANSWERS.c.answer_id, ondelete="CASCADE"), primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("page", Text, nullable=False),
    Column("anchor", Text, nullable=False),
    Column("section", Text, nullable=False),
    Column("kind", String(32), nullable=False),
    Column("is_cited", Boolean, nullable=False),
)

RATINGS: Final = Table(
    "trueref_ratings",
    METADATA,
    Column("answer_id", String(32), ForeignKey(ANSWERS.c.answer_id, ondelete="CASCADE"), primary_key=True),
    # The number of a source, or `WHOLE_ANSWER` of `entries.py`.
    Column("source", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("helpful", Boolean, nullable=False),
    Column("reason", Text, nullable=False),
    Column("comment", Text, nullable=False),
)

FAILURES: Final = Table(
    "trueref_failures",
    METADATA,
    # SQLite numbers rows itself only if the type of the key is INTEGER.
    Column("id", BigInteger().with_variant(Integer, "sqlite"), Identity(), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("code", String(32), nullable=False),
    Index("trueref_failures_at", "at"),
)
