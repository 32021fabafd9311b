"""The figures of learns.py: what came of each environment and seed, as a table and a picture."""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

from learning_worlds import Place

from skill_tools.files import write_files

SMOOTH = 15
"""Steps of which a point of the curves is the mean."""


def gathered(places: Sequence[Place], args: argparse.Namespace) -> dict[str, Any]:
    """All figures of a run, as JSON data."""
    worlds = {}
    for place in places:
        world = place.world
        seeds = [_of_seed(args.folder / f"{world.name}-{seed}") for seed in range(args.seeds)]
        played = {who for each in seeds for who in each["returns"]}
        pooled = {who: _pooled([each["returns"][who] for each in seeds]) for who in sorted(played)}
        worlds[world.name] = {
            "title": world.title,
            "environment": world.of,
            "defect": world.defect,
            "warned": place.warned,
            "study": place.studied,
            "steps": world.steps,
            "settings": {key: value for key, value in asdict(world).items() if key != "calls"},
            "seeds": [{k: v for k, v in each.items() if k != "returns"} for each in seeds],
            "all_seeds": _compared(pooled),
        }
    versions = {"date": date.today().isoformat(), "processors": os.cpu_count()}
    return {**versions, "worlds": worlds}


def add_verdicts(places: Sequence[Place], output: Path) -> dict[str, Any]:
    """The figures that are there, with what `learnability` says now of each of their environments."""
    found: dict[str, Any] = json.loads((output / "learns.json").read_text("utf-8"))
    for place in places:
        found["worlds"][place.world.name]["study"] = place.studied
    return found


def _of_seed(folder: Path) -> dict[str, Any]:
    """What came of one environment and seed."""
    returns, calls = {}, {}
    for who in ("random", "warm", "control", "trained", "sound-trained"):
        if (path := folder / f"{who}.json").is_file():
            read = json.loads(path.read_text("utf-8"))
            returns[who] = [statistics.fmean(each) for each in read["returns"]]
            calls[who] = round(read["calls"], 2)
    state = json.loads((folder / "trained" / "trainer_state.json").read_text("utf-8"))
    log = [line for line in state["log_history"] if "reward" in line]
    timed = [json.loads(line) for line in (folder / "seconds.jsonl").read_text().splitlines()]
    curves = {
        "reward": "reward",
        "calls": "tools/call_frequency",
        "alike": "frac_reward_zero_std",
        "stopped": "episodes/stopped",
        "refused": "episodes/refused",
    }
    return {
        "held_out": _compared(returns),
        "calls": calls,
        "curves": {name: [round(line[key], 4) for line in log] for name, key in curves.items()},
        "warm": json.loads((folder / "warm" / "facts.json").read_text("utf-8")),
        "seconds": {each["what"]: each["seconds"] for each in timed},
        **_share(folder / "share.json"),
        "returns": returns,
    }


def _share(path: Path) -> dict[str, Any]:
    """Which part of a training step is the environment's, where that was measured."""
    return {"share": json.loads(path.read_text("utf-8"))} if path.is_file() else {}


def _pooled(seeds: Sequence[Sequence[float]]) -> list[float]:
    """The mean return of each task over the seeds."""
    return [statistics.fmean(each) for each in zip(*seeds, strict=True)]


def _compared(returns: dict[str, list[float]]) -> dict[str, list[float]]:
    """Mean and half of a 95 % interval over tasks: of each player, and of what the trained one has more."""
    found = {who: _mean(each) for who, each in returns.items()}
    for other in ("random", "warm", "control"):
        pairs = zip(returns["trained"], returns[other], strict=True)
        found[f"trained - {other}"] = _mean([after - before for after, before in pairs])
    return found


def _mean(values: Sequence[float]) -> list[float]:
    half = 1.96 * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return [round(statistics.fmean(values), 4), round(half, 4)]


def table(found: dict[str, Any]) -> str:
    """The figures as a Markdown table."""
    headings = ("environment", "seed", "random play", "warm start", "without reward", "after GRPO")
    headings += (
        "gain over the warm start",
        "gain over random play",
        "calls",
        "zero-variance groups",
    )
    lines = [f"| {' | '.join(headings)} |", "|---" * len(headings) + "|"]
    for world in found["worlds"].values():
        each = [(str(n), seed["held_out"], seed) for n, seed in enumerate(world["seeds"])]
        for name, held_out, seed in [*each, ("all", world["all_seeds"], None)]:
            cells = [_cell(held_out[who]) for who in ("random", "warm", "control", "trained")]
            cells += [_cell(held_out[f"trained - {who}"], "+") for who in ("warm", "random")]
            cells += ["", ""]
            if seed:
                last = seed["curves"]["alike"][-SMOOTH:]
                calls = seed["calls"]
                cells[-2:] = [f"{calls['warm']:.1f} to {calls['trained']:.1f}"]
                cells += [f"{statistics.fmean(last):.0%}"]
            title = world["title"] + (f" ({', '.join(world['warned'])})" if world["defect"] else "")
            lines.append(f"| {' | '.join([title, name, *cells])} |")
    lines += ["", "Verdicts of `skill-tools learnability` before any training:", ""]
    for world in found["worlds"].values():
        study = world["study"]
        told = f"; findings: {', '.join(study['findings'])}" if study["findings"] else ""
        lines += [f"- {world['title']}: **{study['verdict']}** ({study['because']}{told})"]
    lines += ["", "Share of time spent in the environment during the first training steps:", ""]
    for world in found["worlds"].values():
        if share := world["seeds"][0].get("share"):
            calls, ours, whole = share["calls"], share["ours"], share["training"]
            part = f"{world['title']} {ours / whole:.2%}, {1e6 * ours / calls:.0f} µs a call"
            lines += [f"- {part} ({calls} calls in {whole:.0f} s)"]
    for world in found["worlds"].values():
        if "sound-trained" in world["all_seeds"]:
            said = _cell(world["all_seeds"]["sound-trained"])
            warned = "; ".join(f"{check}: {text}" for check, text in world["warned"].items())
            lines += ["", f"{world['title']}: in the sound game the same policies get {said}."]
            lines += [f"Before any training, `skill-tools check --play` reported: {warned}"]
    return "\n".join(lines)


def _cell(value: Sequence[float], sign: str = "") -> str:
    mean, half = value
    return f"{mean:{sign}.3f} ± {half:.3f}"


START, STOP = "<!-- figures -->", "<!-- /figures -->"


def write(found: dict[str, Any], output: Path) -> None:
    """Figures, picture, and the table in the page, if it is there."""
    page = output / "learns.md"
    text = page.read_text("utf-8") if page.is_file() else f"{START}\n{STOP}\n"
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(STOP)
    written = f"{before}{START}\n{table(found)}\n{STOP}{after}"
    numbers = json.dumps(found, separators=(",", ":")) + "\n"
    output.mkdir(parents=True, exist_ok=True)
    write_files(
        output, {"learns.json": numbers, "learns.svg": _picture(found), "learns.md": written}
    )


WIDE, HIGH, LEFT, TOP = 430, 250, 46, 46
STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #24292f }
  .small { font-size: 11px; fill: #57606a }
  .axis { stroke: #8c959f; stroke-width: 1 }
  .curve { fill: none; stroke-width: 1.6 }
  .s0 { stroke: #0969da } .s1 { stroke: #bc4c00 } .s2 { stroke: #1a7f37 } .s3 { stroke: #8250df }
  .chance { stroke: #57606a; stroke-dasharray: 5 4 } .control { stroke: #cf222e; stroke-dasharray: 1 3 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .small { fill: #9198a1 }
    .s0 { stroke: #4493f8 } .s1 { stroke: #f0883e } .s2 { stroke: #3fb950 } .s3 { stroke: #ab7df8 }
    .chance { stroke: #9198a1 } .control { stroke: #f85149 }
  }
"""


def _picture(found: dict[str, Any]) -> str:
    """The curves: a panel per environment, a line per seed, and held-out play beside them."""
    panels = list(found["worlds"].values())
    height = HIGH * math.ceil(len(panels) / 2) + 44
    drawn = [_panel(world, WIDE * (n % 2), HIGH * (n // 2)) for n, world in enumerate(panels)]
    told = (
        (
            f"Lines: mean training return per step, one per seed, each point the mean of {SMOOTH} steps. Dashed: "
            "legal play by chance."
        ),
        "Dotted: trained on without reward. Points: held-out tasks before and after, with 95 % over tasks.",
    )
    legend = "\n".join(
        f'<text class="small" x="{LEFT}" y="{height - 26 + 16 * n}">{text}</text>'
        for n, text in enumerate(told)
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * WIDE} {height}" role="img">'
    title = "<title>Return while policies are trained by GRPO, per environment and seed</title>"
    return "\n".join([head, title, f"<style>{STYLE}</style>", *drawn, legend, "</svg>"]) + "\n"


def _panel(world: dict[str, Any], x: int, y: int) -> str:
    curves = [_smooth(seed["curves"]["reward"]) for seed in world["seeds"]]
    held_out = [seed["held_out"] for seed in world["seeds"]]
    known = [v for curve in curves for v in curve]
    ends = [each[who] for each in held_out for who in ("random", "warm", "control", "trained")]
    known += [end for mean, half in ends for end in (mean - half, mean + half)]
    low, high = min(0.0, *known), max(0.1, *known)
    low, high = low - 0.04 * (high - low), high + 0.04 * (high - low)
    wide, tall = WIDE - LEFT - 40, HIGH - TOP - 34
    steps = world["steps"]

    def at(step: float, value: float) -> tuple[float, float]:
        return (
            round(x + LEFT + wide * step / max(1, steps), 1),
            round(y + TOP + tall * (1 - (value - low) / (high - low)), 1),
        )

    def line(kind: str, points: Sequence[tuple[float, float]]) -> str:
        return (
            f'<polyline class="curve {kind}" points="{" ".join(f"{a},{b}" for a, b in points)}"/>'
        )

    parts = [f'<text x="{x + LEFT}" y="{y + 18}" font-weight="600">{world["title"]}</text>']
    told = f"study said: {world['study']['verdict']}"
    if world["defect"]:
        told += f"; a seeded exploit, of which {', '.join(world['warned']) or 'nothing'} warned"
    parts.append(f'<text class="small" x="{x + LEFT}" y="{y + 34}">{told}</text>')
    parts.append(line("axis", [at(0, high), at(0, low), at(steps, low)]))
    for value in _ticks(low, high):
        a, b = at(0, value)
        parts.append(
            f'<text class="small" x="{a - 6}" y="{b + 4}" text-anchor="end">{value:g}</text>'
        )
        parts.append(f'<line class="axis" x1="{a - 3}" y1="{b}" x2="{a}" y2="{b}"/>')
    for step in (0, steps // 2, steps):
        a, b = at(step, low)
        label = f"{step} steps" if step == steps else str(step)
        parts.append(
            f'<text class="small" x="{a}" y="{b + 15}" text-anchor="middle">{label}</text>'
        )
    for who, kind in (("random", "chance"), ("control", "control")):
        value = world["all_seeds"][who][0]
        parts.append(line(kind, [at(0, value), at(steps, value)]))
    for n, (curve, each) in enumerate(zip(curves, held_out, strict=True)):
        kind = f"s{n % 4}"
        first = SMOOTH / 2 if len(curve) > 1 else 0
        parts.append(line(kind, [at(first + step, value) for step, value in enumerate(curve)]))
        for step, who in ((0, "warm"), (steps, "trained")):
            mean, half = each[who]
            (a, b), (_, up), (_, down) = (
                at(step, mean),
                at(step, mean + half),
                at(step, mean - half),
            )
            a += (5 + 6 * n) * (1 if step else -0.0)
            parts.append(f'<line class="curve {kind}" x1="{a}" y1="{up}" x2="{a}" y2="{down}"/>')
            parts.append(f'<circle class="curve {kind}" cx="{a}" cy="{b}" r="2.5"/>')
    return "\n".join(parts)


def _smooth(values: Sequence[float]) -> list[float]:
    if len(values) < SMOOTH:
        return [statistics.fmean(values)]
    return [statistics.fmean(values[at : at + SMOOTH]) for at in range(len(values) - SMOOTH + 1)]


def _ticks(low: float, high: float) -> list[float]:
    step = next(s for s in (0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1.0) if (high - low) / s <= 6)
    return [round(step * n, 4) for n in range(math.ceil(low / step), math.floor(high / step) + 1)]
