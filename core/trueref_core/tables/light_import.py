"""Imports LanceDB without its client for table servers, which an index in a folder never uses.

`import lancedb` imports `lance_namespace_urllib3_client`, for which pydantic builds 250 models and 370 validated calls
in every process. This takes half of the import's processor time, and took a third of the time of an answer on the
command line. LanceDB uses only the names in it, for annotations. See docs/decisions/light-commands.md.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Final

CLIENT: Final = "lance_namespace_urllib3_client"
IMPORTERS: Final = ("lancedb", "lance_namespace")


class _PlaceholderModule(ModuleType):
    """A module in which every public name is an empty class."""

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        placeholder = type(name, (), {"__module__": self.__name__})
        setattr(self, name, placeholder)
        return placeholder


class _PlaceholderFinder(MetaPathFinder, Loader):
    """Finds the client and its modules, and replaces each by a `_PlaceholderModule`."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 (the protocol names it)
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """A spec for a module of the client; None for every other module."""
        is_client = fullname.partition(".")[0] == CLIENT
        return ModuleSpec(fullname, self, is_package=True) if is_client else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Make a placeholder for the module."""
        return _PlaceholderModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Execute nothing: the code of the client is not needed."""


@contextmanager
def without_client() -> Generator[None]:
    """Make imports inside the block replace the client by placeholders.

    Only for processes of the `trueref` command: the program of a library's user may need the client. If the client is
    imported already, this does nothing. If an import fails, the imported modules are removed again, so that the import
    can be repeated without placeholders.
    """
    if CLIENT in sys.modules:
        yield
        return
    finder = _PlaceholderFinder()
    sys.meta_path.insert(0, finder)
    try:
        yield
    except Exception:
        for name in [name for name in sys.modules if name.partition(".")[0] in (CLIENT, *IMPORTERS)]:
            del sys.modules[name]
        raise
    finally:
        sys.meta_path.remove(finder)
