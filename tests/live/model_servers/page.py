"""The table of kinds in docs/model_servers.md; ``python -m tests.live.model_servers.page`` writes it."""

from __future__ import annotations

from pathlib import Path

from . import items, known, shapes, tokens, troubles
from .wire import Expected, Kind

PAGE = Path(__file__).parents[3] / "docs" / "model_servers.md"
START, END = (
    "<!-- kinds: written by tests/live/model_servers/page.py -->\n",
    "<!-- end of kinds -->",
)
GROUPS = {
    "How a message ends": [*known.ENDS, *shapes.ENDS],
    "Calls": [*known.ARGUMENTS, *known.IDS, *shapes.CALLS],
    "What goes back to the server": [*known.BACK, *shapes.REASONING],
    "Settings": shapes.SETTINGS,
    "A full context": known.LIMITS,
    "Busy, broken or out of money": troubles.BUSY,
    "Streams": troubles.STREAMS,
    "The Responses API": items.KINDS,
    "Tokens, if requested": tokens.KINDS,
}


def outcome(expected: Expected) -> str:
    """How an episode ends, in words."""
    once = ", after an adapted retry" if expected.refused and expected.end != "failed" else ""
    if expected.end == "failed":
        return "`failed`"
    if expected.limit:
        return f"`{expected.end}`, `{expected.limit}`"
    if expected.end != "terminated":
        return f"`{expected.end}`"
    odd = next(filter(None, expected.errors), None)
    if odd is None:
        again = ", after a retry" if expected.requests else ""
        return f"played{once}{again}"
    return f"refused (`{odd}`), continues{once}"


def table() -> str:
    """All kinds by group, with the thread that reports each."""
    lines = []
    for title, kinds in GROUPS.items():
        lines += [
            f"\n### {title}\n",
            "| server behavior | reported in | with tools | with text actions |",
            "|---|---|---|---|",
        ]
        lines += [_row(kind) for kind in kinds]
    return "\n".join(lines).lstrip("\n") + "\n"


def _row(kind: Kind) -> str:
    repository, _, number = kind.source.partition("#")
    link = f"[{kind.source}](https://github.com/{repository}/issues/{number})"
    text = "" if kind.api == "responses" else outcome(kind.text)
    what = kind.what.replace("|", "\\|")
    return f"| {what} | {link} | {outcome(kind.calling)} | {text} |"


def written(page: str) -> str:
    """The page with the table as it is now."""
    before, _, rest = page.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n{table()}\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8")
