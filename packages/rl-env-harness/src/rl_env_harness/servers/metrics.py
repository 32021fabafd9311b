"""Metrics for a server's operator, in the format of Prometheus."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.process_collector import ProcessCollector

from .. import env_spec
from ..episode import Step
from .served import PLAYING

BUCKETS = (0.0001, 0.001, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300)
"""Seconds of a step: a pure game falls into the first bucket, a sandbox's commands into the last."""


class Metrics:
    """Counters for the episodes of this process. `text` returns the response of /metrics."""

    def __init__(self) -> None:
        """Start all counters at zero."""
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        by, kept = ("environment",), self._registry
        sessions = Gauge("rl_env_episodes_open", "Open episodes.", by, registry=kept)
        sessions.labels(env_spec.NAME).set_function(lambda: len(PLAYING))
        memory = Gauge(
            "rl_env_children_memory_bytes",
            "Memory of all processes below the server, including its sandboxes.",
            by,
            registry=kept,
        )
        memory.labels(env_spec.NAME).set_function(children_memory)
        children = Gauge("rl_env_children", "Processes below the server.", by, registry=kept)
        children.labels(env_spec.NAME).set_function(lambda: len(descendants()))
        ended, refused = ("environment", "how"), ("environment", "error")
        self._ended = Counter(
            "rl_env_episodes", "Ended episodes, by how they ended.", ended, registry=kept
        )
        self._steps = Counter(
            "rl_env_steps", "Steps, by reason of refusal.", refused, registry=kept
        )
        seconds = Histogram(
            "rl_env_step_seconds", "Seconds of a step.", by, buckets=BUCKETS, registry=kept
        )
        self._seconds = seconds.labels(env_spec.NAME)

    def step(self, step: Step, seconds: float) -> None:
        """Count a step."""
        self._steps.labels(env_spec.NAME, step.error or "none").inc()
        self._seconds.observe(seconds)

    def ended(self, how: str) -> None:
        """Count an episode that ended."""
        self._ended.labels(env_spec.NAME, how).inc()

    def text(self) -> tuple[bytes, str]:
        """Return all metrics as text, and the content type of the text."""
        return generate_latest(self._registry), CONTENT_TYPE_LATEST


def descendants() -> list[Path]:
    """Return the /proc folders of all descendants of this process. The list is empty on a system without /proc."""
    parents: dict[str, list[Path]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        fields = _fields(folder)
        if fields:
            parents.setdefault(fields["PPid"], []).append(folder)
    found, left = [], list(parents.get(_fields(Path("/proc/self")).get("Pid", ""), ()))
    while left:
        folder = left.pop()
        found.append(folder)
        left += parents.get(folder.name, ())
    return found


def children_memory() -> int:
    """Return the memory of all descendants in bytes. Shared pages count once for each process."""
    sizes = [_fields(folder).get("VmRSS", "0 kB") for folder in descendants()]
    return sum(int(size.split()[0]) * 1024 for size in sizes)


def _fields(folder: Path) -> dict[str, Any]:
    try:
        lines = (folder / "status").read_text("utf-8", "replace").splitlines()
    except OSError:  # it ended meanwhile
        return {}
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
