"""Other replies than those of the author's stand-ins, for the models inside an environment; runs in the child."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

from skill_tools_jobs import Json, Request
from skill_tools_jobs.episodes import module

UNBOUNDED = 10
"""The highest number where a schema has no maximum."""


@contextmanager
def replying(request: Request, roles: Mapping[str, Json] | None) -> Iterator[None]:
    """Let roles reply as described while the block runs.

    A role's description has `text`, always the same; `fails`, the message of an error; or `best`, whether a verdict
    is the best or the worst that the schema allows, with `other`, the reply if there is no schema.
    """
    if not roles:
        yield
        return
    replies = module(request, "_shared.role_replies")
    replies.OTHERS.update({role: partial(_reply, how) for role, how in roles.items()})
    try:
        yield
    finally:
        replies.OTHERS.clear()


def _reply(how: Json, asked: Any) -> Any:
    if "fails" in how:
        raise ConnectionError(how["fails"])
    if "text" in how:
        return how["text"]
    return extreme(asked.schema, how["best"]) if asked.schema else how["other"]


def extreme(schema: Any, best: bool) -> Any:
    """Return the value at the upper or the lower end of what a schema allows; labels go from the worst to the best."""
    if "const" in schema:
        return schema["const"]
    if labels := schema.get("enum"):
        return labels[-1 if best else 0]
    kind = schema.get("type")
    if kind == "object":
        return {name: extreme(each, best) for name, each in schema.get("properties", {}).items()}
    if kind == "array":
        return [extreme(schema.get("items", {}), best)] * schema.get("minItems", 0)
    if kind == "boolean":
        return best
    if kind in ("integer", "number"):
        return schema.get("maximum", UNBOUNDED) if best else schema.get("minimum", 0)
    return "said by a probe"
