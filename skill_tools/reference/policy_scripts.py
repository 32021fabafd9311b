"""Every policy's script for each task, made from the oracle's solutions and the author's examples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skill_tools.evidence.calls import Calls
from skill_tools.policies import scripted
from skill_tools.policies.scripted import Script
from skill_tools.spec.model import MESSAGE, EnvSpec


def policy_scripts(
    spec: EnvSpec,
    tasks: Mapping[str, Mapping[str, Any]],
    solved: dict[str, Calls],
    wandered: dict[str, Calls | None],
) -> dict[str, dict[str, Script]]:
    """Return the scripts of every policy except the examples, keyed by episode label.

    Args:
        tasks: Each episode's task, keyed by episode label.
    """
    labels, rules, limits = list(tasks), spec.tool_rules(), spec.episode
    tools = [each for each in rules if each["name"] in spec.tools]
    refused = limits.free_refusals or limits.max_turns
    samples = {name: tool.samples() for name, tool in spec.actions.items()}
    said = {key: _messages(calls) for key, calls in solved.items()} if spec.message else {}
    scripts = {
        "oracle": {key: scripted.oracle(solution) for key, solution in solved.items()},
        "random": {
            key: scripted.oracle(calls)
            if calls is not None
            else scripted.sampled(
                _offered(spec, rules, tasks[key]),
                key,
                limits.most_calls,
                samples=_with_others(samples, said, key),
            )
            for key, calls in wandered.items()
        },
        "noop": {key: () if spec.message else scripted.noop() for key in labels},
        "malformed": {key: scripted.malformed(tools, key) for key in labels},
        "early_stop": {key: scripted.early_stop(solution) for key, solution in solved.items()},
        "past_done": {
            # No model is asked after a message that ended its episode.
            key: scripted.oracle(solution) if said.get(key) else scripted.past_done(solution)
            for key, solution in solved.items()
        },
        "turn_limit": {key: scripted.turn_limit(tools or rules, refused) for key in labels},
    }
    if spec.message:
        scripts["early_stop"] = {
            key: scripted.oracle(calls[: len(calls) // 2]) for key, calls in solved.items()
        }
        scripts["malformed"] = {
            key: _odd(script, number, rules[-1], solved.get(key))
            for number, (key, script) in enumerate(scripts["malformed"].items())
        }
    return scripts


def _offered(
    spec: EnvSpec, rules: list[dict[str, Any]], task: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return the actions that a task offers, or all actions if the task names no tools."""
    names = task.get(spec.offer or "", ())
    found = [each for each in rules if each["name"] in names or each["name"] == MESSAGE]
    return found if spec.offer and found else rules


def _messages(calls: Calls) -> list[dict[str, Any]]:
    return [dict(arguments) for tool, arguments in calls if tool == MESSAGE]


def _with_others(
    samples: dict[str, dict[str, list[Any]]], said: dict[str, list[dict[str, Any]]], label: str
) -> dict[str, dict[str, list[Any]]]:
    """Return the author's samples. Add the texts and calls of messages that solve other tasks."""
    others = [each for key, messages in said.items() if key != label for each in messages]
    found = {"text": list(samples.get(MESSAGE, {}).get("text", []))}
    found["text"] += sorted({str(each.get("text", "")) for each in others})
    found["calls"] = [each["calls"] for each in others if "calls" in each]
    known = {name: values for name, values in found.items() if values}
    return {**samples, MESSAGE: known} if known else samples


def _odd(script: Script, number: int, tool: dict[str, Any], solution: Calls | None) -> Script:
    """Return a script of malformed messages. For each task, the script starts with a different message."""
    odd = scripted.odd_messages(tool, solution)
    first = number % len(odd)
    broken = tuple(turn for turn in script if turn.calls)
    return (*broken, *(scripted.message(text) for text in [*odd[first:], *odd[:first]]))


def example_scripts(spec: EnvSpec, split: str, labels: dict[int, str]) -> dict[str, Script]:
    """Return the scripts of the author's examples for these tasks, or {} if no task has an example."""
    worked = {
        labels[each.index]: scripted.example(each)
        for each in reversed(spec.examples)  # a task's first example wins
        if each.split == split and each.index in labels
    }
    idle = () if spec.message else scripted.noop()
    return {key: worked.get(key, idle) for key in labels.values()} if worked else {}
