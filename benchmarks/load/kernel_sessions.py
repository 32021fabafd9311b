"""Sessions of one kind, timed and weighed; run in a venv with both kinds by sandbox_sessions.py.

python kernel_sessions.py ours|plain SINGLE MANY...
SINGLE sessions one after the other, then MANY at once; prints one JSON object.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

PACKAGES = ("ipython", "numpy", "pandas", "matplotlib")
IMPORTS = ("numpy", "pandas", "matplotlib.pyplot")
CALLS = 300
STARTING_AT_ONCE = 4


class Ours:
    """Sessions of the local backend."""

    def __init__(self) -> None:
        from rl_env_sandbox import Limits, forks, open_sandbox

        self.forks = forks
        self.open = lambda: open_sandbox(packages=PACKAGES, warm=IMPORTS, limits=Limits())

    def start(self) -> Any:
        """A session that has given a result."""
        session = self.open()
        self.run(session, "1+1", "2")
        return session

    def run(self, session: Any, code: str, value: str = "") -> None:
        """Run a cell with a value, or without one."""
        result = session.run_code(code)
        found = [output["data"]["text/plain"] for output in result.outputs]
        assert found == ([value] if value else []), result

    def stop(self, session: Any) -> None:
        """End a session."""
        session.close()

    def processes(self) -> set[int]:
        """All of them, the fork server included, which the sessions share."""
        return {pid for s in self.forks._servers.values() for pid in tree(s._process.pid)}


class Plain:
    """A new ipykernel per session, as jupyter_client starts one."""

    def __init__(self) -> None:
        from jupyter_client.manager import start_new_kernel

        self.open = start_new_kernel
        self.kernels: set[int] = set()

    def start(self) -> Any:
        """A session that has given a result."""
        session = self.open(startup_timeout=300)
        self.kernels.add(session[0].provisioner.process.pid)
        self.run(session, "1+1", "2")
        return session

    def run(self, session: Any, code: str, value: str = "") -> None:
        """Run a cell with a value, or without one."""
        _, client = session
        request, values = client.execute(code), []
        while True:
            message = client.get_iopub_msg(timeout=300)
            if message["parent_header"].get("msg_id") != request:
                continue
            assert message["msg_type"] != "error", message
            if message["msg_type"] == "execute_result":
                values.append(message["content"]["data"]["text/plain"])
            if message["content"].get("execution_state") == "idle":
                break
        assert values == ([value] if value else []), values

    def stop(self, session: Any) -> None:
        """End a session."""
        manager, client = session
        self.kernels.discard(manager.provisioner.process.pid)
        client.stop_channels()
        manager.shutdown_kernel(now=True)

    def processes(self) -> set[int]:
        """All of them."""
        return {pid for kernel in self.kernels for pid in tree(kernel)}


def tree(top: int) -> set[int]:
    """A process and all below it."""
    found, waiting = set(), [top]
    while waiting:
        pid = waiting.pop()
        found.add(pid)
        for path in Path(f"/proc/{pid}/task").glob("*/children"):
            waiting += map(int, path.read_text().split())
    return found


def megabytes(processes: set[int]) -> float:
    """What processes take together; a page that several share counts in parts (PSS)."""
    total = 0
    for pid in processes:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def timed(act: Any) -> tuple[float, Any]:
    began = time.perf_counter()
    found = act()
    return time.perf_counter() - began, found


def singly(kind: Ours | Plain, count: int) -> dict[str, float]:
    """Start, calls and end of sessions that follow one another."""
    first, session = timed(kind.start)
    starts, ends = [], [timed(lambda: kind.stop(session))[0]]
    calls: list[float] = []
    for _ in range(count):
        seconds, session = timed(kind.start)
        starts.append(seconds)
        for _ in range(CALLS // count):
            calls.append(timed(lambda session=session: kind.run(session, "1+1", "2"))[0])
        ends.append(timed(lambda session=session: kind.stop(session))[0])
    return {
        "first": first,
        "start": statistics.median(starts),
        "p50": statistics.median(calls),
        "p95": statistics.quantiles(calls, n=20)[-1],
        "end": statistics.median(ends),
    }


def at_once(kind: Ours | Plain, count: int) -> dict[str, float]:
    """Seconds until all of many sessions have given a result; memory, idle and with imports."""
    with ThreadPoolExecutor(STARTING_AT_ONCE) as pool:
        seconds, sessions = timed(lambda: list(pool.map(lambda _: kind.start(), range(count))))
        idle = megabytes(kind.processes()) / count
        again, _ = timed(lambda: list(pool.map(lambda s: kind.run(s, "1+1", "2"), sessions)))
        list(pool.map(lambda s: kind.run(s, f"import {', '.join(IMPORTS)}"), sessions))
        imported = megabytes(kind.processes()) / count
        list(pool.map(kind.stop, sessions))
    return {"seconds": seconds, "round": again, "idle": idle, "imported": imported}


def main() -> None:
    """Measure and print."""
    kind = {"ours": Ours, "plain": Plain}[sys.argv[1]]()
    single, *many = map(int, sys.argv[2:])
    found: dict[str, Any] = singly(kind, single)
    found["many"] = {str(count): at_once(kind, count) for count in many}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
