"""The report as SARIF 2.1.0, a format that code hosts and editors display next to the files."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from skill_tools import __version__
from skill_tools.checks import MODULES, Finding, catalogue
from skill_tools.checks.check import Place
from skill_tools.report.formats.ruled import Ruled
from skill_tools.report.plain_text import one_line, visible

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
"""The id of the official schema."""
LEVELS = {"fail": "error", "warn": "warning", "note": "note", "excepted": "note"}
"""The SARIF level of each status that is a result."""
DOCS = "SKILL_TOOLS_DOCS"
"""The environment variable with the address of the docs/ folder; the GitHub action sets it."""
_CLONE = Path(__file__).resolve().parents[3] / "docs"


def as_sarif(ruled: Ruled) -> str:
    """Return the SARIF log, with a rule for each check that ran and a result for each finding that needs action.

    Known findings and exceptions are suppressed, with the reason. A fingerprint depends on the check and the
    place.
    """
    report = ruled.report
    entries = {each.id: each for each in (*catalogue.entries(), *catalogue.own_entries())}
    asked = sorted({finding.check for finding in report.findings} & entries.keys())
    results = [_result(ruled, finding, known, asked) for finding, known in ruled.findings(*LEVELS)]
    run = {
        "tool": {
            "driver": {
                "name": "skill-tools",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": [_rule(entries[each]) for each in asked],
            }
        },
        "invocations": [{"executionSuccessful": True}],
        "results": results,
        "columnKind": "unicodeCodePoints",
        "properties": {
            "environment": visible(report.environment),
            "verdict": report.verdict,
            "unjudged": [visible(each) for each in report.unjudged],
            "measures": report.measures,
            "gate": [visible(each.fails) for each in ruled.failing],
        },
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _rule(entry: catalogue.Entry) -> dict[str, Any]:
    level = {"error": "error", "warning": "warning"}.get(entry.level, "note")
    more = f"`skill-tools explain {entry.id}` explains this check."
    rule = {
        "id": entry.id,
        "name": "".join(part.capitalize() for part in entry.name.split("-")),
        "shortDescription": {"text": entry.what},
        "fullDescription": {"text": entry.why or entry.what},
        "help": {"text": f"{entry.fix}\n\n{more}"},
        "defaultConfiguration": {"level": level},
        "properties": {"tags": [entry.family]},
    }
    where = os.environ.get(DOCS) or (_CLONE.as_uri() if _CLONE.is_dir() else "")
    if where and not entry.package:
        page = MODULES[entry.id[:3]]
        rule["helpUri"] = f"{where}/checks/{page}.md#{entry.id.lower()}-{entry.name}"
    return rule


def _result(ruled: Ruled, finding: Finding, known: str | None, asked: list[str]) -> dict[str, Any]:
    text = "\n".join([finding.message, *([f"see: {finding.replay}"] if finding.replay else [])])
    result: dict[str, Any] = {
        "ruleId": finding.check,
        "level": LEVELS[finding.status],
        # A link in a message comes from the environment's author.
        "message": {"text": visible(text).replace("](", "] (") or finding.name},
        "locations": _locations(ruled, finding.place),
        "partialFingerprints": {"skillTools/v1": _fingerprint(finding)},
    }
    if finding.check in asked:
        result["ruleIndex"] = asked.index(finding.check)
    if finding.repro:
        result["properties"] = {"repro": visible(finding.repro)}
    if finding.status == "excepted":
        result["suppressions"] = [{"kind": "inSource", "justification": "exceptions in env.yaml"}]
    elif known is not None:
        words = one_line(known) or "the baseline lists it"
        result["suppressions"] = [{"kind": "external", "justification": words}]
    if ruled.known is not None:
        result["baselineState"] = "new" if known is None else "unchanged"
    return result


def _locations(ruled: Ruled, place: Place) -> list[dict[str, Any]]:
    names = [("task", place.task), ("tool", place.tool), ("parameter", place.parameter)]
    logical = [{"name": one_line(name), "kind": kind} for kind, name in names if name]
    location: dict[str, Any] = {"logicalLocations": logical} if logical else {}
    if where := ruled.locate(place):
        file, line = where
        absolute = Path(file).is_absolute()
        uri = Path(visible(file)).as_uri() if absolute else quote(visible(file))
        artifact = {"uri": uri} if absolute else {"uri": uri, "uriBaseId": "%SRCROOT%"}
        location["physicalLocation"] = {
            "artifactLocation": artifact,
            "region": {"startLine": max(1, line)},
        }
    return [location] if location else []


def _fingerprint(finding: Finding) -> str:
    place = finding.place
    return _hashed([finding.check, place.task, place.tool, place.parameter, place.file])


def _hashed(parts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(visible(part) for part in parts).encode()).hexdigest()[:32]
