"""GitHub Actions workflow commands: an annotation for each finding, at its file and line."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.report.formats.ruled import Ruled
from skill_tools.report.plain_text import one_line, visible

COMMANDS = {"fail": "error", "warn": "warning", "note": "notice"}
"""The command for each status."""


def as_github(ruled: Ruled) -> str:
    """Return one command per line: first the findings, then the gate.

    The worst findings come first, because GitHub shows only ten of each kind. Known findings are notices. Text
    from an environment can neither start a command nor end a property.
    """
    return "\n".join(_lines(ruled))


def _lines(ruled: Ruled) -> Iterator[str]:
    report = ruled.report
    for finding, known in ruled.findings(*COMMANDS):
        command = COMMANDS[finding.status] if known is None else "notice"
        said = f"known{': ' if known else ''}{known}\n" if known is not None else ""
        fix = f"\nfix: {finding.fix}" if finding.fix else ""
        replay = f"\nsee: {finding.replay}" if finding.replay else ""
        title = f"{finding.check} {finding.name}"
        repro = f"\nrepro: {finding.repro}" if finding.repro else ""
        where = ruled.locate(finding.place)
        yield _command(command, title, f"{said}{finding.message}{fix}{replay}{repro}", where)
    for entry in ruled.fixed:
        yield _command("notice", "baseline", f"fixed: {entry.words}: remove it from the baseline")
    for ruling in ruled.failing:
        yield _command("error", "skill-tools", ruling.fails)
    needs = f": the verdict needs {'; '.join(report.lacking)}" if report.lacking else ""
    told = f"{one_line(report.title, 200)}: {report.word}{needs}"
    yield _command("notice", "skill-tools", told)


def _command(name: str, title: str, message: str, where: tuple[str, int] | None = None) -> str:
    place = {"file": where[0], "line": str(where[1])} if where else {}
    properties = {**place, "title": title}
    told = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{name} {told}::{_data(message)}"


def _data(text: str) -> str:
    """Escape a message, including its line endings, so that it is valid data of a command."""
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape a text for use as the value of a property."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
