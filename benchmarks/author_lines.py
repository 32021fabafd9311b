"""Lines that the author of connect four writes, of all lines of its variants."""

from __future__ import annotations

import argparse
import sys

from side_by_side import AUTHORED, CONNECT_FOUR, Row, show

import skill_tools
from skill_tools.render.plan import plan

SHARE = 0.25
BY_HAND = 1300
"""What a strong coding agent without us wrote for such a game (DESIGN.md, section 11)."""


def main() -> int:
    """Count and print; returns the exit code."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    written = {name: lines((CONNECT_FOUR / name).read_text("utf-8")) for name in AUTHORED}
    rendered: dict[str, int] = {}
    for path, text in plan(skill_tools.load(CONNECT_FOUR)).items():
        where = path.partition("/")[0] if "/" in path else "shared by all variants"
        rendered[where] = rendered.get(where, 0) + lines(text)
    mine, total = sum(written.values()), sum(written.values()) + sum(rendered.values())
    share = mine / total
    rows = [
        Row(
            "the author's lines, of all",
            str(mine),
            str(total),
            f"{share:.1%}",
            f"under {SHARE:.0%}",
            share < SHARE,
        ),
        Row(
            "the author's lines, of those by hand", str(mine), str(BY_HAND), f"{mine / BY_HAND:.1%}"
        ),
        *(Row(f"  author: {name}", str(count)) for name, count in written.items()),
        *(Row(f"  rendered: {where}", "", str(count)) for where, count in rendered.items()),
    ]
    return show("Connect four, lines that are not blank", "all", rows)


def lines(text: str) -> int:
    """Lines that are not blank."""
    return sum(1 for line in text.splitlines() if line.strip())


if __name__ == "__main__":
    sys.exit(main())
