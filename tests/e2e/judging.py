"""Which places a page has, by Chromium's DOMParser: a document without scripts, as the file says it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from trueref_core.manifest.lookup import Manifest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ANCHORS = """html => {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const found = new Set();
  for (const it of parsed.querySelectorAll("[id]")) found.add(it.id);
  for (const it of parsed.querySelectorAll("a[name]")) found.add(it.getAttribute("name"));
  found.delete("");
  return [...found];
}"""


def judge_of(browser: Browser) -> Page:
    """A page that parses HTML and asks nothing of any network."""
    page = browser.new_page()
    page.route("**/*", lambda route: route.abort())
    return page


def as_utf8(_file: str, data: bytes) -> str:
    """The text of a file in the usual encoding."""
    return data.decode("utf-8-sig", "replace")


def differences(
    judge: Page,
    site: Path,
    manifest: Manifest,
    files: Sequence[str],
    decode: Callable[[str, bytes], str] = as_utf8,
) -> dict[str, dict[str, list[str]]]:
    """By file: places that the manifest lacks, and places that only the manifest has.

    `decode` makes text of a file: the judge is given text, as the reader of a file decodes it.
    """
    pages = {page.file: page.page for page in manifest.pages()}
    wrong: dict[str, dict[str, list[str]]] = {}
    for file in files:
        html = decode(file, (site / file).read_bytes())
        there = set(judge.evaluate(ANCHORS, html))
        in_manifest = {anchor.anchor for anchor in manifest.anchors(pages[file])} if file in pages else set[str]()
        if there != in_manifest:
            wrong[file] = {"missed": sorted(there - in_manifest), "invented": sorted(in_manifest - there)}
    return wrong
