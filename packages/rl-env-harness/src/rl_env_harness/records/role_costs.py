"""What the models inside an environment cost: requests, tokens and dollars."""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

Costs = dict[str, dict[str, Any]]
"""By role: model, requests, failed, input_tokens, output_tokens and, in numbers of several episodes, cost."""
COUNTED = ("requests", "failed", "input_tokens", "output_tokens")
MILLION = 1_000_000


def of_episode(line: dict[str, Any]) -> Costs:
    """Return what a trajectory's requests to models took, by role."""
    found: Costs = defaultdict(lambda: dict.fromkeys(COUNTED, 0))
    for each in line.get("requests") or ():
        one, usage = found[each["role"]], each.get("usage") or {}
        one["model"] = each["model"]
        one["requests"] += 1
        one["failed"] += bool(each.get("error"))
        for name in ("input_tokens", "output_tokens"):
            one[name] += usage.get(name, 0)
    return dict(found)


def of(environment: str, episodes: Iterable[Costs]) -> dict[str, Costs]:
    """Return the sum over episodes as `roles`; nothing if there was no request.

    `cost` is in dollars, if NAME_ROLE_PRICE or NAME_ROLES_PRICE has the price of a million tokens read and written,
    such as 0.25/2.
    """
    found: Costs = defaultdict(lambda: dict.fromkeys(COUNTED, 0))
    for episode in episodes:
        for role, one in episode.items():
            found[role]["model"] = one["model"]
            for name in COUNTED:
                found[role][name] += one[name]
    for role, one in found.items():
        one["cost"] = _cost(environment, role, one)
    return {"roles": dict(found)} if found else {}


def as_lines(found: Costs) -> Iterator[str]:
    """Yield a line for each role."""
    for role, one in found.items():
        tokens = f"{one['input_tokens']} tokens in, {one['output_tokens']} out"
        failed = f" ({one['failed']} without a usable reply)" if one["failed"] else ""
        cost = "" if one["cost"] is None else f", {one['cost']:.4f} dollars"
        yield f"    {role}: {one['requests']} requests to {one['model']}{failed}, {tokens}{cost}"


def _cost(environment: str, role: str, one: dict[str, Any]) -> float | None:
    names = [f"{environment}_{each}_PRICE".upper() for each in (role, "roles")]
    price = next(filter(None, map(os.environ.get, names)), "")
    read, _, written = price.partition("/")
    try:
        dollars: float = one["input_tokens"] * float(read) + one["output_tokens"] * float(written)
    except ValueError:  # none, or not of this form
        return None
    return dollars / MILLION
