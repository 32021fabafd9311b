"""Scripted policies, which are an agent's messages as data, turn by turn.

A script is fixed before the episode starts, so that the same actions reach every variant, and the episodes can be
compared. The policy endpoint answers each request for a completion with the next turn of a script.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from jsonschema import Draft202012Validator

from skill_tools.errors import SkillToolsError, nearest
from skill_tools.evidence.evidence import POLICIES
from skill_tools.policies.schema_values import arguments_of, bad_values, text_of
from skill_tools.render import text_actions
from skill_tools.spec.examples import Example
from skill_tools.spec.model import MESSAGE, EnvSpec
from skill_tools.spec.parameters import UNPARSED


@dataclass(frozen=True)
class Call:
    """One tool call; ``arguments`` is a text if it is deliberately not a JSON object."""

    tool: str
    arguments: Mapping[str, Any] | str


@dataclass(frozen=True)
class Turn:
    """One assistant message, which has tool calls, or a text without calls.

    If messages are actions, a message is a single call of ``MESSAGE``. ``earlier`` is only in the first turn of a
    script; it holds the task's earlier messages, which the policy did not write.
    """

    calls: tuple[Call, ...] = ()
    text: str = ""
    earlier: tuple[Mapping[str, Any], ...] = field(default=(), compare=False)


Script = tuple[Turn, ...]


def known(name: str) -> str:
    """Return the name of a policy. Raises SkillToolsError, with a list of all policies, if the name is unknown."""
    if name not in POLICIES:
        listing = ", ".join(f"{each} ({what})" for each, what in POLICIES.items())
        hint = nearest(name, POLICIES, listing=listing)
        raise SkillToolsError(f"there is no policy {name!r}{hint}")
    return name


def oracle(solution: Iterable[tuple[str, Mapping[str, Any]]]) -> Script:
    """Return one turn per call of the author's solution."""
    return tuple(Turn((Call(tool, dict(arguments)),)) for tool, arguments in solution)


def example(worked: Example) -> Script:
    """Return one turn per call of a worked example; the call that ends the episode and later calls share a turn."""
    made = [(call.done, Call(call.tool, dict(call.arguments))) for _, call in worked.made]
    calls = [call for _, call in made]
    end = next((place for place, (done, _) in enumerate(made) if done), len(calls))
    last = [Turn(tuple(calls[end:]))] if calls[end:] else []
    return (*(Turn((call,)) for call in calls[:end]), *last)


def early_stop(solution: Sequence[tuple[str, Mapping[str, Any]]]) -> Script:
    """Return the first half of the solution, followed by a message without a tool call."""
    return (*oracle(solution[: len(solution) // 2]), *noop())


def past_done(solution: Sequence[tuple[str, Mapping[str, Any]]]) -> Script:
    """Return the whole solution in one message, with two additional copies of its last call.

    An empty solution has no call to repeat, so the model stops."""
    calls = [Call(tool, dict(arguments)) for tool, arguments in solution]
    return (Turn((*calls, *calls[-1:], *calls[-1:])),) if calls else noop()


def noop() -> Script:
    """Return one message without a tool call."""
    return (Turn(text="I would rather not act."),)


def sampled(
    tools: Sequence[Mapping[str, Any]],
    label: str,
    turns: int,
    seed: int = 0,
    samples: Mapping[str, Mapping[str, Sequence[Any]]] | None = None,
) -> Script:
    """Return a script with one call per turn that the schemas allow, drawn by seed and label.

    ``samples`` has the author's values by tool and parameter. If a parameter has such values, half of its
    arguments are drawn from them.
    """
    rng = random.Random(f"{seed}/{label}")
    script = []
    for _ in range(turns):
        tool = rng.choice(list(tools))
        arguments = arguments_of(tool["parameters"], rng)
        if tool["name"] == MESSAGE:  # a word instead of a page of letters
            arguments |= {"text": text_of({"type": "string"}, rng)}
        for name in [name for name in arguments if name not in tool["parameters"]["required"]]:
            if rng.random() < 0.5:
                del arguments[name]
        for name, values in (samples or {}).get(tool["name"], {}).items():
            if rng.random() < 0.5:
                arguments[name] = rng.choice(values)
        script.append(Turn((Call(tool["name"], arguments),)))
    return tuple(script)


def turn_limit(tools: Sequence[Mapping[str, Any]], limit: int, per_message: int = 8) -> Script:
    """Return a script that repeats an unreadable call and ends one message after the limit for such calls."""
    if tools[0]["name"] == MESSAGE:
        return (message(_too_long(tools[0])),) * (limit + 1)
    call = Call(tools[0]["name"], "not a JSON object")
    messages = -(-limit // per_message) + 1
    return tuple(Turn((call,) * per_message) for _ in range(messages))


def _too_long(tool: Mapping[str, Any]) -> str:
    return "x" * (int(tool["parameters"]["properties"]["text"]["maxLength"]) + 1)


def odd_messages(tool: Mapping[str, Any], solution: Sequence[Any] | None) -> list[str]:
    """Return messages that no world should reward: blank, cut off, too long, or with the answer only in reasoning."""
    said = [
        dict(arguments).get("text", "") for name, arguments in solution or () if name == MESSAGE
    ]
    answer = str(said[-1]) if said else "42"
    return [
        f"<think>\n{answer}\n</think>",
        " \n\t",
        f"<think>\n{answer}",
        "```json\n{",
        _too_long(tool),
        "<answer>",
        "half a pair: \ud83d",
    ]


def malformed(tools: Sequence[Mapping[str, Any]], label: str, per_message: int = 4) -> Script:
    """Return a script of broken calls, several per message, that covers every way to violate the schemas."""
    rng = random.Random(label)
    if not tools:
        return ()
    calls = [Call("no_such_tool", {}), Call(tools[0]["name"], "{"), Call(tools[0]["name"], "[1]")]
    for tool in tools:
        good = arguments_of(tool["parameters"], rng)
        calls.append(Call(tool["name"], {**good, "no_such_argument": 1}))
        for name, schema in tool["parameters"]["properties"].items():
            needed = name in tool["parameters"]["required"]
            if needed:
                calls.append(Call(tool["name"], {k: v for k, v in good.items() if k != name}))
            bad = [value for value in bad_values(schema) if needed or value is not None]
            calls += [Call(tool["name"], {**good, name: value}) for value in bad]
    checks = {tool["name"]: Draft202012Validator(tool["parameters"]) for tool in tools}
    broken = [
        call
        for call in calls
        if isinstance(call.arguments, str)
        or call.tool not in checks
        or not checks[call.tool].is_valid(call.arguments)
    ]
    starts = range(0, len(broken), per_message)
    return (*(Turn(tuple(broken[at : at + per_message])) for at in starts), *noop())


def replay(trajectory: Mapping[str, Any]) -> Script:
    """Return the script of a recorded trajectory, whatever its policy."""
    return tuple(
        Turn((Call(step["tool"], _recorded(step["arguments"])),)) for step in trajectory["steps"]
    )


def message(text: str) -> Turn:
    """Return a turn whose message is an action."""
    return Turn((Call(MESSAGE, {"text": text}),))


def silent(script: Script, turns: int) -> Script:
    """Return a script that continues with empty messages, because a model whose messages are actions never stops."""
    return (*script, *(message(""),) * (turns - len(script)))


def after(earlier: Iterable[Mapping[str, Any]], script: Script) -> Script:
    """Return a script that is played after earlier messages."""
    return tuple(replace(turn, earlier=tuple(earlier)) for turn in script[:1]) + script[1:]


def spoken(script: Script) -> Script:
    """Return a script as a model writes it, with each call of ``MESSAGE`` as the text of a message."""
    return tuple(
        _said(turn, call.arguments)
        if (call := next(iter(turn.calls), None))
        and call.tool == MESSAGE
        and isinstance(call.arguments, Mapping)
        else turn
        for turn in script
    )


def _said(turn: Turn, arguments: Mapping[str, Any]) -> Turn:
    """Return a turn with a message's text and, if there are any, the calls that are graded with the message."""
    calls = arguments.get("calls", ())
    fit = isinstance(calls, list) and all(isinstance(each, dict) for each in calls)
    made = [Call(each.get("name", ""), each.get("arguments", {})) for each in calls if fit]
    return replace(turn, calls=tuple(made), text=arguments["text"])


def as_text(spec: EnvSpec, turn: Turn) -> str:
    """Return a turn as text for a model without tool calls: its calls as tags, or its text and the stop tag."""
    calls = [text_actions.write(spec, call.tool, call.arguments) for call in turn.calls]
    if not calls and spec.message:
        return turn.text
    return "\n".join([*filter(None, [turn.text]), *(calls or [text_actions.STOP])])


def _recorded(arguments: Any) -> Any:
    if isinstance(arguments, dict) and set(arguments) == {UNPARSED}:
        return arguments[UNPARSED]
    return arguments
