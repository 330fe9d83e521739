"""What a model is sent and what comes back, without a connection: history, lines, templates and settings."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.server import handmade

from trueref_core.errors import OptionError
from trueref_core.text.tokens import count_tokens
from trueref_server.answering.context import ContextSection, context_of
from trueref_server.model.asking.numbered_sources import ModelSource, model_sources
from trueref_server.model.asking.prompt import MAX_MESSAGES, MAX_TOKENS, Prompts, recent
from trueref_server.model.checking.facts import FactChecker
from trueref_server.model.checking.lines import LineCutter
from trueref_server.records import Exchange, Hit, Question, Source
from trueref_server.service import Service
from trueref_server.settings import load_settings


@settings(derandomize=True)
@given(st.lists(st.tuples(st.text(max_size=2000), st.text(max_size=2000)), max_size=12))
def test_recent_exchanges_are_whole_and_within_their_tokens(pairs: list[tuple[str, str]]) -> None:
    history = [Exchange(question, answer) for question, answer in pairs]
    kept = recent(history)
    assert kept == history[len(history) - len(kept) :]
    assert 2 * len(kept) <= MAX_MESSAGES
    assert sum(count_tokens(turn.question) + count_tokens(turn.answer) for turn in kept) <= MAX_TOKENS


@settings(derandomize=True)
@given(st.text(alphabet="a`\n .", max_size=200), st.integers(0, 2**32))
def test_lines_do_not_depend_on_the_pieces(text: str, seed: int) -> None:
    rng = random.Random(seed)
    pieces: list[str] = []
    at = 0
    while at < len(text):
        end = at + rng.randint(1, 9)
        pieces.append(text[at:end])
        at = end
    cutter, whole = LineCutter(), LineCutter()
    lines = [line for piece in pieces for line in cutter.push(piece)] + cutter.close()
    assert lines == whole.push(text) + whole.close()
    assert "".join(line.text for line in lines) == text


def test_templates_of_a_site_replace_those_of_the_package(tmp_path: Path) -> None:
    (tmp_path / "system.jinja").write_text("Answer like a pirate of {{ site }}.", encoding="utf-8")
    source = ModelSource(1, "Page", "guide", "", "Text.")
    system, asked = Prompts(tmp_path).messages("Demo", Question("Why?"), [source])
    assert system["content"] == "Answer like a pirate of Demo."
    assert '<source number="1" place="Page" kind="guide">\nText.\n</source>' in asked["content"]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("The default is `http://127.0.0.1:8000/x`.", "The default is `http://127.0.0.1:8000/x`."),
        ("See https://example.org/a, or `b`.", "See  or `b`."),
        ("```\ncurl http://a.example\n```\nor http://b.example", "```\ncurl http://a.example\n```\nor"),
        ("Write `</source>`.", "Write `&lt;/source>`."),
        ("A ` and https://example.org/a", "A ` and"),
    ],
)
def test_addresses_in_code_are_values_and_stay(text: str, read: str) -> None:
    source = Source(1, "Page", "Part", (), "guide", "a/", "part", "a/#part", None, "")
    section = ContextSection("demo", "a/", "part", "Part", text, True, 1)
    (model_source,) = model_sources([source], [section], {("demo", "a/", "part"): 1})
    assert model_source.text == read


def test_a_source_has_the_version_of_its_own_page() -> None:
    sections = tuple(
        (replace(handmade.chunk(page, "part", "It fires clay.", at), version=version),)
        for at, (page, version) in enumerate((("a/", "1.0"), ("b/", "2.0"), ("c/", "")))
    )
    hits = tuple(Hit("demo", chunks[0].page, "part", 1.0, chunks) for chunks in sections)
    listed = [
        Source(n, "Page", "Part", (), "guide", hit.page, "part", f"{hit.page}#part", None, "")
        for n, hit in enumerate(hits, start=1)
    ]
    numbers = {("demo", source.page, "part"): source.n for source in listed}
    sources = model_sources(listed, context_of(hits, 1000), numbers)
    assert [source.version for source in sources] == ["1.0", "2.0", ""]
    finding = FactChecker(sources[:1], "").check_sentence("It fires clay since version 2.0. [1]")[0]
    assert [each.code for each in finding] == ["not-in-sources"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"model_url": "http://127.0.0.1/v1"}, "model_name is not: name the model"),
        ({"model_name": "m"}, "--model_name is set, and model_url is not: name the endpoint"),
        ({"model_key": "k"}, "--model_key is set, and model_url is not: name the endpoint"),
        ({"model_url": "localhost"}, "is not an address such as"),
        ({"model_url": "http://h/v1/chat/completions"}, "remove /chat/completions from its end"),
        ({"model_url": "http://me:pw@host/v1", "model_name": "m"}, "give the key as TRUEREF_MODEL_KEY"),
        ({"model_url": "http://host/v1?key=pw", "model_name": "m"}, r"what follows \? or #, since logs show"),
        ({"model_url": "http://h/v1", "model_name": "m", "model_prompts": "nowhere"}, "there is no folder nowhere"),
    ],
)
def test_settings_of_a_model_that_cannot_work_are_refused_at_the_start(options: dict[str, object], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        Service(load_settings({}, options=options))


@pytest.mark.parametrize("template", ["{{ nothing }}", "{% if %}"])
def test_a_template_that_cannot_be_used_is_refused(tmp_path: Path, template: str) -> None:
    (tmp_path / "question.jinja").write_text(template, encoding="utf-8")
    with pytest.raises(OptionError, match="model_prompts: a template in"):
        Prompts(tmp_path).check()


def test_the_key_is_in_no_representation() -> None:
    options = {"model_url": "http://127.0.0.1/v1", "model_name": "m", "model_key": "secret"}
    settings = load_settings({}, options=options)
    assert settings.model_key == "secret"
    assert "secret" not in repr(settings)
