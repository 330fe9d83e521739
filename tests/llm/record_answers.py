"""Records raw answers of the small model: `.venv/bin/python -m tests.llm.record_answers INDEX`, in the checkout.

INDEX is one of our own docs. Each question is asked with the prompt of the product and with others that bring out links
in every syntax which the model knows. What it writes is kept as it came, unread, in `tests/server/references/recorded.jsonl`:
the tests of the gate send it through at every place where a stream may be cut. The first 77 answers there were asked with
a section of the docs, or with an example, in place of a beginning: few of them have links.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import httpx
from tests.llm.small_model import small_model

from trueref_server.model.asking.numbered_sources import ModelSource
from trueref_server.model.asking.prompt import Message, Prompts
from trueref_server.records import Question
from trueref_server.service import Service
from trueref_server.settings import load_settings

ROOT: Final = Path(__file__).parents[2]
RECORDED: Final = ROOT / "tests" / "server" / "references" / "recorded.jsonl"
QUESTIONS: Final = ROOT / "scripts" / "simulated_questions.toml"

ASKED: Final = 12
TOKENS: Final = 110

ASKED_FOR: Final = {
    "links": ("Write a Markdown list of five links for readers.", "- [Install](https://"),
    "relative": ("Write a Markdown list of pages to read.", "- [Install the plugin]("),
    "references": ("Write with reference links.", "See [Install][1] and [the check][2].\n\n[1]: https://"),
    "html": ("Write HTML with links and images.", '<p>See <a href="'),
    "table": ("Write a Markdown table.", "| Option | Page |\n|---|---|\n| `port` | [Port]("),
    "images": ("Write Markdown with images in links.", "[![Build]("),
    "code": ("Write shell commands with curl, and addresses.", "```\ncurl https://"),
    "footnotes": ("Write sentences with footnotes and citations.", "It is fast [1].[^1]\n\n[^1]: https://"),
}
"""What the model is asked for beside the prompt of the product, by the name that its answers are kept under, and how its
answer begins: asked alone, a model so small wrote hardly a link."""


def messages_of(question: str, sources: list[ModelSource]) -> Iterator[tuple[str, list[Message]]]:
    """The conversations that a question is asked in, each with its name. What the server gives has the beginning, too."""
    yield "product", Prompts().messages("Trueref", Question(question), sources)
    for name, (asked_for, begun) in ASKED_FOR.items():
        asked = [{"role": "system", "content": asked_for}, {"role": "user", "content": question}]
        yield name, [*asked, {"role": "assistant", "content": begun}]


async def record(index: Path, url: str) -> None:
    """Ask, and write what comes."""
    topics = tomllib.loads(QUESTIONS.read_text(encoding="utf-8"))["topic"]
    asked = [topic["questions"][0] for topic in topics if topic["pages"]][:ASKED]
    service = Service(load_settings({}, options={"index": index, "context_tokens": 200}))
    async with httpx.AsyncClient(timeout=300) as client:
        with RECORDED.open("w", encoding="utf-8") as file:
            for seed, question in enumerate(asked):
                context = (await service.explain(Question(question))).context
                sources = [ModelSource(n, each.title, "guide", "", each.text) for n, each in enumerate(context[:3], 1)]
                for name, messages in messages_of(question, sources):
                    body = {"model": "smollm2", "messages": messages, "max_tokens": TOKENS, "seed": seed}
                    response = await client.post(f"{url}/chat/completions", json=body)
                    text = response.raise_for_status().json()["choices"][0]["message"]["content"]
                    row = {"question": question, "asked_for": name, "text": text}
                    file.write(f"{json.dumps(row, ensure_ascii=False)}\n")
                    file.flush()
    await service.close()


if __name__ == "__main__":
    with small_model() as address:
        asyncio.run(record(Path(sys.argv[1]), address))
