"""MkDocs hooks that change pages late: one takes the end tags away, one rewrites the written files, as minifiers do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mkdocs.plugins import event_priority


def on_post_page(output: str, **_: object) -> str:
    return output.replace("</body>", "").replace("</html>", "")


@event_priority(-99)
def on_post_build(config: Any, **_: object) -> None:
    for file in Path(config.site_dir).rglob("*.html"):
        html = file.read_text(encoding="utf-8")
        file.write_text(" ".join(html.replace('id="stripes"', "id=late-stripes").split("\n")), encoding="utf-8")
