"""The rules of accessibility that a program can check, by axe (https://github.com/dequelabs/axe-core)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tests.e2e.states import states

if TYPE_CHECKING:
    from tests.e2e.browsing import Reader

AXE = Path(__file__).parents[2] / "widget" / "node_modules" / "axe-core" / "axe.min.js"

RUN = """async selector => {
  const { violations } = await axe.run(selector, { resultTypes: ["violations"] });
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help} (${target.flat()})`));
}"""


@cache
def _axe() -> str:
    assert AXE.is_file(), "axe is not installed; run npm --prefix widget ci"
    return AXE.read_text(encoding="utf-8")


def broken_rules(tab: Reader, folder: Path, name: str) -> dict[str, list[str]]:
    """Walks through the states of the widget and takes a picture of each.

    Gives for a state that breaks rules a line for each: the rule, what it asks for, and the element.
    """
    pictures = folder / "states" / name
    pictures.mkdir(parents=True, exist_ok=True)
    broken: dict[str, list[str]] = {}
    for state in states(tab):
        tab.page.screenshot(path=pictures / f"{state}.png")
        if found := broken_now(tab):
            broken[state] = found
    return broken


def broken_now(tab: Reader) -> list[str]:
    """What breaks a rule in the widget as it is now."""
    if not tab.page.evaluate("'axe' in window"):
        tab.page.evaluate(_axe())
    found: list[str] = tab.page.evaluate(RUN, "trueref-chat")
    return found
