"""The table of imported public environments, for the page about ports."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent / "corpora/ports"
PAGE = HERE.parent.parent / "docs/ports.md"
LONGEST = 160
"""Maximum characters of a reason or finding on the page."""


MARK = "<!-- generated: imported, by `python -m tools` from corpora/ports -->"
END = "<!-- end -->"


def contents() -> str:
    """Return the page about ports, with its table up to date."""
    text = PAGE.read_text("utf-8")
    before, _, rest = text.partition(MARK)
    _, _, after = rest.partition(END)
    table = "\n".join(rows())
    return f"{before}{MARK}\n{table}\n{END}{after}"


def rows() -> Iterator[str]:
    """Yield the lines of the table, one for each target that was tried, in the order of the first try."""
    yield "| environment | kind | wrapped | built | compared | rewritten |"
    yield "|---|---|---|---|---|---|"
    lines = (HERE / "results.jsonl").read_text("utf-8").splitlines()
    for each in {one["name"]: one for one in map(json.loads, lines)}.values():
        cells = (each["name"], each["kind"], *_outcome(each))
        yield f"| {' | '.join(cells)} |"


def _outcome(each: dict[str, Any]) -> tuple[str, str, str, str]:
    """Return whether a target was wrapped, the results of its build and comparison, and the results of its rewrite."""
    if not each["imported"]:
        return f"no: {_short(each['reason'])}", "", "", ""
    wrapped = f"{each['tasks']} tasks, {each['solved']} solved" if "tasks" in each else ""
    if "tools" in each:
        own = "tasks and reward" if wrapped else "prompt and reward"
        wrapped = f"{each['tools']} tools; {own} in `environments`"
    built = each.get("build", "")
    if built == "green":
        built = f"green in {len(each['variants'])} frameworks"
    elif each.get("messages"):
        built = f"{built} ({_short(each['messages'][0]).replace(': ', '): ', 1)}"
    return wrapped, built, _compared(each), _compared(each.get("rewritten", {}))


def _compared(result: dict[str, Any]) -> str:
    """Return the result of a comparison, or "" if there was none."""
    if "actions" not in result:
        return str(result.get("compared", ""))
    return f"{result['compared']}, {result['agreed']:,} of {result['actions']:,} actions"


def _short(text: str) -> str:
    line = " ".join(text.removeprefix("error: ").split()).replace("|", "\\|")
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"
