"""Server processor time per OpenEnv step: ours, a plain Environment by hand, and MCPEnvironment."""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path

from comparison import (
    HAND_WRITTEN,
    Row,
    Server,
    load_on,
    say,
    scratch_folder,
    served,
    show,
    variants,
    venvs_of_this_run,
)

LEAST_BELOW_MCP = 5.0


def main() -> int:
    """Measure and print; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=64)
    parser.add_argument("--steps", type=int, default=30, help="per session and round")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    with scratch_folder() as scratch:
        found = measure(scratch, args)
    medians = {name: statistics.median(values) for name, values in found.items()}
    spread = "; ".join(f"{name} {min(v):.2f}-{max(v):.2f}" for name, v in found.items())
    say(f"ms per step over {args.rounds} rounds: {spread}")
    rows = [
        row("a plain Environment", medians["ours"], medians["plain"], 1.0),
        row("MCPEnvironment + FastMCP", medians["ours"], medians["mcp"], 1 / LEAST_BELOW_MCP),
        row("a plain Environment, served as ours is", medians["ours"], medians["tuned"], None),
    ]
    return show(f"OpenEnv, {args.sessions} sessions, WebSocket", "by hand", rows)


def row(compared: str, ours: float, other: float, most: float | None) -> Row:
    """One line: ours may cost at most the share `most` of the other."""
    bar = "" if most is None else f"at most {most:.2f}"
    met = None if most is None else ours <= most * other
    what = f"server CPU per step, beside {compared}"
    return Row(what, f"{ours:.3f} ms", f"{other:.3f} ms", f"{ours / other:.2f}", bar, met)


def measure(scratch: Path, args: argparse.Namespace) -> dict[str, list[float]]:
    """Milliseconds of server processor time per step, one number per round and server."""
    [variant] = made = variants(scratch, "openenv")
    programs = {
        "ours": (["-m", "server.app"], variant.folder / "openenv"),
        "plain": ([HAND_WRITTEN / "openenv_plain.py"], scratch),
        "tuned": ([HAND_WRITTEN / "openenv_plain.py", "--tuned"], scratch),
        "mcp": ([HAND_WRITTEN / "openenv_mcp.py"], scratch),
    }
    found: dict[str, list[float]] = {name: [] for name in programs}

    def one_round(name: str, server: Server) -> float:
        log = scratch / f"{name}-load.log"
        run = load_on(variant, server, log, sessions=args.sessions, steps=args.steps, period=0.0)
        return 1000 * run["cpu"] / run["steps"]

    with venvs_of_this_run(made):
        for name, (program, cwd) in programs.items():
            with served(variant, program, cwd, scratch / f"{name}.log") as server:
                one_round(name, server)  # to warm up
                say(f"{name}: {args.rounds} rounds of {args.sessions} x {args.steps} steps")
                found[name] = [one_round(name, server) for _ in range(args.rounds)]
    return found


if __name__ == "__main__":
    sys.exit(main())
