"""A job summary in Markdown: the verdict, the gate and the findings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skill_tools.report.formats.ruled import Ruled
from skill_tools.report.plain_text import visible

FOUND = {"fail": "failed", "warn": "to look at", "note": "noted", "excepted": "excepted"}
"""Statuses that are written out, with their headings."""
_SPECIAL = re.compile(r"[\\`*_{}\[\]()#+\-!|<>~@&$^=\"']|(?<=\w):(?=//)|(?<=www)\.", re.IGNORECASE)
"""Characters and sequences that Markdown, HTML or extensions for links, names and formulas
interpret."""


def as_markdown(ruled: Ruled) -> str:
    """Return the summary. Text from the environment is shown literally, never as Markdown or HTML."""
    return "\n".join(_lines(ruled)) + "\n"


def plain(text: str) -> str:
    """Escape a text so that Markdown shows it literally, on one line."""
    shown = _SPECIAL.sub(lambda found: f"&#{ord(found[0])};", visible(text))
    return "<br>".join(line.strip() for line in shown.strip().split("\n"))


def _lines(ruled: Ruled) -> Iterator[str]:
    report = ruled.report
    yield f"## {plain(report.title)}: {report.word}"
    yield ""
    yield from (line for each in report.lacking for line in (f"It needs {plain(each)}.", ""))
    failing = ruled.failing
    yield "The gate passes." if not failing else "**The gate fails:**"
    yield ""
    yield from (f"- {plain(each.fails)}" for each in failing)
    yield from (
        f"- fixed: {plain(each.words)}: remove it from the baseline" for each in ruled.fixed
    )
    if failing or ruled.fixed:
        yield ""
    if report.measures:
        yield from ("| measure | value |", "|---|---|")
        yield from (f"| {plain(name)} | {value:g} |" for name, value in report.measures.items())
        yield ""
    found = list(ruled.findings(*FOUND))
    if found:
        yield from ("| | check | what | fix |", "|---|---|---|---|")
    for finding, known in found:
        status = "known" if known is not None else FOUND[finding.status]
        what = plain(finding.message) + (f" ({plain(known)})" if known else "")
        what += f"<br>repro: {plain(finding.repro)}" if finding.repro else ""
        fix = "" if finding.status == "excepted" else plain(finding.fix)
        yield f"| {status} | {plain(f'{finding.check} {finding.name}')} | {what} | {fix} |"
    if found:
        yield ""
    yield from _skipped(ruled)
    passed = report.counts.get("pass", 0)
    yield f"{passed} checks passed; {report.tasks} tasks of {plain(report.split or 'no split')}, {report.seconds:g} s"


def _skipped(ruled: Ruled) -> Iterator[str]:
    """Yield the skipped checks, grouped by reason in a collapsed section."""
    reasons: dict[str, list[str]] = {}
    for finding, _ in ruled.findings("skip"):
        if finding.check not in ruled.report.not_for_audits:
            reasons.setdefault(finding.message, []).append(finding.check)
    if reasons:
        count = sum(map(len, reasons.values()))
        yield f"<details><summary>{count} checks did not apply</summary>"
        yield ""
        yield from (f"- {', '.join(checks)}: {plain(why)}" for why, checks in reasons.items())
        yield from ("", "</details>", "")
