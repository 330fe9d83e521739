"""Imports LanceDB without a client for table servers, which an index in a folder never uses.

`import lancedb` imports `lance_namespace_urllib3_client`. pydantic builds its 250 models and 370 validated calls in
every process: that is half of the processor time of the import, and was a third of the time of an answer on the command
line. LanceDB only needs the names in it, for annotations. See docs/decisions/light-commands.md.
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


class _Names(ModuleType):
    """A module in which every public name is an empty class."""

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        placeholder = type(name, (), {"__module__": self.__name__})
        setattr(self, name, placeholder)
        return placeholder


class _NamesFinder(MetaPathFinder, Loader):
    """Finds the client and everything in it, as modules of names."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 (the protocol names it)
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """Say that a module of the client is here."""
        is_client = fullname.partition(".")[0] == CLIENT
        return ModuleSpec(fullname, self, is_package=True) if is_client else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Make the module."""
        return _Names(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Run nothing."""


@contextmanager
def without_client() -> Generator[None]:
    """Makes imports inside the block leave out the client. Only for our own short processes: others may use the client.

    If the client is imported already, this does nothing. If an import fails, its modules are removed again, so that it
    can be repeated without this.
    """
    if CLIENT in sys.modules:
        yield
        return
    finder = _NamesFinder()
    sys.meta_path.insert(0, finder)
    try:
        yield
    except Exception:
        for name in [name for name in sys.modules if name.partition(".")[0] in (CLIENT, *IMPORTERS)]:
            del sys.modules[name]
        raise
    finally:
        sys.meta_path.remove(finder)
