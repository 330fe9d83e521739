"""Loads the project that a configuration file describes, and chooses the reader of its sources by the generator.

MkDocs' own code reads mkdocs.yml, since it understands `INHERIT`, `!ENV`, `!relative` and names of functions. No plugin
is loaded.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

from trueref_core.errors import OptionError
from trueref_plugin.checking.markdown.docusaurus_sources import DocusaurusProject
from trueref_plugin.checking.markdown.i18n_sources import with_languages
from trueref_plugin.checking.markdown.markdown_links import LinkReader, SourceReader
from trueref_plugin.checking.markdown.project import Project, is_docusaurus, nothing
from trueref_plugin.reading.guarding.guard import GuardedReader


def load_project(config: Path) -> Project:
    """The project of a configuration. mkdocs.yml is read. docusaurus.config.js is a program, which is not run.

    Raises:
        OptionError: The file is missing or not valid, or MkDocs or an extension is not installed.
    """
    root = config.resolve().parent
    if is_docusaurus(config):
        return DocusaurusProject(config, root, root / "build")
    try:
        from trueref_plugin.checking.markdown.mkdocs_config import counts_from_docs, load_sources, plugin_options
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("mkdocs", "markdown", "yaml"):
            raise
        raise OptionError(
            f"Reading {config} needs MkDocs, which is not installed: pip install 'mkdocs>=1.6,<2'."
        ) from error
    with warnings.catch_warnings():
        # These warnings are about the configuration of extensions, and `mkdocs build` shows them anyway.
        warnings.simplefilter("ignore")
        sources = load_sources(config)
    project = Project(
        config=config,
        docs=Path(sources.docs_dir),
        site=root / sources.site_dir,
        base_url=f"{sources.site_url.rstrip('/')}/" if sources.site_url else None,
        directory_urls=sources.use_directory_urls,
        extensions=tuple(sources.markdown_extensions),
        extension_configs=_with_snippet_paths(root, cast("dict[str, dict[str, Any]]", sources.mdx_configs or {})),
        absolute_from_docs=counts_from_docs(sources),
        excluded=sources.exclude_docs.match_file if sources.exclude_docs else nothing,
        drafts=sources.draft_docs.match_file if sources.draft_docs else nothing,
    )
    languages = plugin_options(sources, "i18n")
    return project if languages is None else with_languages(project, languages)


def _with_snippet_paths(root: Path, configs: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Mapping[str, Any]]:
    """The configurations with the paths of snippets counted from the folder of mkdocs.yml, where a build runs."""
    snippets = configs.get("pymdownx.snippets", {})
    base_path: Any = snippets.get("base_path", ["."])
    # One path or several. `!relative` makes path-like objects that are no `Path`.
    paths: Iterable[Any] = (base_path,) if isinstance(base_path, str) or hasattr(base_path, "__fspath__") else base_path
    anchored = [str(root / os.fspath(path)) for path in paths]
    return {**configs, "pymdownx.snippets": {**snippets, "base_path": anchored}}


def reader_of(project: Project, guarded: GuardedReader) -> LinkReader:
    """The reader of a project's sources: Python-Markdown for MkDocs, CommonMark with JSX for Docusaurus.

    Without a configuration the sources are read as plain CommonMark, since no extension is known, and MkDocs need not
    be installed.
    """
    if isinstance(project, DocusaurusProject):
        from trueref_plugin.checking.markdown.mdx_links import MdxReader

        return MdxReader(project, guarded)
    if project.config is None:
        from trueref_plugin.checking.markdown.commonmark_links import CommonMarkReader

        return CommonMarkReader(guarded)
    return SourceReader(project, guarded)
