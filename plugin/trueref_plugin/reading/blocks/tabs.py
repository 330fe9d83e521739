"""Reads tabs: every panel is text of the page under its label, and belongs to the section that the tabs stand in."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from trueref_core.records import ChunkKind
from trueref_plugin.reading.elements import children, has_class, next_element
from trueref_plugin.reading.inline import inline_text
from trueref_plugin.reading.markup.containers import TABS
from trueref_plugin.reading.walk import BlockReader, Walk

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_SETS: Final = {
    "tabbed-set": ("tabbed-labels", "tabbed-content"),  # Python-Markdown
    "vp-code-group": ("tabs", "blocks"),  # VitePress
}
"""By class of a set: the class of the element with its labels, and that of the element with its panels."""

_MIXED_SETS: Final = frozenset(("tabbed-set", "sd-tab-set", "tab-set"))
"""Classes of sets whose labels stand between the panels: Python-Markdown without its alternate style, sphinx-design and
sphinx-inline-tabs."""

_MAX_PANELS: Final = 200
"""A list of tabs searches at most this many panels for its own. Among more, it finds its panels by their ids only,
because otherwise every list would search all panels of the page."""


class RoleTabReader(BlockReader):
    """Reads tabs that are marked by their ARIA roles: Docusaurus, Starlight, sphinx-tabs."""

    def __init__(self) -> None:
        self._by_panel: dict[int, tuple[str, str]] = {}
        """By panel (`mem_id`): its label and the name of its container."""
        self._panels: _PagePanels | None = None

    def takes(self, node: LexborNode, classes: Collection[str]) -> bool:  # noqa: ARG002 # known by its role
        """Whether an element is a list of such tabs, or a panel of them."""
        return node.attributes.get("role") in ("tablist", "tabpanel")

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:
        """Reads a panel under its label. Of a list of tabs it only records which label belongs to which panel."""
        if node.attributes.get("role") == "tabpanel":
            _read_panel(walk, node, *self._by_panel.get(node.mem_id, ("", "")), kind)
            return
        walk.page.record_section_of_ids(node)
        tabs = node.css("[role=tab]")
        for tab in tabs:
            walk.page.cited[tab.mem_id] = ("tab", 0, inline_text(tab))
        container = walk.page.name_container(TABS)
        numbers = {tab.mem_id: number for number, tab in enumerate(tabs, 1)}
        if self._panels is None:
            self._panels = _PagePanels(node)
        for panel, tab in self._panels.labelled(node, tabs).items():
            self._by_panel[panel] = inline_text(tab), f"{container}.{numbers[tab.mem_id]}"


class _PagePanels:
    """All panels of a page that have the role `tabpanel`. They are collected once for all lists of tabs.

    Args:
        node: Any element of the page.
    """

    def __init__(self, node: LexborNode) -> None:
        self._panels_inside: dict[int, list[LexborNode]] = {}
        """By element (`mem_id`): the panels in it, without those that are inside another panel."""
        self._by_id: dict[str, LexborNode] = {}
        page = node
        while page.tag != "html" and page.parent is not None:
            page = page.parent
        for panel in page.css("[role=tabpanel]"):
            self._by_id.setdefault(panel.attrs.get("id") or "", panel)
            ancestor = panel.parent
            while ancestor is not None and ancestor.mem_id != page.mem_id:
                self._panels_inside.setdefault(ancestor.mem_id, []).append(panel)
                if ancestor.attrs.get("role") == "tabpanel":
                    break
                ancestor = ancestor.parent

    def labelled(self, tablist: LexborNode, tabs: Sequence[LexborNode]) -> dict[int, LexborNode]:
        """By panel (`mem_id`): its tab.

        The panels of a list stand in the element behind it, or else in the nearest element around it that has any.
        """
        # Nextra has no element around a set of tabs: the nearest one that has panels is the whole page.
        # Where the element behind a list is its first panel, the panels in it are of another set.
        behind = next_element(tablist)
        has_panels = behind is not None and behind.attributes.get("role") != "tabpanel"
        panels = self._panels_inside.get(behind.mem_id, []) if behind is not None and has_panels else []
        if len(panels) == len(tabs):
            return _pairs(tabs, panels)
        ancestor = tablist.parent
        while (
            ancestor is not None
            and ancestor.mem_id not in self._panels_inside
            and ancestor.attributes.get("role") != "tabpanel"
        ):
            ancestor = ancestor.parent
        panels = self._panels_inside.get(ancestor.mem_id, []) if ancestor is not None else []
        if len(panels) > _MAX_PANELS:
            controlled = (self._by_id.get(tab.attrs.get("aria-controls") or "-") for tab in tabs)
            panels = [panel for panel in controlled if panel is not None]
        return _pairs(tabs, panels)


def _pairs(tabs: Sequence[LexborNode], panels: Sequence[LexborNode]) -> dict[int, LexborNode]:
    """By panel (`mem_id`): its tab, found by ids, or by the order of the panels if they have no ids."""
    by_id = {tab.attributes.get("aria-controls"): tab for tab in tabs if tab.attributes.get("aria-controls")}
    named = {panel.mem_id: by_id[panel.attributes.get("id")] for panel in panels if panel.attributes.get("id") in by_id}
    if named:
        return named
    # Docusaurus writes no ids. If it writes only the open panel (`lazy`), that panel belongs to the selected tab.
    selected = [tab for tab in tabs if tab.attributes.get("aria-selected") == "true"]
    paired_tabs = next((candidates for candidates in (tabs, selected) if len(candidates) == len(panels)), ())
    return {panel.mem_id: tab for panel, tab in zip(panels, paired_tabs, strict=False)}


class TabbedSetReader(BlockReader):
    """Reads sets of tabs whose labels stand before all panels (see `_SETS`). Each panel is read after its label."""

    def takes(self, node: LexborNode, classes: Collection[str]) -> bool:
        """See `BlockReader`."""
        return any(
            name in classes and bool(_set_children(node, holder, "label")) for name, (holder, _) in _SETS.items()
        )

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:
        """See `BlockReader`."""
        set_class = next(name for name in _SETS if has_class(node, name))
        labels_holder, panels_holder = _SETS[set_class]
        labels, panels = _set_children(node, labels_holder, "label"), _set_children(node, panels_holder)
        titles = {label.attributes.get("for"): inline_text(label) for label in labels}
        for child in children(node):
            if has_class(child, panels_holder):
                walk.page.record_section(child)
                continue
            walk.page.record_section_of_ids(child)
            for tab in child.css("input[id]"):
                title = titles.get(tab.attributes.get("id"))
                if title is not None:
                    walk.page.cited[tab.mem_id] = ("tab", 0, title)
        container = walk.page.name_container(TABS)
        for number, panel in enumerate(panels, 1):
            label = inline_text(labels[number - 1]) if number <= len(labels) else ""
            _read_panel(walk, panel, label, f"{container}.{number}", kind)


class MixedSetReader(BlockReader):
    """Reads sets of tabs in which each label stands before its panel, in the order of the page."""

    def takes(self, node: LexborNode, classes: Collection[str]) -> bool:
        """See `BlockReader`."""
        return not _MIXED_SETS.isdisjoint(classes) and any(child.tag == "label" for child in children(node))

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:
        """See `BlockReader`."""
        page = walk.page
        container, number, outer = page.name_container(TABS), 0, page.enter()
        for child in children(node):
            if child.tag == "label":
                number += 1
                page.leave(outer)
                page.enter(f"{container}.{number}")
                page.line_role = "label"
            walk.child(child, kind)
        page.flush(kind)
        page.leave(outer)


def _set_children(node: LexborNode, holder: str, tag: str = "") -> list[LexborNode]:
    """The elements in those children of a set that have the class `holder`; with `tag`, only elements of that tag."""
    return [
        part
        for child in children(node)
        if has_class(child, holder)
        for part in children(child)
        if part.tag != "-text" and (not tag or part.tag == tag)
    ]


def _read_panel(walk: Walk, panel: LexborNode, label: str, container: str, kind: ChunkKind) -> None:
    """Reads a panel as a container of its own, which begins with its label."""
    outer = walk.page.enter(container)
    if label:
        walk.page.add_block(kind, label, starts=True, role="label")
    walk.page.record_section(panel)
    # Headings in a panel end with it: the next panel is not part of their sections.
    with walk.enclosed():
        walk.children(panel, kind)
    walk.page.leave(outer)
