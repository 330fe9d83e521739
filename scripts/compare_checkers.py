"""Compares `trueref check` with other link checkers on one built site: what each finds, and what it costs.

    python -m scripts.compare_checkers SITE BASE_URL --truth TRUTH [--project PROJECT]

TRUTH is a file with the broken links inside the site, a line each, as addresses relative to BASE_URL: what a browser
finds, say. PROJECT is a folder with the mkdocs.yml of the site; with it mkdocs-htmlproofer-plugin is measured too, as
what it adds to a build. Every tool is installed in a temporary folder with its own registry's client, and asked for
links inside the site and for fragments. CPU time is that of the whole process tree, without the installation and
without the web server that some tools need. Run it on an idle machine, and quote the ratios.
"""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from scripts.arguments import existing, parser_of

NPM = ("hyperlink", "linkinator")
PYPI = ("linkchecker",)
LONGEST = 1200
"""Seconds after which a tool is ended."""


# One of the tools opens a hundred connections at once, and takes one that is refused for a broken link.
SERVER = """
import functools, http.server, sys
class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 1024
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[2])
Server(("127.0.0.1", int(sys.argv[1])), handler).serve_forever()
"""


@dataclass(frozen=True)
class Subject:
    """What is checked, and where the tools are."""

    site: Path
    base_url: str
    tools: Path

    def relative(self, url: str) -> str | None:
        """An address relative to the site, decoded; None for one outside."""
        return unquote(url[len(self.base_url) :]) if url.startswith(self.base_url) else None


@dataclass(frozen=True)
class Outcome:
    """The broken links that a tool found inside the site, and the CPU seconds that it took.

    `extra` says that the seconds are those on top of a build without the tool.
    """

    tool: str
    broken: frozenset[str]
    seconds: float
    finished: bool = True
    extra: bool = False


def run(*command: str | Path, cwd: Path | None = None) -> tuple[str, float, bool]:
    """Output, CPU seconds of the process and its children, and whether it ended by itself."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    finished = True
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(list(map(str, command)), cwd=cwd, stdout=output, stderr=subprocess.DEVNULL)
        try:
            process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            finished = False
            process.terminate()
            process.wait()
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return text, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, finished


def version_of(name: str, tools: Path) -> str:
    """The version of a tool of npm that was installed."""
    return str(json.loads((tools / "node_modules" / name / "package.json").read_text())["version"])


def trueref(subject: Subject) -> Outcome:
    """This project."""
    # A site that is alone in its folder: no mkdocs.yml beside it is read.
    text, seconds, finished = run(
        sys.executable, "-m", "trueref", "check", subject.site, "--base-url", subject.base_url, "--format", "json"
    )
    broken = set()
    for finding in json.loads(text)["findings"]:
        page = f"{subject.base_url}{finding['page']}"
        broken.add(subject.relative(urljoin(page, finding["link"])) or finding["link"])
    return Outcome("trueref check", frozenset(broken), seconds, finished)


def hyperlink(subject: Subject) -> Outcome:
    """It reads files, and writes lines of TAP: `not ok N fragment-check PAGE --> LINK`."""
    command = (subject.tools / "node_modules/.bin/hyperlink", "-r", "-i", "--canonicalroot", subject.base_url)
    # It looks up hosts that a page connects to before it is told to stay inside.
    text, seconds, finished = run(
        *command, "--skip", "preconnect", "--root", subject.site, subject.site / "index.html", cwd=subject.site.parent
    )
    broken = set()
    for line in re.findall(r"(?m)^not ok \d+ \S+ (.+)$", text):
        page, _, link = line.partition(" --> ")
        path = page.removeprefix(f"{subject.site.name}/").removesuffix("index.html")
        broken.add(subject.relative(urljoin(f"{subject.base_url}{path}", link.strip())) or link)
    return Outcome(f"hyperlink {version_of('hyperlink', subject.tools)}", frozenset(broken), seconds, finished)


def linkinator(subject: Subject) -> Outcome:
    """It asks a server, here one at an address of this machine with the same path."""
    with serving(subject) as root:
        elsewhere = f"^https?://(?!{re.escape(urlsplit(root).netloc)})"
        command = (subject.tools / "node_modules/.bin/linkinator", root, "--recurse", "--check-fragments")
        text, seconds, finished = run(*command, "--skip", elsewhere, "--format", "json", "--timeout", "60000")
    links = json.loads(text)["links"] if finished else []
    broken = {unquote(link["url"][len(root) :]) for link in links if link["state"] == "BROKEN"}
    name = f"linkinator {version_of('linkinator', subject.tools)}, --check-fragments"
    return Outcome(name, frozenset(broken), seconds, finished)


def linkchecker(subject: Subject) -> Outcome:
    """With the plugin that looks anchors up; it asks a server too."""
    return _linkchecker(subject, anchors=True)


def linkchecker_plain(subject: Subject) -> Outcome:
    """As it comes, without anchors."""
    return _linkchecker(subject, anchors=False)


def _linkchecker(subject: Subject, *, anchors: bool) -> Outcome:
    settings = subject.tools / "linkcheckerrc"
    settings.write_text("[AnchorCheck]\n" if anchors else "[checking]\n")
    tool = subject.tools / "venv/bin/linkchecker"
    with serving(subject) as root:
        text, seconds, finished = run(tool, "-f", settings, "--no-robots", "--no-status", "-o", "csv", root)
    rows = [line.split(";") for line in text.splitlines() if line and not line.startswith("#")]
    broken = {unquote(row[7][len(root) :]) for row in rows[1:] if len(row) > 7 and row[7].startswith(root)}
    version = run(tool, "--version")[0].split()[1]
    return Outcome(f"linkchecker {version}{', AnchorCheck' if anchors else ''}", frozenset(broken), seconds, finished)


def htmlproofer(subject: Subject, project: Path) -> Outcome:
    """What the plugin adds to a build, and what it warns of."""
    python = subject.tools / "venv/bin/python"
    requirements = project / "requirements.txt"
    wanted = ["-r", str(requirements)] if requirements.exists() else ["mkdocs"]
    run(python, "-m", "pip", "install", "--quiet", *wanted, "mkdocs-htmlproofer-plugin")
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / "project"
        shutil.copytree(project, copy, ignore=shutil.ignore_patterns("site", ".trueref", ".git"))
        text = re.sub(r"(?m)^  - trueref:?\n(?:^ {6}.*\n)*", "", (copy / "mkdocs.yml").read_text(encoding="utf-8"))
        plugin = "  - htmlproofer:\n      validate_external_urls: false\n      raise_error: false\n"
        (copy / "plain.yml").write_text(text, encoding="utf-8")
        (copy / "checked.yml").write_text(text.replace("\nplugins:\n", f"\nplugins:\n{plugin}"), encoding="utf-8")
        build = (python, "-m", "mkdocs", "build", "-f")
        run(*build, "plain.yml", cwd=copy)
        # In turn, so that a machine that slows down meanwhile slows both.
        pairs = [(run(*build, "plain.yml", cwd=copy)[1], _warned(build, copy)) for _ in range(3)]
    seconds = sorted(checked[1] - plain for plain, checked in pairs)[1]
    lines = [line for line in pairs[0][1][0].splitlines() if "invalid url" in line.lower()]
    broken = {_target(line, subject) for line in lines}
    listing = run(python, "-m", "pip", "show", "mkdocs-htmlproofer-plugin")[0]
    version = next(line.split()[1] for line in listing.splitlines() if line.startswith("Version"))
    return Outcome(f"mkdocs-htmlproofer-plugin {version}", frozenset(broken), seconds, extra=True)


def _warned(build: Sequence[str | Path], copy: Path) -> tuple[str, float]:
    # Its warnings are on stderr.
    command = " ".join(map(str, build))
    text, seconds, _ = run("sh", "-c", f"{command} checked.yml 2>&1", cwd=copy)
    return text, seconds


def _target(line: str, subject: Subject) -> str:
    """The target in `... invalid url - LINK [STATUS] [SOURCE]`, or the line if it has another form.

    It names the source file, and not the page; all of its links climb to the root of the site first.
    """
    match = re.search(r"invalid url - (\S+) \[", line, re.IGNORECASE)
    if match is None:
        return line
    link = re.sub(r"^(?:\.\./)+|^\./", "", match[1])
    return subject.relative(link) or unquote(link)


@contextmanager
def serving(subject: Subject) -> Iterator[str]:
    """The site on this machine, under the path that it has at its base URL. Gives its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    path = urlsplit(subject.base_url).path.strip("/")
    with tempfile.TemporaryDirectory() as name:
        served = Path(name) / path
        served.parent.mkdir(parents=True, exist_ok=True)
        # linkchecker may run as another user, who has to be able to read it.
        Path(name).chmod(0o755)
        if path:
            served.symlink_to(subject.site.resolve())
        folder = name if path else subject.site
        command = [sys.executable, "-c", SERVER, str(port), str(folder)]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_for(port)
            yield f"http://127.0.0.1:{port}/{path}/" if path else f"http://127.0.0.1:{port}/"
        finally:
            server.kill()
            server.wait()


def wait_for(port: int) -> None:
    """Waits until something listens."""
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    sys.exit("The web server did not start.")


def install(tools: Path) -> None:
    """Puts the tools into a folder, if they are not there yet."""
    tools.mkdir(parents=True, exist_ok=True)
    if not (tools / "node_modules").exists():
        (tools / "package.json").write_text("{}")
        command = ["npm", "install", "--no-audit", "--no-fund", "--silent", "--prefix", str(tools), *NPM]
        subprocess.run(command, check=True)
    if not (tools / "venv").exists():
        subprocess.run([sys.executable, "-m", "venv", str(tools / "venv")], check=True)
        subprocess.run([str(tools / "venv/bin/python"), "-m", "pip", "install", "--quiet", *PYPI], check=True)


def table(outcomes: Sequence[Outcome], truth: frozenset[str]) -> str:
    """The outcomes as a Markdown table."""
    baseline = outcomes[0].seconds
    lines = ["| Checker | True | False | CPU-seconds | Times trueref |", "|---|---|---|---|---|"]
    for outcome in outcomes:
        true, false = len(outcome.broken & truth), len(outcome.broken - truth)
        seconds = f"{outcome.seconds:.1f}" if outcome.seconds >= 10 else f"{outcome.seconds:.2f}"
        seconds = f"+{seconds} on the build" if outcome.extra else seconds
        if not outcome.finished:
            seconds = f"not done after {seconds}"
        lines.append(
            f"| {outcome.tool} | {true} of {len(truth)} | {false} | {seconds} | {outcome.seconds / baseline:.0f} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Runs every tool and prints the table."""
    parser = parser_of(__doc__)
    parser.add_argument("site", type=existing)
    parser.add_argument("base_url")
    parser.add_argument("--truth", type=existing, required=True)
    parser.add_argument("--project", type=existing)
    parser.add_argument("--tools", type=Path, help="a folder to keep the tools in, for another run")
    parser.add_argument("--only", help="run the tools whose name holds this, and trueref")
    options = parser.parse_args()
    truth = frozenset(line for line in options.truth.read_text(encoding="utf-8").splitlines() if line)
    os.environ["NO_MKDOCS_2_WARNING"] = "1"
    with tempfile.TemporaryDirectory() as name:
        tools = (options.tools or Path(name) / "tools").resolve()
        install(tools)
        site = Path(name) / "alone" / "site"
        shutil.copytree(options.site, site)
        subject = Subject(site, f"{options.base_url.rstrip('/')}/", tools)
        others: list[Callable[[Subject], Outcome]] = [hyperlink, linkinator, linkchecker_plain, linkchecker]
        if options.project:
            others.append(lambda subject: htmlproofer(subject, options.project))
        names = ["hyperlink", "linkinator", "linkchecker_plain", "linkchecker", "htmlproofer"]
        outcomes = [sorted((trueref(subject) for _ in range(5)), key=lambda outcome: outcome.seconds)[2]]
        for tool, called in zip(others, names, strict=False):
            if not options.only or options.only in called:
                outcomes.append(tool(subject))
                print(outcomes[-1], file=sys.stderr)
    print(table(outcomes, truth))


if __name__ == "__main__":
    main()
