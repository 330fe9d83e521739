"""The MkDocs plugin: hooks only. Each hook passes values of MkDocs to functions that do not depend on MkDocs."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast
from urllib.parse import urlsplit

import click
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.utils.yaml import get_yaml_loader, yaml_load  # pyright: ignore[reportUnknownVariableType]

from trueref_core.errors import TruerefError
from trueref_core.export.export_files import known_exports
from trueref_core.extras import require_extra
from trueref_core.generations.served_generation import index_folder
from trueref_plugin.build.build import IndexReport, build
from trueref_plugin.build.preview import Preview
from trueref_plugin.build.server_parts import LOCAL_PREFIX, PreviewCompanion, load_companion
from trueref_plugin.build.site_assets import note_build, write_assets
from trueref_plugin.build.site_exports import write_exports
from trueref_plugin.hosts.mkdocs_options import TruerefConfig
from trueref_plugin.options import BuildOptions, check_outside, check_server_url
from trueref_plugin.progress import Reporter, reporter_for
from trueref_plugin.sidecar import PageFacts
from trueref_widget import WidgetOptions, inject, snippet

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.livereload import LiveReloadServer
    from mkdocs.structure.pages import Page

log = get_plugin_logger("trueref")

LAST = -100
"""The priority of hooks that run after those of every other plugin, because ids must come from the bytes that are
deployed. minify runs at priority 0, and a hook of mkdocs.yml may give every heading another id (`random_ids.py` of the
tests does)."""

NEXT_VERSION = "next"
"""The text for `{version}` in the name of a site that is built without a version."""


class TruerefPlugin(BasePlugin[TruerefConfig]):
    """Indexes the finished site and puts the widget on its pages."""

    def __init__(self) -> None:
        self._facts: dict[str, PageFacts] = {}
        self._preview: Preview | None = None
        self._site_name: str | None = None
        self._companion: PreviewCompanion | None = None
        self._answers_questions = False

    # MkDocs keeps a plugin object over the rebuilds of `mkdocs serve` only if it defines this event.
    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Records whether this is a preview, and whether it will answer questions."""
        if command == "serve":
            self._preview = Preview(_log_report, log.info, log.warning)
            self._answers_questions = _will_answer()

    def on_config(self, config: MkDocsConfig) -> None:
        """Checks the options. Keeps no state: i18n plugins call it for each language, even during another call."""
        try:
            require_extra("mkdocs", "The MkDocs plugin")
            self._options(config).checked(
                # In the docs folder MkDocs would publish the index, and `mkdocs serve` would see it change and build
                # again.
                partial(check_outside, _index_folder(self.config, config), Path(config.docs_dir), "docs folder"),
                *([partial(check_server_url, self.config.server_url)] if self.config.server_url else []),
            )
        except TruerefError as error:
            raise PluginError(str(error)) from error

    @event_priority(LAST)
    def on_post_page(self, output: str, *, page: Page, config: MkDocsConfig) -> str:
        """Records what MkDocs knows about the page and its HTML does not show, and puts the widget on it."""
        # This is the last event with the page. `on_post_build` only has the folder, which names no sources and drafts.
        self._facts[page.file.dest_uri] = _facts(page)
        return self._with_widget(output, "../" * page.file.dest_uri.count("/") or "./", config)

    @event_priority(LAST)
    def on_post_template(self, output_content: str, *, template_name: str, config: MkDocsConfig) -> str:
        """Puts the widget on pages that are made from templates alone: 404.html, which hosts show at any address."""
        if not template_name.endswith(".html"):
            return output_content
        root = urlsplit(config.site_url or "").path.rstrip("/") + "/"
        return self._with_widget(output_content, root, config)

    @event_priority(LAST)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Indexes the site folder, which now holds everything that will be deployed."""
        # Not in `on_page_content`, where 2 % of the anchors are missing: see docs/decisions/finished-html.md.
        options = self._options(config)
        report = reporter_for(log, sys.stderr, "trueref")
        write_assets(options.site)

        indexed_name: str | None = None

        def export(index_report: IndexReport) -> Sequence[str]:
            _log_report(index_report, options.index)
            return self._write(options, index_report, report)

        try:
            if self._preview is None:
                indexed_name = build(options, report, export).site
            # A preview may publish in the background: then there is no report yet.
            else:
                if (index_report := self._preview.build(options, report)) is not None:
                    _log_report(index_report, options.index)
                    self._site_name = index_report.site
                # The served generation may be that of an earlier save. Its id is not written, but its questions are.
                if self._site_name is not None:
                    note_build(options.site, options.index, self._site_name)
        except TruerefError as error:
            if self._companion is not None:
                # The preview continues without answers. If the error were raised, MkDocs would print a traceback.
                log.error(str(error))
                return
            raise PluginError(str(error)) from error
        if self.config.strict:
            self._check(options, config, indexed_name)

    def on_serve(self, server: LiveReloadServer, *, config: MkDocsConfig, builder: Callable[..., None]) -> None:
        """Answers questions on the origin of the preview."""
        try:
            self._companion = load_companion(_index_folder(self.config, config))
        except TruerefError as error:
            raise PluginError(str(error)) from error
        app = server.get_app()
        assert app is not None
        server.set_app(self._companion.wrap(app))

    def on_shutdown(self) -> None:
        """Ends the background work of a preview, and closes the index."""
        if self._preview is not None:
            self._preview.close()
        if self._companion is not None:
            self._companion.close()

    def _write(self, options: BuildOptions, index_report: IndexReport, report: Reporter) -> Sequence[str]:
        """Writes into the site the files that the widget and other tools read."""
        note_build(options.site, options.index, index_report.site, index_report.generation)
        exports = self.config.exports if self.config.server_url else [*self.config.exports, "search"]
        exported = write_exports(options.site, options.index, known_exports(exports), report, index_report.site)
        if not self.config.server_url:
            log.info("No server_url is set: the widget searches in files beside the pages.")
        return exported

    def _check(self, options: BuildOptions, config: MkDocsConfig, site: str | None) -> None:
        """Checks the links of the site. A broken link is an error in a build, and a warning in a preview."""
        # Imported here, so that a build without `strict` need not wait for it.
        from trueref_plugin.checking.check import check
        from trueref_plugin.checking.report import build_lines

        try:
            # With mkdocs.yml, findings name lines of the Markdown and not of the HTML.
            path = Path(config.config_file_path) if config.config_file_path else None
            findings = check([options.site], index=options.index, config=path, base_url=options.base_url, site=site)
        except TruerefError as error:
            raise PluginError(str(error)) from error
        lines = build_lines(findings)
        if lines and self._preview is None:
            raise PluginError("\n".join(lines))
        for line in lines:
            log.warning(line)

    def _options(self, config: MkDocsConfig) -> BuildOptions:
        """The options of the build, from those of the plugin and of MkDocs."""
        # Made anew for every build, because each build of `mkdocs serve` has another site folder.
        version = self.config.version or os.environ.get("MIKE_DOCS_VERSION", "")
        return BuildOptions(
            site=Path(config.site_dir),
            index=_index_folder(self.config, config),
            base_url=(_site_url(config) if self._preview else config.site_url) or None,
            name=self.config.name.replace("{version}", version or NEXT_VERSION) if self.config.name else None,
            site_name=config.site_name,
            version=version,
            facts=dict(self._facts),
            exclude=tuple(self.config.exclude),
            content_selector=self.config.content_selector,
            kinds=self.config.kinds.kinds,
            weights=self.config.kinds.weights,
            embedder=self.config.embedder,
            reuse=_reuse_source(self.config, config),
            pdf=tuple(_config_folder(config) / Path(folder).expanduser() for folder in self.config.pdf),
        )

    def _with_widget(self, html: str, base: str, config: MkDocsConfig) -> str:
        """A page with the widget. `base` is the address of the site's root, as links of the page write it."""
        server = LOCAL_PREFIX if self._answers_questions else self.config.server_url or ""
        # A preview without a companion writes no search files either, so that its widget could not answer.
        if not server and self._preview is not None:
            return html
        widget_config = self.config.widget
        options = WidgetOptions(
            server=server,
            base=base,
            lang=str(config.theme.get("language") or ""),
            label=widget_config.label,
            shortcut=widget_config.shortcut,
            position=widget_config.position,
            accent=widget_config.accent,
            pdf="" if widget_config.pdf == "viewer" else widget_config.pdf,
            words=widget_config.words,
        )
        return inject(html, snippet(options))


def _will_answer() -> bool:
    """Whether this preview will answer questions."""
    # With `mkdocs serve --no-livereload` MkDocs never calls `on_serve`, and only the command line tells that.
    context = click.get_current_context(silent=True)
    return context is None or context.params.get("livereload") is not False


def _facts(page: Page) -> PageFacts:
    """The facts of a page that its HTML does not show: its source file, and whether it is hidden or a draft."""
    search: object = page.meta.get("search")
    hidden = isinstance(search, dict) and bool(cast("dict[str, Any]", search).get("exclude"))
    draft = page.file.inclusion.is_in_serve() and not page.file.inclusion.is_included()
    return PageFacts(
        file=page.file.dest_uri,
        source=page.file.src_uri,
        hidden=hidden,
        draft=draft or page.meta.get("draft") is True,
    )


def _site_url(config: MkDocsConfig) -> str | None:
    """`site_url` as it is in mkdocs.yml. During a preview MkDocs replaces it by an address of this machine."""
    if not config.config_file_path:
        return None
    with Path(config.config_file_path).open("rb") as file:
        # The loader that MkDocs itself uses, for `!ENV` and `!relative`. MkDocs has no types for it.
        loader: Any = get_yaml_loader(config=config)
        return yaml_load(file, loader).get("site_url")


def _index_folder(options: TruerefConfig, config: MkDocsConfig) -> Path:
    """The folder of the index. A relative path in the options counts from the folder of mkdocs.yml."""
    return (_config_folder(config) / index_folder(options.index)).resolve()


def _reuse_source(options: TruerefConfig, config: MkDocsConfig) -> str | None:
    """The address or the folder that vectors are reused from. A relative path counts from the folder of mkdocs.yml."""
    if options.reuse is None or "://" in options.reuse:
        return options.reuse
    return str(_config_folder(config) / Path(options.reuse).expanduser())


def _config_folder(config: MkDocsConfig) -> Path:
    """The folder of mkdocs.yml."""
    # If the configuration came from standard input, there is no such file: then it is the working directory.
    return Path(config.config_file_path).parent if config.config_file_path else Path.cwd()


def _log_report(index_report: IndexReport, index: Path) -> None:
    """Logs what a build did."""
    for line in index_report.lines(index):
        log.info(line)
