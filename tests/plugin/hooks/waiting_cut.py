"""A MkDocs hook: what a preview makes in the background is made when a file `go` lies beside mkdocs.yml.

So a test decides which of two things comes first, on however slow a machine.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from tests.waiting import wait_until

from trueref_plugin.build import preview
from trueref_plugin.build.build import cut


def on_config(config: Any, **_: object) -> None:
    go = Path(config.config_file_path).with_name("go")

    def cut_later(*args: Any) -> Any:
        if threading.current_thread() is not threading.main_thread():
            wait_until(go.exists)
        return cut(*args)

    vars(preview)["cut"] = cut_later
