"""How sure an answer is: what words tell, what is held, and what moves it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.server.kiln_site import kiln_index
from tests.sharing import bundled_embedder

from trueref_core.embedding.embedder import Embedder
from trueref_core.embedding.packed_wordpieces import Wordpieces
from trueref_core.generations.served_generation import open_index
from trueref_server.corpus.corpus import Corpus
from trueref_server.question.plan import make_plan
from trueref_server.question.scope import Scopes
from trueref_server.ranking import late_interaction
from trueref_server.ranking.confidence import ANSWER_FROM, CLOSEST_FROM, confidence
from trueref_server.ranking.confidence_features import (
    FIRST_HITS,
    MAX_SHOWN_MARGIN,
    MIN_SHOWN_SCORE,
    PAGE_ALONE,
    features,
    shown_features,
)
from trueref_server.ranking.late_interaction import LateInteraction
from trueref_server.ranking.weighted_question import WeightedQuestion
from trueref_server.records import Exchange, Hit, Question
from trueref_server.search.search import RankedSections, SearchIndex, search_plan
from trueref_server.service import Service
from trueref_server.settings import Settings


class Counting(Embedder):
    """The bundled embedder, which keeps what it is asked to read word by word."""

    def __init__(self) -> None:
        vars(self).update(vars(bundled_embedder()))
        self.read: list[str] = []

    def embed_words(self, texts: Iterable[str]) -> Iterator[Wordpieces]:
        asked = list(texts)
        self.read += asked
        return super().embed_words(asked)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return kiln_index(tmp_path_factory, "bundled")


def texts(found: RankedSections) -> list[str]:
    return [hit.chunk.embedded_text for hit in found.hits[:FIRST_HITS]]


def best(found: RankedSections, reader: LateInteraction) -> float:
    return max(reader.max_sim(found.question, texts(found)) or [0.0])


def found_for(index: Path, *questions: str) -> list[RankedSections]:
    async def ask() -> list[RankedSections]:
        opened = await open_index(index)
        corpus = await Corpus.of(opened)
        plans = [make_plan(Question(text), "en", corpus.statistics) for text in questions]
        ready = SearchIndex(opened, corpus, Scopes(opened.manifest), bundled_embedder())
        results = [await search_plan(ready, plan) for plan in plans]
        await opened.close()
        return results

    return asyncio.run(ask())


@pytest.mark.slow
def test_a_text_that_has_every_word_meets_a_question_better_than_one_that_lacks_one(index: Path) -> None:
    asked, lacking = found_for(
        index, "How do I install behind a corporate proxy?", "How do I install behind a corporate zeppelin?"
    )
    reader = LateInteraction(bundled_embedder())
    whole, less = best(asked, reader), best(lacking, reader)
    assert whole > less + 0.1
    assert confidence(asked.question, asked.hits, whole) > 2 * confidence(lacking.question, lacking.hits, less)


@pytest.mark.anyio
@pytest.mark.parametrize("stranger", ["zeppelin", "monastery", "velociraptor", "sunflower", "tambourine"])
async def test_a_word_that_no_page_has_halves_confidence(index: Path, stranger: str) -> None:
    service = Service(Settings(index=index))
    asked = await service.ask_whole(Question("How do I install behind a corporate proxy?"))
    lacking = await service.ask_whole(Question(f"How do I install behind a corporate {stranger}?"))
    await service.close()
    assert asked.verdict == "answer"
    assert asked.confidence > 2 * lacking.confidence


@pytest.mark.parametrize("score", [0.0, 0.2, MIN_SHOWN_SCORE])
def test_what_is_beyond_all_questions_that_the_curve_was_fitted_to_makes_nothing_surer(score: float) -> None:
    values = {"rare_word_similarity": 0.5, "absent": 0.0, "margin": MAX_SHOWN_MARGIN, "score": MIN_SHOWN_SCORE}
    beyond = values | {"margin": 0.3, "score": score}
    assert shown_features(beyond, 0.5) == shown_features(values, 0.5)


def test_nothing_found_is_nothing_met(index: Path) -> None:
    (found,) = found_for(index, "zzz")
    reader = LateInteraction(bundled_embedder())
    assert reader.max_sim(found.question, []) is None
    assert confidence(found.question, []) == 0.0


def test_texts_are_read_once(index: Path) -> None:
    (found,) = found_for(index, "How do I install behind a corporate proxy?")
    embedder = Counting()
    reader = LateInteraction(embedder)
    first = reader.max_sim(found.question, texts(found))
    assert sorted(embedder.read) == sorted([found.question.plan.query, *texts(found)])
    embedder.read.clear()
    assert reader.max_sim(found.question, texts(found)) == first
    # The model itself keeps what it read of the question.
    assert embedder.read == [found.question.plan.query]


def test_few_texts_are_held_and_several_threads_may_ask(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(late_interaction, "TEXTS_KEPT", 3)
    asked = found_for(index, "corporate proxy", "set_hold_limit", "export as a table", "drying rack", "wadding")
    embedder = Counting()
    reader = LateInteraction(embedder)
    alone = [best(one, LateInteraction(bundled_embedder())) for one in asked]
    confidences: dict[int, list[float]] = {}

    def ask(number: int) -> None:
        confidences[number] = [best(one, reader) for one in asked]

    threads = [threading.Thread(target=ask, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(confidences[number] == alone for number in range(4))
    embedder.read.clear()
    everything = sorted({text for one in asked for text in texts(one)})
    reader.max_sim(asked[0].question, everything)
    # All but three have to be read again, and the question.
    assert len(embedder.read) == len(everything) - 3 + 1


@pytest.mark.parametrize("text", ["如何更改主题的颜色模式?", "テーマの色を変更する", "테마의 색상을 변경하려면"])
def test_what_the_embedder_does_not_read_as_words_is_not_compared(index: Path, text: str) -> None:
    found, *_ = found_for(index, "How do I install behind a corporate proxy?")
    plan = make_plan(Question(text), "en", found.question.statistics)
    assert (
        LateInteraction(bundled_embedder()).max_sim(WeightedQuestion(plan, found.question.statistics), texts(found))
        is None
    )


def test_another_language_is_not_compared(index: Path) -> None:
    (found,) = found_for(index, "How do I install behind a corporate proxy?")
    german = replace(found.question, plan=replace(found.question.plan, language="de"))
    assert LateInteraction(bundled_embedder()).max_sim(german, texts(found)) is None


def test_a_word_is_compared_with_its_sign(index: Path) -> None:
    (found,) = found_for(index, "How do I install behind a corporate proxy?")
    asked = WeightedQuestion(make_plan(Question("C++"), "en"), found.question.statistics)
    near, far = LateInteraction(bundled_embedder()).max_sim(asked, ["Written in C++.", "Fired in a kiln."]) or (0, 0)
    assert near > far


def test_texts_without_words_are_met_by_nothing(index: Path) -> None:
    (found,) = found_for(index, "How do I install behind a corporate proxy?")
    assert LateInteraction(bundled_embedder()).max_sim(found.question, [""]) == [0.0]


@pytest.mark.anyio
async def test_the_server_compares_words_with_the_embedder_that_this_was_fitted_with(
    index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = Service(Settings(index=index))
    question = Question("How do I install behind a corporate proxy?")
    compared = await service.explain(question)
    monkeypatch.setattr("trueref_server.service.FITTED", ())
    plain = await service.explain(question)
    await service.close()
    assert [(hit.page, hit.anchor) for hit in compared.hits] == [(hit.page, hit.anchor) for hit in plain.hits]
    assert compared.draft.confidence != plain.draft.confidence
    assert compared.draft.verdict == "answer"


@pytest.mark.anyio
async def test_a_new_topic_in_a_conversation_is_asked_as_it_stands(index: Path) -> None:
    service = Service(Settings(index=index))
    history = (Exchange("How do I export recorded temperatures as a table?"),)
    answer = await service.ask_whole(Question("corporate proxy", history))
    going_on = await service.ask_whole(Question("and as CSV?", history))
    unknown = await service.ask_whole(Question("and as JSON?", history))
    await service.close()
    assert (answer.read_as, answer.sources[0].anchor) == ("", "proxy")
    assert going_on.read_as.startswith("and as CSV? (")
    # No page has the word, so nothing tells whether it goes on: what was said of tables would be no answer.
    assert (unknown.read_as, unknown.verdict, "JSON" in unknown.text) == ("", "not-found", True)


def test_what_a_conversation_adds_counts_less_than_what_is_asked(index: Path) -> None:
    proxy, zeppelin = found_for(index, "corporate proxy certificate", "corporate zeppelin certificate")
    reader = LateInteraction(bundled_embedder())

    def met(found: RankedSections, *carried: str) -> float:
        plan = replace(found.question.plan, carried=carried)
        return max(reader.max_sim(replace(found.question, plan=plan), texts(proxy)) or [0.0])

    # What the docs lack weighs more where the rest was told before, and what they have as much.
    assert met(zeppelin, "corporate", "certificate") < met(zeppelin) - 0.1
    assert met(zeppelin) < met(zeppelin, "zeppelin") - 0.1
    assert abs(met(proxy, "corporate", "certificate") - met(proxy)) < 0.1


def test_each_of_what_words_tell_moves_confidence(index: Path) -> None:
    (found,) = found_for(index, "How do I install behind a corporate proxy?")

    def sure(met: float = 0.7) -> float:
        return confidence(found.question, found.hits, met)

    assert sure(0.9) > sure() > sure(0.4)


def without(hit: Hit, *names: str) -> Hit:
    """A hit as if some of its signals had been nothing."""
    signals, values = (
        {name: value for name, value in known.items() if name not in names}
        for known in (hit.signals, hit.signal_values)
    )
    return replace(hit, signals=signals, signal_values=values)


def test_a_page_with_one_section_is_not_held_against_it(index: Path) -> None:
    (found,) = found_for(index, "How do I install behind a corporate proxy?")
    first = found.hits[0]
    alone = without(first, "page")
    score = alone.score - alone.signals.get("aside", 0) - alone.signals.get("owner", 0)
    assert features(found.question, [alone, *found.hits[1:]])["page"] == pytest.approx(PAGE_ALONE * score)
    # By text alone, the words that a section holds tell enough.
    worded = [without(hit, "page", "vector") for hit in found.hits]
    assert features(found.question, worded)["page"] == 0.0


def test_the_changes_of_a_version_that_are_found_are_an_answer(index: Path) -> None:
    (found,) = found_for(index, "zeppelin kiln")
    first = found.hits[0]
    named = replace(first, signals=first.signals | {"release": 0.3})
    assert (
        confidence(found.question, [named, *found.hits[1:]], 0.0)
        >= ANSWER_FROM
        > confidence(found.question, found.hits, 0.0)
    )


def with_value(hit: Hit, signal: str) -> Hit:
    return replace(hit, signal_values={**hit.signal_values, signal: 1.0})


def test_a_card_whose_title_is_all_that_is_asked_for_is_an_answer(index: Path) -> None:
    (found,) = found_for(index, "zeppelin kiln")
    first, second, *others = found.hits
    titled = with_value(second, "named")
    hits = [first, titled, *others]
    assert confidence(found.question, found.hits, 0.0) < CLOSEST_FROM
    assert confidence(found.question, hits, 0.0, card=titled) == ANSWER_FROM
    # Another section of this title is near what is asked, and of one word it may be about anything.
    assert confidence(found.question, hits, 0.0, card=first) == CLOSEST_FROM
    (of_one_word,) = found_for(index, "zeppelin")
    assert confidence(of_one_word.question, hits, 0.0, card=first) < CLOSEST_FROM


def test_keywords_that_a_card_has_are_near_it(index: Path) -> None:
    keywords, question, absent = found_for(
        index, "corporate certificate", "is a corporate certificate", "corporate zeppelin"
    )
    card = next(hit for hit in keywords.hits if hit.anchor == "proxy")
    assert confidence(keywords.question, keywords.hits, -9.0, card=card) == CLOSEST_FROM
    assert confidence(question.question, question.hits, -9.0, card=card) < CLOSEST_FROM
    assert confidence(absent.question, absent.hits, -9.0, card=card) < CLOSEST_FROM


@pytest.mark.parametrize(("text", "least"), [("kiln_size heat", CLOSEST_FROM), ("kiln_size zeppelins", 0.0)])
def test_a_card_with_the_identifier_is_near_if_the_docs_have_the_other_words(
    index: Path, text: str, least: float
) -> None:
    (found,) = found_for(index, text)
    card = with_value(found.hits[0], "asked_identifier")
    assert found.question.plan.asks_for_identifier
    assert confidence(found.question, found.hits, -9.0) < 0.001
    assert confidence(found.question, found.hits, -9.0, card=card) == pytest.approx(least, abs=0.001)


@pytest.mark.parametrize(
    ("text", "title", "breadcrumb", "page", "is_answer"),
    [
        ("heat --kiln", "Heat", (), "fire/", True),
        ("heat --kiln", "Options", ("The command heat",), "fire/", True),
        ("heat --kiln", "Options", (), "cli/heat/", True),
        # The docs have the word, and another command has the option.
        ("heat --kiln", "Options", ("Fire",), "cli/fire/", False),
        ("zeppelins --kiln", "Options", (), "cli/fire/", False),
    ],
)
def test_a_card_that_explains_the_option_is_an_answer_if_it_is_called_by_the_other_words(
    index: Path, text: str, title: str, breadcrumb: tuple[str, ...], page: str, is_answer: bool
) -> None:
    (found,) = found_for(index, text)
    chunk = replace(found.hits[0].chunk, title=title, breadcrumb=breadcrumb, page=page)
    card = with_value(replace(found.hits[0], chunks=(chunk,)), "explained_option")
    assert confidence(found.question, found.hits, -9.0) < ANSWER_FROM
    assert (confidence(found.question, found.hits, -9.0, card=card) == ANSWER_FROM) == is_answer


def test_what_is_found_as_it_was_typed_has_a_least_confidence_without_reading_words(index: Path) -> None:
    (found,) = found_for(index, "zeppelin kiln")
    named = replace(found.hits[0], signals=found.hits[0].signals | {"release": 0.3})
    assert confidence(found.question, found.hits) < 0.01
    assert confidence(found.question, [named, *found.hits[1:]]) == 0.27


@pytest.mark.slow
def test_a_section_without_the_option_of_one_letter_that_is_asked_for_is_no_answer(index: Path) -> None:
    (found,) = found_for(index, "what does the glaze -z do?")
    having = [replace(hit, signal_values=hit.signal_values | {"asked_identifier": 1.0}) for hit in found.hits]
    # However well its words are met.
    assert CLOSEST_FROM < confidence(found.question, found.hits, 9.0) < ANSWER_FROM
    assert confidence(found.question, having, 9.0) > ANSWER_FROM
