"""Compares `trueref check` with other link checkers on a built site: which links they find, and their CPU time.

    python -m scripts.compare_checkers SITE BASE_URL --truth TRUTH [--project PROJECT]

TRUTH is a file with one line for each broken link inside the site, as an address relative to BASE_URL. The lines may
come from a check with a browser. PROJECT is a folder with the mkdocs.yml of the site. With it,
mkdocs-htmlproofer-plugin is measured too, by the time that it adds to a build. Every tool is installed into a temporary
folder with the client of its package registry, and is told to check fragments and only links inside the site. CPU time
is that of the whole process tree, without the installation and without the web server that some tools need. Run this on
an idle machine, and quote the ratios.
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
TOOL_SECONDS = 1200
"""How many seconds a tool may take."""


# One of the tools opens a hundred connections at the same time, and reports a link as broken if one is refused.
SERVER = """
import functools, http.server, sys
class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 1024
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[2])
Server(("127.0.0.1", int(sys.argv[1])), handler).serve_forever()
"""


@dataclass(frozen=True)
class Subject:
    """The site that is checked, and the folder of the tools."""

    site: Path
    base_url: str
    tools: Path

    def relative(self, url: str) -> str | None:
        """The decoded address relative to the site; None for an address outside of it."""
        return unquote(url[len(self.base_url) :]) if url.startswith(self.base_url) else None


@dataclass(frozen=True)
class Outcome:
    """The broken links that a tool found inside the site, and the CPU seconds that it took.

    `finished` is False if the tool was stopped. `extra` is True if the seconds are those that it adds to a build.
    """

    tool: str
    broken: frozenset[str]
    seconds: float
    finished: bool = True
    extra: bool = False


def run(*command: str | Path, cwd: Path | None = None) -> tuple[str, float, bool]:
    """The output of a command, the CPU seconds of its process and its children, and whether it finished in time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    finished = True
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(list(map(str, command)), cwd=cwd, stdout=output, stderr=subprocess.DEVNULL)
        try:
            process.wait(TOOL_SECONDS)
        except subprocess.TimeoutExpired:
            finished = False
            process.terminate()
            process.wait()
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return text, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, finished


def version_of(name: str, tools: Path) -> str:
    """The version of an npm tool that was installed."""
    return str(json.loads((tools / "node_modules" / name / "package.json").read_text())["version"])


def trueref(subject: Subject) -> Outcome:
    """Checks with `trueref check`."""
    # The site is a copy without a mkdocs.yml beside it, so that no sources are read.
    text, seconds, finished = run(
        sys.executable, "-m", "trueref", "check", subject.site, "--base-url", subject.base_url, "--format", "json"
    )
    broken = set()
    for finding in json.loads(text)["findings"]:
        page = f"{subject.base_url}{finding['page']}"
        broken.add(subject.relative(urljoin(page, finding["link"])) or finding["link"])
    return Outcome("trueref check", frozenset(broken), seconds, finished)


def hyperlink(subject: Subject) -> Outcome:
    """Checks with hyperlink, which reads files and writes lines of TAP: `not ok N fragment-check PAGE --> LINK`."""
    command = (subject.tools / "node_modules/.bin/hyperlink", "-r", "-i", "--canonicalroot", subject.base_url)
    # Even when told to check internal links only, hyperlink looks up the hosts that a page preconnects to.
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
    """Checks with linkinator, which asks a web server: one of this machine, with the path of the base URL."""
    with serving(subject) as root:
        elsewhere = f"^https?://(?!{re.escape(urlsplit(root).netloc)})"
        command = (subject.tools / "node_modules/.bin/linkinator", root, "--recurse", "--check-fragments")
        text, seconds, finished = run(*command, "--skip", elsewhere, "--format", "json", "--timeout", "60000")
    links = json.loads(text)["links"] if finished else []
    broken = {unquote(link["url"][len(root) :]) for link in links if link["state"] == "BROKEN"}
    name = f"linkinator {version_of('linkinator', subject.tools)}, --check-fragments"
    return Outcome(name, frozenset(broken), seconds, finished)


def linkchecker(subject: Subject) -> Outcome:
    """Checks with linkchecker and its plugin for anchors. It asks a web server too."""
    return _run_linkchecker(subject, anchors=True)


def linkchecker_plain(subject: Subject) -> Outcome:
    """Checks with linkchecker as it is installed, which does not check anchors."""
    return _run_linkchecker(subject, anchors=False)


def _run_linkchecker(subject: Subject, *, anchors: bool) -> Outcome:
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
    """Measures what mkdocs-htmlproofer-plugin adds to a build, and reads its warnings."""
    python = subject.tools / "venv/bin/python"
    requirements = project / "requirements.txt"
    packages = ["-r", str(requirements)] if requirements.exists() else ["mkdocs"]
    run(python, "-m", "pip", "install", "--quiet", *packages, "mkdocs-htmlproofer-plugin")
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / "project"
        shutil.copytree(project, copy, ignore=shutil.ignore_patterns("site", ".trueref", ".git"))
        text = re.sub(r"(?m)^  - trueref:?\n(?:^ {6}.*\n)*", "", (copy / "mkdocs.yml").read_text(encoding="utf-8"))
        plugin = "  - htmlproofer:\n      validate_external_urls: false\n      raise_error: false\n"
        (copy / "plain.yml").write_text(text, encoding="utf-8")
        (copy / "checked.yml").write_text(text.replace("\nplugins:\n", f"\nplugins:\n{plugin}"), encoding="utf-8")
        build = (python, "-m", "mkdocs", "build", "-f")
        run(*build, "plain.yml", cwd=copy)
        # By turns, so that a machine that becomes slower affects both builds.
        plain_and_checked = [(run(*build, "plain.yml", cwd=copy)[1], _checked_build(build, copy)) for _ in range(3)]
    seconds = sorted(checked[1] - plain for plain, checked in plain_and_checked)[1]
    lines = [line for line in plain_and_checked[0][1][0].splitlines() if "invalid url" in line.lower()]
    broken = {_target(line, subject) for line in lines}
    listing = run(python, "-m", "pip", "show", "mkdocs-htmlproofer-plugin")[0]
    version = next(line.split()[1] for line in listing.splitlines() if line.startswith("Version"))
    return Outcome(f"mkdocs-htmlproofer-plugin {version}", frozenset(broken), seconds, extra=True)


def _checked_build(build: Sequence[str | Path], copy: Path) -> tuple[str, float]:
    """Runs a build with the plugin. Returns its output with stderr, where the warnings are, and its CPU seconds."""
    command = " ".join(map(str, build))
    text, seconds, _ = run("sh", "-c", f"{command} checked.yml 2>&1", cwd=copy)
    return text, seconds


def _target(line: str, subject: Subject) -> str:
    """The target in `... invalid url - LINK [STATUS] [SOURCE]`, or the line if it has another form.

    The line names the source file and not the page. All links in such lines go up to the root of the site first.
    """
    match = re.search(r"invalid url - (\S+) \[", line, re.IGNORECASE)
    if match is None:
        return line
    link = re.sub(r"^(?:\.\./)+|^\./", "", match[1])
    return subject.relative(link) or unquote(link)


@contextmanager
def serving(subject: Subject) -> Iterator[str]:
    """Serves the site on this machine, under the path of its base URL. Yields its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    path = urlsplit(subject.base_url).path.strip("/")
    with tempfile.TemporaryDirectory() as name:
        served = Path(name) / path
        served.parent.mkdir(parents=True, exist_ok=True)
        # linkchecker may run as another user, who has to be able to read the folder.
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
    """Waits until a server listens on a port."""
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    sys.exit("The web server did not start.")


def install(tools: Path) -> None:
    """Installs the tools into a folder, unless they are already there."""
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
        other_tools: list[Callable[[Subject], Outcome]] = [hyperlink, linkinator, linkchecker_plain, linkchecker]
        if options.project:
            other_tools.append(lambda subject: htmlproofer(subject, options.project))
        tool_names = ["hyperlink", "linkinator", "linkchecker_plain", "linkchecker", "htmlproofer"]
        outcomes = [sorted((trueref(subject) for _ in range(5)), key=lambda outcome: outcome.seconds)[2]]
        for tool, tool_name in zip(other_tools, tool_names, strict=False):
            if not options.only or options.only in tool_name:
                outcomes.append(tool(subject))
                print(outcomes[-1], file=sys.stderr)
    print(table(outcomes, truth))


if __name__ == "__main__":
    main()
