"""The rules of chunks over pages made by chance. The seed is fixed: a failure is the same for everyone."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.plugin.made import cut, dense, made_page, sections
from tests.plugin.rules import broken_rules, wordpieces

from trueref_plugin.reading.parsed import Block

steady = settings(derandomize=True, phases=[Phase.generate], suppress_health_check=list(HealthCheck))


@steady
@given(sections)
def test_any_page_is_cut_by_the_rules_without_an_embedder(content: list[list[Block]]) -> None:
    parsed = made_page(content)
    assert broken_rules(parsed, cut(parsed), embedded=False) == []


@steady
@given(sections)
def test_any_page_is_cut_by_the_rules_within_what_the_embedder_reads(content: list[list[Block]]) -> None:
    parsed = made_page(content)
    assert broken_rules(parsed, cut(parsed, wordpieces)) == []


@steady
@given(st.lists(dense, min_size=1, max_size=30).map("".join))
def test_text_without_spaces_is_cut_by_the_rules(text: str) -> None:
    parsed = made_page([[Block("prose", text.strip() or "a", 0)]])
    assert broken_rules(parsed, cut(parsed, wordpieces)) == []
