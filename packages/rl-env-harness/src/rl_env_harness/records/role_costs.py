"""The costs of the models inside an environment: requests, tokens and dollars."""

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

Costs = dict[str, dict[str, Any]]
"""By role: model, requests, failed, input_tokens, output_tokens and, in numbers of several episodes, cost."""
COUNTED = ("requests", "failed", "input_tokens", "output_tokens")
MILLION = 1_000_000
_PRICE = re.compile(r"(\d+(?:\.\d+)?)/(\d+(?:\.\d+)?)")


def of_episode(line: dict[str, Any]) -> Costs:
    """Return the requests and tokens that a trajectory used for models, keyed by role."""
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
    """Return {"roles": the summed costs of each role}, or {} if there was no request.

    `cost` is in dollars, if NAME_ROLE_PRICE or NAME_ROLES_PRICE has the price of a million tokens read and
    written, such as 0.25/2.
    """
    found: Costs = defaultdict(lambda: dict.fromkeys(COUNTED, 0))
    for episode in episodes:
        for role, one in episode.items():
            found[role]["model"] = one["model"]
            for name in COUNTED:
                found[role][name] += one[name]
    for role, one in found.items():
        paid = price(environment, role)
        one["cost"] = dollars(paid, one["input_tokens"], one["output_tokens"])
    return {"roles": dict(found)} if found else {}


def as_lines(found: Costs) -> Iterator[str]:
    """Yield a line of text about the costs of each role."""
    for role, one in found.items():
        tokens = f"{one['input_tokens']} tokens in, {one['output_tokens']} out"
        failed = f" ({one['failed']} without a usable reply)" if one["failed"] else ""
        cost = "" if one["cost"] is None else f", {one['cost']:.4f} dollars"
        yield f"    {role}: {one['requests']} requests to {one['model']}{failed}, {tokens}{cost}"


def price(environment: str, role: str) -> tuple[float, float] | None:
    """Return the dollars for a million tokens read and for a million tokens written, or None if no variable is set.

    If the variable's value is not a pair of prices, raises ValueError with the variable's name.
    """
    for name in (f"{environment}_{each}_PRICE".upper() for each in (role, "roles")):
        if text := os.environ.get(name, "").strip():
            if not (found := _PRICE.fullmatch(text)):
                raise ValueError(
                    f"{name} is {text!r}; write the dollars for a million tokens in and out, such as 0.15/0.60"
                )
            return float(found[1]), float(found[2])
    return None


def dollars(paid: tuple[float, float] | None, read: float, written: float) -> float | None:
    """Return the cost of tokens at a price, or None if there is no price or no token was reported."""
    return (read * paid[0] + written * paid[1]) / MILLION if paid and read + written else None
