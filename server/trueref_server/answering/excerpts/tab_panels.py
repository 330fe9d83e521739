"""Chooses the panel of a set of tabs to show: the one that the question names, or else the first."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from trueref_server.answering.sections.passage import Panel, Passage

_FILE: Final = re.compile(r"(?:[\w.-]{1,60}/){0,8}[\w.-]{0,60}\w\.[a-z]{1,6}")
"""The name of a file, perhaps with its folders."""

_OTHER_THAN: Final = re.compile(
    r"(?:\b(?:not|no|without|except|excluding|unlike|instead of|rather than|other than)|n['’]t)"
    r"(?: (?:have|use|using|run|want|on|in|with|for|from|a|an|the)){0,3} $",
    re.IGNORECASE,
)
"""Words before the name of something that is excluded: `without Docker`, `I am not on Windows`."""

_MAX_BEFORE: Final = 60
"""How many characters before a name are searched for such words."""

_WORD: Final = re.compile(r"[\w+#.-]+")
"""A word of a label, perhaps with the punctuation that follows it: `C++`, `.NET`, `Python 3.`."""

_MIN_WORD: Final = 3
"""The fewest letters of a single word of a label that names its panel: `Windows` of `Windows (PowerShell)`."""


@dataclass(frozen=True, slots=True)
class SectionPanels:
    """The panels of a section, and those that a question names.

    `named` has the panel that the question names, by set of tabs. `labelled` has the panel with a label, by set of tabs
    and label. `first` has the first passage of each panel.
    """

    named: Mapping[str, str]
    labelled: Mapping[tuple[str, str], str]
    first: Mapping[tuple[str, str], Passage]

    def beside(self, passage: Passage, tabs: str) -> str:
        """The panel of a set of tabs that is shown with a passage outside of the set; "" if any panel serves.

        It is the panel that the question names, or else the one with the same label as the panel that the passage is
        in: a reader who is shown the command for Windows follows the next step there too.
        """
        same_label = (self.labelled.get((tabs, panel.label), "") for panel in passage.panels)
        return self.named.get(tabs) or next(filter(None, same_label), "")

    def label(self, tabs: str, number: str) -> str:
        """The label of a panel of a set of tabs; "" if it has none."""
        passage = self.first.get((tabs, number))
        of_panel = (panel.label for panel in passage.panels if panel.tabs == tabs) if passage else ()
        return next(iter(of_panel), "")


def asked_panels(passages: Sequence[Passage], question: str) -> SectionPanels:
    """The panels that a question names by their labels: who asks about Windows is shown the panel `Windows`.

    The whole label counts, ignoring case: `Python 3` is not `Python 2`, and `C++` not `C`. If the question has no whole
    label, a word is enough that no other label of the set has. A panel that the question excludes is not named. If the
    question names two panels of a set, neither counts.

    Args:
        passages: The passages of a section.
        question: The text of the question; "" names no panel.
    """
    first: dict[tuple[str, str], Passage] = {}
    labels: dict[str, dict[str, str]] = {}
    for passage in passages:
        for panel in passage.panels:
            if (panel.tabs, panel.number) not in first:
                first[panel.tabs, panel.number] = passage
                labels.setdefault(panel.tabs, {})[panel.number] = panel.label
    folded_question = " ".join(question.casefold().split())
    named = {
        tabs: number
        for tabs, labels_of_set in labels.items()
        if (number := _named_panel(labels_of_set, folded_question))
    }
    labelled = {
        (tabs, label): number
        for tabs, labels_of_set in labels.items()
        for number, label in labels_of_set.items()
        if label
    }
    return SectionPanels(named, labelled, first)


def _named_panel(labels: Mapping[str, str], folded_question: str) -> str:
    """The one panel of a set that the question names; "" if it names none, or several.

    Args:
        labels: The label of each panel.
        folded_question: The question in small letters.
    """
    folded_labels = {panel: label.casefold().strip() for panel, label in labels.items()}
    named_by_label = [
        panel for panel, label in folded_labels.items() if label and _names_wanted(label, folded_question)
    ]
    if named_by_label:
        return named_by_label[0] if len(named_by_label) == 1 else ""
    words_by_panel = {panel: _words(label) for panel, label in folded_labels.items()}
    named_by_word = [
        panel
        for panel, of_label in words_by_panel.items()
        if any(
            _names_wanted(word, folded_question)
            for word in of_label.difference(*(others for other, others in words_by_panel.items() if other != panel))
        )
    ]
    return named_by_word[0] if len(named_by_word) == 1 else ""


def _words(label: str) -> set[str]:
    """The words of a label each of which may name its panel."""
    words = {word.rstrip(".-") for word in _WORD.findall(label)}
    return {word for word in words if len(word) >= _MIN_WORD}


def _find_name(name: str, folded_question: str) -> re.Match[str] | None:
    """The first place where a question has a name as whole words; None if it has not."""
    return re.search(rf"(?<![\w+#.-]){re.escape(name)}(?![\w+#]|[.-]\w)", folded_question)


def _names_wanted(name: str, folded_question: str) -> bool:
    """Whether a question has a name as whole words, and does not exclude it."""
    name_in_question = _find_name(name, folded_question)
    if name_in_question is None:
        return False
    start = name_in_question.start()
    before = folded_question[max(0, start - _MAX_BEFORE) : start]
    return _OTHER_THAN.search(before) is None


def is_excluded(label: str, question: str) -> bool:
    """Whether a question excludes a panel by its label or a word of the label: `without Docker`."""
    folded_question = " ".join(question.casefold().split())
    names = {label.casefold().strip(), *_words(label.casefold())}
    return any(
        name and _find_name(name, folded_question) and not _names_wanted(name, folded_question) for name in names
    )


def is_in_hidden_panel(passages: Sequence[Passage], number: int, answer_number: int, panels: SectionPanels) -> bool:
    """Whether a passage is in a panel of tabs that is not shown: only one of the variants in tabs is shown.

    The panel that is shown is that of the passage that answers. Of other tabs it is the panel that the question names,
    else the panel with the same label, or else the first.

    Args:
        passages: The passages of the section.
        number: The number of the passage.
        answer_number: The number of the passage that answers.
        panels: The panels of the section.
    """
    return any(_is_hidden(passages, number, answer_number, panels, panel) for panel in passages[number].panels)


def _is_hidden(
    passages: Sequence[Passage], number: int, answer_number: int, panels: SectionPanels, panel: Panel
) -> bool:
    """Whether one of the panels that a passage is in is not shown."""
    answer = passages[answer_number]
    of_answer = next((each.number for each in answer.panels if each.tabs == panel.tabs), "")
    beside_answer = of_answer or panels.beside(answer, panel.tabs)
    shown_number = beside_answer or "1"
    if panel.number == shown_number:
        return False
    # Panels that are named after files are parts of one thing: an answer announced a configuration, and the panel
    # `docs/abbreviations.md` beside `mkdocs.yml` was missing (mm-048). The same settings in `pyproject.toml` and in a
    # file of the tool's own are variants, and so are a file and the command line.
    if not (names_file(panel.label) and names_file(panels.label(panel.tabs, shown_number))):
        return True
    # The panel is compared with a single passage, since this is computed for all pairs of passages of a section. That
    # is the passage that answers, if it is in the same set of tabs; else the first passage of the panel that is shown;
    # else the passage before.
    compared_with = passages[number - 1]
    if of_answer:
        compared_with = answer
    elif beside_answer:
        compared_with = panels.first[panel.tabs, beside_answer]
    return bool(passages[number].settings) and passages[number].settings == compared_with.settings


def names_file(label: str) -> bool:
    """Whether the label of a panel of tabs is the name of a file: panels beside it may be other files, no variants."""
    return _FILE.fullmatch(label) is not None
