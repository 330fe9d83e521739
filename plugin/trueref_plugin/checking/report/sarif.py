"""Findings as SARIF 2.1.0, for code scanning.

Source: the OASIS standard "Static Analysis Results Interchange Format (SARIF) Version 2.1.0 Plus Errata 01".
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from trueref_core.version import __version__
from trueref_plugin.checking.findings import KINDS, CheckReport, FileLocation, Finding, FindingKind
from trueref_plugin.checking.report.json import encoded

SarifObject = Mapping[str, Any]

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT: Final = "trueref/link/v1"
_HELP: Final[dict[FindingKind, str]] = {
    "missing-page": "Write the address of a page that exists, or set up a redirect from the one that is gone. "
    "`trueref resolve LINK` says which page may be meant.",
    "missing-anchor": "Write the id of a heading, a term or another place that the page has, or give the place that is "
    "meant this id. A browser shows the top of the page instead.",
    "missing-file": "Put the file where the link says, or write its path as it is, in the same case.",
}


def write(report: CheckReport) -> str:
    """The report as one line of JSON."""
    driver = {
        "name": "trueref",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(kind, explanation) for kind, explanation in KINDS.items()],
    }
    levels = [("note", report.notes), ("error", report.unread)]
    notes = [{"level": level, "message": {"text": text}} for level, lines in levels for text in lines]
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": not report.unread, "toolExecutionNotifications": notes}],
        "results": list(_results(report.findings)),
    }
    return encoded({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(kind: FindingKind, explanation: str) -> SarifObject:
    """A kind of finding as a SARIF rule, which is described once for all results."""
    return {
        "id": kind,
        "name": "".join(map(str.capitalize, kind.split("-"))),
        "shortDescription": {"text": explanation},
        "fullDescription": {"text": explanation},
        "help": {"text": _HELP[kind].replace("`", ""), "markdown": _HELP[kind]},
        "defaultConfiguration": {"level": "error"},
    }


def _results(findings: Sequence[Finding]) -> Iterator[SarifObject]:
    """The findings, each with a fingerprint by which code scanning recognises it in the next run."""
    kinds = list(KINDS)
    counts: Counter[str] = Counter()
    for finding in findings:
        # The fingerprint does not have the line, which changes with every edit above it. Instead it has a number among
        # the equal findings of a file, so that no two findings have the same fingerprint.
        key = "\0".join((finding.kind, finding.location.file, finding.link))
        counts[key] += 1
        result = {
            "ruleId": finding.kind,
            "ruleIndex": kinds.index(finding.kind),
            "level": "error",
            "message": {"text": finding.message},
            "locations": [
                {"physicalLocation": {"artifactLocation": _file(finding.location), "region": _region(finding)}}
            ],
            "partialFingerprints": {
                FINGERPRINT: sha256(f"{key}\0{counts[key]}".encode("utf-8", "backslashreplace")).hexdigest()[:32]
            },
        }
        can_be_fixed = finding.correction is not None and finding.location.span is not None and "\n" not in finding.link
        yield {**result, "fixes": [_fix(finding)]} if can_be_fixed else result


def _file(location: FileLocation) -> SarifObject:
    """The location of a file: an absolute path as a URI, any other relative to the root of the sources."""
    path = Path(location.file)
    if path.is_absolute():
        return {"uri": path.as_uri()}
    return {"uri": quote(os.fsencode(path.as_posix())), "uriBaseId": "%SRCROOT%"}


def _region(finding: Finding) -> SarifObject:
    """The position of a link. A link over several lines has no end column, since it does not end in its first line."""
    location = finding.location
    region = {"startLine": location.line, "startColumn": location.column}
    return region if "\n" in finding.link else {**region, "endColumn": location.column + len(finding.link)}


def _fix(finding: Finding) -> SarifObject:
    """The correction as an edit that a program can apply."""
    replacement = {"deletedRegion": _region(finding), "insertedContent": {"text": finding.correction}}
    change = {"artifactLocation": _file(finding.location), "replacements": [replacement]}
    return {"description": {"text": f"Write {finding.correction}"}, "artifactChanges": [change]}
