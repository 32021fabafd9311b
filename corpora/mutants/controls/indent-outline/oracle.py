"""Sorts the departments by their whole path, and indents all by four spaces more."""

from .world import IndentOutline


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    facts = IndentOutline(task, seed).observe().splitlines()[:-1]
    above = dict(fact.rstrip(".").split(" belongs to ") for fact in facts)

    def path(name: str) -> list[str]:
        return [] if name == "none" else [*path(above[name]), name]

    lines = ["    " + "  " * (len(way) - 1) + way[-1] for way in sorted(map(path, above))]
    return [("submit", {"outline": "\n".join(lines)})]
