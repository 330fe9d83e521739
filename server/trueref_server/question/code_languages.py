"""Languages of code: which one a question names, and the names that code blocks have for it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from trueref_core.text.word_forms import folded
from trueref_server.corpus.words import without_names

NAMES: Final = frozenset(
    "bash c clojure cpp csharp css dart dockerfile elixir erlang fsharp go graphql groovy haskell html ini java "
    "javascript json jsx julia kotlin less lua makefile markdown matlab nginx nix ocaml perl php powershell python r "
    "ruby rust sass scala scss solidity sql svelte swift terraform toml tsx typescript vue xml yaml zig".split()
)
"""Names of languages, each as most code blocks have it."""

OTHER_NAMES: Final = {
    "c#": "csharp",
    "c++": "cpp",
    "console": "bash",
    "cs": "csharp",
    "docker": "dockerfile",
    "f#": "fsharp",
    "golang": "go",
    "hcl": "terraform",
    "htm": "html",
    "js": "javascript",
    "kt": "kotlin",
    "make": "makefile",
    "md": "markdown",
    "ps1": "powershell",
    "pwsh": "powershell",
    "py": "python",
    "python3": "python",
    "rb": "ruby",
    "rs": "rust",
    "sh": "bash",
    "shell": "bash",
    "ts": "typescript",
    "yml": "yaml",
    "zsh": "bash",
}
"""Further names of these."""

_AMBIGUOUS: Final = frozenset(
    "c console cs dart docker elixir go htm julia less make makefile md nginx nix r rs shell swift".split()
)
"""Names that also mean something else: they count after `in`, `with` or `using`."""
_WITH_WORDS: Final = _AMBIGUOUS - frozenset("console docker less make nginx shell".split())
_IN: Final = re.compile(r"\b(?:in|using|with) ([a-z][a-z0-9+#]{0,12})(?![\w-])")
_WORD: Final = re.compile(r"(?<![\w./-])[a-z][a-z0-9+#]{1,12}(?![\w/-]|\.\w)")


def same_language(tag: str) -> str:
    """The usual name of a language, for any of its names: `js` is `javascript`. Others come back in small letters."""
    name = tag.lower()
    return OTHER_NAMES.get(name, name)


def code_language(text: str, identifiers: Iterable[str] = ()) -> str:
    """The language of code that a question names, "" if it names none.

    Args:
        text: The question.
        identifiers: Names in it, whose parts name no language: `pyproject.toml` does not ask for TOML.
    """
    # `JavaScript` is written like an identifier, too.
    plain = folded(without_names(text, (name for name in identifiers if same_language(name) not in NAMES)))
    certain = (match[0] for match in _WORD.finditer(plain) if match[0] not in _AMBIGUOUS)
    after_in = (match[1] for match in _IN.finditer(plain) if match[1] in _WITH_WORDS)
    return next((name for name in map(same_language, [*certain, *after_in]) if name in NAMES), "")
