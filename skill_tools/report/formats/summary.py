"""Markdown for the summary of a job: the verdict, the gate, and what was found."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skill_tools.report.formats.ruled import Ruled
from skill_tools.report.plain_text import visible

FOUND = {"fail": "failed", "warn": "to look at", "note": "noted", "excepted": "excepted"}
"""What is written out, and what it is called."""
_SPECIAL = re.compile(r"[\\`*_{}\[\]()#+\-!|<>~@&$^=\"']|(?<=\w):(?=//)|(?<=www)\.", re.IGNORECASE)
"""What Markdown, HTML or a reader's own rules for links, names and formulas take for more than itself."""


def as_markdown(ruled: Ruled) -> str:
    """The summary. What an environment said is text in it, and neither Markdown nor HTML."""
    return "\n".join(_lines(ruled)) + "\n"


def plain(text: str) -> str:
    """A text as Markdown that shows it and does nothing else, on one line."""
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
        f"- fixed: {plain(each.words)}: remove it from the baseline" for each in ruled.mended
    )
    if failing or ruled.mended:
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
    """The checks that had nothing to look at, by the reason, folded."""
    reasons: dict[str, list[str]] = {}
    for finding, _ in ruled.findings("skip"):
        if finding.check not in ruled.report.not_for_audits:
            reasons.setdefault(finding.message, []).append(finding.check)
    if reasons:
        count = sum(map(len, reasons.values()))
        yield f"<details><summary>{count} checks had nothing to look at</summary>"
        yield ""
        yield from (f"- {', '.join(checks)}: {plain(why)}" for why, checks in reasons.items())
        yield from ("", "</details>", "")
