"""Terms whose ids stand before them, at the end of the description of the term before: Texinfo up to version 6."""

from __future__ import annotations

from tests.plugin.pages import placed, read, titles

ENTRIES = (
    '<h2 id="kiln">Kiln</h2><dl><dd><span id="index-HOT"></span>\n<span id="index-heat"></span>\n</dd>'
    '<dt><span><tt>HOT</tt></span></dt><dd><p>Heats.</p>\n<span id="index-COLD"></span></dd>'
    "<dt><tt>COLD</tt></dt><dd><p>Cools.</p></dd></dl>"
)


def test_index_entries_before_a_term_of_texinfo_lead_to_it() -> None:
    assert placed(ENTRIES) == [("index-HOT", "Heats."), ("index-COLD", "Cools.")]
    assert titles(ENTRIES) == [("kiln", "Kiln"), ("index-HOT", "HOT"), ("index-COLD", "COLD")]
    parsed = read(ENTRIES)
    section_of = {anchor.anchor: parsed.sections[anchor.section].anchor for anchor in parsed.anchors}
    assert section_of["index-heat"] == "index-HOT"


def test_an_id_that_shows_something_or_stands_before_text_leads_to_no_term() -> None:
    shown = ENTRIES.replace('<span id="index-COLD"></span>', '<span id="index-COLD">Then cold.</span>')
    assert [title for title, _ in titles(shown)] == ["kiln", "index-HOT"]
    before = ENTRIES.replace(
        '<p>Heats.</p>\n<span id="index-COLD"></span>', '<span id="index-COLD"></span><p>Heats.</p>'
    )
    assert [title for title, _ in titles(before)] == ["kiln", "index-HOT"]
    other = ENTRIES.replace("index-COLD", "end-of-heat")
    assert [title for title, _ in titles(other)] == ["kiln", "index-HOT"]
    # An id of the term itself comes first.
    own = ENTRIES.replace("<dt><tt>COLD", '<dt id="cold"><tt>COLD')
    assert [title for title, _ in titles(own)] == ["kiln", "index-HOT", "cold"]
