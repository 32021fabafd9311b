"""Score replies in single-turn environments: one question, one reply, one score."""

import importlib
import json
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from .. import env_spec, task_table
from ..arguments import read_arguments
from ..episode import Episode, EpisodeFailed
from . import text_actions

AT_ONCE = 32
"""Number of threads that play worlds whose calls block, such as sandboxes."""


def score(row: dict[str, Any], message: Any) -> float:
    """Return only the score of a message, without the metrics that `graded` also returns."""
    return graded(row, message)[0]


def graded(row: dict[str, Any], message: Any) -> tuple[float, dict[str, float]]:
    """Score a message as the reply to a row's task. Return the episode's return and its metrics.

    Raises EpisodeFailed if the world breaks.

    Args:
        row: `split` and `index`, or a whole `task`, and optionally `seed`. Other fields are ignored.
        message: Text, or chat messages of which only the last message counts. If calls are graded, the message
            has them as `tool_calls`, or in its text.
    """
    names = ("split", "index", "task", "seed")
    episode = Episode(*task_table.problem(**{name: row.get(name) for name in names}))
    try:
        episode.message(*said(message))
        episode.end()
        return episode.total, episode.metrics
    finally:
        episode.close()


def scores(
    rows: Sequence[dict[str, Any]], messages: Sequence[Any]
) -> list[tuple[float, dict[str, float]] | None]:
    """Return the score and metrics of each message, or None for a message whose world broke.

    Trainers leave out messages with None.
    """

    def one(row: dict[str, Any], message: Any) -> tuple[float, dict[str, float]] | None:
        try:
            return graded(row, message)
        except EpisodeFailed as error:
            logging.getLogger(__name__).error("an episode of %s failed: %s", env_spec.NAME, error)
            return None

    if not env_spec.BLOCKING:
        return [one(row, message) for row, message in zip(rows, messages, strict=True)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(one, rows, messages))


def reward(
    completions: Sequence[Any],
    split: Sequence[str] | None = None,
    index: Sequence[int] | None = None,
    task: Sequence[dict[str, Any]] | None = None,
    seed: Sequence[int] | None = None,
    log_metric: Callable[..., Any] | None = None,
    log_extra: Callable[..., Any] | None = None,
    **columns: Any,
) -> list[float | None]:
    """Score completions through the interface of TRL and Unsloth. The arguments are the columns of `rows`."""
    named = {"split": split, "index": index, "task": task, "seed": seed}
    given = {name: values for name, values in named.items() if values is not None}
    asked = [{name: values[at] for name, values in given.items()} for at in range(len(completions))]
    found = scores(asked, completions)
    log_metrics([each and each[1] for each in found], log_metric, log_extra)
    return [each and each[0] for each in found]


def log_metrics(
    found: Sequence[dict[str, float] | None],
    log_metric: Callable[..., Any] | None,
    log_extra: Callable[..., Any] | None,
) -> None:
    """Log the metrics of a batch in TRL: each metric's mean as `metrics/NAME`, and its values as a column of the
    completions table.

    Args:
        found: The metrics of each episode, or None for an episode whose world broke.
    """
    for name in env_spec.METRICS:
        values = [None if each is None else each.get(name) for each in found]
        known = [value for value in values if value is not None]
        if log_metric and known:
            log_metric(f"metrics/{name}", sum(known) / len(known))
        if log_extra:
            log_extra(name, values)


def compute_score(
    data_source: str, solution_str: str, ground_truth: Any, extra_info: Any = None, **settings: Any
) -> float | dict[str, float]:
    """Score a solution through the interface of verl. `extra_info` is the row that identifies the task."""
    found, metrics = graded(dict(extra_info), solution_str)
    return {"score": found, **metrics} if metrics else found


def reward_func(
    queries: Sequence[str], prompts: Sequence[str], labels: Sequence[str], **settings: Any
) -> dict[str, Any]:
    """Score replies through the interface of OpenRLHF.

    Args:
        queries: Each prompt, followed by its reply.
        labels: For each task, the row that identifies the task, as JSON.
    """
    replies = [query[len(prompt) :] for query, prompt in zip(queries, prompts, strict=True)]
    graded_all = [
        graded(json.loads(label), each) for label, each in zip(labels, replies, strict=True)
    ]
    tensor = importlib.import_module("torch").tensor
    found = tensor([each for each, _ in graded_all])
    logs = {name: tensor([each[name] for _, each in graded_all]) for name in env_spec.METRICS}
    return {"rewards": found, "scores": found.clone(), "extra_logs": logs}


def said(message: Any) -> tuple[str, list[dict[str, Any]]]:
    """Return the text of a completion, and its tool calls if they are graded."""
    text = text_of(message)
    if not env_spec.WITH_CALLS:
        return text, []
    last = message[-1] if isinstance(message, list | tuple) and message else message
    made = last.get("tool_calls") if isinstance(last, dict) else None
    if not made:
        arguments = text_actions.graded(text).arguments
        return arguments["text"], arguments["calls"]
    functions = [each.get("function", each) for each in made]
    return text, [
        {"name": str(f.get("name")), "arguments": read_arguments(f.get("arguments"))}
        for f in functions
    ]


def text_of(message: Any) -> str:
    """Return the text of a completion, which may be a string, chat messages or content parts."""
    if isinstance(message, str):
        return message
    if isinstance(message, dict):
        return text_of(message.get("content") or "")
    parts = list(message or [])
    if parts and isinstance(parts[-1], dict) and "role" in parts[-1]:
        return text_of(parts[-1])
    return "".join(part.get("text", "") for part in parts if isinstance(part, dict))


def rows(split: str, indices: Sequence[int] | None = None) -> list[dict[str, Any]]:
    """Return the tasks of a split as rows, each with the whole prompt and the task's split, index and seed."""
    found = []
    for index in range(len(task_table.tasks(split))) if indices is None else indices:
        episode = Episode(task_table.task_at(split, index))
        place = {"split": split, "index": index, "seed": episode.seed}
        prompt = episode.prompt
        if env_spec.WITH_CALLS:  # a trainer shows the model nothing but the prompt
            prompt = text_actions.opening(prompt, episode.tools)
        found.append({"prompt": prompt, **place})
        episode.close()
    return found
