"""What is shown for a passage: whole thoughts, a screen of them, and of long code the part that is asked about."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import EXAMPLES

from trueref_server.answering.excerpts.code_excerpt import LEFT_OUT, MAX_LINES, part_of
from trueref_server.answering.excerpts.excerpt import MAX_WORDS, excerpt, window
from trueref_server.answering.excerpts.relevance import Relevance
from trueref_server.answering.excerpts.tab_panels import asked_panels
from trueref_server.answering.sections.passage import Panel, Passage
from trueref_server.records import ExcerptBlock


def asking(*words: str, named: tuple[str, ...] = ()) -> Relevance:
    return Relevance(dict.fromkeys(words, 1.0), named, "en")


def shown_with(passages: list[Passage], at: int) -> list[int]:
    return window(passages, at, asked_panels(passages, ""))


def paragraph(text: str, *, begins: bool = False) -> Passage:
    return Passage("paragraph", (ExcerptBlock("prose", text),), begins=begins)


def option(name: str, text: str, entry: str) -> Passage:
    return Passage("definition", (ExcerptBlock("definition", text, name),), entry=entry)


def code(text: str, lead: str = "", panels: tuple[Panel, ...] = ()) -> Passage:
    blocks = (ExcerptBlock("prose", lead),) if lead else ()
    return Passage("code", (*blocks, ExcerptBlock("code", text)), panels=panels)


def test_a_passage_grows_back_to_where_its_thought_begins_and_forward() -> None:
    section = [
        paragraph("Fonts are files."),
        paragraph("Colors are names."),
        paragraph("They are read."),
        paragraph("End."),
    ]
    assert shown_with(section, 2) == [1, 2, 3]


def test_a_screen_is_not_exceeded() -> None:
    section = [paragraph("word " * 80) for _ in range(4)]
    assert shown_with(section, 0) == [0, 1]


def test_what_a_heading_begins_is_of_another_topic() -> None:
    section = [
        paragraph("One."),
        paragraph("It is two.", begins=True),
        paragraph("Three."),
        paragraph("Four.", begins=True),
    ]
    assert shown_with(section, 1) == [1, 2]


def test_of_a_list_of_options_the_one_that_is_asked_for_is_shown() -> None:
    section = [
        paragraph("These are read."),
        option("--delete", "Removes it.", "d1.1"),
        option("--force", "Asks nothing.", "d1.2"),
        option("--force", "This loses commits.", "d1.2"),
        option("--quiet", "Says nothing.", "d1.3"),
    ]
    assert shown_with(section, 2) == [2, 3]
    assert shown_with(section, 4) == [4]
    # A paragraph before the options is followed by them as by any text.
    assert shown_with(section, 0) == [0, 1, 2, 3, 4]


def test_a_term_is_said_once_of_what_is_shown_together() -> None:
    section = [option("--force", "Asks nothing.", "d1.1"), option("--force", "Loses commits.", "d1.1")]
    assert [block.caption for block in excerpt(section, 0, asking())] == ["--force", ""]
    assert [block.caption for block in excerpt(section, 1, asking())] == ["--force", ""]


def test_short_blocks_of_code_stand_together_and_long_ones_alone() -> None:
    short = [code("a = 1", "First:"), code("b = 2", "Then:"), code("c = 3", "Last:")]
    assert shown_with(short, 0) == [0, 1, 2]
    long = [code("x = 1\n" * MAX_LINES, "First:"), code("b = 2", "Then:")]
    assert shown_with(long, 0) == [0]


def test_one_panel_of_tabs_is_shown() -> None:
    section = [code("pip", "Run:", (Panel("t1", "1"),)), code("uv", "Run:", (Panel("t1", "2"),)), paragraph("Done.")]
    assert (shown_with(section, 0), shown_with(section, 1)) == ([0, 2], [1, 2])
    # From elsewhere, the first.
    assert shown_with([paragraph("Install."), *section], 0) == [0, 1, 3]


def test_what_stands_before_is_shown_where_a_screen_has_room() -> None:
    section = [paragraph("Fonts are files."), paragraph("Colors are names."), paragraph("The palette is a file.")]
    assert [block.text for block in excerpt(section, 2, asking("palett"))] == [
        "Fonts are files.",
        "Colors are names.",
        "The palette is a file.",
    ]


@pytest.mark.parametrize(
    "section",
    [
        # Half a screen is full.
        [paragraph("word " * 91), paragraph("The palette is a file.")],
        # What there is room for begins in the air.
        [paragraph("word " * 89), paragraph("It has names."), paragraph("The palette is a file.")],
        # What stands before is of another topic.
        [paragraph("Fonts are files."), paragraph("The palette is a file.", begins=True)],
    ],
)
def test_a_card_begins_with_the_answer_where_nothing_whole_fits_before(section: list[Passage]) -> None:
    assert [block.text for block in excerpt(section, len(section) - 1, asking("palett"))] == ["The palette is a file."]


def test_the_same_settings_in_two_files_are_variants() -> None:
    def panel(file: str, number: str, text: str) -> Passage:
        block = ExcerptBlock("code", text, file)
        return Passage("code", (ExcerptBlock("prose", "Set it:"), block), panels=(Panel("t1", number, file),))

    variants = [
        panel("pyproject.toml", "1", "[tool.uv]\nmanaged = false"),
        panel("uv.toml", "2", "managed = false\n"),
        paragraph("Done."),
    ]
    assert (shown_with(variants, 0), shown_with(variants, 1)) == ([0, 2], [1, 2])
    parts = [panel("mkdocs.yml", "1", "extra: 1"), panel("docs/a.md", "2", "*[A]: one"), paragraph("Done.")]
    assert shown_with(parts, 0) == [0, 1, 2]


def test_the_sentence_that_decides_is_marked() -> None:
    (block,) = excerpt([paragraph("Colors are names. The palette is set in a file. It stays.")], 0, asking("palett"))
    assert block.highlight is not None
    assert block.text[slice(*block.highlight)] == "The palette is set in a file."


def test_an_item_of_an_admonition_is_marked_without_its_mark() -> None:
    items = ExcerptBlock(
        "admonition", "- Unplug the kiln first.\n- Be careful with the hot lid of the kiln.", "Warning"
    )
    block, *_ = excerpt([Passage("admonition", (items,))], 0, asking("careful", "lid"))
    assert block.highlight is not None
    assert block.text[slice(*block.highlight)] == "Be careful with the hot lid of the kiln."


def test_a_line_of_code_is_marked_without_its_indentation() -> None:
    *_, block = excerpt([code("theme:\n  palette: red", "Set:")], 0, asking("palett"))
    assert block.highlight is not None
    assert block.text[slice(*block.highlight)] == "palette: red"


def test_a_long_table_is_shown_by_its_best_rows() -> None:
    head = "| Option | Meaning |\n| --- | --- |"
    rows = "\n".join(f"| `o{n}` | does thing number {n} and says more about it |" for n in range(60))
    (block,) = excerpt([Passage("table", (ExcerptBlock("table", f"{head}\n{rows}"),))], 0, asking(named=("o41",)))
    assert block.text.startswith(f"{head}\n| `o40` ")
    assert "| `o41` |" in block.text
    assert block.highlight is not None
    assert block.text[slice(*block.highlight)].startswith("| `o41` ")


def test_a_line_keeps_the_table_that_it_announces_where_both_are_more_than_a_screen() -> None:
    lead = ExcerptBlock("prose", "The figures of each site follow. " * 15 + "They are these:")
    header = "| site | figure |\n|---|---|\n"
    rows = "\n".join(f"| site {number} | {'much ' * 25}|" for number in range(9))
    shown = excerpt([Passage("table", (lead, ExcerptBlock("table", header + rows)))], 0, asking("figures"))
    assert [block.kind for block in shown] == ["prose", "table"]
    assert shown[0].text == lead.text
    assert shown[1].text.startswith(header + "| site ")
    assert sum(len(block.text.split()) for block in shown) <= MAX_WORDS + 40


def test_a_long_list_is_shown_from_its_best_item() -> None:
    items = "\n".join(f"- item {n} " + "word " * 30 for n in range(20)) + "\n- the palette"
    (block,) = excerpt([Passage("list", (ExcerptBlock("list", items),))], 0, asking("palett"))
    assert block.text == "- the palette"


YAML = """\
site_name: Demo
site_url: https://example.org
theme:
  name: material
  features:
    - navigation.tabs
    - navigation.top
    - search.share
  palette:
    - scheme: default
      toggle:
        name: Dark
    - scheme: slate
      toggle:
        name: Light
plugins:
  - search
  - tags
extra:
  homepage: https://example.org"""


def test_a_function_is_shown_with_its_decorators_and_its_body() -> None:
    code = "\n\n".join(f"@fixture\ndef number_{n}():\n    value = {n}\n    return value" for n in range(9))
    shown = part_of(code, [float("number_4" in line) for line in code.split("\n")])
    assert "@fixture\ndef number_4():\n    value = 4\n    return value" in shown


def test_what_is_said_is_not_said_again_and_nothing_is_announced_in_vain() -> None:
    said = "This is said by the example and by what comes of it."
    section = [paragraph(said), paragraph(said), paragraph("More of it. The properties are:")]
    assert [block.text for block in excerpt(section, 0, asking())] == [said, "More of it."]


def test_of_long_code_the_smallest_branch_around_the_match_is_shown() -> None:
    relevance = asking("tag")
    shown = part_of(YAML, [relevance(line) for line in YAML.split("\n")])
    assert "plugins:\n  - search\n  - tags" in shown
    assert LEFT_OUT in shown
    assert len([line for line in shown.split("\n") if line.strip() != LEFT_OUT]) <= MAX_LINES


@pytest.mark.parametrize(
    ("code", "met", "shown"),
    [
        # The last lines of another key were shown above it.
        (YAML, "tags", "…\nplugins:\n  - search\n  - tags\nextra:\n  homepage: https://example.org"),
        # Of a dictionary with more items than a screen holds those beside the one that is met are shown, and its ends.
        (
            "{\n" + "\n".join(f"    'item.{n}': {n}," for n in range(30)) + "\n}",
            "item.20",
            "{\n    …\n" + "\n".join(f"    'item.{n}': {n}," for n in range(17, 30)) + "\n}",
        ),
        # A rule with two selectors is not shown from the second one on.
        (
            "".join(f".a{n},\n.b{n} {{\n  color: {n};\n}}\n" for n in range(6)),
            "color: 5",
            "…\n" + "".join(f".a{n},\n.b{n} {{\n  color: {n};\n}}\n" for n in range(3, 6)).rstrip("\n"),
        ),
        # An `else` belongs to its `if`, and a comment to what stands below it.
        (
            "\n".join(f"# Case {n}.\nif x{n}:\n    a({n})\nelse:\n    b({n})" for n in range(4)),
            "b(3)",
            "…\n" + "\n".join(f"# Case {n}.\nif x{n}:\n    a({n})\nelse:\n    b({n})" for n in range(1, 4)),
        ),
        # A comment is not shown without the line that it belongs to, also where there is no room for all under that.
        (
            "\n".join(f"# Number {n}.\nx{n}:\n" + "\n".join(f"  a{n}.{i}: 1" for i in range(14)) for n in range(3)),
            "# Number 1",
            "…\n# Number 1.\nx1:\n" + "\n".join(f"  a1.{i}: 1" for i in range(13)) + "\n  …",
        ),
        # The blank line behind a function is not closed by the end of the last one.
        (
            "".join(f"f{n}() {{\n    a{n}();\n    b();\n}}\n\n" for n in range(3)) + "d {\n" + "    c();\n" * 9 + "}",
            "a1()",
            "\n\n".join(f"f{n}() {{\n    a{n}();\n    b();\n}}" for n in range(3)) + "\n…",
        ),
        # An `else` is shown below its `if`, also where there is no room for what stands between them.
        (
            "if (a) {\n" + "    b();\n" * 12 + "} else {\n    e();\n}\nf();",
            "e()",
            "if (a) {\n    …\n} else {\n    e();\n}\nf();",
        ),
        # A line that closes the parameters of a function begins its body, and is not shown without the end of that.
        (
            "void a() {\n" + "    b();\n" * 11 + "}\n\nvoid a(\n    int c\n) {\n" + "    d();\n" * 12 + "}",
            "void a",
            "void a() {\n" + "    b();\n" * 11 + "}\n…",
        ),
        # `endpoint` closes nothing.
        (
            "server:\n" + "\n".join(f"  a{n}: 1" for n in range(13)) + "\nendpoint: x\nlast:\n  b: 2",
            "a7",
            "server:\n" + "\n".join(f"  a{n}: 1" for n in range(13)) + "\nendpoint: x\n…",
        ),
    ],
)
def test_of_long_code_whole_parts_are_shown(code: str, met: str, shown: str) -> None:
    assert part_of(code, [float(met in line) for line in code.split("\n")]) == shown


def test_what_is_nested_too_deep_is_shown_with_what_is_nearest() -> None:
    code = "\n".join(" " * n + f"level {n}:" for n in range(40))
    shown = part_of(code, [float("level 30:" in line) for line in code.split("\n")]).split("\n")
    assert [line.strip() for line in shown if line.strip() != LEFT_OUT] == [f"level {n}:" for n in range(16, 31)]


def test_a_deep_line_stands_under_the_lines_that_lead_to_it() -> None:
    scores = [float("name: Light" in line) for line in YAML.split("\n")]
    kept = [line for line in part_of(YAML, scores).split("\n") if line.strip() != LEFT_OUT]
    assert {"theme:", "  palette:", "    - scheme: slate", "      toggle:", "        name: Light"} <= set(kept)


def test_long_code_goes_on_behind_a_blank_line() -> None:
    """Of a configuration with a blank line after its second one, `theme:` and `palette:` were shown, and `…`."""
    media = [f"    - media: {n}\n      toggle:\n        icon: {n}\n        name: {n}" for n in range(5)]
    palette = "theme:\n  palette:\n\n" + "\n\n".join(media)
    shown = part_of(palette, [float("palette" in line) for line in palette.split("\n")])
    assert shown == "theme:\n  palette:\n\n" + "\n\n".join(media[:3]) + f"\n    {LEFT_OUT}"


def test_long_code_goes_back_behind_a_blank_line() -> None:
    """Of a post for a blog its text was shown, and not the lines at its head that a post has to have."""
    head = "---\nslug: greetings\ntags: [hello]\n---"
    post = "\n\n".join([head, "Your first post.", *(f"Paragraph {n}.\nIt is long." for n in range(6))])
    shown = part_of(post, [float("first" in line) for line in post.split("\n")])
    assert shown.startswith(f"{head}\n\nYour first post.\n\nParagraph 0.\nIt is long.")
    assert len([line for line in shown.split("\n") if line.strip() not in ("", LEFT_OUT)]) == MAX_LINES


def test_a_long_run_behind_a_blank_line_is_begun_where_hardly_anything_is_shown() -> None:
    run = "\n".join(f"  line {n}" for n in range(30))
    assert part_of(f"head:\n\n{run}", [1.0] + [0.0] * 31).split("\n")[-2:] == ["  line 13", f"  {LEFT_OUT}"]
    block = "\n".join(f"  step {n}" for n in range(8))
    shown = part_of(f"{block}\n\n{run}", [1.0] + [0.0] * 38)
    assert shown == f"{block}\n  {LEFT_OUT}"


def test_short_code_is_whole() -> None:
    assert part_of("a\n\nb", [0, 0, 0]) == "a\n\nb"


@settings(max_examples=3 * EXAMPLES)
@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.sampled_from(["a:", "}", "", "b = 1", ")"]), st.integers(0, 2)),
        min_size=1,
        max_size=60,
    )
)
def test_of_code_only_whole_lines_are_left_out(rows: list[tuple[int, str, int]]) -> None:
    lines = [(" " * depth + text if text else "") for depth, text, _ in rows]
    shown = part_of("\n".join(lines), [float(score) for *_, score in rows])
    kept = [line for line in shown.split("\n") if line.strip() != LEFT_OUT]
    left = iter(lines)
    assert all(line in left for line in kept)
    assert len([line for line in kept if line]) <= MAX_LINES
    # Lines that are left out are told.
    assert (
        shown == "\n".join(lines).strip("\n") or LEFT_OUT in shown or [x for x in kept if x] == [x for x in lines if x]
    )


TEXTS = st.text(alphabet="ab. :\n-", min_size=1, max_size=400)


@settings(max_examples=2 * EXAMPLES)
@given(
    st.lists(
        st.lists(st.tuples(TEXTS, st.sampled_from(["prose", "list", "code", "table"])), min_size=1, max_size=6),
        min_size=1,
        max_size=5,
    ),
    st.data(),
)
def test_what_is_shown_is_verbatim_and_fits(rows: list[list[tuple[str, str]]], data: st.DataObject) -> None:
    section = [
        Passage("paragraph", tuple(ExcerptBlock(kind, text) for text, kind in blocks))  # type: ignore[arg-type]
        for blocks in rows
    ]
    at = data.draw(st.integers(0, len(section) - 1))
    shown = excerpt(section, at, asking("a", "b"))
    whole = [block for passage in section for block in passage.blocks]
    for block in shown:
        assert any(
            line.strip() in ("", LEFT_OUT) or line in other.text for line in block.text.split("\n") for other in whole
        )
        if block.highlight is not None:
            start, end = block.highlight
            assert 0 <= start < end <= len(block.text)
    if len(shown) > 1:
        assert sum(len(block.text.split()) for block in shown if block.kind != "code") <= MAX_WORDS


def test_an_example_of_what_fails_is_shown_with_that_of_the_remedy() -> None:
    fails, works = "\n".join("a = b" for _ in range(9)), "\n".join("c = d" for _ in range(12))
    section = [code(fails, "It is rejected:"), code(works, "This is accepted:"), code("e", "More:")]
    shown = [block.text for block in excerpt(section, 0, asking("rejected")) if block.kind == "code"]
    assert shown == [fails, works, "e"]
    section = [code(fails, "It is rejected:"), code("\n".join([works] * 2), "This is accepted:")]
    assert len(excerpt(section, 0, asking("rejected"))) == 2
