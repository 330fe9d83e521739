"""The server's options: one typed class, read from `TRUEREF_*` variables and `trueref.toml`.

A variable takes precedence over the file, and an option of the command line over both. All problems are reported at
once, in one line. In `trueref.toml` the names are the same in small letters: `allowed_origins =
["https://docs.example.org"]`.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from trueref_core.errors import OptionError

VARIABLE = "TRUEREF_"
FILE = "trueref.toml"

Network = IPv4Network | IPv6Network

# Segments are separated by slashes, which they cannot contain, so that the match takes linear time.
_PREFIX = re.compile(r"(?:/[A-Za-z0-9_~-][A-Za-z0-9_.~-]*)+", re.ASCII)

# `Path` turns two slashes into one. A single letter before the colon is a Windows drive and no scheme.
_ADDRESS = re.compile(r"[a-z][a-z0-9+]{1,20}:/", re.IGNORECASE | re.ASCII)


def _text(value: object) -> str:
    """A text, stripped and not empty."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError("is empty or not a text")
    return value.strip()


def _path(value: object) -> Path:
    """A path, with `~` as the home of the user."""
    if _ADDRESS.match(str(value)):
        raise ValueError(f"{str(value)!r} is an address; for now an index is a folder")
    return Path(value if isinstance(value, Path) else _text(value)).expanduser()


def _words(value: object) -> list[str]:
    """The words of a list in the file, or of a variable, which is split at commas and spaces."""
    if isinstance(value, str):
        return value.replace(",", " ").split()
    if isinstance(value, list | tuple):
        words = [word for word in cast("Sequence[object]", value) if isinstance(word, str)]
        if len(words) == len(cast("Sequence[object]", value)):
            return words
    raise ValueError("is not a list of texts")


def _origin(word: str) -> str:
    """An origin as browsers send it: a scheme, a host and perhaps a port."""
    parts = urlsplit(word)
    if word == "*":
        return word
    if parts.scheme not in ("http", "https") or not parts.hostname or word != f"{parts.scheme}://{parts.netloc}":
        raise ValueError(f"{word!r} is not an origin such as https://docs.example.org, without a path")
    return word.lower()


def _origins(value: object) -> tuple[str, ...]:
    """A list of origins, each once."""
    return tuple(dict.fromkeys(_origin(word) for word in _words(value)))


def _networks(value: object) -> tuple[Network, ...]:
    """A list of networks; a single address is a network of one address."""
    return tuple(ip_network(word) for word in _words(value))


def _prefix(value: object) -> str:
    """A path that the API can be mounted at."""
    if not isinstance(value, str) or not _PREFIX.fullmatch(value):
        raise ValueError(
            f"{value!r} does not fit: it begins with a slash, ends without one, and holds letters, digits and -_.~"
        )
    return value


def _number(low: int, high: int) -> Callable[[object], int]:
    """A function that reads a whole number from `low` to `high`."""

    def read(value: object) -> int:
        text = str(value).strip()
        # Only a few ASCII digits are taken: `int` also reads digits of other scripts, and its time grows with the
        # square of the length of a text.
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 12 else low - 1
        if isinstance(value, bool) or not low <= number <= high:
            raise ValueError(f"{value!r} is not a whole number from {low} to {high}")
        return number

    return read


def _pairs(value: object) -> list[tuple[str, object]]:
    """The pairs of a table in the file, or of a variable such as `name = value; name = value`."""
    if isinstance(value, Mapping):
        return list(cast("Mapping[str, object]", value).items())
    if isinstance(value, str):
        parts = [part.partition("=") for part in value.split(";") if part.strip()]
        if all(name.strip() and sign and assigned.strip() for name, sign, assigned in parts):
            return [(name.strip(), assigned.strip()) for name, _, assigned in parts]
    raise ValueError(f"{value!r} is not a table, nor written as `name = value; name = value`")


def _weights(value: object) -> Mapping[str, float]:
    """The weights by pattern, each checked."""
    return {pattern: _weight(pattern, weight) for pattern, weight in _pairs(value)}


def _weight(pattern: str, value: object) -> float:
    """The weight of one pattern, from -1 to 1."""
    try:
        weight = float(str(value))
    except ValueError:
        weight = math.nan
    if not -1 <= weight <= 1:
        raise ValueError(f"{pattern}: {value!r} is not a number from -1 to 1")
    return weight


def _synonyms(value: object) -> Mapping[str, tuple[str, ...]]:
    """By word, the words that are searched as well."""
    others_by_word: dict[str, tuple[str, ...]] = {}
    for word, others in _pairs(value):
        listed = others.split(",") if isinstance(others, str) else _words(others)
        texts = tuple(text.strip() for text in listed if text.strip())
        if not texts:
            raise ValueError(f"{word}: names no other word")
        others_by_word[word] = texts
    return others_by_word


def _endpoint(value: object) -> str:
    """The base address of a model."""
    parts = urlsplit(_text(value))
    # The address is written into logs, the key never, in whatever part of the address it stands.
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError(
            "leave out the password, and what follows ? or #, since logs show the address: give the key as "
            "TRUEREF_MODEL_KEY"
        )
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{value!r} is not an address such as https://api.openai.com/v1")
    # Providers' pages give the address with this path, and the SDK would add the path a second time.
    if parts.path.rstrip("/").endswith("/chat/completions"):
        raise ValueError("remove /chat/completions from its end: Trueref adds it")
    return parts.geturl()


def _cache(value: object) -> str:
    """Where answers are kept; the file or the server is opened later."""
    text = _text(value)
    if text == "memory" or (text.startswith("sqlite:///") and len(text) > len("sqlite:///")):
        return text
    if text.startswith(("redis://", "rediss://", "unix://")):
        return text
    raise ValueError("is none of memory, sqlite:///FILE and redis://HOST:PORT/NUMBER")


def _store(value: object) -> str:
    """The address of a database. Other errors in it are reported when the database is opened."""
    text = _text(value)
    if text.startswith(("sqlite:///", "postgresql://")) and not text.endswith("://") and text != "sqlite:///":
        return text
    raise ValueError("is none of sqlite:///FILE and postgresql://USER:PASSWORD@HOST/DATABASE")


def _option(default: Any, read: Callable[[object], Any]) -> Any:
    """A setting with its default, and the function that reads a value for it."""
    return field(default=default, metadata={"read": read})


def _table(read: Callable[[object], Any]) -> Any:
    """A setting that is a table, empty by default, and the function that reads a value for it."""
    return field(default_factory=dict[str, Any], metadata={"read": read})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of a server. The variable of each is `TRUEREF_` and its name in capitals."""

    index: Path = _option(Path(".trueref"), _path)
    """Folder of the index, as `trueref index` or the MkDocs plugin wrote it."""
    prefix: str = _option("/_trueref", _prefix)
    """Where the API is mounted. It begins with a slash and ends without one."""
    host: str = _option("127.0.0.1", _text)
    """Address to listen on. `0.0.0.0` is every IPv4 interface."""
    port: int = _option(8000, _number(0, 65535))
    """Port to listen on. 0 takes a free one."""
    allowed_origins: tuple[str, ...] = _option((), _origins)
    """Origins of other sites whose pages may ask, such as `https://docs.example.org`; `*` is every site."""
    trusted_proxies: tuple[Network, ...] = _option((), _networks)
    """Addresses or networks of reverse proxies whose `X-Forwarded-For` is believed. Behind a proxy that is not named
    here all readers share one rate limit."""
    weights: Mapping[str, float] = _table(_weights)
    """What is added to the scores of pages, by pattern of their addresses, from -1 to 1: `"legacy/*" = -0.1` in a table
    of the file, `legacy/*=-0.1; guide/*=0.05` as a variable. 0.1 is about the difference between the scores of
    the first result and the tenth. Weights [of the build](#move-pages-up-or-down) are added too."""
    synonyms: Mapping[str, tuple[str, ...]] = _table(_synonyms)
    """Extra search words for a word in the question: `venv = ["virtual environment"]` in a table of the file,
    `venv=virtual environment, env; k8s=kubernetes` as a variable."""
    model_url: str = _option("", _endpoint)
    """Base address of an OpenAI-compatible endpoint that [writes the answers](models.md), such as
    `https://api.openai.com/v1`. Without it passages of the docs answer, and no question leaves the server."""
    model_name: str = _option("", _text)
    """The model that the endpoint is to use."""
    # With `repr=False`, like the addresses that may have a password: no log and no traceback shows the value.
    model_key: str = field(default="", repr=False, metadata={"read": _text})
    """The key of the endpoint. Give it as a variable: a file is read by more people."""
    model_seconds: int = _option(60, _number(1, 600))
    """Seconds within which the model has to have answered; after that passages of the docs answer."""
    model_answer_tokens: int = _option(800, _number(50, 100_000))
    """The most tokens of an answer."""
    model_day_tokens: int = _option(2_000_000, _number(0, 10**12))
    """Tokens, sent and received, of all answers of a day (UTC); then passages of the docs answer. 0 sets no limit."""
    model_network_tokens: int = _option(200_000, _number(0, 10**12))
    """Of these, tokens for one client network (IPv4 /24, IPv6 /64). 0 sets no limit."""
    # One at most: a model could go on searching and writing without end (`docs/decisions/follow-up.md`).
    model_follow_ups: int = _option(1, _number(0, 1))
    """Whether the server [searches once more](models.md#a-second-search-for-what-is-missing) for what the model says is
    missing, and for names and links that its sources lack, before the model goes on. 0 searches no more."""
    model_session_seconds: int = _option(3600, _number(0, 10**7))
    """Seconds for which a [session](models.md#who-may-ask) is valid. Without a valid session no question reaches the
    model. 0 needs no session: then whoever reaches the server can use the model."""
    model_session_secret: str = field(default="", repr=False, metadata={"read": _text})
    """The secret that signs sessions. Without it a new secret is made at each start, and the widget fetches a new
    session after a restart. Set the same secret for all processes behind one address. Give it as a variable."""
    model_prompts: Path | None = _option(None, _path)
    """Folder with [templates of your own](models.md#your-own-prompts): `system.jinja`, `question.jinja`,
    `follow_up.jinja`."""
    context_tokens: int = _option(3000, _number(200, 1_000_000))
    """Tokens of documentation that an answer may be made from: the best sections whole, the neighbouring sections
    that they need to be understood, then shortened texts of others."""
    cache: str = field(default="memory", repr=False, metadata={"read": _cache})
    """Where answers are kept that are given again to the same question: `memory`, `sqlite:///answers.db` for a file, or
    `redis://127.0.0.1:6379/0`, which needs `trueref[redis]`. Answers in a file or in Redis outlast a restart, and
    several servers may share them."""
    cache_answers: int = _option(100, _number(0, 1_000_000))
    """The most answers that are kept; the one that was unused for longest is dropped first. A new build of the index
    needs no flush. 0 keeps none."""
    cache_days: int = _option(30, _number(1, 3650))
    """Days for which the file or Redis keeps an answer."""
    store: str = field(default="", repr=False, metadata={"read": _store})
    """Database that keeps [what became of questions and how readers rate the answers](insight.md):
    `sqlite:///insight.db` for a file, which needs `trueref[store]`, or `postgresql://USER:PASSWORD@HOST/DATABASE`,
    which needs `trueref[postgres]`. Without it nothing is kept, and readers are not asked whether an answer helped."""
    store_days: int = _option(90, _number(1, 3650))
    """Days that the database keeps an answer's figures and ratings."""
    # No texts by default: what is kept must not reveal who asked what (`docs/decisions/insight.md`).
    question_days: int = _option(0, _number(0, 3650))
    """Days that the database keeps the text of questions, which `trueref report` groups by meaning. 0 keeps none, and
    removes those that are there."""
    embedding_threads: int = _option(0, _number(0, 64))
    """How many texts the embedder reads at the same time, each on a processor of its own: parts of a question, and
    passages of which the index does not have the words. 0 is one for each processor, at most 4; 1 leaves the other
    processors to other programs."""
    max_body_bytes: int = _option(65536, _number(1024, 2**30))
    """Longest request body."""
    body_timeout: int = _option(10, _number(1, 600))
    """Seconds in which a whole request body has to arrive."""
    max_question: int = _option(2000, _number(1, 100_000))
    """Longest question, in characters."""
    max_history: int = _option(10, _number(0, 1000))
    """Most exchanges of the conversation that a question may bring."""
    max_history_characters: int = _option(20_000, _number(0, 10_000_000))
    """Most characters in all exchanges together."""
    max_answers: int = _option(8, _number(1, 10_000))
    """Answers that are made at the same time; a further request is asked to come back later."""
    max_answers_of_network: int = _option(0, _number(0, 10_000))
    """Of these, answers to one client network (IPv4 /24, IPv6 /64), so that it cannot keep all others waiting. 0 is
    half of `max_answers`, rounded up. If all readers come from one network, set it to `max_answers`."""
    rate_burst: int = _option(30, _number(1, 1_000_000))
    """Requests that one client network (IPv4 /24, IPv6 /64) may send at once."""
    rate_per_minute: int = _option(60, _number(0, 1_000_000))
    """Requests a minute that one client network may send in the long run. 0 sets no limit."""
    rate_clients: int = _option(10_000, _number(1, 10_000_000))
    """The most client networks that the rate limit remembers; the one unseen for longest is forgotten first."""
    max_connections: int = _option(512, _number(1, 1_000_000))
    """Connections open at once; more are refused."""
    shutdown_seconds: int = _option(20, _number(0, 3600))
    """Seconds in which answers under way may finish after SIGTERM."""


READERS: dict[str, Callable[[object], Any]] = {option.name: option.metadata["read"] for option in fields(Settings)}


def load_settings(
    environ: Mapping[str, str], *, file: Path | None = None, options: Mapping[str, object] | None = None
) -> Settings:
    """Read the options from their three places.

    Args:
        environ: Where `TRUEREF_*` variables are looked up.
        file: A `trueref.toml`; None, or a file that is not there, sets nothing.
        options: Options of the command line by name; those that are None set nothing.

    Raises:
        OptionError: With every problem in one line.
    """
    of_file, problems_of_file = _from_file(file)
    of_environ, problems_of_environ = _from_environ(environ)
    problems = [*problems_of_file, *problems_of_environ]
    # In this order: a variable takes precedence over the file, and the command line over both.
    raw = of_file | of_environ
    raw |= {name: (f"--{name}", value) for name, value in (options or {}).items() if value is not None}
    values: dict[str, Any] = {}
    for name, (origin, value) in raw.items():
        try:
            values[name] = READERS[name](value)
        except ValueError as error:
            problems.append(f"{origin}: {error}")
    # Without model_url passages would answer, and whoever set the name or the key would wait for the model in vain.
    problems += [
        f"{raw[name][0]} is set, and model_url is not: name the endpoint that has the model, or leave it out"
        for name in ("model_name", "model_key")
        if values.get(name) and "model_url" not in raw
    ]
    if problems:
        raise OptionError("; ".join(problems))
    return Settings(**values)


def _from_file(file: Path | None) -> tuple[dict[str, tuple[str, object]], list[str]]:
    """The values in a file by option, each with its place for messages; and what is wrong with the file."""
    if file is None or not file.is_file():
        return {}, []
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return {}, [f"{file.name}: {error}"]
    problems = [f"{file.name}: {_unknown(name)}" for name in table if name not in READERS]
    return {name: (f"{file.name}, {name}", value) for name, value in table.items() if name in READERS}, problems


def _from_environ(environ: Mapping[str, str]) -> tuple[dict[str, tuple[str, object]], list[str]]:
    """The values of variables by option, each with the name of its variable; and what is wrong with the variables."""
    raw: dict[str, tuple[str, object]] = {}
    problems: list[str] = []
    for variable in sorted(environ):
        name = variable.removeprefix(VARIABLE).lower()
        if name == variable.lower() or not environ[variable]:
            continue
        if name in READERS:
            raw[name] = (variable, environ[variable])
        elif get_close_matches(name, READERS, n=1, cutoff=0.8):
            # Variables with this prefix may belong to another part of Trueref: only a name that looks mistyped is a
            # problem.
            problems.append(f"{variable}: {_unknown(name)}")
    return raw, problems


def _unknown(name: str) -> str:
    """The message about an option that does not exist."""
    similar_names = get_close_matches(name, READERS, n=1)
    return f"there is no option {name!r}; " + (
        f"did you mean {similar_names[0]!r}?" if similar_names else f"known: {', '.join(READERS)}"
    )
