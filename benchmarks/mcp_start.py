"""Starting the MCP server: seconds to the first tools/list, ours and a bare FastMCP server's."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from comparison import Row, show

SECONDS = 0.3
BARE = """
from fastmcp import FastMCP

mcp = FastMCP("bare")


@mcp.tool
def add(a: int, b: int) -> int:
    \"\"\"Add two numbers.\"\"\"
    return a + b


mcp.run(show_banner=False)
"""
OURS = [str(Path(sys.executable).with_name("skill-tools")), "mcp"]
QUIET = {"FASTMCP_LOG_LEVEL": "ERROR", "FASTMCP_CHECK_FOR_UPDATES": "off"}


def main() -> int:
    """Measure and print; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as scratch:
        bare = Path(scratch, "bare.py")
        bare.write_text(BARE, "utf-8")
        commands = {"ours": OURS, "bare": [sys.executable, str(bare)]}
        # One round unmeasured: it compiles what was never imported.
        for command in commands.values():
            started(command, scratch)
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
        for _ in range(rounds):
            for name, command in commands.items():
                found[name].append(started(command, scratch))
    rows = []
    for position, what in enumerate(("initialize", "first tools/list")):
        ours, other = ([pair[position] for pair in found[name]] for name in ("ours", "bare"))
        more = statistics.median(ours) - statistics.median(other)
        last = position == 1
        rows.append(
            Row(
                f"{what}, median of {rounds}",
                f"{statistics.median(ours):.3f} s",
                f"{statistics.median(other):.3f} s",
                f"{more:+.3f} s",
                f"at most +{SECONDS} s" if last else "",
                more <= SECONDS if last else None,
            )
        )
        rows.append(Row(f"{what}, fastest", f"{min(ours):.3f} s", f"{min(other):.3f} s"))
    return show("Starting the MCP server", "a bare FastMCP server", rows)


def started(command: Sequence[str], folder: str) -> tuple[float, float]:
    """Seconds from the start of a server to its answers to initialize and tools/list."""
    environment = {**os.environ, **QUIET}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    begun = time.perf_counter()
    server = subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        client = {"name": "benchmark", "version": "1"}
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
        ask(server, {"id": 1, "method": "initialize", "params": hello})
        initialized = time.perf_counter() - begun
        tell(server, {"method": "notifications/initialized"})
        ask(server, {"id": 2, "method": "tools/list", "params": {}})
        return initialized, time.perf_counter() - begun
    finally:
        assert server.stdin is not None
        server.stdin.close()
        server.wait(30)


def tell(server: subprocess.Popen[bytes], message: dict[str, object]) -> None:
    assert server.stdin is not None
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    server.stdin.flush()


def ask(server: subprocess.Popen[bytes], message: dict[str, object]) -> None:
    tell(server, message)
    assert server.stdout is not None
    for line in server.stdout:
        answer = json.loads(line)
        if answer.get("id") == message["id"]:
            assert "result" in answer, answer
            return
    raise SystemExit(f"the server ended before it answered {message['method']}")


if __name__ == "__main__":
    sys.exit(main())
