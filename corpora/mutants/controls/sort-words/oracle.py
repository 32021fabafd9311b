"""Sorts."""

from .world import SortWords


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    return [("rewrite", {"text": " ".join(sorted(SortWords(task, seed).observe().split()))})]
