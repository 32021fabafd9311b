"""Files and lines of each environment: what its author writes, and what is rendered for it."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from comparison import AUTHORED, CONNECT_FOUR, Row, show

from skill_tools import load
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.render.plan import plan, texts

SHARE = 0.25
"""Of all lines of connect four in the four usual frameworks, blank ones left out."""
BY_HAND = 1300
"""What a strong coding agent without us wrote for such a game (DESIGN.md, section 11)."""
MOST_FILES, MOST_LINES, MOST_NEMO = 34, 2900, 450
"""Of Wordle in six variants, blank lines included; and lines of Python of its NeMo Gym variant."""
OWNED = {"jupyter_env": (60, 3200), "desktop_env": (55, 4000)}
"""Files and lines of an environment at the most, in six frameworks: what is
rendered, and its author's spec, domain and oracle; not what makes data and solutions of its tasks."""
SIX = tuple(name for name in FRAMEWORKS if name != "trl")
"""The frameworks that the bars are for; the variant for TRL came later, and is counted below."""
BESIDE = {"scripts", "solutions"}
REFERENCES = Path(__file__).resolve().parents[1] / "reference_envs"


def main() -> int:
    """Count and print; returns the exit code."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    rows = [*_shares(), *_targets()]
    for folder in (*(REFERENCES / name for name in ("wordle_env", *OWNED)), CONNECT_FOUR):
        rows += _environment(folder)
    return show("Files and lines", "all", rows)


def _shares() -> list[Row]:
    planned = texts(plan(load(CONNECT_FOUR)))
    mine = sum(filled((CONNECT_FOUR / name).read_text("utf-8")) for name in AUTHORED)
    total = mine + sum(map(filled, planned.values()))
    share = mine / total
    bar = f"under {SHARE:.0%}"
    return [
        Row("connect four: the author's lines, of all", str(mine), str(total), f"{share:.1%}", bar,
            share < SHARE),
        Row("connect four: the author's lines, of those by hand", str(mine), str(BY_HAND),
            f"{mine / BY_HAND:.1%}"),
    ]  # fmt: skip


def _targets() -> list[Row]:
    planned = texts(plan(load(REFERENCES / "wordle_env").with_frameworks(SIX)))
    lines = {path: len(text.splitlines()) for path, text in planned.items()}
    nemo = sum(
        n for path, n in lines.items() if path.startswith("nemo_gym/") and path[-3:] == ".py"
    )
    found = (
        ("Wordle in six variants: files", len(planned), MOST_FILES),
        ("Wordle in six variants: lines", sum(lines.values()), MOST_LINES),
        ("Wordle: Python of the NeMo Gym variant", nemo, MOST_NEMO),
    )
    found += tuple(_owned())
    return [
        Row(what, str(count), "", "", f"at most {most}", count <= most)
        for what, count, most in found
    ]


def _owned() -> Iterator[tuple[str, int, int]]:
    for name, (most_files, most_lines) in OWNED.items():
        folder = REFERENCES / name
        planned = plan(load(folder).with_frameworks(SIX))
        everything = planned.keys() | plan(load(folder))
        own = [
            path for path in _texts(folder) if path.relative_to(folder).as_posix() not in everything
        ]
        own = [path for path in own if not BESIDE & set(path.relative_to(folder).parts)]
        written = [path.read_text("utf-8") for path in own] + list(texts(planned).values())
        yield f"{name}: files", len(own) + len(planned), most_files
        yield f"{name}: lines", sum(len(text.splitlines()) for text in written), most_lines


def _environment(folder: Path) -> list[Row]:
    """What the author of an environment owns and what is rendered, by folder."""
    planned = plan(load(folder).with_frameworks(FRAMEWORKS))
    own = [path for path in _texts(folder) if path.relative_to(folder).as_posix() not in planned]
    name = folder.parent.name if folder.name == "reference" else folder.name
    rows = [Row(f"{name}: the author's own", *_counted([p.read_text("utf-8") for p in own]))]
    count = f"{len(FRAMEWORKS)} frameworks"
    rows.append(Row(f"{name}: rendered for {count}", *_counted(list(planned.values()))))
    places = Counter(path.partition("/")[0] if "/" in path else "(top)" for path in planned)
    for place in places:
        there = [
            text
            for path, text in planned.items()
            if (path.partition("/")[0] if "/" in path else "(top)") == place
        ]
        rows.append(Row(f"    {place}", *_counted(there)))
    return rows


def _texts(folder: Path) -> list[Path]:
    """Code and declarations of an environment's folder; no data, caches or reports."""
    kinds = {".py", ".yaml", ".toml", ".md"}
    paths = (p for p in sorted(folder.rglob("*")) if p.is_file() and p.suffix in kinds)
    skipped = {"runs", "__pycache__", "data", "node_modules"}
    return [
        p for p in paths
        if not any(part in skipped or part.startswith(".") for part in p.relative_to(folder).parts)
    ]  # fmt: skip


def _counted(contents: list[str | bytes]) -> tuple[str, str]:
    lines = sum(len(each.splitlines()) for each in contents if isinstance(each, str))
    return f"{len(contents)} files", f"{lines} lines"


def filled(text: str) -> int:
    """Lines that are not blank."""
    return sum(1 for line in text.splitlines() if line.strip())


if __name__ == "__main__":
    sys.exit(main())
