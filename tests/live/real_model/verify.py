"""Says of every record of a rollout whether it is true, by the log of the model's server alone.

    python verify.py LOG TRAJECTORIES...

It prints each difference, and ends with 1 if there is any. It shares no code with what is tested.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

if __package__:
    from .reconstruct import SLACK, Call, Episode, Turn, episodes
else:
    from reconstruct import SLACK, Call, Episode, Turn, episodes

OVER = "The episode is over."
KINDS = {
    "string": str, "boolean": bool, "array": list, "object": dict, "number": (int, float), "integer": int,
}  # fmt: skip
Difference = str


def differences(log: Path, records: Iterable[Path]) -> list[Difference]:
    """Everything in the records that is not what the server saw; empty where all are true."""
    reported, found = episodes(log), []
    lines = [json.loads(text) for path in records for text in path.read_text("utf-8").splitlines()]
    seen = Counter((line["model"], line["label"]) for line in lines)
    found += [f"{key}: recorded {count} times" for key, count in seen.items() if count > 1]
    found += [f"{key}: the server saw it, and there is no record" for key in reported.keys() - seen]
    for line in lines:
        key = line["model"], line["label"]
        if key not in reported and line["end"] != "failed":
            found.append(f"{key}: {line['end']}, and the server never saw it")
        if key in reported:
            found += [
                f"{line['framework']} {' '.join(key)}: {what}" for what in _all(reported[key], line)
            ]
    return found


def _all(reported: Episode, line: dict[str, Any]) -> Iterator[Difference]:
    yield from reported.wrong
    # What a failed episode had not been told yet may be missing from its record, and nothing else.
    if line["prompt"] != reported.prompt:
        yield f"the prompt was {reported.prompt}, and is recorded as {line['prompt']}"
    if not reported.text_actions and line["tools"] != reported.tools:
        yield "other tools are recorded than the server was told of"
    yield from _ends(reported, line)
    yield from _turns(reported.turns, line.get("turns", []))
    yield from _messages(reported, line)
    yield from _text_steps(reported, line) if reported.text_actions else _steps(reported, line)
    model = (line.get("server") or {}).get("model")
    if reported.turns and model != reported.server_model:
        yield f"the server says it is {reported.server_model}, the record that it is {model}"
    if line["seconds"] + SLACK < reported.span:
        yield f"{line['seconds']} s are recorded of {reported.span:.2f} s"


def _ends(reported: Episode, line: dict[str, Any]) -> Iterator[Difference]:
    ended = line["end"], line.get("limit")
    if ended not in (true := reported.ends()):
        yield f"ended as {ended}; by the log {' or '.join(map(str, sorted(true, key=str)))}"
    if (line["return"] is None) != (line["end"] == "failed"):
        yield f"{line['end']} with a return of {line['return']}"
    paid = sum(step["reward"] for step in line["steps"]) + line["final_reward"]
    if line["return"] is not None and not math.isclose(paid, line["return"], abs_tol=1e-9):
        yield f"a return of {line['return']}, and {paid} paid"
    done = [step["done"] for step in line["steps"]]
    if line["end"] == "terminated" or line.get("limit") in ("turns", "refusals"):
        if not (done and done[-1]):
            yield f"{line['end']}, and the last step is not"
    elif line["end"] in ("stopped", "cut_off") and any(done):
        yield f"{line['end']} after the end"
    if line.get("limit") == "turns" and len(line["steps"]) < line["max_turns"]:
        yield f"{line['max_turns']} turns are over after {len(line['steps'])} steps"
    last = reported.turns[-1].content if reported.turns else None
    if line["end"] in ("stopped", "cut_off") and line["final_message"] != last:
        yield f"the last message was {last!r}, and is recorded as {line['final_message']!r}"


def _turns(turns: list[Turn], recorded: list[dict[str, Any]]) -> Iterator[Difference]:
    if len(turns) != len(recorded):
        yield f"{len(recorded)} turns are recorded of {len(turns)}"
    for number, (turn, kept) in enumerate(zip(turns, recorded, strict=False)):
        if kept["finish_reason"] != turn.finish:
            yield f"turn {number} ended by {turn.finish}, recorded as {kept['finish_reason']}"
        usage = {name: kept["usage"].get(name) for name in turn.usage}
        if usage != turn.usage:
            yield f"turn {number} took {turn.usage}, recorded as {usage}"
        if kept["seconds"] + SLACK < turn.seconds:
            yield f"turn {number} took {turn.seconds:.2f} s, recorded as {kept['seconds']}"
        if (tried := len(kept.get("retries", []))) != turn.faults:
            yield f"turn {number} was asked for again {turn.faults} times, recorded as {tried}"


def _messages(reported: Episode, line: dict[str, Any]) -> Iterator[Difference]:
    expected = list(reported.prompt)
    for turn in reported.turns:
        calls = [
            {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.said}}
            for c in turn.calls
        ]
        said = {"role": "assistant", "content": turn.content, **turn.thoughts}
        expected.append(said | ({"tool_calls": calls} if calls else {}))
        expected += [
            {"role": "tool", "tool_call_id": c.id, "content": c.answer}
            for c in turn.calls
            if c.answer is not None
        ]
        if turn.answer is not None:
            expected.append({"role": "user", "content": turn.answer})
    kept = line.get("messages", [])
    for number, message in enumerate(expected):
        if number >= len(kept) or kept[number] != message:
            other = kept[number] if number < len(kept) else "nothing"
            yield f"message {number} was {message}, recorded as {other}"
            return
    # What came of the last message went to nobody.
    odd = [each for each in kept[len(expected) :] if each["role"] not in ("tool", "user")]
    if odd:
        yield f"messages are recorded that the server never wrote: {odd}"


def _steps(reported: Episode, line: dict[str, Any]) -> Iterator[Difference]:
    calls = [call for turn in reported.turns for call in turn.calls]
    steps = line["steps"]
    if len(steps) != len(calls) and not (line["end"] == "failed" and len(steps) < len(calls)):
        yield f"{len(steps)} steps are recorded of {len(calls)} calls"
    schemas = {tool["name"]: tool["parameters"] for tool in reported.tools}
    over = False
    for number, (call, step) in enumerate(zip(calls, steps, strict=False)):
        if (step["tool"], step["arguments"]) != (call.name, call.arguments()):
            yield f"step {number} was {call.name}({call.said}), recorded as {step['tool']}({step['arguments']})"
        if call.answer not in (None, text := _text(step)):
            yield f"step {number} brought {call.answer!r}, recorded as {text!r}"
        if step["error"] not in (true := _errors(call, schemas, over)):
            yield f"step {number}, {call.name}({call.said}), has error {step['error']}, not {true}"
        over = over or step["done"]


def _errors(call: Call, schemas: dict[str, Any], over: bool) -> set[str | None]:
    """What may be the reason that a call was refused; None for not at all."""
    if over:
        return {"episode_over"}
    if call.name not in schemas:
        return {"unknown_tool"}
    arguments = call.arguments()
    if "_raw" in arguments or not _fits(schemas[call.name], arguments):
        return {"invalid_arguments"}
    # Servers are told less than the world holds to: not each of them takes every keyword.
    return {None, "invalid_action", "invalid_arguments"}


def _fits(schema: dict[str, Any], value: Any) -> bool:
    """Whether a value is what a schema of ours says, as far as the server was told."""
    kind = schema.get("type")
    if kind == "integer" and isinstance(value, float) and value.is_integer():
        value = int(value)
    if kind and not isinstance(value, KINDS[kind]):
        return False
    if kind in ("integer", "number") and isinstance(value, bool):
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if kind == "object":
        fields = schema.get("properties", {})
        if set(schema.get("required", ())) - set(value) or set(value) - set(fields):
            return False
        return all(_fits(fields[name], each) for name, each in value.items())
    if kind == "array":
        few, many = schema.get("minItems", 0), schema.get("maxItems", math.inf)
        return few <= len(value) <= many and all(_fits(schema.get("items", {}), v) for v in value)
    if kind == "string":
        return schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", math.inf)
    if kind in ("integer", "number"):
        return schema.get("minimum", -math.inf) <= value <= schema.get("maximum", math.inf)
    return True


def _text_steps(reported: Episode, line: dict[str, Any]) -> Iterator[Difference]:
    """Each message brought what was said after it; one without any tag is refused as unreadable."""
    system = "\n".join(str(message["content"]) for message in reported.prompt)
    tags = {"tool_call", "end_episode", "think", "thinking", *re.findall(r"<(\w+)", system)}
    tag = re.compile(rf"</?({'|'.join(sorted(tags))})\b", re.IGNORECASE)
    left = list(line["steps"])
    for number, turn in enumerate(reported.turns):
        if turn.answer is None:
            played, left = left, []
        else:
            counts = range(len(left) + 1)
            count = next((n for n in counts if turn.answer in _joined(left[:n])), None)
            if count is None:
                yield f"turn {number} brought {turn.answer!r}, and no steps say so"
                return
            played, left = left[:count], left[count:]
        if not tag.search(turn.content) and not (turn.answer is None and line["end"] == "failed"):
            if [step["error"] for step in played] != ["unreadable"]:
                yield f"turn {number} wrote no action ({turn.content!r}), and {played} are recorded"
            elif not turn.content.strip().endswith(played[0]["arguments"].get("_raw", "\0")):
                yield f"turn {number} wrote {turn.content!r}, recorded as {played[0]['arguments']}"
    if left:
        yield f"{len(left)} steps are recorded that no message asked for"


def _joined(steps: list[dict[str, Any]]) -> set[str]:
    """What a model sees of some steps, with and without the end that it asked for."""
    found = set()
    for texts in ([_text(step) for step in steps], [*map(_text, steps), OVER]):
        numbered = [f"[{number}] {text}" for number, text in enumerate(texts, 1)]
        found.add("\n\n".join(numbered if len(texts) > 1 else texts))
    return found - {""} if not steps else found


def _text(step: dict[str, Any]) -> str:
    return "\n".join(block.get("text", "") for block in step["observation"])


if __name__ == "__main__":
    wrong = differences(Path(sys.argv[1]), map(Path, sys.argv[2:]))
    print("\n".join(wrong) or "every record is true")
    sys.exit(bool(wrong))
