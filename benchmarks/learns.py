"""Whether a policy learns in environments that we render: GRPO by TRL's trainer, held-out tasks before and after.

usage: .venv/bin/python benchmarks/learns.py [--quick] [--only NAME …] [--seeds N]

Small policies (benchmarks/load/learning.py says what they are) are taught random legal play, trained by
the rendered `train.py`, and played on tasks that they never saw. Beside them: legal play by chance, and the same
policies trained on without reward. Goofspiel and haggling should teach, Wordle cannot (all or nothing, and chance
never wins), and a Goofspiel with a defect is exploited; `skill-tools check --play` says what warned of it. What came
of each environment and seed is kept in --folder, so that a run that was ended goes on where it was. Figures, picture
and table go into --output.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from comparison import HERE, LOAD, ROOT, Variant, say, venvs_of_this_run

sys.path.insert(0, str(ROOT))

import skill_tools
from skill_tools.files import write_files
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.play.rollouts.rollout import variant_venv
from skill_tools.runtime import supervise
from skill_tools.runtime.environment import child_environment
from tests.mutants.corpus import FOUND, Mutant, copy_environment, mutants

Calls = list[tuple[str, dict[str, Any]]]
PROGRAM = LOAD / "learning.py"
SMOOTH = 15
"""Steps of which a point of the curves is the mean."""
BIDS: Calls = [("bid", {"card": card}) for card in range(1, 9)]
MORE_DUELS = (
    ("tasks.py", "range(24)", "range(1000, 1400)"),
    ("tasks.py", "range(300, 312)", "range(300, 364)"),
)


@dataclass(frozen=True)
class World:
    """An environment, and how a policy is trained in it.

    of: its name among the author's; defect: a mutant of it. edits: file, what is found, what is put instead.
    calls: the calls of the vocabulary; words: a file with one per word. numbers: all below are words.
    stops: how often the random play that is imitated stops before a call.
    """

    name: str
    title: str
    of: str
    steps: int
    rate: float
    edits: tuple[tuple[str, str, str], ...] = ()
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()
    words: str = ""
    numbers: int = 151
    defect: str = ""
    tasks_per_step: int = 8
    episodes: int = 8
    tokens: int = 700
    stops: float = 0.0
    warm_steps: int = 800
    warm_batch: int = 16
    warm_rate: float = 4e-3
    random_episodes: int = 1024
    held_out_tasks: int = 64
    held_out_episodes: int = 4


WORLDS = (
    World("duel", "Goofspiel", "goofspiel-duel", 100, 5e-4, MORE_DUELS, tuple(BIDS)),
    World(
        "haggle",
        "Haggling",
        "flea-haggle",
        120,
        1e-3,
        (
            ("tasks.py", "range(24)", "range(1000, 1400)"),
            ("tasks.py", "range(900, 912)", "range(300, 364)"),
            ("tasks.py", "number % len(LEVELS)", "0"),
            ("tasks.py", '"price": [60, 150]', '"price": [90, 110]'),
        ),
        (("accept", {}), *(("offer", {"price": price}) for price in range(1, 112))),
        warm_steps=300,
    ),
    World("wordle", "Wordle", "wordle", 40, 3e-4, words="answers.txt", warm_steps=100),
    World(
        "banked",
        "Goofspiel whose lead is banked",
        "goofspiel-duel",
        60,
        5e-4,
        MORE_DUELS,
        tuple(BIDS),
        defect="goofspiel-duel-lead-is-banked",
    ),
)


@dataclass(frozen=True)
class Place:
    """A copy of an environment, rendered, with TRL's venv. warned: checks that `check --play` found it by."""

    world: World
    name: str
    variant: Variant
    warned: dict[str, str]


def main() -> int:
    """Train, play, write; returns the exit code."""
    args = _arguments()
    began = time.monotonic()
    worlds = [_small(world) if args.quick else world for world in WORLDS]
    worlds = [world for world in worlds if world.name in args.only]
    args.folder.mkdir(parents=True, exist_ok=True)
    places = [_place(world, args.folder) for world in worlds]
    variants = [place.variant for place in places]
    with venvs_of_this_run(variants), ThreadPoolExecutor(args.at_once) as pool:
        each = [(place, seed) for seed in range(args.seeds) for place in places]
        jobs = [pool.submit(_one, place, places, seed, args.folder) for place, seed in each]
        for job in jobs:
            job.result()
    found = _gathered(places, args)
    found["seconds_of_this_run"] = round(time.monotonic() - began)
    _write(found, args.output)
    print(_table(found))
    say(f"{found['seconds_of_this_run']} s in all")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    names = [world.name for world in WORLDS]
    parser.add_argument("--only", nargs="+", choices=names, default=names)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--at-once", type=int, default=2, help="processes, of one thread each")
    parser.add_argument("--quick", action="store_true", help="few of everything: does it run?")
    kept = Path(tempfile.gettempdir()) / "skill-tools-learns"
    parser.add_argument("--folder", type=Path, default=kept, help="where the runs are kept")
    parser.add_argument("--output", type=Path, default=HERE, help="where figures and picture go")
    args = parser.parse_args()
    if args.quick:
        args.seeds, args.folder = 1, args.folder.with_name(args.folder.name + "-quick")
    return args


def _small(world: World) -> World:
    """As little of everything as has all parts played."""
    few = {"steps": 2, "tasks_per_step": 2, "episodes": 2, "warm_steps": 3, "warm_batch": 4}
    return replace(world, **few, random_episodes=8, held_out_tasks=4, held_out_episodes=2)


def _place(world: World, kept: Path) -> Place:
    """Copy an environment, check it, render it for TRL, and prepare the venv."""
    folder = kept / "environments" / world.name
    shutil.rmtree(folder, ignore_errors=True)
    copy_environment(world.of, folder)
    warned = {}
    if world.defect:
        (mutant,) = (each for each in mutants() if each.name == world.defect)
        _edit(folder, [(each["file"], each["find"], each["put"]) for each in mutant.edits])
        say(f"{world.name}: check --play")
        warned = _warnings(folder, mutant)
    _edit(folder, world.edits)
    if world.edits:
        _leave_out_examples(folder)
    spec = skill_tools.render(folder, ["trl"]).spec
    say(f"{world.name}: preparing the venv of TRL")
    venv = variant_venv(spec, folder, FRAMEWORKS["trl"], progress=say)
    return Place(world, spec.name, Variant(folder, "trl", venv), warned)


def _warnings(folder: Path, mutant: Mutant) -> dict[str, str]:
    """What warned of the defect, of all that `check --play` found: the checks that name its cause."""
    found = skill_tools.check(folder, play=True).report.findings
    told: dict[str, str] = {}
    for each in found:  # the first of a check is the one that says it
        if each.status in FOUND and each.check in mutant.finds:
            told.setdefault(each.check, each.message)
    return told


def _edit(folder: Path, edits: Sequence[tuple[str, str, str]]) -> None:
    for name, find, put in edits:
        text = (folder / name).read_text("utf-8")
        if text.count(find) != 1:
            raise ValueError(f"{find!r} is not once in {name} of {folder.name}")
        (folder / name).write_text(text.replace(find, put), "utf-8")


def _leave_out_examples(folder: Path) -> None:
    """Take worked examples away: their tasks are others after an edit of tasks.py."""
    from tests.mutants.corpus import leave_out_examples

    leave_out_examples(folder)


def _one(place: Place, places: Sequence[Place], seed: int, kept: Path) -> None:
    """Warm start, control, GRPO and held-out play of one environment and seed; what is there already stays."""
    world = place.world
    folder = kept / f"{world.name}-{seed}"
    plan = _plan(place, seed, folder)
    written = folder / "plan.json"
    if not written.is_file() or json.loads(written.read_text("utf-8")) != plan:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        written.write_text(json.dumps(plan), "utf-8")
    if not (folder / "control.json").is_file():
        stages = ("start", "control", "play:random", "play:warm", "play:control")
        _run(place, folder, "before", PROGRAM, written, *stages)
    trained = folder / "trained"
    if not (trained / "model.safetensors").is_file():
        resumed = ["--resume"] if any(trained.glob("checkpoint-*")) else []
        if not resumed:
            shutil.rmtree(trained, ignore_errors=True)
        how = {
            "model": folder / "warm",
            "split": plan["train"],
            "actions": "tools",
            "steps": world.steps,
            "tasks-per-step": world.tasks_per_step,
            "episodes": world.episodes,
            "learning-rate": world.rate,
            "tokens": world.tokens,
            "save": 25,
            "seed": seed,
            "output": trained,
        }
        options = [str(part) for key, value in how.items() for part in (f"--{key}", value)]
        _run(place, folder, "training", "train.py", *options, *resumed)
    if not (folder / "trained.json").is_file():
        _run(place, folder, "after", PROGRAM, written, "play:trained")
    sound = [other for other in places if other.world.of == world.of and not other.world.defect]
    if world.defect and sound and not (folder / "sound-trained.json").is_file():
        path = folder / "plan-sound.json"
        path.write_text(json.dumps({**plan, "as": "sound-"}), "utf-8")
        _run(sound[0], folder, "sound", PROGRAM, path, "play:trained")
    result = json.loads((folder / "trained.json").read_text("utf-8"))
    mean = statistics.fmean(map(statistics.fmean, result["returns"]))
    say(f"{world.name}, seed {seed}: {mean:.3f} on held-out tasks after {world.steps} steps")


def _plan(place: Place, seed: int, folder: Path) -> dict[str, Any]:
    """What the program in the venv is told."""
    world = place.world
    calls: Calls = list(world.calls)
    if world.words:
        words = (place.variant.folder / world.words).read_text("utf-8").split()
        calls = [("guess", {"word": word}) for word in words]
    told = asdict(world)
    for name in ("edits", "calls", "words", "of", "title", "defect"):
        del told[name]
    ours = {"name": place.name, "seed": seed, "folder": str(folder), "train": "train"}
    sizes = {"hidden": 64, "layers": 2, "at_once": 256, "held_out": "test"}
    return {**told, **ours, **sizes, "calls": [list(call) for call in calls]}


def _run(place: Place, folder: Path, what: str, *command: str | Path) -> None:
    """Run a program in the variant's venv, one thread of computing."""
    ours = FRAMEWORKS["trl"].environment
    quiet = {"TRANSFORMERS_VERBOSITY": "error", "TOKENIZERS_PARALLELISM": "false"}
    # Nothing of the user's is on the path of what is imported: train.py adds its own folder.
    environment = child_environment({**ours, **quiet, "OMP_NUM_THREADS": "1", "PYTHONPATH": "."})
    began = time.monotonic()
    result = supervise.run(
        [place.variant.venv.python, *command],
        cwd=place.variant.folder / "trl",
        env=environment,
        timeout=3600,
        log=folder / f"{what}.log",
    )
    if result.returncode:
        raise RuntimeError(f"{place.world.name}: {what} failed\n{result.log_tail}")
    seconds = round(time.monotonic() - began)
    with (folder / "seconds.jsonl").open("a") as file:
        file.write(json.dumps({"what": what, "seconds": seconds}) + "\n")
    say(f"{folder.name}: {what}, {seconds} s")


def _gathered(places: Sequence[Place], args: argparse.Namespace) -> dict[str, Any]:
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
            "steps": world.steps,
            "settings": {key: value for key, value in asdict(world).items() if key != "calls"},
            "seeds": [{k: v for k, v in each.items() if k != "returns"} for each in seeds],
            "all_seeds": _compared(pooled),
        }
    versions = {"date": date.today().isoformat(), "processors": os.cpu_count()}
    return {**versions, "worlds": worlds}


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
        "returns": returns,
    }


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


def _table(found: dict[str, Any]) -> str:
    """The figures as a Markdown table."""
    headings = ("environment", "seed", "by chance", "warm start", "without reward", "after GRPO")
    headings += ("gained over the start", "over chance", "calls", "groups paid alike")
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
    for world in found["worlds"].values():
        if "sound-trained" in world["all_seeds"]:
            said = _cell(world["all_seeds"]["sound-trained"])
            warned = "; ".join(f"{check}: {text}" for check, text in world["warned"].items())
            lines += ["", f"{world['title']}: in the sound game the same policies earn {said}."]
            lines += [f"Before any training `skill-tools check --play` said: {warned}"]
    return "\n".join(lines)


def _cell(value: Sequence[float], sign: str = "") -> str:
    mean, half = value
    return f"{mean:{sign}.3f} ± {half:.3f}"


START, STOP = "<!-- figures -->", "<!-- /figures -->"


def _write(found: dict[str, Any], output: Path) -> None:
    """Figures, picture, and the table in the page, if it is there."""
    page = output / "learns.md"
    text = page.read_text("utf-8") if page.is_file() else f"{START}\n{STOP}\n"
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(STOP)
    table = f"{before}{START}\n{_table(found)}\n{STOP}{after}"
    numbers = json.dumps(found, separators=(",", ":")) + "\n"
    output.mkdir(parents=True, exist_ok=True)
    write_files(output, {"learns.json": numbers, "learns.svg": _picture(found), "learns.md": table})


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
        f"Lines: mean training return per step, one per seed, each point the mean of {SMOOTH} steps. Dashed: legal play by chance.",
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
    if world["defect"]:
        told = ", ".join(world["warned"]) or "nothing"
        parts.append(
            f'<text class="small" x="{x + LEFT}" y="{y + 34}">a seeded exploit: {told} warned of it</text>'
        )
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


if __name__ == "__main__":
    sys.exit(main())
