"""The figures in the docs that follow from the program: where each stands, and what the program says.

`{}` stands for the figure in its phrase. `tests/docs/test_figures.py` looks each phrase up in its page, so that a change of the
page fails, and one of the program too.
"""

from __future__ import annotations

import gzip
import json
import math
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, get_args, get_type_hints

from scripts.other_sites import SOURCES

from trueref.commands.report import command as report
from trueref.output import SOURCES_FIRST
from trueref_core.embedding.bundled_model import BUNDLED_DIMENSIONS, BUNDLED_FOLDER, MAX_WORDPIECES
from trueref_core.export.export_files import DEFAULTS
from trueref_core.export.marked_text import TOKENS_BETWEEN
from trueref_core.export.offered_questions import MAX_SITE_QUESTIONS
from trueref_core.generations.publication import SERVED_RECENTLY
from trueref_core.manifest.history import MAX_ENTRIES
from trueref_core.page_weights import MAX_WEIGHT
from trueref_core.storage.page_parts import PAGES_A_PART
from trueref_core.tables.table_writer import MAX_FLAT, MERGED_ALWAYS
from trueref_plugin.build.build import LOCK_SECONDS
from trueref_plugin.build.incremental import MAX_CHANGED
from trueref_plugin.build.published_vectors import WORTH_ASKING
from trueref_plugin.checking import manifest_fetch
from trueref_plugin.checking.report.text import MAX_LINES
from trueref_plugin.cutting import limits
from trueref_plugin.files.page_summary import MIN_BODY
from trueref_plugin.pdf import pdf_guard, running_titles
from trueref_server.answering.choice import COMPETING
from trueref_server.answering.extractive import MAX_CARDS, MAX_MORE
from trueref_server.corpus.words import STEMS_KEPT
from trueref_server.evaluation.bootstrap import RESAMPLES
from trueref_server.evaluation.span_finder import WORDS_READ
from trueref_server.evaluation.template import ANSWERABLE, UNANSWERABLE
from trueref_server.http.client import PREFIX_LENGTHS
from trueref_server.http.messages import FeedbackMessage, SearchQuery
from trueref_server.http.middleware import slots
from trueref_server.index.live_index import CHECK_SECONDS, REFUSED_SECONDS
from trueref_server.insight.tally import DAY, HOURLY_UP_TO
from trueref_server.model.asking import budget, chunks
from trueref_server.model.asking.prompt import MAX_MESSAGES, MAX_TOKENS
from trueref_server.model.checking.statements import MIN_CITED_SHARE
from trueref_server.model.checking.verdict import MAX_UNSUPPORTED
from trueref_server.pipeline import FOLLOW_UP_SECTIONS
from trueref_server.ranking.confidence import ANSWER_FROM, ANSWER_UNREAD, CLOSEST_FROM
from trueref_server.references.reference_links import MAX_LINKS
from trueref_server.search.gaps import ASSESSED_HITS
from trueref_server.serving import protocol
from trueref_server.serving.app import RANGES_PER_QUESTION
from trueref_server.settings import Settings
from trueref_server.store.store import MAX_WAITING, PURGE_SECONDS

ROOT: Final = Path(__file__).resolve().parent.parent.parent
WIDGET: Final = ROOT / "widget"
QUESTIONS: Final = ROOT / "training" / "questions"
SETTINGS: Final = Settings()

WORDS: Final = {
    1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten", 20: "twenty",
    50: "fifty", 100: "hundred", 1000: "a thousand",
}  # fmt: skip
SPANS: Final = {60: "minute", 600: "ten minutes", 3600: "hour"}
SHARES: Final = {1 / 4: "quarter", 1 / 3: "third", 1 / 2: "half"}


class FigurePhrase(NamedTuple):
    """A phrase of a page with `{}` for each figure, and the figures that belong there."""

    page: str
    phrase: str
    figures: tuple[object, ...]

    def __str__(self) -> str:
        """The phrase with its figures, as the page should have it. Numbers from a thousand on have commas."""
        text = self.phrase
        for value in self.figures:
            text = text.replace("{}", f"{value:,}" if isinstance(value, int) else str(value), 1)
        return text


def figure(page: str, phrase: str, *figures: object) -> FigurePhrase:
    """A row of the table. The folder of the docs may be left out."""
    return FigurePhrase(page if (ROOT / page).is_file() else f"docs/{page}", phrase, figures)


@cache
def of_widget(module: str, name: str) -> int:
    """A constant of the widget, from its source."""
    found = re.search(rf"^const {name} = ([\d_]+);$", (WIDGET / "src" / module).read_text("utf-8"), re.MULTILINE)
    assert found, f"{module} has no {name}"
    return int(found[1].replace("_", ""))


def kilobytes(*files: str) -> int:
    """What a reader loads with built files of the widget, in thousands of bytes. Those of PDFs are kept compressed."""
    static = WIDGET / "trueref_widget" / "static"
    packed = [static / f"{name}.gz" for name in files]
    sizes = [
        path.stat().st_size if path.exists() else len(gzip.compress(path.with_suffix("").read_bytes(), 9, mtime=0))
        for path in packed
    ]
    return round(sum(sizes) / 1000)


def most(message: type, field: str) -> int:
    """The longest text that a field of a request may have."""
    return int(get_args(get_type_hints(message, include_extras=True)[field])[1].max_length)


def questions(*names: str) -> list[dict[str, object]]:
    """The cases of files of `training/questions/`."""
    lines = [line for name in names for line in (QUESTIONS / name).read_text("utf-8").splitlines()]
    return [json.loads(line) for line in lines if line.strip()]


def of_folder(name: str) -> tuple[int, list[dict[str, object]]]:
    """How many files a folder of questions has, and all that they hold."""
    files = [f"{name}/{path.name}" for path in sorted((QUESTIONS / name).glob("*.jsonl"))]
    return len(files), questions(*files)


def of_data() -> Iterator[FigurePhrase]:
    """What is kept and sent, and for how long."""
    yield figure("data.md", "Until there are {} newer ones", MAX_ENTRIES)
    exchanges, characters = (
        of_widget("conversation/conversation.ts", "MAX_TURNS"),
        of_widget("conversation/conversation.ts", "MAX_TURN_ANSWER"),
    )
    yield figure(
        "data.md", "the last {} questions with their answers, at most {} characters", WORDS[exchanges], characters
    )
    kept, longest = (of_widget("conversation/saved-exchanges.ts", name) for name in ("MAX_EXCHANGES", "MAX_CHARACTERS"))
    yield figure("data.md", "The conversation: the last {} questions", kept)
    yield figure("data.md", "fewer if they have more than {} characters", longest)
    for page in ("data.md", "models.md"):
        yield figure(page, "IPv4 /{}", PREFIX_LENGTHS[4])
        yield figure(page, "IPv6 /{}", PREFIX_LENGTHS[6])
    yield figure("data.md", "`cache_answers`, {} by default", SETTINGS.cache_answers)
    yield figure("data.md", "`cache_days`, {} by default", SETTINGS.cache_days)
    yield figure("data.md", "`store_days`, {} by default", SETTINGS.store_days)
    yield figure("data.md", "`question_days`; the default, {}, keeps none", SETTINGS.question_days)
    yield figure("data.md", "then every {}", SPANS[int(PURGE_SECONDS)])
    yield figure("insight.md", "ratings are kept, {} by default", SETTINGS.store_days)
    yield figure("insight.md", "The default, {}, keeps none", SETTINGS.question_days)
    yield figure("insight.md", "up to {} entries wait", WORDS[MAX_WAITING])
    yield figure("insight.md", "the last {} answers", WORDS[SETTINGS.cache_answers])
    (days,) = [option.default for option in report.params if option.name == "days"]
    yield figure("insight.md", "the report covers the last {} days", days)
    yield figure("insight.md", "by hour for up to {} days", WORDS[HOURLY_UP_TO // DAY])


# Long because it is a table, with one row for each figure.
def of_builds() -> Iterator[FigurePhrase]:
    """Reading, cutting, the folder of an index, and checks."""
    yield figure("how-it-works.md", "chunks of about {} characters, {} at most", limits.TARGET, limits.MAXIMUM)
    yield figure("how-it-works.md", "the last {} to {} characters", limits.MIN_OVERLAP, limits.MAX_OVERLAP)
    yield figure("how-it-works.md", "a vector of {} numbers", BUNDLED_DIMENSIONS)
    yield figure("glossary.md", "at most {} characters unless it is code", limits.MAXIMUM)
    yield figure("languages.md", "to {} characters and is cut to fit {} tokens", limits.MAXIMUM, limits.WORDPIECES)
    yield figure("troubleshooting.md", "reads {} wordpieces of a text", MAX_WORDPIECES)
    model = len(gzip.decompress((BUNDLED_FOLDER / "model.onnx.gz").read_bytes()))
    yield figure("index.md", "it is small: {} MB", round(model / 1e6))
    yield figure("exports.md", "writes {} files into the site folder", WORDS[len(DEFAULTS)])
    yield figure("renaming.md", "at least {} characters up to the next heading", MIN_BODY)
    yield figure("configuration.md", "both are added, within -{} to {}", *[f"{MAX_WEIGHT:g}"] * 2)
    yield figure("reference/index-layout.md", "less than a {} of the pages", SHARES[MAX_CHANGED])
    yield figure("reference/index-layout.md", "at most {} pages on average", PAGES_A_PART)
    yield figure("reference/index-layout.md", "Above {} chunks", MAX_FLAT)
    yield figure("reference/index-layout.md", "within the last {}", SPANS[int(SERVED_RECENTLY)])
    yield figure("reference/index-layout.md", "more than {} entries", MAX_ENTRIES)
    yield figure("reference/index-layout.md", "waits for a {}, then stops", SPANS[int(LOCK_SECONDS)])
    yield figure("benchmarks.md", "above {} chunks", MAX_FLAT)
    yield figure("benchmarks.md", "below {} chunks every change does", MERGED_ALWAYS)
    yield figure("benchmarks.md", "({} words,", STEMS_KEPT)
    yield figure("deploy.md", "{} times a second at most", WORDS[round(1 / CHECK_SECONDS)])
    yield figure("deploy.md", "for at least {}", SPANS[int(SERVED_RECENTLY)])
    yield figure("deploy.md", "looks again after a {}", SPANS[int(REFUSED_SECONDS)])
    yield figure("deploy.md", "Fewer than {} new texts", WORTH_ASKING)
    megabytes = manifest_fetch.MAX_BYTES >> 20
    yield figure("check.md", "a limit of {} seconds and {} MB", f"{manifest_fetch.TOTAL_SECONDS:g}", megabytes)
    yield figure("check.md", "lists the first {} findings with their lines", WORDS[MAX_LINES])
    megabytes, seconds = pdf_guard.MAX_BYTES >> 20, f"{pdf_guard.SECONDS_A_PAGE:g}"
    yield figure("pdf.md", "more than {} MB, or takes PDFium more than {} seconds for a page", megabytes, seconds)
    yield figure("pdf.md", "more than {} pages the first {} are read", *[pdf_guard.MAX_PAGES] * 2)
    yield figure(
        "pdf.md",
        "on {} of {} neighbouring pages",
        WORDS[running_titles.MIN_REPEATS],
        WORDS[running_titles.WINDOW_PAGES],
    )
    yield figure("pdf.md", "every {} tokens (cl100k)", TOKENS_BETWEEN)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    python = project["project"]["requires-python"].removeprefix(">=")
    for page in ("index.md", "install.md", "quick-start.md", "deploy.md", "README.md"):
        yield figure(page, "Python {} or newer" if page != "install.md" else "Python of version {} or newer", python)
    package = json.loads((ROOT / "plugin" / "docusaurus" / "package.json").read_text("utf-8"))
    docusaurus = package["peerDependencies"]["@docusaurus/core"].removeprefix("^").removesuffix(".0")
    node = package["engines"]["node"].removeprefix(">=").removesuffix(".0")
    yield figure("docusaurus.md", "Docusaurus {}, Node.js {}, and Python {}", docusaurus, node, python)
    yield figure("install.md", "Docusaurus {}, Node.js {}", docusaurus, node)
    yield figure("tests/README.md", "has {}, unless", SPANS[project["tool"]["pytest"]["ini_options"]["timeout"]])
    yield figure("CONTRIBUTING.md", "the docs of {} other projects", WORDS[len(SOURCES)])


# Long for the same reason.
def of_answers() -> Iterator[FigurePhrase]:
    """Answers, their model, and the interfaces that give them."""
    yield figure("how-it-works.md", "If the first {} sections do not hold all parts", WORDS[ASSESSED_HITS])
    yield figure("how-it-works.md", "the best {} sections compete", WORDS[COMPETING])
    yield figure("how-it-works.md", "up to {} passages of other sections", WORDS[MAX_CARDS - 1])
    yield figure("how-it-works.md", "up to {} further sections are listed as links", WORDS[MAX_MORE])
    yield figure(
        "static.md", "up to {} more passages to open", WORDS[of_widget("static/static-answer.ts", "MAX_CARDS") - 1]
    )
    yield figure("quick-start.md", "at most {}, grouped by the kind of their page", WORDS[SOURCES_FIRST])
    http = "reference/http.md"
    sure, near = (f"{share:g}".removeprefix("0") for share in (ANSWER_FROM, CLOSEST_FROM))
    yield figure(http, "from {} the verdict is `answer`, from {} `closest`", sure, near)
    yield figure(http, "the verdict is `answer` from {}", f"{ANSWER_UNREAD:g}".removeprefix("0"))
    yield figure(http, "Up to {} further sections", WORDS[MAX_MORE])
    limit = get_args(get_type_hints(SearchQuery, include_extras=True)["limit"])[1]
    yield figure(http, "`limit` ({} to {}, {} by default)", limit.ge, limit.le, SearchQuery("").limit)
    yield figure(http, "In one text, {} different links", MAX_LINKS)
    yield figure(http, "reader, at most {} characters", most(FeedbackMessage, "reason"))
    yield figure(http, "A longer text of the reader, at most {}", most(FeedbackMessage, "comment"))
    yield figure(
        "models.md",
        "`context_tokens` ({}) of documentation and {} tokens of the conversation",
        SETTINGS.context_tokens,
        MAX_TOKENS,
    )
    yield figure("models.md", "`context_tokens` ({}) tokens", SETTINGS.context_tokens)
    messages = "the last {} messages of the conversation up to {} tokens"
    yield figure("models.md", messages, WORDS[MAX_MESSAGES], MAX_TOKENS)
    for name in ("model_answer_tokens", "model_day_tokens", "model_session_seconds"):
        yield figure("models.md", f"`{name}` ({{}})", getattr(SETTINGS, name))
    yield figure("models.md", "`model_network_tokens` ({} for", SETTINGS.model_network_tokens)
    event, answer = chunks.MAX_EVENT >> 20, chunks.MAX_STREAM >> 20
    yield figure("models.md", "At most {} MB of an event and {} MB of an answer", event, answer)
    yield figure("models.md", "More than a {} of the sentences", SHARES[MAX_UNSUPPORTED])
    yield figure("models.md", "has {} of its words", SHARES[MIN_CITED_SHARE])
    yield figure("models.md", "{} fifths of the tokens of a day", WORDS[round(budget.WARNING_SHARE * 5)])
    yield figure("models.md", "by kind, {} of them at first", WORDS[of_widget("answers/sources.ts", "MAX_SHOWN")])
    yield figure("models.md", "At most {} sections are added and one more request", WORDS[FOLLOW_UP_SECTIONS])
    languages = WORDS[len(list((WIDGET / "trueref_widget" / "languages").glob("*.json")))]
    yield figure("models.md", "in the {} languages that", languages)
    yield figure("languages.md", "in the {} languages above", languages)
    yield figure("CONTRIBUTING.md", "in all {} files", languages)
    sending = SETTINGS.rate_burst, SETTINGS.rate_per_minute
    yield figure("configuration.md", "may send {} requests at once, and {} requests a minute", *sending)
    yield figure("troubleshooting.md", "may send {} requests a minute, and {} at once", *reversed(sending))
    yield from of_load()
    yield figure("configuration.md", "The default is {}", str(SETTINGS.port))
    for page in ("configuration.md", "widget/README.md"):
        yield figure(page, "offers up to {} questions", WORDS[MAX_SITE_QUESTIONS])
    yield figure("evaluation.md", "The interval comes from {} random samples of the cases", RESAMPLES)
    yield figure("evaluation.md", "the first {} words and the first block of code", WORDS_READ)
    sections, gaps = WORDS[ANSWERABLE], WORDS[UNANSWERABLE]
    yield figure("evaluation.md", "The file holds {} sections", sections)
    yield figure("evaluation.md", "and {} lines without a question", gaps)
    first = ("trueref.js", "trueref-panel.js", "trueref-answers.js")
    sizes = kilobytes(first[0]), kilobytes(*first)
    yield figure("comparison.md", "Trueref {} KB before the panel is opened and {} KB with an answer", *sizes)
    yield figure("static.md", "This script is {} KB, compressed", kilobytes("trueref-static.js"))
    yield figure(
        "pdf.md", "two files of the widget, {} KB compressed", kilobytes("trueref-pdf.js", "trueref-pdf-worker.js")
    )


def of_load() -> Iterator[FigurePhrase]:
    """The limits of a server."""
    yield figure("deploy.md", "{} at once, and {} a minute", SETTINGS.rate_burst, SETTINGS.rate_per_minute)
    yield figure("deploy.md", "have {} times as many", WORDS[RANGES_PER_QUESTION])
    of_network = SETTINGS.max_answers_of_network or math.ceil(SETTINGS.max_answers / 2)
    yield figure("deploy.md", "{}, and {} for one network", SETTINGS.max_answers, of_network)
    yield figure("deploy.md", "429, `Retry-After: {}`", slots.RETRY_SECONDS)
    yield figure("deploy.md", "{}; the one that is idle", SETTINGS.max_connections)
    yield figure("deploy.md", "503, `Retry-After: {}`", protocol.RETRY_SECONDS)
    body = SETTINGS.max_body_bytes, f"{SETTINGS.body_timeout:g}", f"{protocol.HEADER_SECONDS:g}"
    yield figure("deploy.md", "{} bytes, and {} seconds; the headers have {} seconds too", *body)
    tokens = SETTINGS.model_day_tokens, SETTINGS.model_network_tokens
    yield figure("deploy.md", "{} [a day](models.md#what-it-costs), and {} for one network", *tokens)
    yield figure("deploy.md", "more than {} fifths of the allowed answers", WORDS[round(slots.WARNING_SHARE * 5)])


def of_questions() -> Iterator[FigurePhrase]:
    """The questions of `training/`, counted."""
    page = "training/README.md"
    sites, cases = of_folder("bulk")
    yield figure(page, "has {} questions to {} of the sites that are trained on", len(cases), sites)
    sites, cases = of_folder("real")
    kinds = [case["kind"] for case in cases]
    yield figure(page, "has {} questions to {} of the sites that users asked", len(cases), sites)
    yield figure(
        page, "Most report an error ({}) or ask how to do something ({})", *map(kinds.count, ("error", "how-to"))
    )
    yield figure(page, "; {} are not answered by the docs", sum(not case["answerable"] for case in cases))
    files = sorted(path for path in (QUESTIONS.parent / "languages").glob("*.jsonl") if path.name != "en.jsonl")
    count = sum(len(path.read_text("utf-8").splitlines()) for path in files)
    yield figure(page, "has {} questions to Apache's manual in {} languages", count, WORDS[len(files)])
    card = (BUNDLED_FOLDER / "README.md").relative_to(ROOT)
    names = (ROOT / card).read_text("utf-8").partition("sources): ")[2].partition(". Each")[0].replace(" and", ",")
    trained = names.replace("\n", " ").split(", ")
    answerable = [case for case in questions(*(f"{name}.jsonl" for name in trained)) if case["answerable"]]
    yield figure(str(card), "{} questions to {} documentation sites", len(answerable), len(trained))


FIGURE_PHRASES: Final = [*of_data(), *of_builds(), *of_answers(), *of_questions()]
