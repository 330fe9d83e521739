"""The options under `trueref:` in mkdocs.yml. Each is documented below its declaration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from mkdocs.config import base
from mkdocs.config import config_options as c

from trueref_core.errors import OptionError
from trueref_core.export.export_files import DEFAULTS, EXPORTS
from trueref_core.records import PageKind
from trueref_plugin.options import check_kind, check_weight


class LetterOption(c.Type[str]):
    """One letter, or none."""

    def run_validation(self, value: object) -> str:
        """Refuses texts such as `ctrl+k`, which the widget would never recognise as a key."""
        letter = super().run_validation(value)
        if len(letter) > 1:
            raise base.ValidationError(f"It is one letter, pressed with Ctrl or Cmd, and not {letter!r}.")
        return letter


@dataclass(frozen=True, slots=True)
class PageRules:
    """The option `kinds`: kinds and weights of pages by pattern of their addresses."""

    kinds: dict[str, PageKind]
    weights: dict[str, float]


class KindsOption(base.BaseConfigOption[PageRules]):
    """The option `kinds` in mkdocs.yml: by pattern a kind, or a table with `kind`, `weight` or both."""

    def __init__(self) -> None:
        super().__init__()
        self.default = {}

    def run_validation(self, value: object) -> PageRules:
        """Reads the value of each pattern, which is a kind or a table, and refuses anything else."""
        if value is None:
            value = {}
        if not isinstance(value, dict):
            raise base.ValidationError(f"It is a table of patterns such as `handbook/*: reference`, and not {value!r}.")
        table = cast("dict[object, object]", value)
        try:
            rules = {str(pattern): _rule_of(str(pattern), rule) for pattern, rule in table.items()}
        except OptionError as error:
            raise base.ValidationError(str(error)) from error
        return PageRules(
            {pattern: kind for pattern, (kind, _) in rules.items() if kind is not None},
            {pattern: weight for pattern, (_, weight) in rules.items() if weight is not None},
        )


def _rule_of(pattern: str, rule: object) -> tuple[PageKind | None, float | None]:
    """The kind and the weight that a rule gives to pages, each None if the rule does not name it."""
    table = cast("dict[object, object]", rule) if isinstance(rule, dict) else {"kind": rule}
    if not table or table.keys() - {"kind", "weight"}:
        raise OptionError(f"The pages {pattern!r} have a table with `kind`, `weight` or both, and not {rule!r}.")
    kind, weight = None, None
    if "kind" in table:
        check_kind(pattern, table["kind"])
        kind = cast("PageKind", table["kind"])
    if "weight" in table:
        check_weight(pattern, table["weight"])
        weight = float(cast("float", table["weight"]))
    return kind, weight


class WidgetConfig(base.Config):
    """How the widget looks and what it says. Everything may be left out."""

    label = c.Type(str, default="")
    """Text of the button and title of the panel. Default: `Ask the docs`."""
    shortcut = LetterOption(str, default="i")
    """Letter that opens the panel together with Ctrl or Cmd; an empty string turns it off."""
    position = c.Choice(("right", "left"), default="right")
    """Side of the page the button and the panel are on."""
    accent = c.Type(str, default="")
    """CSS colour of buttons and links. Default: the theme's."""
    pdf = c.Choice(("viewer", "link"), default="viewer")
    """Where a source in a PDF opens: in the widget's [viewer](pdf.md#the-viewer), or as a plain link to its page."""
    words = c.DictOfItems(c.Type(str), default={})
    """Texts of the widget to replace, by name."""


class TruerefConfig(base.Config):
    """The options of the plugin."""

    index = c.Type(str, default=".trueref")
    """Folder of the index, relative to mkdocs.yml. It lies outside the site folder."""
    server_url = c.Optional(c.Type(str))
    """Where the server answers, such as `https://ask.example.org/_trueref` or `/_trueref`. Without it the widget
    searches in [files that the build writes beside the pages](static.md)."""
    exclude = c.ListOfItems(c.Type(str), default=[])
    """Patterns of pages that are never searched or cited, such as `changelog/*`. Links to them stay valid."""
    kinds = KindsOption()
    """Kinds of pages by pattern of their addresses, such as `handbook/*: reference`, for pages that the build takes for
    another kind. One of guide, reference, api, example, changelog, blog, landing. A table may
    set `kind`, `weight` or both: `{kind: reference, weight: 0.1}`. The weight, from -1 to 1, is
    [added to the scores](#move-pages-up-or-down) of these pages."""
    embedder = c.Type(str, default="bundled")
    """`bundled` (English, no download), `lexical` (full text only), or the name of a fastembed model."""
    reuse = c.Optional(c.Type(str))
    """Address or folder of a published index. A machine without an index of its own takes vectors of equal texts from
    it instead of embedding them."""
    pdf = c.ListOfItems(c.Type(str), default=[])
    """Folders of [PDFs](pdf.md) that the site does not publish, relative to mkdocs.yml: they are found, cited by page,
    and given by the server. PDFs in the site are read anyway. Needs `trueref[pdf]`."""
    strict = c.Type(bool, default=False)
    """Check every link of the built site, and fail the build if one does not land. Under `mkdocs serve` findings are
    warnings."""
    name = c.Optional(c.Type(str))
    """Name of the site in the index, which may hold [several](versions.md). `{version}` in it stands for the version,
    or for `next` if there is none. Default: `site_name`."""
    version = c.Optional(c.Type(str))
    """Version of the documentation. Default: what mike says, else none."""
    content_selector = c.Optional(c.Type(str))
    """CSS selector of the element that holds the content, if it is not found by itself."""
    exports = c.ListOfItems(c.Choice(EXPORTS), default=list(DEFAULTS))
    """What `mkdocs build` writes into the site for other tools, of `manifest`, `urls`, `inventory`, `llms`, `markdown`
    and `search`; see [Exports](exports.md). Without `server_url`, `search` is always written, since the widget needs
    it. Default: `manifest`, `urls` and `inventory`."""
    widget = c.SubConfig(WidgetConfig)
    """Looks and words of the widget."""
