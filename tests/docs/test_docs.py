"""Everything that can be used is documented, and the examples of the docs fit the program."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import click
import pytest
import yaml
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.utils.yaml import yaml_load

from trueref.cli import COMMANDS, cli
from trueref_core.export.export_files import EXPORTS
from trueref_core.records import ReferenceStatus
from trueref_plugin.build import build
from trueref_plugin.hosts.mkdocs_options import TruerefConfig, WidgetConfig
from trueref_plugin.options import GIVEN_KINDS
from trueref_server import pipeline
from trueref_server.answering.choice import WEIGHTS_AFTER_COMPARISON, WEIGHTS_BEFORE_COMPARISON
from trueref_server.evaluation.cases import Case, SectionAddress
from trueref_server.evaluation.figures import FIGURES
from trueref_server.evaluation.outcomes import Outcome
from trueref_server.events import Event
from trueref_server.http.operations import OPERATIONS
from trueref_server.http.responses.error_responses import CODES_AND_HINTS
from trueref_server.records import Answer, SearchResult, Source
from trueref_server.settings import VARIABLE, Settings, load_settings

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"
EXAMPLES = DOCS / "examples"
PAGES = sorted(
    [
        *(path for path in DOCS.rglob("*.md") if not path.is_relative_to(EXAMPLES)),
        *ROOT.glob("*.md"),
        *ROOT.glob("*/README.md"),
        ROOT / "plugin" / "docusaurus" / "README.md",
    ]
)
DOCUSAURUS = (ROOT / "plugin" / "docusaurus" / "src" / "options.ts").read_text(encoding="utf-8")
SCRIPT_RUN = re.compile(r"(?:python|\$\(PY\)) (-m scripts\.|scripts/)(\w+)")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def sources(folder: str) -> str:
    """All text of the files in a folder."""
    return "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / folder).rglob("*")) if path.is_file())


def examples(language: str) -> list[tuple[str, str]]:
    """The code blocks of a language, each with the page it stands on."""
    return [
        (str(path.relative_to(ROOT)), code)
        for path in PAGES
        for kind, code in FENCE.findall(path.read_text(encoding="utf-8"))
        if kind == language
    ]


def commands() -> list[list[str]]:
    """Every call of `trueref` in the examples, as its arguments."""
    lines = [line for _, code in examples("console") for line in code.replace("\\\n", " ").splitlines()]
    words = [shlex.split(line) for line in lines]
    return [line[line.index("trueref") + 1 :] for line in words if "trueref" in line and "install" not in line]


@pytest.mark.parametrize(
    "path", [*PAGES, ROOT / "Makefile", *sorted((ROOT / "scripts").glob("*.py"))], ids=lambda path: path.name
)
def test_scripts_are_run_in_the_way_that_is_written(path: Path) -> None:
    """A script that imports another one is only found as a module: `python -m scripts.NAME`."""
    for how, name in SCRIPT_RUN.findall(path.read_text(encoding="utf-8")):
        script = (ROOT / "scripts" / f"{name}.py").read_text(encoding="utf-8")
        assert how == "-m scripts." or "\nfrom scripts." not in script, name


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented(command: str) -> None:
    assert f"## trueref {command}\n" in page("reference/command-line.md")


@pytest.mark.parametrize("setting", [option.name for option in fields(Settings)])
def test_every_setting_is_documented(setting: str) -> None:
    assert f"`{VARIABLE}{setting.upper()}`" in page("configuration.md")


@pytest.mark.parametrize("option", list(TruerefConfig()))
def test_every_plugin_option_is_documented(option: str) -> None:
    assert f"`{option}`" in page("configuration.md") or f"`{option}." in page("configuration.md")


@pytest.mark.parametrize("option", list(WidgetConfig()))
def test_every_option_of_the_widget_is_documented(option: str) -> None:
    assert f"`widget.{option}`" in page("configuration.md")


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)


def properties(interface: str) -> set[str]:
    """The names that an interface of the Docusaurus plugin declares."""
    body = DOCUSAURUS.partition(f"export interface {interface} {{\n")[2].partition("\n}")[0]
    return set(re.findall(r"^  (\w+): ", body, re.MULTILINE))


def test_both_plugins_have_the_same_options() -> None:
    assert properties("TruerefOptions") == set(map(camel, TruerefConfig())) | {"id", "indexer"}
    assert properties("WidgetOptions") == set(map(camel, WidgetConfig()))


@pytest.mark.parametrize(("name", "values"), [("KINDS", GIVEN_KINDS), ("EXPORTS", EXPORTS)])
def test_both_plugins_take_the_same_values(name: str, values: tuple[str, ...]) -> None:
    found = re.search(rf"^export const {name} = (\[.*?\]);$", DOCUSAURUS, re.MULTILINE | re.DOTALL)
    assert found
    assert json.loads(found[1]) == list(values)


@pytest.mark.parametrize(
    "attribute", sorted(set(re.findall(r'\bget\("(\w+)"', sources("widget/src"))) | {"position", "accent"})
)
def test_every_attribute_of_the_element_is_documented(attribute: str) -> None:
    assert f"| `{attribute}` |" in page("configuration.md")


@pytest.mark.parametrize("name", sorted(set(re.findall(r"var\((--trueref-[a-z-]+)", sources("widget/src")))))
def test_every_style_property_is_documented(name: str) -> None:
    assert f"| `{name}` |" in page("configuration.md")


@pytest.mark.parametrize("route", [f"{operation.method} {operation.path}" for operation in OPERATIONS])
def test_every_route_is_documented(route: str) -> None:
    assert f"`{route}`" in page("reference/http.md")


@pytest.mark.parametrize("event", [event.name for event in get_args(Event)])
def test_every_event_is_documented(event: str) -> None:
    assert f"| `{event}` |" in page("reference/http.md")


@pytest.mark.parametrize(("status", "code"), [(status, code) for status, (code, _) in CODES_AND_HINTS.items()])
def test_every_error_is_documented(status: int, code: str) -> None:
    assert re.search(rf"^\| {status} \| `{code}`", page("reference/http.md"), re.MULTILINE)


@pytest.mark.parametrize("field", [field.name for kind in (Answer, Source, SearchResult) for field in fields(kind)])
def test_every_field_of_a_response_is_documented(field: str) -> None:
    assert f"`{field}`" in page("reference/http.md")


@pytest.mark.parametrize("status", get_args(ReferenceStatus))
def test_every_status_of_a_reference_is_documented(status: str) -> None:
    assert f"| `{status}` |" in page("how-it-works.md")


def test_the_stages_of_both_lines_are_told_in_their_order() -> None:
    in_text = [stage.lower() for stage in re.findall(r"^\*\*(\w+)\.\*\*", page("how-it-works.md"), re.MULTILINE)]
    in_code = [(module.__doc__ or "").partition(": ")[2].partition(".")[0].split(", ") for module in (build, pipeline)]
    assert in_text == [stage for stages in in_code for stage in stages]


def test_every_module_that_the_architecture_names_is_there() -> None:
    paths = set(re.findall(r"`([\w/]+\.py)`", page("architecture.md")))
    assert len(paths) > 20
    assert {path for path in paths if not (ROOT / path).is_file()} == set()


def test_the_exports_are_named_where_they_are_set() -> None:
    rows = [line for line in page("configuration.md").splitlines() if line.startswith("| `exports` |")]
    assert len(rows) == 1
    assert {name for name in EXPORTS if f"`{name}`" not in rows[0]} == set()


@pytest.mark.parametrize("figure", sorted({name.partition("@")[0] for name in FIGURES}))
def test_every_figure_is_documented(figure: str) -> None:
    assert re.search(rf"^\|.* `{figure}[`@].*\|$", page("evaluation.md"), re.MULTILINE)


@pytest.mark.parametrize(
    "field", sorted({*Case.__struct_fields__, *SectionAddress.__struct_fields__, *Outcome.__struct_fields__})
)
def test_every_field_of_a_case_and_a_result_is_documented(field: str) -> None:
    assert f"`{field}`" in page("evaluation.md") or f'"{field}"' in page("evaluation.md")


@pytest.mark.parametrize("signal", [signal.__name__ for signal in WEIGHTS_AFTER_COMPARISON])
def test_every_signal_of_the_choice_is_documented(signal: str) -> None:
    assert f"| `{signal}` |" in page("decisions/choice.md")


@pytest.mark.parametrize("name", ["shared", "room", "deprecated"])
def test_the_widget_weighs_signals_of_the_choice_as_the_server_does(root: Path, name: str) -> None:
    source = (root / "widget" / "src" / "static" / "static-answer.ts").read_text(encoding="utf-8")
    weights = {signal.__name__: weight for signal, weight in WEIGHTS_BEFORE_COMPARISON.items()}
    assert f"const {name.upper()} = {weights[name]};" in source


@pytest.mark.parametrize("arguments", commands(), ids=" ".join)
def test_commands_in_examples_can_be_called(arguments: list[str]) -> None:
    name, *rest = arguments
    context = click.Context(cli)
    command = cli.get_command(context, name)
    assert command is not None
    command.make_context(name, rest, parent=context)


@pytest.mark.parametrize(("where", "code"), examples("toml"))
def test_settings_in_examples_are_accepted(where: str, code: str, tmp_path: Path) -> None:
    assert tomllib.loads(code), where
    file = tmp_path / "trueref.toml"
    file.write_text(code, encoding="utf-8")
    load_settings({}, file=file)


@pytest.mark.parametrize(("where", "code"), examples("yaml"))
def test_plugin_options_in_examples_are_accepted(where: str, code: str) -> None:
    for plugin in yaml_load(code).get("plugins", []):
        if not isinstance(plugin, dict):
            assert plugin in ("search", "mike", "trueref"), where
            continue
        if "trueref" not in plugin:
            # Another one, told where our files are.
            assert set(plugin) <= {"mkdocstrings"}, where
            continue
        config = TruerefConfig()
        config.load_dict(plugin["trueref"])
        failed, warnings = config.validate()
        assert (failed, warnings) == ([], []), where


def test_examples_of_pre_commit_and_of_workflows_call_what_is_there() -> None:
    """A hook that the project defines, entries and steps that the command line takes; nothing else is YAML there."""
    hooks = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
    calls = [hook["entry"] for hook in hooks.values()]
    for _, code in examples("yaml"):
        example: dict[Any, Any] = yaml_load(code)
        assert {"plugins", "repos", "jobs"} & set(example)
        for repo in example.get("repos", []):
            used = repo["hooks"]
            assert repo["repo"] == "local" or {hook["id"] for hook in used} <= set(hooks)
            entries = [hook["entry"] for hook in used if "entry" in hook]
            # One of Sphinx builds the site before.
            calls += [shlex.split(entry)[-1].split(" && ")[-1] if "&&" in entry else entry for entry in entries]
        # A workflow is shown whole, to be copied: YAML reads its `on` as true.
        assert "jobs" not in example or True in example
        for job in example.get("jobs", {}).values():
            assert job.get("needs", "build") in example["jobs"] | {"build": None}
            assert all(("run" in step) != ("uses" in step) for step in job["steps"])
            calls += [step["run"] for step in job["steps"] if step.get("run", "").startswith("trueref ")]
    assert len(calls) == 8
    for call in calls:
        program, name, *rest = shlex.split(call.partition(">")[0])
        command = cli.get_command(click.Context(cli), name)
        assert program == "trueref"
        assert command is not None
        # The files of a commit are given to a hook.
        files = [] if name == "index" else ["docs/index.md"]
        command.make_context(name, [*rest, *files], parent=click.Context(cli))


@pytest.mark.parametrize(("where", "code"), examples("json"))
def test_json_in_examples_is_json(where: str, code: str) -> None:
    assert json.loads(code), where


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_page_has_exclamation_marks_or_pictograms(path: Path) -> None:
    prose = FENCE.sub("", path.read_text(encoding="utf-8")).replace("<!--", "")
    assert "!" not in re.sub(r"!\[|`[^`]*`", "", prose)
    assert not re.search("[\u2600-\u27bf\U0001f300-\U0001faff]", prose)


def test_the_site_has_no_host_of_its_own() -> None:
    config = MkDocsConfig(config_file_path=str(ROOT / "mkdocs.yml"))
    with (ROOT / "mkdocs.yml").open("rb") as file:
        config.load_file(file)
    assert not config.get("site_url")


def test_where_the_packages_are_had_is_said_on_one_page() -> None:
    """A release changes that page, and no other one."""
    said = re.compile(
        r"npm install (?:\./)?docusaurus-plugin-trueref|github\.com/example|repo: (?!local)|npm pack\b|no release yet"
    )
    assert {path.name for path in PAGES if said.search(path.read_text(encoding="utf-8"))} == {"install.md"}
