"""What there is of sessions of the local backend, seen from the server's process that has them."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import Any

from rl_env_sandbox import forks

PATIENCE = 20.0


def forker() -> Any:
    return next(iter(forks._servers.values()))


def keepers() -> set[int]:
    """The keepers of all sessions, which are the children of the process that forks."""
    if not forks._servers:
        return set()
    top = forker()._process.pid
    inner = children(top) if forker().enforced["mode"] == "namespaces" else {top}
    return {pid for process in inner for pid in children(process)}


def children(pid: int) -> set[int]:
    with contextlib.suppress(OSError):
        return set(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))
    return set()


def left(label: str, processes: set[int]) -> list[str]:
    """What is there of a closed session: its keeper, its folder, what was started with its label."""
    found = [state(pid) for pid in processes & keepers()]
    for path in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if f"LABEL={label}\0".encode() in (path / "environ").read_bytes():
                found.append(f"{path}: {(path / 'cmdline').read_bytes()[:200]!r}")
    if forks._servers and (folder := forker()._folder):
        found += [str(p) for p in Path(folder).glob("*") if p.name in map(str, processes)]
    return found


def state(pid: int) -> str:
    """What a process does, for whoever reads that it should be gone."""
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        below = len(children(pid))
        return f"process {pid}: state {fields[0]}, parent {fields[1]}, {below} children"
    return f"process {pid}"


def gone(label: str, processes: set[int]) -> list[str]:
    """What is still there of a closed session after some time."""
    until = time.monotonic() + PATIENCE
    while (found := left(label, processes)) and time.monotonic() < until:
        time.sleep(0.02)
    return found
