from __future__ import annotations

from dataclasses import fields, replace
from ipaddress import ip_network
from pathlib import Path

import pytest

from trueref_core.errors import OptionError
from trueref_server.settings import Settings, load_settings


def problem(**variables: str) -> str:
    with pytest.raises(OptionError) as caught:
        load_settings({f"TRUEREF_{name}": value for name, value in variables.items()})
    return str(caught.value)


def test_without_variables_the_defaults_hold() -> None:
    assert load_settings({}) == Settings()


def test_variable_wins_over_file_and_command_line_over_both(tmp_path: Path) -> None:
    file = tmp_path / "trueref.toml"
    file.write_text('prefix = "/file"\nport = 1\nhost = "::1"\n')
    settings = load_settings({"TRUEREF_PREFIX": "/variable", "TRUEREF_PORT": "2"}, file=file, options={"port": 3})
    assert (settings.prefix, settings.port, settings.host) == ("/variable", 3, "::1")


def test_lists_in_variables_are_cut_at_commas() -> None:
    settings = load_settings(
        {
            "TRUEREF_ALLOWED_ORIGINS": "https://a.example, http://b.example:8080",
            "TRUEREF_TRUSTED_PROXIES": "10.0.0.0/8,::1",
        }
    )
    assert settings.allowed_origins == ("https://a.example", "http://b.example:8080")
    assert settings.trusted_proxies == (ip_network("10.0.0.0/8"), ip_network("::1"))


def test_lists_in_the_file_are_lists(tmp_path: Path) -> None:
    file = tmp_path / "trueref.toml"
    file.write_text('allowed_origins = ["https://a.example"]\n')
    assert load_settings({}, file=file).allowed_origins == ("https://a.example",)


@pytest.mark.parametrize("prefix", ["/_trueref", "/a", "/docs/ask", "/a.b~c-d"])
def test_valid_prefixes_are_taken(prefix: str) -> None:
    assert load_settings({"TRUEREF_PREFIX": prefix}).prefix == prefix


@pytest.mark.parametrize(
    "prefix", ["/", "a", "/a/", "//a", "/a//b", "/..", "/.", "/a b", "/a?b", "/{x}", "/ä", "/a\n", "/a/.."]
)
def test_wrong_prefixes_are_refused(prefix: str) -> None:
    assert "TRUEREF_PREFIX" in problem(PREFIX=prefix)


@pytest.mark.parametrize(
    "origin", ["docs.example.org", "https://a.example/", "https://a.example/x", "ftp://a.example", "null", "https://"]
)
def test_wrong_origins_are_refused(origin: str) -> None:
    assert "TRUEREF_ALLOWED_ORIGINS" in problem(ALLOWED_ORIGINS=origin)


@pytest.mark.parametrize("number", ["0", "-1", "ten", "1.5", "٣", "9" * 30])
def test_wrong_numbers_are_refused_with_their_range(number: str) -> None:
    assert "whole number from 1 to" in problem(MAX_ANSWERS=number)


def test_a_truth_value_in_the_file_is_no_number(tmp_path: Path) -> None:
    file = tmp_path / "trueref.toml"
    file.write_text("max_answers = true\n")
    with pytest.raises(OptionError, match="True is not a whole number"):
        load_settings({}, file=file)


@pytest.mark.parametrize("uri", ["s3://bucket/index", "gs://bucket", "file:///index", "db://index"])
def test_an_index_at_a_uri_is_refused(uri: str) -> None:
    assert "for now an index is a folder" in problem(INDEX=uri)
    with pytest.raises(OptionError, match="for now an index is a folder"):
        load_settings({}, options={"index": Path(uri)})


@pytest.mark.parametrize("folder", [".trueref", "/srv/index", "C:/index", "a b", "~/index"])
def test_folders_of_the_user_are_expanded(folder: str) -> None:
    assert load_settings({"TRUEREF_INDEX": folder}).index == Path(folder).expanduser()


def test_all_problems_are_told_in_one_line() -> None:
    message = problem(PORT="70000", PREFIX="x", TRUSTED_PROXIES="here")
    assert "\n" not in message
    assert all(name in message for name in ("TRUEREF_PORT", "TRUEREF_PREFIX", "TRUEREF_TRUSTED_PROXIES"))


def test_mistyped_variable_is_told() -> None:
    assert "did you mean 'allowed_origins'" in problem(ALLOWED_ORIGIN="https://a.example")


def test_variables_of_other_rooms_are_left_alone() -> None:
    assert load_settings({"TRUEREF_BROWSER": "/usr/bin/chromium"}) == Settings()


def test_unknown_option_of_the_file_is_told(tmp_path: Path) -> None:
    file = tmp_path / "trueref.toml"
    file.write_text("prefixx = '/a'\n")
    with pytest.raises(OptionError, match="did you mean 'prefix'"):
        load_settings({}, file=file)


def test_broken_file_is_told(tmp_path: Path) -> None:
    file = tmp_path / "trueref.toml"
    file.write_text("port = \n")
    with pytest.raises(OptionError, match=r"trueref\.toml: "):
        load_settings({}, file=file)


def test_every_option_is_documented_where_it_is_declared(root: Path) -> None:
    source = (root / "server/trueref_server/settings.py").read_text(encoding="utf-8")
    for option in fields(Settings):
        declared = source.index(f"    {option.name}: ")
        assert source[declared:].split("\n", 1)[1].startswith('    """'), option.name


def test_weights_and_synonyms_are_read_from_the_file_and_from_variables(tmp_path: Path) -> None:
    file = tmp_path / "trueref.toml"
    file.write_text('[weights]\n"legacy/*" = -0.1\n[synonyms]\nvenv = ["virtual environment", "env"]\n')
    read = load_settings({}, file=file)
    assert read.weights == {"legacy/*": -0.1}
    assert read.synonyms == {"venv": ("virtual environment", "env")}
    variables = {"TRUEREF_WEIGHTS": "legacy/*=-0.1; ", "TRUEREF_SYNONYMS": "venv = virtual environment, env"}
    assert load_settings(variables) == replace(Settings(), weights=read.weights, synonyms=read.synonyms)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("weights", {"a/*": "much"}, r"a/\*: 'much' is not a number from -1 to 1"),
        ("weights", {"a/*": 2}, "a/.*: 2 is not a number"),
        ("weights", {"a/*": True}, "True is not a number"),
        ("weights", "a/*", "is not a table, nor written as"),
        ("weights", ["a/*"], "is not a table"),
        ("weights", "a/*=nan", "'nan' is not a number"),
        ("synonyms", {"venv": []}, "venv: names no other word"),
        ("synonyms", {"venv": [1]}, "is not a list of texts"),
    ],
)
def test_weights_and_synonyms_that_cannot_be_meant_are_told(name: str, value: object, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        load_settings({}, options={name: value})
