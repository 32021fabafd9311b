"""The script of every policy for each task, from the oracle's solutions and the author's examples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from skill_tools.evidence.calls import Calls
from skill_tools.policies import scripted
from skill_tools.policies.scripted import Script
from skill_tools.spec.model import MESSAGE, EnvSpec


def policy_scripts(
    spec: EnvSpec,
    labels: Sequence[str],
    solved: dict[str, Calls],
    wandered: dict[str, Calls | None],
) -> dict[str, dict[str, Script]]:
    """Return every policy's scripts but the examples', by the labels of the episodes."""
    rules, limits = spec.tool_rules(), spec.episode
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
                rules, key, limits.most_calls, samples=_with_others(samples, said, key)
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


def _messages(calls: Calls) -> list[str]:
    return [str(arguments.get("text", "")) for tool, arguments in calls if tool == MESSAGE]


def _with_others(
    samples: dict[str, dict[str, list[Any]]], said: dict[str, list[str]], label: str
) -> dict[str, dict[str, list[Any]]]:
    """Return the author's samples, and the messages that solve other tasks."""
    others = sorted({text for key, texts in said.items() if key != label for text in texts})
    known = samples.get(MESSAGE, {}).get("text", [])
    return {**samples, MESSAGE: {"text": [*known, *others]}} if known or others else samples


def _odd(script: Script, number: int, tool: dict[str, Any], solution: Calls | None) -> Script:
    """Return a malformed script in which every task begins with another of the odd messages."""
    odd = scripted.odd_messages(tool, solution)
    first = number % len(odd)
    broken = tuple(turn for turn in script if turn.calls)
    return (*broken, *(scripted.message(text) for text in [*odd[first:], *odd[:first]]))


def example_scripts(spec: EnvSpec, split: str, labels: dict[int, str]) -> dict[str, Script]:
    """Return the scripts of the author's examples of these tasks, if there are any."""
    worked = {
        labels[each.index]: scripted.example(each)
        for each in reversed(spec.examples)  # a task's first example wins
        if each.split == split and each.index in labels
    }
    idle = () if spec.message else scripted.noop()
    return {key: worked.get(key, idle) for key in labels.values()} if worked else {}
