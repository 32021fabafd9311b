"""Models inside an environment: replies that a probe chooses, and verdicts; runs in the child process."""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any

from skill_tools_jobs import Json, Request
from skill_tools_jobs.deadline import Deadline
from skill_tools_jobs.episodes import module, open_episode, task_at

UNBOUNDED = 10
"""The highest number where a schema has no maximum."""
AT_ONCE = 8
"""Maximum concurrent verdicts of a model, because waiting in a slow server's queue uses up a request's time."""


@contextmanager
def replying(request: Request, roles: Mapping[str, Json] | None) -> Iterator[None]:
    """Replace the replies of models inside the environment while the block runs.

    ``roles`` describes the reply of each role with one of these keys. `text` is always the reply. `fails` is the
    message of an error. `best` selects the best verdict that the schema allows if it is true, and otherwise the
    worst; without a schema, the reply is `other`.
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
    """Return the best or the worst value that a schema allows. A list of labels goes from the worst to the best."""
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
    return "reply supplied by a probe"


def ask_judge(request: Request, role: str, questions: list[Json]) -> list[Json]:
    """Return a judge's verdict on each question, as the judge would give it in an episode of the question's task.

    A question has `split`, `index`, and one of `rate` (with a `reply`, and perhaps `prompt` and `reference`),
    `compare` (two replies, and perhaps a `prompt`) or `play` (the message that is the whole episode).
    """
    # Otherwise, each repetition would get the first reply again.
    module(request, "_shared.env_spec").MODELS[role]["cache"] = False
    replies, roles = module(request, "_shared.role_replies"), module(request, "_shared.roles")
    one = partial(_verdict, request, roles, role)
    live = replies.settings(role)["model"] and not replies.variable("REPLIES")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = list[Json]()
        for each in (pool.map if live else map)(one, questions):
            Deadline.alive()
            found.append(each)
    return found


def _verdict(request: Request, roles: Any, role: str, question: Json) -> Json:
    if "play" in question:
        return _played(request, role, question)
    task = task_at(request, question["split"], question["index"])
    models, found = roles.Models(task, int(task.get("seed", 0))), Json()
    judge = getattr(models, role)
    try:
        if "rate" in question:
            rating = judge.rate(**question["rate"])
            found = {"score": rating.score, "criteria": rating.criteria}
        else:
            found = {"places": _places(judge, **question["compare"])}
    except roles.ModelFailed as error:
        found = {"failure": str(error)}
    return {**found, **_spent(models.requests, role)}


def _places(judge: Any, **replies: Any) -> list[str]:
    """Return which reply is better in each vote of a judge. The judge sees the replies in the given order, and then
    in the swapped order.
    """
    said, vote = list[Json](), judge._vote

    def noted(*given: Any) -> Json:
        said.append(vote(*given))
        return said[-1]

    judge._vote = noted
    judge.compare(**replies)
    return [each["better"] for each in said]


def _played(request: Request, role: str, question: Json) -> Json:
    """Play a message as an episode, and return its score or its failure."""
    try:
        world = open_episode(request, question["split"], question["index"], None, 1)
    except RuntimeError as error:
        return {"failure": str(error), **_spent([], role)}
    try:
        world.message(question["play"])
        if not world.over:
            world.end()
        found: Json = {"score": world.total}
    except RuntimeError:  # EpisodeFailed
        found = {"failure": str(world.failure)}
    finally:
        world.close()
    return {**found, **_spent(world.requests, role)}


def _spent(requests: list[Json], role: str) -> Json:
    mine = [each for each in requests if each["role"] == role]
    used = {
        name: sum(each["usage"].get(name, 0) for each in mine)
        for name in ("input_tokens", "output_tokens")
    }
    return {"model": mine[0]["model"] if mine else None, "requests": len(mine), **used}


JOBS = {"ask_judge": ask_judge}
