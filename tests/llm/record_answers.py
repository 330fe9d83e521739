"""Records raw answers of the small model: `.venv/bin/python -m tests.llm.record_answers INDEX`, in the checkout.

INDEX is one of our own docs. Each question is asked with the prompt of the product and with others that bring out links
in every syntax which the model knows. What it writes is kept as it came, unread, in `tests/server/references/recorded.jsonl`:
the tests of the gate send it through at every place where a stream may be cut.
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

from trueref_server.model.numbered_sources import ModelSource
from trueref_server.model.prompt import Message, Prompts
from trueref_server.records import Question
from trueref_server.service import Service
from trueref_server.settings import load_settings

ROOT: Final = Path(__file__).parents[2]
RECORDED: Final = ROOT / "tests" / "server" / "references" / "recorded.jsonl"
QUESTIONS: Final = ROOT / "scripts" / "simulated_questions.toml"

ASKED: Final = 16
TOKENS: Final = 120

ASKED_FOR: Final = {
    "plain": "Answer the question.",
    "links": "Answer in Markdown. Link every option and every page to its address, as in [name](https://...).",
    "references": "Answer in Markdown with reference links such as [name][1], and define them at the end: [1]: https://...",
    "html": "Answer in HTML, with <a href>, <img src>, a <table> and a <script src>.",
    "table": "Answer with a Markdown table of options, with a column of links and a column of images.",
    "code": "Answer with commands in fenced code, with curl and addresses, and then a list of bare addresses to read.",
    "footnotes": "Answer with footnotes [^1], images ![alt](address), and a citation like [1], [[2]] or \u30103\u3011 for each.",
}
"""What the model is asked for beside the prompt of the product, by the name that its answers are kept under."""


def messages_of(question: str, sources: list[ModelSource]) -> Iterator[tuple[str, list[Message]]]:
    """The conversations that a question is asked in, each with its name."""
    yield "product", Prompts().messages("Trueref", Question(question), sources)
    text = "\n\n".join(f"{source.place}\n{source.text}" for source in sources[:1])
    for name, asked_for in ASKED_FOR.items():
        system: Message = {"role": "system", "content": asked_for}
        yield name, [system, {"role": "user", "content": f"{text}\n\n{question}"}]


async def record(index: Path, url: str) -> None:
    """Ask, and write what comes."""
    topics = tomllib.loads(QUESTIONS.read_text(encoding="utf-8"))["topic"]
    asked = [topic["questions"][0] for topic in topics if topic["pages"]][:ASKED]
    service = Service(load_settings({}, options={"index": index, "context_tokens": 200}))
    async with httpx.AsyncClient(timeout=300) as client:
        with RECORDED.open("w", encoding="utf-8") as file:
            for seed, question in enumerate(asked):
                context = (await service.look_up(Question(question))).context
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
