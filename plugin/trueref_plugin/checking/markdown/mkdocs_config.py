"""The options in mkdocs.yml that decide how sources become pages, read and validated by MkDocs without its plugins."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from mkdocs.config import base
from mkdocs.config import config_options as c
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import ConfigurationError
from mkdocs.utils.meta import get_data
from mkdocs.utils.yaml import get_yaml_loader, yaml_load  # pyright: ignore[reportUnknownVariableType]

from trueref_core.errors import OptionError


class SourceConfig(base.Config):
    """The options of MkDocs that a check needs. Others are not validated: they may need plugins."""

    docs_dir = c.Dir(default="docs", exists=True)
    site_dir = c.Type(str, default="site")
    site_url = c.Optional(c.Type(str))
    use_directory_urls = c.Type(bool, default=True)
    markdown_extensions = c.MarkdownExtensions(builtins=["toc", "tables", "fenced_code"], configkey="mdx_configs")
    mdx_configs = c.Private[dict[str, Any]]()
    exclude_docs = c.Optional(c.PathSpec())
    draft_docs = c.Optional(c.PathSpec())
    # As MkDocs itself makes it; its annotation of the class asks for an argument too many.
    validation = c.PropagatingSubConfig[MkDocsConfig.Validation]()  # pyright: ignore[reportCallIssue]


def load_sources(config: Path) -> SourceConfig:
    """Reads mkdocs.yml.

    Raises:
        OptionError: The file cannot be read, or an option is not valid; the message says which.
    """
    # MkDocs' own annotations say that this makes a plain `Config`.
    sources: Any = SourceConfig(config_file_path=str(config.resolve()))
    try:
        with config.open("rb") as file:
            # A loader with the configuration can read `!relative`. MkDocs has no types for it.
            loader: Any = get_yaml_loader(config=sources)
            sources.load_dict(yaml_load(file, loader))
        failed, _ = sources.validate()
    except OSError as error:
        raise OptionError(f"{config} cannot be read ({error.strerror or error}).") from error
    except (ConfigurationError, TypeError) as error:
        raise OptionError(f"{config} is no configuration of MkDocs: {_one_line(error)}") from error
    if failed:
        problems = "; ".join(f"{name}: {_one_line(error)}" for name, error in failed)
        raise OptionError(f"{config} cannot be used: {problems}")
    return cast("SourceConfig", sources)


def counts_from_docs(sources: SourceConfig) -> bool:
    """Whether MkDocs looks up links with a leading slash in the docs: `validation.links.absolute_links` says it."""
    level: Any = sources.validation.links.absolute_links
    return getattr(level, "name", "") == "RELATIVE_TO_DOCS"


def plugin_options(sources: SourceConfig, name: str) -> dict[str, Any] | None:
    """The options of a plugin as they stand in mkdocs.yml; None if it is not there, or not enabled."""
    # A list of names and of options by name, or all options by name.
    given = cast("list[Any] | dict[str, Any]", cast("dict[str, Any]", sources).get("plugins") or [])
    for entry in [given] if isinstance(given, dict) else given:
        options: Any = cast("dict[str, Any]", entry).get(name) if isinstance(entry, dict) else None
        if isinstance(options, dict):
            named = cast("dict[str, Any]", options)
            return None if named.get("enabled", True) is False else named
    return None


def front_matter_length(text: str) -> int:
    """How many characters the front matter of a source file has. The lines of the file end with a line feed."""
    body, _ = get_data(text)
    return len(text) - len(body)


def _one_line(error: Exception) -> str:
    """The message of an error on one line."""
    return " ".join(str(error).split())
